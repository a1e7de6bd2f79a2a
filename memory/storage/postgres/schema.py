"""The version of a schema's tables, and how they are made and brought to this program's version.

The version is the comment on the schema, so that a schema of another program is never touched.
"""

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import psycopg
from psycopg import sql

from contracts import BusyError, ConfigError, IncompatibleError, NotFoundError, StorageError
from contracts.named_tuple import NamedTuple
from memory.storage.postgres.column_defaults import to_version_3
from memory.storage.postgres.connections import translated
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.work_locks import lock_number
from memory.storage.postgres.writing.posting_blocks import to_version_2

Migration: TypeAlias = Callable[[psycopg.Connection[Any]], None]

MIGRATIONS: Final[tuple[Migration, ...]] = (to_version_2, to_version_3)
"""Steps to the next version, the first from version 1; a released one never changes. New tables
have the newest version.
"""

VERSION: Final = 1 + len(MIGRATIONS)

OLDEST_SERVER: Final = 150_000
OLDEST_VECTOR: Final = (0, 7)
MOST_OF_A_NAME: Final = 63
"""Bytes of a name that PostgreSQL keeps."""

WAIT_S: Final = 60.0
"""The time to wait for another process that makes or migrates the schema."""

MARK: Final = "Symbiosis Memory, version "
"""The beginning of the comment on a schema that is a memory."""

_EXTENSION_SQL: Final = """
SELECT n.nspname, e.extversion, to_regtype(quote_ident(n.nspname) || '.halfvec')::oid
FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'
"""
_COMMENT_SQL: Final = """
SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s
"""
_OWNER_SQL: Final = """
SELECT r.rolname FROM pg_namespace AS n JOIN pg_roles AS r ON r.oid = n.nspowner
WHERE n.nspname = %s AND r.rolname <> current_user AND pg_has_role(r.oid, %s)
"""
_MAY_USE_SQL: Final = """
SELECT has_schema_privilege(oid, 'USAGE'), current_user FROM pg_namespace WHERE nspname = %s
"""
_SET_SINCE: Final = 160_000
"""The first version that tells the right to act as a role from being its member."""

_TABLES_SQL: Final = """
SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s
"""


class Extension(NamedTuple):
    """The schema of the extension pgvector, and the number of its type `halfvec`."""

    vectors_in: str
    halfvec_oid: int


def checked_name(schema: str) -> str:
    """Return the name of a schema. Raises ConfigError for one that PostgreSQL would shorten."""
    if not schema or "\0" in schema or len(schema.encode("utf-8", "replace")) > MOST_OF_A_NAME:
        raise ConfigError(
            f"memory.schema is {schema!r}, which is not a valid name of a schema",
            hint=f"give it a name of at most {MOST_OF_A_NAME} bytes",
        )
    if schema.startswith("pg_") or schema in ("information_schema", "public"):
        raise ConfigError(
            f"memory.schema is {schema!r}, a schema of the server",
            hint="give the memory a schema of its own",
        )
    return schema


def prepare_schema(
    database: PostgresDatabase, *, create: bool, wait_s: float = WAIT_S
) -> Extension:
    """Create or migrate the schema, alone among all processes; return what it uses.

    Raises BusyError when another process does so for longer, NotFoundError when it is missing and
    `create` is false, IncompatibleError for a schema of another program or a newer version, and for
    a server or an extension that is too old.
    """
    schema = checked_name(database.schema)
    with database.connect() as connection, translated():
        if connection.info.server_version < OLDEST_SERVER:
            raise IncompatibleError(
                f"the server is PostgreSQL {connection.info.server_version // 10_000}",
                hint="use version 15 or newer",
            )
        with connection.transaction():
            _lock(connection, schema, wait_s)
            database.act_as(_owner(connection, schema))
            extension = _extension(connection, create=create)
            _migrate(connection, database, create=create)
    return extension


