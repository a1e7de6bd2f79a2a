"""Statistics over the life of a database: search latencies and growth."""

from memory.retrieval.acceleration import acceleration_of
from memory.storage.latencies import Histogram, read_latencies
from memory.values.status_reports import DayGrowth, LegLatency, Statistics
from memory.workspace import Workspace

DAYS = 30
"""The most days of growth in the statistics; days without any are omitted."""

_GROWTH_SQL = """
SELECT substr(recorded_at, 1, 10) AS day, count(*), sum(length(text)) FROM chunks
GROUP BY day ORDER BY day DESC LIMIT :days
"""


def read_statistics(workspace: Workspace) -> Statistics:
    """Read the data of `mem status --stats`; it reads every chunk."""
    database = workspace.storage.database
    kept = acceleration_of(workspace)
    latencies = kept.latencies.ever() if kept else read_latencies(database)
    growth = database.read(_GROWTH_SQL, {"days": DAYS})
    return Statistics(
        latencies=[_latency(leg, histogram) for leg, histogram in latencies.items()],
        growth=[DayGrowth(*row) for row in growth],
    )


def _latency(leg: str, histogram: Histogram) -> LegLatency:
    shares = (0.5, 0.95, 0.99)
    percentiles = (round(histogram.percentile_ms(share), 3) for share in shares)
    return LegLatency(leg, histogram.number, round(histogram.mean_ms, 3), *percentiles)
