"""The figures of a database with many tenants, all empty or all with some records."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg

from benchmarks.harness.processes import ROOT
from benchmarks.harness.values import Figure
from benchmarks.tenants.own_server import OwnServer, resident_bytes
from memory.config.loading import LoadedConfig, load_config
from memory.conversations.memories.editing import remember
from memory.operations.jobs.manual_runs import maintain_all
from memory.operations.tenants.managing import create_tenant, list_tenants
from memory.retrieval.searching import search
from memory.retrieval.server_caches import start_server_caches
from memory.storage.opening import open_tenant
from memory.workspace import Workspace
from search import SearchOptions

NAME: Final = "tenants"

CATALOGUES: Final = ("pg_class", "pg_attribute", "pg_index", "pg_constraint", "pg_depend")
"""The catalogues whose sizes are named; all others are in the sum."""

_CATALOGUE_SQL: Final = """
SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c
WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r'
"""
_CONTEXTS_SQL: Final = "SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts"

_VISITED: Final = 50
"""The most tenants whose jobs are run."""

MIGRATION: Final = """
ALTER TABLE files ADD COLUMN probe BIGINT;
CREATE INDEX files_probe ON files (probe);
UPDATE meta SET value_json = value_json
"""
"""A step as migrations have them: a column, an index, a statement over rows."""


def measure(
    server: OwnServer, config: Path, *, schemas: int, touched: Sequence[int]
) -> Iterator[Figure]:
    """All figures, in the order in which they are made."""
    loaded = load_config(config)
    Workspace(loaded).close()
    empty_bytes = server.size_bytes()
    yield from _create(server, loaded, schemas)
    yield from _catalogue(server, schemas, empty_bytes)
    yield from _commands(server, config, schemas)
    yield from _checks(server, loaded, schemas)
    yield from _visits(server, loaded)
    yield from _migrate(server, loaded)
    yield from _backend_memory(server, loaded, touched)
    yield from _own_memory(loaded, touched)


def _create(server: OwnServer, loaded: LoadedConfig, schemas: int) -> Iterator[Figure]:
    began_s, own_s, server_s = time.perf_counter(), time.process_time(), server.processor_s()
    for number in range(schemas):
        create_tenant(loaded, f"t{number}")
        if number % 100 == 99:
            print(f"{number + 1:,} of {schemas:,} made", file=sys.stderr, flush=True)
    own_s, server_s = time.process_time() - own_s, server.processor_s() - server_s
    clock_s = time.perf_counter() - began_s
    beside = f"on processors; the server {server_s:.1f} s of it; by the clock {clock_s:.0f} s"
    yield Figure(NAME, f"create {schemas:,} tenants", own_s + server_s, "s", beside=beside)


def _catalogue(server: OwnServer, schemas: int, empty_bytes: int) -> Iterator[Figure]:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        for name in CATALOGUES:
            sql = f"SELECT count(*), pg_total_relation_size('{name}') FROM {name}"  # noqa: S608
            rows, size_bytes = _row(connection, sql)
            yield Figure(NAME, f"rows of {name}", rows, "", beside=f"{size_bytes / 1e6:.1f} MB")
        (all_bytes,) = _row(connection, _CATALOGUE_SQL)
        yield Figure(NAME, "all catalogues", all_bytes / 1e6, "MB")
        sql = "SELECT count(*) FROM pg_class WHERE relnamespace = 'tenant_t0'::regnamespace"
        (relations,) = _row(connection, sql)
        yield Figure(NAME, "relations of a tenant", relations, "", beside="with indexes")
    each = (server.size_bytes() - empty_bytes) / schemas
    yield Figure(NAME, "disk of an empty tenant", each / 1e6, "MB", beside="catalogue included")


def _commands(server: OwnServer, config: Path, schemas: int) -> Iterator[Figure]:
    for words in (["tenant", "list", "--json"], ["tenant", "usage", "--json"]):
        command = [sys.executable, "-m", "cli.main", "--config", str(config), *words]
        began_s, before, server_s = time.perf_counter(), _children_s(), server.processor_s()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        spent_s, clock_s = _children_s() - before, time.perf_counter() - began_s
        server_s = server.processor_s() - server_s
        beside = f"{schemas:,} tenants; the server {server_s:.2f} s; by the clock {clock_s:.2f} s"
        yield Figure(NAME, f"mem {' '.join(words[:2])}, processor", spent_s, "s", beside=beside)


def _checks(server: OwnServer, loaded: LoadedConfig, schemas: int) -> Iterator[Figure]:
    """Open every tenant, as a server does, which migrates those of an older version."""
    with Workspace(loaded) as home:
        own_s, server_s = time.process_time(), server.processor_s()
        for tenant in list_tenants(loaded):
            open_tenant(home.storage, tenant).close()
        own_s, server_s = time.process_time() - own_s, server.processor_s() - server_s
    each_ms = (own_s + server_s) / schemas * 1000
    beside = f"nothing to migrate; the server {server_s / schemas * 1000:.1f} ms of it"
    yield Figure(NAME, "open a tenant, on processors", each_ms, "ms", beside=beside)


def _visits(server: OwnServer, loaded: LoadedConfig) -> Iterator[Figure]:
    """Run the jobs of some tenants, as the job `tenants` does with each in turn."""
    with Workspace(loaded) as home:
        tenants = list_tenants(loaded)[:_VISITED]
        own_s, server_s = time.process_time(), server.processor_s()
        for tenant in tenants:
            storage = open_tenant(home.storage, tenant)
            with Workspace(loaded.of_tenant(tenant.schema), storage=storage) as workspace:
                maintain_all(workspace)
        own_s, server_s = time.process_time() - own_s, server.processor_s() - server_s
    each_ms = (own_s + server_s) / len(tenants) * 1000
    beside = f"nothing waits; the server {server_s / len(tenants) * 1000:.1f} ms of it"
    yield Figure(NAME, "run a tenant's jobs, on processors", each_ms, "ms", beside=beside)


def _migrate(server: OwnServer, loaded: LoadedConfig) -> Iterator[Figure]:
    tenants = list_tenants(loaded)
    before_s, clock_s = server.processor_s(), time.perf_counter()
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        for tenant in tenants:
            path = f'SET LOCAL search_path = "{tenant.schema}"'
            connection.execute(f"BEGIN; {path}; {MIGRATION}; COMMIT")
    spent_s, clock_s = server.processor_s() - before_s, time.perf_counter() - clock_s
    beside = f"of the server, over one connection; by the clock {clock_s:.1f} s"
    yield Figure(NAME, f"migrate {len(tenants):,} tenants", spent_s, "s", beside=beside)


def _backend_memory(
    server: OwnServer, loaded: LoadedConfig, touched: Sequence[int]
) -> Iterator[Figure]:
    """The memory of one connection of the server that has worked in so many schemas."""
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        pid, done = connection.info.backend_pid, 0
        tables = _tables(connection)
        for number in touched:
            for at in range(done, number):
                _touch(connection, f"tenant_t{at}", tables)
            done = number
            (contexts,) = _row(connection, _CONTEXTS_SQL)
            beside = f"in its memory contexts; private memory {resident_bytes(pid) / 1e6:.1f} MB"
            what = f"connection that touched {number:,} tenants"
            yield Figure(NAME, what, contexts / 1e6, "MB", beside=beside)


def _touch(connection: psycopg.Connection[Any], schema: str, tables: Sequence[str]) -> None:
    """Read every table of a schema: its relations and indexes stay in the connection's caches."""
    counted = ", ".join(f"(SELECT count(*) FROM {table})" for table in tables)  # noqa: S608
    connection.execute(f'BEGIN; SET LOCAL search_path = "{schema}"; SELECT {counted}; COMMIT')


