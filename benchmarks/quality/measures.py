"""The three measures of a ranking, as trec_eval computes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean

AT = 10
"""Ranks that count."""


@dataclass(frozen=True, slots=True)
class Score:
    """Three values in [0, 1], of one question or the mean over many."""

    ndcg: float
    recall: float
    mrr: float


def score(ranked: Sequence[str], relevant: Mapping[str, int]) -> Score:
    """Judge the documents of one question, best first, each at most once.

    nDCG has linear gain over log2(rank + 1), relative to the best order of all relevant documents.
    """
    gains = [relevant.get(document, 0) for document in ranked[:AT]]
    ideal = sorted(relevant.values(), reverse=True)[:AT]
    first = next((rank for rank, gain in enumerate(gains, start=1) if gain), None)
    return Score(
        ndcg=_discounted(gains) / _discounted(ideal),
        recall=sum(gain > 0 for gain in gains) / len(relevant),
        mrr=1 / first if first else 0.0,
    )


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def mean(scores: Sequence[Score]) -> Score:
    """The mean of each number."""
    return Score(
        fmean(one.ndcg for one in scores),
        fmean(one.recall for one in scores),
        fmean(one.mrr for one in scores),
    )
