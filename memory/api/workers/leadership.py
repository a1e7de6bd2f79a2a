"""The lease of a server's jobs: one of its workers holds them, another once that one has ended."""

from contextlib import ExitStack

from contracts import BusyError
from memory.storage.process_locks import running_work, work_lock
from memory.workspace import Workspace

_JOBS = "jobs"


class JobLeadership:
    """A try of one worker to be the one that runs the jobs; ends with its process at the latest."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = ExitStack()
        self.is_held = False

    def take(self) -> bool:
        """Become the worker that runs the jobs; return False while another one is.

        Raises what the database does.
        """
        database, path = self._workspace.storage.database, self._workspace.path
        if running_work(_JOBS, database, path) is not None:
            return False
        try:
            self._lock.enter_context(work_lock(_JOBS, database, path))
        except BusyError:  # another one was quicker
            return False
        self.is_held = True
        return True

    def close(self) -> None:
        """Leave the jobs to another worker."""
        self.is_held = False
        self._lock.close()
