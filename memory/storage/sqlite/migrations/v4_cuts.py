"""Version 4: chunks of another generation beside those that answer."""

import apsw

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


def add_cuts(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_CUTS).fetchall()
