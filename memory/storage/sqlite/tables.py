"""The tables, indexes and triggers of a new SQLite database, as version 12 has them.

A later version is made of this one by a step in `schema`; this text is not changed any more. Its
wording is that of every database of the version, which `mem doctor` compares with it.
"""

from memory.storage.portable.tokens import FTS_TOKENIZER, FTS_TOKENIZER_OPTIONS

_TOKENIZE = " ".join((FTS_TOKENIZER, *(f"'{option}'" for option in FTS_TOKENIZER_OPTIONS)))

_DOCUMENTS = f"""
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
, loader TEXT NOT NULL DEFAULT '', layout TEXT NOT NULL DEFAULT '');
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
    metadata TEXT, place TEXT,
    UNIQUE (uid, generation)
);
CREATE INDEX chunks_owner ON chunks (owner_id, source, ordinal);
CREATE INDEX chunks_hash ON chunks (hash);
CREATE INDEX chunks_session ON chunks (session_id) WHERE session_id IS NOT NULL;

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
    created_at TEXT NOT NULL, request TEXT,
    UNIQUE (embedder, generation)
);
CREATE UNIQUE INDEX spaces_active ON spaces (state) WHERE state = 'active';

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
CREATE TRIGGER files_described AFTER UPDATE OF path, metadata ON files
WHEN old.path <> new.path OR old.metadata <> new.metadata BEGIN
    INSERT INTO changes (chunk_id)
    SELECT id FROM chunks WHERE owner_id = new.id AND source = new.source;
END;
"""
"""A hit shows the path and the metadata of its file, and a scope may choose by the path: the change
log has them too."""

_BESIDE = """
CREATE TABLE cuts (
    owner_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    generation TEXT NOT NULL,
    tail TEXT NOT NULL,
    PRIMARY KEY (owner_id, generation)
) WITHOUT ROWID;

CREATE TABLE keywords_beside (generation TEXT PRIMARY KEY) WITHOUT ROWID;

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
"""Chunks of another generation than those that answer: `cuts` has the documents of which all are
there, `keywords_beside` the generations of whose chunks some may have keyword entries.
The reason of a refused text may quote it, so it goes with the text."""

_CACHE_AND_COUNTERS = """
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

CREATE TABLE tallies (
    name TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    noted_at TEXT,
    reason TEXT
) WITHOUT ROWID;

CREATE TABLE latencies (
    leg TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (leg, bucket)
) WITHOUT ROWID;
"""
"""A row of the cache takes about 250 bytes beside the vector, its two index entries included.
Nothing is written to `latencies`."""

_CONVERSATIONS = """
CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    long_term_opt_in INTEGER NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (session_id),
    ts TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    text TEXT NOT NULL,
    speaker TEXT,
    image_paths TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{}',
    tags TEXT NOT NULL DEFAULT '[]',
    client_id TEXT,
    digest BLOB NOT NULL,
    extraction TEXT NOT NULL DEFAULT 'off'
        CHECK (extraction IN ('off', 'rules', 'llm', 'done', 'failed')),
    recorded_at TEXT NOT NULL
);
CREATE INDEX idx_turns_session_ts ON turns (session_id, ts, id);
CREATE UNIQUE INDEX turns_client ON turns (session_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX turns_waiting ON turns (extraction, id) WHERE extraction IN ('rules', 'llm');

CREATE TABLE enrichments (
    turn_id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    tries INTEGER NOT NULL,
    not_before TEXT NOT NULL,
    by_rules INTEGER NOT NULL CHECK (by_rules IN (0, 1))
);

CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    layer TEXT NOT NULL CHECK (layer IN ('mid', 'long')),
    content TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT,
    hits INTEGER NOT NULL DEFAULT 0,
    score REAL NOT NULL DEFAULT 0.0,
    importance INTEGER NOT NULL DEFAULT 0 CHECK (importance IN (0, 1)),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'deleted')),
    tags_json TEXT NOT NULL DEFAULT '[]',
    occurred_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('rules', 'llm', 'user', 'import')),
    slot TEXT,
    value TEXT,
    words TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    superseded_by INTEGER REFERENCES memories (id) ON DELETE SET NULL
);
CREATE INDEX idx_mem_layer_score ON memories (layer, score DESC);
CREATE INDEX idx_mem_last_seen ON memories (last_seen_at);
CREATE INDEX memories_slot ON memories (slot) WHERE slot IS NOT NULL;
CREATE INDEX memories_words ON memories (words);
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_strength
ON memories (layer, importance, hits, coalesce(last_seen_at, created_at), id)
WHERE status = 'active';

CREATE TABLE memory_words (
    word TEXT NOT NULL,
    memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (word, memory_id)
) WITHOUT ROWID;
CREATE INDEX memory_words_memory ON memory_words (memory_id);

CREATE TABLE memory_links (
    memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (reason IN ('source', 'merge', 'conflict')),
    rule TEXT NOT NULL DEFAULT '',
    start_char INTEGER,
    end_char INTEGER,
    created_at TEXT NOT NULL,
    PRIMARY KEY (memory_id, turn_id)
) WITHOUT ROWID;
CREATE INDEX memory_links_turn ON memory_links (turn_id);

CREATE TABLE actions (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    source TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    code TEXT,
    numbers TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX actions_record ON actions (source, record_id, id);
CREATE INDEX actions_at ON actions (at);
"""
"""Records of conversations have one id each in their table, and their chunks stand in `chunks`
under the generation '', which answers however files are cut. `actions` never holds text: what is
forgotten leaves nothing in it but numbers."""

TABLES = _DOCUMENTS + _BESIDE + _CACHE_AND_COUNTERS + _CONVERSATIONS
