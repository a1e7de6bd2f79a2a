"""The sizes of tenants: those of the server's own functions, and no statement for an empty one."""

import re
from collections.abc import Iterator

import pytest

from memory.storage.values import utc_now
from tests.postgres_server import OwnServer, missing_packages

if not missing_packages():
    from psycopg.conninfo import make_conninfo

    from memory.storage.capabilities.tenants import Tenant
    from memory.storage.opening import open_tenant
    from memory.storage.postgres import PostgresStorage
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

BYTES_SQL = """
SELECT sum(pg_table_size(c.oid) + pg_indexes_size(c.oid))::bigint FROM pg_class AS c
WHERE c.relnamespace = to_regnamespace(:schema) AND c.relkind = 'r'
"""
ACTIONS_SQL = """
INSERT INTO actions (at, actor, action, source, record_id)
SELECT :at, 'somebody', 'read', 'memory', number FROM generate_series(1, 5000) AS number
"""
TURN_SQL = "INSERT INTO turns (session_id, role, text, ts) VALUES ('s1', 'user', 'Hello', :at)"


@pytest.fixture(scope="module")
def home(own_server: OwnServer) -> Iterator[PostgresStorage]:
    """A memory on a server that writes down every statement."""
    dsn = make_conninfo(own_server.dsn, options="-clog_statement=all")
    storage = PostgresStorage.open(dsn, "home", create=True)
    yield storage
    storage.close()


def sizes(home: PostgresStorage, tenant: Tenant) -> tuple[int, int]:
    """The bytes of a tenant as they are told, and as the server counts them."""
    (told,) = home.tenants.usage([tenant])
    ((counted,),) = home.database.read(BYTES_SQL, {"schema": tenant.schema})
    return told.size_bytes, counted


def test_bytes_are_those_of_the_server(home: PostgresStorage) -> None:
    """Of a new tenant, a filled one, and one that is empty again but keeps pages of indexes."""
    tenant = home.tenants.create("sized")
    new, counted = sizes(home, tenant)
    assert new == counted > 0
    storage = open_tenant(home, tenant)
    with storage.database.transaction() as tx:
        tx.run(ACTIONS_SQL, {"at": utc_now()})
    filled, counted = sizes(home, tenant)
    assert filled == counted > new
    with storage.database.transaction() as tx:
        tx.run("DELETE FROM actions")
    storage.database.vacuum("actions")
    emptied, counted = sizes(home, tenant)
    assert filled > emptied == counted > new


def test_rows_that_citus_keeps_on_another_node_are_counted(home: PostgresStorage) -> None:
    """As in a distributed table, a table has rows and no page: they are those of a child."""
    tenant = home.tenants.create("distributed")
    turns, elsewhere = f'"{tenant.schema}".turns', "public.turns_elsewhere"
    with home.database.connect() as connection:
        connection.execute(f"CREATE TABLE {elsewhere} () INHERITS ({turns})")
        connection.execute(
            f"INSERT INTO {elsewhere} (id, session_id, role, text, ts) "
            f"VALUES (1, 's1', 'user', 'Hello', '{utc_now()}')"
        )
        (told,) = home.tenants.usage([tenant])
        assert told.records == {}
        connection.execute(
            "INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, "
            "extversion) SELECT 99999, 'citus', extowner, extnamespace, false, '13.0' "
            "FROM pg_extension LIMIT 1"
        )
        try:
            (told,) = home.tenants.usage([tenant])
            assert told.records == {"turns": 1}
        finally:
            connection.execute("DELETE FROM pg_extension WHERE extname = 'citus'")
            connection.execute(f"DROP TABLE {elsewhere}")


def test_a_tenant_without_records_takes_no_statement(
    home: PostgresStorage, own_server: OwnServer
) -> None:
    tenants = [home.tenants.create(f"t{number}") for number in range(3)]
    storage = open_tenant(home, tenants[1])
    with storage.database.transaction() as tx:
        tx.run(TURN_SQL, {"at": utc_now()})
    before = len(own_server.log.read_text("utf-8"))
    told = home.tenants.usage(tenants)
    counted = re.findall(r"FROM turns\b", own_server.log.read_text("utf-8")[before:])
    assert [dict(one.records) for one in told] == [{}, {"turns": 1}, {}]
    assert [(one.chunks, one.tokens, one.last_write) for one in told] == [(0, 0, None)] * 3
    assert len(counted) == 1
