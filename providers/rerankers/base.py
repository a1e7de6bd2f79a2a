"""The interface of a reranker, and the table of rerankers.

An embedding model sees a text before it knows the question; a cross-encoder reads both together,
which is far slower and judges better, so that it gets only the best hits of a search.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import Final, TypeAlias

from contracts import UnavailableError, install_hint
from providers.settings import ProviderSettings, is_usable, unknown_name


class Reranker(ABC):
    """Judges how well texts answer a question. Any thread may use it."""

    @property
    @abstractmethod
    def model_name(self) -> str:
        """The model's name for people; known without loading it."""

    @abstractmethod
    def load(self) -> None:
        """Load the model, which may take long; do nothing if it is loaded.

        Raises UnavailableError when it cannot be loaded, ConfigError for an invalid model.
        """

    @abstractmethod
    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One number in [0, 1] for each text, higher for a better answer; loads the model.

        Raises what `load` does, and UnavailableError when the model cannot answer now.
        """


Factory: TypeAlias = Callable[[ProviderSettings], Reranker]

_FACTORIES: Final = {
    "sentence_transformers": "providers.rerankers.cross_encoder:CrossEncoderReranker",
    "fake": "providers.rerankers.fake:FakeReranker.from_settings",
}
_LIBRARIES: Final = {"sentence_transformers": "sentence_transformers"}


def known_rerankers() -> tuple[str, ...]:
    """Every name that `create_reranker` knows."""
    return tuple(filter(is_usable, _FACTORIES))


def create_reranker(name: str, settings: ProviderSettings) -> Reranker:
    """The reranker called `name`; its model is loaded later.

    Raises ConfigError for an unknown name or setting, UnavailableError when a library is missing.
    """
    if name not in known_rerankers():
        raise unknown_name("reranker", name, known_rerankers())
    require_reranker_library(name)
    module, _, attribute = _FACTORIES[name].partition(":")
    factory: Factory = attrgetter(attribute)(import_module(module))
    return factory(settings)


def require_reranker_library(name: str) -> None:
    """Raise UnavailableError when the library of a reranker is missing; loads nothing."""
    library = _LIBRARIES.get(name)
    if library is not None and find_spec(library) is None:
        raise UnavailableError(
            f"reranking needs the library {library}, which is not installed",
            hint=install_hint("sentence-transformers"),
        )
