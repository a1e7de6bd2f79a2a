"""The truth about where a name occurs: a plain scan that shares nothing with the search.

It knows no tokens, parts or spellings, so that it cannot make the same mistakes.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from benchmarks.identifiers.documents import Document

JOINTS = {
    "version": ".+-",
    "release candidate": ".+-",
    "UUID": "-",
    "ticket": "-",
    "e-mail address": ".+-",
    "IP address": ".",
    "MAC address": ":",
    "dotted name": ".",
    "key.of.settings": ".",
    "key-of-settings": "-",
    "flag": "-",
    "CSS class": "-",
    "package and version": ".+-",
    "issue of a repository": "-",
    "path": "./-",
    "Windows path": ".\\",
    "C++ name": ":",
}
"""Characters that continue a name of the kind if a letter or digit comes after, or before."""


@lru_cache(maxsize=10_000)
def _whole(kind: str, name: str) -> re.Pattern[str]:
    joints = JOINTS.get(kind)
    if joints is None:
        return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    joint = f"[{re.escape(joints)}]"
    return re.compile(rf"(?<!\w)(?<!\w{joint}){re.escape(name)}(?!\w|{joint}+\w)")


def holds(text: str, kind: str, name: str) -> bool:
    """Return whether the name occurs in the text, and not as a part of a longer one."""
    return name in text and _whole(kind, name).search(text) is not None


def documents_with(documents: Iterable[Document], kind: str, name: str) -> list[str]:
    """The paths of the documents that hold the name, in their text or as their own path."""
    return [
        item.path
        for item in documents
        if holds(item.text, kind, name) or holds(item.path, kind, name)
    ]
