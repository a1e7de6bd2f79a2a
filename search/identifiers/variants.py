"""Split identifiers into parts, and list their other spellings and one-edit typos."""

from collections.abc import Iterator
from functools import lru_cache

from contracts.lazy_regex import deferred
from search.identifiers.detection import identifiers_in
from search.identifiers.kinds import LETTERS

_CACHED = 16_384
_PART = deferred(
    rf"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00f6\u00f8-\u02af\u0370-\u052f]+|[{LETTERS}]+|[0-9]+"
)
_ALNUM = deferred(rf"[{LETTERS}0-9]+")
_JOINTS = deferred(r"::|[./\\:@~+#]+")
_KEYS = "abcdefghijklmnopqrstuvwxyz0123456789"


def split_identifier(identifier: str) -> tuple[str, ...]:
    """Its parts in lower case: `getUserById` and `get_user_by_id` give get, user, by, id."""
    return tuple(part.lower() for part in parts_of(identifier))


def parts_of(identifier: str) -> list[str]:
    """Its words and numbers as written, without its joints."""
    return _PART.findall(identifier)


def joints_of(identifier: str) -> str:
    """Its characters that are neither letter nor digit."""
    return _ALNUM.sub("", identifier)


def compact_form(identifier: str) -> str:
    """The identifier as one word of the index: its letters and digits in lower case."""
    return "".join(_ALNUM.findall(identifier)).lower()


def digits_of(identifier: str) -> str:
    """Its digits alone: names with different digits are seldom confused."""
    return "".join(char for char in identifier if char.isdigit())


def file_name(path: str) -> str:
    """The last segment of a path; an identifier without slashes as it is."""
    return path.replace("\\", "/").rpartition("/")[2]


def identifier_field(text: str, *, name: str = "") -> str:
    """The words of a text for the keyword index's identifier column, separated by spaces.

    For every identifier: the whole as one word if the tokenizer would split it, the parts that the
    tokenizer would not split off, and the same for its dotted or slashed segments. `name`, a file's
    name, counts as an identifier whatever its shape.
    """
    words: dict[str, None] = {}
    for identifier in identifiers_in(text):
        words.update(dict.fromkeys(_column_words(identifier)))
    if name:
        words.update(
            dict.fromkeys((*_column_words(name), compact_form(name), *split_identifier(name)))
        )
    return " ".join(words)


def segments(identifier: str) -> tuple[str, ...]:
    """The names within one identifier: itself, its file name, and the parts between its joints."""
    return identifier, file_name(identifier), *_JOINTS.split(identifier)


def one_edit_variants(word: str) -> Iterator[str]:
    """The compact_form word itself, and every word one edit away.

    An edit is one character inserted, deleted or replaced, or two neighbours swapped (restricted
    Damerau-Levenshtein distance 1).
    """
    keys = "".join(dict.fromkeys(_KEYS + word))
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield word
    for before, after in halves:
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for key in keys:
            yield before + key + after[1:]
            yield before + key + after


@lru_cache(_CACHED)
def _column_words(identifier: str) -> tuple[str, ...]:
    words: list[str] = []
    for piece in segments(identifier):
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
