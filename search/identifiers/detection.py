"""Find identifiers in a text or query: names that are meant exactly as spelled.

`identifiers_in` is stricter than sem-mem's `looks_like_identifier`, which also fires on "in the
1990s" and "state-of-the-art" and is kept below with its exact behaviour.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from contracts.lazy_regex import deferred
from search.identifiers.kinds import KEBAB, KINDS, PROSE, WORD, one_of

LONGEST = 200
"""Longer runs of characters (base64, minified code) are not names."""

_CANDIDATE = deferred(
    rf"(?:--|\.{{0,2}}/|~/|\\\\|[A-Za-z]:[\\/]|[@$]|\.(?=[a-z]))?"
    rf"[{WORD}]+(?:(?:::|[-./\\:@+~]+)[{WORD}]+)*(?:(?<=[{WORD}])#\d+)?"
)
_IDENTIFIER = one_of(KINDS)
_PROSE = one_of(PROSE, re.IGNORECASE)
_KEBAB = deferred(KEBAB.pattern)
_COMPOUND = deferred(r"[a-z]+(?:-[a-z]+)+")
_PLAIN_PATH = deferred(r"[^\W\d_]+(?:/[^\W\d_]+)+")
_PLACE = deferred(r"(?P<file>.*(?:[/\\]|\.[A-Za-z]\w*))(?P<line>(?::\d+(?:-\d+)?){1,2})")
_BORDERS = deferred(r"[/:]+")
_PUNCTUATION = ",;!?()[]{}<>\"'`*=|&%^"
_CACHED = 16_384
"""Words of code recur; those up to `LONGEST` are examined once."""
_ALNUM = deferred(rf"[{WORD.removesuffix('_')}]+")
# Of one run: three digits, or two words (the second an acronym only after a lower-case verb).
_LITERAL = deferred(
    r"\d{3}|^0x|[A-Za-z][a-z]{2,}[A-Z][a-z]{2}|^[a-z]{3,}[A-Z]{3}|[A-Z]{3}[a-z]{2}"
    r"|^[a-z]{2,}[A-Z][a-z]{2}|[A-Z][a-z]+[A-Z][a-z]+[A-Z]"
)
_EXACT_JOINT = deferred(r"[/\\@:~+#]")
_TICKET = deferred(r"[A-Z][A-Z0-9]+-\d{2,}|[A-Za-z]+-\d{4,}")
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
    """The identifiers of a text or query, in order, each once, as written."""
    return tuple(dict.fromkeys(_tokens(text)))


def is_identifier(token: str) -> bool:
    """Return whether one token, free of surrounding punctuation, is shaped like an identifier."""
    if not token or len(token) > LONGEST or _PROSE.fullmatch(token):
        return False
    if _IDENTIFIER.fullmatch(token):
        return True
    return "/" in token and _is_path(token)


def is_compound(query: str) -> bool:
    """Return whether it is only words joined by hyphens: an identifier if it is alone."""
    return _COMPOUND.fullmatch(query) is not None


def is_distinctive(identifier: str) -> bool:
    """Return whether it can only be meant literally, even among other words.

    Names of code, files, versions, tickets and hashes can; `p53`, `IL-6`, `python3` or `iTunes` are
    also words, for which a relevant text may use another name.
    """
    runs = _ALNUM.findall(identifier)
    if "_" in identifier or not identifier[0].isalnum() or _EXACT_JOINT.search(identifier):
        return True
    if len(runs) == 1:
        return _LITERAL.search(identifier) is not None or is_hash(identifier)
    if "." in identifier:
        return len(runs) > 2 or (len(runs[0]) > 1 and (len(runs[1]) > 1 or runs[1].islower()))
    return len(runs) > 2 or _TICKET.fullmatch(identifier) is not None


def is_hash(identifier: str) -> bool:
    """Return whether it may be a hash, which can be abbreviated to its beginning."""
    return _HEX.fullmatch(identifier) is not None and not identifier.isdigit()


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
        elif bare.isdigit() or (bare.islower() and word[0] != "-" and _is_hyphened(bare)):
            continue
        yield from _tokens_of(word) if len(word) <= LONGEST else _tokens_of.__wrapped__(word)


def _is_hyphened(word: str) -> bool:
    """Return whether it is plain words joined by hyphens, as in well-known; network-linker-removed
    is an identifier.
    """
    return word.replace("-", "").isalpha() and not _KEBAB.fullmatch(word)


@lru_cache(_CACHED)
def _tokens_of(word: str) -> tuple[str, ...]:
    """The identifiers in one word between spaces, without the punctuation around them."""
    found: list[str] = []
    for token in _CANDIDATE.findall(word):
        if ":" in token and (place := _PLACE.fullmatch(token)):
            token = place["file"]
        if is_identifier(token):
            found.append(token)
        elif "/" in token or ":" in token:
            found.extend(filter(is_identifier, _BORDERS.split(token)))
    return tuple(found)


def _is_path(token: str) -> bool:
    """Return whether it is segments joined by slashes, one of them more than a plain word."""
    if _PLAIN_PATH.fullmatch(token):
        return False
    segments = [segment for segment in token.split("/") if segment]
    return any(is_identifier(segment) and is_distinctive(segment) for segment in segments)
