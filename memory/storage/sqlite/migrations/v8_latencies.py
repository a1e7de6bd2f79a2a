"""Version 8: how long searches took, counted in buckets by servers."""

import apsw

_LATENCIES = """
CREATE TABLE latencies (
    leg TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (leg, bucket)
) WITHOUT ROWID;
"""


def count_latencies(connection: apsw.Connection) -> None:
    """Make the step."""
    connection.execute(_LATENCIES).fetchall()
