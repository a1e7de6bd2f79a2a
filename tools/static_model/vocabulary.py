"""Select the teacher's vocabulary entries for the built-in model: those a text can reach."""

import unicodedata

CONTINUATION = "##"
UNKNOWN = "[UNK]"
# Scripts of which the teacher knows single letters only: a word of them would be placed by its
# spelling, so it is better left unknown.
_SPELLED_SCRIPTS = frozenset(
    {"BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "LAO", "MALAYALAM"}
    | {"MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAI", "TIBETAN"}
)


def reachable(entries: list[str]) -> list[int]:
    """The ids of the entries to keep, rising, but those of ASCII before all others.

    Left out are the special entries but `[UNK]`, the unused ones, what BERT's splitting at
    punctuation and ideographs never produces (continuations that begin with either, `...`), and
    the spelled scripts.
    """
    kept = [index for index, entry in enumerate(entries) if _is_reachable(entry)]
    return sorted(kept, key=lambda index: not entries[index].isascii())


def _is_reachable(entry: str) -> bool:
    if entry.startswith("[") and len(entry) > 1:
        return entry == UNKNOWN
    word = entry.removeprefix(CONTINUATION) or entry
    if any(_script(char) in _SPELLED_SCRIPTS for char in word):
        return False
    stands_alone = any(_splits(char) for char in word)
    return not stands_alone or len(entry) == 1


def _script(char: str) -> str:
    return unicodedata.name(char, "?").split()[0]


def _splits(char: str) -> bool:
    if char.isascii():
        return not char.isalnum()
    return _script(char) == "CJK" or unicodedata.category(char).startswith("P")
