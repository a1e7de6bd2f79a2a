"""The query cache: answers that a long-lived process has given.

An answer is valid until something changes that a search could read; the storage's revision shows
that, for every writer. Only long-lived processes load this module.
"""

import sys
import threading
from collections import OrderedDict

from contracts.named_tuple import NamedTuple
from memory.storage.base import Storage
from memory.storage.counters import CountTable, own_table
from memory.storage.values import Revision
from memory.values.results import Findings
from memory.values.status_reports import QueryCacheStatus
from search import SearchOptions

MOST_ANSWERS = 1_000
MOST_BYTES = 16 << 20

COLUMNS = 2
"""The columns of a table of its counts: questions whose answer was known, and others."""

_HIT, _MISS = range(COLUMNS)
_OVERHEAD_BYTES = 2_000
"""Bytes of a hit without its text and heading, and of an answer without its hits."""


class Question(NamedTuple):
    """All that an answer depends on besides the database: the query and the options as text."""

    query: str
    options: str


class _CachedAnswer(NamedTuple):
    """An answer, the revision that it was read from, and the memory it takes."""

    found: Findings
    revision: Revision
    size_bytes: int


class QueryCache:
    """The last answers, bounded by their number and their bytes. Any thread may use it.

    The least recently used is removed first. Do not query it within a transaction.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        most: int = MOST_ANSWERS,
        most_bytes: int = MOST_BYTES,
        counts: CountTable | None = None,
    ) -> None:
        """Count in `counts`, which other processes of a server may share; else here alone."""
        self._storage = storage
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._answers: OrderedDict[Question, _CachedAnswer] = OrderedDict()
        self._size_bytes = 0
        self._counts = counts or own_table(COLUMNS)

    def ask(self, query: str, options: SearchOptions) -> "Lookup":
        """Look up a question now; the result has the answer if it was cached since the last change.

        Anything else that goes into the answer must be read after this.
        """
        question, revision = Question(query, repr(options)), self._storage.revision()
        with self._lock:
            given = self._answers.get(question)
            if given is None or given.revision != revision:
                self._counts.own[_MISS] += 1
                return Lookup(self, question, revision, None)
            self._counts.own[_HIT] += 1
            self._answers.move_to_end(question)
            return Lookup(self, question, revision, given.found)

    def keep(self, question: Question, revision: Revision, found: Findings) -> None:
        """Cache an answer in place of an older one, unless it is larger than the whole cache may
        be.
        """
        given = _CachedAnswer(found, revision, _size_bytes(question, found))
        with self._lock:
            self._forget(question)
            self._answers[question] = given
            self._size_bytes += given.size_bytes
            while len(self._answers) > self._most or self._size_bytes > self._most_bytes:
                self._forget(next(iter(self._answers)))

    def clear(self) -> None:
        """Remove every answer."""
        with self._lock:
            self._answers.clear()
            self._size_bytes = 0

    def is_at(self, revision: Revision) -> bool:
        """Return whether this thread, maybe in a snapshot, now reads that revision."""
        return self._storage.revision() == revision

    def status(self) -> QueryCacheStatus:
        """Return the hits, the misses and the size."""
        with self._lock:
            hits, misses = map(int, self._counts.totals())
            asked = hits + misses
            return QueryCacheStatus(
                hits=hits,
                misses=misses,
                hit_rate=round(hits / asked, 3) if asked else 0.0,
                answers=len(self._answers),
                size_bytes=self._size_bytes,
            )

    def _forget(self, question: Question) -> None:
        given = self._answers.pop(question, None)
        if given is not None:
            self._size_bytes -= given.size_bytes


class Lookup(NamedTuple):
    """A question, the revision of the database when it was asked, and the answer if it is known."""

    cache: QueryCache
    question: Question
    revision: Revision
    known: Findings | None

    def is_current(self) -> bool:
        """Return whether the database is unchanged; to be called in the snapshot that answers."""
        return self.cache.is_at(self.revision)

    def remember(self, found: Findings) -> None:
        """Cache the answer, which was read from the unchanged database."""
        self.cache.keep(self.question, self.revision, found)


def _size_bytes(question: Question, found: Findings) -> int:
    rows = [row for hit in found.ranking.hits for row in (hit.row, *hit.duplicates)]
    rows += [row for beside in found.neighbours.values() for part in beside for row in part]
    texts = [*question, found.ranking.analysis.text]
    for row in rows:
        texts += [row.text, row.heading, str(row.metadata)]
    return sum(map(sys.getsizeof, texts)) + _OVERHEAD_BYTES * (len(rows) + 1)
