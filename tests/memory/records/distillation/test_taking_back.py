"""What is played or taken back leaves no record, whether distillation runs before or after that."""

from datetime import timedelta

import pytest

from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.status import read_status
from memory.records.distillation.running import distil
from memory.records.open_loops import list_open_loops
from memory.records.patterns import list_patterns
from memory.records.people import NewPerson, list_people, write_person
from memory.records.signals import list_signals
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.records.distillation.conversation import BEGUN, DONE, PROMISE, say

KILLED = "my brother Osric was killed, I need to send Osric the crystals, and I slept 2 hours"
ZED = "I slept 1 hour, my cousin Zed moved in. I need to renew my passport. I run every morning."


def left(memory: Workspace) -> list[str]:
    """Return all that distillation has made and that is still so."""
    return [
        *(one.name for one in list_people(memory)),
        *(one.topic for one in list_open_loops(memory)),
        *(f"{one.signal_type} {one.value}" for one in list_signals(memory)),
        *(one.description for one in list_patterns(memory)),
    ]


ALL = ["Zed", "renew my passport", "sleep 1 hours", "run every morning"]


def test_nothing_is_made_of_a_part_that_earlier_turns_begin(memory: Workspace) -> None:
    say(memory, "Let's roleplay! You are a wizard.", KILLED)
    say(memory, "Okay, end the game", "my aunt Joan rang", begin=BEGUN + timedelta(hours=1))
    made = [(one.action, one.text) for one in distil(memory).written]
    assert made == [("person", "Joan, aunt")]


@pytest.mark.parametrize("is_late", [False, True], ids=["before distillation", "after it"])
@pytest.mark.parametrize(
    "back, kept",
    [
        ("What is the weather?", ALL),
        ("jk", []),
        ("haha just kidding!", []),
        ("Forget what I said about Bruno", ALL),
        ("jk, I slept 8 hours", [*ALL[:2], "sleep 8 hours", ALL[3]]),
        ("jk, I do not have a cousin", ALL[1:]),
    ],
)
def test_what_the_next_turn_takes_back_is_gone(
    memory: Workspace, back: str, kept: list[str], is_late: bool
) -> None:
    if is_late:
        say(memory, ZED)
        distil(memory)
        assert left(memory) == ALL
        say(memory, back)
    else:
        say(memory, ZED, back)
    report = distil(memory)
    assert left(memory) == kept
    assert not search(memory, "Zed", SearchOptions(sources=["person"])).results or "Zed" in kept
    undone = {one.text for one in report.taken_back}
    assert len(undone) == (len(ALL) - len([one for one in kept if one in ALL]) if is_late else 0)
    assert (distil(memory).written, distil(memory).taken_back) == ([], [])


@pytest.mark.parametrize(
    "wish", ["Forget what I said about Zed", "forget what I said about my cousin"]
)
def test_what_is_to_be_forgotten_goes_at_once(memory: Workspace, wish: str) -> None:
    process_turns(memory, [NewTurn("s1", ZED)])
    distil(memory)
    assert left(memory) == ALL
    process_turns(memory, [NewTurn("s1", wish)])
    assert left(memory) == ALL[1:]
    assert distil(memory).taken_back == []
    process_turns(memory, [NewTurn("s2", ZED), NewTurn("s2", wish)])
    assert distil(memory).written == []  # nothing more is made of that turn
    assert left(memory) == ALL[1:]


def test_a_name_is_taken_back_wherever_it_was_said_in_the_session(memory: Workspace) -> None:
    say(memory, "my brother Bruno lives in Namur", "It rains", "I like rain")
    distil(memory)
    say(memory, "jk", session="s2")
    say(memory, "jk", "I lied about Bruno", begin=BEGUN + timedelta(hours=1))
    (gone,) = distil(memory).taken_back
    assert (gone.action, gone.text, gone.record) == ("person", "Bruno: brother", "person Bruno")
    assert gone.citation.startswith("session s1 turn 6,")
    assert list_people(memory) == []
    assert read_status(memory).distillation.taken_back == 1


def test_a_loop_of_a_jest_is_closed_and_one_closed_in_jest_is_open_again(memory: Workspace) -> None:
    say(memory, PROMISE)
    distil(memory)
    say(memory, DONE, begin=BEGUN + timedelta(hours=1))
    distil(memory)
    say(memory, "jk", begin=BEGUN + timedelta(hours=2))
    shown = [(one.action, one.text) for one in distil(memory, dry_run=True).taken_back]
    assert list_open_loops(memory) == []
    assert [(one.action, one.text) for one in distil(memory).taken_back] == shown
    (loop,) = list_open_loops(memory)
    assert (loop.resolution, loop.resolved_at) == ("", None)
    assert [(one.turn_id, one.reason) for one in loop.evidence] == [(1, "source")]


def test_a_loop_that_is_taken_back_says_why_it_is_closed(memory: Workspace) -> None:
    say(memory, PROMISE)
    distil(memory)
    say(memory, "haha, just kidding", begin=BEGUN + timedelta(hours=1))
    (undone,) = distil(memory).taken_back
    (loop,) = list_open_loops(memory, resolved=True)
    assert (undone.action, undone.record) == ("close", "loop 1")
    assert (loop.resolved, loop.resolution) == (1, "haha, just kidding")
    assert loop.evidence[1].reason == "resolution"


def test_what_rests_on_more_than_the_turn_stays(memory: Workspace) -> None:
    say(memory, "my brother Bruno rang")
    say(memory, "my brother Bruno rang. My aunt Joan rang", session="s2")
    distil(memory)
    write_person(memory, NewPerson(name="Joan", notes="plays the oboe"))
    say(memory, "jk", session="s2", begin=BEGUN + timedelta(hours=1))
    assert distil(memory).taken_back == []
    assert [one.name for one in list_people(memory)] == ["Bruno", "Joan"]


def test_others_and_turns_without_extraction_take_nothing_back(memory: Workspace) -> None:
    say(memory, "my brother Bruno rang", speaker="Ana")
    say(memory, "jk", speaker="Ben", begin=BEGUN + timedelta(hours=1))
    say(memory, "jk", speaker="Ana", auto_extract=False, begin=BEGUN + timedelta(hours=2))
    distil(memory)
    assert [one.relationship for one in list_people(memory)] == ["Ana's brother"]
