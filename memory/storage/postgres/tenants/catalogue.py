"""Tenants: listed from the server's catalogue, made, measured and dropped.

A tenant is a schema whose name begins with `tenant_` and whose comment says that it is a memory.
There is no table of tenants, so that a schema which an administrator restores or drops by hand
counts at once.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import psycopg
from psycopg import sql

from contracts import BusyError, InputError, NotFoundError
from memory.storage.capabilities.tenants import Tenant, TenantUsage
from memory.storage.postgres.connections import BUSY_TIMEOUT_S, translated
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.schema import MARK, prepare_schema
from memory.storage.postgres.tenants.roles import checked_role, grant_role
from memory.storage.postgres.tenants.usage import usage_of
from memory.storage.postgres.work_locks import lock_number

PREFIX: Final = "tenant_"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ALL_SQL: Final = f"""
SELECT n.oid::bigint, n.nspname, r.rolname, obj_description(n.oid, 'pg_namespace')
FROM pg_namespace AS n JOIN pg_roles AS r ON r.oid = n.nspowner
WHERE starts_with(n.nspname::text, '{PREFIX}')
    AND obj_description(n.oid, 'pg_namespace') ~ '^{MARK}[0-9]{{1,9}}$'
"""
_LISTED_SQL: Final = f"{_ALL_SQL} ORDER BY n.nspname"
_SOME_SQL: Final = f"{_ALL_SQL} AND n.nspname IN (:schemas)"


class PostgresTenants:
    """`Tenants` of one database. See the protocol for what each method means."""

    def __init__(self, database: PostgresDatabase) -> None:
        """Use the connections of any schema of the database."""
        self._database = database.beside("tenants")  # not a schema: nothing has a name in it

    def all(self) -> list[Tenant]:
        return [_tenant(row) for row in self._database.read(_LISTED_SQL)]

    def find(self, name: str) -> Tenant | None:
        rows = self._database.read(_SOME_SQL, {"schemas": [f"{PREFIX}{name}"]})
        return _tenant(rows[0]) if rows else None

    def among(self, tenants: Iterable[Tenant]) -> list[Tenant]:
        schemas = [tenant.schema for tenant in tenants]
        return [_tenant(row) for row in self._database.read(_SOME_SQL, {"schemas": schemas})]

    def create(self, name: str, *, role: str | None = None) -> Tenant:
        if not _NAME.fullmatch(name):
            raise InputError(
                f"the name of the tenant is {name!r:.80}",
                hint="give 1 to 40 of a-z, 0-9 and _, beginning with a letter, as in acme",
            )
        if self.find(name) is not None:
            raise InputError(
                f"there is a tenant {name} already",
                hint="choose another name, or look at all: mem tenant list",
            )
        schema = f"{PREFIX}{name}"
        with self._database.connect() as connection, translated(), connection.transaction():
            create = sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema))
            if role is not None:
                role = checked_role(connection, role, schema=schema, prefix=PREFIX)
                grant_role(connection, role)
                create += sql.SQL(" AUTHORIZATION {}").format(sql.Identifier(role))
            connection.execute(create)
        prepare_schema(PostgresDatabase(self._database.dsn, schema), create=True)
        made = self.find(name)
        if made is None:
            raise _gone(name)
        return made

    def usage(self, tenants: Iterable[Tenant]) -> list[TenantUsage]:
        return list(usage_of(self._database, list(tenants), self.database))

    def drop(self, tenant: Tenant, *, works: Iterable[str]) -> None:
        # The transaction holds the locks that writers and workers take, and so keeps them out.
        with self._database.connect() as connection, translated(), connection.transaction():
            connection.execute(f"SET LOCAL lock_timeout = '{BUSY_TIMEOUT_S:.0f}s'")
            for work in ("write", *works):
                self._keep_out(connection, tenant, work)
            found = self.find(tenant.name)
            if found is None or found.number != tenant.number:
                raise _gone(tenant.name)
            if self._acts_as(connection, tenant.role):
                role = sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(tenant.role))
                connection.execute(role)
            drop = sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(tenant.schema))
            connection.execute(drop)

    @staticmethod
    def _keep_out(connection: psycopg.Connection[Any], tenant: Tenant, work: str) -> None:
        number = lock_number(tenant.schema, work)
        row = connection.execute(f"SELECT pg_try_advisory_xact_lock({number})").fetchone()
        if row is not None and not row[0]:
            doing = "is written to" if work == "write" else f"is in use by a running {work}"
            raise BusyError(
                f"the tenant {tenant.name} {doing}",
                hint="wait for it to end, or stop the server that does it, and drop it then",
            )

    @staticmethod
    def _acts_as(connection: psycopg.Connection[Any], role: str) -> bool:
        row = connection.execute("SELECT current_user <> %s", (role,)).fetchone()
        return bool(row and row[0])

    def database(self, tenant: Tenant) -> PostgresDatabase:
        database = self._database.beside(tenant.schema)
        database.act_as(tenant.role)
        return database


@contextlib.contextmanager
def open_tenants_at(dsn: str) -> Iterator[PostgresTenants]:
    """Open the tenants of the database at that address, until the end of the block."""
    database = PostgresDatabase(dsn, "tenants", most=1)
    database.open(vectors_in="public", halfvec_oid=0)  # no vector is read on these connections
    try:
        yield PostgresTenants(database)
    finally:
        database.close()


def _tenant(row: tuple[Any, ...]) -> Tenant:
    number, schema, role, comment = row
    version = int(comment.removeprefix(MARK))
    return Tenant(schema.removeprefix(PREFIX), schema, role, version, number)


def _gone(name: str) -> NotFoundError:
    return NotFoundError(f"there is no tenant {name}", hint="look at all: mem tenant list")
