"""What the user asks to have remembered, in words that are their own."""

import re

from ingest.extractor.readings import rest
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, third_person

_ASKED = re.compile(
    r"^(?:please |just |pls |can you |could you |also |you should |i want you to |i need you to |"
    r"for "
    r"future reference,? |hey,? )*"
    r"(?:remember this|save this|remember|note to self|note|keep in mind|bear in mind|do not "
    r"forget|never forget|make a note|memorize|"
    r"memorise|save this|"
    r"save to memory|add to memory|store|take note|remember this|note down|for future reference)"
    r"(?: for (?:later|next time|the future|me))?(?: please)?(?:(?:,? that|:| -|(?<=reference),|"
    r"(?<=self),|(?<=mind),) (?=[^\s])| "
    r"(?=(?:i|i'm|my|our|we)\b))",
    re.IGNORECASE,
)
_NO_STATEMENT = re.compile(
    r"^(?:to |when|how|what|why|where|who|the (?:time|day|part|one|name of|last|first|previous|"
    r"following|rules?|above|context)\b|"
    r"this|these|that (?:time|day|one)|it\b|you\b|your|me\b|him|her\b)",
    re.IGNORECASE,
)
_LONGEST = 200


def asked_to_remember(said: str) -> tuple[str, bool]:
    """Give the clause without "remember that", and whether it had it."""
    match = _ASKED.match(said)
    if match is None or _NO_STATEMENT.match(said[match.end() :]):
        return said, False
    return re.sub(r"^that (?=\w)", "", said[match.end() :]), True


def whole_statement(said: str, told: Told) -> list[Candidate]:
    """Keep what no rule knows as it was said: "remember that the key is under the mat"."""
    if len(said) > _LONGEST or not re.search(r"\s\w+\s", said) or _is_advice(said, told):
        return []
    return [
        Candidate(
            text[0].upper() + text[1:], importance=1, tags=("note",), rule="asked to remember"
        )
        for text in rest(_in_third_person(said, told).partition(", ")[0], told)
    ]


def _is_advice(said: str, told: Told) -> bool:
    """Tell whether it is meant for the other one: "remember that small steps count"."""
    if told.subject != "User" and not _FIRST_PERSON.search(said):
        return True
    return _ADVICE.search(said) is not None


_FIRST_PERSON = re.compile(r"\b(?:i|my|mine|we|our)\b", re.IGNORECASE)
_ADVICE = re.compile(
    r"^(?:[a-z]+ing|sometimes|even|every (?:small|step|setback|day is)|progress|success|life|"
    r"love) |"
    r"\b(?:can be|is|are) (?:so |very |really |always )?(?:important|key|okay|ok|normal|worth it|"
    r"a (?:journey|process|marathon))\b",
    re.IGNORECASE,
)


def _in_third_person(said: str, told: Told) -> str:
    match = _PRESENT.match(said)
    if match is None:
        return said
    verb = match[1].lower()
    if verb.endswith("ed") or verb in _AS_IT_IS:
        return said
    between = said[2 : match.start(1)]
    return f"{told.subject} {between}{third_person(verb)}{said[match.end() :]}"


_PRESENT = re.compile(
    r"^I (?:only |also |just |really |still |always |usually |often |never )?([a-z]+)\b",
    re.IGNORECASE,
)
_AS_IT_IS = frozenset(
    (
        "will",
        "would",
        "can",
        "cannot",
        "could",
        "must",
        "should",
        "might",
        "may",
        "never",
        "always",
        "was",
        "had",
        "got",
        "went",
        "took",
        "made",
        "did",
        "said",
        "told",
        "bought",
        "left",
        "lost",
        "saw",
        "met",
        "usually",
        "often",
    )
)
