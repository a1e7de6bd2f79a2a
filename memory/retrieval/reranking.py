"""The reranker of a process: loaded once, one thread, with a deadline for every query.

A computation cannot be cancelled, only abandoned between two batches. So one thread computes, and a
caller that finds it busy until its deadline gives up without starting another.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from queue import SimpleQueue
from typing import Final

from contracts import MemError
from memory.config.settings import RerankConfig
from memory.values.status_reports import RerankerStatus
from memory.workspace import Workspace
from providers.rerankers.base import Reranker, create_reranker
from providers.settings import ProviderSettings

BATCH: Final = 4
"""Pairs scored at once; an abandoned computation ends between two batches."""

RETRY_S: Final = 60.0
"""Pause before a model that did not load is tried again."""

_STOPPED: Final = "the reranker stopped because of a defect of its own"
_SECTION: Final = "memory.search.rerank"


@dataclass(frozen=True, slots=True)
class RerankOutcome:
    """A score in [0, 1] for each text, or None and the reason as a warning for the user."""

    scores: list[float] | None
    warning: str | None = None


@dataclass(slots=True)
class _Task:
    """One question; the thread appends to `scores` until they are complete or `failure` is set."""

    query: str
    texts: Sequence[str]
    scores: list[float] = field(default_factory=list)
    failure: str | None = None
    abandoned: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


class Reranking:
    """The scoring of hits in one background thread. Safe to share between threads."""

    def __init__(
        self, create: Callable[[], Reranker], *, name: str, retry_s: float = RETRY_S
    ) -> None:
        """`create` makes the reranker, `name` is the model's as it was configured."""
        self._create = create
        self._name = name
        self._retry_s = retry_s
        self._lock = threading.Lock()
        self._turn = threading.Semaphore()
        self._settled = threading.Event()
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ready = False
        self._failure: str | None = None
        self._tried_at = 0.0

    def start(self) -> None:
        """Begin to load the model in a separate thread, unless it is loaded or loading.

        A load that failed is tried again after a pause.
        """
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            if self._failure and time.monotonic() - self._tried_at < self._retry_s:
                return
            self._settled.clear()
            self._ready, self._failure = False, None
            self._thread = threading.Thread(target=self._run, name="reranker", daemon=True)
            self._thread.start()

    def status(self) -> RerankerStatus:
        """Return the state of the reranker in this process."""
        if self._failure:
            return RerankerStatus("failed", self._name, self._failure)
        if self._ready:
            return RerankerStatus("ready", self._name, None)
        if self._thread is None:
            return RerankerStatus("idle", self._name, "it is loaded when a search asks for it")
        return RerankerStatus("loading", self._name, None)

    def close(self) -> None:
        """End the thread after its present batch, without waiting for it."""
        self._tasks.put(None)

    def scores(
        self, query: str, texts: Sequence[str], *, deadline_ms: int, wait_for_model: bool
    ) -> RerankOutcome:
        """Score each text against the query, if that is possible within `deadline_ms`.

        While the model is loading there are no scores; with `wait_for_model` the time begins when
        the model is loaded. Raises nothing.
        """
        self.start()
        if wait_for_model:
            self._settled.wait()
        if not self._settled.is_set():
            return _not_reranked(
                f"the model {self._name} is still being loaded", "ask again in some seconds"
            )
        if self._failure:
            return _not_reranked(self._failure)
        until = time.monotonic() + deadline_ms / 1000
        if not self._turn.acquire(timeout=deadline_ms / 1000):
            return _not_reranked(
                f"the reranker was busy with other queries for all of {deadline_ms} ms",
                f"send fewer at once, or raise {_SECTION}.deadline_ms",
            )
        task = _Task(query, texts)
        self._tasks.put(task)
        if not task.ended.wait(until - time.monotonic()):
            task.abandoned.set()
            return _not_reranked(
                f"{len(task.scores)} of {len(texts)} hits were read within {deadline_ms} ms",
                f"raise {_SECTION}.deadline_ms or lower {_SECTION}.candidates",
            )
        return RerankOutcome(task.scores) if task.failure is None else _not_reranked(task.failure)

    def _run(self) -> None:
        """Load the model, then answer one query after the other; run by the thread."""
        reranker = self._loaded()
        while reranker is not None:
            task = self._tasks.get()
            if task is None:
                return
            task.failure = _STOPPED  # unless the work below succeeds
            try:
                task.failure = _work(reranker, task)
            finally:
                if task.failure is _STOPPED:
                    self._settle(_STOPPED)
                task.ended.set()
                self._turn.release()

    def _loaded(self) -> Reranker | None:
        failure: str | None = f"the model {self._name} could not be loaded"
        reranker = None
        try:
            reranker = self._create()
            reranker.load()
            failure = None
        except MemError as error:
            failure = str(error)
        finally:
            self._settle(failure)
            self._settled.set()
        return reranker if self._ready else None

    def _settle(self, failure: str | None) -> None:
        """Note that the model is ready, or why it is not and since when."""
        self._tried_at = time.monotonic()
        self._ready, self._failure = failure is None, failure


def reranking_of(workspace: Workspace) -> Reranking:
    """Return the reranker of this process; nothing is loaded before its first use."""
    return workspace.component(Reranking, lambda: configured(workspace.config.search.rerank))


def configured(config: RerankConfig) -> Reranking:
    """Return the reranker that a configuration names; nothing is loaded yet."""
    settings = ProviderSettings(model=config.model, device=config.device)
    return Reranking(lambda: create_reranker(config.provider, settings), name=config.model)


def _work(reranker: Reranker, task: _Task) -> str | None:
    """Score batch by batch until all is done or abandoned; return why there are no scores, if
    so.
    """
    try:
        for start in range(0, len(task.texts), BATCH):
            if task.abandoned.is_set():
                return "nobody waits for the scores"
            texts = task.texts[start : start + BATCH]
            scores = reranker.score(task.query, texts)
            if len(scores) != len(texts) or not all(map(_is_score, scores)):
                return (
                    f"the model {reranker.model_name} computed no usable numbers "
                    f"(set {_SECTION}.model to another one)"
                )
            task.scores.extend(scores)
    except MemError as error:
        return str(error)
    return None


def _is_score(value: float) -> bool:
    return isfinite(value) and 0 <= value <= 1


def _not_reranked(fact: str, hint: str = "") -> RerankOutcome:
    advice = f"; {hint}" if hint else ""
    return RerankOutcome(None, f"not reranked, the order is the search's own: {fact}{advice}")
