"""Version 7: what read a file, how its text is laid out, and the place of a chunk in it."""

import apsw

_LOADERS = """
ALTER TABLE files ADD COLUMN loader TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN layout TEXT NOT NULL DEFAULT '';
ALTER TABLE chunks ADD COLUMN place TEXT;
"""


def note_loaders(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_LOADERS).fetchall()
