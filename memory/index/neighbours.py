"""The words of previous turns in the keyword entry of a turn.

Measured on several sets of conversations: the previous two turns, together with the turn at most 80
words, find more than the turn alone, and long answers do not drown it. Only earlier turns count, so
that a new turn rewrites no other.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.storage import Database
from memory.values.inserted_values import text_of

PREVIOUS: Final = 2
"""Number of previous turns that the keyword entry of a turn includes."""

MOST_WORDS: Final = 80
"""Most words of a turn and its neighbours together."""

_LONGEST_WORD: Final = 12
"""Characters that count as one word in scripts without spaces, and in tables and addresses."""


def neighbours_text(body: str, previous: Sequence[str]) -> str:
    """Return the ends of the previous turns, the nearest preferred, in the order of the session.

    `previous` are the bodies of the turns before, oldest first.
    """
    room = MOST_WORDS - word_count(body)
    parts: list[str] = []
    for text in reversed(previous[-PREVIOUS:]):
        if room <= 0:
            break
        tail = _tail(text, room)
        room -= word_count(tail)
        parts.append(tail)
    return "\n".join(filter(None, reversed(parts)))


def body_offset(text: str, speaker: str | None) -> int:
    """Return the offset of what was said, behind a `Name: ` that repeats the speaker."""
    prefix = f"{speaker}:"
    if speaker is None or not text.startswith(prefix):
        return 0
    rest = text[len(prefix) :]
    return len(text) - len(rest.lstrip()) if rest.strip() else 0


def searched(body: str, speaker: str | None) -> str:
    """Return the text that keyword search uses for what a speaker said.

    It includes the name; otherwise a question with the name would find the turns that answer the
    speaker instead, and the name would be a rare word; measured on two halves of LoCoMo, each .005
    of nDCG@10.
    """
    return f"{speaker}: {body}" if speaker else body


class TurnKeywordContext(NamedTuple):
    """The words in the keyword entry of a turn besides its text: its speaker and neighbours."""

    speaker: str | None
    neighbours: str


def turn_keyword_contexts(
    database: Database, turn_ids: Iterable[int]
) -> dict[int, TurnKeywordContext]:
    """Return the contexts of stored turns, by their ids."""
    said: dict[int, tuple[str, str | None, list[str]]] = {}
    rows = database.read(_BEFORE_SQL, {"ids": list(turn_ids), "most": PREVIOUS})
    for turn_id, stored, speaker, before, earlier_speaker in rows:
        text, earlier = text_of(stored), None if before is None else text_of(before)
        body = text[body_offset(text, speaker) :]
        *_, previous = said.setdefault(turn_id, (body, speaker, []))
        if earlier is not None:
            previous.append(earlier[body_offset(earlier, earlier_speaker) :])
    return {
        key: TurnKeywordContext(speaker, neighbours_text(body, previous))
        for key, (body, speaker, previous) in said.items()
    }


_BEFORE_SQL: Final = """
SELECT t.id, t.text, t.speaker, b.text, b.speaker FROM turns AS t LEFT JOIN turns AS b
    ON b.id IN (SELECT id FROM turns AS e WHERE e.session_id = t.session_id
        AND (e.ts, e.id) < (t.ts, t.id) ORDER BY e.ts DESC, e.id DESC LIMIT :most)
WHERE t.id IN (:ids) ORDER BY t.id, b.ts, b.id
"""


def _tail(text: str, words: int) -> str:
    end = text[-words * _LONGEST_WORD :]
    kept = end.split()[-words:]
    return " ".join(kept)


def word_count(text: str) -> int:
    """Return the number of words; in a text of endless ones, that of its dozens of characters."""
    return max(len(text.split()), len(text) // _LONGEST_WORD)
