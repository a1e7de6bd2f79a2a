"""Version 1: documents, chunks, their indexes, spaces, the cache, and the change log."""

import apsw

from memory.storage.sqlite.schema import FTS_TOKENIZER, FTS_TOKENIZER_OPTIONS

_TOKENIZE = " ".join((FTS_TOKENIZER, *(f"'{option}'" for option in FTS_TOKENIZER_OPTIONS)))

_INITIAL = f"""
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value_json TEXT
) WITHOUT ROWID;

CREATE TABLE roots (
    path TEXT PRIMARY KEY,
    added_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL DEFAULT 'file' CHECK (source IN ('file', 'text')),
    path TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    mtime_ns INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('indexed', 'pending', 'failed', 'skipped')),
    reason TEXT,
    generation TEXT NOT NULL DEFAULT '',
    tail TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{{}}',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX files_hash ON files (hash);
CREATE INDEX files_unindexed ON files (state) WHERE state <> 'indexed';

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,
    source TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    file_id TEXT GENERATED ALWAYS AS
        (CASE WHEN source IN ('file', 'text') THEN owner_id END) VIRTUAL,
    generation TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    text TEXT NOT NULL,
    heading TEXT NOT NULL,
    body_offset INTEGER NOT NULL,
    hash BLOB NOT NULL,
    gap TEXT NOT NULL,
    start_char INTEGER,
    end_char INTEGER,
    start_line INTEGER,
    end_line INTEGER,
    session_id TEXT,
    occurred_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    created_at TEXT GENERATED ALWAYS AS (recorded_at) VIRTUAL,
    tags TEXT,
    metadata TEXT,
    UNIQUE (uid, generation)
);
CREATE INDEX chunks_owner ON chunks (owner_id, source, ordinal);
CREATE INDEX chunks_hash ON chunks (hash);

CREATE VIRTUAL TABLE chunks_fts USING fts5(
    text, title, neighbours, identifiers,
    content='', contentless_delete=1, tokenize="{_TOKENIZE}"
);

CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    revision TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    metric TEXT NOT NULL DEFAULT 'cosine',
    embedder TEXT NOT NULL,
    generation TEXT NOT NULL,
    chunking TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'filling', 'retired')),
    created_at TEXT NOT NULL,
    UNIQUE (embedder, generation)
);
CREATE UNIQUE INDEX spaces_active ON spaces (state) WHERE state = 'active';

CREATE TABLE embedding_cache (
    hash BLOB NOT NULL,
    embedder TEXT NOT NULL,
    kind TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    embedding BLOB NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (hash, embedder, kind)
) WITHOUT ROWID;

CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id INTEGER NOT NULL
);
CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.id);
END;
CREATE TRIGGER chunks_updated AFTER UPDATE ON chunks BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.id);
END;
CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
    INSERT INTO changes (chunk_id) VALUES (old.id);
    DELETE FROM chunks_fts WHERE rowid = old.id;
END;
"""


def initial(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_INITIAL).fetchall()
