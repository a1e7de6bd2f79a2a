"""E-mail addresses and telephone numbers."""

import re
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from ingest.pii.cues import said_before
from ingest.pii.values import Finding

_EMAIL = deferred(
    r"(?<![\w.+\-/:@])(?!git@)[\w.+\-]{1,64}@(?:[^\W_](?:[\w\-]{0,61}[^\W_])?\.){1,8}"
    r"[^\W\d_]{2,24}(?![\w@]|\.\w|\()"
)
_PHONE_CUE = deferred(
    r"\b(?:call|phone|tel|telephone|mobile|cell|cellphone|text\s+me|sms|whatsapp|signal|telegram|ring"
    r"|fax|dial|(?:my|his|her|their|our|your|the)\s+(?:\w+\s+)?number|reach\s+\w+|contact|hotline"
    r"|handy|handynummer|telefon|telefonnummer|rufnummer|mobil|anrufen|appelle|appeler|téléphone"
    r"|portable|teléfono|telefono|móvil|llama|llamar|cellulare)\b",
    re.IGNORECASE,
)
_NOT_PHONE_CUE = deferred(
    r"\b(?:order|invoice|ticket|issue|version|build|port|id|serial|tracking|account|isbn|line|commit"
    r"|card|part|model|error|code|function|case|reference)\b[^,]*$",
    re.IGNORECASE,
)
_INTERNATIONAL = deferred(r"(?<![\w+])(?:\+|(?<!\d )00)\s?[1-9][\d\s().\-/]{5,20}\d(?!\w)")
_NATIONAL = deferred(
    r"(?<![\w.\-/+:#$€£])\(?\d[\d()]{0,6}(?:[ .\-/()]{1,2}\d{2,8}){0,5}(?![\w\-/:%]|\.\d)"
)
_AMERICAN = deferred(r"\(\d{3}\)\s?\d{3}[-. ]\d{4}|[2-9]\d\d-[2-9]?\d\d-\d{4}")
_NO_PHONE = deferred(
    r"(?:19|20)\d\d[-/. ](?:0?\d|1[0-2])[-/. ][0-3]?\d|[0-3]?\d[-/.][01]?\d[-/.](?:19|20)?\d\d"
    r"|\d{1,3}(?:\.\d{1,3}){3}|(?:19|20)\d\d\s?[-/–]\s?(?:19|20)?\d\d|\d{1,3}(?:[ .]000)+"
)
_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "IN", "AU", "CH", "AT", "BR", "JP", "CN")
"""Regions whose numbering plans are tried for a number that a word calls a telephone number."""


def emails(text: str) -> Iterator[Finding]:
    """Addresses with a domain; neither `git@host:path` nor the `user@` of a URL."""
    for found in _EMAIL.finditer(text):
        yield Finding(found.start(), found.end(), "email")


def phones(text: str) -> Iterator[Finding]:
    """International numbers, American ones by their shape, others after a word such as "call"."""
    for found in _INTERNATIONAL.finditer(text):
        if _is_international(found[0]) and not said_before(_NOT_PHONE_CUE, text, found.start()):
            yield Finding(found.start(), found.end(), "phone")
    for found in _NATIONAL.finditer(text):
        number = found[0].rstrip("(")
        if not 7 <= sum(map(str.isdecimal, number)) <= 13 or _NO_PHONE.fullmatch(number):
            continue
        if said_before(_NOT_PHONE_CUE, text, found.start()):
            continue
        american = _AMERICAN.fullmatch(number) is not None
        if american or (said_before(_PHONE_CUE, text, found.start()) and _is_national(number)):
            yield Finding(found.start(), found.start() + len(number), "phone")


def _is_international(number: str) -> bool:
    """Return whether it is valid in its country's plan; one written in groups needs only a possible
    length there.
    """
    import phonenumbers

    try:
        parsed = phonenumbers.parse(re.sub(r"^00\s?", "+", number), None)
    except phonenumbers.NumberParseException:
        return False
    if phonenumbers.is_valid_number(parsed):
        return True
    return bool(re.search(r"\d[\s().\-]+\d", number[3:])) and phonenumbers.is_possible_number(
        parsed
    )


def _is_national(number: str) -> bool:
    """Return whether it is valid somewhere, or an American local one (555-0134)."""
    import phonenumbers

    if re.fullmatch(r"(?:[2-9]\d\d[-. ])?\d{3}[-. ]\d{4}", number):
        return True
    for region in _REGIONS:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False
