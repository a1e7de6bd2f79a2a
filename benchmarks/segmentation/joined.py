"""Conversations joined together, so that their boundaries are known.

A collection has the layout of `benchmarks.quality`: rows of `corpus.jsonl` with a `group`, the
conversation, and a `session` in their metadata. Nothing of it is kept here.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.beir import rows

SHORTEST, LONGEST = 8, 30
"""Messages taken of a session."""

MOST_PIECES = 60


class Joined(NamedTuple):
    """Messages in their order, and the number of the first message of each piece but the first."""

    texts: Sequence[str]
    boundaries: Sequence[int]


def read_sessions(folder: Path) -> dict[str, list[list[str]]]:
    """Return the texts of each session of each conversation, without the speakers' names."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows(folder / "corpus.jsonl"):
        sessions = found.setdefault(str(row["group"]), {})
        text = str(row["text"]).split(": ", 1)[-1]
        sessions.setdefault(str(row["metadata"]["session"]), []).append(text)
    return {name: list(sessions.values()) for name, sessions in found.items()}


def halves(
    conversations: dict[str, list[list[str]]],
) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    """Return the conversations of both halves: every other one."""
    each = list(conversations.values())
    return each[::2], each[1::2]


def shuffled(conversations: Sequence[list[list[str]]], seed: int) -> Joined:
    """Join pieces of sessions of different conversations in a random order."""
    chance = random.Random(seed)
    pieces = []
    for session in (session for sessions in conversations for session in sessions):
        size = chance.randint(SHORTEST, LONGEST)
        begin = chance.randint(0, max(0, len(session) - size))
        pieces.append(session[begin : begin + size])
    chance.shuffle(pieces)
    return _joined(pieces[:MOST_PIECES])


def in_order(conversations: Sequence[list[list[str]]]) -> Iterator[Joined]:
    """Join the sessions of each conversation, of which the times are left out."""
    yield from (_joined(sessions) for sessions in conversations if len(sessions) > 1)


def _joined(pieces: Sequence[Sequence[str]]) -> Joined:
    texts: list[str] = []
    boundaries = []
    for piece in pieces:
        if texts:
            boundaries.append(len(texts))
        texts += piece
    return Joined(texts, boundaries)
