"""The state of a server in the text format of Prometheus.

Names and units follow its conventions: base units, `_total` for what only rises. Search times
are of this server, other counters of the database's life.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from importlib import metadata

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)

from memory.api.workers.process_metrics import ProcessesCollector
from memory.api.workers.shared_memory import process_ids
from memory.conversations.extraction_metrics import extraction_counters_of
from memory.operations.status import read_status
from memory.retrieval.server_caches import server_caches_of
from memory.storage.counters import CountTable
from memory.storage.durations import BOUNDS_MS, EMPTY, SEARCH_LEGS, Histogram
from memory.values.status_reports import ExtractionMetrics, MemoryStatus
from memory.workspace import Workspace

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

PREFIX = "symbiosis_memory"

_TOLD_BOUNDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
"""Bucket bounds in milliseconds; few, since Prometheus keeps a series for each."""


def metrics_text(workspace: Workspace) -> bytes:
    """Return the answer of `GET /metrics`."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(ProcessesCollector(process_ids(workspace.find(CountTable))))
    registry.register(_Collector(workspace))
    return generate_latest(registry)


class _Collector:
    """Collects the metrics of a workspace on request."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def collect(self) -> Iterator[Metric]:
        status = read_status(self._workspace)
        yield InfoMetricFamily(
            PREFIX, "The program.", value={"version": metadata.version("symbiosis-memory")}
        )
        yield from _contents(status)
        yield from _upkeep(status)
        yield from self._searches(status)
        yield GaugeMetricFamily(
            f"{PREFIX}_turns", "Turns that are kept.", value=status.conversations.turns
        )
        memories = GaugeMetricFamily(f"{PREFIX}_memories", "Memories.", labels=["layer"])
        for layer, number in status.conversations.memories.items():
            memories.add_metric([layer], number)
        yield memories
        yield from self._extraction(status)

    def _searches(self, status: MemoryStatus) -> Iterator[Metric]:
        kept = server_caches_of(self._workspace)
        histograms = kept.durations.read() if kept else {}
        spent = HistogramMetricFamily(
            f"{PREFIX}_search_seconds", "Time of searches and their parts.", labels=["leg"]
        )
        for leg in SEARCH_LEGS:
            histogram = histograms.get(leg, EMPTY)
            spent.add_metric([leg], _buckets(histogram), histogram.seconds)
        yield spent
        cache = status.query_cache
        if cache is not None:
            asked = CounterMetricFamily(
                f"{PREFIX}_query_cache",
                "Queries, by whether their embedding was cached.",
                labels=["known"],
            )
            asked.add_metric(["true"], cache.hits)
            asked.add_metric(["false"], cache.misses)
            yield asked

    def _extraction(self, status: MemoryStatus) -> Iterator[Metric]:
        counters = extraction_counters_of(self._workspace)
        spent = HistogramMetricFamily(
            f"{PREFIX}_extraction_seconds", "Time to extract memories from a turn.", labels=["by"]
        )
        for way in ("rules", "llm"):
            histogram = counters.durations(way)
            spent.add_metric([way], _buckets(histogram), histogram.seconds)
        yield spent
        yield from _extracted(status.extraction)


def _extracted(extraction: ExtractionMetrics) -> Iterator[Metric]:
    """Yield counts over the life of the database."""
    yield GaugeMetricFamily(
        f"{PREFIX}_extraction_waiting", "Turns that wait for extraction.", value=extraction.waiting
    )
    yield CounterMetricFamily(
        f"{PREFIX}_extraction_given_up",
        "Turns that the language model failed on for good.",
        value=extraction.given_up,
    )
    both = {"rules": extraction.heuristic, "llm": extraction.llm}
    for name, help_text, values in (
        ("candidates", "Facts found.", {way: found.candidates for way, found in both.items()}),
        ("turns", "Turns processed.", {way: found.turns for way, found in both.items()}),
    ):
        family = CounterMetricFamily(f"{PREFIX}_extraction_{name}", help_text, labels=["by"])
        for way, number in values.items():
            family.add_metric([way], number)
        yield family
    for name, help_text, reasons in (
        ("failures", "Calls of the language model without an answer.", extraction.llm.failures),
        ("dropped", "Facts of the language model that were rejected.", extraction.llm.dropped),
        ("skipped", "Turns withheld from the language model.", extraction.llm.skipped),
    ):
        family = CounterMetricFamily(f"{PREFIX}_extraction_{name}", help_text, labels=["reason"])
        for reason, number in reasons.items():
            family.add_metric([reason], number)
        yield family


def _contents(status: MemoryStatus) -> Iterator[Metric]:
    yield _gauge("chunks", "Searchable chunks.", "source", status.chunks)
    yield _gauge("files", "Files by their state.", "state", status.files)
    yield GaugeMetricFamily(f"{PREFIX}_vectors", "Vectors that answer.", value=status.vectors)
    yield GaugeMetricFamily(
        f"{PREFIX}_refused_chunks",
        "Chunks without a vector since the model's provider refuses their text.",
        value=status.refused_chunks,
    )
    parts = {
        "file": status.size_bytes - status.log_bytes,
        "log": status.log_bytes,
        "free": status.free_bytes,
    }
    yield _gauge(
        "database_bytes", "Bytes on disk: the file, what is free in it, its log.", "part", parts
    )


def _upkeep(status: MemoryStatus) -> Iterator[Metric]:
    running = {"sync": status.sync, **{job.name: job.holder for job in status.jobs}}
    if status.watcher is not None and status.watcher.state in ("not answering", "ended"):
        running["watch"] = None
    yield _gauge(
        "running",
        "1 while the job is running.",
        "job",
        {job: float(holder is not None) for job, holder in running.items()},
    )
    yield _time("last_sync_timestamp_seconds", "When a sync ended.", status.freshness.indexed_at)
    watcher = status.watcher
    if watcher is not None:
        yield GaugeMetricFamily(
            f"{PREFIX}_watch_queue", "Paths that wait for a check.", value=watcher.queue
        )
        yield GaugeMetricFamily(
            f"{PREFIX}_watch_folders", "Folders that are watched.", value=watcher.folders
        )
        yield _time(
            "watch_heartbeat_timestamp_seconds", "The last time it reported.", watcher.heartbeat
        )
        yield _time(
            "watch_last_scan_timestamp_seconds", "Its last complete scan.", watcher.last_scan
        )
    yield CounterMetricFamily(
        f"{PREFIX}_queries_without_vectors",
        "Queries answered by words alone, over the life of the database.",
        value=status.queries_without_vectors.number,
    )


def _gauge(
    name: str, help_text: str, label: str, values: "dict[str, int] | dict[str, float]"
) -> Metric:
    family = GaugeMetricFamily(f"{PREFIX}_{name}", help_text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _time(name: str, help_text: str, moment: str | None) -> Metric:
    """Return seconds since 1970; no sample without a time."""
    family = GaugeMetricFamily(f"{PREFIX}_{name}", help_text)
    if moment is not None:
        family.add_metric([], datetime.fromisoformat(moment).timestamp())
    return family


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """Return counts up to each bound, in seconds; a bucket across a bound counts at the next."""
    buckets = []
    for bound in _TOLD_BOUNDS:
        beyond = bisect_right(BOUNDS_MS, bound)
        within = sum(count for bucket, count in histogram.counts.items() if bucket < beyond)
        buckets.append((repr(bound / 1000), float(within)))
    return [*buckets, ("+Inf", float(histogram.number))]
