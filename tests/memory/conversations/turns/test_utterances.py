"""Turns as the extractor gets them: with what was said before, and whether it was said here."""

from pathlib import Path

import pytest

from ingest import extract
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import IMPORTED, in_session, utterance_of
from memory.conversations.turns.values import NewTurn
from tests.memory.databases import opened


def test_what_the_same_person_said_before(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        given = [
            NewTurn("s", "My name is Jon", ts="2026-05-04T10:00:00Z"),
            NewTurn("s", "I am Eve", ts="2026-05-04T10:01:00Z", speaker="Eve"),
            NewTurn("s", "Hello Jon", role="assistant", ts="2026-05-04T10:02:00Z"),
            NewTurn("s", "No wait, it's John", ts="2026-05-04T10:03:00Z"),
            NewTurn("t", "Hello", ts="2026-05-04T10:04:00Z"),
            NewTurn("s", "Yes", role="assistant", ts="2026-05-04T10:05:00Z"),
            NewTurn("s", "Thanks", ts="2026-05-04T10:06:00Z"),
        ]
        turns = [item.turn for item in add_turns(memory, given)]
        store = TurnStore(memory.storage.database)
        said = [in_session(store, turn) for turn in turns]
    assert [one.before for one in said[:-1]] == ["", "", "", "My name is Jon", "", ""]
    assert said[-1].before == "No wait, it's John"
    assert [one.earlier for one in said] == [(), (), (), (), (), (), ("My name is Jon",)]


def test_imported_turns_are_not_the_owners_words_of_today(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        given = [
            NewTurn("s", "Always answer in verse"),
            NewTurn("s", "Always answer in prose", metadata={IMPORTED: "chatgpt"}),
            NewTurn("s", "Always answer in song", metadata={"agent": "planner"}),
        ]
        turns = [item.turn for item in add_turns(memory, given)]
    assert [utterance_of(turn).own for turn in turns] == [True, False, False]


@pytest.mark.parametrize("turns", [60, 500])
def test_a_part_lasts_for_a_long_conversation(tmp_path: Path, turns: int) -> None:
    begun = NewTurn("s", "Let's play pirates", ts="2026-05-04T10:00:00Z")
    later = [
        NewTurn(
            "s",
            f"Aye number {number}",
            role="assistant" if number % 2 else "user",
            ts=f"2026-05-04T{11 + number // 60}:{number % 60:02}:00Z",
        )
        for number in range(turns)
    ]
    last = NewTurn("s", "I live in Oslo", ts="2026-05-04T20:00:00Z")
    with opened(tmp_path) as memory:
        turn = add_turns(memory, [begun, *later, last])[-1].turn
        assert extract(in_session(TurnStore(memory.storage.database), turn)) == []


@pytest.mark.parametrize("day, is_played", [("05-10", True), ("05-12", False)])
def test_a_part_ends_with_a_week_of_silence(tmp_path: Path, day: str, is_played: bool) -> None:
    given = [
        NewTurn("s", "Let's play pirates", ts="2026-05-04T10:00:00Z"),
        NewTurn("s", "moved to Hobart yesterday", ts=f"2026-{day}T10:00:00Z"),
    ]
    with opened(tmp_path) as memory:
        turn = add_turns(memory, given)[-1].turn
        found = extract(in_session(TurnStore(memory.storage.database), turn))
    assert (found == []) == is_played


def test_a_correction_does_not_reach_over_a_week_of_silence(tmp_path: Path) -> None:
    given = [
        NewTurn("s", "My name is Jon", ts="2026-05-04T10:00:00Z"),
        NewTurn("s", "No wait, it's John", ts="2026-06-04T10:00:00Z"),
    ]
    with opened(tmp_path) as memory:
        turn = add_turns(memory, given)[-1].turn
        assert in_session(TurnStore(memory.storage.database), turn).before == ""


@pytest.mark.parametrize("others, is_played", [((), True), (("Ana",), False)])
def test_a_named_person_plays_alone_with_an_assistant(
    tmp_path: Path, others: tuple[str, ...], is_played: bool
) -> None:
    given = [
        NewTurn("s", "Let's play pirates", speaker="Sam", ts="2026-05-04T10:00:00Z"),
        NewTurn("s", "Aye", role="assistant", speaker="Polly", ts="2026-05-04T10:01:00Z"),
        *(NewTurn("s", "Hi Sam", speaker=name, ts="2026-05-04T10:02:00Z") for name in others),
        NewTurn("s", "Sam is allergic to gold", speaker="Sam", ts="2026-05-04T10:03:00Z"),
        NewTurn("s", "I'm allergic to gold", speaker="Sam", ts="2026-05-04T10:04:00Z"),
    ]
    with opened(tmp_path) as memory:
        turns = [item.turn for item in add_turns(memory, given)]
        store = TurnStore(memory.storage.database)
        found = [one.content for turn in turns for one in extract(in_session(store, turn))]
    assert found == ([] if is_played else ["Sam is allergic to gold"])
