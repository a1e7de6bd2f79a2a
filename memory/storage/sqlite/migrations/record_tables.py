"""The step that adds records: facts, people, patterns, open loops and signals.

Each table has the columns of its kind, and columns that all kinds share from `source` on.
`record_links` leads from a record of any kind, or from a former value of a fact, to the turns that
are its evidence. `chunks.hidden_from` is the moment from which a chunk answers no search.
"""

_SHARED = """
    source TEXT NOT NULL DEFAULT 'api',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{}'
"""
STATEMENTS = (
    f"""
CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    category TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    expires_at TEXT, {_SHARED},
    UNIQUE (category, key)
)""",
    """
CREATE TABLE fact_history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    value TEXT NOT NULL,
    confidence REAL NOT NULL,
    source TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    replaced_at TEXT NOT NULL
)""",
    "CREATE INDEX fact_history_fact ON fact_history (fact_id)",
    f"""
CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    aliases TEXT NOT NULL DEFAULT '[]',
    relationship TEXT NOT NULL DEFAULT '',
    last_contact TEXT,
    sentiment TEXT NOT NULL DEFAULT 'neutral',
    notes TEXT NOT NULL DEFAULT '', {_SHARED}
)""",
    f"""
CREATE TABLE patterns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pattern_type TEXT NOT NULL,
    description TEXT NOT NULL,
    description_key TEXT NOT NULL,
    frequency INTEGER NOT NULL DEFAULT 1 CHECK (frequency >= 1),
    last_observed TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1), {_SHARED},
    UNIQUE (pattern_type, description_key)
)""",
    f"""
CREATE TABLE open_loops (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    topic_key TEXT NOT NULL UNIQUE,
    first_mentioned TEXT NOT NULL,
    mention_count INTEGER NOT NULL DEFAULT 1 CHECK (mention_count >= 1),
    last_mentioned TEXT NOT NULL,
    resolved INTEGER NOT NULL DEFAULT 0 CHECK (resolved IN (0, 1)),
    priority INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN 0 AND 5),
    resolved_at TEXT,
    resolution TEXT NOT NULL DEFAULT '', {_SHARED}
)""",
    "CREATE INDEX open_loops_open ON open_loops (resolved, priority, mention_count)",
    f"""
CREATE TABLE signals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    signal_type TEXT NOT NULL,
    value TEXT NOT NULL,
    observed_at TEXT NOT NULL, {_SHARED}
)""",
    "CREATE INDEX signals_series ON signals (signal_type, observed_at, id)",
    """
CREATE TABLE record_links (
    source TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (source, record_id, turn_id, reason)
) WITHOUT ROWID""",
    "CREATE INDEX record_links_turn ON record_links (turn_id)",
    "ALTER TABLE chunks ADD COLUMN hidden_from TEXT",
    "CREATE INDEX chunks_hidden ON chunks (hidden_from) WHERE hidden_from IS NOT NULL",
)
