"""Checks of embedding spaces: every searchable chunk has a valid vector, or a known reason."""

from collections.abc import Iterator
from functools import partial

from memory.index.documents import stored_texts
from memory.index.embedding.active_model import embedder_of
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import UNUSABLE
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.operations.doctor.keywords import places
from memory.operations.doctor.values import DoctorContext, DoctorProblem, noted, tally
from memory.storage import Space, StoredVector
from memory.storage.meta import VECTORS_MISSING, read_meta, write_meta
from memory.storage.vectors import LENGTH_WITHIN, cosine, decoded, normalised, vector_table

EMBEDDED_AT_MOST = 2_000
"""Chunks without a vector that are embedded to see whether the model returns one."""

READ_AT_ONCE = 10_000
SAMPLED = 32
LEAST_COSINE = 0.99


_REFUSED_SQL = """SELECT c.id FROM chunks AS c JOIN refused_texts AS r ON r.hash = c.hash
    WHERE r.embedder = :embedder AND c.id IN (:ids)"""


def vectors(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every vector is a unit vector of its space, with a chunk of the space."""
    stored = context.storage.health.vectors
    for space in context.storage.spaces().all():
        wrong = _wrong(context, space)
        if wrong:
            yield DoctorProblem(
                tally(
                    f"vectors of {space.model} that are not unit vectors of {space.dimensions} "
                    "dimensions",
                    len(wrong),
                    places(context, wrong),
                ),
                "embeds their chunks again",
                partial(context.write, partial(stored.remove, space=space, chunk_ids=wrong)),
                count=len(wrong),
            )
        foreign = _foreign(context, space)
        if foreign:
            yield DoctorProblem(
                tally(f"vectors of {space.model} of chunks cut for another space", len(foreign)),
                "removes them",
                partial(context.write, partial(stored.remove, space=space, chunk_ids=foreign)),
                count=len(foreign),
            )


def _wrong(context: DoctorContext, space: Space) -> list[int]:
    """Return the chunks whose vector is damaged."""
    import numpy as np

    found = []
    for rows in context.storage.health.vectors.rows(space):
        sound = {key: v for key, v in rows if v is not None and len(v) == 2 * space.dimensions}
        exact = np.frombuffer(b"".join(sound.values()), dtype="<f2")
        wide = exact.reshape(len(sound), space.dimensions).astype(np.float64)
        with np.errstate(invalid="ignore"):
            norms = np.linalg.norm(wide, axis=1)
        # Also false where a component is not a number.
        is_unit = dict(zip(sound, np.abs(norms - 1) < LENGTH_WITHIN, strict=True))
        found += [key for key, _ in rows if not is_unit.get(key, False)]
    return found


def _foreign(context: DoctorContext, space: Space) -> list[int]:
    """Return the chunks with a vector that were cut for another space."""
    sql = f"""SELECT v.chunk_id FROM {vector_table(space)} AS v
        JOIN chunks AS c ON c.id = v.chunk_id WHERE c.generation NOT IN (:generation, '')"""
    rows = context.storage.database.read(sql, {"generation": space.generation})
    return [row[0] for row in rows]


def missing(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every chunk that answers has a vector, unless its model refuses it or finds nothing in it."""
    space = context.space
    ids = _without_vector(context, space)
    if not ids:
        return
    if read_meta(context.storage.database, VECTORS_MISSING):
        yield DoctorProblem(
            tally("chunks that have no vector yet and are found by their words", len(ids)),
            "mem sync embeds them",
            count=len(ids),
            is_note=True,
        )
        return
    wrong = ids if space is None else _embeddable(context, ids)
    if wrong:
        yield DoctorProblem(
            tally("chunks with a lost vector", len(wrong), places(context, wrong)),
            "embeds them",
            partial(_embed, context),
            count=len(wrong),
        )


def _without_vector(context: DoctorContext, space: Space | None) -> list[int]:
    if space is None:
        return [row[0] for row in context.storage.database.read("SELECT id FROM chunks")]
    ids: list[int] = []
    while part := context.storage.chunks_without_vector(
        space, after=ids[-1] if ids else 0, limit=READ_AT_ONCE
    ):
        ids += part
    values = {"ids": ids, "embedder": space.embedder}
    refused = {row[0] for row in context.storage.database.read(_REFUSED_SQL, values)}
    return [key for key in ids if key not in refused]


def _embeddable(context: DoctorContext, ids: list[int]) -> list[int]:
    """Return the chunks that their model embeds; all of them where a test would cost money."""
    try:
        embedder = embedder_of(context.workspace)
        if embedder.card.costly:
            return ids
    except UNUSABLE:
        return ids
    texts = stored_texts(context.storage, ids[:EMBEDDED_AT_MOST])
    rows = embedder.embedded_again([text for _, text in texts.values()])
    return [key for key, row in zip(texts, rows, strict=True) if row is not None]


def _embed(context: DoctorContext) -> None:
    """Embed chunks without a vector. Raises what the provider does."""
    workspace = context.workspace
    with workspace.storage.database.transaction() as tx:
        write_meta(tx, VECTORS_MISSING, True)
    cache_bytes = workspace.config.embeddings.cache_bytes
    Indexer(
        workspace.storage, partial(current_indexing_settings, workspace), cache_bytes=cache_bytes
    ).complete_vectors()


def model(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The model works, and gives a sample of texts their stored vectors."""
    space = context.space
    if space is None:
        return
    try:
        embedder = embedder_of(context.workspace)
        is_cheap = not embedder.card.costly
        embedder.checked(space)
    except UNUSABLE as error:
        fact = f"searches use words only: {error.message}"
        yield DoctorProblem(fact, error.hint, is_note=True)
        return
    if is_cheap:
        yield from _mismatched_vectors(context, space, embedder)


def _mismatched_vectors(
    context: DoctorContext, space: Space, embedder: Embedder
) -> Iterator[DoctorProblem]:
    sample = context.storage.spaces().sample(space, limit=SAMPLED)
    texts = stored_texts(context.storage, list(sample))
    again = embedder.embedded_again([text for _, text in texts.values()])
    wrong = [
        key
        for key, row in zip(texts, again, strict=True)
        if _agreement(row, sample[key]) < LEAST_COSINE
    ]
    if wrong:
        yield DoctorProblem(
            tally(
                f"texts, of {len(texts)}, whose stored vector differs from that of {space.model}",
                len(wrong),
                places(context, wrong),
            ),
            "embeds every chunk again",
            partial(_embed_all, context, space),
            count=len(wrong),
        )


def _agreement(now: StoredVector | None, stored: bytes) -> float:
    vector = None if now is None else normalised(decoded(now.v))
    return -1.0 if vector is None else cosine(vector, stored)


def _embed_all(context: DoctorContext, space: Space) -> None:
    context.write(partial(context.storage.health.vectors.clear, space=space))
    _embed(context)


def beside(context: DoctorContext) -> Iterator[DoctorProblem]:
    """No reindex is incomplete, and kept spaces are known."""
    found = context.storage.spaces().all()
    for space in found:
        if space.state == "filling":
            yield DoctorProblem(
                f"a reindex to {space.model} has not finished",
                f"mem reindex --provider {space.provider} continues it, "
                "mem reindex --abort removes it",
                is_note=True,
            )
    kept = [space.model for space in found if space.state == "retired"]
    if kept:
        yield noted("retired spaces kept for a return", kept, "mem reindex --prune removes them")
    if kept and all(space.state == "retired" for space in found):
        yield DoctorProblem("no space is active, though there are some", "mem reindex fills one")


def cache(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The embedding cache knows its size, and refusals belong to existing texts."""
    database = context.storage.database
    ((entries, size_bytes),) = database.read(_CACHED_SQL)
    known = context.storage.cache.size() if database.read(_ANY_SIZE_SQL) else None
    if known != (entries, size_bytes):
        said = f"{known.entries:,} entries of {known.size_bytes:,} bytes" if known else "nothing"
        yield DoctorProblem(
            f"the embedding cache has {entries:,} entries of {size_bytes:,} bytes, and its "
            f"counters say {said}",
            "counts again",
            partial(_count_cache, context),
        )
    ((stray,),) = database.read(f"SELECT count(*) {_STRAY_REFUSALS}")
    if stray:
        yield DoctorProblem(
            tally("refusals of texts without a chunk", stray),
            "removes them",
            partial(context.write, lambda tx: tx.run(f"DELETE {_STRAY_REFUSALS}")),
            count=stray,
        )


_CACHED_SQL = "SELECT count(*), coalesce(sum(length(embedding) + 250), 0) FROM embedding_cache"
_ANY_SIZE_SQL = "SELECT 1 FROM embedding_cache_size"
_STRAY_REFUSALS = """FROM refused_texts
    WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.hash = refused_texts.hash)"""


def _count_cache(context: DoctorContext) -> None:
    with context.storage.database.transaction() as tx:
        tx.run("DELETE FROM embedding_cache_size")
        tx.run(f"INSERT INTO embedding_cache_size (entries, size_bytes) {_CACHED_SQL}")
