"""The results as a table: a row for each variant, a column for each collection."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.ablation.variants import DEFAULT
from benchmarks.harness.report import markdown_rows

NAME = "ablation"
"""The name of the marks between which the page has the tables."""

_RESAMPLED = 2000


@dataclass(frozen=True, slots=True)
class Result:
    """The mean nDCG@10 of a variant, and its difference from the default.

    `low` and `high` bound that difference with 95 % confidence.
    """

    collection: str
    model: str
    variant: str
    questions: int
    ndcg: float
    difference: float
    low: float
    high: float

    @property
    def place(self) -> tuple[str, str, str]:
        """The key that a later measurement replaces."""
        return self.collection, self.model, self.variant

    @property
    def is_certain(self) -> bool:
        """Return whether the difference is significant."""
        return self.low > 0 or self.high < 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def confidence(gains: Sequence[float], default: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the mean difference, over questions drawn again with a fixed seed.

    The bootstrap of paired differences (Efron and Tibshirani, 1993): both rankings answer the same
    questions, so it is far narrower than each one's own uncertainty.
    """
    import numpy as np

    differences = np.asarray(gains) - np.asarray(default)
    chance = np.random.default_rng(0)
    drawn = [float(chance.choice(differences, len(differences)).mean()) for _ in range(_RESAMPLED)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def results_of(path: Path) -> list[Result]:
    """The results in a written file."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return [Result(**one) for one in document["results"]]


def markdown(document: Mapping[str, Any], results: Sequence[Result]) -> str:
    """A table for each model."""
    parts = [f"Measured on {document['date'][:10]} at commit {document['commit']}."]
    for model in dict.fromkeys(one.model for one in results):
        parts += [f"**{model}**", table([one for one in results if one.model == model])]
    return "\n\n".join(parts)


def table(results: Sequence[Result]) -> str:
    """The table of one model: the default's nDCG@10, and the difference of each variant."""
    collections = list(dict.fromkeys(one.collection for one in results))
    variants = list(dict.fromkeys(one.variant for one in results))
    found = {(one.collection, one.variant): one for one in results}
    rows: list[tuple[str, ...]] = [("", *collections), ("---", *("---:" for _ in collections))]
    for variant in variants:
        cells = (found.get((collection, variant)) for collection in collections)
        rows.append((variant, *map(_cell, cells)))
    asked = (next(one for one in results if one.collection == name) for name in collections)
    rows.append(("questions", *(f"{one.questions:,}" for one in asked)))
    return markdown_rows(rows)


def _cell(result: Result | None) -> str:
    if result is None:
        return "—"
    if result.variant == DEFAULT:
        return f"{result.ndcg:.4f}"
    shown = f"{result.difference:+.4f}"
    return f"**{shown}**" if result.is_certain else shown
