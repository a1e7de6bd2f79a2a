"""The state of a database's server, for `mem status`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatabaseServerStatus:
    """A server of databases and what it says about ours.

    `version` and `vector_version` are those of PostgreSQL and of pgvector. `connections` to the
    database are of this and other programs, of `most_connections` that the server allows.
    `dead_rows` wait for a VACUUM, beside `live_rows`; both are the server's estimates.
    `invalid_indexes` are not used until `mem doctor --fix` rebuilds them. `oldest_transaction_s` is
    the age of the oldest open transaction, which keeps removed rows on the disk.
    """

    version: str
    vector_version: str
    connections: int
    most_connections: int
    live_rows: int
    dead_rows: int
    invalid_indexes: list[str]
    oldest_transaction_s: float
