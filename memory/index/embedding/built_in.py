"""The built-in model, for what must be the same whatever model serves searches."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from providers import EmbeddingProvider


@cache
def built_in_model() -> "EmbeddingProvider":
    """Return the one that this process has loaded."""
    from providers import ProviderSettings, create

    return create("static", ProviderSettings())
