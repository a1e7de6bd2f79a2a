"""Keyword queries answered from memory, by the postings of the words asked for so far."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from contracts import KeywordQuery, MemError, Scope, Scored
from memory.retrieval.memory_index.change_log_cache import ChangeLogCache
from memory.retrieval.memory_index.scopes import ScopeIds
from memory.storage import Storage
from memory.storage.keyword_statistics import Term
from memory.values.status_reports import KeywordIndexStatus
from search.analysis.stopwords import STOP_WORDS
from search.in_memory.keyword_index import BYTES_PER_CHUNK, KeywordIndex
from search.in_memory.postings import Occurrences, Postings, occurrences

ROOM_SHARE = 0.25
"""Share for words of the memory available at the build, within the bounds below."""

LEAST_ROOM, MOST_ROOM, USUAL_ROOM = 32 << 20, 1 << 30, 256 << 20
"""Bounds; the last is for a system that does not say what is available. All words worth holding
of a million chunks take 400 MB.
"""

AHEAD, FREQUENT, FREQUENT_SHARE = 4_000, 2_000, 0.0005
"""Words read ahead at most, from those in so many chunks or in such a share of them, whichever
is less. To read a word takes half a millisecond, one of 2,000 chunks three times that; of 117,000
chunks 3,200 words are read, with an eighth more postings than the 950 most frequent have.
"""

AHEAD_SHARE = 0.75
"""Share of the room for words that the words read ahead may take."""

KNOWN_QUERIES = 16
"""The queries whose terms are kept: one search asks for the same words three times."""

POSTINGS_PER_LOOKUP = 50
"""Postings that are read in the time that it takes to look for a word in one chunk."""


@dataclass(slots=True)
class _Word:
    """A word's postings, and the change number up to which they match the database."""

    postings: Postings
    sequence: int


@dataclass(slots=True)
class HeldWords:
    """The lengths of all chunks, and words up to `most_bytes`, last used last.

    `is_full`: there was no room for another word.
    """

    index: KeywordIndex
    sequence: int
    most_bytes: int
    is_reading_ahead: bool = True
    is_full: bool = False
    key: None = None
    words: OrderedDict[Term, _Word] = field(default_factory=OrderedDict)
    size_bytes: int = 0


