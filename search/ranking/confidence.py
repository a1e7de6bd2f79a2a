"""Estimate whether a hit answers the question.

A search always finds the nearest there is. What separates an answer from a near text is how much of
the question the best hit holds: its words, rare ones counting more, and how much nearer in meaning
it is than texts about other things. That alone decides whether a whole answer is weak. The
confidence in each of its hits depends on its lead over the others, too: where many are alike, and
as many may answer, each is only fair.
"""

from collections.abc import Sequence
from functools import cached_property
from math import log

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow, KeywordQuery
from search.analysis.inflection import is_inflected, query_stems
from search.analysis.query import split_words
from search.identifiers.detection import is_hash
from search.identifiers.identifier_search import NO_DEFINITION, identifier_words
from search.identifiers.matching import Level, begins_a_name, match_level
from search.identifiers.variants import identifier_field, split_identifier
from search.ranking.hit_selection import ConfidenceWord, RankedHit
from search.retrieval import Candidates, Plan

WEAK_BELOW = 0.22
"""An answer with less evidence is weak. Chosen on SciFact's training claims and on halves of SQuAD
and CoSQA so that at most 5 % of the answers with a right hit in the first three fall below.
"""

MOST_WORDS = 32
"""The most words of a question that are considered."""

COUNTED = 200
"""Chunks with a word are counted up to this many: more make no difference here."""

FEWEST_NEIGHBOURS = 50
"""With fewer texts compared by meaning, an unrelated one cannot be recognised."""

STANDING_OUT = 0.3
"""The distance from the hundredth text's cosine, as a share of the way to 1, from which a text
counts as related, for a model without measured cosines. For the built-in model and MiniLM it works
nearly as well as their own figure.
"""


ODDS = (-3.19, 3.08, 5.34, 6.31)
"""The logistic regression of `benchmarks.confidence`, of the hits of both built-in models: what is
added for every hit, for its share of words, its nearness and its lead.
"""

FARTHEST = -0.4
"""The least nearness that counts: all texts below it are equally far."""

STRONG_ODDS, WEAK_ODDS = 0.405, -1.735
"""From the first on a hit is strong, below the second it is weak: chosen there, on one half of the
questions (probabilities of .6 and .15); see docs/benchmarks.md for the other half.
"""

LEAST_LEAD = 0.1
"""The least lead of a strong hit: of those that the odds call strong with a smaller one, half hold
the answer.
"""

MAIN_SHARE = 0.3
"""The least share, by their weights, of the words of a question that are its main words."""

MOST_SHARE, RELATED = 0.45, 0.1
"""A share of words that occur nowhere, and a nearness: a text that is less near may be so to the
other words alone. Of 271 such questions of the judged collections, 2 had an
answer in their first three hits, of 337 with MiniLM 5.
"""

NEAR_THE_BEST = 0.1
"""The largest distance to the best score at which a hit with the name asked for is strong."""

_JOINT = deferred(r"\.|::")


class Confidence(NamedTuple):
    """An estimate that the best hit of a search is an answer.

    share    of the question's words, weighted by how rare they are, the best hit holds; in [0, 1]
    nearness  its cosine above that of an unrelated text; 0 if meaning was not compared
    held, asked  the same words, counted
    missing  identifiers of the question without any match in what may answer
    narrowed  that is not the whole index
    """

    share: float
    nearness: float = 0.0
    held: int = 0
    asked: int = 0
    missing: tuple[str, ...] = ()
    narrowed: bool = False

    @property
    def evidence(self) -> float:
        """About 1 for an answer in the question's own words, about 0 for an unrelated text."""
        return self.share + self.nearness

    @property
    def is_weak(self) -> bool:
        return self.evidence < WEAK_BELOW

    @property
    def reason(self) -> str:
        """The reason for a weak answer, without a full stop."""
        if self.missing:
            where = "not within these limits" if self.narrowed else "not indexed"
            return f"nothing here seems to answer this: {self.missing[0]} is {where}"
        held = self.held or "none"
        words = "word" if self.asked == 1 else "words"
        fact = f"the best match holds {held} of {self.asked} {words}"
        if 2 * self.held >= self.asked and self.nearness < 0:
            fact += " and is far from it in meaning"
        if not self.asked:
            fact = "the best match does not have what was asked for"
        return f"nothing here seems to answer this: {fact}"


