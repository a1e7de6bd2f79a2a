"""What is played or taken back leaves no record, whether distillation runs before or after that."""

from memory.records.distillation.running import distil
from memory.workspace import Workspace
from tests.memory.records.distillation.conversation import say

KILLED = "my brother Osric was killed, I need to send Osric the crystals, and I slept 2 hours"


def test_nothing_is_made_of_a_part_that_earlier_turns_begin(memory: Workspace) -> None:
    say(
        memory,
        "Let's roleplay! You are a wizard.",
        KILLED,
        "Okay, end the game",
        "my aunt Joan rang",
    )
    made = [(one.action, one.text) for one in distil(memory).written]
    assert made == [("person", "Joan, aunt")]
