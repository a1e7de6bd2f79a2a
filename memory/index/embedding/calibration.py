"""The measurement of the weight of a model's vectors against words, on the user's own chunks.

Some models deserve a fifth of a hybrid score and some two thirds. For a model whose card does not
say, questions are made from some chunks, two from each. One is a sentence that is removed from its
chunk: the rest of the chunk should rank before all others (the inverse cloze task of Lee, Chang,
Toutanova, 2019), which works best for a model that knows what belongs together. The other is made
of some words of a sentence that stays, which keyword search finds. The weight must serve both, as
users ask in both ways.

The result is drawn towards the weight of an unmeasured model by the geometric mean. For the
built-in model, which deserves .3 to .45 by judged questions, that gives .39 on SciFact, .41 on
SQuAD, .27 on a software manual, .32 on Python functions; for all-MiniLM-L6-v2, .5 to .6 by judged
questions, .47 on SciFact and .52 on SQuAD.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2, sqrt
from statistics import fmean, stdev

from contracts import ChunkRow, KeywordQuery, QueryVector, Scope
from contracts.named_tuple import NamedTuple
from memory.index.documents import embedded_text
from memory.index.embedding.embedder import (
    UNMEASURED_WEIGHT,
    Embedder,
    MeasuredWeight,
    measured_weight,
)
from memory.index.embedding.remote_texts import is_captured
from memory.storage import NewChunk, Space, Storage, StoredVector, content_hash
from memory.storage.meta import FUSION_WEIGHTS, read_meta, write_meta
from memory.storage.opening import IN_MEMORY, open_storage
from search import analyse, keyword_fields
from search.ranking.fusion import convex

FEWEST_CHUNKS = 200
"""Least chunks of a measurement; fewer say too little."""

MOST_CHUNKS = 2_000
"""Chunks that compete, evenly drawn from all."""

ASKED, FEWEST_ASKED = 100, 30
"""Most chunks that questions are made from, and the least that a measurement needs."""

REMEMBERED_WORDS = 5
"""Words of a sentence that make the second question of a chunk."""

MEASURED_AGAIN_AT = 10
"""Growth of the number of chunks since the last measurement that calls for another."""

WEIGHTS = tuple(step / 20 for step in range(21))
CANDIDATES = 100
DEPTH = 10
"""Ranks that count, as in nDCG@10."""

LARGEST = 0.7
"""Largest weight; more lost on every collection of conversations, whatever the model."""

_SENTENCE = re.compile(r"[^.!?。！？\n]{30,250}(?:[.!?。！？]+(?=\s|$)|\n|$)")
_LEAST_REST = 1.5
"""Least length of the rest of a chunk, in lengths of the removed sentence."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A competing chunk: its body without the removed sentence, and its questions."""

    row: ChunkRow
    body: str
    questions: tuple[str, ...] = ()


def calibrate(
    storage: Storage, embedder: Embedder, space: Space | None = None
) -> MeasuredWeight | None:
    """Measure and store the weight of a space's model (default: the active one's), if it is due.

    None when the model's card has a weight, when one was measured on a collection not much smaller,
    or when there is too little text. Embeds up to `3 * ASKED` texts. Raises what the provider does
    when it cannot be reached.
    """
    space = space or storage.active_space()
    if space is None or embedder.card.fusion_weight is not None:
        return None
    count = storage.spaces().size(space).vectors
    known = measured_weight(storage.database, space.embedder)
    if count < (MEASURED_AGAIN_AT * known.chunks if known else FEWEST_CHUNKS):
        return None
    measured = _measure(storage, space, embedder, count)
    if measured is not None:
        with storage.database.transaction() as tx:
            weights = read_meta(storage.database, FUSION_WEIGHTS) or {}
            write_meta(tx, FUSION_WEIGHTS, {**weights, space.embedder: measured._asdict()})
    return measured


def _measure(
    storage: Storage, space: Space, embedder: Embedder, count: int
) -> MeasuredWeight | None:
    entries = _entries(storage, space, embedder)
    if sum(bool(entry.questions) for entry in entries) < FEWEST_ASKED:
        return None
    asked = [
        (place, analyse(question))
        for place, entry in enumerate(entries)
        for question in entry.questions
    ]
    vectors = embedder.query_vectors([analysis.plain for _, analysis in asked])
    collection = open_storage(IN_MEMORY)
    try:
        ids = _fill(collection, space, entries, vectors=_vectors(space, embedder, entries))
        owners = {key: entries[place].row.owner_id for place, key in ids.items()}
        gains = [
            _gains(_candidates(collection, analysis.keyword, vector), ids[place], owners)
            for (place, analysis), vector in zip(asked, vectors, strict=True)
        ]
    finally:
        collection.close()
    return MeasuredWeight(best_weight(gains), len(gains), count)


