"""Opening of databases by the name of their backend. No other module knows the backends."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from contracts import InputError, UnavailableError, install_hint
from contracts.named_tuple import NamedTuple
from memory.storage.base import Storage

if TYPE_CHECKING:
    from memory.storage.capabilities.files import DatabaseFiles
    from memory.storage.capabilities.other_programs import ForeignFile
    from memory.storage.capabilities.tenants import Tenant, Tenants
    from memory.storage.values import CopiedTable

IN_MEMORY = "memory"
"""The backend of a database that ends with its process."""

ON_SERVER = "postgres"
"""The backend of a database that a server keeps."""

_BESIDE: Final = re.compile(r"-(wal|shm|journal)$|\.[\w ]+-lock$", re.IGNORECASE)
"""The endings of SQLite's log, its index and its journal, and of this program's lock files."""


class ServerAddress(NamedTuple):
    """The address of a server's database, which may hold a password, and a schema of it.

    replicas       addresses of servers that follow it, and may answer searches
    replica_lag_s  how long one that answers may be behind
    """

    dsn: str
    schema: str
    replicas: Sequence[str] = ()
    replica_lag_s: float = 0.0


def open_storage(
    backend: str,
    path: Path | None = None,
    *,
    address: ServerAddress | None = None,
    create: bool = True,
) -> Storage:
    """Open a database and migrate it to this program's version.

    `path` is the file of the backend `sqlite`, `address` the place of the backend `postgres`.
    Raises NotFoundError when it is missing and `create` is false, IncompatibleError for a file that
    is not a database, for what belongs to another program or has a newer version, StorageError when
    the disk or the server does not allow it, UnavailableError without the server's driver,
    ConfigError for an invalid address, InputError with `create` for a new file with the name of one
    beside another database. A refused file is left unchanged. A file that this user may only read
    can be read, unless `create` asks for more.
    """
    if address is not None:
        return _open_on_server(address, create=create)
    from memory.storage.sqlite.backend import SqliteStorage  # first looked for when it is wanted

    if backend == IN_MEMORY or path is None:
        return SqliteStorage.in_memory()
    if create and not _has_content(path):
        refuse_reserved(path)
    return SqliteStorage.open(path, create=create)


def _has_content(path: Path) -> bool:
    """Return whether SQLite can say what the file is; to open it here would undo its locks."""
    with suppress(OSError):
        return path.stat().st_size > 0
    return False


def refuse_reserved(path: Path) -> None:
    """Raise InputError for the name of a file beside a database, whether or not that is there."""
    found = _BESIDE.search(path.name)
    if found:
        raise InputError(
            f"{path} has the name of a file beside a database, which ends in {found[0]}",
            hint="choose another name",
        )


def _open_on_server(address: ServerAddress, *, create: bool) -> Storage:
    _require_driver()
    from memory.storage.postgres.backend import PostgresStorage

    return PostgresStorage.open(
        address.dsn,
        address.schema,
        create=create,
        replicas=address.replicas,
        replica_lag_s=address.replica_lag_s,
    )


def open_tenants(address: ServerAddress) -> "AbstractContextManager[Tenants]":
    """Open the tenants of a server's database, whether or not its own memory is there.

    Raises UnavailableError without the server's driver, ConfigError for an invalid address.
    """
    _require_driver()
    from memory.storage.postgres.tenants import open_tenants_at

    return open_tenants_at(address.dsn)


def open_tenant(beside: Storage, tenant: "Tenant") -> Storage:
    """Open a tenant's memory on the connections of another memory of the same database."""
    from memory.storage.postgres.backend import PostgresStorage

    if not isinstance(beside, PostgresStorage):
        raise TypeError("only a database on a server has tenants")
    return PostgresStorage.open_on(beside.database.beside(tenant.schema), create=False)


def _require_driver() -> None:
    from importlib.util import find_spec

    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise UnavailableError(
            'memory.backend is "postgres", whose driver is not installed',
            hint=install_hint("postgres"),
        )


def tables_to_copy() -> "list[CopiedTable]":
    """Return the tables that a copy of a memory consists of, in the order to write them."""
    from memory.storage.postgres.copied_tables import tables_to_copy

    return tables_to_copy()


def database_files(backend: str) -> "DatabaseFiles":
    """Return operations on a backend's files, open or not.

    Raises InputError for a backend without files.
    """
    if backend in (IN_MEMORY, ON_SERVER):
        raise InputError(
            f"memory.backend is {backend}, which has no file", hint="name a database with --db"
        )
    from memory.storage.sqlite.files.database_files import SqliteDatabaseFiles

    return SqliteDatabaseFiles()


def open_foreign(path: Path, *, hint: str) -> "AbstractContextManager[ForeignFile]":
    """Open a database file of another program.

    Raises NotFoundError for a missing file, IncompatibleError for a file that is not a database,
    InputError, with this hint, for one whose tables cannot be read, StorageError for a damaged one.
    """
    from memory.storage.sqlite.files.foreign import open_foreign_file

    return open_foreign_file(path, hint=hint)
