"""Version 6: generations that do not answer and have keyword entries."""

import apsw

_KEYWORDS_BESIDE = """
CREATE TABLE keywords_beside (generation TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO keywords_beside SELECT DISTINCT other.generation FROM spaces AS other
    JOIN spaces AS active ON active.state = 'active' AND other.generation <> active.generation;
"""
"""Generations that do not answer, of whose chunks some may have keyword entries."""


def note_keywords_beside(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_KEYWORDS_BESIDE).fetchall()