def _entries(storage: Storage, space: Space, embedder: Embedder) -> list[_Entry]:
    """Return chunks drawn evenly, with questions from the first ASKED with enough sentences."""
    sql = """SELECT id FROM (
            SELECT id, row_number() OVER (ORDER BY id) AS place, count(*) OVER () AS size
            FROM chunks WHERE generation IN (:generation, '')
        ) AS numbered WHERE place % ((size + :most - 1) / :most) = 0"""
    parameters = {"generation": space.generation, "most": MOST_CHUNKS}
    ids = [row[0] for row in storage.database.read(sql, parameters)]
    rows = list(storage.chunk_rows(ids).values())
    if not embedder.sends_captured:
        rows = [row for row in rows if not is_captured(row.metadata)]
    chance = random.Random(0)  # noqa: S311  # the same questions for the same chunks
    chance.shuffle(rows)
    asked = 0
    entries = []
    for row in rows:
        entry = _Entry(row, row.text[row.body_offset :])
        if asked < ASKED:
            entry = _with_questions(entry, chance)
            asked += bool(entry.questions)
        entries.append(entry)
    return entries


def _with_questions(entry: _Entry, chance: random.Random) -> _Entry:
    """Return the entry without one of its sentences, with both questions, if it has enough
    sentences.
    """
    sentences = list(_SENTENCE.finditer(entry.body))
    spare = [found for found in sentences if len(entry.body) >= (1 + _LEAST_REST) * len(found[0])]
    if len(sentences) < 2 or not spare:
        return entry
    taken = chance.choice(spare)
    kept = chance.choice([found for found in sentences if found is not taken])
    words = analyse(kept[0]).words
    remembered = chance.sample(words, min(REMEMBERED_WORDS, len(words)))
    rest = f"{entry.body[: taken.start()]} {entry.body[taken.end() :]}"
    return replace(entry, body=rest, questions=(taken[0].strip(), " ".join(remembered)))


def _vectors(
    space: Space, embedder: Embedder, entries: Sequence[_Entry]
) -> dict[int, StoredVector]:
    """Return the vectors of the entries by place: stored ones, and new ones of changed texts."""
    texts = [embedded_text(entry.row.heading, entry.body) for entry in entries]
    contents = [content_hash(text) for text in texts]
    known = embedder.document_vectors(space, dict(zip(contents, texts, strict=True)), cache_bytes=0)
    found = {place: known.vectors.get(content) for place, content in enumerate(contents)}
    return {place: row for place, row in found.items() if row is not None}


def _fill(
    collection: Storage,
    space: Space,
    entries: Sequence[_Entry],
    *,
    vectors: Mapping[int, StoredVector],
) -> dict[int, int]:
    """Index the entries; return their chunk ids by place."""
    chunks = [
        NewChunk(
            uid=f"{place:016x}",
            text="",
            hash=content_hash(str(place)),
            fields=keyword_fields(entry.body, entry.row.heading),
            occurred_at=entry.row.occurred_at,
            recorded_at=entry.row.recorded_at,
        )
        for place, entry in enumerate(entries)
    ]
    with collection.database.transaction() as tx:
        own = collection.create_space(tx, space)
        changes = collection.replace_chunks(
            tx, "text", "calibration", generation=space.generation, chunks=chunks
        )
        places = {content_hash(str(place)): place for place in range(len(entries))}
        ids = {places[content]: chunk_id for chunk_id, content in changes.added.items()}
        collection.put_vectors(tx, own, {ids[place]: row for place, row in vectors.items()})
    return ids


class _Candidates(NamedTuple):
    """The candidates of both legs: BM25 and cosine by chunk id."""

    keyword: dict[int, float]
    cosine: dict[int, float]


def _candidates(
    collection: Storage, words: KeywordQuery, vector: QueryVector | None
) -> _Candidates:
    found = collection.keyword_candidates(words, Scope(), limit=CANDIDATES)
    keyword = {one.chunk_id: one.score for one in found}
    if vector is None:
        return _Candidates(keyword, {})
    nearest = collection.vector_candidates(vector, Scope(), limit=CANDIDATES)
    ids = dict.fromkeys([*keyword, *(one.chunk_id for one in nearest)])
    return _Candidates(keyword, collection.cosines(vector, list(ids)))


def _gains(found: _Candidates, target: int, owners: Mapping[int, str]) -> list[float]:
    """Return the gain of each of `WEIGHTS` for one question: `1 / log2(1 + rank)` of its chunk.

    Other chunks of the same document do not compete: they may share the very sentence.
    """
    gains = []
    for weight in WEIGHTS:
        fused = convex(found.keyword, found.cosine, weight=weight)
        own = fused[target].score if target in fused else 0.0
        before = sum(
            1
            for chunk_id, item in fused.items()
            if item.score > own and owners[chunk_id] != owners[target]
        )
        gains.append(1 / log2(2 + before) if own and before < DEPTH else 0.0)
    return gains


def best_weight(gains: Sequence[Sequence[float]]) -> float:
    """Return the middle of the weights that are as good as the best, drawn towards
    UNMEASURED_WEIGHT.

    `gains` has a row for each question and a column for each of `WEIGHTS`. As good: not worse by
    more than one standard error of the paired difference. Never above LARGEST.
    """
    columns = list(zip(*gains, strict=True))
    best = max(columns, key=fmean)
    good = []
    for weight, column in zip(WEIGHTS, columns, strict=True):
        lost = [high - low for high, low in zip(best, column, strict=True)]
        if fmean(lost) <= stdev(lost) / sqrt(len(lost)):
            good.append(weight)
    return round(min(LARGEST, sqrt(fmean(good) * UNMEASURED_WEIGHT)), 2)
