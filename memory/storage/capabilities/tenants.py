"""The tenants of a database on a server: memories beside each other, one schema each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from contracts.named_tuple import NamedTuple

if TYPE_CHECKING:
    from memory.storage.database import Database


class Tenant(NamedTuple):
    """A tenant as the server's catalogue has it now.

    schema   the schema that holds its memory
    role     the role that owns the schema and all that is in it
    version  the version of its tables
    number   the number of the schema; a tenant that is made again has another one
    """

    name: str
    schema: str
    role: str
    version: int
    number: int

    def is_same(self, other: "Tenant | None") -> bool:
        """Return whether it is this tenant, with the same owner, not one that was made again."""
        return other is not None and (self.number, self.role) == (other.number, other.role)


@dataclass(frozen=True, slots=True)
class TenantUsage:
    """The size of a tenant: its records by kind, their chunks, its tokens, its bytes on the disk.

    `last_write` is when a record was last added, changed or removed; None: never.
    """

    tenant: str
    records: Mapping[str, int]
    chunks: int
    tokens: int
    size_bytes: int
    last_write: str | None


class Tenants(Protocol):
    """The tenants of one database."""

    def all(self) -> list[Tenant]:
        """Return every tenant, by name."""
        ...

    def find(self, name: str) -> Tenant | None:
        """Return the tenant of this name, None if there is none; cheap."""
        ...

    def among(self, tenants: Iterable[Tenant]) -> list[Tenant]:
        """Return those of these tenants that are there, as they are now; cheap."""
        ...

    def create(self, name: str, *, role: str | None = None) -> Tenant:
        """Make a tenant with an empty memory, owned by `role`, which is made if it is missing.

        Raises InputError for an invalid or used name, for a role that owns another schema or may
        do everything, StorageError for what the server does not allow.
        """
        ...

    def usage(self, tenants: Iterable[Tenant]) -> list[TenantUsage]:
        """Return the sizes of these tenants, without those that were dropped meanwhile."""
        ...

    def drop(self, tenant: Tenant, *, works: Iterable[str]) -> None:
        """Remove a tenant with everything in it.

        Raises BusyError while anybody writes to it or does one of these works, see `Database`,
        NotFoundError when it is gone already.
        """
        ...

    def database(self, tenant: Tenant) -> "Database":
        """Return a tenant's tables, to be read without opening its memory."""
        ...
