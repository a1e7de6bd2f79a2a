"""The state of a database's server, for `mem status`."""

from dataclasses import dataclass, field
from typing import Literal

from contracts.named_tuple import NamedTuple


class ReplicaLag(NamedTuple):
    """The distance of a replica from the primary: seconds, and changes of chunks."""

    number: int
    behind_s: float
    behind_changes: int


@dataclass(frozen=True, slots=True)
class ReplicaStatus:
    """A read replica, the first of the settings being 1.

    `level`: it has all that the primary has of this memory; `behind`: so many changes are missing,
    of so many seconds at most (None: unknown); `foreign`: it does not follow the primary; `away`:
    it does not answer, and `failure` says why.
    """

    number: int
    state: Literal["level", "behind", "foreign", "away"]
    behind_s: float | None
    behind_changes: int | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class DatabaseServerStatus:
    """A server of databases and what it says about ours.

    `version` and `vector_version` are those of PostgreSQL and of pgvector. `connections` to the
    database are of this and other programs, of `most_connections` that the server allows.
    `dead_rows` wait for a VACUUM, beside `live_rows`; both are the server's estimates.
    `invalid_indexes` are not used until `mem doctor --fix` rebuilds them. `oldest_transaction_s` is
    the age of the oldest open transaction, which keeps removed rows on the disk. `replicas` are
    those of the settings.
    """

    version: str
    vector_version: str
    connections: int
    most_connections: int
    live_rows: int
    dead_rows: int
    invalid_indexes: list[str]
    oldest_transaction_s: float
    replicas: list[ReplicaStatus] = field(default_factory=list)
