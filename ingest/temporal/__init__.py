"""When a text speaks of: dates and relative dates, resolved against the time it was said at."""

from ingest.temporal.resolving import resolve
from ingest.temporal.values import Granularity, Moment

__all__ = ["Granularity", "Moment", "resolve"]
