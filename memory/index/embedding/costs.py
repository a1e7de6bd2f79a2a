"""Estimates of the cost and the destination of texts before any of them is embedded."""

from collections.abc import Mapping
from typing import Final

from memory.index.embedding.model_choice import ChosenModel
from memory.values.reports import EmbeddingCost

PUBLISHED_PRICES: Final[Mapping[str, Mapping[str, float]]] = {
    "api.openai.com": {
        "text-embedding-3-small": 0.02,
        "text-embedding-3-large": 0.13,
        "text-embedding-ada-002": 0.10,
    },
    "generativelanguage.googleapis.com": {"gemini-embedding-001": 0.15},
    "api.voyageai.com": {
        "voyage-4-large": 0.12,
        "voyage-4": 0.06,
        "voyage-4-lite": 0.02,
        "voyage-3-large": 0.18,
        "voyage-3.5": 0.06,
        "voyage-3.5-lite": 0.02,
        "voyage-code-3": 0.18,
    },
}
"""US dollars for a million tokens by host and model, without free quotas and batch discounts.

As published in 2026 and looked up in November; docs/costs.md shows them. A price belongs to a host:
another host of the same model has its own price.
"""

_MILLION: Final = 1_000_000


def estimated_cost(
    chosen: ChosenModel, *, texts: int, tokens: int, prices: Mapping[str, float]
) -> EmbeddingCost:
    """Estimate the cost of embedding so many texts; sends nothing and needs no key.

    `prices` are the configured ones by model, which take precedence over the published ones. Raises
    what `ChosenModel.provider` does.
    """
    host = chosen.provider.host
    price = 0.0 if host is None else _price(chosen.settings.model, host, prices)
    return EmbeddingCost(
        provider=chosen.name,
        model=chosen.settings.model,
        host=host,
        texts=texts,
        tokens=tokens,
        dollars=None if price is None else round(tokens * price / _MILLION, 6),
    )


def _price(model: str | None, host: str, prices: Mapping[str, float]) -> float | None:
    """Return dollars for a million tokens, None when no price is known."""
    if model is None:
        return None
    return prices.get(model, PUBLISHED_PRICES.get(host, {}).get(model))
