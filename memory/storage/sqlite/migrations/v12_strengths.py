"""Version 12: the strongest memories of a layer are found without looking at all others."""

import apsw

_INDEX = """
CREATE INDEX memories_strength
ON memories (layer, importance, hits, coalesce(last_seen_at, created_at), id)
WHERE status = 'active'
"""


def index_strengths(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_INDEX).fetchall()
