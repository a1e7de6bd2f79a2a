"""The step to version 3: records can be inserted with the columns that a person would name.

`memory.storage.sqlite.migrations.inserted_records` says which, and how such rows are marked.
"""

from typing import Any, Final

import psycopg

NOW: Final = """
to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
""".strip()

ANY_KEY: Final = "' ' || gen_random_uuid()"
_STORED: Final = dict.fromkeys(("created_at", "updated_at"), NOW)
_KEPT: Final = {
    "stability": "2.3065",
    "difficulty": "2.118103970459016",
    "retrievability": "1",
    "last_accessed_at": NOW,
}
DEFAULTS: Final = {
    "facts": _STORED,
    "people": {"name_key": ANY_KEY, **_STORED},
    "patterns": {
        "description_key": ANY_KEY,
        "last_observed": NOW,
        "confidence": "0.6",
        **_STORED,
    },
    "open_loops": {
        "topic_key": ANY_KEY,
        "first_mentioned": NOW,
        "last_mentioned": NOW,
        **_STORED,
    },
    "signals": {"observed_at": NOW, **_STORED},
    "semantic_memory": {"occurred_at": NOW, **_KEPT, **_STORED},
    "episodic_memory": {
        "importance_score": "0",
        "surprise_score": "0",
        "started_at": NOW,
        "ended_at": NOW,
        "message_count": "-1",
        "written_by": "'llm'",
        **_KEPT,
        **_STORED,
    },
}

_INSERTED: Final = {
    "people": "substr(name_key, 1, 1) = ' '",
    "patterns": "substr(description_key, 1, 1) = ' '",
    "open_loops": "substr(topic_key, 1, 1) = ' '",
    "semantic_memory": "key IS NULL AND entity <> ''",
    "episodic_memory": "message_count < 0",
}
"""The condition on a row that is yet to be completed, by table."""


def to_version_3(connection: psycopg.Connection[Any]) -> None:
    """Make the step."""
    for table, defaults in DEFAULTS.items():
        for column, value in defaults.items():
            connection.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET DEFAULT {value}")
    for table, condition in _INSERTED.items():
        index = f"CREATE INDEX IF NOT EXISTS {table}_inserted ON {table} (id)"
        connection.execute(f"{index} WHERE {condition}")
