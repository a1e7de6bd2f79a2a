"""The step to version 24: records can be inserted with the columns that a person would name.

`INSERT INTO people (name)`, `semantic_memory (entity, relation, target, confidence)` and
`episodic_memory (session_id, start_message_id, end_message_id, summary)` work in any SQLite
program. A key that begins with a blank, a fact with an entity and no key, or an episode of -1
messages marks a row that is yet to be completed. Such a key is random, as keys are unique.
"""

import apsw

from memory.storage.sqlite.migrations.column_defaults import NOW, put_defaults

_STABILITY, _DIFFICULTY = "2.3065", "2.118103970459016"  # those of FSRS after a first review
_ANY_KEY = "(' ' || hex(randomblob(16)))"
_STORED = {"created_at TEXT": NOW, "updated_at TEXT": NOW}
_DEFAULTS = {
    "facts": _STORED,
    "people": {"name_key TEXT": _ANY_KEY, **_STORED},
    "patterns": {
        "description_key TEXT": _ANY_KEY,
        "last_observed TEXT": NOW,
        "confidence REAL": "0.6",
        **_STORED,
    },
    "open_loops": {
        "topic_key TEXT": _ANY_KEY,
        "first_mentioned TEXT": NOW,
        "last_mentioned TEXT": NOW,
        **_STORED,
    },
    "signals": {"observed_at TEXT": NOW, **_STORED},
    "semantic_memory": {
        "last_accessed_at TEXT": NOW,
        "occurred_at TEXT": NOW,
        "stability REAL": _STABILITY,
        "difficulty REAL": _DIFFICULTY,
        "retrievability REAL": "1",
        **_STORED,
    },
    "episodic_memory": {
        "importance_score REAL": "0",
        "surprise_score REAL": "0",
        "stability REAL": _STABILITY,
        "difficulty REAL": _DIFFICULTY,
        "retrievability REAL": "1",
        "last_accessed_at TEXT": NOW,
        "started_at TEXT": NOW,
        "ended_at TEXT": NOW,
        "message_count INTEGER": "-1",
        "written_by TEXT": "'llm'",
        **_STORED,
    },
}
"""The default of each column, by the table and the beginning of the column's definition."""

_INDEXES = (
    "CREATE INDEX people_inserted ON people (id) WHERE substr(name_key, 1, 1) = ' '",
    "CREATE INDEX patterns_inserted ON patterns (id) WHERE substr(description_key, 1, 1) = ' '",
    "CREATE INDEX open_loops_inserted ON open_loops (id) WHERE substr(topic_key, 1, 1) = ' '",
    "CREATE INDEX semantic_memory_inserted ON semantic_memory (id) "
    "WHERE key IS NULL AND entity <> ''",
    "CREATE INDEX episodic_memory_inserted ON episodic_memory (id) WHERE message_count < 0",
)


def add_defaults_of_records(connection: apsw.Connection) -> None:
    """Make the step, in an open transaction."""
    for sql in _INDEXES:
        connection.execute(sql).fetchall()
    put_defaults(connection, _DEFAULTS)
