"""A process that takes in twenty facts from one turn as another one does the same."""

import sys
from pathlib import Path

from ingest import Candidate
from memory.memories.absorbing import absorb
from memory.turns.store import TurnStore
from tests.memory.operations import opened, say

FRUITS = 20

if __name__ == "__main__":
    with opened(Path(sys.argv[1])) as memory:
        turn = TurnStore(memory.storage.database).get(int(sys.argv[2]))
        say("ready")
        sys.stdin.readline()
        for number in range(FRUITS):
            absorb(memory, turn, [Candidate(f"User likes fruit number {number}")], origin="rules")
