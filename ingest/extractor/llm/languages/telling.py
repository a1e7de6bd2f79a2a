"""Tell the language of a text."""

import re
from functools import lru_cache
from typing import Final

from contracts.lazy_regex import deferred
from ingest.extractor.llm.languages.east_asian import CHINESE, JAPANESE
from ingest.extractor.llm.languages.germanic import DUTCH, ENGLISH, GERMAN
from ingest.extractor.llm.languages.language import Language
from ingest.extractor.llm.languages.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH

LANGUAGES: Final = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "zh": CHINESE,
    "ja": JAPANESE,
}
"""The languages in which claims are checked, by their ISO code."""

RELIABLE: Final[tuple[Language, ...]] = ()
"""The languages in which, on labelled claims that nobody who works on the check has read, at least
.85 of the true ones and at most .05 of the false ones are believed: none yet. Claims in others never
replace what is known: they are candidates that are not certain."""

_OTHERS: Final = deferred(
    r"(?<!\w)(?:jag|jeg|och|og|är|inte|ikke|nie|jest|się|mam|mieszkam|bir|ve|için|és|nem|hogy|am|sunt|și|eu sunt"
    r"|\w*[łśżźćęąńøåðþőűčšžřěđğşță]\w*|minä|olen|ja|että|mám|jsem|som|amb|els|és|tôi|là|saya|yang|dan)(?!\w)",
    re.IGNORECASE,
)
_LETTER: Final = deferred(r"[^\W\d_]")
_KANA: Final = deferred("[ぁ-んァ-ヶ]")
_HAN: Final = deferred("[\u3400-\u9fff]")
_LATIN: Final = deferred("[A-Za-zÀ-ɏ]")


@lru_cache(64)
def language_of(text: str) -> Language | None:
    """The language of a text by its grammatical words, None for one without a table here."""
    letters = len(_LETTER.findall(text))
    if _KANA.search(text):
        return JAPANESE
    if len(_HAN.findall(text)) * 4 > letters:
        return CHINESE
    if len(_LATIN.findall(text)) * 2 < letters:
        return None
    best = max(_SPACED, key=lambda one: count_of(text, one))
    return best if count_of(text, best) > 3 * len(_OTHERS.findall(text)) else None


def count_of(text: str, language: Language) -> int:
    """The number of grammatical words of a language in a text."""
    return sum(len(language.find(cell).findall(text)) for cell in _TELLING)


_TELLING: Final = (
    *(
        "known",
        "known",
        "speaker",
        "own",
        "person",
        "now",
        "has",
        "past",
        "denied",
        "ended",
        "asked",
    ),
    "letters",
)
_SPACED: Final = tuple(one for one in LANGUAGES.values() if one.is_spaced)
