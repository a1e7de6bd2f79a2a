"""Sets of chunk ids as one byte for each id, looked up for all chunks of an index at once.

Loads numpy, so only long-lived processes load it.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from search.in_memory.postings import Integers


class IdSet:
    """A set of ids, which stays as it is; quick and small if they are close to each other."""

    def __init__(self, ids: Integers) -> None:
        self._before = int(ids.min()) - 1 if len(ids) else 0
        self._held = np.zeros(int(ids.max(initial=0)) - self._before + 2, dtype=np.bool_)
        self._held[ids - self._before] = True

    def __len__(self) -> int:
        return int(self._held.sum())

    @property
    def size_bytes(self) -> int:
        return self._held.nbytes

    def of(self, ids: Integers) -> NDArray[np.bool_]:
        """True for each of these ids that the set holds, False for the others."""
        # The bytes at both ends belong to no id of the set and speak for all beyond.
        found: NDArray[np.bool_] = self._held.take(ids - self._before, mode="clip")
        return found

    def changed(self, changed: Collection[int], ids: Integers) -> "IdSet":
        """The set in which, of the `changed`, only `ids` are."""
        gone = np.fromiter(changed, dtype=np.int64, count=len(changed))
        held = self._held.copy()
        held[(gone - self._before).clip(0, len(held) - 1)] = False
        return IdSet(np.concatenate([np.flatnonzero(held) + self._before, ids]))
