"""Episodes as records: cited, shown, exported, forgotten with proof, examined."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from contracts import InputError, NotFoundError
from memory.config.settings import MemoryConfig
from memory.conversations.memories.editing import remember
from memory.conversations.retention import remove_expired
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import FormingReport, form_episodes
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode, EpisodeContent
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.operations.manage import delete_record, get_record, list_records, show, update_record
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.changed_export import export_changed
from tests.memory.databases import opened
from tests.memory.engines import residue
from tests.memory.episodes.said import BEGUN, BOAT, CAKE, LATER, division, say

IN_EPISODES = SearchOptions(mode="keyword", sources=["episode"])
SECRET = "Zephyrine hid the quokka figurine in the greenhouse."


def episodes(memory: Workspace) -> list[Episode]:
    return EpisodeStore(memory.storage.database).many(range(100))


def test_it_is_found_cited_and_shown_with_its_turns(told: Workspace) -> None:
    (hit,) = search(told, "rudder", IN_EPISODES).results
    assert (hit.citation, hit.source, hit.file_id) == ("episode 1", "episode", None)
    assert hit.metadata["start_message_id"] == 1
    shown = show(told, "episode 1")
    assert isinstance(shown, EpisodeContent)
    assert [turn.text for turn in shown.turns] == list(BOAT)
    assert shown.turns[0].citation == "session s1 turn 1, 2026-03-04"
    with pytest.raises(NotFoundError, match="there is no episode 9"):
        show(told, "episode 9")


def test_it_is_managed_but_not_edited(told: Workspace) -> None:
    page = list_records(told, source="episode")
    assert [record.id for record in page.records] == ["episode:2", "episode:1"]
    record = get_record(told, "episode:1")
    assert (record.state, record.chunks) == ("indexed", 1)
    with pytest.raises(InputError, match="episode 1 is made of its turns"):
        update_record(told, "episode:1", tags=["boat"])
    delete_record(told, "episode:1")
    assert search(told, "rudder", IN_EPISODES).results == []
    assert {hit.source for hit in search(told, "rudder").results} == {"turn"}


def test_a_forgotten_episode_is_not_made_again(told: Workspace) -> None:
    report = forget(told, ForgetRequest(records=(RecordName("episode", "1"),)), proven=True)
    assert report.ok
    assert [gone.citation for gone in report.forgotten] == ["episode 1"]
    assert form_episodes(told, now=LATER + timedelta(days=9)) == FormingReport(0, 0, 0)
    assert [one.summary for one in episodes(told) if one.id != 2] == [""]
    assert checkup(told).problems == []
    with pytest.raises(NotFoundError, match="there is no episode 3"):
        show(told, "episode 3")


def test_forgetting_a_turn_makes_its_episode_again_of_the_rest(memory: Workspace) -> None:
    ids = say(memory, (SECRET, *BOAT))
    form_episodes(memory, now=LATER)
    assert "quokka" in episodes(memory)[0].summary
    report = forget(memory, ForgetRequest(records=(RecordName("turn", str(ids[0])),)), proven=True)
    assert [check for check in report.checks if not check.ok] == []
    assert residue(memory, "quokka", "Zephyrine", "greenhouse") == {}
    (episode,) = episodes(memory)
    assert (episode.start_message_id, episode.message_count) == (ids[1], 8)
    assert episode.summary.startswith("2026-03-04\nBo: ")
    assert [hit.citation for hit in search(memory, "rudder", IN_EPISODES).results] == ["episode 1"]
    assert checkup(memory).problems == []


@pytest.mark.parametrize(
    "request_",
    [
        ForgetRequest(session_id="s1"),
        ForgetRequest(since="2026-03-04", until="2026-03-04"),
    ],
)
def test_an_episode_goes_with_all_of_its_turns(told: Workspace, request_: ForgetRequest) -> None:
    report = forget(told, request_, proven=True)
    assert [check for check in report.checks if not check.ok] == []
    assert [gone.citation for gone in report.forgotten if gone.kind == "episode"] == [
        "episode 1",
        "episode 2",
    ]
    assert episodes(told) == []
    assert told.storage.database.read("SELECT count(*) FROM chunks") == [(0,)]


def test_forgetting_words_keeps_the_rest_of_an_episode(memory: Workspace) -> None:
    say(memory, (SECRET, *BOAT))
    form_episodes(memory, now=LATER)
    report = forget(memory, ForgetRequest(text="quokka figurine"), proven=True)
    assert report.ok
    assert [gone.kind for gone in report.forgotten] == ["turn"]
    (episode,) = episodes(memory)
    assert "rudder" in episode.summary


def test_forgetting_words_that_only_a_summary_has(told: Workspace) -> None:
    with told.storage.database.transaction() as tx:
        tx.run("UPDATE episodic_memory SET summary = 'A yachtsman in despair' WHERE id = 1")
    report = forget(told, ForgetRequest(text="yachtsman"), proven=True)
    assert [gone.citation for gone in report.forgotten] == ["episode 1"]


def test_forgetting_with_sources_takes_its_turns(told: Workspace) -> None:
    wanted = ForgetRequest(records=(RecordName("episode", "1"),), with_sources=True)
    forget(told, wanted)
    assert division(told) == [(2, list(range(9, 17)))]
    assert [one.id for one in episodes(told)] == [2]


def test_turns_that_are_kept_for_a_time_only_take_their_episode_along(tmp_path: Path) -> None:
    with opened(tmp_path, long_term_opt_in=False) as memory:
        turns = [NewTurn("s1", text, ts=BEGUN.isoformat()) for text in BOAT]
        add_turns(memory, turns)
        form_episodes(memory)
        assert len(episodes(memory)) == 1
        hours = MemoryConfig().session_retention_hours
        later = LATER + timedelta(days=3650, hours=hours)
        assert remove_expired(memory, now=later).turns == 8
        assert episodes(memory) == []


def test_it_is_exported_and_imported(told: Workspace, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    forget(told, ForgetRequest(records=(RecordName("episode", "2"),)))
    export(told, str(one))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        report = import_lines(other, str(one))
        assert report.errors == []
        assert episodes(other) == episodes(told)
        assert division(other) == division(told)
        found = search(other, "rudder", IN_EPISODES).results
        assert found == search(told, "rudder", IN_EPISODES).results
        assert form_episodes(other, now=LATER) == FormingReport(0, 0, 0)
        export(other, str(two))
        again = import_lines(other, str(one))
        assert again.errors == []
        assert len(episodes(other)) == 2
    lines = [
        [line for line in map(json.loads, path.read_text().splitlines()) if "summary" in line]
        for path in (one, two)
    ]
    assert lines[0] == lines[1]


def test_turns_that_belong_elsewhere_keep_their_episode(told: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    export(told, str(path))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        say(other, BOAT[:5])
        form_episodes(other, now=LATER)
        import_lines(other, str(path))
        assert dict(division(other))[1] == list(range(1, 6))
        assert form_episodes(other, now=LATER).waiting == 0


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"difficulty": 0}, "its difficulty is 0"),
        ({"stability": "long"}, "its stability is 'long'"),
        ({"turn_ids": [1, "2"]}, "its turn_ids are"),
        ({"written_by": "me"}, "its written_by is 'me'"),
        ({"ended_at": "soon"}, "its ended_at is 'soon'"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_an_invalid_line_is_named(
    told: Workspace, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    path = export_changed(told, tmp_path / "all.jsonl", "episode", change)
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        errors = import_lines(other, str(path)).errors
        assert len(errors) == 2
        assert all(error.reason.startswith(reason) for error in errors)
        assert episodes(other) == []


def test_the_doctor_makes_it_findable_again(told: Workspace) -> None:
    with told.storage.database.transaction() as tx:
        tx.run("DELETE FROM chunks WHERE source = 'episode' AND owner_id = '1'")
    (problem,) = checkup(told).problems
    assert problem.fact == "episodes that no search finds: 1 (1)"
    assert checkup(told, fix=True).healthy
    assert [hit.citation for hit in search(told, "rudder", IN_EPISODES).results] == ["episode 1"]


def test_importance_and_surprise(memory: Workspace) -> None:
    say(memory, BOAT)
    form_episodes(memory, now=LATER)
    say(memory, BOAT, begin=LATER, session="s2")
    say(memory, CAKE, begin=LATER + timedelta(hours=2), session="s3")
    (turn,) = say(memory, ["x"], session="s4", begin=LATER + timedelta(days=1))
    memory_id = remember(memory, "The rudder of the boat has a crack").id
    with memory.storage.database.transaction() as tx:
        sql = "INSERT INTO memory_links (memory_id, turn_id) VALUES (:memory_id, :turn_id)"
        tx.run(sql, {"memory_id": memory_id, "turn_id": turn})
    form_episodes(memory, now=LATER + timedelta(days=9))
    first, again, cake, kept = episodes(memory)
    assert first.surprise_score == 1
    assert again.surprise_score < 0.05
    assert 0.5 < cake.surprise_score <= 1
    assert first.importance_score == again.importance_score
    assert 0.1 < first.importance_score < 0.3
    assert kept.importance_score == pytest.approx(0.5 * 0.5 + 0.3 * 0 + 0.2, abs=0.01)