def _own_memory(loaded: LoadedConfig, touched: Sequence[int]) -> Iterator[Figure]:
    """The memory of a process that has so many tenants open, a record and a search in each."""
    import os

    opened: list[Workspace] = []
    with Workspace(loaded) as home:
        tenants = list_tenants(loaded)
        most = min(100, len(tenants))
        for number in sorted({*(count for count in touched if count < most), most}):
            for tenant in tenants[len(opened) : number]:
                storage = open_tenant(home.storage, tenant)
                workspace = Workspace(loaded.of_tenant(tenant.schema), storage=storage)
                start_server_caches(workspace)
                remember(workspace, "The lamp of the lighthouse was changed.")
                search(workspace, "lighthouse", SearchOptions(mode="keyword"))
                opened.append(workspace)
            size = resident_bytes(os.getpid()) / 1e6
            yield Figure(NAME, f"process with {number:,} open tenants", size, "MB")
        for workspace in opened:
            with closing(workspace):
                pass


def _tables(connection: psycopg.Connection[Any]) -> list[str]:
    sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'tenant_t0' ORDER BY tablename"
    return [name for (name,) in connection.execute(sql).fetchall()]


def _row(connection: psycopg.Connection[Any], sql: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = connection.execute(sql).fetchone()
    assert row is not None  # noqa: S101  # each of these statements has one row
    return row


def _children_s() -> float:
    import resource

    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
