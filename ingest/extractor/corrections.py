"""Turns that take back or correct what the same person said just before: "No wait, it's John"."""

from collections.abc import Sequence

from contracts.lazy_regex import deferred
from ingest.extractor.matching import Found, values_of
from ingest.extractor.rules.rule import compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told

_HEAD = r"(?:(?:no|nope|oh|oops|ah|sorry|wait|hold on|hang on|actually|hm+|well|my mistake|my bad|haha\w*|lol|ok(?:ay)?)[\s,.!…-]+)*"
_TAKEN_BACK = deferred(
    rf"(?i)^\W*{_HEAD}(?:(?:that|it|this)(?: was|'s| is)(?: just| only| all)? (?:a joke|not true|a lie|a test|made up|sarcasm|wrong)|"
    r"(?:i was|i'm|i am|was)? ?(?:just |only )?(?:joking|kidding|messing with you|lying)|jk|scratch that|forget (?:that|what i (?:just )?said|it)|"
    r"ignore (?:that|what i (?:just )?said|my last message)|i take (?:that|it) back|disregard that|strike that)\b(?!,? (?:that|it)(?:'s| is| was) (?:\d|\w+ (?:day|week|month|year)s?\b))"
)
_CORRECTED = deferred(
    r"(?i)^\W*(?:(?:oh|oops|ah)[\s,.!…-]+)*(?:(?:no|nope|sorry|wait|hold on|actually|correction|my mistake|my bad|i mean|i meant|typo)[\s,.!:…*-]+)+"
    r"(?:it's|it is|its|i mean|i meant|i meant to say|make that|that's|that should be|it should be|should be|not \S+ but)? ?(?:in |at )?"
    r"(?P<value>\S*[^\s.!,;](?: \S*[^\s.!,;]){0,4}?)(?:,? not .{1,40}|[.!,;] .*)?[.!]*$|^\*(?P<starred>\S+)$"
)
_NAME = deferred(r"[A-Z].*")
_FITS = {
    "age": deferred(r"1?\d\d"),
    "contact": deferred(r"[\w.+-]+@[\w.-]+\w|\+?\d[\d ()/.-]{5,18}\d"),
    "birthday": deferred(r".*\d.*"),
    "role": deferred(r"an? .+"),
    **dict.fromkeys(
        "name bare_name given_name nickname place town new_home company org".split(), _NAME
    ),
}
"""What can be corrected, by group, and what its value must look like."""

_LONGEST = 120


def is_taken_back(text: str) -> bool:
    """Return whether a turn says that the one before was not meant."""
    return len(text) <= _LONGEST and _TAKEN_BACK.match(text) is not None


def corrected(text: str, before: Sequence[Found], told: Told) -> list[Candidate]:
    """Return the last fact of the turn before with the value that this turn gives in its place."""
    match = _CORRECTED.match(text) if len(text) <= _LONGEST else None
    if match is None:
        return []
    value = (match["value"] or match["starred"]).strip(" .!,")
    for found in reversed(before):
        groups = [name for name in compiled(found.rule.pattern).groupindex if name in _FITS]
        is_value = len(groups) == 1 and _FITS[groups[0]].fullmatch(value)
        values = values_of({groups[0]: value}, told) if is_value else []
        old = found.candidate(told)
        if values:
            new = found._replace(values={**found.values, **values[0]}).candidate(told)
            return [new._replace(rule="correction", ends=(old.content,))] if new != old else []
    return []
