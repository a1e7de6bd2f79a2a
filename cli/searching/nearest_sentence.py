"""The sentence of a hit that is nearest to a question in meaning, where no word of it matches."""

from collections.abc import Sequence
from functools import cache
from operator import mul

from memory.index.embedding.active_model import active_model
from memory.workspace import Workspace
from providers import EmbeddingProvider
from providers.registry import create
from providers.settings import ProviderSettings

MOST_SENTENCES = 60
"""The most sentences that are compared."""

_BUILT_IN = "static"


def nearest_sentence(workspace: Workspace, question: str, sentences: Sequence[str]) -> int:
    """Return the number of the nearest sentence, by the built-in model whatever model searched: it
    is quick, and nothing is sent anywhere.
    """
    provider = _provider(workspace)
    asked, *others = (
        provider.embed([text], kind="query")[0] for text in (question, *sentences[:MOST_SENTENCES])
    )
    return max(range(len(others)), key=lambda at: sum(map(mul, asked, others[at])))


def _provider(workspace: Workspace) -> EmbeddingProvider:
    chosen = active_model(workspace)
    return chosen.provider if chosen.name == _BUILT_IN else _built_in()


@cache
def _built_in() -> EmbeddingProvider:
    return create(_BUILT_IN, ProviderSettings())
