"""The speed of adding facts to many memories: new ones, known ones, contrary ones."""

import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.serving import Client, running_server
from benchmarks.harness.values import Figure, percentile
from benchmarks.inputs.talking import Talk
from ingest import Candidate
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, MemoryConfig
from memory.conversations.memories.consolidation import consolidate_turns
from memory.workspace import Workspace

_AT_ONCE = 500
_SEED = 31
_FORMS = (
    "User plays {0} with {1} every week",
    "User went to a {0} with the {1} {2} in spring",
    "User's neighbour has a {0} {1}",
    "User wants to {0} the {1} {2} some day",
    "User bought a {0} {1} for the {2}",
    "User likes {0} {1}",
    "User lives near the {0} {1}",
)


class Facts:
    """Sentences about a person with a natural distribution of words."""

    def __init__(self) -> None:
        self._random = Random(_SEED)
        self._words = Talk().words

    def some(self, number: int) -> list[str]:
        return [self.one() for _ in range(number)]

    def one(self) -> str:
        return self._random.choice(_FORMS).format(self._word(), self._word(), self._word())

    def _word(self) -> str:
        """The n-th word, about n times as rare as the first."""
        rank = int(len(self._words) ** self._random.random()) - 1
        return self._words[rank]


def absorbing(bench: Bench) -> Iterator[Figure]:
    """Facts in batches as they come from an import, then one by one over HTTP."""
    number, facts = bench.effort.collected_memories, Facts()
    database = bench.work / "absorbed.db"
    remove_database(database)
    config = Config(memory=MemoryConfig(storage_path=str(database)))
    last = 0.0
    with Workspace(LoadedConfig(config, config, None, database.parent, "argument")) as workspace:
        for _ in range(0, number, _AT_ONCE):
            batch = [(None, [Candidate(fact)]) for fact in facts.some(_AT_ONCE)]
            started = time.perf_counter()
            consolidate_turns(workspace, batch, origin="import")
            last = time.perf_counter() - started
    rate = _AT_ONCE / last
    yield Figure("absorbing", f"facts in a batch, the last of {number:,}", rate, "facts/s")
    with running_server(bench, database) as server, server.client() as client:
        client.wait_until_built()
        new = facts.some(bench.effort.questions)
        homes = [f"User lives in place {at}" for at in range(bench.effort.questions)]
        for what, told in (("new", new), ("known", new), ("contrary", homes)):
            yield _single(client, told, f"{what} facts among {number:,} memories")


def _single(client: Client, told: Sequence[str], what: str) -> Figure:
    """One client, one fact a request."""
    times = []
    for fact in told:
        started = time.perf_counter()
        client.post("/memories", {"content": fact})
        times.append((time.perf_counter() - started) * 1000)
    name = f"POST /memories, {what}, p95"
    beside = f"p50 {median(tuple(times)):.1f} ms"
    value = percentile(tuple(times), 0.95)
    return Figure("absorbing", name, value, "ms", None, beside, tuple(times))
