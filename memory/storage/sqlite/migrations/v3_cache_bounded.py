"""Version 3: a cache that knows its size and what was used last; tallies."""

import apsw

_CACHE_BOUNDED = """
ALTER TABLE embedding_cache RENAME TO embedding_cache_1;
CREATE TABLE embedding_cache (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    embedder TEXT NOT NULL,
    kind TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    embedding BLOB NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    UNIQUE (hash, embedder, kind)
);
CREATE INDEX embedding_cache_used ON embedding_cache (used_at, id);
CREATE TABLE embedding_cache_size (entries INTEGER NOT NULL, size_bytes INTEGER NOT NULL);
INSERT INTO embedding_cache_size VALUES (0, 0);
CREATE TRIGGER embedding_cached AFTER INSERT ON embedding_cache BEGIN
    UPDATE embedding_cache_size
    SET entries = entries + 1, size_bytes = size_bytes + length(new.embedding) + 250;
END;
CREATE TRIGGER embedding_evicted AFTER DELETE ON embedding_cache BEGIN
    UPDATE embedding_cache_size
    SET entries = entries - 1, size_bytes = size_bytes - length(old.embedding) - 250;
END;
INSERT INTO embedding_cache
    (hash, embedder, kind, provider, model, embedding, created_at, used_at)
SELECT hash, embedder, kind, provider, model, embedding, created_at, created_at
FROM embedding_cache_1;
DROP TABLE embedding_cache_1;

CREATE TABLE tallies (
    name TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    noted_at TEXT,
    reason TEXT
) WITHOUT ROWID;
"""
"""A row of the cache takes about 250 bytes beside the vector, its two index entries included."""


def bound_cache(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_CACHE_BOUNDED).fetchall()
