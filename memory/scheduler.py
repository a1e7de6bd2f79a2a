"""The scheduler of background maintenance, importable as `memory.scheduler`.

`run` runs every due job once; a `Scheduler` runs jobs until it is stopped, at intervals and when
something triggers them.
"""

from memory.operations.jobs.manual_runs import JobRun
from memory.operations.jobs.manual_runs import maintain_all as run
from memory.operations.jobs.registry import JOBS, open_work
from memory.operations.jobs.scheduler import Scheduler

__all__ = ["JOBS", "JobRun", "Scheduler", "open_work", "run"]
