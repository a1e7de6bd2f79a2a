"""The names of what is to be forgotten: its words, the slots and the kinds that it names."""

import re

from ingest.privacy_requests import words

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def words_of(text: str) -> frozenset[str]:
    """Return the telling words of a text, whole and in small letters, without a plural's "s"."""
    found = (word.removesuffix("'s") for word in _WORD.findall(text.casefold().replace("’", "'")))
    return frozenset(word.removesuffix("s") for word in found if word not in words.EMPTY)


def things_named(topic: str) -> tuple[str, ...]:
    """Return the slots that a topic names, without their subjects: "home", "job/role"."""
    return tuple(slot for slot, names in words.THINGS.items() if topic.casefold() in names)


def kinds_named(topic: str) -> tuple[str, ...]:
    """Return the kinds of memories that a topic names, as their tags: "health"."""
    return tuple(kind for kind, names in words.KINDS.items() if topic.casefold() in names)
