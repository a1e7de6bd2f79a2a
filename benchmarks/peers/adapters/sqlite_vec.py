"""sqlite-vec alone: a table `vec0` of float32 beside a table of texts, in plain SQLite.

Hybrid follows its author's example: FTS5 in the same file, both lists joined by reciprocal rank.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from .contract import Engine

if TYPE_CHECKING:
    from .contract import Vectors

_ROWS_A_TRANSACTION = 1000
_LEG_DEPTH = 100
_RRF_K = 60


class SqliteVec(Engine):
    """Uses APSW, whose SQLite can load extensions on every system."""

    MODES: ClassVar = {
        "vector": "vec0 table, float32, cosine, brute force (it has no other index); WAL",
        "hybrid": "the same and FTS5 (porter); any word of the query, reciprocal rank fusion",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        self._connect()
        self._run("PRAGMA journal_mode = WAL")
        self._run("CREATE TABLE chunks (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        self._run(
            f"CREATE VIRTUAL TABLE vectors USING vec0"
            f"(embedding float[{vectors.shape[1]}] distance_metric=cosine)"
        )
        if self.is_hybrid:
            options = "text, content='chunks', content_rowid='id', tokenize='porter unicode61'"
            self._run(f"CREATE VIRTUAL TABLE words USING fts5({options})")
        rows = iter(zip(range(len(chunks)), chunks, vectors, strict=True))
        while part := list(islice(rows, _ROWS_A_TRANSACTION)):
            with self._connection:
                self._insert(part)

    def _insert(self, rows: Sequence[tuple[int, str, Any]]) -> None:
        texts = [(number, text) for number, text, _ in rows]
        self._connection.executemany("INSERT INTO chunks (id, text) VALUES (?, ?)", texts)
        blobs = ((number, vector.tobytes()) for number, _, vector in rows)
        self._connection.executemany("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)", blobs)
        if self.is_hybrid:
            self._connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)

    def open(self) -> None:
        self._connect()

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        from array import array

        nearest = self._ids(
            "SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance",
            (array("f", vector).tobytes(), _LEG_DEPTH if self.is_hybrid else k),
        )
        best = self._fused(nearest, text)[:k] if self.is_hybrid else nearest
        for number in best:
            self._run("SELECT text FROM chunks WHERE id = ?", (number,))
        return best

    def _fused(self, nearest: Sequence[int], text: str) -> list[int]:
        words = "".join(c if c.isalnum() else " " for c in text).split()
        wanted = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        matching = self._ids(sql, (wanted, _LEG_DEPTH)) if words else []
        scores: dict[int, float] = defaultdict(float)
        for leg in (nearest, matching):
            for rank, number in enumerate(leg, start=1):
                scores[number] += 1 / (_RRF_K + rank)
        return sorted(scores, key=lambda number: -scores[number])

    def close(self) -> None:
        self._connection.close()

    def _connect(self) -> None:
        import apsw
        import sqlite_vec

        self._connection = apsw.Connection(str(self.folder / "data.db"))
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()

    def _ids(self, sql: str, values: Sequence[Any]) -> list[int]:
        return [row[0] for row in self._run(sql, values)]


ENGINE = SqliteVec
