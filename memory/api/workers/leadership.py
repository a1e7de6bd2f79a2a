"""The lease of a server's jobs: one of its workers holds them, another once that one has ended."""

from memory.storage.process_locks import Lease
from memory.workspace import Workspace

_JOBS = "jobs"


class JobLeadership:
    """A try of one worker to be the one that runs the jobs; ends with its process at the latest."""

    def __init__(self, workspace: Workspace) -> None:
        self._lease = Lease(_JOBS, workspace.storage.database, workspace.path)
        self.is_held = False

    def take(self) -> bool:
        """Become, or stay, the worker that runs the jobs; return False while another one is.

        Raises what the database does.
        """
        self.is_held = self._lease.take()
        return self.is_held

    def close(self) -> None:
        """Leave the jobs to another worker."""
        self.is_held = False
        self._lease.close()
