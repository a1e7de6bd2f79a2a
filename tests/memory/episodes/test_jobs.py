"""The jobs of episodes: when they are due, by a model, and killed in the middle."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from memory.config.sections.conversations import EpisodesConfig, LLMConfig
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode
from memory.operations.doctor import checkup
from memory.operations.jobs.registry import FSRS, SEGMENTATION, open_work
from memory.operations.jobs.running import run_work
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.children import go_on, kill, lines, start
from tests.memory.conversations.llm_extraction.model import opened_with
from tests.memory.databases import opened
from tests.memory.episodes.said import BEGUN, BOAT, CAKE, LATER, say
from tests.providers.wire import chat
from tests.providers.wire.server import Answer, Request, serving

SESSIONS = 6
TOLD = "Ana tore the mainsail on Sunday; a new rudder was ordered."


def episodes(memory: Workspace) -> list[Episode]:
    return EpisodeStore(memory.storage.database).many(range(1000))


def run(memory: Workspace) -> str:
    outcome = run_work(open_work(SEGMENTATION, memory), Event())
    return outcome.message


def test_it_is_due_after_a_number_of_turns_beyond_those_that_wait(tmp_path: Path) -> None:
    with opened(tmp_path, episodes=EpisodesConfig(after_messages=5)) as memory:
        work = open_work(SEGMENTATION, memory)
        assert not work.is_due()
        add_turns(memory, [NewTurn("s1", text) for text in BOAT[:5]])
        assert work.is_due()
        assert "turns waiting: 5" in run_work(work, Event()).message
        assert not work.is_due()
        add_turns(memory, [NewTurn("s1", text) for text in (*BOAT[5:], *CAKE[:2])])
        assert work.is_due()


def test_the_upkeep_runs(memory: Workspace) -> None:
    say(memory, BOAT)
    assert run(memory).startswith("episodes formed: 1, joined by late turns: 0")
    assert run_work(open_work(FSRS, memory), Event()).message == "episodes: 1, facts: 0, changed: 1"


def test_a_model_summarises_episodes(tmp_path: Path) -> None:
    with serving(lambda _: chat.said(TOLD)) as server, opened_with(tmp_path, server) as memory:
        say(memory, BOAT)
        assert run(memory).endswith("summarised by the model: 1")
        (episode,) = episodes(memory)
        assert (episode.summary, episode.written_by) == (f"2026-03-04\n{TOLD}", "llm")
        (request,) = server.requests
        assert "2026-03-04 10:00 Ana: The mainsail tore" in str(request.body["messages"])
        options = SearchOptions(mode="keyword", sources=["episode"])
        assert [hit.citation for hit in search(memory, "ordered", options).results] == ["episode 1"]
        assert not open_work(SEGMENTATION, memory).is_due()


def test_a_turn_that_nothing_may_be_made_of_is_not_sent(tmp_path: Path) -> None:
    with serving(lambda _: chat.said(TOLD)) as server, opened_with(tmp_path, server) as memory:
        turns = [NewTurn("s1", text, ts=BEGUN.isoformat()) for text in BOAT]
        turns[2] = NewTurn("s1", CAKE[0], ts=BEGUN.isoformat(), auto_extract=False)
        add_turns(memory, turns)
        run(memory)
        assert "chocolate" not in str(server.requests[0].body["messages"])


@pytest.mark.parametrize(
    "answer",
    [chat.said(""), chat.said("They met 17 times."), chat.said(None, refusal="No.")],
    ids=["empty", "a number that nobody said", "refused"],
)
def test_an_answer_that_cannot_be_used_leaves_the_sentences(tmp_path: Path, answer: Answer) -> None:
    with serving(lambda _: answer) as server, opened_with(tmp_path, server) as memory:
        say(memory, BOAT)
        assert run(memory).endswith("summarised by the model: 0")
        (episode,) = episodes(memory)
        assert (episode.written_by, episode.model_tries) == ("extract", 3)
        assert "rudder" in episode.summary
        assert len(server.requests) == 3
        assert not open_work(SEGMENTATION, memory).is_due()


def test_a_server_that_fails_is_asked_again_later(tmp_path: Path) -> None:
    answers = iter([Answer(500), chat.said(TOLD), chat.said(TOLD)])

    def answer(_: Request) -> Answer:
        return next(answers)

    with serving(answer) as server, opened_with(tmp_path, server) as memory:
        say(memory, BOAT)
        say(memory, CAKE, begin=LATER)
        outcome = run_work(open_work(SEGMENTATION, memory), Event())
        assert outcome.kind == "failed"
        assert [one.written_by for one in episodes(memory)] == ["extract"] * 2
        run(memory)
        assert [one.written_by for one in episodes(memory)] == ["llm"] * 2
        assert len(server.requests) == 3


def test_a_model_is_not_asked_where_sentences_are_wanted(tmp_path: Path) -> None:
    config = EpisodesConfig(summaries="extract")
    with serving(lambda _: chat.said(TOLD)) as server:
        llm = LLMConfig(endpoint=f"{server.url}/v1", model="m")
        with opened(tmp_path, episodes=config, llm=llm) as memory:
            say(memory, BOAT)
            assert run(memory).endswith("turns waiting: 0")
        assert server.requests == []


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Workspace]:
    """Sessions of two episodes each."""
    with opened(tmp_path) as memory:
        for number in range(SESSIONS):
            say(memory, (*BOAT, *CAKE), session=f"s{number}", begin=BEGUN + timedelta(days=number))
        yield memory


@pytest.mark.slow
def test_a_killed_run_has_formed_some_and_lost_and_doubled_nothing(
    many: Workspace, tmp_path: Path
) -> None:
    """Killed at each of its transactions, by processes that go a step further each."""
    for steps in range(1, 5):
        process = start("form_telling", tmp_path)
        for _ in range(2 + steps):
            assert next(lines(process)).isdigit()
            go_on(process)
        kill(process)
        _check(many, done=False)
    form_episodes(many)
    _check(many, done=True)
    before = episodes(many)
    assert form_episodes(many) == (0, 0, 0)
    assert episodes(many) == before


def _check(memory: Workspace, *, done: bool) -> None:
    read = memory.storage.database.read
    found = episodes(memory)
    for episode in found:
        rows = read("SELECT id FROM turns WHERE episode_id = :id ORDER BY ts", {"id": episode.id})
        assert (rows[0][0], rows[-1][0]) == (episode.start_message_id, episode.end_message_id)
        assert len(rows) == episode.message_count
    chunks = read("SELECT owner_id FROM chunks WHERE source = 'episode'")
    assert sorted(int(row[0]) for row in chunks) == [one.id for one in found]
    assert checkup(memory).problems == []
    if done:
        assert read("SELECT count(*) FROM turns WHERE episode_id IS NULL") == [(0,)]
        assert len(found) == 2 * SESSIONS
