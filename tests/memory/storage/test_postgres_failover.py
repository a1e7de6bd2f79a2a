"""PostgreSQL away, slow, restarted: what callers see, and that nothing acknowledged is lost."""

import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from memory.storage.database import DatabaseUnavailableError
from tests.memory.storage.oracle import World
from tests.postgres_server import OwnServer, PostgresServer, missing_packages
from tests.waiting import wait_until

if not missing_packages():
    import psycopg

    from memory.storage.postgres import PostgresStorage
    from memory.storage.postgres.database import PostgresDatabase
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

LOSE_SQL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE %s"


def lose_connections(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(LOSE_SQL, ("symbiosis-memory%",))


class Writer:
    """A thread that stores one text after another, and notes those whose storing succeeded."""

    def __init__(self, storage: PostgresStorage) -> None:
        self.acknowledged: list[str] = []
        self.failed = 0
        self._world = World(storage)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def _write(self) -> None:
        number = 0
        while not self._stopping.is_set():
            number += 1
            try:
                self._world.put_texts(f"owner{number}", f"text {number}")
            except DatabaseUnavailableError:
                self.failed += 1
                continue
            self.acknowledged.append(f"owner{number}")

    def __enter__(self) -> "Writer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    def has_written(self, more: int) -> Callable[[], bool]:
        wanted = len(self.acknowledged) + more
        return lambda: len(self.acknowledged) >= wanted


@pytest.mark.slow
def test_nothing_acknowledged_is_lost(own_server: OwnServer) -> None:
    with (
        closing(PostgresStorage.open(own_server.dsn, "writes", create=True)) as storage,
        Writer(storage) as writer,
    ):
        for disturb in (
            lambda: lose_connections(own_server.dsn),
            lambda: (own_server.stop(), own_server.start()),
            lambda: lose_connections(own_server.dsn),
        ):
            wait_until(writer.has_written(20))
            disturb()
            wait_until(writer.has_written(20))
    with closing(PostgresStorage.open(own_server.dsn, "writes", create=False)) as storage:
        stored = [row[0] for row in storage.database.read("SELECT owner_id FROM chunks")]
        assert set(writer.acknowledged) <= set(stored)
        assert len(stored) == len(set(stored))
        assert storage.count_chunks() == len(stored)
        assert writer.failed > 0


def test_a_storm_of_callers_is_bounded(postgres_server: PostgresServer) -> None:
    database = PostgresDatabase(postgres_server.dsn, "storm", most=3)
    database.open(vectors_in="public", halfvec_oid=0)
    counted: list[int] = []
    sql = """SELECT count(*) FROM pg_stat_activity, pg_sleep(0.05)
        WHERE application_name = 'symbiosis-memory storm'"""
    threads = [
        threading.Thread(target=lambda: counted.append(database.read(sql)[0][0])) for _ in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    assert len(counted) == 24
    assert max(counted) <= 3


def test_a_statement_that_takes_too_long_is_stopped(postgres_server: PostgresServer) -> None:
    dsn = f"{postgres_server.dsn}&options=-cstatement_timeout%3D100"
    with closing(PostgresDatabase(dsn, "public")) as database:
        database.open(vectors_in="public", halfvec_oid=0)
        with pytest.raises(DatabaseUnavailableError, match="statement_timeout"):
            database.read("SELECT pg_sleep(9)")
        assert database.read("SELECT 1") == [(1,)]


def test_lost_connections_are_replaced_unseen(postgres_server: PostgresServer) -> None:
    with closing(PostgresDatabase(postgres_server.dsn, "unseen")) as database:
        database.open(vectors_in="public", halfvec_oid=0)
        for _ in range(3):
            assert database.read("SELECT 1") == [(1,)]
            with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
                connection.execute(LOSE_SQL, (database.name,))
            with database.snapshot():
                assert database.read("SELECT 2") == [(2,)]
