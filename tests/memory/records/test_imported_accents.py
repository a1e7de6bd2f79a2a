"""Two records of an old export that are one here: their accents are written in two ways."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.operations.exchange.reports import ImportReport
from memory.records.facts import NewFact, list_facts, write_fact
from memory.records.forms import FACTS, OPEN_LOOPS, PATTERNS, PEOPLE, RecordForm
from memory.records.open_loops import NewOpenLoop, list_open_loops, write_open_loop
from memory.records.patterns import NewPattern, list_patterns, write_pattern
from memory.records.people import NewPerson, list_people, write_person
from memory.records.store import RecordLink, RecordStore
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened

COMPOSED, DECOMPOSED = "Zo\u00e9", "Zoe\u0301"
EARLY, LATE = "2020-01-01T00:00:00.000Z", "2022-01-01T00:00:00.000Z"
BETWEEN = datetime(2021, 1, 1, tzinfo=UTC)


def add_old(
    memory: Workspace, form: RecordForm[Any], turn_text: str, changes: Mapping[str, object]
) -> None:
    """Store a second record of the one that is here, as an earlier version did."""
    store = RecordStore(memory.storage.database, form)
    (row,) = store.where("1 = 1")
    (added,) = add_turns(memory, [NewTurn("s", turn_text)])
    key = form.identity[-1]
    other = {key: getattr(row, key).replace("\u00e9", "e\u0301")}
    with memory.storage.database.transaction() as tx:
        stored = store.insert(tx, replace(row, id=0, **other, **changes))
        store.link(tx, stored.id, [RecordLink(added.turn.id, "source", EARLY)])


def bring(here: Workspace, there: Workspace, folder: Path) -> ImportReport:
    path = str(folder / "export.jsonl")
    export(there, path, force=True)
    report = import_lines(here, path)
    assert report.errors == []
    return report


@pytest.fixture(params=[EARLY, LATE], ids=["decomposed first", "decomposed last"])
def time(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_two_people_keep_all_that_is_known(memory: Workspace, tmp_path: Path, time: str) -> None:
    with opened(tmp_path / "old") as old:
        write_person(old, NewPerson(name=COMPOSED, notes="likes tea", now=BETWEEN))
        given = {"relationship": "sister", "notes": "allergic to nuts", "aliases": ("Zozo",)}
        add_old(old, PEOPLE, "My sister", {"name": DECOMPOSED, "updated_at": time, **given})
        report = bring(memory, old, tmp_path)
        (warning,) = report.warnings
        assert warning.endswith(
            " is in the export twice, with its accents written in two ways; it is one record here"
        )
        (person,) = list_people(memory)
        assert (person.relationship, person.aliases) == ("sister", ("Zozo",))
        assert sorted(person.notes.splitlines()) == ["allergic to nuts", "likes tea"]
        assert len(person.evidence) == 1
        for words in ("allergic", "tea"):
            found = search(memory, words, SearchOptions(mode="keyword", sources=["person"]))
            assert [hit.citation for hit in found.results] == [person.citation]
        again = bring(memory, old, tmp_path)
        assert (again.records, again.warnings) == (0, [])
        assert list_people(memory) == [person]
        bring(old, old, tmp_path)
        assert len(list_people(old)) == 2
    assert checkup(memory).healthy


def test_what_the_owner_stated_wins_and_a_warning_names_the_rest(
    memory: Workspace, tmp_path: Path, time: str
) -> None:
    with opened(tmp_path / "old") as old:
        write_person(
            old, NewPerson(name=COMPOSED, relationship="sister", source="user", now=BETWEEN)
        )
        given = {"relationship": "friend", "source": "distillation", "updated_at": time}
        add_old(old, PEOPLE, "My friend", {"name": DECOMPOSED, **given})
        (warning,) = bring(memory, old, tmp_path).warnings
    assert "one record here, without the relationship 'friend'" in warning
    (person,) = list_people(memory)
    assert (person.name, person.relationship, person.source) == (COMPOSED, "sister", "user")


def test_people_with_too_many_aliases_stay_apart(memory: Workspace, tmp_path: Path) -> None:
    with opened(tmp_path / "old") as old:
        write_person(old, NewPerson(name=COMPOSED, aliases=[f"a{n}" for n in range(40)]))
        aliases = tuple(f"b{n}" for n in range(40))
        add_old(old, PEOPLE, "Z", {"name": DECOMPOSED, "aliases": aliases})
        for added in (2, 0):
            assert bring(memory, old, tmp_path).records == added
    assert [len(one.aliases) for one in list_people(memory)] == [40, 40]


def fact_of(memory: Workspace) -> tuple[object, ...]:
    (fact,) = list_facts(memory, archived=True)
    cited = sorted(one.citation.split()[1] for one in fact.evidence)
    return fact.value, fact.source, cited, [one.value for one in fact.history]


@pytest.mark.parametrize(
    "other, source, when, expected",
    [
        ("oat", "user", EARLY, ("oat", "user", ["new", "s"], [])),
        ("oat", "distillation", LATE, ("oat", "user", ["new", "s"], [])),
        ("soy", "user", EARLY, ("oat", "user", ["new"], ["soy"])),
        ("soy", "user", LATE, ("soy", "user", ["s"], ["oat"])),
        ("soy", "distillation", LATE, ("oat", "user", ["new"], ["soy"])),
        ("soy", "distillation", EARLY, ("oat", "user", ["new"], ["soy"])),
        ("soy", "user", None, ("oat", "user", ["new"], ["soy"])),
    ],
)
def test_two_facts_keep_both_values_with_their_evidence(
    memory: Workspace,
    tmp_path: Path,
    *,
    other: str,
    source: str,
    when: str | None,
    expected: tuple[object, ...],
) -> None:
    with opened(tmp_path / "old") as old:
        (added,) = add_turns(old, [NewTurn("new", "So it is")])
        fact = NewFact(
            category="preference", key="caf\u00e9", value="oat", source="user", now=BETWEEN
        )
        write_fact(old, replace(fact, evidence=[added.turn.id]))
        given = {"value": other, "source": source} | ({"updated_at": when} if when else {})
        add_old(old, FACTS, "So it was", given)
        for times in range(2):
            report = bring(memory, old, tmp_path)
            assert report.records == 1 - times
            assert not (times and report.warnings)
            assert fact_of(memory) == expected


def test_two_loops_and_two_patterns_are_counted_together(
    memory: Workspace, tmp_path: Path, time: str
) -> None:
    with opened(tmp_path / "old") as old:
        write_open_loop(old, NewOpenLoop(topic=f"Call {COMPOSED}", tags=["new"], now=BETWEEN))
        given = {"mention_count": 3, "first_mentioned": EARLY, "tags": ("old",), "priority": 4}
        add_old(old, OPEN_LOOPS, "Call", {"updated_at": time, **given})
        write_pattern(
            old, NewPattern(pattern_type="habit", description=f"Tea with {COMPOSED}", now=BETWEEN)
        )
        add_old(old, PATTERNS, "Tea", {"updated_at": time, "frequency": 5})
        for times in range(2):
            report = bring(memory, old, tmp_path)
            assert (report.records, len(report.warnings)) == (2 - 2 * times, 2 - 2 * times)
            (loop,) = list_open_loops(memory)
            assert (loop.mention_count, loop.first_mentioned, loop.priority) == (4, EARLY, 4)
            assert sorted(loop.tags) == ["new", "old"]
            (pattern,) = list_patterns(memory)
            assert (pattern.frequency, len(pattern.evidence)) == (6, 1)
