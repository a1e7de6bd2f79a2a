"""The properties of a note, and the error for those that cannot be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.named_tuple import NamedTuple


class FrontMatterError(Exception):
    """Front matter that stays text; the message never quotes it, and never leaves the loaders."""


class Link(NamedTuple):
    """A link of a note: its target as written, its words, and its line, which counts from 1.

    `name` is what a note is looked up by (`notes.names.link_name`). `is_path` is true for a
    Markdown link, whose target is a path; other links name a note.
    """

    name: str
    target: str
    words: str
    line: int
    is_path: bool


@dataclass(frozen=True, slots=True)
class NoteProperties:
    """Properties that a note states of itself.

    `metadata` are values that JSON can hold: its front matter, with `title` a text, `aliases` a
    list of texts, and dates in ISO 8601; without tags, which are in `tags`. `warnings` say why
    front matter, or a value of it, is read as text only.
    """

    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The title and the aliases, each once."""
        aliases = self.metadata.get("aliases")
        names = [self.metadata.get("title"), *(aliases if isinstance(aliases, list) else ())]
        return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))
