"""Read the token table: single rows by seeking, for a query, or all of it, for many texts.

`table.bin` holds one row of 128 bytes for every line of `vocab.txt`, `scales.bin` one little-endian
float16 for each. Byte j of a row has value j in its low half and value j + 128 in its high half; a
value is `(nibble - 7.5) * scale`. `[UNK]` has scale 0.
"""

import struct
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from contracts.errors import UnavailableError
from providers.static_model.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE, SCALES, VOCABULARY, REVISION = "table.bin", "scales.bin", "vocab.txt", "revision.txt"
DIMENSIONS = 256
ROW_BYTES = DIMENSIONS // 2
MIDDLE = 7.5

_FRACTIONS = 1 << 24
"""A float16 is a multiple of one of these parts of 1 ..."""

_LANE_BYTES = 8
"""... so the sum of a text's rows is exact in whole numbers, all of them side by side in one."""

_LOW = bytes(byte & 15 for byte in range(256))
_HIGH = bytes(byte >> 4 for byte in range(256))


class TokenTable:
    """The model's files in one folder.

    Raises UnavailableError when they are missing or do not fit together.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self.revision = (folder / REVISION).read_text(encoding="utf-8").strip()
            self.vocabulary = Vocabulary((folder / VOCABULARY).read_bytes())
            self._scales = (folder / SCALES).read_bytes()
            size_bytes = (folder / TABLE).stat().st_size
        except (OSError, UnicodeDecodeError) as error:
            raise _damaged(f"the built-in model cannot be read: {error}") from error
        tokens = len(self.vocabulary)
        if size_bytes != tokens * ROW_BYTES or len(self._scales) != tokens * 2:
            raise _damaged(f"the built-in model in {folder} has files that do not fit together")

    def weighted_sum(self, counts: Mapping[int, int]) -> list[float]:
        """The sum of the rows, each times its count: 256 numbers.

        By numpy if the process has already loaded it; the numbers are identical to the last bit.
        """
        return self._summed_by_numpy(counts) if "numpy" in sys.modules else self._summed(counts)

    def _summed(self, counts: Mapping[int, int]) -> list[float]:
        total = shift = 0
        lanes = bytearray(DIMENSIONS * _LANE_BYTES)
        with (self._folder / TABLE).open("rb", buffering=0) as file:
            for token, count in counts.items():
                (scale,) = struct.unpack_from("<e", self._scales, 2 * token)
                if not scale:
                    continue
                file.seek(token * ROW_BYTES)
                row = file.read(ROW_BYTES)
                weight = int(scale * _FRACTIONS) * count
                shift += weight
                lanes[::_LANE_BYTES] = row.translate(_LOW) + row.translate(_HIGH)
                total += weight * int.from_bytes(lanes, "little")
        sums = struct.unpack(f"<{DIMENSIONS}Q", total.to_bytes(len(lanes), "little"))
        middle = shift * MIDDLE
        return [(value - middle) / _FRACTIONS for value in sums]

    def _summed_by_numpy(self, counts: Mapping[int, int]) -> list[float]:
        import numpy as np

        tokens = np.fromiter(counts, np.intp, len(counts))
        times = np.fromiter(counts.values(), np.float64, len(counts))
        weights = np.frombuffer(self._scales, "<f2")[tokens] * times
        rows = self._packed[tokens]
        nibbles = np.concatenate((rows & 15, rows >> 4), axis=1)
        shift = 0.0
        for weight in weights.tolist():  # in this order, as above
            shift += weight * MIDDLE
        total: list[float] = ((weights[:, None] * nibbles).sum(axis=0) - shift).tolist()
        return total

    def load(self) -> "NDArray[np.float32]":
        """The whole table, `(tokens, 256) float32`, 30 MB."""
        import numpy as np

        packed = self._packed
        scales = np.frombuffer(self._scales, "<f2").astype(np.float32)
        table = np.empty((len(packed), DIMENSIONS), np.float32)
        table[:, :ROW_BYTES] = packed & 15
        table[:, ROW_BYTES:] = packed >> 4
        table -= np.float32(MIDDLE)
        table *= scales[:, None]
        return table

    @cached_property
    def _packed(self) -> "NDArray[np.uint8]":
        """The packed rows, `(tokens, 128)`, 4 MB."""
        import numpy as np

        return np.fromfile(self._folder / TABLE, np.uint8).reshape(-1, ROW_BYTES)


def _damaged(message: str) -> UnavailableError:
    return UnavailableError(message, hint="reinstall the program")
