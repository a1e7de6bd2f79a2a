"""Version 11: the chunks of a session are found without looking at all others."""

import apsw

_INDEX = "CREATE INDEX chunks_session ON chunks (session_id) WHERE session_id IS NOT NULL"


def index_sessions(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_INDEX).fetchall()
