"""What somebody likes or must not eat: a short phrase that needs nothing said before it."""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.readings.occupations import POINTING
from ingest.extractor.wording import LIST, Told, cut, listed
from ingest.extractor.words import phrases
from ingest.extractor.words.lexicon import ADJECTIVES, FIRST_NAMES, KIN
from ingest.extractor.words.patterns import any_of

_MOST_WORDS = 9
_NO_LIKE = deferred(
    rf"(?i)(?:{any_of(phrases.NO_LIKING)}|\d+|being(?! (?:outdoors|outside|challenged|alone|near|in|around)\b))\b"
)
_THE = deferred(
    rf"(?:the|a|an|my|our|your|that|this) (?!(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*| and| &)*$|[A-Z][a-z]+ of (?:the )?[A-Z]\w+$|{any_of(phrases.LIKABLE)}\b|colou?r \w+$|(?:book|show|series|band|movie|film|song|game|podcast|novel) called \W?[A-Z]))"
)
_POINTED = deferred(
    rf"(?i)\b(?:the|these|those) (?!(?:{any_of(phrases.LIKABLE)})\b|(?-i:[A-Z]))|\w's [a-z]|"
    r"\b(?:to|over) (?:save|avoid|ensure|reduce|increase|make|improve|keep|get|help|be|have)\b"
)
"""The thing at hand, or what it is good for."""
_CUT_SHORT = deferred(rf",? (?:{any_of(phrases.NEEDED)}|but(?!\s+\w))\b")
"""A clause or condition that the thing needs: "I love choosing which film we see"."""
_VAGUE = deferred(rf"(?i)\b(?:{any_of(phrases.VAGUE_THINGS)})\b")
_LOOSE_END = deferred(rf"(?i)\b(?:{any_of(phrases.LOOSE_ENDS)})$")
_AT_HAND = deferred(r"(?i), (?:keep|put|change|use|make|move|leave|remove|add|let's) |/")
"""An order about the thing that is spoken of: "I like mint, keep that"."""

_JOKES = deferred(rf"(?i)(?:{any_of(phrases.JESTS)}|some\b(?! )|most$)\b")


def liked(text: str, told: Told) -> list[str]:
    """What one can like for years; each of a list of single words for itself."""
    del told
    phrase = _phrase(text)
    is_cut = _AT_HAND.search(text) or _CUT_SHORT.match(text, len(phrase))
    return [] if is_cut or not _stands_alone(phrase) else _items(phrase)


def _stands_alone(phrase: str) -> bool:
    """Return whether a phrase names something known without what was said before."""
    words = phrase.split()
    if not 0 < len(words) <= _MOST_WORDS or words[-1].lower() in ADJECTIVES | KIN:
        return False
    bad = (POINTING, _POINTED, _VAGUE, _LOOSE_END)
    if phrase.casefold() in FIRST_NAMES or any(pattern.search(phrase) for pattern in bad):
        return False
    items = re.split(", (?:and |or )?", phrase)
    return not any(_NO_LIKE.match(item) or _THE.match(item) for item in items)


def _items(phrase: str) -> list[str]:
    """Return the items of a list of short ones, or else the whole phrase."""
    parts = [part for part in LIST.split(phrase) if part]
    is_list = all(len(part.split()) <= 2 + (len(parts) > 2) for part in parts)
    is_shared = len(parts[0].split()) == 1 < len(parts[-1].split())
    is_one = phrase.casefold() in phrases.ONE_THING or phrase.startswith("to ")
    is_one = is_one or phrase.count(" and ") > 1 or " & " in phrase
    is_named = all(part[:1].isupper() for part in parts)
    is_apart = is_list and not (is_shared or is_one or is_named)
    ends = {part.split()[-1] for part in parts}
    return parts if is_apart and ADJECTIVES.isdisjoint(ends) else [phrase]


_NO_FAVOURITE = deferred(
    rf"(?i)(?:{any_of(phrases.NO_FAVOURITES)})\b|.*\b(?:is|are|was|were|has|i|i'm)\b"
)


def favourite(text: str, told: Told) -> list[str]:
    """The value of a favourite: a name, or a few words."""
    del told
    text = re.sub(r", (?!(?:\w+ ){0,3}(?:and|or)\b).*$", "", _phrase(text))
    is_bad = not text or len(text.split()) > 7 or _NO_FAVOURITE.match(text)
    return [] if is_bad or POINTING.search(text) or _LOOSE_END.search(text) else [text]


_SHORT = deferred(r"(?:all |most |any )?[\w'-]+(?: [\w'-]+){0,2}")


def avoided(text: str, told: Told) -> list[str]:
    """What somebody is allergic to or does not eat, as a list that stays whole."""
    del told
    whole = _phrase(text)
    for phrase in (whole, whole.partition(", ")[0]):
        parts = [part for part in LIST.split(phrase) if part]
        if parts and all(map(_SHORT.fullmatch, parts)):
            is_loose = POINTING.search(phrase) or any(map(_LOOSE_END.search, parts))
            return [] if is_loose or any(map(_JOKES.match, parts)) else [listed(phrase)]
    return []


def _phrase(text: str) -> str:
    """Return the phrase up to the first aside; of a list, all items."""
    text = cut(text)
    first, comma, _ = text.partition(", ")
    if not comma:
        return text
    if re.search(r"\b(?:an?|the) [\w-]+$", first) or first.lower() in ADJECTIVES:
        return ""
    parts = text.split(", ")
    is_whole = re.match(r"(?:[\w'-]+(?: [\w'-]+){0,2} )?(?:and|or|&) ", parts[-1])
    return text if is_whole else _whole_list(parts)


def _whole_list(parts: list[str]) -> str:
    """Return a list without the aside after it, or nothing of a list that does not end."""
    for count in range(len(parts) - 1, 1, -1):
        if re.search(r"(?:^| )(?:and|or) ", parts[count - 1]):
            return ", ".join(parts[:count])
    if len(parts) == 2:
        return parts[0]
    return ", ".join(parts) if all(len(part.split()) <= 3 for part in parts) else ""
