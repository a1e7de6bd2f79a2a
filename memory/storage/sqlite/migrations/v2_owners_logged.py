"""Version 2: the change log also has what a chunk shows of its file."""

import apsw

_OWNERS_LOGGED = """
CREATE TRIGGER files_described AFTER UPDATE OF path, metadata ON files
WHEN old.path <> new.path OR old.metadata <> new.metadata BEGIN
    INSERT INTO changes (chunk_id)
    SELECT id FROM chunks WHERE owner_id = new.id AND source = new.source;
END;
"""
"""A hit shows the path and the metadata of its file, and a scope may choose by the path."""


def log_owners(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_OWNERS_LOGGED).fetchall()
