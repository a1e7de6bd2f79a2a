"""What stands beside a turn in the keyword index: the end of what was said before it.

Measured on several sets of conversations: the previous two turns, together with the turn at most 80
words, find more than the turn alone, and long answers do not drown it. Only earlier turns count, so
that a turn that arrives rewrites nothing.
"""

from collections.abc import Sequence
from typing import Final

from memory.turns.values import Turn

PREVIOUS: Final = 2
"""How many turns before it stand beside a turn."""

MOST_WORDS: Final = 80
"""Words of a turn and its neighbours together."""

_LONGEST_WORD: Final = 12
"""Characters that count as one word where a script writes none apart."""


def neighbours_text(body: str, previous: Sequence[str]) -> str:
    """The ends of what was said before, the nearest first to be taken, in the order of the session.

    `previous` are the bodies of the turns before, oldest first.
    """
    room = MOST_WORDS - _count(body)
    parts: list[str] = []
    for text in reversed(previous[-PREVIOUS:]):
        if room <= 0:
            break
        tail = _tail(text, room)
        room -= _count(tail)
        parts.append(tail)
    return "\n".join(filter(None, reversed(parts)))


def body_of(turn: Turn) -> str:
    """What was said, without the name of who said it."""
    return turn.text[turn.body_offset :]


def _tail(text: str, words: int) -> str:
    end = text[-words * _LONGEST_WORD :]
    kept = end.split()[-words:]
    return " ".join(kept)


def _count(text: str) -> int:
    return max(len(text.split()), len(text) // _LONGEST_WORD)
