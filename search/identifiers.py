"""Names that mean exactly what they spell: found in text, taken apart, and compared.

`identifiers_in` is stricter than sem-mem's `looks_like_identifier`, which also fires on "in the
1990s" and "state-of-the-art" and is kept below with its exact behaviour.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from search.patterns import deferred

LONGEST = 200
"""Longer runs of characters (base64, minified code) are nobody's name."""

# Letters of identifiers: Latin, Greek, Cyrillic. Han beside a name is its border.
_L = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u052f"
_W = f"{_L}0-9_"

# Tokens of plain prose are passed over without a closer look: lower-case or capitalised words.
_CANDIDATE = deferred(
    rf"(?:--|\.{{0,2}}/|~/|\\\\|[A-Za-z]:[\\/]|[@$]|\.(?=[a-z]))?[{_W}]+(?:(?:::|[-./\\:@+~]+)[{_W}]+)*"
)
_KEBAB = deferred(
    r"(?!.*\b(?:a|all|an|and|as|at|by|for|in|of|off|on|or|out|the|to|up)\b)"
    r"[a-z]+-[a-z]+(?:-[a-z]+)+"
)
# The shapes of a token, which holds nothing but the characters above: `\w` is precise enough.
_TYPES = (
    # e-mail address
    r"[\w.+~-]+@[\w-]+(?:\.[\w-]+)+",
    # UUID
    r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
    # URL
    r"[A-Za-z][A-Za-z0-9+]*://\w.*",
    # snake_case, SCREAMING_SNAKE, _private, __dunder__, alone or in a longer name; not _emphasis_
    r"(?!_[^\W_]+_$).*(?:[^\W_]_+[^\W_]|(?<!\w)_+[^\W\d_]).*",
    # camelCase, CamelCase, HTTPServer: four letters or more, and not "IDs"
    r"(?=.{4})[^/\\]*(?:[a-z][A-Z]|[A-Z]{2}[a-z]{2})[^/\\]*",
    # absolute and dotted paths, home, drive letter, share
    r"(?:\.{0,2}/|~/|\\\\|[A-Za-z]:[\\/])\w.*",
    # command line flag
    r"--[^\W\d_][\w-]*",
    # decorator, scoped package, shell variable
    r"@[^\W\d_][\w-]*(?:/[\w.-]+)?|\$[A-Z][A-Z0-9]{2,}",
    # namespaced name
    r"\w+(?:::\w+)+",
    # version with a v, and three or more numbers (also addresses)
    r"v\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z]+)*|\d+(?:\.\d+){2,}(?:[-+.]?[A-Za-z][0-9A-Za-z.-]*)?",
    # commit and other hashes, hexadecimal numbers
    r"(?=.*\d)(?=.*[a-fA-F])(?:[0-9a-f]{7,}|[0-9A-F]{7,})|0[xX][0-9A-Fa-f]+",
    # letters and then digits: E1234, p53, sha256, ABC-123, CVE-2024-3094
    r"[^\W\d_]+\d+[^\W_]*",
    r"[^\W\d_][^\W_]*(?:-[^\W_]+)*-(?!\d+s$)\d+[^\W\d_]?(?:-[^\W_]+)*",
    r"[^\W\d_]+-[^\W\d_]+\d+(?:-[^\W_]+)*",
    # kebab-case: three words or more, and not "state-of-the-art"
    _KEBAB.pattern,
    # dotted names, file names
    r"\.?[^\W\d]\w*(?:-\w+)*(?:\.\w+(?:-\w+)*)+|\.[a-z]\w+",
)
_IDENTIFIER = deferred("|".join(f"(?:{kind})" for kind in _TYPES))
# Prose that the shapes above would take: eras and ages ("mid-1990", "under-18"), abbreviations.
_PROSE = deferred(
    r"(?:mid|pre|post|early|late|since|non|top|under|over|ages?|aged|part|chapter|section|"
    r"figure|table|step|day|week|year|page|phase|round|number|no)-\d+[a-z]?"
    r"|(?:[a-z]\.)+[a-z]|(?:ph|m|b|d)\.(?:d|sc|phil|a|eng)s?|et\.al|(?:vs|cf|al|etc)\.[a-z]",
    re.IGNORECASE,
)
_PLAIN_PATH = deferred(r"[^\W\d_]+(?:/[^\W\d_]+)+")
_PART = deferred(
    rf"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00f6\u00f8-\u02af\u0370-\u052f]+|[{_L}]+|[0-9]+"
)
_PUNCTUATION = ",;!?()[]{}<>\"'`*=|&#%^"
_CACHED = 16_384
"""Words of code come again and again; those up to `LONGEST` are looked at once."""
_JOINTS = deferred(r"::|[./\\:@~+]+")
_JOINT = deferred(r"[-./\\:@~+]")
_ALNUM = deferred(rf"[{_L}0-9]+")
# Of one run: three digits, or two words (the second an acronym only after a lower-case verb).
_LITERAL = deferred(
    r"\d{3}|^0x|[A-Za-z][a-z]{2,}[A-Z][a-z]{2}|^[a-z]{3,}[A-Z]{3}|[A-Z]{3}[a-z]{2}"
    r"|^[a-z]{2,}[A-Z][a-z]{2}|[A-Z][a-z]+[A-Z][a-z]+[A-Z]"
)
_EXACT_JOINT = deferred(r"[/\\@:~+]")
_TICKET = deferred(r"[A-Z][A-Z0-9]+-\d{2,}")
_WORD_CHARACTER = deferred(f"[{_W}]")
_HEX = deferred(r"(?=.*\d)[0-9a-fA-F]{7,}")


