"""The tables of a SQLite database, as its numbered migrations make them.

A migration is a function; it is never changed once released, and is committed together with the
number that records it.
"""

from collections.abc import Callable

import apsw

from contracts import IncompatibleError

APPLICATION_ID = 0x53594D4D
"""Marks a file as ours in SQLite's header ("SYMM")."""

FTS_TOKENIZER = "porter"
FTS_TOKENIZER_OPTIONS = ("unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc")
"""Stems English and folds accents; marks stay inside words, or Thai and Hindi would fall apart."""

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


def vector_tables_sql(vectors: str, codes: str) -> str:
    """The statements that make the two tables of a space.

    The int8 codes have a table of their own: a scan that had to pass the float16 rows on its way
    took a third longer.
    """
    return f"""
CREATE TABLE {vectors} (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    v BLOB NOT NULL
);
CREATE TABLE {codes} (
    chunk_id INTEGER PRIMARY KEY REFERENCES {vectors} (chunk_id) ON DELETE CASCADE,
    q BLOB NOT NULL
);
"""


def vector_log_sql(vectors: str) -> str:
    """The statements that give the vectors of a space their share of the change log.

    Only the active space has one: what a space beside it gets changes no answer.
    """
    return f"""
CREATE TRIGGER {vectors}_inserted AFTER INSERT ON {vectors} BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.chunk_id);
END;
CREATE TRIGGER {vectors}_updated AFTER UPDATE ON {vectors} BEGIN
    INSERT INTO changes (chunk_id) VALUES (new.chunk_id);
END;
"""


def _initial(connection: apsw.Connection) -> None:
    connection.execute(_INITIAL).fetchall()


_OWNERS_LOGGED = """
CREATE TRIGGER files_described AFTER UPDATE OF path, metadata ON files
WHEN old.path <> new.path OR old.metadata <> new.metadata BEGIN
    INSERT INTO changes (chunk_id)
    SELECT id FROM chunks WHERE owner_id = new.id AND source = new.source;
END;
"""
"""A hit shows the path and the metadata of its file, and a scope may choose by the path."""


def _log_owners(connection: apsw.Connection) -> None:
    connection.execute(_OWNERS_LOGGED).fetchall()


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


def _bound_cache(connection: apsw.Connection) -> None:
    connection.execute(_CACHE_BOUNDED).fetchall()


_CUTS = """
CREATE TABLE cuts (
    owner_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    generation TEXT NOT NULL,
    tail TEXT NOT NULL,
    PRIMARY KEY (owner_id, generation)
) WITHOUT ROWID;

ALTER TABLE spaces ADD COLUMN request TEXT;
"""
"""A document whose chunks of another generation than `files.generation` are all there."""


def _add_cuts(connection: apsw.Connection) -> None:
    connection.execute(_CUTS).fetchall()


_REFUSED = """
CREATE TABLE refused_texts (
    hash BLOB NOT NULL,
    embedder TEXT NOT NULL,
    reason TEXT NOT NULL,
    refused_at TEXT NOT NULL,
    PRIMARY KEY (hash, embedder)
) WITHOUT ROWID;
CREATE TRIGGER refused_text_gone AFTER DELETE ON chunks BEGIN
    DELETE FROM refused_texts
    WHERE hash = old.hash AND NOT EXISTS (SELECT 1 FROM chunks WHERE hash = old.hash);
END;
"""
"""Texts that a provider will not embed; its reason may quote them, so they go with the text."""


def _remember_refusals(connection: apsw.Connection) -> None:
    connection.execute(_REFUSED).fetchall()


_KEYWORDS_BESIDE = """
CREATE TABLE keywords_beside (generation TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO keywords_beside SELECT DISTINCT other.generation FROM spaces AS other
    JOIN spaces AS active ON active.state = 'active' AND other.generation <> active.generation;
"""
"""Generations that do not answer, of whose chunks some may have keyword entries."""


def _note_keywords_beside(connection: apsw.Connection) -> None:
    connection.execute(_KEYWORDS_BESIDE).fetchall()


MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    _initial,
    _log_owners,
    _bound_cache,
    _add_cuts,
    _remember_refusals,
    _note_keywords_beside,
)
"""Migration n (counted from 1) takes a database from version n - 1 to n."""

_ANY_TABLE_SQL = "SELECT 1 FROM sqlite_schema LIMIT 1"


def check_version(connection: apsw.Connection, path: str) -> int:
    """The database's version, 0 for an empty file; only reads.

    Raises IncompatibleError for another program's database and for a newer version's.
    """
    version = int(connection.pragma("user_version") or 0)
    owner = connection.pragma("application_id")
    if owner != APPLICATION_ID:
        if owner or version or connection.execute(_ANY_TABLE_SQL).fetchall():
            raise IncompatibleError(
                f"{path} is a database of another program",
                hint="name another file with --db, or move it away",
            )
        return 0
    if version > len(MIGRATIONS):
        raise IncompatibleError(
            f"{path} has version {version}, this program knows versions up to {len(MIGRATIONS)}",
            hint="upgrade symbiosis-memory, or name another file with --db",
        )
    return version


def migrate(connection: apsw.Connection, path: str, *, target: int = len(MIGRATIONS)) -> None:
    """Bring the database to a version, each step in one transaction with the record of it."""
    while check_version(connection, path) < target:
        connection.execute("BEGIN IMMEDIATE").fetchall()
        try:
            # Another process may have made the step while this one waited for the lock.
            version = check_version(connection, path)
            if version < target:
                MIGRATIONS[version](connection)
                connection.pragma("user_version", version + 1)
                connection.pragma("application_id", APPLICATION_ID)
            connection.execute("COMMIT").fetchall()
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK").fetchall()
            raise