class Judge:
    """Estimates of how likely the hits of one search are answers.

    `plan.unrelated` is the model's cosine that 95 of 100 questions about something else do not
    reach with their best hit; None: not measured, and estimated from this question's neighbours.
    """

    def __init__(self, index: CandidateIndex, plan: Plan, found: Candidates) -> None:
        self._index = index
        self._plan = plan
        self._found = found
        self._names, self._is_alone = identifier_words(plan.analysis)
        self._held: dict[int, frozenset[str]] = {}

    def of(self, row: ChunkRow) -> Confidence:
        """Estimate how likely a hit is an answer, without its place among the others.

        A definition that the question names, and an identifier that the hit holds as asked for, are
        answers.
        """
        if self._is_defined(row) or self._level(row) >= Level.CASELESS:
            return Confidence(1.0)
        return self.measured(row)

    def measured(self, row: ChunkRow) -> Confidence:
        """The same by words and meaning alone.

        Of an identifier without any match, not even a name like it with the same digits, neither
        the parts count, which any text may hold, nor the meaning.
        """
        identifiers = self._found.identifiers
        missing = () if self._level(row) else self._missing
        alike = identifiers.misspelt() if row.chunk_id in identifiers.matches else ()
        words = self._word_share(row, _parts(missing), _parts(alike))
        if missing:
            return words._replace(missing=missing, narrowed=identifiers.narrowed)
        return words._replace(nearness=self.nearness(row.chunk_id))

    def _is_defined(self, row: ChunkRow) -> bool:
        match = self._found.identifiers.matches.get(row.chunk_id)
        return match is not None and match.definition != NO_DEFINITION

    def _level(self, row: ChunkRow) -> Level:
        if not self._names:
            return Level.NONE
        place = f"{row.text}\n{row.path or ''}\n{row.heading}"
        return max(self._level_of(name, place) for name in self._names)

    def _level_of(self, name: str, place: str) -> Level:
        """The level at which a text holds a name; one that is asked for as a beginning, such as
        `ITEM-005*` or the first digits of a hash, is held as asked for by a longer one.
        """
        level = _held_level(name, place)
        if is_hash(name):
            is_begun = level == Level.PART
        else:
            is_asked = name.endswith(self._plan.analysis.prefixes)
            is_begun = is_asked and begins_a_name(name, place)
        return max(level, Level.CASELESS) if is_begun else level

    def word(self, row: ChunkRow, lead: float) -> ConfidenceWord:
        """The word for a hit with that lead over the best other hit, as a share of the best score;
        negative for all but the first.

        Its definition, or a name that is the whole question, is the answer.
        """
        return self._unmeasured_word(row, lead) or self._measured_word(row, lead)

    def _unmeasured_word(self, row: ChunkRow, lead: float) -> ConfidenceWord | None:
        """The word for a hit, if the question's words that it holds make no difference."""
        if self._is_defined(row) or (self._is_alone and self._level(row) >= Level.CASELESS):
            return "strong" if lead > -NEAR_THE_BEST else "fair"
        if _odds(Confidence(1.0, self.nearness(row.chunk_id)), lead) < WEAK_ODDS:
            return "weak"
        return None

    def _measured_word(self, row: ChunkRow, lead: float) -> ConfidenceWord:
        trust = self.measured(row)
        odds = _odds(trust, lead)
        if trust.missing or odds < WEAK_ODDS:
            return "weak"
        return "strong" if odds >= STRONG_ODDS and lead >= LEAST_LEAD else "fair"

    @cached_property
    def lacks_main_word(self) -> bool:
        """Return whether the question's main words occur nowhere, and no text is near it."""
        own = {word.lower() for word in self._plan.analysis.words}
        absent = [word for word in self._asked if word.lower() in own and not self._counts[word]]
        cosines = self._found.cosine
        if self._found.identifiers.matches or not (absent and cosines):
            return False
        total = sum(self._weights.values())
        share = sum(self._weights[word] for word in absent) / total
        least = RELATED if share >= MOST_SHARE else 0.0
        nearest = self.nearness(max(cosines, key=cosines.__getitem__))
        return share >= MAIN_SHARE and nearest < least

    @property
    def reason(self) -> str:
        """The reason for a weak answer without the question's main word."""
        absent = next((word for word, count in self._counts.items() if not count), "")
        return f"nothing here seems to answer this: {absent!r} occurs nowhere"

    def words(self, hits: Sequence[RankedHit]) -> list[ConfidenceWord]:
        """The word for every hit of an answer, which are by falling score."""
        led = [(hit.row, lead) for hit, lead in zip(hits, leads(hits), strict=True)]
        known = [self._unmeasured_word(*each) for each in led]
        pairs = list(zip(led, known, strict=True))
        self._read_words([row for (row, _), word in pairs if word is None])
        return [word or self._measured_word(*each) for each, word in pairs]

    def nearness(self, chunk_id: int) -> float:
        """The cosine of a chunk above that of an unrelated text; 0 if meaning was not compared."""
        cosine = self._found.cosine.get(chunk_id)
        return 0.0 if cosine is None or self._unrelated is None else cosine - self._unrelated

    @cached_property
    def _missing(self) -> tuple[str, ...]:
        """The identifiers of the question, if none of them has any match."""
        identifiers = self._found.identifiers
        if not self._names or identifiers.has_definition or identifiers.misspelt():
            return ()
        known = self._index.document_frequencies(self._names.values(), most=1)
        held = tuple(word for word, count in known.items() if count)
        return () if held and self._may_answer(held) else tuple(self._names)

    def _may_answer(self, words: tuple[str, ...]) -> bool:
        """Return whether a chunk that may answer holds one of these words of the index."""
        if not self._found.identifiers.narrowed:
            return True
        bound = self._plan.analysis.keyword
        query = KeywordQuery(words, required=bound.required, excluded=bound.excluded)
        return bool(self._index.keyword_candidates(query, self._plan.options.scope, limit=1))

    @cached_property
    def _asked(self) -> tuple[str, ...]:
        return self._plan.analysis.keyword.words[:MOST_WORDS]

    @cached_property
    def _counts(self) -> dict[str, int]:
        """The number of chunks with each word, up to COUNTED."""
        return dict(self._index.document_frequencies(self._asked, most=COUNTED))

    @cached_property
    def _weights(self) -> dict[str, float]:
        """`log(1 + N / (n + 0.5))` for a word in n of N chunks.

        That is its inverse document frequency, always positive.
        """
        total = self._found.chunks or self._index.count_chunks()
        return {word: log(1 + total / (count + 0.5)) for word, count in self._counts.items()}

    def _word_share(
        self, row: ChunkRow, missing: frozenset[str], alike: frozenset[str]
    ) -> Confidence:
        """The share of words that a hit holds, by their weights.

        The parts of missing names do not count, those of names that it holds with one typo do.
        """
        asked = self._asked
        if not asked:  # only prefixes and phrases were asked for
            is_found = self._plan.mode == "vector" or row.chunk_id in self._found.keyword
            return Confidence(float(is_found))
        self._read_words([row])
        own = self._held[row.chunk_id]
        held = frozenset(
            word
            for word in asked
            if word.lower() in alike or (word in own and word.lower() not in missing)
        )
        weights = self._weights
        share = sum(weights[word] for word in held) / sum(weights.values())
        return Confidence(share, held=len(held), asked=len(asked))

    def _read_words(self, rows: Sequence[ChunkRow]) -> None:
        """Read which of the question's words these chunks hold, unless that is known."""
        by_form: dict[bool, list[int]] = {}
        for row in rows:
            if row.chunk_id not in self._held:
                by_form.setdefault(is_inflected(row.text), []).append(row.chunk_id)
        forms = {word: word for word in self._asked}
        for inflected, chunk_ids in sorted(by_form.items()):
            if inflected:  # inflected forms occur there by their stem
                forms |= {stem: word for word in self._asked for stem in query_stems(word)}
            for chunk_id, held in self._index.words_in(chunk_ids, forms).items():
                self._held[chunk_id] = frozenset(forms[form] for form in held)

    @cached_property
    def _unrelated(self) -> float | None:
        if self._plan.unrelated is not None:
            return self._plan.unrelated
        neighbours = list(self._found.vector.values())[:100]
        if len(neighbours) < FEWEST_NEIGHBOURS:
            return None
        return neighbours[-1] + STANDING_OUT * (1 - neighbours[-1])


