"""Scales that make the inputs of a product easy to round: SmoothQuant (arXiv 2211.10438).

A few of the inputs are ten times as large as the others. Rounded to 256 steps all together, the
others lose their digits. So each input is divided by a scale, which its weights are multiplied by.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tools.minilm.graph import Scales
from tools.minilm.weights import LAYERS, LINEARS, Floats, Linear, Weights

_SHARES: Final[dict[Linear, float]] = {
    "attention": 0.7,
    "attention_output": 0.9,
    "intermediate": 0.65,
    "output": 0.85,
}
"""The share of the difficulty that goes from the inputs to the weights, the best of a grid."""

_SEQUENCES: Final = 900
_LENGTHS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 254)
_FIRST, _LAST = 101, 102
_MARKS, _WORDS, _RARE, _END = 999, 1996, 12_000, 30_522
"""The ids where single characters, frequent words and rare ones begin, and the end of all."""


def scales_of(weights: Weights, largest: dict[str, Floats]) -> Scales:
    """A scale for each input of each product, from the largest value that it had.

    They are rounded to quarters of a power of two, so that the last digit of a measured value
    decides nothing.
    """
    scales: dict[tuple[int, Linear], Floats] = {}
    for layer in range(LAYERS):
        for name in LINEARS:
            share = _SHARES[name]
            weight = np.abs(weights.dense(layer, name).weight).max(axis=1)
            log = share * np.log2(largest[f"{layer}-{name}"]) - (1 - share) * np.log2(weight)
            scales[layer, name] = (2 ** (np.rint(4 * (log - log.mean())) / 4)).astype(np.float32)
    return scales


def largest_inputs(exact: Path) -> dict[str, Floats]:
    """The largest value of each input of each product over all sequences, by the exact graph."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(exact), providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()][1:]
    largest: dict[str, Floats] = {}
    for sequence in _sequences():
        tokens = np.array([sequence], np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
        for name, values in zip(names, session.run(names, feed), strict=True):
            found = np.abs(values[0]).max(axis=0)
            largest[name] = np.maximum(largest.get(name, found), found)
    return largest


def _sequences() -> Iterator[list[int]]:
    """Tokens by chance, the same ones every time: no text of anybody's shapes the graph."""
    chance = random.Random(0)  # noqa: S311 - not for secrets
    for _ in range(_SEQUENCES):
        yield [_FIRST, *_body(chance, chance.choice(_LENGTHS)), _LAST]


def _body(chance: random.Random, length: int) -> list[int]:
    """Words of one frequency, of one script, a few repeated, or words among marks."""
    kind = chance.randrange(4)
    if kind == 0:
        end = chance.choice([1100, 3000, 8000, _END])
        return [chance.randrange(_MARKS, end) for _ in range(length)]
    if kind == 1:
        begin = chance.choice([chance.randrange(_MARKS, _WORDS), chance.randrange(_MARKS, 30_400)])
        return [chance.randrange(begin, begin + 60) for _ in range(length)]
    if kind == 2:
        few = [chance.randrange(_MARKS, _END) for _ in range(chance.choice([1, 2, 3, 8]))]
        return [chance.choice(few) for _ in range(length)]
    return [
        chance.randrange(_MARKS, _MARKS + 65)
        if chance.random() < 0.4
        else chance.randrange(_WORDS, _RARE)
        for _ in range(length)
    ]
