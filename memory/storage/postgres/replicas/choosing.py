"""The choice of a replica that knows enough, for one search.

A replica may answer when its revision of the memory is the primary's, or when it is behind for no
longer than is allowed. Both are asked at the beginning of the search, so that an answer never lacks
what was acknowledged before, by whatever process, unless the settings allow it.
"""

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

import psycopg

from contracts import MemError
from contracts.named_tuple import NamedTuple
from memory.storage.capabilities.server import ReplicaLag, ReplicaStatus
from memory.storage.database import DatabaseUnavailableError, StatementStoppedError
from memory.storage.postgres.connections import ServerFailedError, ServerPool, translated
from memory.storage.postgres.connections.pool import PROBE_TIMEOUT_S
from memory.storage.values import Revision

LEFT_ALONE_S: Final = 5.0
"""The time for which a replica that failed is not asked."""

REPLAYED_SQL: Final = """
SELECT CASE WHEN pg_is_in_recovery() THEN system_identifier ELSE 0 END,
    extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::double precision
FROM pg_control_system()
"""
"""The history that a server follows, 0 if it follows none, and the age of what it replayed last."""

FOLLOWED_SQL: Final = "SELECT system_identifier FROM pg_control_system()"


class Replica:
    """One replica: its connections, and its last failure."""

    def __init__(self, number: int, pool: ServerPool) -> None:
        self.number = number
        self.pool = pool
        self.failure = ""
        self._failed_s = float("-inf")
        self._opening = threading.Lock()
        self._is_open = False

    def open(self) -> None:
        """Open its connections before their first use; raises at once where nobody answers."""
        with self._opening:
            if not self._is_open:
                with translated():
                    self.pool.connect(connect_timeout=PROBE_TIMEOUT_S).close()
                    self.pool.open()
                self._is_open = True

    def is_asked(self) -> bool:
        """Return whether it did not fail just now."""
        return time.monotonic() >= self._failed_s + LEFT_ALONE_S

    @contextlib.contextmanager
    def noting_failure(self) -> Iterator[None]:
        """Leave it alone for a while once a read in this block finds that it cannot serve anybody.

        An error of one read alone, such as a missing right or a damaged value, leaves it to others.
        """
        try:
            yield
        except StatementStoppedError:
            raise
        except (DatabaseUnavailableError, ServerFailedError) as error:
            self.failure, self._failed_s = error.message, time.monotonic()
            raise


class Asked(NamedTuple):
    """The answer of a replica: its revision, whether it follows the primary, and how old at most
    what it replayed last is; None: unknown.
    """

    revision: Revision
    is_following: bool
    replayed_s: float | None


class Replicas:
    """The replicas of one server, shared by all memories on it. Any thread may use them."""

    def __init__(self, pools: Sequence[ServerPool], *, lag_s: float) -> None:
        """`lag_s` is how long a replica that answers may be behind; 0: not at all."""
        self._replicas = [Replica(number, pool) for number, pool in enumerate(pools, 1)]
        self._lag_s = lag_s
        self._turns = itertools.count()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._replicas)

    def close(self) -> None:
        """Close all connections."""
        for replica in self._replicas:
            replica.pool.close()

    def choose(
        self, primary: Revision, ask: Callable[[Replica], Asked]
    ) -> tuple[Replica, ReplicaLag] | None:
        """Return a replica that may answer, and how far it is behind; None if none may.

        They take turns. `ask` raises a MemError for one that does not answer.
        """
        with self._lock:
            first = next(self._turns)
        for at in range(len(self._replicas)):
            replica = self._replicas[(first + at) % len(self._replicas)]
            if not replica.is_asked():
                continue
            asked = self._asked(replica, ask)
            if asked is None or not asked.is_following:
                continue
            if asked.revision == primary:
                return replica, ReplicaLag(replica.number, 0.0, 0)
            if may_lag(asked.replayed_s, allowed_s=self._lag_s):
                return replica, ReplicaLag(replica.number, *_behind(asked, primary))
        return None

    def status(self, primary: Revision, ask: Callable[[Replica], Asked]) -> list[ReplicaStatus]:
        """Return the state of each replica, asked now."""
        found = []
        for replica in self._replicas:
            number, asked = replica.number, self._asked(replica, ask)
            if asked is None:
                state: Literal["away", "behind"] = "away" if replica.failure else "behind"
                found.append(ReplicaStatus(number, state, None, None, replica.failure or None))
            elif not asked.is_following:
                found.append(ReplicaStatus(number, "foreign", None, None, None))
            elif asked.revision == primary:
                found.append(ReplicaStatus(number, "level", 0.0, 0, None))
            else:
                behind_s, changes = _behind(asked, primary)
                known_s = None if asked.replayed_s is None else behind_s
                found.append(ReplicaStatus(number, "behind", known_s, changes, None))
        return found

    def _asked(self, replica: Replica, ask: Callable[[Replica], Asked]) -> Asked | None:
        """Return what a replica says, None if it does not answer, or lacks the memory yet."""
        try:
            with replica.noting_failure():
                replica.open()
                asked = ask(replica)
        except (MemError, psycopg.Error):  # such as a schema or a role that has not arrived
            return None
        replica.failure = ""
        return asked


def may_lag(replayed_s: float | None, *, allowed_s: float) -> bool:
    """Return whether a replica may answer that replayed what is so old; None: unknown.

    A negative age says that its clock differs from the primary's, and so nothing.
    """
    return bool(allowed_s) and replayed_s is not None and 0 <= replayed_s <= allowed_s


def _behind(asked: Asked, primary: Revision) -> tuple[float, int]:
    """Return the most seconds and the changes of chunks that a replica lacks."""
    behind_s = round(max(asked.replayed_s or 0.0, 0.001), 3)
    return behind_s, max(0, primary[0] - asked.revision[0])
