"""The chunks, vectors and questions that every engine gets, and the right answers."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness.bench import Bench
from benchmarks.peers.runner import AT, WARM_UP

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float32]]

TIE = 1e-6
"""Cosines nearer than this are equal: the order of two equal chunks is not an error."""

_BATCH = 4096


@dataclass(frozen=True, slots=True)
class Material:
    """Files below `folder`: `chunks.json` and `vectors.npy` to build from, and questions.

    `asked_for` is the requested size, `uids` are our own ids of the chunks, by position. `vectors`
    are unit vectors, float32, `(n, dimensions)`, mapped from their file. `questions` are those that
    are counted, `warm_up` those before them.
    """

    folder: Path
    asked_for: int
    uids: Sequence[str]
    vectors: "Matrix"
    warm_up: Sequence[dict[str, Any]]
    questions: Sequence[dict[str, Any]]

    @property
    def many(self) -> Path:
        """The file of all questions, those of the warm-up first."""
        return self.folder / "questions.json"

    def one(self, number: int) -> Path:
        """The file of one question alone, so that a new process reads no more than it asks."""
        path = self.folder / f"question-{number}.json"
        path.write_text(json.dumps([self.questions[number]]), encoding="utf-8")
        return path

    def recall(self, found: Sequence[Sequence[int]]) -> float:
        """The share of the exact first ten that was found, mean over the questions.

        `found` has the positions that each question got. A chunk as near as the exact tenth counts.
        """
        shares = []
        for question, positions in zip(self.questions, found, strict=True):
            least = question["least_cosine"] - TIE
            near = self.vectors[list(dict.fromkeys(positions))] @ self._vector(question)
            shares.append(min(AT, int((near >= least).sum())) / AT)
        return sum(shares) / len(shares)

    @staticmethod
    def _vector(question: dict[str, Any]) -> "Matrix":
        import numpy as np

        return np.asarray(question["vector"], dtype=np.float32)


def make_material(bench: Bench, *, chunks: int, for_peers: bool) -> Material:
    """The chunks that our own sync made of a collection, embedded again in float32 by the built-in
    model.

    Only peers need the files to build from.
    """
    import numpy as np

    database = bench.database(chunks)
    folder = bench.work / f"material-{chunks}"
    folder.mkdir(exist_ok=True)
    stored = dict(_stored(database))
    vectors = _embedded(list(stored.values()), kind="document")
    np.save(folder / "vectors.npy", vectors)
    if for_peers:
        (folder / "chunks.json").write_text(json.dumps(list(stored.values())), encoding="utf-8")
    texts = bench.collection(chunks).questions[: WARM_UP + bench.effort.questions]
    asked = _questions(texts, vectors)
    (folder / "questions.json").write_text(json.dumps(asked), encoding="utf-8")
    mapped = np.load(folder / "vectors.npy", mmap_mode="r")
    return Material(folder, chunks, list(stored), mapped, asked[:WARM_UP], asked[WARM_UP:])


def _stored(database: Path) -> Iterator[tuple[str, str]]:
    """The id of every chunk, and its text as it is embedded: under its headings."""
    import apsw

    from memory.index.documents import embedded_text

    with closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        sql = "SELECT uid, heading, text, body_offset FROM chunks ORDER BY id"
        for uid, heading, text, body_offset in connection.execute(sql):
            yield uid, embedded_text(heading, text[body_offset:])


def _embedded(texts: Sequence[str], *, kind: Any) -> "Matrix":
    import numpy as np

    from providers import ProviderSettings, create

    model = create("static", ProviderSettings())
    parts = [
        np.asarray(model.embed(texts[start : start + _BATCH], kind=kind), dtype=np.float32)
        for start in range(0, len(texts), _BATCH)
    ]
    return np.concatenate(parts)


def _questions(texts: Sequence[str], vectors: "Matrix") -> list[dict[str, Any]]:
    """Each question with its vector and the cosine of the exact tenth chunk."""
    import numpy as np

    asked = []
    for text, vector in zip(texts, _embedded(texts, kind="query"), strict=True):
        least = float(np.partition(vectors @ vector, -AT)[-AT])
        asked.append({"text": text, "vector": vector.tolist(), "least_cosine": least})
    return asked
