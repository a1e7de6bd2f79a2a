"""Turns as the extractor gets them: with what was said before, and whether it was said here."""

from pathlib import Path

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
