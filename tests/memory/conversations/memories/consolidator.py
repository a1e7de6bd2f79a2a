"""A process that takes in a fact of each turn, once it is told to, and tells of every one."""

import sys
from pathlib import Path

from ingest import Candidate
from memory.conversations.turns.store import TurnStore
from tests.memory.conversations.memories.conversing import consolidate_turn
from tests.memory.databases import opened, say

FACTS = 20

if __name__ == "__main__":
    with opened(Path(sys.argv[1])) as memory:
        turns = TurnStore(memory.storage.database)
        say("ready")
        sys.stdin.readline()
        for number in range(FACTS):
            for turn_id in map(int, sys.argv[2:]):
                fact = Candidate(f"User likes fruit number {number}")
                consolidate_turn(memory, turns.get(turn_id), [fact], origin="rules")
            say(str(number))
