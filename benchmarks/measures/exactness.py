"""The exactness of answers: the vector scan against the true order, and identifiers at rank 1."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.serving import running_server
from benchmarks.harness.values import Figure, Goal
from benchmarks.inputs.collection import Collection, Planted
from benchmarks.inputs.planted import QUESTIONS
from memory.index.embedding.active_model import embedder_of

if TYPE_CHECKING:
    import numpy as np

    from memory.storage import Space, Storage

RECALL_GOAL = Goal(0.99, at_least=True)
RANK_1_GOAL = Goal(0.99, at_least=True)
_QUERIES = 200
_AT = 10
_TIE = 1e-6
"""Cosines nearer than this are equal: the order of two equal chunks is not an error."""


def identifiers(bench: Bench) -> Iterator[Figure]:
    """Identifiers that are in one file, asked for alone and in a sentence."""
    for chunks in bench.sizes:
        collection = bench.collection(chunks)
        with running_server(bench, bench.database(chunks)) as server, server.client() as client:
            for form, queries in _forms(collection):
                missed = [
                    planted
                    for planted, query in zip(collection.planted, queries, strict=True)
                    if not _is_first(client.search(query), planted, collection.folder)
                ]
                yield _rank_1(missed, collection, form=form, chunks=chunks)


def _forms(collection: Collection) -> Iterator[tuple[str, list[str]]]:
    names = [planted.identifier.name for planted in collection.planted]
    yield "alone", names
    asked = (QUESTIONS[number % len(QUESTIONS)] for number in range(len(names)))
    yield "in a sentence", [text.format(name) for text, name in zip(asked, names, strict=True)]


def _is_first(answer: dict[str, Any], planted: Planted, folder: Path) -> bool:
    """Return whether the first hit is in the right file and its text holds the identifier whole."""
    if not answer["results"]:
        return False
    first = answer["results"][0]
    whole = re.compile(rf"(?<![\w.-]){re.escape(planted.identifier.name)}(?![\w-]|\.\w)")
    right_file = Path(first["file_path"]) == (folder / planted.file).resolve()
    return right_file and whole.search(first["text"]) is not None


def _rank_1(missed: Sequence[Planted], collection: Collection, *, form: str, chunks: int) -> Figure:
    kinds = Counter(planted.identifier.kind for planted in missed)
    beside = f"of {len(collection.planted)}"
    if missed:
        beside += "; missed " + ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    what = f"identifier {form} at rank 1, {chunks:,} chunks"
    share = 1 - len(missed) / len(collection.planted)
    return Figure("identifiers", what, share, "share", RANK_1_GOAL, beside)


def recall(bench: Bench) -> Iterator[Figure]:
    """The vector leg's first ten against the first ten by the cosines of the float vectors."""
    from memory.config.loading import load_config
    from memory.workspace import Workspace

    config = bench.work / "defaults.json"
    config.write_text("{}\n", encoding="utf-8")
    for chunks in bench.sizes:
        loaded = load_config(config, environ={}, database=bench.database(chunks))
        questions = bench.collection(chunks).questions[-_QUERIES:]
        with Workspace(loaded, create=False) as workspace:
            space = workspace.storage.active_space()
            if space is None:
                raise RuntimeError(f"{workspace.path} has no vectors")
            found = embedder_of(workspace).query_vector
            vectors = [vector for text in questions if (vector := found(text)) is not None]
            shares = _recalls(workspace.storage, space, vectors)
        yield Figure(
            "recall",
            f"recall@{_AT} of the vector leg, {chunks:,} chunks",
            sum(shares) / len(shares),
            "share",
            RECALL_GOAL,
            f"{len(shares)} questions, worst {min(shares):.1f}",
            shares,
        )


def _recalls(
    storage: "Storage", space: "Space", vectors: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    import numpy as np

    from contracts import Scope

    places, matrix = _float_vectors(storage, space)
    shares = []
    for vector in vectors:
        cosines = matrix @ np.asarray(vector, dtype=np.float32)
        least = np.partition(cosines, -_AT)[-_AT] - _TIE
        hits = storage.vector_candidates(vector, Scope(), limit=_AT)
        found = sum(bool(cosines[places[hit.chunk_id]] >= least) for hit in hits)
        shares.append(found / _AT)
    return tuple(shares)


def _float_vectors(
    storage: "Storage", space: "Space"
) -> "tuple[dict[int, int], np.ndarray[Any, np.dtype[np.float32]]]":
    """The row of each chunk, and the stored vectors, `(n, dimensions)`."""
    import numpy as np

    batches = storage.health.vectors.rows(space)
    rows = {chunk_id: v for batch in batches for chunk_id, v in batch if v is not None}
    stored = b"".join(rows.values())
    matrix = np.frombuffer(stored, dtype="<f2").reshape(len(rows), -1).astype(np.float32)
    return {chunk_id: place for place, chunk_id in enumerate(rows)}, matrix
