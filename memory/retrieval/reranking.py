"""Puts one reranker to work in one process: loaded once, one thread, never waited for too long.

A computation cannot be broken off, only abandoned between two batches. So there is one thread that
computes, and whoever finds it busy for all the time they have gives up without starting another.
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
"""Pairs scored at once; between two batches a computation that nobody waits for ends."""

RETRY_S: Final = 60.0
"""How long a model that did not load is not tried again."""

_STOPPED: Final = "the reranker stopped at a defect of its own"
_SECTION: Final = "memory.search.rerank"


@dataclass(frozen=True, slots=True)
class Outcome:
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
    """Safe to share between threads."""

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
        """Begin to load the model in a thread of its own, unless it is there or under way.

        A load that failed is tried again when some time has passed.
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
        """What this process has of the reranker."""
        if self._failure:
            return RerankerStatus("failed", self._name, self._failure)
        if self._ready:
            return RerankerStatus("ready", self._name, None)
        if self._thread is None:
            return RerankerStatus("idle", self._name, "it is loaded when a search asks for it")
        return RerankerStatus("loading", self._name, None)

    def close(self) -> None:
        """Let the thread end after the batch it is at; nothing waits for it."""
        self._tasks.put(None)

    def scores(
        self, query: str, texts: Sequence[str], *, deadline_ms: int, wait_for_model: bool
    ) -> Outcome:
        """How well each text answers, if that is known within `deadline_ms`.

        While the model is loading the answer is that there is none yet; with `wait_for_model` the
        time begins when the model is there. Raises nothing.
        """
        self.start()
        if wait_for_model:
            self._settled.wait()
        if not self._settled.is_set():
            return _without(
                f"the model {self._name} is still being loaded", "ask again in some seconds"
            )
        if self._failure:
            return _without(self._failure)
        until = time.monotonic() + deadline_ms / 1000
        if not self._turn.acquire(timeout=deadline_ms / 1000):
            return _without(
                f"the reranker was at work on other questions for all of {deadline_ms} ms",
                f"ask fewer at once, or raise {_SECTION}.deadline_ms",
            )
        task = _Task(query, texts)
        self._tasks.put(task)
        if not task.ended.wait(until - time.monotonic()):
            task.abandoned.set()
            return _without(
                f"{len(task.scores)} of {len(texts)} hits were read within {deadline_ms} ms",
                f"raise {_SECTION}.deadline_ms or lower {_SECTION}.candidates",
            )
        return Outcome(task.scores) if task.failure is None else _without(task.failure)

    def _run(self) -> None:
        """The thread: the model, then one question after the other."""
        reranker = self._loaded()
        while reranker is not None:
            task = self._tasks.get()
            if task is None:
                return
            task.failure = _STOPPED  # unless what follows says otherwise
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
        """Note that the model is there, or why it is not and since when."""
        self._tried_at = time.monotonic()
        self._ready, self._failure = failure is None, failure


def reranking_of(workspace: Workspace) -> Reranking:
    """The reranker of this process; nothing of it is loaded before it is asked."""
    return workspace.component(Reranking, lambda: configured(workspace.config.search.rerank))


def configured(config: RerankConfig) -> Reranking:
    """The reranker that a configuration names; nothing of it is loaded yet."""
    settings = ProviderSettings(model=config.model, device=config.device)
    return Reranking(lambda: create_reranker(config.provider, settings), name=config.model)


def _work(reranker: Reranker, task: _Task) -> str | None:
    """Score batch by batch until all is done or nobody waits; why there are no scores, if so."""
    try:
        for start in range(0, len(task.texts), BATCH):
            if task.abandoned.is_set():
                return "nobody waits for it"
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


def _without(fact: str, hint: str = "") -> Outcome:
    advice = f"; {hint}" if hint else ""
    return Outcome(None, f"not reranked, the order is the search's own: {fact}{advice}")
