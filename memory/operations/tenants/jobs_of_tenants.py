"""The job that runs the jobs of every tenant, one tenant after another, open or not."""

import time
from threading import Event
from typing import Final

from contracts import MemError
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.manual_runs import maintain_all
from memory.operations.jobs.registry import TENANTS
from memory.operations.tenants.managing import is_dropped
from memory.storage.capabilities.tenants import Tenant
from memory.storage.opening import open_tenant
from memory.workspace import Workspace

SHARE: Final = 0.1
"""The most of the time that tenants' jobs take; the rest are pauses, for requests."""


class TenantsWork(Work):
    """Visits every tenant, and ends between two of them."""

    job = TENANTS

    def is_due(self) -> bool:
        return bool(self._tenants())

    def run(self, stopping: Event) -> JobOutcome:
        visited, failures = 0, list[MemError]()
        for tenant in self._tenants():
            if stopping.is_set():
                break
            began_s = time.monotonic()
            failures += self._failures_of(tenant)
            visited += 1
            stopping.wait((time.monotonic() - began_s) * (1 / SHARE - 1))
        if failures:
            raise failures[0]
        return JobOutcome(f"tenants visited: {visited:,}")

    def _tenants(self) -> list[Tenant]:
        tenants = self.workspace.storage.tenants
        return tenants.all() if tenants and self.workspace.config.server.tenants else []

    def _failures_of(self, tenant: Tenant) -> list[MemError]:
        """Run the jobs of one tenant; a failure keeps no other tenant from its jobs."""
        loaded = self.workspace.loaded.of_tenant(tenant.schema)
        try:
            storage = open_tenant(self.workspace.storage, tenant)
            with Workspace(loaded, storage=storage) as workspace:
                _, failure = maintain_all(workspace)
        except MemError as error:
            failure = error
        if failure is None or is_dropped(self.workspace, tenant):
            return []
        told = f"the tenant {tenant.name}: {failure.message}"
        return [type(failure)(told, hint=failure.hint)]
