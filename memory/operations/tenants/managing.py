"""Tenants of a database on a server: several memories beside each other, which never meet."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contracts import ConfigError, NotFoundError
from memory.config.loading import LoadedConfig
from memory.operations.jobs.registry import JOBS
from memory.storage.capabilities.tenants import Tenant, TenantUsage
from memory.storage.opening import ON_SERVER, open_tenants
from memory.workspace import Workspace, server_address

if TYPE_CHECKING:
    from memory.storage.capabilities.tenants import Tenants

_WORKS = ("sync", *dict.fromkeys(job.lock for job in JOBS), "jobs")
"""The locks of work that keep a tenant from being dropped; see `memory.storage.process_locks`."""


def create_tenant(loaded: LoadedConfig, name: str, *, role: str | None = None) -> Tenant:
    """Make a tenant with an empty memory, owned by `role` if one is named.

    Raises ConfigError without a database on a server, else what `Tenants.create` does.
    """
    with _tenants(loaded) as tenants:
        return tenants.create(name, role=role)


def list_tenants(loaded: LoadedConfig) -> list[Tenant]:
    """Return every tenant of the configured database, by name."""
    with _tenants(loaded) as tenants:
        return tenants.all()


def read_usage(loaded: LoadedConfig, names: Iterable[str]) -> list[TenantUsage]:
    """Return the sizes of these tenants, of all if no name is given.

    Raises NotFoundError for an unknown name.
    """
    with _tenants(loaded) as tenants:
        found = [known_tenant(tenants, name) for name in names] or tenants.all()
        return tenants.usage(found)


def drop_tenant(loaded: LoadedConfig, name: str) -> Tenant:
    """Remove a tenant with all its records and tokens; return what it was.

    Raises NotFoundError for an unknown name, BusyError while somebody writes to it or a job runs.
    """
    with _tenants(loaded) as tenants:
        tenant = known_tenant(tenants, name)
        tenants.drop(tenant, works=_WORKS)
        return tenant


def open_tenant(loaded: LoadedConfig, name: str) -> Workspace:
    """Open a tenant's memory on connections of its own. Raises NotFoundError for an unknown one."""
    with _tenants(loaded) as tenants:
        tenant = known_tenant(tenants, name)
    return Workspace(loaded.of_tenant(tenant.schema), create=False)


def known_tenant(tenants: "Tenants", name: str) -> Tenant:
    """Return the tenant of this name. Raises NotFoundError."""
    tenant = tenants.find(name)
    if tenant is None:
        raise NotFoundError(f"there is no tenant {name!r:.80}", hint="list them: mem tenant list")
    return tenant


def is_dropped(workspace: Workspace, tenant: Tenant) -> bool:
    """Return whether a tenant of this database is gone, or another one has its name by now."""
    tenants = workspace.storage.tenants
    return tenants is not None and not tenant.is_same(tenants.find(tenant.name))


@contextmanager
def _tenants(loaded: LoadedConfig) -> "Iterator[Tenants]":
    backend = loaded.config.memory.backend
    if backend != ON_SERVER:
        raise ConfigError(
            f'memory.backend is "{backend}", which has no tenants',
            hint="keep the memory in PostgreSQL: mem config set memory.backend postgres, and name "
            "the database in memory.dsn; docs/postgresql.md says how",
        )
    with open_tenants(server_address(loaded)) as tenants:
        yield tenants
