"""Find the weights of the signs by which a model's claims are judged, from the labelled claims.

`python -m benchmarks.extraction.weighing` prints the table for `ingest/extractor/llm/weights.py`,
and how many claims are believed when each is judged by the weights that the others give, by the
least sum that is believed.
"""

import json
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.extraction.believing import LANGUAGES, LabelledClaim, examples, read_claims
from ingest.extractor.llm.answer import claim_of
from ingest.extractor.llm.evidence import Signs, signs_of
from ingest.extractor.llm.proof import Said, case_of
from ingest.extractor.llm.question import LONGEST
from ingest.extractor.llm.reading import Item
from ingest.extractor.llm.weights import WEIGHTS

Numbers: TypeAlias = NDArray[np.float64]

_PENALTY: Final = 2.0
"""Of a weight's square, times how often its sign occurs (root mean square): rare signs may weigh
as much as frequent ones."""

_EXAMPLE: Final = 0.3
"""The count of a plain example beside a claim of a model."""

_STEPS: Final = 12
_FOLDS: Final = 10
_SUMS: Final = (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5)


class Judged(NamedTuple):
    """A labelled claim, its signs (None if it is refused without them), and what it counts."""

    claim: LabelledClaim
    signs: Signs | None
    counts: float


def judged(claims: list[LabelledClaim], counts: float = 1.0) -> list[Judged]:
    """The signs of claims."""
    found = []
    for one in claims:
        said = Said.of(one.utterance, one.before, LONGEST)
        case = case_of(claim_of(Item(**one.item), said), said)
        found.append(Judged(one, None if isinstance(case, str) else signs_of(case), counts))
    return found


def labelled_claims() -> list[Judged]:
    """The claims by which the weights are found."""
    claims = judged([one for code in LANGUAGES for one in read_claims(code, "dev")])
    return claims + judged(examples(), _EXAMPLE)


def weights_of(claims: list[Judged], names: list[str]) -> Numbers:
    """Logistic regression with a penalty, by Newton's method."""
    table = _table(claims, names)
    is_true = np.array([one.claim.is_true for one in claims if one.signs is not None], float)
    counts = np.array([one.counts for one in claims if one.signs is not None])
    penalty = _PENALTY * np.maximum(np.sqrt((table**2).mean(axis=0)), 0.02)
    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (counts * (likely - is_true)) + penalty * weights
        bend = (table * (counts * likely * (1 - likely))[:, None]).T @ table + np.diag(penalty)
        weights -= np.linalg.solve(bend, slope)
    return weights


def _table(claims: list[Judged], names: list[str]) -> Numbers:
    return np.array(
        [[one.signs.get(name, 0.0) for name in names] for one in claims if one.signs is not None]
    )


def sums_by_the_others(claims: list[Judged], names: list[str]) -> Numbers:
    """The sum of each claim by the weights from the turns of the other folds."""
    turns = {
        text: n for n, text in enumerate(dict.fromkeys(c.claim.utterance.text for c in claims))
    }
    folds = [turns[one.claim.utterance.text] % _FOLDS for one in claims]
    sums = np.full(len(claims), -np.inf)
    for fold in range(_FOLDS):
        weights = weights_of([c for c, n in zip(claims, folds, strict=True) if n != fold], names)
        for place, (one, n) in enumerate(zip(claims, folds, strict=True)):
            if n == fold and one.signs is not None:
                sums[place] = sum(
                    weight * one.signs.get(name, 0.0)
                    for name, weight in zip(names, weights, strict=True)
                )
    return sums


def main() -> None:
    """Print both tables."""
    claims = labelled_claims()
    names = sorted({name for one in claims if one.signs for name in one.signs})
    found = dict(zip(names, weights_of(claims, names), strict=True))
    for fault, weights in WEIGHTS.items():
        print(f"    {json.dumps(fault)}: {{")
        for name in weights:
            print(f"        {json.dumps(name)}: {found.pop(name, 0.0):.2f},")
        print("    },")
    print("without a place:", {name: round(float(weight), 2) for name, weight in found.items()})
    sums = sums_by_the_others(claims, names)
    is_true = np.array([one.claim.is_true for one in claims])
    for least in _SUMS:
        believed = sums >= least
        print(
            f"  sum {least:5.2f}: true believed {believed[is_true].mean():.2f}, "
            f"false believed {believed[~is_true].mean():.2f}"
        )


if __name__ == "__main__":
    main()
