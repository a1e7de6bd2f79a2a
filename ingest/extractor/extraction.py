"""The way from an utterance to candidates: its clauses, each read by the first rule that fits."""

import re
from typing import NamedTuple

from ingest.extractor.values import Candidate, Utterance

_LONGEST = 20_000
_CLAUSE = re.compile(r"[^.!?;\n]+[.!?]*")
_AND = re.compile(r",?\s+(?:and|but)\s+(?=(?:i|my|i'm|im)\s)", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:if|would|wish|imagine|suppose|maybe|might|perhaps|pretend|said|says)\b|\?", re.IGNORECASE
)


class _Rule(NamedTuple):
    name: str
    pattern: re.Pattern[str]
    content: str
    tags: tuple[str, ...]
    importance: int = 0


def _rule(
    name: str, pattern: str, content: str, *, tags: tuple[str, ...], importance: int = 0
) -> _Rule:
    return _Rule(name, re.compile(pattern, re.IGNORECASE), content, tags, importance)


_RULES = (
    _rule(
        "name",
        r"my name(?: is|'s) (?P<o>[^\W\d]+(?: (?-i:[A-Z])\w+)?)",
        "{s}'s name is {o}",
        tags=("identity", "name"),
        importance=1,
    ),
    _rule(
        "likes", r"i (?:really )?like (?P<o>.+)", "{s} likes {o}", tags=("preference", "interests")
    ),
    _rule(
        "loves", r"i (?:really )?love (?P<o>.+)", "{s} loves {o}", tags=("preference", "interests")
    ),
    _rule(
        "hates", r"i (?:really )?hate (?P<o>.+)", "{s} hates {o}", tags=("preference", "interests")
    ),
    _rule("prefers", r"i prefer (?P<o>.+)", "{s} prefers {o}", tags=("preference",)),
    _rule("lives", r"i live in (?P<o>.+)", "{s} lives in {o}", tags=("place",)),
    _rule("works at", r"i work (?:at|for) (?P<o>.+)", "{s} works at {o}", tags=("work",)),
    _rule("works as", r"i work as (?P<o>.+)", "{s} works as {o}", tags=("work",)),
)


def extract(utterance: Utterance) -> list[Candidate]:
    """Give what the rules find, in the order of the text. It never raises."""
    if utterance.role != "user":
        return []
    subject = utterance.speaker or "User"
    text = utterance.text[:_LONGEST].replace("’", "'")
    found = []
    for sentence in _CLAUSE.finditer(text):
        if _UNSURE.search(sentence.group()):
            continue
        start = sentence.start()
        ends = [
            *(match.span() for match in _AND.finditer(sentence.group())),
            (len(sentence.group()), 0),
        ]
        at = 0
        for stop, following in ends:
            found += _from_clause(sentence.group()[at:stop], start + at, subject)
            at = following
    return found


def _from_clause(clause: str, at: int, subject: str) -> list[Candidate]:
    body = clause.strip(" ,.!")
    start = at + clause.find(body) if body else at
    for rule in _RULES:
        match = rule.pattern.fullmatch(body)
        if match:
            content = rule.content.format(s=subject, o=match["o"])
            return [
                Candidate(
                    content,
                    importance=rule.importance,
                    tags=rule.tags,
                    rule=rule.name,
                    start=start,
                    end=start + len(body),
                )
            ]
    return []
