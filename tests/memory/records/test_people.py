"""People: found by any name whatever its case, and two records of one person made one."""

from dataclasses import replace
from typing import Any

import pytest

from contracts import InputError, NotFoundError
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.doctor import checkup
from memory.records.people import NewPerson, get_person, list_people, merge_people, write_person
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.records.stated import NOW, SARAH

KEYWORD = SearchOptions(mode="keyword")


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