class Keywords(ChangeLogCache[HeldWords]):
    """BM25 in memory, kept up to date with the database.

    The statistics of the whole are updated with each change, a word when it is asked for.
    """

    def __init__(
        self,
        storage: Storage,
        scopes: ScopeIds,
        *,
        fewest: int,
        most_bytes: int | None,
        available: Callable[[], int | None],
    ) -> None:
        """`most_bytes` is for words; None: a share of the available memory."""
        super().__init__(storage, available=available)
        self._scopes = scopes
        self._fewest = fewest
        self._most_bytes = most_bytes
        self._statistics = storage.keyword_statistics()
        self._terms_of = lru_cache(KNOWN_QUERIES)(self._statistics.terms)

    def status(self) -> KeywordIndexStatus:
        """Return which index answers keyword queries, and why it is not the one in memory."""
        with self.locked() as (held, reason):
            if held is not None:
                return KeywordIndexStatus(
                    "memory",
                    len(held.index),
                    held.size_bytes + len(held.index) * BYTES_PER_CHUNK,
                    None,
                    words=len(held.words),
                    most_bytes=held.most_bytes,
                    is_reading_ahead=held.is_reading_ahead,
                    is_full=held.is_full,
                )
        return KeywordIndexStatus(self._storage.engine, self._storage.count_chunks(), 0, reason)

    def best(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored] | None:
        """Return the best chunks by BM25, ties by id; None when SQLite has to answer."""
        among = self._scopes.of(scope)
        if among is not None and not len(among):
            return []
        terms = self._terms_of(query)
        if terms is None:
            return None
        read: dict[Term, Occurrences] = {}
        while True:
            with self.in_step() as held:
                if held is None:
                    return None
                words = {term: self._postings(held, term, read) for term in terms.every}
                known = {term: word for term, word in words.items() if word is not None}
                if len(known) == len(words):
                    any_of, all_of, none_of = (
                        [known[term] for term in part]
                        for part in (terms.any_of, terms.all_of, terms.none_of)
                    )
                    found = held.index.best(
                        any_of, all_of=all_of, none_of=none_of, among=among, limit=limit
                    )
                    self._forget(held)
                    return found
            read |= {term: self._read_word(term) for term in words.keys() - known.keys()}

    def counted(self, words: Sequence[str], *, most: int) -> dict[str, int] | None:
        """Return the number of chunks, up to `most`, with each word; None: SQLite has to answer."""
        with self.in_step() as held:
            known = self._known(held, words)
            if known is None:
                return None
            return {word: min(most, len(known[word])) if word in known else 0 for word in words}

    def words_in(
        self, chunk_ids: Sequence[int], words: Sequence[str]
    ) -> dict[int, frozenset[str]] | None:
        """Return those of these words that each chunk holds; None when SQLite has to answer."""
        with self.in_step() as held:
            known = self._known(held, words)
            if held is None or known is None:
                return None
            holding = held.index.holding(list(known.values()), chunk_ids)
        of_word = dict(zip(known, holding, strict=True))
        return {
            chunk_id: frozenset(word for word in known if chunk_id in of_word[word])
            for chunk_id in chunk_ids
        }

    def _known(self, held: HeldWords | None, words: Sequence[str]) -> dict[str, Postings] | None:
        """Return the postings of these words, without any that is not a word for the index; None if
        one is not held, or some chunks of the index are of another generation and do not count.
        """
        terms = self._terms_of(KeywordQuery(words=tuple(words)))
        if held is None or terms is None or self._scopes.of(Scope()) is not None:
            return None
        found = {term.word: self._postings(held, term, {}) for term in terms.any_of}
        known = {word: postings for word, postings in found.items() if postings is not None}
        return known if len(known) == len(found) else None

    def _read_word(self, term: Term) -> Occurrences:
        """Read a word from the database, without the lock."""
        return occurrences(self._statistics.places(term))

    def _postings(
        self, held: HeldWords, term: Term, read: dict[Term, Occurrences]
    ) -> Postings | None:
        """Return a word's postings, which are then held; None when the word must be read first."""
        known = held.words.get(term)
        if known is not None and known.sequence == held.sequence:
            held.words.move_to_end(term)
            return known.postings
        if known is not None:  # at once: what follows reads, and may fail
            del held.words[term]
            held.size_bytes -= known.postings.size_bytes
        postings = None
        if term in read:
            postings = held.index.postings(read[term])
        elif known is not None:
            postings = self._updated(held, term, known)
        if postings is not None:
            held.size_bytes += postings.size_bytes
            held.words[term] = _Word(postings, held.sequence)
        return postings

    def _updated(self, held: HeldWords, term: Term, known: _Word) -> Postings | None:
        """Return a word's postings with later changes applied, by the change log where that is
        quicker.
        """
        changed = self._storage.changed_since(known.sequence)
        if changed is None or len(changed) * POSTINGS_PER_LOOKUP > len(known.postings):
            return None
        found = occurrences(self._statistics.places(term, changed))
        return held.index.changed(known.postings, changed, found)

    def _forget(self, held: HeldWords) -> None:
        while held.size_bytes > held.most_bytes:
            _, least = held.words.popitem(last=False)
            held.size_bytes -= least.postings.size_bytes
            held.is_full = True

    def _after_build(self) -> None:
        """Read ahead the words in most chunks, which take longest when they are asked for."""
        with suppress(MemError):
            for term in self._frequent():
                with self._storage.database.snapshot():
                    if not self._ahead(term):
                        break
        with self.locked() as (held, _):
            if held is not None:
                held.is_reading_ahead = False

    def _ahead(self, term: Term) -> bool:
        """Read this word ahead as well; False when that is no longer of use."""
        with self.in_step() as held:
            if held is not None and held.size_bytes > AHEAD_SHARE * held.most_bytes:
                held.is_full = True
                return False
        if held is not None and not self._is_stopping():
            read = {term: self._read_word(term)}
            with self.in_step() as held:
                if held is not None:
                    self._postings(held, term, read)
                    self._forget(held)
        sequence = self._storage.sequence()
        with self.locked() as (still, _):
            return still is not None and still.sequence >= sequence

    def _frequent(self) -> list[Term]:
        """Return the most frequent words that queries are looked up by."""
        left_out = self._statistics.terms(KeywordQuery(words=tuple(STOP_WORDS)))
        never = {term.token for term in left_out.any_of} if left_out else set()
        found: list[tuple[int, str]] = []
        with self._storage.database.snapshot():
            least = min(FREQUENT, int(FREQUENT_SHARE * self._statistics.totals()[0]))
            for chunks, token in self._statistics.frequent(least=least):
                if self._is_stopping():
                    return []
                if token not in never:
                    found.append((chunks, token))
        return [Term(token) for _, token in sorted(found, reverse=True)[:AHEAD]]

    def _key(self) -> None:
        return None

    def _apply(self, held: HeldWords, changed: frozenset[int]) -> bool:
        lengths: dict[int, int] = {}
        for batch in self._statistics.lengths(changed):
            lengths |= batch
        return held.index.change(changed, lengths) and self._agrees(held.index)

    def _read(self, sequence: int, key: object) -> HeldWords | str:
        chunks, _ = self._statistics.totals()
        if chunks < self._fewest:
            return f"it is as quick for fewer than {self._fewest:,} chunks"
        room = self._room()
        too_large = self.too_large("it", chunks * BYTES_PER_CHUNK + room)
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
        return HeldWords(index, sequence, room)

    def _room(self) -> int:
        """Return the bytes that words may take."""
        if self._most_bytes is not None:
            return self._most_bytes
        available = self._available()
        if available is None:
            return USUAL_ROOM
        return min(max(int(ROOM_SHARE * available), LEAST_ROOM), MOST_ROOM)

    def _agrees(self, index: KeywordIndex) -> bool:
        """Return whether the lengths add up to the totals that FTS5 itself uses."""
        return (index.chunks, index.words) == self._statistics.totals()
