"""The embedding cache in tables: one row for each vector, the least recently used evicted first."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.storage.cache import CachedKind, CacheSize
from memory.storage.database import Database, Transaction
from memory.storage.meta import CACHE_LIMITS, write_meta
from memory.storage.values import Space, utc_now, utc_text

USED_ANEW_AFTER = timedelta(hours=1)
"""The least age of a recorded use before it is updated, so that repeated reads write nothing."""

KEPT_SHARE = 0.9
"""The share of the room left in use by an eviction, so that the next thousand vectors fit."""

_PUT_SQL = """
INSERT INTO embedding_cache
    (hash, embedder, kind, provider, model, embedding, created_at, used_at)
VALUES (:hash, :embedder, :kind, :provider, :model, :embedding, :now, :now)
ON CONFLICT (hash, embedder, kind) DO UPDATE SET used_at = :now
"""
_GET_SQL = """
SELECT hash, embedding FROM embedding_cache
WHERE embedder = :embedder AND kind = :kind AND hash IN (:hashes)
"""
_STALE = "embedder = :embedder AND kind = :kind AND used_at < :before AND hash IN (:hashes)"
_FORGET_SQL = """
DELETE FROM embedding_cache WHERE hash IN (:hashes)
    AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.hash = embedding_cache.hash)
"""
_LIMITS_SQL = "SELECT value_json FROM meta WHERE key = :key"
_RELEASE_SQL = """
DELETE FROM embedding_cache WHERE embedder = :embedder AND kind = 'document'
    AND hash IN (SELECT hash FROM chunks WHERE id IN (:ids))
"""
_SIZE_SQL = "SELECT entries, size_bytes FROM embedding_cache_size"
_EVICT_SQL = """
DELETE FROM embedding_cache WHERE id IN (
    SELECT id FROM embedding_cache ORDER BY used_at, id LIMIT :number
)
"""


class TableCache:
    """`EmbeddingCache` over one database. See the protocol for what each method means."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def limits(self, tx: Transaction | None = None) -> Mapping[str, int]:
        wanted = {"key": CACHE_LIMITS}
        read = self._database.read if tx is None else tx.run_once
        rows = read(_LIMITS_SQL, wanted)
        known: dict[str, int] = json.loads(rows[0][0]) if rows else {}
        return known

    def stop_keeping(self, tx: Transaction, space: Space) -> None:
        limits = {**self.limits()}
        if limits.pop(space.embedder, None) is not None:
            write_meta(tx, CACHE_LIMITS, limits)

    def release(self, tx: Transaction, space: Space, chunk_ids: Iterable[int]) -> None:
        if space.embedder in self.limits(tx):
            tx.run(_RELEASE_SQL, {"embedder": space.embedder, "ids": list(chunk_ids)})

    def get(self, space: Space, hashes: Iterable[bytes], *, kind: CachedKind) -> dict[bytes, bytes]:
        return dict(self._database.read(_GET_SQL, _named(space, hashes, kind)))

    def put(
        self,
        tx: Transaction,
        space: Space,
        vectors: Mapping[bytes, bytes],
        *,
        kind: CachedKind,
        most_bytes: int,
    ) -> None:
        shared = {
            "embedder": space.embedder,
            "kind": kind,
            "provider": space.provider,
            "model": space.model,
            "now": utc_now(),
        }
        rows = ({**shared, "hash": key, "embedding": row} for key, row in vectors.items())
        tx.run_many(_PUT_SQL, rows)
        limits = self.limits()
        if kind == "document" and limits.get(space.embedder) != most_bytes:
            write_meta(tx, CACHE_LIMITS, {**limits, space.embedder: most_bytes})
        self._evict(tx, most_bytes)

    def is_stale(self, space: Space, content: bytes, *, kind: CachedKind) -> bool:
        sql = f"SELECT 1 FROM embedding_cache WHERE {_STALE}"
        return bool(self._database.read(sql, _named(space, [content], kind) | _before()))

    def mark_used(
        self, tx: Transaction, space: Space, hashes: Iterable[bytes], *, kind: CachedKind
    ) -> None:
        sql = f"UPDATE embedding_cache SET used_at = :now WHERE {_STALE}"
        tx.run(sql, {**_named(space, hashes, kind), **_before(), "now": utc_now()})

    def forget(self, tx: Transaction, hashes: Iterable[bytes]) -> None:
        tx.run(_FORGET_SQL, {"hashes": list(hashes)})

    def size(self) -> CacheSize:
        return CacheSize(*self._database.read(_SIZE_SQL)[0])

    @staticmethod
    def _evict(tx: Transaction, most_bytes: int) -> None:
        """Remove rows for the excess in bytes: rows of one model have one length."""
        size = CacheSize(*tx.run(_SIZE_SQL)[0])
        if size.size_bytes <= most_bytes:
            return
        while size.entries and size.size_bytes > KEPT_SHARE * most_bytes:
            excess = size.size_bytes - KEPT_SHARE * most_bytes
            number = -(-excess * size.entries // size.size_bytes)
            tx.run(_EVICT_SQL, {"number": max(1, int(number))})
            size = CacheSize(*tx.run(_SIZE_SQL)[0])


def _named(space: Space, hashes: Iterable[bytes], kind: CachedKind) -> dict[str, Any]:
    return {"embedder": space.embedder, "kind": kind, "hashes": list(hashes)}


def _before() -> dict[str, str]:
    return {"before": utc_text(datetime.now(UTC) - USED_ANEW_AFTER)}
