"""The passage of a turn that a quote stands in: its clause, whose it is, whether it is asked."""

import re
from typing import Final, NamedTuple

from ingest.extractor.llm.clauses import Clause, Sentence, Whose, sentences, whose
from ingest.extractor.llm.languages import Language
from ingest.extractor.llm.names_and_numbers import shared_words

_BUT: Final = re.compile(
    r"(?<=[,;:] )(?:but|aber|sondern|mais|pero|sino|ma|mas|maar)\b|但|可是|而是|けど|でも|が、",
    re.I,
)
"""What follows is set against what comes before."""

_STATED: Final = re.compile(
    r"(?:\w+[, ]+)?(?:i|i'm|i've|we|we've|my|ich|wir|meine?|j'\w+|je|on|mon|ma"
    r"|ik|wij|mijn)\b",
    re.IGNORECASE,
)
"""How a statement begins to which a question is added: "I'm 34, can I still ...?"."""

_QUESTION: Final = re.compile(r"[?？]|[吗嗎]$|(?:です|ます)か$")


class Span(NamedTuple):
    """Where the quote stands in the turn."""

    start: int
    end: int


class Passage(NamedTuple):
    """What of a turn bears on a claim.

    whole     its sentence
    head      its sentence up to the end of the clause that tells it
    clause    that clause, from its subject on, with the clauses that it completes
    rest      that clause alone where it is set against the one before ("but ...")
    is_asked  whether it is part of a question
    subject   whose clause it is
    """

    whole: str
    head: str
    clause: str
    rest: str
    is_asked: bool
    subject: Whose


def passages(claim: str, text: str, span: Span, language: Language) -> list[Passage]:
    """The passages of a quote that may tell a claim: its sentences with words of it.

    `span` is the place of the quote in `text`.
    """
    quoted = [
        each
        for each in sentences(text, language)
        if each.start < span.end and span.start < each.end
    ]
    shared = [
        (span.start + at, word)
        for at, word in shared_words(claim, text[span.start : span.end], language)
    ]
    found = [{word for at, word in shared if each.start <= at < each.end} for each in quoted]
    return [
        _passage(each, shared, span, text, language)
        for each, words in zip(quoted, found, strict=True)
        if words or not shared
    ]


def _passage(
    sentence: Sentence, shared: list[tuple[int, str]], span: Span, text: str, language: Language
) -> Passage:
    clauses = sentence.clauses
    owners = [whose(text, one, language, is_first=one == clauses[0]) for one in clauses]
    told = _telling_clause(clauses, owners, shared, span, text, language)
    first = told
    while first and owners[first] == "nobody":
        first -= 1
    subject = owners[first]
    while first and clauses[first].is_inner:
        first -= 1
    end = clauses[told].end
    clause = text[clauses[first].start : end]
    against = [n for n, one in enumerate(clauses[: told + 1]) if _BUT.match(text, one.start)]
    return Passage(
        text[sentence.start : sentence.end],
        text[clauses[against[-1]].start if against else sentence.start : end],
        clause,
        text[clauses[told].start : end] if told in against else clause,
        _is_asked(text, sentence, told, language),
        subject,
    )


def _telling_clause(
    clauses: tuple[Clause, ...],
    owners: list[Whose],
    shared: list[tuple[int, str]],
    span: Span,
    text: str,
    language: Language,
) -> int:
    """The number of the clause with the last word of the claim, or that has the first subject."""
    places: dict[str, int] = {}
    for at, word in shared:
        if clauses[0].start <= at < clauses[-1].end:
            places.setdefault(word, at)
    if places:
        last = max(places.values())
        told = max(n for n, one in enumerate(clauses) if one.start <= last)
        return told + _is_topic(told, clauses, owners, text, language)
    quoted = [n for n, one in enumerate(clauses) if one.start < span.end and span.start < one.end]
    told = next((n for n in quoted if owners[n] != "nobody"), quoted[0])
    if told + 1 == len(clauses):
        return told
    after = clauses[told + 1]
    goes_on = (owners[told] == "other" and after.is_inner) or _is_joined(
        text, clauses[told], after, language
    )
    return told + goes_on


def _is_topic(
    told: int, clauses: tuple[Clause, ...], owners: list[Whose], text: str, language: Language
) -> bool:
    """Whether a clause only names what the next one tells of: "Jazz, I love it"."""
    if told + 1 == len(clauses) or owners[told + 1] != "speaker":
        return False
    said = text[clauses[told].start : clauses[told].end]
    return (
        len(said.split()) <= 3
        and owners[told] == "other"
        and not language.find("verb").search(said)
    )


def _is_joined(text: str, clause: Clause, after: Clause, language: Language) -> bool:
    """Whether two clauses are one: "My wife and I ..."."""
    return len(text[clause.start : clause.end].split()) <= 3 and bool(
        re.match(rf"\w+ (?:{language.speaker})\b", text[after.start : after.end], re.IGNORECASE)
    )


def _is_asked(text: str, sentence: Sentence, told: int, language: Language) -> bool:
    """Whether a clause is part of a question: "Just moved to Oslo, any tips?" first tells."""
    said = text[sentence.start : sentence.end].strip()
    if not _QUESTION.search(said):
        return False
    asked = language.find("asked")
    clauses = sentence.clauses
    starts = [
        n for n, one in enumerate(clauses) if asked.match(text[one.start : one.end].lstrip("¿ "))
    ]
    if told == len(clauses) - 1 or (starts and told >= starts[0]):
        return True
    return not starts and not _STATED.match(text, clauses[told].start)
