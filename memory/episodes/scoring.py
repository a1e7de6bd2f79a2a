"""The importance and the surprise of an episode, each in [0, 1].

importance = .5 (1 - .5 ** memories) + .3 words / (words + 50) + .2 kept

    memories  memories that its turns state, also those that are over
    words     different words in its turns that tell a topic
    kept      1 if one of those memories is important, such as one that a person asked to keep

surprise = 1 - the greatest similarity to what was known before it began

The similarity of two texts is their cosine by the built-in model, whatever model serves searches,
scaled so that unrelated English texts have 0. What was known are the summaries of earlier episodes
and the memories with an earlier time; those that share a rare word are compared.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from contracts import KeywordQuery, Scope
from contracts.named_tuple import NamedTuple
from memory.conversations.provenance import STATES
from memory.episodes.cohesion import words_of
from memory.episodes.summaries.sentences import words_in
from memory.episodes.summaries.word_counts import WordCounts
from memory.index.embedding.built_in import built_in_model
from memory.workspace import Workspace

MOST_COMPARED: Final = 20
"""The earlier episodes and memories, the best by their words, that a summary is compared with."""

_RAREST: Final = 12
"""Words of a summary by which earlier records are found: common ones are in nearly all of them."""

_HALVING: Final = 50
"""Different words at which the part of an importance that counts them has half of its weight."""

_DIGITS: Final = 6
_MEMORIES_SQL: Final = f"""
SELECT count(*), coalesce(max(importance), 0) FROM memories WHERE status <> 'deleted' AND id IN
    (SELECT memory_id FROM memory_links AS l WHERE turn_id IN (:ids) AND {STATES})
"""
_TEXTS_SQL: Final = "SELECT source, owner_id, text, body_offset FROM chunks WHERE id IN (:ids)"


class Found(NamedTuple):
    """The number of memories that turns state, and whether one of them is important."""

    memories: int
    is_kept: bool


def found_in(workspace: Workspace, turn_ids: Collection[int]) -> Found:
    """Return what was extracted from turns until now."""
    rows = workspace.storage.database.read(_MEMORIES_SQL, {"ids": list(turn_ids)})
    return Found(int(rows[0][0]), bool(rows[0][1]))


def importance(texts: Iterable[str], found: Found) -> float:
    """Return the importance of turns with these texts, in [0, 1]."""
    words = len(frozenset[str]().union(*map(words_of, texts)))
    parts = (
        0.5 * (1 - 0.5**found.memories),
        0.3 * words / (words + _HALVING),
        0.2 * found.is_kept,
    )
    return round(sum(parts), _DIGITS)


def surprise(known: Sequence[str], summary: str) -> float:
    """Return how far a summary is from what is known, in [0, 1]; 1 when nothing is."""
    if not known:
        return 1.0
    model = built_in_model()
    new, *rows = model.embed([summary, *known], kind="document")
    unrelated = model.card.unrelated or 0.0
    nearest = max(float(sum(a * b for a, b in zip(new, row, strict=True))) for row in rows)
    similarity = (nearest - unrelated) / (1 - unrelated)
    return round(1 - min(1.0, max(0.0, similarity)), _DIGITS)


def known_before(
    workspace: Workspace,
    counts: WordCounts,
    summary: str,
    *,
    until: str,
    without: int | None,
) -> list[str]:
    """Return the texts of episodes and memories from before a time that share one of the rarest
    words of a summary, at most MOST_COMPARED; the episode `without` is left out.
    """
    storage = workspace.storage
    numbers = counts.of(words_in(summary))
    rarest = sorted((number, word) for word, number in numbers.items() if number)[:_RAREST]
    query = KeywordQuery(words=tuple(word for _, word in rarest))
    scope = Scope(sources=("episode", "memory"), until=until)
    found = storage.keyword_candidates(query, scope, limit=MOST_COMPARED) if query else []
    rows = storage.database.read(_TEXTS_SQL, {"ids": [each.chunk_id for each in found]})
    own = ("episode", str(without))
    return [row[2][row[3] :] for row in rows if (row[0], row[1]) != own]
