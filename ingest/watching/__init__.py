"""Sources of hints that files have changed: the kernel's events, or polling.

A hint says that something may have changed, never what. The receiver checks by a scan of the hinted
paths, so an unneeded hint costs one scan and does no harm.
"""

from ingest.watching.base import EventSource, Hints, WatchMethod
from ingest.watching.opening import open_events

__all__ = ["EventSource", "Hints", "WatchMethod", "open_events"]
