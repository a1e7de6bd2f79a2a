"""Run all detectors over one text, and report each place once.

Precision comes before recall: a tag on every third turn would be useless. So every number is
checked by its own arithmetic (Luhn, mod 97, the numbering plans), and one without needs a word
before it that tells what it is. Detection is not guaranteed: a telephone number written in words is
not found.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator

from ingest.pii.addresses import addresses
from ingest.pii.contacts import emails, phones
from ingest.pii.numbers import birth_dates, cards, ibans, national_ids
from ingest.pii.secrets import keys, passwords
from ingest.pii.values import PII, SECRET, SECRET_KINDS, Finding

_FEWEST_DIGITS = 6
"""The fewest digits of a number that identifies somebody."""


def find_pii(text: str) -> list[Finding]:
    """Personal data and secrets in `text`, in order, none within another."""
    found: list[Finding] = []
    for finding in _findings(text):
        place = bisect(found, finding)
        before, after = found[max(0, place - 1) : place], found[place : place + 1]
        if all(one.end <= finding.start for one in before) and all(
            finding.end <= one.start for one in after
        ):
            found.insert(place, finding)
    return found


def _findings(text: str) -> Iterator[Finding]:
    """All findings, secrets first: `https://me:word@example.org` is a password, not an e-mail
    address.
    """
    yield from keys(text)
    yield from passwords(text)
    if "@" in text:
        yield from emails(text)
    digits = sum(map(str.isdecimal, text)) if not text.isalpha() else 0
    if digits >= _FEWEST_DIGITS:
        yield from ibans(text)
        yield from cards(text)
        yield from national_ids(text)
        yield from phones(text)
    if digits:
        yield from addresses(text)
        yield from birth_dates(text)


def privacy_tags(text: str) -> tuple[str, ...]:
    """The tags of a record that holds `text`: `pii`, and also `secret`."""
    found = find_pii(text)
    if not found:
        return ()
    return (PII, SECRET) if any(one.kind in SECRET_KINDS for one in found) else (PII,)


def secrets_in(text: str) -> list[str]:
    """The passwords, keys and secret numbers of a text, as written."""
    return [text[one.start : one.end] for one in find_pii(text) if one.kind in SECRET_KINDS]


def redacted(text: str) -> str:
    """`text` with each finding replaced by its kind in brackets: "write to [email]"."""
    return _masked(text, find_pii(text))


def without_secrets(text: str) -> str:
    """`text` with only the secrets masked: safe to show to a language model."""
    return _masked(text, (found for found in find_pii(text) if found.kind in SECRET_KINDS))


def _masked(text: str, found: Iterable[Finding]) -> str:
    parts, place = [], 0
    for one in found:
        parts += [text[place : one.start], f"[{one.kind}]"]
        place = one.end
    return "".join((*parts, text[place:]))
