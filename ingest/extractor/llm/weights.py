"""What the signs of a claim weigh, and whether they suffice to believe it.

`python -m benchmarks.extraction.weighing` finds the weights, by the labelled claims.
"""

from typing import Final, TypeAlias

from ingest.extractor.llm.evidence import Signs

Fault: TypeAlias = str
"""Why a claim is refused, as it is counted."""

ENOUGH: Final = 0.5
"""The least sum of weights that is believed. At 0 a claim is as likely true as false."""

WEIGHTS: Final[dict[Fault, dict[str, float]]] = {
    "about somebody else": {
        "I": 0.71,
        "my": 0.67,
        "nobody's": 0.18,
        "they": -2.37,
        "other people": -1.11,
        "speaker clause": 0.50,
        "own clause": -1.34,
        "third clause": -0.66,
        "other clause": -1.38,
        "a thing": -0.58,
        "relative": -1.73,
        "subject left out": -1.01,
        "I left out": -2.03,
        "others left out": -1.44,
        "person left out": -0.68,
        "lead": -0.65,
        "except": -1.80,
        "my left out": -0.10,
        "another's relative": -3.54,
        "their kind": 1.15,
        "another kind": -1.01,
        "another kind's name": -1.20,
        "mine": 0.43,
        "something else": -0.60,
        "I, not they": -0.67,
        "nobody before": -1.31,
    },
    "too little quoted": {
        "always": 0.50,
        "two words": -1.53,
        "four words": -0.54,
        "seven words": 0.50,
        "end left out": -1.13,
        "sentence begins": 0.59,
    },
    "another relation": {
        "presupposed": 0.66,
        "having": -0.55,
        "same relation": 0.33,
        "no home": -1.07,
        "origin, not home": -3.80,
        "no age": -0.27,
        "another unit": -3.74,
        "number": 0.99,
        "another's value": -2.30,
    },
    "question": {
        "asked": -1.08,
        "in a question": -0.29,
        "question mark": -0.96,
    },
    "supposed": {
        "supposed": -2.09,
        "governed": -0.60,
    },
    "hearsay": {
        "told": -1.72,
    },
    "offer": {
        "offered": -3.74,
    },
    "wish": {
        "wished": -2.77,
        "wish told": 1.36,
    },
    "fear": {
        "feared": -3.74,
    },
    "joke": {
        "sarcasm": -4.53,
    },
    "not yet": {
        "coming": -0.99,
        "coming, told as present": -1.58,
        "not done": -1.04,
    },
    "no longer": {
        "past, told as present": -2.33,
    },
    "not over": {
        "over": 1.27,
        "end told": 0.94,
        "also": -2.47,
    },
    "denied": {
        "itself denied": -1.80,
        "denied": -0.45,
        "denial told": 1.20,
        "denial turned round": -0.24,
    },
}


def fault_of(signs: Signs) -> Fault | None:
    """What speaks most against a claim, None if it is believed."""
    sums = {
        fault: sum(weight * signs.get(sign, 0) for sign, weight in weights.items())
        for fault, weights in WEIGHTS.items()
    }
    return None if sum(sums.values()) >= ENOUGH else min(sums, key=lambda fault: sums[fault])
