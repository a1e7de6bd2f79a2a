"""Worker processes for reading files: for formats whose libraries may hang or crash, and for more
than one processor.
"""

from ingest.workers.limits import load_within
from ingest.workers.pool import WorkerPool

__all__ = ["WorkerPool", "load_within"]
