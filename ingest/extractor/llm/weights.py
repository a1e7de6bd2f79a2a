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
        "I": 0.76,
        "my": 0.72,
        "nobody's": 0.23,
        "they": -2.59,
        "other people": -1.10,
        "speaker clause": 0.49,
        "own clause": -1.33,
        "third clause": -0.55,
        "other clause": -1.73,
        "a thing": -0.59,
        "relative": -1.76,
        "subject left out": -0.94,
        "I left out": -2.00,
        "others left out": -1.35,
        "person left out": -0.69,
        "lead": -0.64,
        "except": -1.82,
        "my left out": -0.15,
        "another's relative": -3.55,
        "their kind": 1.15,
        "another kind": -0.90,
        "another kind's name": -1.23,
        "mine": 0.50,
        "something else": -0.56,
        "I, not they": -0.75,
        "nobody before": -1.39,
    },
    "too little quoted": {
        "always": 0.49,
        "two words": -1.51,
        "four words": -0.54,
        "seven words": 0.48,
        "end left out": -1.15,
        "sentence begins": 0.60,
    },
    "another relation": {
        "presupposed": 0.62,
        "having": -0.56,
        "same relation": 0.34,
        "no home": -1.08,
        "origin, not home": -3.83,
        "no age": -0.28,
        "another unit": -3.76,
        "number": 1.00,
        "another's value": -2.27,
    },
    "question": {
        "asked": -1.34,
        "in a question": -0.43,
        "question mark": -0.65,
    },
    "supposed": {
        "supposed": -2.11,
        "governed": -0.56,
    },
    "hearsay": {
        "told": -1.71,
    },
    "offer": {
        "offered": -3.77,
    },
    "wish": {
        "wished": -2.81,
        "wish told": 1.13,
    },
    "fear": {
        "feared": -3.76,
    },
    "joke": {
        "sarcasm": -4.53,
    },
    "not yet": {
        "coming": -0.99,
        "coming, told as present": -1.59,
        "not done": -1.05,
    },
    "no longer": {
        "past, told as present": -2.36,
    },
    "not over": {
        "over": 1.24,
        "end told": 0.91,
        "also": -2.48,
    },
    "denied": {
        "itself denied": -1.95,
        "denied": -0.51,
        "denial told": 1.17,
        "denial turned round": -0.27,
    },
}


def fault_of(signs: Signs) -> Fault | None:
    """What speaks most against a claim, None if it is believed."""
    sums = {
        fault: sum(weight * signs.get(sign, 0) for sign, weight in weights.items())
        for fault, weights in WEIGHTS.items()
    }
    return None if sum(sums.values()) >= ENOUGH else min(sums, key=lambda fault: sums[fault])
