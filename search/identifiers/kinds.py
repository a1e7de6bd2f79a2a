"""A table of the kinds of identifiers: their shape, and text of that shape that is not one."""

import re

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple

# Letters of identifiers: Latin, Greek, Cyrillic. A Han character beside a name ends it.
LETTERS = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u052f"
WORD = f"{LETTERS}0-9_"

_NO_ADJECTIVE = r"(?!.*\b(?:a|all|an|and|as|at|by|for|in|of|off|on|or|out|the|to|up)\b)"


class Kind(NamedTuple):
    """A kind of identifiers: `pattern` matches the whole of `example`, and not of `not_so`.

    Tokens are free of spaces and surrounding punctuation, so a pattern need not be narrow.
    """

    name: str
    pattern: str
    example: str
    not_so: str


KEBAB = Kind(
    "kebab-case of three words",
    rf"{_NO_ADJECTIVE}[a-z]+-[a-z]+(?:-[a-z]+)+",
    "max-pool-size",
    "state-of-the-art",
)

KINDS = (
    Kind("e-mail address", r"[\w.+~-]+@[\w-]+(?:\.[\w-]+)+", "ada@example.org", "me@home"),
    Kind(
        "UUID",
        r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
        "ABCDEFAB-cdef-abcd-efab-cdefabcdefab",
        "deadbeef-cafe",
    ),
    Kind("URL", r"[A-Za-z][A-Za-z0-9+]*://\w.*", "https://example.com", "and://"),
    Kind(
        "snake_case, SCREAMING_SNAKE, _private, __dunder__, alone or in a longer name",
        r"(?!_[^\W_]+_$).*(?:[^\W_]_+[^\W]|(?<!\w)_+[^\W\d_]).*",
        "self.user_id",
        "_emphasis_",
    ),
    Kind(
        "camelCase, CamelCase, HTTPServer",
        r"(?=.{4})[^/\\]*(?:[a-z][A-Z]|[A-Z]{2}[a-z]{2})[^/\\]*",
        "getUserById",
        "IDs",
    ),
    Kind("path", r"(?:\.{0,2}/|~/|\\\\|[A-Za-z]:[\\/])\w.*", "/etc/hosts", "and/or"),
    Kind("command line flag", r"--[^\W\d_][\w-]*", "--dry-run", "-v"),
    Kind("decorator, scoped package", r"@[^\W\d_][\w-]*(?:/[\w.-]+)?", "@types/node", "@5"),
    Kind("shell variable", r"\$[A-Z][A-Z0-9]{2,}", "$HOME", "$20"),
    Kind("namespaced name", r"\w+(?:::\w+)+", "std::vector", "to:do"),
    Kind("package@version", r"@?[\w./-]*[^\W\d_][\w.-]*@v?\d[\w.+-]*", "left-pad@1.3.0", "me@home"),
    Kind("issue of a repository", r"[\w.-]+/[\w.-]+#\d+", "rust-lang/rust#123", "and/or"),
    Kind("version", r"v\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z]+)*", "v2.1-rc1", "versions"),
    Kind(
        "version or address of three numbers or more",
        r"\d+(?:\.\d+){2,}(?:[-+.]?[A-Za-z][0-9A-Za-z.-]*)?",
        "192.168.0.1",
        "3.14",
    ),
    Kind(
        "host and port",
        r"(?:[A-Za-z][\w-]*|\d+(?:\.\d+){3}):\d{4,5}",
        "localhost:8080",
        "10:30",
    ),
    Kind("date", r"\d{4}-[01]\d-[0-3]\d", "2026-03-14", "1914-18"),
    Kind("MAC address", r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", "de:ad:be:ef:ca:fe", "10:30"),
    Kind(
        "commit or other hash",
        r"(?=.*\d)(?=.*[a-fA-F])(?:[0-9a-f]{7,}|[0-9A-F]{7,})",
        "9fceb02",
        "defaced",
    ),
    Kind("hexadecimal number", r"0[xX][0-9A-Fa-f]+", "0x1F", "0xylophone"),
    Kind("letters and digits", r"[^\W\d_]+\d+[^\W_]*", "sha256", "3rd"),
    Kind(
        "words and a number",
        r"[^\W\d_][^\W_]*(?:-[^\W_]+)*-(?!\d+s$)\d+[^\W\d_]?(?:-[^\W_]+)*",
        "CVE-2024-3094",
        "mid-1990s",
    ),
    Kind("words, one with a number", r"[^\W\d_]+-[^\W\d_]+\d+(?:-[^\W_]+)*", "x-gpt4", "20-year"),
    KEBAB,
    Kind("dotted name, file name", r"\.?[^\W\d]\w*(?:-\w+)*(?:\.\w+(?:-\w+)*)+", "os.path", "3.14"),
    Kind("hidden file, selector", r"\.[a-z]\w+(?:-\w+)*", ".btn-primary", "...and"),
)

PROSE = (
    Kind(
        "eras, ages, places in a text",
        r"(?:mid|pre|post|early|late|since|non|top|under|over|ages?|aged|part|chapter|section|"
        r"figure|table|step|day|week|year|page|phase|round|number|no)-\d+[a-z]?",
        "mid-1990",
        "ABC-1990",
    ),
    Kind(
        "abbreviations",
        r"(?:[a-z]\.)+[a-z]|(?:ph|m|b|d)\.(?:d|sc|phil|a|eng)s?|et\.al|(?:vs|cf|al|etc)\.[a-z]",
        "e.g",
        "os.path",
    ),
)
"""Words of prose with the shape of one of `KINDS`."""


def one_of(kinds: tuple[Kind, ...], flags: int = 0) -> re.Pattern[str]:
    """A pattern for tokens of any of these kinds, for `fullmatch`."""
    return deferred("|".join(f"(?:{kind.pattern})" for kind in kinds), flags)
