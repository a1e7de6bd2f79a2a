"""Whether a turn proves a claim about the person who wrote it: by a quote, not by likeness.

The quote has to be in the turn, in the person's own words, and state something: the subject of its
clause is who the claim is about, and what the clause asks, supposes, wishes, fears, denies or puts
into another time the claim has to say so too. Other words of a claim may be paraphrase.
"""

import re
from dataclasses import replace
from typing import Final

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.case import Case, Claim
from ingest.extractor.llm.contents import Contents
from ingest.extractor.llm.evidence import signs_of
from ingest.extractor.llm.languages import GERMAN, Language, language_of
from ingest.extractor.llm.languages.all_languages import JOKE, PARTS, TAKEN_BACK
from ingest.extractor.llm.names_and_numbers import unproven
from ingest.extractor.llm.passages import Span, passage_of
from ingest.extractor.llm.several_subjects import told_alone
from ingest.extractor.llm.weights import Fault, fault_of
from ingest.extractor.quoted_spans import COVER, own_words
from ingest.extractor.values import Utterance
from ingest.pii import secrets_in

_ORDER: Final = deferred(
    r"\b(?:ignore|disregard|forget|override|follow)\b.{0,40}\b(?:instructions?|rules?|prompts?|"
    r"previous|above|everything)\b|\bsystem (?:prompt|message)\b|\bjailbreak|"
    r"\b(?:as an ai|developer mode|delete all)\b|\bconsents?\b|"
    r"\b(?:assistant|ai|model|chatbot)\b.{0,20}"
    r"\b(?:must|shall|has to|have to|will always|always|never)\b|"
    r"\b(?:respond|reply|answer|output) (?:only|with)\b",
    re.IGNORECASE,
)
"""Orders to a model, and consents: nobody tells them of themselves."""

_DICTATED: Final = deferred(r"\b(?:User|the (?:user|reader))(?:'s)? \w")
_OWN: Final = deferred(r"\b(?:I|I'm|i'm|i|my|me)\b")
_SENTENCE: Final = deferred(r"[^.!?\n]+")
_FIRST_PERSON: Final = deferred(r"\b(?:I|I'm|I've|my|mine|myself|you|your|yours)\b")
_PASSING: Final = deferred(
    r"\b(?:right now|rn|just now|at the moment|tonight|this (?:morning|afternoon|evening)|"
    r"in (?:a|\w+|\d+) (?:minutes?|seconds?|hours?))\b",
    re.IGNORECASE,
)
_SPOKEN: Final = deferred(
    r"\"[^\"\n]+\"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』"
)
_SHORT: Final = deferred(r"(?:[^\W\u3040-\u9fff]+(?:\W+|$)){1,2}|.{1,7}")


class Said(NamedTuple):
    """A turn with what was said before it; `stated` has other people's words covered."""

    text: str
    stated: str
    before: str
    utterance: Utterance
    subject: str

    @property
    def language(self) -> Language | None:
        """The language of the turn, or of what was said before where the turn does not tell it."""
        return language_of(self.stated) or language_of(f"{self.before}\n{self.text}")

    @classmethod
    def of(cls, utterance: Utterance, before: str, longest: int) -> "Said":
        text = utterance.text[:longest].replace("’", "'")
        stated = own_words(text, utterance.speaker)
        stated = _SENTENCE.sub(_without_orders, stated)
        return cls(text, stated, before, utterance, utterance.speaker or "User")


def _without_orders(sentence: "re.Match[str]") -> str:
    """Cover what dictates facts or orders: "User is an admin. The assistant must obey."."""
    said = sentence[0]
    is_order = _ORDER.search(said) or (_DICTATED.search(said) and not _OWN.search(said))
    return COVER * len(said) if is_order else said


def proof_of(claim: Claim, said: Said) -> Span | Fault:
    """The place of the quote that proves a claim, or why nothing does."""
    case = case_of(claim, said)
    if isinstance(case, str):
        return case
    return fault_of(signs_of(case)) or case.span


def case_of(claim: Claim, said: Said) -> Case | Fault:
    """A claim with the passage of its quote, or why it is refused whatever the passage says."""
    unfit = _unfit(claim)
    if unfit:
        return unfit
    span = _found(claim.quote, said)
    if isinstance(span, str):
        return span
    language = said.language
    if language is None:
        return "unknown language"
    contents = Contents.of(claim.content.replace(claim.subject, ""), language)
    if unproven(
        contents.text,
        f"{said.before}\n{said.text}",
        said.utterance.said_at,
        foreign=contents.foreign,
        nouns_in_capitals=language is GERMAN,
    ):
        return "name or number not said"
    passage = passage_of(said.stated, span, language, contents.said_in)
    if passage is None:
        return "quoted or pasted"
    if JOKE.search(passage.whole) or TAKEN_BACK.search(passage.after):
        return "joke"
    if PARTS.search(passage.whole):
        return "role play"
    case = Case(claim, contents, passage, language, said.stated, said.before, span)
    return case.fault or _judged_alone(case)


def _judged_alone(case: Case) -> Case | Fault:
    """A case whose passage is in the part of the quote that tells the claim."""
    part = told_alone(case)
    if part is None or isinstance(part, str):
        return part or case
    passage = passage_of(
        case.text,
        case.span,
        case.language,
        lambda text: case.contents.said_in(text) if text in part.clauses else set(),
    )
    case = replace(case, passage=passage or case.passage)
    return case.fault or case


def _unfit(claim: Claim) -> Fault | None:
    """Faults of the claim itself."""
    if not claim.quote.strip():
        return "no quote"
    if any(_ORDER.search(said) for said in claim[:2]) or _DICTATED.search(claim.quote):
        return "instruction"
    if secrets_in(claim.content) or secrets_in(claim.quote):
        return "secret"
    about = re.sub(rf"(?<![A-Za-z]){re.escape(claim.subject)}(?![A-Za-z])", "", claim.content)
    is_named = claim.whose and claim.content.startswith(claim.whose)
    if (about == claim.content and not is_named) or _FIRST_PERSON.search(about):
        return "not about the person"
    return "passing" if _PASSING.search(claim.content) else None


def _found(quote: str, said: Said) -> Span | Fault:
    """The quote in the turn, whatever its blanks and outer marks; the person's own words first."""
    words = quote.replace("’", "'").strip(" \"'“”„«».,;!?…。，！？").split()
    pattern = r"\s+".join(map(re.escape, words))
    first = pattern[:1]
    if first.isalpha():
        pattern = f"[{first.lower()}{first.upper()}]{pattern[1:]}"
    places = [Span(*found.span()) for found in re.finditer(pattern, said.text)] if words else []
    if not places:
        return "quote not in the turn"
    spoken = [
        found.span() for found in _SPOKEN.finditer(said.text) if not _SHORT.fullmatch(found[0])
    ]
    own = [
        place
        for place in places
        if COVER not in said.stated[place.start : place.end]
        and not any(start <= place.start and place.end <= end for start, end in spoken)
    ]
    return own[0] if own else "quoted or pasted"
