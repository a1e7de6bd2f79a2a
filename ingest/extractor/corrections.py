"""Turns that take back or correct what the same person said just before: "No wait, it's John"."""

from collections.abc import Sequence

from contracts.lazy_regex import deferred
from ingest.extractor.matching import Found, values_of
from ingest.extractor.rules.rule import compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.statements import BESIDE_RETRACTIONS, LIES

_BESIDE = rf"(?:{any_of(BESIDE_RETRACTIONS)}|hm+|haha\w*|(?:(?:that|it|this)(?: was|'s| is) )?(?:a lie|not true|wrong))"
_UNTRUE = (
    r"(?:(?:(?:that|it|this) was|(?:that|it)(?:'s| is))(?: just| only| all)? (?:a (?:bad |silly )?joke|made up|sarcasm)|(?:that|it|this) was(?: just| only)? a (?:lie|test(?: message)?)|"
    rf"(?:(?:i was|i'?m|i am|was) )?(?:just |only )?(?<!no )(?:joking|kidding|messing with you|pulling your leg|being sarcastic)|{any_of(LIES)})"
)
_UNSAID = r"(?:(?:forget|ignore|disregard|scratch|strike) (?:that|(?:what|everything) i (?:just )?(?:said|told you)|my (?:last|previous) message)|i take (?:(?:that|it) back|back what i (?:just )?said)|forget (?:that )?i said (?:that|anything))"
_TAKEN_BACK = deferred(
    rf"(?i)\W*(?:{_BESIDE}\W+)*(?:(?P<untrue>{_UNTRUE})|{_UNSAID})(?: about (?:that|it|this|(?:(?:the|my|our|having|being|living in|working at) (?:\w+ )??)?(?P<topic>\w+)(?: (?:thing|part|bit|stuff))?(?:[,.;!]+ .*)?))?"
    rf"(?:\W+(?:{_BESIDE}|{_UNTRUE}|{_UNSAID}))*(?(untrue)(?:\W+(?:no|i(?:'m not| am not| don't| do not))(?:\b.*?(?P<denied>\w+))?)?)\W*"
)
"""Words about what was said, and no others: "scratch that, write it in French" is a request."""

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


def taken_back(text: str) -> str | None:
    """Return the word about which what the turn before says was not meant, "" for all; None if it was."""
    match = _TAKEN_BACK.fullmatch(text.replace("’", "'")) if len(text) <= _LONGEST else None
    return None if match is None else (match["topic"] or match["denied"] or "").casefold()


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
