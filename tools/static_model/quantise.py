"""Four bits a weight: how the table is stored.

A row is 256 values `(nibble - 7.5) * scale` with one float16 scale. Byte j of a row holds value j
in its low half and value j + 128 in its high half, so that a reader without numpy gets the row by
two translations of its bytes.
"""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from providers.static_model.table import SCALES, TABLE, VOCABULARY

Floats = NDArray[np.float32]

MIDDLE = np.float32(7.5)
CLIPPINGS = (1.0, 0.9, 0.8, 0.7, 0.6)


def quantise(table: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Nibbles `(tokens, dimensions)`, 0 to 15, and scales `(tokens,)`.

    Of five scales for a row the one with the least squared error is taken: clipping its few
    largest values leaves finer steps to all the others.
    """
    largest = np.abs(table).max(axis=1)
    best_nibbles = np.zeros(table.shape, np.uint8)
    best_scales = np.zeros(len(table), np.float16)
    best_errors = np.full(len(table), np.inf, np.float32)
    for clipping in CLIPPINGS:
        scales = (largest * np.float32(clipping) / MIDDLE).astype(np.float16)
        steps = np.where(scales > 0, scales, 1).astype(np.float32)[:, None]
        nibbles = np.clip(np.rint(table / steps + MIDDLE), 0, 15)
        errors = np.square((nibbles - MIDDLE) * scales[:, None].astype(np.float32) - table)
        better = errors.sum(axis=1) < best_errors
        best_errors = np.where(better, errors.sum(axis=1), best_errors)
        best_nibbles[better] = nibbles[better]
        best_scales[better] = scales[better]
    return best_nibbles, best_scales


def pack(nibbles: NDArray[np.uint8]) -> bytes:
    """Rows of `dimensions / 2` bytes, one after another."""
    half = nibbles.shape[1] // 2
    return (nibbles[:, :half] | nibbles[:, half:] << 4).astype(np.uint8).tobytes()


def revision_of(folder: Path) -> str:
    """The first 12 hex digits of the BLAKE2b of table, scales and vocabulary, in that order."""
    digest = hashlib.blake2b()
    for name in (TABLE, SCALES, VOCABULARY):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:12]
