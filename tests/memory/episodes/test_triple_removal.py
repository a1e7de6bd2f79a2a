"""Facts whose sources are forgotten: with proof, in the same transaction; and their round trip."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.conversations.retention import remove_expired
from memory.episodes.forming import form_episodes
from memory.episodes.triples.extraction import extract_facts
from memory.operations.doctor import checkup
from memory.operations.doctor.salvage import salvage
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.changed_export import export_changed
from tests.memory.databases import loaded, opened
from tests.memory.engines import residue
from tests.memory.episodes.facts import HERS, HOME, SISTER, WORK, facts, learn, tell, triples

IN_TRIPLES = SearchOptions(mode="keyword", sources=["triple"])


def forgotten(
    memory: Workspace, *named: tuple[str, int], with_sources: bool = False
) -> ForgetReport:
    records = tuple(RecordName(kind, str(key)) for kind, key in named)
    request = ForgetRequest(records=records, with_sources=with_sources)
    report = forget(memory, request, proven=True)
    assert [check for check in report.checks if not check.ok] == []
    assert checkup(memory).problems == []
    return report


def kinds(report: ForgetReport) -> list[str]:
    return [gone.citation for gone in report.forgotten]


def test_what_rests_on_a_turn_alone_goes_with_it(memory: Workspace) -> None:
    (turn, *_) = tell(
        memory, "I live in Ouagadougou, near the harbour.", WORK, HOME.replace("live", "lived")
    )
    learn(memory)
    report = forgotten(memory, ("turn", turn))
    assert "triple 1" in kinds(report)
    assert facts(memory) == {"User works at Bosch": "current"}
    assert residue(memory, "Ouagadougou") == {}


def test_what_rests_on_other_turns_too_is_less_sure(memory: Workspace) -> None:
    (turn, *_) = tell(memory, HOME, WORK)
    tell(memory, "I live in Berlin and that will stay so.", WORK, day=3, session="s2")
    learn(memory)
    before = triples(memory)[0]
    report = forgotten(memory, ("turn", turn))
    assert [gone.kind for gone in report.forgotten] == ["turn"]
    after = triples(memory)[0]
    assert after.source_episodic_ids == (2,)
    assert after.confidence == 0.9 < before.confidence


def test_a_forgotten_name_leaves_the_role(memory: Workspace) -> None:
    tell(memory, HERS, HOME)
    (turn, *_) = tell(memory, "My sister is named Xanthippe and she paints.", WORK, day=4)
    learn(memory)
    assert "Xanthippe lives in Oslo" in facts(memory)
    forgotten(memory, ("turn", turn))
    assert "User's sister lives in Oslo" in facts(memory)
    assert residue(memory, "Xanthippe") == {}


def test_a_forgotten_memory_takes_its_fact_along(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    assert kinds(forgotten(memory, ("memory", 1))) == ["memory 1", "triple 1"]
    learn(memory)
    assert facts(memory) == {"User works at Bosch": "current"}


def test_a_forgotten_fact_is_not_made_again(memory: Workspace) -> None:
    turns = tell(memory, HOME, WORK)
    learn(memory)
    report = forgotten(memory, ("triple", 1))
    assert kinds(report) == ["triple 1"]
    assert "memory 1" in report.kept
    tell(memory, "I live in Berlin and that will stay so.", WORK, day=3, session="s2")
    learn(memory)
    assert facts(memory) == {"User works at Bosch": "current"}
    report = forgotten(memory, ("triple", 2), with_sources=True)
    assert f"session s1 turn {turns[1]}, 2026-03-04" in kinds(report)
    assert "memory 2" in kinds(report)
    assert facts(memory) == {}


def test_words_that_only_a_fact_has_take_it_along(memory: Workspace) -> None:
    tell(memory, HERS, SISTER, WORK)
    learn(memory)
    report = forget(memory, ForgetRequest(text="Ida lives in Oslo"), proven=True)
    assert report.ok
    assert [gone.kind for gone in report.forgotten] == ["triple"]
    assert "Ida lives in Oslo" not in facts(memory)


def test_a_forgotten_episode_takes_what_rests_on_it_alone(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    forgotten(memory, ("episode", 1))
    assert facts(memory) == {}
    assert memory.storage.database.read("SELECT count(*) FROM memories") == [(2,)]
    form_episodes(memory)
    extract_facts(memory)
    assert facts(memory) == {}


def test_a_session_takes_its_facts_along(memory: Workspace) -> None:
    tell(memory, HOME, WORK)
    tell(memory, "I like sushi a lot.", WORK, day=2, session="s2")
    learn(memory)
    report = forget(memory, ForgetRequest(session_id="s1"), proven=True)
    assert report.ok
    assert facts(memory) == {"User likes sushi": "current", "User works at Bosch": "current"}


def test_facts_of_turns_that_are_kept_for_a_time_only_go_with_them(tmp_path: Path) -> None:
    with opened(tmp_path, long_term_opt_in=False) as memory:
        tell(memory, HOME, WORK)
        learn(memory)
        assert len(facts(memory)) == 2
        remove_expired(memory, now=datetime.now(UTC) + timedelta(days=3650))
        assert facts(memory) == {}
        assert memory.storage.database.read("SELECT count(*) FROM memories") == [(2,)]
        assert checkup(memory).problems == []


def test_facts_are_exported_and_imported(memory: Workspace, tmp_path: Path) -> None:
    tell(memory, HOME, WORK, HERS, SISTER)
    tell(memory, "I like sushi a lot.", "I moved to Madrid last month.", day=2, session="s2")
    learn(memory)
    forget(memory, ForgetRequest(records=(RecordName("triple", "2"),)))
    before = triples(memory), facts(memory)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    export(memory, str(one))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        report = import_lines(other, str(one))
        assert report.errors == []
        assert [one.text for one in triples(other)] == [one.text for one in before[0]]
        assert facts(other) == before[1]
        assert [one.source_episodic_ids for one in triples(other)] == [
            one.source_episodic_ids for one in before[0]
        ]
        assert (
            search(other, "Oslo", IN_TRIPLES).results == search(memory, "Oslo", IN_TRIPLES).results
        )
        learn(other)
        assert facts(other) == before[1]
        assert checkup(other).problems == []
        export(other, str(two))
        assert import_lines(other, str(one)).errors == []
        assert facts(other) == before[1]
    lines = [
        [
            {**line, "updated_at": ""}
            for line in map(json.loads, path.read_text().splitlines())
            if line["type"] == "triple"
        ]
        for path in (one, two)
    ]
    assert lines[0] == lines[1]


def test_an_export_without_facts_makes_them_again(memory: Workspace, tmp_path: Path) -> None:
    tell(memory, HOME, WORK)
    form_episodes(memory)
    export(memory, str(tmp_path / "all.jsonl"))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        import_lines(other, str(tmp_path / "all.jsonl"))
        assert facts(other) == {}
        extract_facts(other)
        assert sorted(facts(other)) == ["User lives in Berlin", "User works at Bosch"]


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"confidence": 2}, "its confidence is 2"),
        ({"entity": 3}, "its entity is 3"),
        ({"memory_ids": ["1"]}, "its memory_ids are"),
        ({"occurred_at": "soon"}, "its occurred_at is 'soon'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_line_is_named(
    memory: Workspace, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    tell(memory, HOME, WORK)
    learn(memory)
    path = export_changed(memory, tmp_path / "all.jsonl", "triple", change)
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        errors = import_lines(other, str(path)).errors
        assert len(errors) == 2
        assert all(error.reason.startswith(reason) for error in errors)


@pytest.mark.sqlite_only(reason="salvages a damaged file")
def test_facts_are_salvaged_from_a_damaged_database(memory: Workspace, tmp_path: Path) -> None:
    tell(memory, HOME, WORK, HERS, SISTER)
    learn(memory)
    before = facts(memory)
    with memory.storage.database.transaction() as tx:
        tx.run("UPDATE semantic_memory SET last_accessed_at = 'never' WHERE id = 1")
    memory.storage.database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert report.skipped["semantic_memory"] == 1
    with opened(tmp_path / "new") as other:
        assert facts(other) == {
            text: state for text, state in before.items() if "Berlin" not in text
        }
        assert checkup(other).problems == []
