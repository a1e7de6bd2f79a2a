"""Nearest int8 codes in memory, by FAISS; loaded by long-lived processes only.

A pure structure: it knows neither SQL nor the source of the codes. FAISS and numpy are imported
when an index is made.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from search.in_memory.id_set import IdSet

BYTES_BESIDE_A_CODE = 16
"""Bytes for an id, and for the copy made during removal."""

BYTES_OF_FAISS = 64 << 20
"""The memory that loading the library takes."""


class VectorIndex:
    """Codes of one length by id, searched exhaustively by inner product: no training needed.

    Not safe to share between threads without a lock.
    """

    def __init__(self, dimensions: int) -> None:
        """Raises ImportError if FAISS is not installed."""
        import faiss
        import numpy as np

        self.dimensions = dimensions
        self._np = np
        self._faiss: Any = faiss
        self._ids: Any = np.empty(0, dtype=np.int64)
        self._parameters: WeakKeyDictionary[IdSet, Any] = WeakKeyDictionary()
        self._codes: Any = faiss.IndexScalarQuantizer(
            dimensions, faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        )

    def __len__(self) -> int:
        return len(self._ids)

    @staticmethod
    def needed_bytes(count: int, dimensions: int) -> int:
        """The most memory that this many codes take; FAISS doubles its room as it grows."""
        return BYTES_OF_FAISS + count * (2 * dimensions + BYTES_BESIDE_A_CODE)

    def add(self, ids: Sequence[int], codes: bytes) -> None:
        """Append codes, `(len(ids), dimensions)` in int8, of new ids."""
        if len(codes) != len(ids) * self.dimensions:
            raise ValueError(f"{len(codes)} bytes for {len(ids)} codes of {self.dimensions}")
        if not ids:
            return
        rows = self._np.frombuffer(codes, dtype=self._np.uint8).reshape(len(ids), -1)
        self._codes.add_sa_codes(rows ^ 0x80)  # FAISS stores a signed byte as itself plus 128
        added = self._np.asarray(ids, dtype=self._np.int64)
        self._ids = self._np.concatenate([self._ids, added])
        self._parameters.clear()

    def remove(self, ids: Collection[int]) -> int:
        """Remove the codes of these ids; return how many there were."""
        wanted = self._np.fromiter(ids, dtype=self._np.int64, count=len(ids))
        gone = self._np.isin(self._ids, wanted)
        places = self._np.flatnonzero(gone)
        if len(places):
            self._codes.remove_ids(places)
            self._ids = self._ids[~gone]
            self._parameters.clear()
        return len(places)

    def search(self, code: bytes, limit: int, *, among: "IdSet | None" = None) -> list[int]:
        """The ids of the codes with the largest inner product with this one, best first.

        Only the ids in `among`, are compared, unless it is None.
        """
        if not len(self):
            return []
        # Set per thread. One query takes a millisecond; sharing it between threads costs eight.
        self._faiss.omp_set_num_threads(1)
        query = self._np.frombuffer(code, dtype=self._np.int8).astype(self._np.float32)
        _, places = self._codes.search(
            query.reshape(1, -1), min(limit, len(self)), params=self._selected(among)
        )
        found: list[int] = self._ids[places[0][places[0] >= 0]].tolist()
        return found

    def _selected(self, among: "IdSet | None") -> Any:
        """Search parameters that let only these ids answer, made once for each set."""
        if among is None:
            return None
        if among not in self._parameters:
            allowed = self._np.packbits(among.of(self._ids), bitorder="little")
            selector = self._faiss.IDSelectorBitmap(allowed)
            self._parameters[among] = self._faiss.SearchParameters(sel=selector)
        return self._parameters[among]
