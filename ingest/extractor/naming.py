"""Names of people: what counts as one after "my name is", and how much more after "I am"."""

import re

from ingest.extractor.lexicon import (
    BELONGING,
    DIETS,
    FAMILY_NAMES_OF_NOBODY,
    FIRST_NAMES,
    LANGUAGES,
    NATIONALITIES,
    ROLES,
)
from ingest.extractor.wording import Told

_NAME_ENDS = re.compile(
    r"\s*(?:[,;:(\x00/]| - | – | from | and | but | by the way| in case| nice | pleased | what | "
    r"how | who | as | I | i )"
)
_NAME_PART = re.compile(r"[^\W\d_]+(?:['.-][^\W\d_]+)*\.?")
_MOST_NAME_PARTS = 4
_CASELESS = re.compile(
    r"^[^a-z]*[\u0590-\u074f\u0900-\u0fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", re.IGNORECASE
)


def name(text: str, told: Told) -> list[str]:
    """A name after "my name is", in any script, also typed small."""
    del told
    text = re.sub(r"\s+(?:now|instead|these days|btw)\b.*$", "", text, flags=re.IGNORECASE)
    text = _NAME_ENDS.split(f"{text} ", maxsplit=1)[0].strip(" .!\"'“”*")
    parts = text.split()
    if not 0 < len(parts) <= _MOST_NAME_PARTS or any(
        not _NAME_PART.fullmatch(each) for each in parts
    ):
        return []
    if any(part.casefold() in FAMILY_NAMES_OF_NOBODY for part in parts):
        return []
    if _CASELESS.match(text) or any(part[0].isupper() for part in parts):
        return [text] if not text.isupper() or len(text) <= 4 else [text.title()]
    return [text.title()] if len(parts) <= 2 else []


def first_name(text: str, told: Told) -> list[str]:
    """A common first name alone."""
    del told
    return [text] if text.casefold() in FIRST_NAMES else []


def bare_name(text: str, told: Told) -> list[str]:
    """A name after "I'm": capital letters, and no word that says how or what somebody is."""
    text = _NAME_ENDS.split(f"{text} ", maxsplit=1)[0].strip(" .!\"'")
    words = text.split()
    small = text.casefold()
    if small in FIRST_NAMES and len(small) > 2:
        return [text if text[0].isupper() and not text.isupper() else text.title()]
    if len(words) > 3 or not name(text, told) or "," in text:
        return []
    if _CASELESS.match(text):
        return [text] if len(text) <= 8 else []
    if any(
        not word[0].isupper() and word not in ("de", "van", "von", "der", "la", "da", "del")
        for word in words
    ):
        return (
            [text.title()]
            if len(words) == 2 and words[0].casefold() in FIRST_NAMES and not _is_word(words[1])
            else []
        )
    if any(word.isupper() and len(word) > 1 for word in words):
        return []
    if any(_is_word(word) for word in words):
        return []
    return [text]


def is_quality(word: str) -> bool:
    """Tell whether it says where somebody is from, what they speak or believe: no name."""
    lower = word.casefold()
    return (
        lower in NATIONALITIES or lower in LANGUAGES or lower in BELONGING or lower in DIETS
    ) and lower not in FIRST_NAMES


def _is_word(word: str) -> bool:
    lower = word.casefold()
    return (
        lower in FAMILY_NAMES_OF_NOBODY
        or is_quality(lower)
        or lower in ROLES
        or (
            lower.endswith(("ing", "ed", "ful", "less", "ous", "able", "ish", "est", "ly", "ive"))
            and lower not in FIRST_NAMES
        )
    )