def _lock(connection: psycopg.Connection[Any], schema: str, wait_s: float) -> None:
    """Wait until no other process makes or migrates the schema, or the extension of its database,
    which two schemas may need at the same time.
    """
    connection.execute(f"SET LOCAL lock_timeout = '{wait_s * 1000:.0f}ms'")
    for name in ("", schema):
        number = lock_number(name, "migrate")
        try:
            connection.execute(f"SELECT pg_advisory_xact_lock({number})")
        except psycopg.errors.LockNotAvailable:
            raise BusyError(
                f"another process has been making or migrating "
                f"{f'the schema {schema}' if name else 'a schema of the database'} "
                f"for over {wait_s:.0f} s",
                hint="try again once it has ended; an administrator finds it with: SELECT a.* FROM "
                "pg_stat_activity AS a JOIN pg_locks USING (pid) WHERE locktype = 'advisory'",
            ) from None
    connection.execute("SET LOCAL lock_timeout TO DEFAULT")


def _owner(connection: psycopg.Connection[Any], schema: str) -> str | None:
    """Return the owner of a schema, if the connection's role is another one and may act as it.

    Raises StorageError where the role may not even look into the schema.
    """
    may = connection.execute(_MAY_USE_SQL, (schema,)).fetchone()
    if may is not None and not may[0]:  # its tables would count as missing
        raise StorageError(
            f"PostgreSQL refuses: the role {may[1]} may not use the schema {schema}",
            hint="name the role that owns it in memory.dsn, or the schema of that role",
        )
    right = "MEMBER" if connection.info.server_version < _SET_SINCE else "SET"
    row = connection.execute(_OWNER_SQL, (schema, right)).fetchone()
    return None if row is None else str(row[0])


def _extension(connection: psycopg.Connection[Any], *, create: bool) -> Extension:
    row = connection.execute(_EXTENSION_SQL).fetchone()
    if row is None and create:
        try:
            with connection.transaction():
                connection.execute("CREATE EXTENSION vector")
        except psycopg.Error as error:
            raise StorageError(
                f"the extension pgvector cannot be created: {error.diag.message_primary}",
                hint="install pgvector 0.7 or newer on the server, then let a superuser run: "
                "CREATE EXTENSION vector",
            ) from None
        row = connection.execute(_EXTENSION_SQL).fetchone()
    if row is None:
        raise NotFoundError(
            "the database has no extension pgvector, and so no memory",
            hint="make one: mem sync PATH",
        )
    place, version, oid = row
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_VECTOR:
        raise IncompatibleError(
            f"the extension pgvector has version {version}",
            hint="install 0.7 or newer, then run: ALTER EXTENSION vector UPDATE",
        )
    return Extension(place, int(oid))


def _migrate(
    connection: psycopg.Connection[Any], database: PostgresDatabase, *, create: bool
) -> None:
    schema = sql.Identifier(database.schema).as_string(None)
    version = _version(connection, database.schema)
    if version == VERSION:
        return
    if version is None:
        if not create:
            raise NotFoundError(
                f"there is no memory in the schema {database.schema}",
                hint="make one: mem sync PATH",
            )
        from memory.storage.postgres.tables import tables_sql

        if connection.execute(_COMMENT_SQL, (database.schema,)).fetchone() is None:
            connection.execute(f"CREATE SCHEMA {schema}")  # an owner may be unable to create more
        connection.execute(database.path_sql)
        connection.execute(tables_sql())
        version = VERSION
    connection.execute(database.path_sql)
    for migrate in MIGRATIONS[version - 1 :]:
        migrate(connection)
    connection.execute(f"COMMENT ON SCHEMA {schema} IS '{MARK}{VERSION}'")


def _version(connection: psycopg.Connection[Any], schema: str) -> int | None:
    """Return the version of a schema's tables; None for one that is missing or empty."""
    row = connection.execute(_COMMENT_SQL, (schema,)).fetchone()
    if row is None:
        return None
    comment = row[0] or ""
    if re.fullmatch(f"{MARK}[0-9]{{1,9}}", comment) is None:
        tables = connection.execute(_TABLES_SQL, (schema,)).fetchone()
        if tables is not None and tables[0]:
            raise IncompatibleError(
                f"the schema {schema} belongs to another program",
                hint="name another one in memory.schema",
            )
        return None
    version = int(comment.removeprefix(MARK))
    if version > VERSION:
        raise IncompatibleError(
            f"the schema {schema} has version {version}, "
            f"this program knows versions up to {VERSION}",
            hint="upgrade symbiosis-memory, or name another schema in memory.schema",
        )
    return version
