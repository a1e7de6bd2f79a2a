"""Quotes under several subjects: which of them a claim is told of.

A model that quotes all of "I live in Oslo. My sister lives in Rome." quotes every word of
"User's sister lives in Oslo", too.
"""

import re
from typing import Final

from ingest.extractor.llm.case import Case
from ingest.extractor.llm.clauses import Clause, is_named, owned_person, sentences, whose
from ingest.extractor.llm.contents import people_in
from ingest.extractor.llm.languages import ENGLISH
from ingest.extractor.llm.languages.all_languages import DETERMINER
from ingest.extractor.llm.references import Told, repeats_name, told_by

MIXED: Final = "mixed from several"
_MOST_WORDS: Final = 6
"""Of "the old man across the street"."""


def told_alone(case: Case) -> Told | str | None:
    """The part of a quote that tells a claim; why none does; None if the whole quote tells it.

    All words of the claim that are quoted have to be told of one subject, and it has to be the
    subject of the claim.
    """
    parts = _parts(case)
    if len(parts) == 1:
        return None
    said_of = [case.contents.said_in(part.text) for part in parts]
    said = {item for item in set().union(*said_of) if not DETERMINER.match(f"{item[1]} ")}
    telling = [place for place in range(len(parts)) if told_by(case, parts, place) >= said]
    if not telling:
        return MIXED
    place = next((one for one in telling if _is_of_the_claim(case, parts[one])), None)
    if place is None:
        return "about somebody else"
    is_of_another = any(one >= said for one in said_of[:place] + said_of[place + 1 :])
    is_more = place > 0 and repeats_name(case, parts[place - 1], parts[place])
    return None if is_more or is_of_another else parts[place]


def _is_of_the_claim(case: Case, part: Told) -> bool:
    """Whether a part is told of the subject of the claim, or of somebody whom the claim names."""
    if (part.subject == "speaker") != case.names_other:
        return True
    if part.subject == "speaker":
        return bool(case.people & people_in(part.text))
    owned = re.search(owned_person(case.language), part.text, re.IGNORECASE)
    return bool(owned and case.people & people_in(owned[0]))


def _parts(case: Case) -> list[Told]:
    """The parts of a quote; one goes on until another person is its subject: "she" may be the same."""
    parts: list[Told] = []
    for sentence in sentences(case.text, case.language):
        for number, clause in enumerate(sentence.clauses):
            start, end = max(clause.start, case.span.start), min(clause.end, case.span.end)
            if start >= end:
                continue
            quoted = Clause(start, end, is_inner=False)
            said = case.text[start:end]
            subject = whose(case.text, quoted, case.language, is_first=not number)
            if subject == "speaker" and _is_somebody(case, said):
                subject = "other"
            told = Told(subject, said, (said,), clause.is_inner)
            if parts and not _is_another(case, parts[-1], told):
                last = parts[-1]
                parts[-1] = last._replace(text=last.text + said, clauses=(*last.clauses, said))
            else:
                parts.append(told)
    return parts


def _is_another(case: Case, before: Told, told: Told) -> bool:
    """Whether a clause has another person for its subject than the part before it."""
    return all(_is_person(case, one) for one in (before, told)) and not (
        before.subject == told.subject == "speaker"
    )


def _is_person(case: Case, told: Told) -> bool:
    """Whether a part is a statement about a person: it takes a verb, which "my son, Bruno," lacks."""
    language, said = case.language, told.text
    if told.subject == "speaker" or not language.find("verb").search(said):
        return told.subject == "speaker"
    if told.subject == "own":
        owned = rf"\W*(?:\w+\W+)?{owned_person(language)}\W+\w"
        return re.match(owned, said, re.IGNORECASE) is not None
    if told.subject != "other" or len(said.split()) <= 2:
        return False
    return is_named(said.lstrip(), language) or _is_somebody(case, said)


def _is_somebody(case: Case, said: str) -> bool:
    """Whether a clause is about "the guy next door", and not about a thing of the claim."""
    if case.language is not ENGLISH or not DETERMINER.match(said):
        return False
    others = re.sub(rf"\b(?:{ENGLISH.own}|mine|ours)\b", "", said, flags=re.IGNORECASE)
    if any(ENGLISH.find(cell).search(others) for cell in ("speaker", "me")):
        return False
    verb = rf"\s+(?:{ENGLISH.verb}|are|were|have)\b"
    noun = rf"\W*\w+((?:\s+[\w'-]+){{1,{_MOST_WORDS}}}?)"
    head = re.match(noun + verb, said, re.IGNORECASE) or re.match(noun, said)
    return bool(head and (people_in(head[1]) or not case.contents.said_in(head[1])))
