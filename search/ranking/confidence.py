"""Estimate whether the best hit answers the question.

A search always finds the nearest there is. What separates an answer from a near text is how much of
the question the best hit holds: its words, rare ones counting more, and how much nearer in meaning
it is than texts about other things. The lead over the second hit says nothing: copies of one text
would make every answer doubtful.
"""

from math import log
from typing import NamedTuple

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.analysis.inflection import is_inflected, query_stems
from search.analysis.query import split_words
from search.identifiers.identifier_search import NO_DEFINITION, identifier_words
from search.identifiers.matching import Level, match_level
from search.identifiers.variants import identifier_field, split_identifier
from search.lazy_regex import deferred
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


_JOINT = deferred(r"\.|::")


class Confidence(NamedTuple):
    """An estimate that the best hit of a search is an answer.

    share    of the question's words, weighted by how rare they are, the best hit holds; in [0, 1]
    nearness  its cosine above that of an unrelated text; 0 if meaning was not compared
    held, asked  the same words, counted
    missing  identifiers of the question without any match in the index
    """

    share: float
    nearness: float = 0.0
    held: int = 0
    asked: int = 0
    missing: tuple[str, ...] = ()

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
            return f"nothing here seems to answer this: {self.missing[0]} is not indexed"
        held = self.held or "none"
        words = "word" if self.asked == 1 else "words"
        fact = f"the best match holds {held} of {self.asked} {words}"
        if 2 * self.held >= self.asked and self.nearness < 0:
            fact += " and is far from it in meaning"
        if not self.asked:
            fact = "the best match does not have what was asked for"
        return f"nothing here seems to answer this: {fact}"


def confidence(index: CandidateIndex, plan: Plan, found: Candidates, best: ChunkRow) -> Confidence:
    """Estimate how likely `best`, the first hit, is an answer.

    `plan.unrelated` is the model's cosine that 95 of 100 questions about something else do not
    reach with their best hit; None: not measured, and estimated from this question's neighbours. An
    identifier that the hit holds as asked for is an answer; for one without any match, not even a
    name like it with the same digits, neither its parts count, which any text may hold, nor the
    meaning.
    """
    match = found.identifiers.matches.get(best.chunk_id)
    if match is not None and match.definition != NO_DEFINITION:
        return Confidence(1.0)
    names, _ = identifier_words(plan.analysis)
    missing: tuple[str, ...] = ()
    if names:
        place = f"{best.text}\n{best.path or ''}\n{best.heading}"
        level = max(_held_level(name, place) for name in names)
        if level >= Level.CASELESS:
            return Confidence(1.0)
        known = index.document_frequencies(names.values(), most=1)
        if (
            not level
            and not found.identifiers.has_definition
            and not found.identifiers.misspelt()
            and not any(known.values())
        ):
            missing = tuple(names)
    alike = found.identifiers.misspelt() if best.chunk_id in found.identifiers.matches else ()
    words = _word_share(index, plan, found, best, (_parts(missing), _parts(alike)))
    if missing:
        return words._replace(missing=missing)
    return words._replace(nearness=_nearness(found, best.chunk_id, plan.unrelated))


def _held_level(name: str, place: str) -> Level:
    """The level at which a text holds a name; `Session.request`, too, part by part."""
    level = match_level(name, place)
    parts = [part for part in _JOINT.split(name) if part]
    if level >= Level.CASELESS or len(parts) < 2 or not all(map(str.isidentifier, parts)):
        return level
    return max(level, min(match_level(part, place) for part in parts))


def _word_share(
    index: CandidateIndex,
    plan: Plan,
    found: Candidates,
    best: ChunkRow,
    parts: tuple[frozenset[str], frozenset[str]],
) -> Confidence:
    """The share of words that the hit holds; each weighs `log(1 + N / (n + 0.5))`.

    That is its inverse document frequency for n of N chunks, always positive. `parts` are those of
    missing names, which do not count, and those of names that the hit holds with one typo, which
    do.
    """
    asked = plan.analysis.keyword.words[:MOST_WORDS]
    if not asked:  # only prefixes and phrases were asked for
        return Confidence(float(plan.mode == "vector" or best.chunk_id in found.keyword))
    forms = {word: word for word in asked}
    if is_inflected(best.text):  # inflected forms occur there by their stem
        forms |= {stem: word for word in asked for stem in query_stems(word)}
    held = frozenset(forms[form] for form in index.words_in(best.chunk_id, forms))
    total = found.chunks or index.count_chunks()
    weights = {
        word: log(1 + total / (count + 0.5))
        for word, count in index.document_frequencies(asked, most=COUNTED).items()
    }
    missing, alike = parts
    held = frozenset(
        word
        for word in asked
        if word.lower() in alike or (word in held and word.lower() not in missing)
    )
    share = sum(weights[word] for word in held) / sum(weights.values())
    return Confidence(share, held=len(held), asked=len(asked))


def _nearness(found: Candidates, chunk_id: int, unrelated: float | None) -> float:
    cosine = found.cosine.get(chunk_id)
    if cosine is None:
        return 0.0
    if unrelated is None:
        neighbours = list(found.vector.values())[:100]
        if len(neighbours) < FEWEST_NEIGHBOURS:
            return 0.0
        unrelated = neighbours[-1] + STANDING_OUT * (1 - neighbours[-1])
    return cosine - unrelated


def _parts(identifiers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        word.lower()
        for name in identifiers
        for word in (*identifier_field(name).split(), *split_identifier(name), *split_words(name))
    )
