"""Memory, processor time and files of a server's processes together, as Prometheus names them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from prometheus_client import ProcessCollector
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

_NOT_SUMS: Final[dict[str, Callable[[Iterable[float]], float]]] = {
    "process_start_time_seconds": min,
    "process_max_fds": min,
}


class ProcessesCollector(Collector):
    """Collects the sums over processes; the start is the first one's, the limit on files each's."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids

    def collect(self) -> Iterator[Metric]:
        found: dict[str, list[Metric]] = {}
        for pid in self._pids:
            for metric in _of_process(pid):
                found.setdefault(metric.name, []).append(metric)
        for first, *others in found.values():
            same = [first, *others]
            for at, sample in enumerate(first.samples):
                combine = _NOT_SUMS.get(sample.name, sum)
                value = combine(metric.samples[at].value for metric in same)
                first.samples[at] = sample._replace(value=value)
            yield first


def _of_process(pid: int) -> Iterable[Metric]:
    return ProcessCollector(pid=lambda: pid, registry=None).collect()
