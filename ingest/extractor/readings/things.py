"""What somebody likes or must not eat: a short phrase that needs nothing said before it."""

import re

from ingest.extractor.readings.occupations import POINTING
from ingest.extractor.wording import LIST, Told, cut, listed
from ingest.extractor.words.lexicon import ADJECTIVES, NATIONALITIES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import (
    JESTS,
    LIKABLE,
    LOOSE_ENDS,
    NO_LIKING,
    ONE_THING,
    VAGUE_THINGS,
)

_MOST_WORDS = 9
_NO_LIKE = re.compile(
    rf"(?i)(?:{any_of(NO_LIKING)}|\d+|being(?! (?:outdoors|outside|challenged|alone|near|in|around)\b))\b"
)
_THE = re.compile(
    rf"(?:the|a|an|my|our|your|that|this) (?!(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*| and| &)*$|{any_of(LIKABLE)}\b|colou?r \w+$))"
)
_POINTED = re.compile(rf"(?i)\b(?:the|these|those) (?!(?:{any_of(LIKABLE)})\b|(?-i:[A-Z]))")
_CUT_SHORT = re.compile(r" (?:who|whom|whose|which|what|where|how|a lot of)\b")
"""A clause that the thing needs: "I love choosing which film we see"."""
_VAGUE = re.compile(rf"(?i)\b(?:{any_of(VAGUE_THINGS)})\b")
_LOOSE_END = re.compile(rf"(?i)\b(?:{any_of(LOOSE_ENDS)})$")
_SHARED = re.compile(
    r"(?i)\b(?:movies|films|music|games|books|novels|shows|food|cuisine|stories|songs|dishes|sports|"
    r"classes|fiction|literature|scenes|projects|activities|jokes|tv|style|rooms|weather)$"
)
_PURPOSE = re.compile(
    r"\b(?:to|over) (?:save|avoid|ensure|reduce|increase|make|improve|keep|get|help|be|have)\b"
)
_ITEMS = re.compile(r", (?:and |or )?")
_AT_HAND = re.compile(r"(?i), (?:keep|put|change|use|make|move|leave|remove|add|let's) ")
"""An order about the thing that is spoken of: "I like mint, keep that"."""

_JOKES = re.compile(rf"(?i)(?:{any_of(JESTS)}|some\b(?! )|most$)\b")


def liked(text: str, told: Told) -> list[str]:
    """What one can like for years; each of a list of single words for itself."""
    if _AT_HAND.search(text):
        return []
    said, text = text, _phrase(text)
    is_bad = (
        not text
        or _CUT_SHORT.match(said, len(text))
        or len(text.split()) > _MOST_WORDS
        or any(pattern.match(part) for part in _ITEMS.split(text) for pattern in (_NO_LIKE, _THE))
        or text.split()[-1].lower() in ADJECTIVES
        or any(
            pattern.search(text) for pattern in (POINTING, _POINTED, _VAGUE, _LOOSE_END, _PURPOSE)
        )
    )
    if is_bad or "/" in text:
        return []
    del told
    text = text.removeprefix("both ")
    parts = [part for part in LIST.split(text) if part]
    apart = len(parts) > 1 and all(
        len(part.split()) <= 2 + (len(parts) > 2) and part.split()[-1] not in ADJECTIVES
        for part in parts
    )
    shared = len(parts[-1].split()) > 1 and (
        parts[0].casefold() in NATIONALITIES
        or _SHARED.search(parts[-1])
        or len(parts[0].split()) == 1
    )
    if text.casefold() in ONE_THING or not apart or shared or text.startswith("to "):
        return [text]
    return parts


def favourite(text: str, told: Told) -> list[str]:
    """The value of a favourite: a name, or a few words."""
    del told
    text = re.sub(r", (?!(?:\w+ ){0,3}(?:and|or)\b).*$", "", _phrase(text))
    is_bad = not text or len(text.split()) > 7 or POINTING.search(text) or _LOOSE_END.search(text)
    if is_bad or re.match(
        r"(?:on|in|at|of|for|with|about|when|to|how|if|definitely|probably|because|not|one|all|so|hard|also)\b",
        text,
        re.I,
    ):
        return []
    return [] if re.search(r"\b(?:is|are|was|were|has)\b", text) else [text]


_SHORT = re.compile(r"(?:all |most |any )?[\w'-]+(?: [\w'-]+){0,2}")


def avoided(text: str, told: Told) -> list[str]:
    """What somebody is allergic to or does not eat, as a list that stays whole."""
    del told
    text = _phrase(text)
    parts = [part for part in LIST.split(text) if part]
    if not all(map(_SHORT.fullmatch, parts)):
        text = text.partition(", ")[0]
        parts = [part for part in LIST.split(text) if part]
    if not parts or not all(map(_SHORT.fullmatch, parts)):
        return []
    if any(
        _JOKES.match(part) or POINTING.search(part) or _LOOSE_END.search(part) for part in parts
    ):
        return []
    return [listed(text)]


def _phrase(text: str) -> str:
    """Return the phrase up to the first aside; of a list, all items."""
    text = cut(text)
    parts = text.split(", ")
    if len(parts) > 1 and (
        re.search(r"\b(?:an?|the) [\w-]+$", parts[0]) or parts[0].lower() in ADJECTIVES
    ):
        return ""
    if (
        len(parts) > 1
        and not re.match(r"(?:and|or|&) ", parts[-1])
        and not re.search(r"^[\w'-]+(?: [\w'-]+){0,2} (?:and|or|&) ", parts[-1])
    ):
        return _whole_list(parts)
    return text


def _whole_list(parts: list[str]) -> str:
    """Return a list without the aside after it, or nothing of a list that does not end."""
    for count in range(len(parts) - 1, 1, -1):
        if re.search(r"(?:^| )(?:and|or) ", parts[count - 1]):
            return ", ".join(parts[:count])
    if len(parts) == 2:
        return parts[0]
    return ", ".join(parts) if all(len(part.split()) <= 3 for part in parts) else ""
