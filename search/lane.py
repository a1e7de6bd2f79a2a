"""Reserved ranks for chunks that hold an identifier of the query.

Thresholds and fusion arithmetic lose exact matches in every other hybrid search; here up to three
of them stand on top, whatever the legs think of them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow, KeywordQuery, Scope
from search.identifiers import (
    file_name,
    glued,
    is_distinctive,
    is_hash,
    match_level,
    split_identifier,
)
from search.query import QueryAnalysis, phrase_of, split_words

RESERVED = 3
"""Hits on top because of an identifier, at most."""

MOST_IDENTIFIERS = 4
"""Identifiers of a query that are looked for."""

CANDIDATES = 50
"""Chunks looked at for each identifier."""

CHECKED = 30
"""Of those, the best by fused score whose text is compared."""

COMMON_SHARE, COMMON_COUNT = 0.01, 20
"""An identifier in a larger share and in more chunks than this reserves nothing."""

EXACT = 2
"""The lowest match level at which the whole identifier stands there."""


class Match(NamedTuple):
    """How a chunk holds the identifiers of the query: its best level, and how many so.

    `own` counts those of them that its text or path holds: the rest of a long definition has the
    name in its heading alone.
    """

    level: int
    times: int
    own: int
    identifier: str


def lane_words(analysis: QueryAnalysis) -> dict[str, str]:
    """The identifiers that may have reserved ranks, each as one word of the index.

    Amid other words only distinctive ones: reserving ranks for `p53` in a long claim about it
    costs SciFact .013 nDCG@10, since every text of the field holds it.
    """
    names = analysis.identifiers
    own = {word.lower() for name in names for word in split_words(name)}
    others = [word for word in analysis.words if word.lower() not in own]
    if len(others) > 1:
        names = tuple(filter(is_distinctive, names))
    return {name: glued(name) for name in names[:MOST_IDENTIFIERS]}


def lane_candidates(
    index: CandidateIndex,
    analysis: QueryAnalysis,
    scope: Scope,
    *,
    frequencies: Mapping[str, int],
    n_chunks: int,
) -> dict[str, list[int]]:
    """The chunks that may hold each identifier, for those that do not stand in too many."""
    limit = max(COMMON_COUNT, COMMON_SHARE * n_chunks)
    found: dict[str, list[int]] = {}
    for identifier, word in lane_words(analysis).items():
        if frequencies.get(word, 0) <= limit:
            query = _lane_query(identifier, word, analysis.keyword)
            candidates = index.keyword_candidates(query, scope, limit=CANDIDATES)
            found[identifier] = [candidate.chunk_id for candidate in candidates]
    return found


def reserve(
    candidates: Mapping[str, Iterable[int]],
    scores: Mapping[int, float],
    rows_of: Callable[[list[int]], Mapping[int, ChunkRow]],
) -> dict[int, Match]:
    """The chunks that hold an identifier, best first: by level, count, own count, score, and id.

    A part or another spelling counts only for an identifier that stands nowhere as a whole.
    """
    matches: dict[int, Match] = {}
    for identifier, chunk_ids in candidates.items():
        best = sorted(chunk_ids, key=lambda chunk_id: (-scores.get(chunk_id, 0.0), chunk_id))
        rows = rows_of(best[:CHECKED])
        found = {chunk_id: _match(identifier, row) for chunk_id, row in rows.items()}
        best_level = max((match.level for match in found.values()), default=0)
        floor = EXACT if best_level >= EXACT else 1
        for chunk_id, match in found.items():
            if match.level >= floor:
                matches[chunk_id] = _better(matches.get(chunk_id), match)

    def rank(chunk_id: int) -> tuple[float, ...]:
        level, times, own, _ = matches[chunk_id]
        return -level, -times, -own, -scores.get(chunk_id, 0.0), chunk_id

    return {chunk_id: matches[chunk_id] for chunk_id in sorted(matches, key=rank)}


def _lane_query(identifier: str, word: str, query: KeywordQuery) -> KeywordQuery:
    spellings = dict.fromkeys([phrase_of(identifier), split_identifier(identifier)])
    return KeywordQuery(
        words=tuple(dict.fromkeys(filter(None, (word, glued(file_name(identifier)))))),
        prefixes=(identifier,) if is_hash(identifier) else (),
        phrases=tuple(filter(None, spellings)),
        required=query.required,
        excluded=query.excluded,
    )


def _match(identifier: str, row: ChunkRow) -> Match:
    level = match_level(identifier, row.text)
    if level < 3 and row.path:
        level = max(level, match_level(identifier, row.path))
    above = match_level(identifier, row.heading) if level < 3 else 0
    return Match(max(level, above), 1, int(level >= above), identifier)


def _better(known: Match | None, match: Match) -> Match:
    if known is None or match.level > known.level:
        return match
    if match.level == known.level:
        return known._replace(times=known.times + 1, own=known.own + match.own)
    return known
