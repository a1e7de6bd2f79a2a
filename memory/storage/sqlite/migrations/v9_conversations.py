"""Version 9: what is said, and the memories that are made of it."""

import apsw

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


def add_conversations(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_CONVERSATIONS).fetchall()
