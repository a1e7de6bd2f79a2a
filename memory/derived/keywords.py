"""Keyword queries answered from memory: the postings of the words that were asked for."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from contracts import KeywordQuery, MemError, Scope, Scored
from memory.derived.follower import Follower
from memory.derived.scopes import ScopeIds
from memory.reports import KeywordIndexStatus
from memory.storage import Storage
from memory.storage.terms import Term
from search.keyword_index import BYTES_PER_CHUNK, KeywordIndex, Postings
from search.stopwords import STOP_WORDS

MOST_BYTES = 256 << 20
"""Memory for postings: of 13 million, so of some thousand words over a million chunks."""

AHEAD, FREQUENT_SHARE = 500, 0.02
"""Words that are read before they are asked for, at most, of those in such a share of chunks."""

AHEAD_SHARE = 0.5
"""Of `MOST_BYTES`, what those words may take."""

READING_ANEW = 50
"""Postings that are read in the time that it takes to look for a word in one chunk."""


@dataclass(slots=True)
class _Word:
    """A word's postings, and the change up to which they stand for the database."""

    postings: Postings
    sequence: int


@dataclass(slots=True)
class HeldWords:
    """The lengths of all chunks, and the words that were asked for, those used last at the end."""

    index: KeywordIndex
    sequence: int
    key: None = None
    words: OrderedDict[Term, _Word] = field(default_factory=OrderedDict)
    size_bytes: int = 0


class Keywords(Follower[HeldWords]):
    """BM25 in memory, held in step with the database.

    What depends on the whole is kept up to date with each change, a word when it is asked for.
    """

    def __init__(
        self,
        storage: Storage,
        scopes: ScopeIds,
        *,
        fewest: int,
        most_bytes: int,
        available: Callable[[], int | None],
    ) -> None:
        super().__init__(storage, available=available)
        self._scopes = scopes
        self._fewest = fewest
        self._most_bytes = most_bytes
        self._statistics = storage.keyword_statistics()

    def status(self) -> KeywordIndexStatus:
        """What answers keyword queries, and why it is not memory."""
        with self.as_it_is() as (held, reason):
            if held is not None:
                size = held.size_bytes + len(held.index) * BYTES_PER_CHUNK
                return KeywordIndexStatus("memory", len(held.index), size, None)
        return KeywordIndexStatus("sqlite", self._storage.count_chunks(), 0, reason)

    def best(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored] | None:
        """The best chunks by BM25, ties by id; None when SQLite has to say."""
        terms = self._statistics.terms(query)
        if terms is None:
            return None
        with self.in_step() as held:
            if held is None:
                return None
            among = self._scopes.of(scope)
            any_of, all_of, none_of = (
                [self._postings(held, term) for term in part]
                for part in (terms.any_of, terms.all_of, terms.none_of)
            )
            found = held.index.best(
                any_of, all_of=all_of, none_of=none_of, among=among, limit=limit
            )
            self._forget(held)
        return [Scored(chunk_id, score) for chunk_id, score in found]

    def _postings(self, held: HeldWords, term: Term) -> Postings:
        known = held.words.pop(term, None)
        if known is not None:  # at once: what follows reads, and may fail
            held.size_bytes -= known.postings.size_bytes
        if known is None:
            postings = held.index.postings(self._statistics.places(term))
        elif known.sequence == held.sequence:
            postings = known.postings
        else:
            postings = self._brought_up(held, term, known)
        held.size_bytes += postings.size_bytes
        held.words[term] = _Word(postings, held.sequence)
        return postings

    def _brought_up(self, held: HeldWords, term: Term, known: _Word) -> Postings:
        """A word's postings after what has changed, by the change log where that is quicker."""
        changed = self._storage.changed_since(known.sequence)
        if changed is None or len(changed) * READING_ANEW > len(known.postings.places):
            return held.index.postings(self._statistics.places(term))
        return held.index.changed(known.postings, changed, self._statistics.places(term, changed))

    def _forget(self, held: HeldWords) -> None:
        while held.size_bytes > self._most_bytes:
            _, least = held.words.popitem(last=False)
            held.size_bytes -= least.postings.size_bytes

    def _afterwards(self) -> None:
        """Have the words in most chunks ready, which take longest when they are asked for."""
        with suppress(MemError):
            for term in self._frequent():
                with self._storage.database.snapshot(), self.in_step() as held:
                    if held is None or held.size_bytes > AHEAD_SHARE * self._most_bytes:
                        return
                    self._postings(held, term)
                if self._is_stopping():
                    return

    def _frequent(self) -> list[Term]:
        """The most frequent words of those that a query is looked up by."""
        least = int(FREQUENT_SHARE * self._statistics.totals()[0])
        tokens = self._statistics.frequent(least=least, limit=AHEAD + len(STOP_WORDS))
        left_out = self._statistics.terms(KeywordQuery(words=tuple(STOP_WORDS)))
        never = {term.token for term in left_out.any_of} if left_out else set()
        return [Term(token) for token in tokens if token not in never][:AHEAD]

    def _key(self) -> None:
        return None

    def _take_over(self, held: HeldWords, changed: frozenset[int]) -> bool:
        lengths: dict[int, int] = {}
        for batch in self._statistics.lengths(changed):
            lengths |= batch
        return held.index.change(changed, lengths) and self._agrees(held.index)

    def _read(self, sequence: int, key: object) -> HeldWords | str:
        chunks, _ = self._statistics.totals()
        if chunks < self._fewest:
            return f"it is as quick for fewer than {self._fewest:,} chunks"
        too_large = self.too_large("it", chunks * BYTES_PER_CHUNK + self._most_bytes)
        if too_large:
            return too_large
        lengths: dict[int, int] = {}
        for batch in self._statistics.lengths():
            if stopping := self._is_stopping():
                return stopping
            lengths |= batch
        index = KeywordIndex(lengths)
        if not self._agrees(index):
            return "the keyword index disagrees with its own totals"
        return HeldWords(index, sequence)

    def _agrees(self, index: KeywordIndex) -> bool:
        """Whether the lengths add up to what FTS5 itself reckons with."""
        return (index.chunks, index.words) == self._statistics.totals()
