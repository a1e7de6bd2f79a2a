"""Version 10: turns that a language model has failed on."""

import apsw

_ENRICHMENTS = """
CREATE TABLE enrichments (
    turn_id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    tries INTEGER NOT NULL,
    not_before TEXT NOT NULL,
    by_rules INTEGER NOT NULL CHECK (by_rules IN (0, 1))
);
"""


def note_enrichments(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_ENRICHMENTS).fetchall()
