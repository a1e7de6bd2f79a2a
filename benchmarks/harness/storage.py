"""Inspect a finished database."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ChunkFigures:
    """The number and length of chunks, and the sizes in the file; bytes after a checkpoint."""

    chunks: int
    mean_chars: float
    file_bytes: int
    bytes_by_table: dict[str, int]


def chunk_figures(database: Path) -> ChunkFigures:
    """Measure a database that nobody else has open."""
    import apsw

    with closing(apsw.Connection(str(database))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        sql = "SELECT count(*), avg(length(text)) FROM chunks"
        chunks, mean_chars = next(iter(connection.execute(sql)))
        sizes = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
    return ChunkFigures(chunks, mean_chars, database.stat().st_size, sizes)


def stored_texts(database: Path, *, limit: int) -> list[str]:
    """The first chunks' texts."""
    import apsw

    with closing(apsw.Connection(str(database))) as connection:
        sql = "SELECT text FROM chunks ORDER BY id LIMIT ?"
        return [row[0] for row in connection.execute(sql, (limit,))]
