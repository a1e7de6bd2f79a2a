"""Turns that take back or correct what the same person said just before: "No wait, it's John"."""

import re
from collections.abc import Sequence

from contracts.lazy_regex import deferred
from ingest.extractor.matching import Found, values_of
from ingest.extractor.rules.rule import compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told
from ingest.extractor.words import retractions as words
from ingest.extractor.words.patterns import any_of

_BESIDE = rf"(?:(?!no (?:jok|kidd|mess|pull|be)ing)(?:{any_of(words.BESIDE)})|hm+|haha\w*)"
_STATED = rf"(?:{any_of(words.STATED)})\b"
_CONFESSED = f"(?:{any_of(words.CONFESSIONS)})"
_UNTRUE = (
    rf"(?:{any_of(words.UNTRUE)}|(?:{any_of(words.FALSE)})\W+{_CONFESSED}|"
    rf"(?:{any_of(words.WRONG)})(?=,? (?:{any_of(words.APOLOGIES)})\b)|"
    rf"{_CONFESSED}(?= about (?!(?:that|it|this)\b)))"
)
_UNSAID = (
    rf"(?:{any_of(words.UNSAID)}|"
    rf"(?:{any_of(words.MISSTATING)})\W+(?:{any_of(words.MISSTATED)})(?=\W+{_STATED}))"
)
_ABOUT = (
    rf"(?: about (?:(?P<that>that|it|this)|(?:(?:{any_of(words.TOPICS)}) (?:\w+ )??)?"
    rf"(?P<topic>\w+)(?: (?:{any_of(words.THINGS)}))?)(?=\W*$|[,.;!]))?"
)
_DENIED = (
    rf"no\b(?!\W+(?:i|we)\b)[^,.;!]*|(?:no\W+)?(?:{any_of(words.DENIED)})\b[^,.;!]*|i wish\W*$"
)
_TAKEN_BACK = deferred(
    rf"(?is)\W*(?:{_BESIDE}\W+)*(?:(?P<untrue>{_UNTRUE})|{_UNSAID})(?!\w){_ABOUT}"
    rf"(?:\W+(?!no\W*\w)(?:{_BESIDE}|{_UNTRUE}|{_UNSAID})(?![\w']))*"
    rf"(?P<gap>\W*)(?:(?P<denied>{_DENIED})|(?P<stated>{_STATED}))?(?P<rest>.*)"
)
"""Words about what was said: with what they deny, with a statement in its place, or with no others."""

_SCORN = deferred(r"(?i)(?:that|it)(?:'s| is)\b")
"""The beginning of "that's a joke", which may be said of bad service."""

_CORRECTED = deferred(
    rf"(?i)^\W*(?:(?:oh|oops|ah)[\s,.!…-]+)*(?:(?:{any_of(words.CORRECTING)})[\s,.!:…*-]+)+"
    rf"(?:{any_of(words.CORRECTED)}|not \S+ but)? ?(?:in |at )?"
    r"(?P<value>\S*[^\s.!,;](?: \S*[^\s.!,;]){0,4}?)(?:,? not .{1,40}|[.!,;] .*)?[.!]*$|^\*(?P<starred>\S+)$"
)
_NAMES = "name bare_name given_name nickname place town new_home company org".split()
_FITS = {
    "age": deferred(r"1?\d\d"),
    "contact": deferred(r"[\w.+-]+@[\w.-]+\w|\+?\d[\d ()/.-]{5,18}\d"),
    "birthday": deferred(r".*\d.*"),
    "role": deferred(r"an? .+"),
    **dict.fromkeys(_NAMES, deferred(r"[A-Z].*")),
}
"""What can be corrected, by group, and what its value must look like."""

_LONGEST = 120


def taken_back(text: str) -> re.Match[str] | None:
    """Return how a turn says that the one before was not meant; None for a turn about something else."""
    match = _TAKEN_BACK.match(text.replace("’", "'")) if len(text) <= _LONGEST else None
    if match is None or match["topic"] or match["stated"]:
        return match
    is_alone = re.match(r"[.!]\s", match["gap"]) and not _SCORN.match(match["untrue"] or "")
    is_about = match["untrue"] and (match["denied"] or match["that"] or is_alone)
    return match if is_about or not (match["denied"] or match["rest"]) else None


def over(match: re.Match[str], said: Sequence[Candidate], now: Sequence[Candidate]) -> list[str]:
    """Return what a turn takes back of the one before: what it names, what it replaces, or all."""
    left = [one for one in said if one.content and one.content not in {new.content for new in now}]
    named = _words(match["topic"] or "") or _words(match["denied"] or "") - _words(
        " ".join(words.EMPTY)
    )
    if named:
        shared = [len(named & _words(one.content.partition(" ")[2])) for one in left]
        left = [one for one, count in zip(left, shared, strict=True) if count == max(shared) > 0]
    elif match["stated"]:
        is_joke = match["untrue"] and (now or not _SCORN.match(match["untrue"]))
        rules = {new.rule for new in now}
        left = [one for one in left if one.rule in rules] or (left if is_joke else [])
    return [one.content for one in left]


def _words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, without the "s" of a plural or a verb."""
    found = re.findall(r"\w+", text.casefold().replace("'", ""))
    return frozenset(word.removesuffix("s") for word in found)


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
