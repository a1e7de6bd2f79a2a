"""A reranker for tests, ours and users': no weights, deterministic, with a delay on demand.

A text scores the share of the question's words that it holds, so that the order is predictable.
"""

import re
import threading
from collections.abc import Sequence
from typing import Final

from contracts import UnavailableError
from providers.rerankers.base import Reranker
from providers.settings import ProviderSettings

_WORD: Final = re.compile(r"[^\W_]+")


class FakeReranker(Reranker):
    """A deterministic reranker that waits on demand.

    may_load   while cleared, `load` waits
    may_score  the same for every call of `score`
    fail_times  this many further calls of `load` and `score` raise UnavailableError; may be set
                again
    scores     returned instead of the shares, if there are any
    loads, pairs_scored  the number of loads, and of texts judged
    """

    def __init__(self, model: str = "fake", *, fail_times: int = 0) -> None:
        self._model = model
        self.may_load = threading.Event()
        self.may_score = threading.Event()
        self.may_load.set()
        self.may_score.set()
        self.fail_times = fail_times
        self.scores: list[float] = []
        self.loads = 0
        self.pairs_scored = 0

    @classmethod
    def from_settings(cls, settings: ProviderSettings) -> "FakeReranker":
        """Takes `model` and the option `fail_times`."""
        settings.refuse_unknown_options("fake", ("fail_times",))
        return cls(settings.model or "fake", fail_times=settings.options.get("fail_times", 0))

    @property
    def model_name(self) -> str:
        return self._model

    def load(self) -> None:
        self.may_load.wait()
        self._fail_if_told()
        self.loads += 1

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """The share of the query's words in each text; 0 for a query without any."""
        self.may_score.wait()
        self._fail_if_told()
        self.pairs_scored += len(texts)
        if self.scores:
            return [self.scores.pop(0) for _ in texts[: len(self.scores)]]
        asked = _words(query)
        return [len(asked & _words(text)) / (len(asked) or 1) for text in texts]

    def _fail_if_told(self) -> None:
        if self.fail_times > 0:
            self.fail_times -= 1
            raise UnavailableError(
                "the fake reranker was told to fail", hint="set its fail_times to 0"
            )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
