"""A local model in its own process, at the lowest priority.

A thread of low priority would keep others waiting: for the interpreter's lock, or a transaction,
while the processor is given to somebody else.
"""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

from contracts import UnavailableError
from memory.index.embedding.model_choice import ChosenModel
from providers import EmbeddingProvider, Kind, ModelCard, Rows
from providers.registry import create
from providers.settings import ProviderSettings

if TYPE_CHECKING:
    from ingest.workers import WorkerPool

_LAST: Final = 19
"""The niceness of Unix that makes room for every other process."""

_loaded: dict[str, EmbeddingProvider] = {}
"""The models of a process that computes them."""


class SeparateProvider(EmbeddingProvider):
    """A model that another process computes, started at its first use; for one thread. Close it."""

    def __init__(self, model: ChosenModel) -> None:
        self._model = model

    def __enter__(self) -> "SeparateProvider":
        return self

    def __exit__(self, *_: object) -> None:
        if "_workers" in self.__dict__:
            self._workers.close()

    @cached_property
    def card(self) -> ModelCard:
        return cast("ModelCard", self._ask(None))

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        return cast("Rows", self._ask(kind, texts))

    @cached_property
    def _workers(self) -> "WorkerPool":
        from ingest import LoadLimits
        from ingest.workers import WorkerPool

        return WorkerPool(1, LoadLimits())

    def _ask(self, kind: Kind | None, texts: Sequence[str] = ()) -> object:
        """Return the card (no kind) or the rows. Raises what the model does."""
        from ingest import SkippedFile

        model = self._model
        answer = self._workers.submit(answered, model.name, model.settings, kind, texts).get()
        if isinstance(answer, SkippedFile):  # the process ended
            raise UnavailableError(
                f"the process that computes {model.name} has ended: {answer.reason}",
                hint="see how much memory is free",
            )
        return answer


def answered(
    name: str, settings: ProviderSettings, kind: Kind | None, texts: Sequence[str]
) -> ModelCard | Rows:
    """Return the rows of texts, or the card, in the process that computes the model."""
    if name not in _loaded:
        os.nice(_LAST)
        _loaded[name] = create(name, settings)
    provider = _loaded[name]
    return provider.card if kind is None else provider.embed(texts, kind=kind)
