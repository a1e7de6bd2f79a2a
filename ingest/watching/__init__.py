"""Where hints come from that files have changed: the kernel's events, or looking again and again.

A hint says that something may have changed, never what. Whoever is hinted at looks for itself, by
a scan of what the hint names; so a hint too many costs a look and does no harm.
"""

from ingest.watching.base import EventSource, Hints, WatchMethod
from ingest.watching.opening import open_events

__all__ = ["EventSource", "Hints", "WatchMethod", "open_events"]
