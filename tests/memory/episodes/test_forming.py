"""Episodes are formed from turns: all of them, each once, whenever they arrive."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memory.config.sections.conversations import EpisodesConfig
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import FormingReport, form_episodes, is_due
from memory.episodes.store import EpisodeStore
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.episodes.said import BEGUN, BOAT, CAKE, LATER, division, say

IN_EPISODES = SearchOptions(mode="keyword", sources=["episode"])


def test_a_conversation_becomes_episodes(memory: Workspace) -> None:
    say(memory, (*BOAT, *CAKE))
    assert form_episodes(memory, now=LATER) == FormingReport(formed=2, joined=0, waiting=0)
    assert division(memory) == [(1, list(range(1, 9))), (2, list(range(9, 17)))]
    boat, cake = EpisodeStore(memory.storage.database).many([1, 2])
    assert (boat.start_message_id, boat.end_message_id, boat.message_count) == (1, 8, 8)
    assert (boat.started_at, boat.ended_at) == (
        "2026-03-04T10:00:00.000Z",
        "2026-03-04T10:07:00.000Z",
    )
    assert boat.summary.startswith("2026-03-04\nAna: ")
    assert "rudder" in boat.summary
    assert "cake" in cake.summary
    assert "rudder" not in cake.summary
    assert boat.session_id == "s1"


def test_it_is_done_once(memory: Workspace) -> None:
    say(memory, (*BOAT, *CAKE))
    form_episodes(memory, now=LATER)
    before = EpisodeStore(memory.storage.database).many([1, 2, 3])
    assert form_episodes(memory, now=LATER) == FormingReport(0, 0, 0)
    assert EpisodeStore(memory.storage.database).many([1, 2, 3]) == before


def test_the_end_of_a_running_conversation_waits(memory: Workspace) -> None:
    say(memory, BOAT)
    now = BEGUN + timedelta(minutes=10)
    assert form_episodes(memory, now=now) == FormingReport(0, 0, waiting=8)
    say(memory, CAKE, begin=now)
    assert form_episodes(memory, now=now) == FormingReport(0, 0, waiting=16)
    say(memory, CAKE[:4], begin=now + timedelta(days=2))
    assert form_episodes(memory, now=now + timedelta(days=2)) == FormingReport(2, 0, waiting=4)
    say(memory, CAKE[4:], begin=now + timedelta(days=2, minutes=4))
    assert form_episodes(memory, now=now + timedelta(days=3)) == FormingReport(1, 0, waiting=0)
    assert [len(turns) for _, turns in division(memory)] == [8, 8, 8]


def test_a_long_conversation_need_not_end(memory: Workspace, tmp_path: Path) -> None:
    texts = [text for part in (BOAT, CAKE, BOAT, CAKE, BOAT) for text in part]
    say(memory, texts)
    now = BEGUN + timedelta(minutes=41)
    report = form_episodes(memory, now=now)
    assert report.formed > 0
    assert report.waiting > 0
    form_episodes(memory, now=LATER)
    together = [turns for _, turns in division(memory)]
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        say(other, texts)
        form_episodes(other, now=LATER)
        assert [turns for _, turns in division(other)] == together


def test_sessions_are_never_mixed(memory: Workspace) -> None:
    for number, text in enumerate(BOAT):
        begin = BEGUN + timedelta(minutes=number)
        say(memory, [text], session="s1", begin=begin)
        say(memory, [CAKE[number]], session="s2", begin=begin)
    form_episodes(memory, now=LATER)
    assert division(memory) == [(1, list(range(1, 17, 2))), (2, list(range(2, 17, 2)))]


def test_a_late_turn_joins_the_episode_it_falls_into(memory: Workspace) -> None:
    say(memory, BOAT)
    say(memory, CAKE, begin=LATER)
    form_episodes(memory, now=LATER + timedelta(days=1))
    before = EpisodeStore(memory.storage.database).get(1)
    (late,) = say(
        memory,
        ["The yard wants 450 euros for the rudder, Tom says."],
        begin=BEGUN + timedelta(seconds=90),
    )
    assert form_episodes(memory, now=LATER + timedelta(days=1)) == FormingReport(0, 1, 0)
    assert division(memory)[0] == (1, [*range(1, 9), late])
    after = EpisodeStore(memory.storage.database).get(1)
    assert before is not None
    assert after is not None
    assert after.message_count == 9
    assert "450" in after.summary
    assert (after.created_at, after.stability) == (before.created_at, before.stability)
    assert [hit.citation for hit in search(memory, "450 euros", IN_EPISODES).results] == [
        "episode 1"
    ]


def test_a_few_late_turns_join_the_nearer_episode(memory: Workspace) -> None:
    say(memory, BOAT)
    say(memory, CAKE, begin=LATER)
    form_episodes(memory, now=LATER + timedelta(days=1))
    near = say(memory, ["I also need flour."], begin=LATER - timedelta(minutes=2))
    early = say(memory, ["The weather forecast is bad."], begin=BEGUN - timedelta(minutes=3))
    assert form_episodes(memory, now=LATER + timedelta(days=1)) == FormingReport(0, 2, 0)
    far = say(memory, ["Who has the key?"], begin=BEGUN + timedelta(hours=9))
    assert form_episodes(memory, now=LATER + timedelta(days=1)) == FormingReport(1, 0, 0)
    found = dict(division(memory))
    assert found[1] == [*range(1, 9), *early]
    assert found[2] == [*range(9, 17), *near]
    assert found[3] == far


def test_late_turns_with_a_pause_between_them_form_their_own(memory: Workspace) -> None:
    say(memory, BOAT)
    say(memory, CAKE, begin=LATER)
    form_episodes(memory, now=LATER + timedelta(days=1))
    say(memory, ["Who has the key?"], begin=BEGUN + timedelta(hours=9))
    say(memory, ["I also need flour."], begin=LATER - timedelta(minutes=2))
    assert form_episodes(memory, now=LATER + timedelta(days=1)) == FormingReport(2, 0, 0)


def test_imported_turns_of_long_ago_form_their_own(memory: Workspace) -> None:
    say(memory, BOAT, begin=LATER)
    form_episodes(memory, now=LATER + timedelta(days=1))
    ids = say(memory, CAKE, begin=BEGUN)
    assert form_episodes(memory, now=LATER + timedelta(days=1)) == FormingReport(1, 0, 0)
    assert dict(division(memory))[2] == ids


def test_an_episode_that_late_turns_made_too_long_is_divided_again(tmp_path: Path) -> None:
    with opened(tmp_path, episodes=EpisodesConfig(most_messages=8)) as memory:
        say(memory, BOAT)
        form_episodes(memory, now=LATER)
        say(memory, CAKE * 2, begin=BEGUN + timedelta(seconds=30), every_s=1)
        report = form_episodes(memory, now=LATER)
        assert report.waiting == 0
        sizes = [len(turns) for _, turns in division(memory)]
        assert sum(sizes) == 24
        assert max(sizes) <= 8


def test_a_fixed_window(tmp_path: Path) -> None:
    config = EpisodesConfig(boundaries="window", window_messages=6)
    with opened(tmp_path, episodes=config) as memory:
        say(memory, (*BOAT, *CAKE))
        assert form_episodes(memory, now=BEGUN + timedelta(minutes=16)).waiting == 4
        form_episodes(memory, now=LATER)
        assert [len(turns) for _, turns in division(memory)] == [6, 6, 4]


@pytest.mark.parametrize(
    "number, silence_s, left, due",
    [
        (3, 60, 0, False),
        (20, 60, 0, True),
        (20, 60, 1, False),
        (8, 3700, 8, True),
        (3, 3700, 3, False),
        (3, 13 * 3600, 3, True),
    ],
    ids=["few", "many", "few new ones", "a pause", "few and a pause", "few and a long pause"],
)
def test_when_there_may_be_something_to_do(
    memory: Workspace, number: int, silence_s: float, left: int, due: bool
) -> None:
    texts = (*BOAT, *CAKE, *BOAT)[:number]
    say(memory, texts)
    now = BEGUN + timedelta(seconds=60 * (number - 1) + silence_s)
    assert is_due(memory, left=left, now=now) is due


def test_nothing_is_due_without_turns_or_where_it_is_switched_off(tmp_path: Path) -> None:
    with opened(tmp_path, episodes=EpisodesConfig(enabled=False)) as memory:
        say(memory, BOAT)
        assert not is_due(memory, left=0)
    with opened(tmp_path) as memory:
        assert is_due(memory, left=0)
        form_episodes(memory)
        assert not is_due(memory, left=0)


def test_small_talk_and_secrets(memory: Workspace) -> None:
    say(memory, ["Hi!", "Hello", "Ok", "Bye"])
    say(
        memory,
        ["The password of the router is hunter2hunter2", *CAKE],
        session="s2",
        begin=BEGUN + timedelta(hours=1),
    )
    form_episodes(memory, now=LATER)
    small, secret = EpisodeStore(memory.storage.database).many([1, 2])
    assert small.summary == "2026-03-04\nAna: Hi!"
    assert "hunter2" not in secret.summary


def test_a_summary_names_the_day_of_each_line_where_there_are_several(memory: Workspace) -> None:
    say(memory, BOAT, begin=BEGUN + timedelta(hours=13, minutes=56))
    form_episodes(memory, now=LATER + timedelta(days=1))
    episode = EpisodeStore(memory.storage.database).get(1)
    assert episode is not None
    head, *lines = episode.summary.splitlines()
    assert head == "2026-03-04 to 2026-03-05"
    days = [line[:10] for line in lines]
    assert days == sorted(days)
    assert set(days) <= {"2026-03-04", "2026-03-05"}
    assert len(episode.summary) <= 600


def test_a_stopped_run_leaves_the_rest(memory: Workspace) -> None:
    for number in range(4):
        say(memory, BOAT, session=f"s{number}")
    begun = EpisodeStore(memory.storage.database)

    def two_done() -> bool:
        return len(begun.many(range(9))) >= 2

    assert form_episodes(memory, now=LATER, is_ended=two_done).formed == 2
    assert form_episodes(memory, now=LATER) == FormingReport(2, 0, 0)


def test_rows_of_another_program_wait_for_their_completion(memory: Workspace) -> None:
    say(memory, BOAT)
    with memory.storage.database.transaction() as tx:
        for number in range(8):
            ts = BEGUN + timedelta(minutes=8 + number)
            tx.run(
                "INSERT INTO turns (session_id, role, text, ts) VALUES ('s1', 'user', :text, :ts)",
                {"text": CAKE[number], "ts": ts.strftime("%Y-%m-%dT%H:%M:%S.000Z")},
            )
    form_episodes(memory, now=LATER)
    assert division(memory) == [(1, list(range(1, 9))), (None, list(range(9, 17)))]


def test_turns_with_the_same_time_keep_their_order(memory: Workspace) -> None:
    turns = [NewTurn("s1", text, ts=BEGUN.isoformat()) for text in (*BOAT, *CAKE)]
    add_turns(memory, turns)
    form_episodes(memory, now=LATER)
    assert [turns for _, turns in division(memory)] == [list(range(1, 9)), list(range(9, 17))]
    episode = EpisodeStore(memory.storage.database).get(1)
    assert episode is not None
    assert datetime.fromisoformat(episode.ended_at) == BEGUN