_SEM_MEM = (
    r"\w+_\w+",
    r"\w+-\w+-\w+",
    r"[a-zA-Z]+\d+",
    r"\d+[a-zA-Z]+",
    r"\.\w{2,4}$",
    r"\S{20,}",
    r"[a-z][A-Z]",
)


def identifiers_in(text: str) -> tuple[str, ...]:
    """The identifier-like tokens of a text or query, in order, each once, as they are written."""
    return tuple(dict.fromkeys(_tokens(text)))


def is_identifier(token: str) -> bool:
    """Whether one token, free of surrounding punctuation, is shaped like an identifier."""
    if not token or len(token) > LONGEST or _PROSE.fullmatch(token):
        return False
    if _IDENTIFIER.fullmatch(token):
        return True
    return "/" in token and _is_path(token)


def is_distinctive(identifier: str) -> bool:
    """Whether it can only be meant literally, also amid other words.

    Names of code, files, versions, tickets and hashes are; `p53`, `IL-6`, `python3` or `iTunes`
    are words as well, and texts that answer may well call them something else.
    """
    runs = _ALNUM.findall(identifier)
    if "_" in identifier or not identifier[0].isalnum() or _EXACT_JOINT.search(identifier):
        return True
    if len(runs) == 1:
        return _LITERAL.search(identifier) is not None or is_hash(identifier)
    if "." in identifier:
        return len(runs) > 2 or (len(runs[0]) > 1 and (len(runs[1]) > 1 or runs[1].islower()))
    return len(runs) > 2 or _TICKET.fullmatch(identifier) is not None


def split_identifier(identifier: str) -> tuple[str, ...]:
    """Its parts in lower case: `getUserById` and `get_user_by_id` give get, user, by, id."""
    return tuple(part.lower() for part in _PART.findall(identifier))


def glued(identifier: str) -> str:
    """The identifier as one word of the index: its letters and digits in lower case."""
    return "".join(_ALNUM.findall(identifier)).lower()


def file_name(path: str) -> str:
    """The last segment of a path; an identifier without slashes as it is."""
    return path.replace("\\", "/").rpartition("/")[2]


def identifier_field(text: str, *, name: str = "") -> str:
    """What the keyword index's column of identifiers holds for a text, words parted by spaces.

    Of every identifier: the whole as one word where the tokenizer would split it, the parts that
    the tokenizer would not split off, and the same of its dotted or slashed segments. `name`, a
    file's name, counts as an identifier whatever its shape.
    """
    words: dict[str, None] = {}
    for identifier in dict.fromkeys(_tokens(text)):
        words.update(dict.fromkeys(_column_words(identifier)))
    if name:
        words.update(dict.fromkeys((*_column_words(name), glued(name), *split_identifier(name))))
    return " ".join(words)


def is_hash(identifier: str) -> bool:
    """Whether it may be a hash, and its beginning be written instead of the whole."""
    return _HEX.fullmatch(identifier) is not None and not identifier.isdigit()


def match_level(identifier: str, text: str) -> int:
    """How `identifier` stands in `text`: 3 exactly, 2 but for case, 1 as a part, 0 not at all.

    For 3 and 2 nothing may continue it: no letter, digit or underscore, and no joint (`-`, `.`,
    ...) of a kind it has itself; a file name may follow a slash. 1 means that its parts stand in a
    larger identifier or in another spelling, from one border of parts to another:
    `user_id` in `user_id_10` or `userId`; or that a hash begins with it.
    """
    if not identifier:
        return 0
    if _stands(identifier, text):
        return 3
    lowered = text.lower()
    if _stands(identifier.lower(), lowered):
        return 2
    if is_hash(identifier):
        begins = re.search(rf"(?<![0-9a-z_]){identifier.lower()}[0-9a-f]", lowered)
        return 1 if begins else 0
    return 1 if _is_part(identifier, text) else 0


