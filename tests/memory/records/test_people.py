"""People: found by any name whatever its case, and two records of one person made one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, NotFoundError
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import import_lines
from memory.records.people import NewPerson, get_person, list_people, merge_people, write_person
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened
from tests.memory.records.stated import NOW, SARAH

KEYWORD = SearchOptions(mode="keyword")
COMPOSED, DECOMPOSED = "Zo\u00e9", "Zoe\u0301"


def test_a_name_in_any_case_is_the_same_person(memory: Workspace) -> None:
    first = write_person(memory, SARAH)
    again = write_person(memory, NewPerson(name="SARAH  miller", sentiment="positive"))
    assert (again.id, again.name, again.sentiment) == (first.id, "Sarah Miller", "positive")
    assert (again.relationship, again.notes) == (first.relationship, first.notes)
    by_alias = write_person(
        memory, NewPerson(name="sal", last_contact="at the fair", aliases=["Sa"])
    )
    assert (by_alias.id, by_alias.aliases) == (first.id, ("Sal", "Sa"))
    assert by_alias.last_contact == "at the fair"
    assert get_person(memory, "SA").id == first.id
    assert get_person(memory, "1").id == first.id


def test_a_name_is_the_same_in_both_forms_of_its_accents(memory: Workspace) -> None:
    first = write_person(memory, NewPerson(name=COMPOSED, aliases=["Ren\u00e9e"]))
    again = write_person(memory, NewPerson(name=DECOMPOSED, aliases=["Rene\u0301e"], notes="Ill"))
    assert (again.id, again.name, again.aliases) == (first.id, COMPOSED, ("Rene\u0301e",))
    for name in (COMPOSED, DECOMPOSED.upper(), "Ren\u00e9e", "Rene\u0301e"):
        assert get_person(memory, name).id == first.id
    with pytest.raises(InputError, match="is a name of"):
        write_person(memory, NewPerson(name="Sally", aliases=[DECOMPOSED]))


def test_two_people_of_an_earlier_version_with_one_name_become_one(
    memory: Workspace, tmp_path: Path
) -> None:
    """Their keys differ in the form of the accents. Each is found by its own, and an import of both
    makes them one.
    """
    write_person(memory, NewPerson(name=COMPOSED, notes="Has a boat"))
    write_person(memory, NewPerson(name="other", notes="Plays the bassoon"))
    with memory.storage.database.transaction() as tx:
        sql = "UPDATE people SET name = :name, name_key = :key WHERE name = 'other'"
        tx.run(sql, {"name": DECOMPOSED, "key": DECOMPOSED.casefold()})
    export(memory, str(tmp_path / "both.jsonl"))
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        import_lines(other, str(tmp_path / "both.jsonl"))
        assert len(list_people(other)) == 1
    assert get_person(memory, COMPOSED).notes == "Has a boat"
    assert get_person(memory, DECOMPOSED).notes == "Plays the bassoon"
    assert write_person(memory, NewPerson(name=DECOMPOSED, notes="Sings")).id == 2
    merged = merge_people(memory, DECOMPOSED, COMPOSED)
    assert (merged.id, merged.notes, merged.aliases) == (1, "Has a boat\nSings", ())
    assert [person.id for person in list_people(memory)] == [1]


def test_it_is_found_by_an_alias(memory: Workspace) -> None:
    write_person(memory, SARAH)
    assert [hit.citation for hit in search(memory, "Sal", KEYWORD).results] == [
        "person Sarah Miller"
    ]


def test_an_alias_belongs_to_one_person(memory: Workspace) -> None:
    write_person(memory, SARAH)
    for name in ("SAL", "Sarah Miller"):
        with pytest.raises(InputError, match=f"{name} is a name of Sarah Miller already"):
            write_person(memory, NewPerson(name="Sally", aliases=[name]))
    assert [person.name for person in list_people(memory)] == ["Sarah Miller"]


def test_two_records_of_one_person_become_one(memory: Workspace) -> None:
    turns = [NewTurn("s1", text, ts=NOW.isoformat()) for text in ("I met Sal", "I met Sarah")]
    one, two = (added.turn.id for added in add_turns(memory, turns))
    write_person(
        memory,
        NewPerson(name="S. Miller", sentiment="positive", notes="Has a boat", evidence=[one]),
    )
    write_person(memory, replace(SARAH, relationship=None, evidence=[two]))
    merged = merge_people(memory, "s. miller", "sal")
    assert (merged.name, merged.aliases) == ("Sarah Miller", ("Sal", "S. Miller"))
    assert (merged.sentiment, merged.notes) == ("positive", "Plays the bassoon\nHas a boat")
    assert {each.turn_id for each in merged.evidence} == {one, two}
    assert [person.id for person in list_people(memory)] == [merged.id]
    assert get_person(memory, "S. Miller").id == merged.id
    assert [hit.citation for hit in search(memory, "boat", KEYWORD).results] == [
        "person Sarah Miller"
    ]
    assert checkup(memory).problems == []
    with pytest.raises(InputError, match="are one person already"):
        merge_people(memory, "Sal", "S. Miller")


@pytest.mark.parametrize(
    "change, told",
    [
        ({"sentiment": "cold"}, "there is no sentiment 'cold'"),
        ({"name": "\n"}, "the name is empty"),
        ({"aliases": "Sal"}, "the aliases are 'Sal'"),
        ({"aliases": [str(n) for n in range(51)]}, "would have 51 aliases"),
    ],
    ids=str,
)
def test_invalid_values_are_named(memory: Workspace, change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        write_person(memory, replace(SARAH, **change))


def test_an_unknown_person_is_named(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="there is no person Bo"):
        merge_people(memory, "Bo", "Sal")
