"""The step to version 15: facts as triples, each the structured face of memories.

`episodic_memory.facts_at` is the cursor of the extraction: an episode without it is yet to be read.
`semantic_sources` names the memories of each fact. `entity` there is the memory's own word for its
subject; if it is resolved to a name, `named_by` is the memory that says whose name that is. A fact
without a `key` was forgotten: it keeps its memories from becoming facts again.
"""

STATEMENTS = (
    "ALTER TABLE episodic_memory ADD COLUMN facts_at TEXT",
    """CREATE INDEX episodic_memory_unread ON episodic_memory (id)
    WHERE facts_at IS NULL AND summary <> ''""",
    """
CREATE TABLE semantic_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entity TEXT NOT NULL,
    relation TEXT NOT NULL,
    target TEXT NOT NULL,
    confidence REAL NOT NULL,
    source_episodic_ids TEXT NOT NULL DEFAULT '[]',
    access_count INTEGER NOT NULL DEFAULT 0,
    last_accessed_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    retrievability REAL NOT NULL,
    key TEXT UNIQUE
)""",
    "CREATE INDEX semantic_memory_entity ON semantic_memory (entity)",
    "CREATE INDEX semantic_memory_relation ON semantic_memory (relation)",
    "CREATE INDEX semantic_memory_confidence ON semantic_memory (confidence)",
    """
CREATE TABLE semantic_sources (
    memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    triple_id INTEGER NOT NULL REFERENCES semantic_memory (id) ON DELETE CASCADE,
    entity TEXT NOT NULL,
    named_by INTEGER
)""",
    "CREATE INDEX semantic_sources_triple ON semantic_sources (triple_id)",
    "CREATE INDEX semantic_sources_entity ON semantic_sources (entity)",
    "CREATE INDEX semantic_sources_named ON semantic_sources (named_by)",
)
