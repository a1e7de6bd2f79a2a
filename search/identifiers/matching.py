"""Compare an identifier with a text, and tell how it occurs there."""

import re
from enum import IntEnum
from functools import lru_cache

from contracts.lazy_regex import deferred
from search.identifiers.detection import identifiers_in, is_hash
from search.identifiers.kinds import WORD
from search.identifiers.variants import (
    compact_form,
    joints_of,
    one_edit_variants,
    parts_of,
    segments,
    split_identifier,
)

_WORD_CHARACTER = deferred(f"[{WORD}]")
_WORDS = deferred(f"[{WORD}]+")
_JOINT = deferred(r"[-./\\:@~+#]")
_PLAIN_JOINTS = {"-", "_"}


class Level(IntEnum):
    """The closeness of an identifier's match in a text, from none to exact.

    SIMILAR   only a name one edit away occurs
    PART      its parts occur in a larger identifier, from one border of parts to another, as
              `user_id` in `user_id_10`; its letters with other borders between parts, as `userid`;
              or a hash begins with it
    SPELLING  the same parts joined otherwise: `user_id`, `userId`, `user-id`, `USER_ID`
    CASELESS  the same except for upper and lower case
    EXACT     as it is

    For the upper three nothing may continue it: no letter, digit or underscore, and no joint (`-`,
    `.`, ...) of a kind it has itself; a file name may follow a slash.
    """

    NONE = 0
    SIMILAR = 1
    PART = 2
    SPELLING = 3
    CASELESS = 4
    EXACT = 5


def match_level(identifier: str, text: str) -> Level:
    """The level of `identifier` in `text`. It does not look for SIMILAR: see `similar_name`."""
    if not identifier:
        return Level.NONE
    if occurs(identifier, text):
        return Level.EXACT
    if is_hash(identifier):
        lowered = text.lower()
        if occurs(identifier.lower(), lowered):
            return Level.CASELESS
        begins = re.search(rf"(?<![0-9a-z_]){identifier.lower()}[0-9a-f]", lowered)
        return Level.PART if begins else Level.NONE
    return _best_spelling(identifier, text)


def occurs(identifier: str, text: str) -> bool:
    """Return whether it occurs with identifier borders on both sides, in the same case."""
    start = text.find(identifier)
    while start >= 0:
        if _is_whole(text, start, start + len(identifier)):
            return True
        start = text.find(identifier, start + 1)
    return False


def begins_a_name(identifier: str, text: str) -> bool:
    """Return whether a longer name in `text` begins with it, in any case."""
    return re.search(rf"(?<!\w){re.escape(identifier)}\w", text, re.IGNORECASE) is not None


def similar_name(identifier: str, text: str) -> str:
    """A name in `text` equal to `identifier` or one edit away; empty if there is none.

    Names in every spelling count, those with the same joints first.
    """
    slips = _slips(compact_form(identifier))
    found = [
        name
        for other in identifiers_in(text)
        for name in segments(other)
        if compact_form(name) in slips
    ]
    found += [word for word in _WORDS.findall(text) if word.lower() in slips]
    if not identifier.isdigit():
        found = [name for name in found if not name.isdigit()]
    return min(found, key=lambda name: joints_of(name) != joints_of(identifier), default="")


@lru_cache(maxsize=16)
def _slips(word: str) -> frozenset[str]:
    return frozenset(one_edit_variants(word))


def _best_spelling(identifier: str, text: str) -> Level:
    pattern, parts = _spelling(identifier), split_identifier(identifier)
    best = Level.NONE
    found = pattern.search(text) if pattern else None
    while found and best < Level.CASELESS:
        start, end = found.span("parts")
        if split_identifier(found["parts"]) == parts and _is_whole(text, start, end):
            is_same = found[0].lower() == identifier.lower()
            best = max(best, Level.CASELESS if is_same else Level.SPELLING)
        elif best < Level.PART and _parts_here(text, start) and _parts_here(text, end):
            best = Level.PART
        found = found.re.search(text, start + 1)
    return best


@lru_cache(maxsize=64)
def _spelling(identifier: str) -> re.Pattern[str] | None:
    """Its parts in any case, joined by its own joints, by underscores, or not at all.

    Names without other joints may also be joined by hyphens. Characters before its first part and
    after its last may be missing.
    """
    parts = parts_of(identifier)
    if not parts:
        return None
    joints = {"_", *_JOINT.findall(identifier)}
    if joints <= _PLAIN_JOINTS:
        joints = _PLAIN_JOINTS
    between = f"[{re.escape(''.join(sorted(joints)))}]{{0,2}}"
    begin, end = identifier.index(parts[0]), identifier.rindex(parts[-1]) + len(parts[-1])
    before, after = re.escape(identifier[:begin]), re.escape(identifier[end:])
    inner = between.join(map(re.escape, parts))
    return re.compile(f"(?:{before})?(?P<parts>{inner})(?:{after})?", re.IGNORECASE)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether nothing continues the matched name."""
    name = text[start:end]
    return not _continues_left(name, text, start) and not _continues_right(name, text, end)


def _continues_left(name: str, text: str, start: int) -> bool:
    if not start or not _is_word(name[0]):
        return False
    before = text[start - 1]
    if _is_word(before):
        return True
    joint = before in ".-+@" and before in name
    return joint and start > 1 and _is_word(text[start - 2])


def _continues_right(name: str, text: str, end: int) -> bool:
    if end >= len(text):
        return False
    after = text[end]
    if _is_word(after):
        return _is_word(name[-1])
    joint = after in ".-+@/\\" and after in name
    return joint and end + 1 < len(text) and _is_word(text[end + 1])


def _is_word(character: str) -> bool:
    return _WORD_CHARACTER.match(character) is not None


def _parts_here(text: str, at: int) -> bool:
    """Return whether a part may begin or end between the characters `at - 1` and `at`."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    if before.isdigit() != after.isdigit():
        return True
    return after.isupper() and (before.islower() or text[at + 1 : at + 2].islower())
