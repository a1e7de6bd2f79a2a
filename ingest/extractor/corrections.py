"""Turns that take back or correct what the same person said just before: "No wait, it's John"."""

import re
from collections.abc import Sequence

from contracts.lazy_regex import deferred
from ingest.extractor.facts import slot_of
from ingest.extractor.matching import Found, values_of
from ingest.extractor.rules.rule import compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told
from ingest.extractor.words import retractions as words
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import ASKING, FILLERS, GREETINGS, TAILS
from ingest.extractor.words.statements import OPENERS
from ingest.extractor.words.topics import TOPICS

_BESIDE = rf"(?:(?!no (?:jok|kidd|mess|pull|be)ing)(?:{any_of(words.BESIDE)})|hm+|haha\w*)"
_STATED = rf"(?:{any_of(words.STATED)})\b"
_CONFESSED = f"(?:{any_of(words.CONFESSIONS)})"
_UNTRUE = (
    rf"(?:{any_of(words.UNTRUE)}|(?:{any_of(words.FALSE)})\W+{_CONFESSED}|"
    rf"(?:{any_of(words.WRONG)})(?=,? (?:{any_of(words.APOLOGIES)})\b)|"
    rf"{_CONFESSED}(?= about (?!(?:that|it|this)\b)))"
)
_UNSAID = rf"(?:{any_of(words.UNSAID)}|(?:{any_of(words.MISSTATING)})\W+(?:{any_of(words.MISSTATED)})(?=\W+{_STATED}))"  # fmt: skip
_ABOUT = (
    rf"(?: about (?:(?P<that>that|it|this)|(?:(?:{any_of(words.NAMED_BY)}) (?:\w+ )??)?(?P<topic>\w+)"
    rf"(?: (?:{any_of(words.THINGS)}))?)(?=(?:\W+{_BESIDE})*\W*$|[,.;!]))?"
)
_DENIED = rf"no\b(?!\W+(?:i|we)\b)[^,.;!]*|(?:no\W+)?(?:{any_of(words.DENIED)})\b[^,.;!]*|i wish\W*$"  # fmt: skip
_TAKEN_BACK = deferred(
    rf"(?is)\W*(?:{_BESIDE}\W+)*(?:(?P<untrue>{_UNTRUE})|(?P<unsaid>{_UNSAID}))(?!\w){_ABOUT}"
    rf"(?P<beside>(?:\W+(?!no\W*\w)(?:{_BESIDE}|{_UNTRUE}|{_UNSAID})(?![\w']))*)"
    rf"(?P<gap>\W*)(?:(?P<excused>{any_of(words.EXCUSES)})\b|(?P<denied>{_DENIED})|(?P<stated>{_STATED}))?(?P<rest>.*)"
)
"""Words about what was said: with an excuse, with what they deny, with a statement in its place, or with no others."""

_ASKS = deferred(rf"(?i)\W*(?:(?:{any_of(OPENERS | words.BESIDE)})\W+)*(?:please\b|(?:{any_of(ASKING)})\b.*\?)")  # fmt: skip
_OWN_WORDS = deferred(r"(?i)\b(?:my|i (?!take))\b")
"""A request, and what says that one's own words are taken back, and no offer: "forget what I said"."""

_PARTS = deferred(r"(?i),|\b(?:and|but|or|who)\b")

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
    """Return how a turn says that what was said before was not meant; None if it begins otherwise."""
    return _TAKEN_BACK.match(text.replace("’", "'")) if len(text) <= _LONGEST else None


def over(
    match: re.Match[str], said: Sequence[Candidate], now: Sequence[Candidate], before: str
) -> list[str]:
    """Return what a turn takes back of the one before: what it names, what it replaces, or all."""
    left = [one for one in said if one.content and one.content not in {new.content for new in now}]
    topic, denied = _words(match["topic"] or ""), _words(match["denied"] or "") - _NOTHING
    if topic or (denied and match["untrue"]):
        shared = [len((topic or denied) & _words_of(one, of_slot=bool(topic))) for one in left]
        left = [one for one, count in zip(left, shared, strict=True) if count == max(shared) > 0]
    elif match["stated"]:
        is_joke = match["untrue"] and (now or not _SCORN.match(match["untrue"]))
        rules = {new.rule for new in now}
        left = [one for one in left if one.rule in rules] or (left if is_joke else [])
    elif not _takes_all(match, said, before):
        return []
    return [one.content for one in left]


def _takes_all(match: re.Match[str], said: Sequence[Candidate], before: str) -> bool:
    """Return whether a turn takes back all of the one before, whatever it goes on with."""
    untrue, gap = match["untrue"], match["beside"] + match["gap"]
    if not (match["denied"] or match["excused"] or match["rest"]):
        return True
    if match["denied"] or (untrue and (match["that"] or match["excused"])):
        return bool(untrue)
    if (untrue and _SCORN.match(untrue)) or not re.search(r"[^\w\s']", gap):
        return False
    asks = _ASKS.match(gap + match["rest"])
    if asks or match["excused"]:
        is_own = untrue or match["excused"] or _OWN_WORDS.search(match["unsaid"])
        return bool(is_own) and _told_only(said, before)
    return bool(untrue and re.match(r"[.!]\s", match["gap"]))


def _told_only(said: Sequence[Candidate], before: str) -> bool:
    """Return whether a turn held nothing but these facts: no request that could be taken back."""
    told, rest = _words(" ".join(one.content for one in said)), before
    for clause in {before[one.start : one.end] for one in said}:
        if all(told & _words(part) for part in _PARTS.split(clause)):
            rest = rest.replace(clause, " ")
    return (FILLERS | GREETINGS | TAILS).issuperset(re.findall(r"\w+", rest.casefold()))


def _words_of(one: Candidate, *, of_slot: bool) -> frozenset[str]:
    """Return the words of a fact, and those by which its slot is known: "my diet", "my job"."""
    found = one.content.partition(" ")[2]
    if of_slot and "'s " not in one.content:
        slot = slot_of(one.content)
        path = slot.name.partition("/")[2] if slot else f"job/{one.rule}"
        topic = TOPICS.get(path) or TOPICS.get(path.partition("/")[0], "")
        found = f"{found} {topic.replace('User', '')}"
    return _words(found)


def _words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, without the "s" of a plural or a verb."""
    found = re.findall(r"\w+", text.casefold().replace("'", ""))
    return frozenset(word.removesuffix("s") for word in found)


_NOTHING = _words(" ".join(words.EMPTY))


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
