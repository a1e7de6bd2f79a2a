"""Many schemas on the connections of one pool."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing

import pytest

from contracts import StorageError
from tests.postgres_server import PostgresServer, missing_packages, new_database

if not missing_packages():
    import psycopg

    from memory.storage.opening import open_tenant
    from memory.storage.postgres import PostgresStorage
    from memory.storage.postgres.connections.pool import MOST_SCHEMAS
    from memory.storage.postgres.database import PostgresDatabase
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)


@pytest.fixture(scope="module")
def home(postgres_server: PostgresServer) -> Iterator[PostgresStorage]:
    with new_database(postgres_server, "many") as dsn:
        storage = PostgresStorage.open(dsn, "home", create=True)
        yield storage
        storage.close()


def test_all_memories_share_the_connections_of_one_pool(home: PostgresStorage) -> None:
    with ExitStack() as stack:
        for name in ("a", "b"):
            storage = open_tenant(home, home.tenants.create(name))
            stack.callback(storage.close)
            assert storage.sequence() == 0
        sql = """SELECT count(*) FROM pg_stat_activity
            WHERE application_name LIKE 'symbiosis-memory%%' AND datname = current_database()"""
        with psycopg.connect(home.database.dsn) as connection:
            row = connection.execute(sql).fetchone()
        assert row is not None
        assert row[0] <= 2  # one, and one that is just ending


def test_a_closed_memory_refuses_while_the_others_go_on(home: PostgresStorage) -> None:
    tenant = home.tenants.find("a") or home.tenants.create("a")
    storage = open_tenant(home, tenant)
    assert storage.sequence() == 0
    storage.close()
    with pytest.raises(StorageError, match="has been closed"):
        storage.sequence()
    assert home.sequence() == 0


def test_a_role_that_a_tenant_left_on_the_connection_is_nobody_elses(home: PostgresStorage) -> None:
    """As a trigger in its schema may."""
    with closing(PostgresDatabase(home.database.dsn, "first", most=1)) as database:
        database.open(vectors_in="public", halfvec_oid=0)
        who = "SELECT pg_backend_pid(), current_user"
        before = database.read(who)
        left = "SELECT set_config('role', 'pg_monitor', false)"
        assert database.beside("second").read(left) == [("pg_monitor",)]
        assert database.read(who) == before
        with database.snapshot():
            assert database.read(who) == before


def test_a_connection_ends_when_it_has_worked_in_many_schemas(home: PostgresStorage) -> None:
    """The server's memory for a connection grows with every schema."""
    with closing(PostgresDatabase(home.database.dsn, "first", most=1)) as database:
        database.open(vectors_in="public", halfvec_oid=0)
        places = [database.beside(f"none {number}") for number in range(MOST_SCHEMAS)]

        def processes(used: Sequence[PostgresDatabase]) -> list[int]:
            return [one.read("SELECT pg_backend_pid()")[0][0] for one in used]

        few = processes(places[1:])
        assert processes(places[1:]) == few
        assert len(set(few)) == 1
        many = [*processes(places[:1]), *processes([database])]  # the last one is one too many
        assert set(many) == set(few)
        (following,) = set(processes(places[:2]))
        assert following not in few
