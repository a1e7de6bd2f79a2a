"""What embedding texts would cost, and where they would go, before any of them is sent."""

from collections.abc import Mapping
from typing import Final

from memory.index.embedding.model import ChosenModel
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

As published in 2026 and looked up in November; docs/costs.md shows them. A price is of a host: the
same model behind another address is somebody else's bill.
"""

_MILLION: Final = 1_000_000


def estimated_cost(
    chosen: ChosenModel, *, texts: int, tokens: int, prices: Mapping[str, float]
) -> EmbeddingCost:
    """What a model would take for so many texts; asks nobody, and needs no key.

    `prices` are the configured ones by model, which count before those that were published. Raises
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
    """Dollars for a million tokens, None when nobody has said."""
    if model is None:
        return None
    return prices.get(model, PUBLISHED_PRICES.get(host, {}).get(model))
