"""Vectors as products of 4-bit codes, a quarter of the memory of int8: looked through first, to
find the few that are worth a comparison of all their bytes.

Each pair of components is replaced by the nearest of 16 points (Jégou, Douze, Schmid, "Product
quantization for nearest neighbor search", 2011), and tables of the query's products with those
points fit into registers (André, Kermarrec, Le Scouarnec, "Cache locality is not enough", 2015).
"""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    RowNumbers: TypeAlias = NDArray[np.int64]
    """Numbers of rows in the index that these codes stand for."""
    Floats: TypeAlias = NDArray[np.float32]

_PAIR = 2
_BITS = 4

DIMENSIONS = range(64, 513, _PAIR)
"""The lengths of vectors that have such codes: of shorter ones they keep too little, and of longer
ones FAISS's sums of 16 bits would overflow.
"""
SAMPLE = 256 << _BITS
"""Rows that the points are chosen from: as many for each as FAISS advises. With four times as many,
or more rounds, no more of the nearest vectors are found.
"""

_ROUNDS = 5

_MOST_GONE = 0.5
"""The largest share of removed rows, which every search still looks at."""


class ProductCodes:
    """The codes of the rows of an index, which are numbered from 0 without gaps.

    FAISS would pack all codes again for each removal, so removed ones stay and are left out of the
    answers. Not safe to share between threads without a lock.
    """

    def __init__(self, rows: "Floats") -> None:
        """Choose the points from a sample of the rows that will be added."""
        import faiss
        import numpy as np

        self._np = np
        self._faiss: Any = faiss
        dimensions = rows.shape[1]
        self._codes: Any = faiss.IndexPQFastScan(
            dimensions, dimensions // _PAIR, _BITS, faiss.METRIC_INNER_PRODUCT
        )
        self._codes.pq.cp.niter = _ROUNDS
        faiss.omp_set_num_threads(1)
        self._codes.train(rows)
        self._places: Any = np.empty(0, dtype=np.int64)
        self._count = 0

    @staticmethod
    def suit(count: int, dimensions: int) -> bool:
        """Return whether so many vectors of that length can have such codes."""
        return count >= SAMPLE and dimensions in DIMENSIONS

    @property
    def is_worn(self) -> bool:
        """Return whether so many rows have gone that new codes would be quicker."""
        return len(self._places) - self._count > _MOST_GONE * len(self._places)

    def add(self, rows: "Floats") -> None:
        """Append rows, whose numbers follow the last one."""
        self._codes.add(rows)
        added = self._np.arange(self._count, self._count + len(rows))
        self._places = self._np.concatenate([self._places, added])
        self._count += len(rows)

    def keep(self, kept: Any) -> None:
        """Remove the rows for which this array of bool is false; the others get new numbers."""
        number = self._np.where(kept, self._np.cumsum(kept) - 1, -1)
        held = self._places >= 0
        self._places[held] = number[self._places[held]]
        self._count = int(self._np.count_nonzero(kept))

    def nearest(self, query: "Floats", count: int) -> tuple["RowNumbers", "Floats"]:
        """The rows that are likely to have the largest inner products with a query of shape
        `(1, dimensions)`, about `count`, and the products of their codes, in no useful order.
        """
        self._faiss.omp_set_num_threads(1)
        of_all = count * len(self._places) // max(1, self._count)
        products, found = self._codes.search(query, min(of_all, len(self._places)))
        places: RowNumbers = self._places[found[0]]
        held = (found[0] >= 0) & (places >= 0)
        return places[held], products[0][held]
