"""Texts that an embedding provider refuses, stored so that asking is paid for once.

A chunk with such a text has no vector; keyword search finds it. Another model may take it, and `mem
sync --force` asks the same one again.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from memory.storage import Database, Space, Transaction, utc_now
from memory.values.reports import RefusedChunk

_REFUSED: Final = """FROM refused_texts CROSS JOIN chunks
    LEFT JOIN files ON files.id = chunks.owner_id AND files.source = chunks.source
    WHERE refused_texts.embedder = :embedder AND chunks.generation IN (:generation, '')
    AND chunks.hash = refused_texts.hash"""
"""A join that starts at the few refused texts: SQLite takes the tables of a cross join in the
order given, and would otherwise start with all chunks.
"""


def known_refusals(database: Database, space: Space, contents: Iterable[bytes]) -> dict[bytes, str]:
    """Return those of the contents that the space's model refused, with its reason."""
    sql = "SELECT hash, reason FROM refused_texts WHERE embedder = :embedder"
    refused: dict[bytes, str] = dict(database.read(sql, {"embedder": space.embedder}))
    return {content: refused[content] for content in contents if content in refused}


def remember_refusals(
    tx: Transaction,
    space: Space,
    refused: Mapping[bytes, str],
    *,
    refused_at: str | None = None,
) -> None:
    """Store the reasons by content hash, with the present time unless `refused_at` is given."""
    sql = """INSERT INTO refused_texts (hash, embedder, reason, refused_at)
        VALUES (:hash, :embedder, :reason, :now)
        ON CONFLICT (hash, embedder) DO UPDATE SET reason = :reason, refused_at = :now"""
    shared = {"embedder": space.embedder, "now": refused_at or utc_now()}
    rows = ({**shared, "hash": content, "reason": reason} for content, reason in refused.items())
    tx.run_many(sql, rows)


def forget_refusals(tx: Transaction, space: Space) -> bool:
    """Forget the refusals, so that the space's model is asked again; return whether there were
    any.
    """
    sql = "DELETE FROM refused_texts WHERE embedder = :embedder RETURNING 1"
    return bool(tx.run(sql, {"embedder": space.embedder}))


def count_refused(database: Database, space: Space) -> int:
    """Count the space's chunks with a text that its model refuses."""
    return int(database.read(f"SELECT count(*) {_REFUSED}", _named(space))[0][0])


def refused_chunks(database: Database, space: Space, *, limit: int) -> list[RefusedChunk]:
    """Return the first of those chunks by path and place."""
    sql = f"""SELECT coalesce(files.path, chunks.source || ':' || chunks.owner_id) AS shown,
        chunks.start_line, chunks.end_line, refused_texts.reason {_REFUSED}
        ORDER BY shown, coalesce(chunks.start_line, 0), chunks.id LIMIT :limit"""
    return [RefusedChunk(*row) for row in database.read(sql, {**_named(space), "limit": limit})]


def _named(space: Space) -> dict[str, str]:
    return {"embedder": space.embedder, "generation": space.generation}
