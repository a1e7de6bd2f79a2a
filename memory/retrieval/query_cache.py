"""The answers that a long-lived process has given, for when it is asked the same again.

An answer is good for as long as nothing has changed that a search could read, which the storage's
revision tells, whoever wrote. Loaded by long-lived processes only.
"""

import sys
import threading
from collections import OrderedDict
from typing import NamedTuple

from memory.storage.base import Storage
from memory.storage.values import Revision
from memory.values.results import Findings
from memory.values.status_reports import QueryCacheStatus
from search import SearchOptions

MOST_ANSWERS = 1_000
MOST_BYTES = 16 << 20

_BESIDE_THE_TEXT = 2_000
"""Bytes of a hit without its text and heading, and of an answer without its hits."""


class Question(NamedTuple):
    """All that an answer depends on beside the database: the query, and the options spelled out."""

    query: str
    options: str


class _Given(NamedTuple):
    """An answer, the revision that it was read from, and what it takes of memory."""

    found: Findings
    revision: Revision
    size_bytes: int


class QueryCache:
    """The answers asked for last, bounded by their number and their bytes. Any thread may use it.

    The one that was not asked for longest goes first. Not to be asked within a transaction.
    """

    def __init__(
        self, storage: Storage, *, most: int = MOST_ANSWERS, most_bytes: int = MOST_BYTES
    ) -> None:
        self._storage = storage
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._given: OrderedDict[Question, _Given] = OrderedDict()
        self._size_bytes = 0
        self._hits = 0
        self._misses = 0

    def ask(self, query: str, options: SearchOptions) -> "Asked":
        """A question at this moment, with the answer if the same has been answered since the last
        change. What else the answer is made of must be read after this.
        """
        question, revision = Question(query, repr(options)), self._storage.revision()
        with self._lock:
            given = self._given.get(question)
            if given is None or given.revision != revision:
                self._misses += 1
                return Asked(self, question, revision, None)
            self._hits += 1
            self._given.move_to_end(question)
            return Asked(self, question, revision, given.found)

    def keep(self, question: Question, revision: Revision, found: Findings) -> None:
        """Keep an answer in place of an older one, unless it is larger than all may be."""
        given = _Given(found, revision, _size_bytes(question, found))
        with self._lock:
            self._forget(question)
            self._given[question] = given
            self._size_bytes += given.size_bytes
            while len(self._given) > self._most or self._size_bytes > self._most_bytes:
                self._forget(next(iter(self._given)))

    def clear(self) -> None:
        """Let go of every answer."""
        with self._lock:
            self._given.clear()
            self._size_bytes = 0

    def is_of(self, revision: Revision) -> bool:
        """Whether what this thread reads just now, maybe in a snapshot, is of that revision."""
        return self._storage.revision() == revision

    def status(self) -> QueryCacheStatus:
        """How often it could answer, and what it takes."""
        with self._lock:
            asked = self._hits + self._misses
            return QueryCacheStatus(
                hits=self._hits,
                misses=self._misses,
                hit_rate=round(self._hits / asked, 3) if asked else 0.0,
                answers=len(self._given),
                size_bytes=self._size_bytes,
            )

    def _forget(self, question: Question) -> None:
        given = self._given.pop(question, None)
        if given is not None:
            self._size_bytes -= given.size_bytes


class Asked(NamedTuple):
    """A question, the revision of the database when it was asked, and the answer if it is known."""

    cache: QueryCache
    question: Question
    revision: Revision
    known: Findings | None

    def is_of_now(self) -> bool:
        """Whether the database is still as it was; to be asked in the snapshot that answers."""
        return self.cache.is_of(self.revision)

    def remember(self, found: Findings) -> None:
        """Keep the answer, which was read from a database that was still the same."""
        self.cache.keep(self.question, self.revision, found)


def _size_bytes(question: Question, found: Findings) -> int:
    rows = [row for hit in found.ranking.hits for row in (hit.row, *hit.duplicates)]
    rows += [row for beside in found.neighbours.values() for part in beside for row in part]
    texts = [*question, found.ranking.analysis.text]
    for row in rows:
        texts += [row.text, row.heading, str(row.metadata)]
    return sum(map(sys.getsizeof, texts)) + _BESIDE_THE_TEXT * (len(rows) + 1)
