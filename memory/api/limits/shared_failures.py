"""Failed attempts with a token, told to the other processes of a server through shared memory.

Each process writes to a ring of its own and reads those of the others, so that none needs a lock. A
process that replaces another reads what its predecessor wrote, too.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

MOST_KEPT: Final = 4096
"""The last failures that a ring has."""

_HEAD: Final = struct.Struct("Q")  # the number of failures ever written to the ring
_FAILURE: Final = struct.Struct("16sd")  # the network, as `failures` spells it, and the moment

RING_BYTES: Final = _HEAD.size + MOST_KEPT * _FAILURE.size


class SharedFailures:
    """The failures of all processes of a server. Used on the event loop alone."""

    def __init__(self, rings: Sequence[memoryview], own: int) -> None:
        """`rings` have RING_BYTES each, all zero at first; the one at `own` is this process's."""
        self._rings = rings
        self._own = own
        self._read = [max(0, _written(ring) - MOST_KEPT) for ring in rings]

    def add(self, network: str, at_s: float) -> None:
        """Tell the others of a failure at a moment of the clock that all processes share."""
        ring = self._rings[self._own]
        written = _written(ring)
        _FAILURE.pack_into(ring, _place(written), network.encode("ascii"), at_s)
        _HEAD.pack_into(ring, 0, written + 1)
        self._read[self._own] = written + 1

    def new(self) -> Iterator[tuple[str, float]]:
        """Yield the failures that were written since the last time, except those of `add`."""
        for number, ring in enumerate(self._rings):
            written = _written(ring)
            for at in range(max(self._read[number], written - MOST_KEPT), written):
                network, at_s = _FAILURE.unpack_from(ring, _place(at))
                yield network.rstrip(b"\0").decode("ascii"), at_s
            self._read[number] = written


def _written(ring: memoryview) -> int:
    return int(_HEAD.unpack_from(ring, 0)[0])


def _place(number: int) -> int:
    return _HEAD.size + number % MOST_KEPT * _FAILURE.size