def leads(hits: Sequence[RankedHit]) -> list[float]:
    """The lead of each hit over the best one of another record, as a share of the best score:
    negative for all but the first.
    """
    first = hits[0]
    best = first.score or 1.0
    owner = (first.row.source, first.row.owner_id)
    others = (hit.score for hit in hits[1:] if (hit.row.source, hit.row.owner_id) != owner)
    second = max(others, default=0.0)
    return [(first.score - second) / best, *((hit.score - best) / best for hit in hits[1:])]


def _odds(trust: Confidence, lead: float) -> float:
    """The logarithm of the odds that a hit is an answer."""
    bias, of_share, of_nearness, of_lead = ODDS
    nearness = max(FARTHEST, trust.nearness)
    return bias + of_share * trust.share + of_nearness * nearness + of_lead * lead


def _held_level(name: str, place: str) -> Level:
    """The level at which a text holds a name; `Session.request`, too, part by part."""
    level = match_level(name, place)
    parts = [part for part in _JOINT.split(name) if part]
    if level >= Level.CASELESS or len(parts) < 2 or not all(map(str.isidentifier, parts)):
        return level
    return max(level, min(match_level(part, place) for part in parts))


def _parts(identifiers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        word.lower()
        for name in identifiers
        for word in (*identifier_field(name).split(), *split_identifier(name), *split_words(name))
    )
