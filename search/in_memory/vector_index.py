"""Nearest int8 codes in memory, by FAISS, with what codes leave of the vectors; loaded by
long-lived processes only.

A pure structure: it knows neither SQL nor the source of the codes. FAISS and numpy are imported
when an index is made.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from contracts.named_tuple import NamedTuple

if TYPE_CHECKING:
    from search.in_memory.id_set import IdSet

BYTES_BESIDE_A_VECTOR = 64
"""Bytes for an id, for the copy made during removal, and for components that are too large."""

BYTES_OF_FAISS = 64 << 20
"""The memory that loading the library takes."""

_SIGN = 0x80
"""FAISS stores a signed byte as itself plus 128."""


class Vectors(NamedTuple):
    """Vectors of an index: their ids, their codes and the rests of those, `(n, dimensions)` in
    int8, and what is beyond the codes of some, by number of row.
    """

    ids: list[int]
    codes: Any
    rests: Any
    large: dict[int, bytes]


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
        self._lookup: Any = None
        self._parameters: WeakKeyDictionary[IdSet, Any] = WeakKeyDictionary()
        kind, metric = faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        self._codes: Any = faiss.IndexScalarQuantizer(dimensions, kind, metric)
        self._rests: Any = faiss.IndexScalarQuantizer(dimensions, kind, metric)
        self._large: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._ids)

    @staticmethod
    def needed_bytes(count: int, dimensions: int) -> int:
        """The most memory that this many vectors take; FAISS doubles its room as it grows."""
        return BYTES_OF_FAISS + count * (4 * dimensions + BYTES_BESIDE_A_VECTOR)

    def add(
        self, ids: Sequence[int], codes: bytes, rests: bytes, large: Mapping[int, bytes]
    ) -> None:
        """Append vectors of new ids: codes and what they leave, `(len(ids), dimensions)` in int8,
        and what is beyond the codes, by id.
        """
        for rows in (codes, rests):
            if len(rows) != len(ids) * self.dimensions:
                raise ValueError(f"{len(rows)} bytes for {len(ids)} codes of {self.dimensions}")
        if not ids:
            return
        for index, rows in ((self._codes, codes), (self._rests, rests)):
            block = self._np.frombuffer(rows, dtype=self._np.uint8).reshape(len(ids), -1)
            index.add_sa_codes(block ^ _SIGN)
        self._large |= large
        added = self._np.asarray(ids, dtype=self._np.int64)
        self._become(self._np.concatenate([self._ids, added]))

    def remove(self, ids: Collection[int]) -> int:
        """Remove the vectors of these ids; return how many there were."""
        wanted = self._np.fromiter(ids, dtype=self._np.int64, count=len(ids))
        gone = self._np.isin(self._ids, wanted)
        places = self._np.flatnonzero(gone)
        if len(places):
            self._codes.remove_ids(places)
            self._rests.remove_ids(places)
            for each in ids:
                self._large.pop(each, None)
            self._become(self._ids[~gone])
        return len(places)

    def _become(self, ids: Any) -> None:
        """Note the id of each place, now that they have changed."""
        self._ids, self._lookup = ids, None
        self._parameters.clear()

    def vectors(self, ids: Sequence[int]) -> Vectors:
        """The vectors of those of these ids that have one, in this order."""
        if self._lookup is None:
            order = self._np.argsort(self._ids, kind="stable")  # quick for ids that nearly rise
            rows = (self._rows(self._codes), self._rows(self._rests))
            self._lookup = (self._ids[order], order, *rows)
        rising, order, codes, rests = self._lookup
        wanted = self._np.asarray(ids, dtype=self._np.int64)
        at = rising.searchsorted(wanted)
        at[at == len(rising)] = 0
        at = at[rising[at] == wanted] if len(rising) else at[:0]
        known: list[int] = rising[at].tolist()
        large = {row: self._large[each] for row, each in enumerate(known) if each in self._large}
        places = order[at]
        return Vectors(known, _signed(codes[places]), _signed(rests[places]), large)

    def _rows(self, index: Any) -> Any:
        """The rows as FAISS holds them, `(n, dimensions)`, until some are added or removed."""
        if not len(self):
            return self._np.empty((0, self.dimensions), dtype=self._np.uint8)
        held = self._faiss.rev_swig_ptr(index.codes.data(), len(self) * self.dimensions)
        return held.reshape(len(self), -1)

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


def _signed(rows: Any) -> Any:
    """Rows of FAISS in int8; `rows` are a copy already, which is changed."""
    rows ^= _SIGN
    return rows.view("int8")
