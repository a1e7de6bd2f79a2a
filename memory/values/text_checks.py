"""Texts from outside: the one check of their Unicode, NUL and length, and when two are the same."""

from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

from contracts import InputError

NAME_LIMIT: Final = 4096
"""The most characters of a name, a path, a tag or a filter; no system opens a longer path."""

TEXT_LIMIT: Final = 64 * 1024 * 1024
"""The most characters of a text."""

_MOST_MESSAGE: Final = 2000


def text_fault(text: str, *, most: int = TEXT_LIMIT, bytes_allowed: bool = False) -> str | None:
    """Return why a text cannot be taken: length, NUL or a surrogate; None if it can.

    `bytes_allowed` lets the bytes of a file name pass that are not UTF-8, as `os.fsdecode` gives.
    """
    if len(text) > most:
        return f"has {len(text):,} characters, and {most:,} are the most"
    if "\0" in text:
        return f"has a NUL at character {text.index(chr(0))}"
    try:
        text.encode("utf-8", "surrogateescape" if bytes_allowed else "strict")
    except UnicodeEncodeError as error:
        return f"has half of a surrogate pair at character {error.start}, which is not text"
    return None


def checked_text(
    text: str, what: str, *, most: int = TEXT_LIMIT, bytes_allowed: bool = False
) -> str:
    """Return the text, which a message calls `what`. Raises InputError for one with a fault."""
    fault = text_fault(text, most=most, bytes_allowed=bytes_allowed)
    if fault is None:
        return text
    raise InputError(
        f"{what} {fault}",
        hint="shorten it" if len(text) > most else "send valid Unicode without NUL characters",
    )


def query_text(text: str, what: str = "the query", *, most: int = TEXT_LIMIT) -> str:
    """Return the text that a query is searched as: a NUL, which no text has, is a blank.

    Raises InputError for one with another fault.
    """
    return checked_text(text.replace("\0", " "), what, most=most)


def shortened(message: str) -> str:
    """Return a message without the middle of a value that it quotes, if that is very long."""
    if len(message) <= _MOST_MESSAGE:
        return message
    half = _MOST_MESSAGE // 2
    return f"{message[:half]} ... {message[-half:]}"


def check_texts(value: object, what: str) -> None:
    """Check every text inside lists and objects, keys too. Raises InputError for the first fault.

    A message calls the value `what`, and names the place inside it: `what.turns.3.text`.
    """
    waiting = [(value, what)]
    while waiting:
        found, place = waiting.pop()
        if isinstance(found, str):
            checked_text(found, place)
        elif isinstance(found, Mapping):
            for key, inner in found.items():
                checked_text(str(key), f"a name in {place}", most=NAME_LIMIT)
                waiting.append((inner, f"{place}.{str(key)[:80]}"))
        elif isinstance(found, list | tuple):
            waiting += [(inner, f"{place}.{number}") for number, inner in enumerate(found)]


def caseless(text: str) -> str:
    """Return a text case-folded and composed (NFC): `Zoé` with one character for the last letter
    and with two is the same.
    """
    if text.isascii():
        return text.casefold()
    return normalize("NFC", normalize("NFC", text).casefold())


def written_forms(text: str) -> tuple[str, ...]:
    """Return a text as it is, composed (NFC) and decomposed (NFD), each form once."""
    if text.isascii():
        return (text,)
    return tuple(dict.fromkeys((text, normalize("NFC", text), normalize("NFD", text))))