def looks_like_identifier(query: str) -> bool:
    """sem-mem's detector: its six patterns, and CamelCase."""
    return any(re.search(pattern, query) for pattern in _SEM_MEM)


def _tokens(text: str) -> Iterator[str]:
    for mark in _PUNCTUATION:
        text = text.replace(mark, " ")
    for word in dict.fromkeys(text.split()):
        bare = word.rstrip(".:-")
        if bare.isalpha():  # most words of prose end here, before any pattern is tried
            if bare.islower() or bare.istitle() or bare.isupper():
                continue
        elif bare.isdigit() or (bare.islower() and word[0] != "-" and _is_compound(bare)):
            continue
        yield from _tokens_of(word) if len(word) <= LONGEST else _tokens_of.__wrapped__(word)


def _is_compound(word: str) -> bool:
    """Plain words joined by hyphens, as in well-known; network-linker-removed is a name."""
    return word.replace("-", "").isalpha() and not _KEBAB.fullmatch(word)


@lru_cache(_CACHED)
def _tokens_of(word: str) -> tuple[str, ...]:
    """The identifiers in one word between spaces, without the punctuation around them."""
    found: list[str] = []
    for token in _CANDIDATE.findall(word):
        if is_identifier(token):
            found.append(token)
        elif "/" in token:
            found.extend(filter(is_identifier, token.split("/")))
    return tuple(found)


def _is_path(token: str) -> bool:
    """Segments joined by slashes, one of which is more than a plain word."""
    if _PLAIN_PATH.fullmatch(token):
        return False
    segments = [segment for segment in token.split("/") if segment]
    return any(is_identifier(segment) and is_distinctive(segment) for segment in segments)


@lru_cache(_CACHED)
def _column_words(identifier: str) -> tuple[str, ...]:
    words: list[str] = []
    for piece in (identifier, file_name(identifier), *_JOINTS.split(identifier)):
        runs = _ALNUM.findall(piece)
        if len(runs) > 1:
            words.append("".join(runs).lower())
        for run in runs:
            if run.islower() or run.isupper():
                continue
            parts = [part for part in _PART.findall(run) if not part.isdigit()]
            if len(parts) > 1:
                words.extend(part.lower() for part in (run, *parts))
    return tuple(dict.fromkeys(words))


def _stands(identifier: str, text: str) -> bool:
    """Whether it occurs with identifier borders on both sides, case as given."""
    start = text.find(identifier)
    while start >= 0:
        end = start + len(identifier)
        if not (
            _continues_left(identifier, text, start) or _continues_right(identifier, text, end)
        ):
            return True
        start = text.find(identifier, start + 1)
    return False


def _continues_left(identifier: str, text: str, start: int) -> bool:
    if not start or not _is_word(identifier[0]):
        return False
    before = text[start - 1]
    if _is_word(before):
        return True
    joint = before in ".-+@" and before in identifier
    return joint and start > 1 and _is_word(text[start - 2])


def _continues_right(identifier: str, text: str, end: int) -> bool:
    if end >= len(text):
        return False
    after = text[end]
    if _is_word(after):
        return _is_word(identifier[-1])
    joint = after in ".-+@/\\" and after in identifier
    return joint and end + 1 < len(text) and _is_word(text[end + 1])


def _is_word(character: str) -> bool:
    return _WORD_CHARACTER.match(character) is not None


@lru_cache(maxsize=64)
def _spelling(identifier: str) -> re.Pattern[str] | None:
    """Its parts in any case, joined as it joins them itself, by underscores, or not at all."""
    parts = [re.escape(part) for part in _PART.findall(identifier)]
    joints = re.escape("".join({"_", *_JOINT.findall(identifier)}))
    return re.compile(f"[{joints}]{{0,2}}".join(parts), re.IGNORECASE) if parts else None


def _is_part(identifier: str, text: str) -> bool:
    pattern = _spelling(identifier)
    if pattern is None:
        return False
    found = pattern.search(text)
    while found:
        if _parts_here(text, found.start()) and _parts_here(text, found.end()):
            return True
        found = pattern.search(text, found.start() + 1)
    return False


def _parts_here(text: str, at: int) -> bool:
    """Whether a part may begin or end between the characters `at - 1` and `at`."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    if before.isdigit() != after.isdigit():
        return True
    return after.isupper() and (before.islower() or text[at + 1 : at + 2].islower())
