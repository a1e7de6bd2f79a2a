"""Names of people: those after "my name is", and the fewer that count after "I am"."""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.wording import Told
from ingest.extractor.words.boundaries import AFTER_NAMES
from ingest.extractor.words.lexicon import FIRST_NAMES, LANGUAGES, NATIONALITIES, NO_NAMES, ROLES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import PLACES

_ENDS = deferred(rf"\s*(?:[,;:(\x00/!?]| (?:{any_of(AFTER_NAMES)}) | by the way| in case| instead| these days| btw| here\b)")  # fmt: skip
_PART = deferred(r"[^\W\d_]+(?:['.-][^\W\d_]+)*\.?")
_MOST_PARTS = 4
_CASELESS = deferred(
    r"(?i)^[^a-z]*[\u0590-\u074f\u0900-\u0fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_PARTICLES = frozenset("de van von der den la da del di du dos el al bin ibn ben ter le st".split())
_QUALITY = deferred(r"..(?:ing|ed|ful|less|ous|able|ish|est|ly|ive)$")


def name(text: str, told: Told) -> list[str]:
    """A name after "my name is", in any script, also typed small."""
    del told
    text = _ENDS.split(f"{text} ", maxsplit=1)[0].strip(" .!\"'“”*")
    parts = text.split()
    if not 0 < len(parts) <= _MOST_PARTS or any(not _PART.fullmatch(each) for each in parts):
        return []
    if is_quality(text) or any(part.casefold() in NO_NAMES for part in parts):
        return []
    if _CASELESS.match(text) or all(
        part[0].isupper() or part.casefold() in _PARTICLES for part in parts
    ):
        return [text.title() if text.isupper() and len(text) > 4 else text]
    return [text.title()] if len(parts) <= 2 and text.islower() else []


def bare_name(text: str, told: Told) -> list[str]:
    """A name after "I'm": capital letters, and no word for what or how somebody is."""
    rest = _ENDS.split(f"{text} ", maxsplit=1)
    text = rest[0].strip(" .!\"'")
    words = text.split()
    if len(words) > 3 or text in _PARTICLES or not name(text, told):
        return []
    if text.casefold() in FIRST_NAMES and len(text) > 2:
        return [text if text[0].isupper() and not text.isupper() else text.title()]
    if _CASELESS.match(text):
        return [text] if len(text) <= 8 else []
    known = words[0].casefold() in FIRST_NAMES
    if not all(word[0].isupper() or word.casefold() in _PARTICLES for word in words):
        return [text.title()] if len(words) == 2 and known and not is_word(words[1]) else []
    if any(word.isupper() and len(word) > 1 for word in words) or any(map(is_word, words)):
        return []
    return [text]


def nickname(text: str, told: Told) -> list[str]:
    """A name that may also be initials: MJ."""
    text = _ENDS.split(f"{text} ", maxsplit=1)[0].strip(" .!\"'")
    return [text] if re.fullmatch(r"[A-Z]{2,3}", text) else bare_name(text, told)


def given_name(text: str, told: Told) -> list[str]:
    """The name of somebody else or of a pet, or several: capital letters."""
    text = re.sub(
        r",? (?:who|which|that|he|she|it|they|and (?![A-Z])\w+)\b.*$|[,.;(].*$", "", text
    ).strip(" .!\"'")
    names = re.split(r",? (?:and|&) |, ", text)
    if not all(one[:1].isupper() and name(one, told) for one in names):
        return []
    return [f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else text]


def is_quality(word: str) -> bool:
    """Return whether it says where somebody is from or what they speak: no name."""
    lower = word.casefold()
    return (lower in NATIONALITIES or lower in LANGUAGES) and lower not in FIRST_NAMES


def is_word(word: str) -> bool:
    """Return whether it says what, how or where somebody is: no name."""
    lower = word.casefold()
    if lower in FIRST_NAMES:
        return False
    known = lower in NO_NAMES or lower in ROLES or lower in PLACES or is_quality(lower)
    return known or _QUALITY.search(lower) is not None
