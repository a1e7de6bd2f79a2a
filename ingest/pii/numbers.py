"""Numbers of payment cards, bank accounts and persons, recognised by their check digits."""

import re
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from ingest.pii.cues import said_before
from ingest.pii.values import Finding

_CARD = deferred(r"(?<![\w.\-+/=])[2-6](?:[ -]?\d){12,18}(?![\w]|[-./]\w)")
_ISSUERS = (
    (deferred(r"4"), {13, 16, 19}),  # Visa
    (deferred(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),  # Mastercard
    (deferred(r"3[47]"), {15}),  # American Express
    (deferred(r"6011|65|64[4-9]"), {16, 19}),  # Discover
    (deferred(r"36|38|39|30[0-5]"), {14}),  # Diners Club
    (deferred(r"35(?:2[89]|[3-8])"), {16}),  # JCB
    (deferred(r"62"), {16, 17, 18, 19}),  # UnionPay
    (deferred(r"50|5[6-9]|6[0137]"), {16}),  # Maestro
)
"""Beginnings and lengths (ISO/IEC 7812, the lists of the issuers)."""

_GROUPED = deferred(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5}")
_CARD_CUE = deferred(
    r"\b(?:card|credit|debit|visa|mastercard|amex|american express|discover|maestro|kreditkarte"
    r"|karte|kartennummer|carte|tarjeta|cc|pay|paid)\b",
    re.IGNORECASE,
)
_NUMBER_CUE = deferred(
    r"\b(?:id|ids|order|tracking|invoice|isbn|ean|gtin|timestamp|version|build|ticket|hash|uuid|serial"
    r"|sku|number|no|imei|bytes|offset|seed|nonce|row|rows|key)\b\W*(?:is|was|of)?\W*$|[=:#]\s*$",
    re.IGNORECASE,
)
_IBAN = deferred(r"(?<![\w])([A-Za-z]{2}\d{2}) ?(?=[A-Za-z0-9]{4})")
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}
"""Lengths from the IBAN registry of SWIFT."""

_SSN = deferred(r"(?<![\w\-/.+])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w]|[-/.]\w)")
_ID_CUE = deferred(
    r"(?<![\w=/+])(?:ssn|social\s+security(?:\s+(?:number|no\.?))?|sozialversicherungsnummer|steuer-?id(?:nummer)?"
    r"|steuernummer|national\s+insurance(?:\s+(?:number|no\.?))?|nino|nhs\s+number|tax\s*(?:payer)?\s+id"
    r"|passport(?:\s+(?:number|no\.?))?|reisepass(?:nummer)?|personalausweis(?:nummer)?"
    r"|driver['’]?s?\s+licen[cs]e(?:\s+(?:number|no\.?))?|numéro\s+de\s+sécurité\s+sociale|dni|pesel"
    r"|aadhaar|codice\s+fiscale|national\s+id(?:entity)?(?:\s+(?:card|number|no\.?))*)"
    r"\s*(?:is|ist|est|es|was|[:#=])?\s*#?(?<=[\s:#=])(?P<value>"
    r"(?=[A-Z0-9 \-]{0,20}\d{2})(?=(?:[A-Z \-]*\d){5})[A-Z0-9](?:[ \-]?[A-Z0-9]){5,19})(?!\w)",
    re.IGNORECASE,
)


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_BIRTH_DATE = deferred(
    r"\b(?:born\s+(?:on\s+)?|birthday\s+is\s+(?:on\s+)?|(?:birth\s?date|date\s+of\s+birth|dob)(?:\s+is)?\s*:?\s*)"
    r"(?P<value>\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|"
    rf"(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?|"
    rf"{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?)(?!\w)",
    re.IGNORECASE,
)


def birth_dates(text: str) -> Iterator[Finding]:
    """Days on which somebody was born, with or without the year, after a word that says so."""
    for found in _BIRTH_DATE.finditer(text):
        yield Finding(found.start("value"), found.end("value"), "birth_date")


def cards(text: str) -> Iterator[Finding]:
    """Payment cards by issuer, length and Luhn; an unspaced number called an id does not count."""
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if not any(
            issuer.match(digits) and len(digits) in lengths for issuer, lengths in _ISSUERS
        ) or not _luhn(digits):
            continue
        start = found.start()
        named = said_before(_CARD_CUE, text, start)
        plain = digits == found[0] and not said_before(_NUMBER_CUE, text, start)
        if named or plain or _GROUPED.fullmatch(found[0]):
            yield Finding(start, found.end(), "card")


def _luhn(digits: str) -> bool:
    """Check the check digit of ISO/IEC 7812-1."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0


def ibans(text: str) -> Iterator[Finding]:
    """Bank accounts by country, length and the remainder of ISO 7064 mod 97-10."""
    for found in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(found[1][:2].upper())
        if not length:
            continue
        place, taken = found.start(), ""
        while place < len(text) and len(taken) < length:
            char = text[place]
            if char.isascii() and char.isalnum():
                taken += char
            elif char != " " or text[place - 1] == " ":
                break
            place += 1
        after = text[place : place + 1]
        if len(taken) == length and not after.isalnum() and _mod_97(taken.upper()) == 1:
            yield Finding(found.start(), place, "iban")


def _mod_97(account: str) -> int:
    return int("".join(str(int(char, 36)) for char in account[4:] + account[:4])) % 97


def national_ids(text: str) -> Iterator[Finding]:
    """US social security numbers by their shape, others after the name of the document."""
    for found in _SSN.finditer(text):
        yield Finding(found.start(), found.end(), "national_id")
    for found in _ID_CUE.finditer(text):
        yield Finding(found.start("value"), found.end("value"), "national_id")
