"""Nearest int8 codes in memory, by FAISS, with what codes leave of the vectors; loaded by
long-lived processes only. Of many, shorter codes are looked through first.

A pure structure: it knows neither SQL nor the source of the codes. FAISS and numpy are imported
when an index is made.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from contracts.named_tuple import NamedTuple
from search.in_memory.product_codes import SAMPLE, ProductCodes

if TYPE_CHECKING:
    from search.in_memory.id_set import IdSet
    from search.in_memory.product_codes import RowNumbers

BYTES_BESIDE_A_VECTOR = 64
"""Bytes for an id, for the copy made during removal, and for components that are too large."""

BYTES_OF_FAISS = 64 << 20
"""The memory that loading the library takes."""

LOOKED_AT = 5
"""The number of the nearest short codes whose int8 codes are compared, for each that is wanted. Of
the 10 (100) nearest of 100,000 real embeddings, a search for 200 codes looks at 1.000 (.9988), and
with two instead of five at 1.000 (.9879).
"""

CLEAR = 1.9
"""Standard errors of the short codes' products by which the last that is wanted must exceed the
first that was not looked at; else all are scanned. Of 100 queries among real texts 99 have 2.05 and
more. In the middle of 20,000 vectors that hardly differ it is 1.4, and most of the nearest are not
looked at.
"""

FEWEST_LEFT = 3
"""The fewest of them within a scope; if there are fewer, all vectors within it are scanned."""

LEAST_GAIN = 50
"""Vectors for each that is looked at, at least: otherwise a scan of all is as quick."""

_SIGN = 0x80
"""FAISS stores a signed byte as itself plus 128."""

_BLOCK = 1 << 14


class Vectors(NamedTuple):
    """Vectors of an index: their ids, their codes and the rests of those, `(n, dimensions)` in
    int8, and what is beyond the codes of some, by number of row.
    """

    ids: list[int]
    codes: Any
    rests: Any
    large: dict[int, bytes]


class VectorIndex:
    """Codes of one length by id, searched by inner product: exhaustively, until they are shortened.

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
        self._order: Any = None
        self._held: tuple[Any, Any] | None = None
        self._allowed: WeakKeyDictionary[IdSet, _Allowed] = WeakKeyDictionary()
        kind, metric = faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        self._codes: Any = faiss.IndexScalarQuantizer(dimensions, kind, metric)
        self._rests: Any = faiss.IndexScalarQuantizer(dimensions, kind, metric)
        self._large: dict[int, bytes] = {}
        self._short: ProductCodes | None = None
        self._shortened = 0

    def __len__(self) -> int:
        return len(self._ids)

    @staticmethod
    def needed_bytes(count: int, dimensions: int) -> int:
        """The most memory that this many vectors take; FAISS doubles its room as it grows."""
        return BYTES_OF_FAISS + count * (5 * dimensions + BYTES_BESIDE_A_VECTOR)

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
            index.add_sa_codes(self._matrix(rows, self._np.uint8) ^ _SIGN)
        if self._short is not None:
            self._short.add(self._matrix(codes, self._np.int8).astype(self._np.float32))
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
            if self._short is not None:
                self._short.keep(~gone)
            for each in ids:
                self._large.pop(each, None)
            self._become(self._ids[~gone])
        return len(places)

    def shorten(self) -> None:
        """Make shorter codes, which searches look through first: half a second for 100,000."""
        if not ProductCodes.suit(len(self), self.dimensions):
            return
        rows = self._rows(self._codes)
        self._short = ProductCodes(_floats(rows[:: len(rows) // SAMPLE]))
        for start in range(0, len(rows), _BLOCK):
            self._short.add(_floats(rows[start : start + _BLOCK]))
        self._shortened = len(self)

    @property
    def is_worn(self) -> bool:
        """Return whether a new index would be quicker."""
        has_doubled = len(self) > 2 * self._shortened
        return self._short is not None and (has_doubled or self._short.is_worn)

    def _matrix(self, rows: bytes, kind: Any) -> Any:
        """Rows of bytes as a matrix."""
        return self._np.frombuffer(rows, dtype=kind).reshape(-1, self.dimensions)

    def _become(self, ids: Any) -> None:
        """Note the id of each place, now that they have changed."""
        self._ids, self._order, self._held = ids, None, None
        self._allowed.clear()

    def vectors(self, ids: Sequence[int]) -> Vectors:
        """The vectors of those of these ids that have one, in this order."""
        if self._order is None:
            order = self._np.argsort(self._ids, kind="stable")  # quick for ids that nearly rise
            self._order = (self._ids[order], order)
        rising, order = self._order
        wanted = self._np.asarray(ids, dtype=self._np.int64)
        at = rising.searchsorted(wanted)
        at[at == len(rising)] = 0
        at = at[rising[at] == wanted] if len(rising) else at[:0]
        return self.at(order[at])

    def at(self, places: "RowNumbers") -> Vectors:
        """The vectors at these places, which `search` returned and which have not changed since."""
        codes, rests = self._in_memory()
        known: list[int] = self._ids[places].tolist()
        row = dict(zip(known, range(len(known)), strict=True))
        large = {row[each]: self._large[each] for each in self._large.keys() & known}
        return Vectors(known, _signed(codes, places), _signed(rests, places), large)

    def _in_memory(self) -> tuple[Any, Any]:
        """The codes and the rests as FAISS holds them, until some are added or removed."""
        if self._held is None:
            self._held = (self._rows(self._codes), self._rows(self._rests))
        return self._held

    def _rows(self, index: Any) -> Any:
        if not len(self):
            return self._np.empty((0, self.dimensions), dtype=self._np.uint8)
        held = self._faiss.rev_swig_ptr(index.codes.data(), len(self) * self.dimensions)
        return held.reshape(len(self), -1)

    def search(self, code: bytes, limit: int, *, among: "IdSet | None" = None) -> "RowNumbers":
        """The places of the codes with the largest inner product with this one, best first.

        Only the ids in `among` are compared, unless it is None.
        """
        if not len(self):
            return self._np.empty(0, dtype=self._np.int64)
        query = self._matrix(code, self._np.int8).astype(self._np.float32)
        allowed = None if among is None else self._allow(among)
        likely = self._likely(query, limit, allowed)
        if likely is not None:
            return likely
        # Set per thread. One query takes a millisecond; sharing it between threads costs eight.
        self._faiss.omp_set_num_threads(1)
        selected = allowed and allowed.parameters
        _, found = self._codes.search(query, min(limit, len(self)), params=selected)
        places: RowNumbers = found[0][found[0] >= 0]
        return places

    def _likely(self, query: Any, limit: int, allowed: "_Allowed | None") -> "RowNumbers | None":
        """The places to return, by short codes first; None if others may be as near."""
        count = LOOKED_AT * limit
        if allowed is not None:
            count = count * len(self) // max(1, allowed.number)
        if self._short is None or count * LEAST_GAIN > len(self):
            return None
        found, guessed = self._short.nearest(query, count)
        if allowed is not None:
            within = allowed.places[found]
            found, guessed = found[within], guessed[within]
        if len(found) < FEWEST_LEFT * limit:
            return None
        # Of unsigned bytes each product is larger by the same, and it is exact in float32.
        rows = self._in_memory()[0].take(found, axis=0).astype(self._np.float32)
        products = self._np.einsum("ij,j->i", rows, query[0])
        order = self._np.argsort(-products, kind="stable")[:limit]
        errors = products - guessed
        least = guessed.min() + errors.mean() + CLEAR * errors.std()
        return found[order] if products[order[-1]] >= least else None

    def _allow(self, among: "IdSet") -> "_Allowed":
        """The places of these ids, looked for once for each set."""
        if among not in self._allowed:
            places = among.of(self._ids)
            selector = self._faiss.IDSelectorBitmap(self._np.packbits(places, bitorder="little"))
            parameters = self._faiss.SearchParameters(sel=selector)
            number = int(self._np.count_nonzero(places))
            self._allowed[among] = _Allowed(places, number, parameters)
        return self._allowed[among]


class _Allowed(NamedTuple):
    """The places that may answer, as an array of bool, their number, and the same for FAISS."""

    places: Any
    number: int
    parameters: Any


def _floats(rows: Any) -> Any:
    """Rows of FAISS as float32."""
    return (rows ^ _SIGN).view("int8").astype("float32")


def _signed(rows: Any, places: "RowNumbers") -> Any:
    """Some rows of FAISS, copied, in int8."""
    taken = rows.take(places, axis=0)
    taken ^= _SIGN
    return taken.view("int8")
