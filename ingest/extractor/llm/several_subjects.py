"""Quotes under several subjects: which of them a claim is told of.

A model that quotes all of "I live in Oslo. My sister lives in Rome." quotes every word of
"User's sister lives in Oslo", too.
"""

import re
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.case import Case
from ingest.extractor.llm.clauses import Clause, Whose, is_named, owned_person, sentences, whose
from ingest.extractor.llm.contents import people_in

MIXED: Final = "mixed from several"


class _Told(NamedTuple):
    """What of a quote is told of one subject."""

    subject: Whose
    start: int
    end: int


def fault_of_subjects(case: Case) -> str | None:
    """Why a quote under several subjects does not prove a claim; None if it may.

    All words of the claim that are quoted have to be told of one subject, and it has to be the
    subject of the claim.
    """
    parts = _parts(case)
    if len(parts) == 1:
        return None
    said = [case.contents.said_in(case.text[part.start : part.end]) for part in parts]
    telling = [part for part, one in zip(parts, said, strict=True) if one >= set().union(*said)]
    if not telling:
        return MIXED
    if any(_is_of_the_claim(case, part) for part in telling):
        return None
    return "about somebody else"


def _is_of_the_claim(case: Case, part: _Told) -> bool:
    """Whether a part is told of the subject of the claim, or of somebody whom the claim names."""
    said = case.text[part.start : part.end]
    if (part.subject == "speaker") != case.names_other:
        return True
    if part.subject == "speaker":
        return bool(case.people & people_in(said))
    owned = re.search(owned_person(case.language), said, re.IGNORECASE)
    return bool(owned and case.people & people_in(owned[0]))


def _parts(case: Case) -> list[_Told]:
    """The parts of a quote; one goes on until another person is its subject: "she" may be the same."""
    parts: list[_Told] = []
    for sentence in sentences(case.text, case.language):
        for number, clause in enumerate(sentence.clauses):
            start, end = max(clause.start, case.span.start), min(clause.end, case.span.end)
            if start >= end:
                continue
            quoted = Clause(start, end, is_inner=False)
            subject = whose(case.text, quoted, case.language, is_first=not number)
            if parts and not _is_another(case, parts[-1], _Told(subject, start, end)):
                parts[-1] = parts[-1]._replace(end=end)
            else:
                parts.append(_Told(subject, start, end))
    return parts


def _is_another(case: Case, before: _Told, told: _Told) -> bool:
    """Whether a clause has another person for its subject than the part before it."""
    return all(_is_person(case, one) for one in (before, told)) and not (
        before.subject == told.subject == "speaker"
    )


def _is_person(case: Case, told: _Told) -> bool:
    """Whether a part is a statement about a person: "my son, Bruno," is none without its verb."""
    language, said = case.language, case.text[told.start : told.end]
    if told.subject == "speaker" or not language.find("verb").search(said):
        return told.subject == "speaker"
    if told.subject == "own":
        owned = rf"\W*(?:\w+\W+)?{owned_person(language)}\W+\w"
        return re.match(owned, said, re.IGNORECASE) is not None
    is_clause = len(said.split()) > 2
    return is_clause and told.subject == "other" and is_named(said.lstrip(), language)
