"""The values that the stages of ingest exchange with each other and their caller.

A file is either in progress (`FileEntry`, then `LoadedText`, then pieces) or left out
(`SkippedFile`). Being left out is a value, not an exception: the only reaction is to list the file
and continue with the next.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from contracts.named_tuple import NamedTuple

SkipReason: TypeAlias = Literal[
    "binary",
    "broken",
    "changing",
    "empty",
    "encrypted",
    "missing-extra",
    "outside",
    "over-limit",
    "too-large",
    "undecodable",
    "unreadable",
    "vanished",
]
"""The reason for leaving a file out: it is not text; its format is damaged; it was written to
during every attempt to read it; it holds no text; it needs a password; the library that reads its
format is not installed; it is a symbolic link whose target is outside every root; reading it takes
more time or memory, or gives more text, than the limits allow; it is larger than the limit; its
bytes, or those of its name, are in no known text encoding; the system refuses to open it (or it is
not a regular file, or a symbolic link without an end); it disappeared meanwhile.
"""


class LoadLimits(NamedTuple):
    """The limits of reading one file; `text_bytes` are those of its text in UTF-8.

    The text is always bounded; time (of work, not of waiting for a processor) and memory apply when
    a loader runs in a separate process.
    """

    text_bytes: int = 64 * 1024 * 1024
    seconds: float = 60.0
    memory_bytes: int = 1024 * 1024 * 1024


Rule: TypeAlias = Literal[
    "always", "dangling", "default", "gitignore", "link", "mark", "memignore", "pattern", "special"
]
"""The rule that ignores an entry: internal files of version control; a symbolic link that leads
nowhere, or in a circle; a built-in name; a line of an ignore file; a symbolic link (its target is
found at its own place); a folder marked as a cache or a virtual environment; no matching file
pattern; not a regular file.
"""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file to index. `path` is absolute and real: no symbolic link is part of it."""

    path: str
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SkippedFile:
    r"""A file or folder that is left out.

    `detail` is a sentence part for people; it never holds text of the file. `path` is printable:
    bytes of a name that are not UTF-8 become `\udcNN`.
    """

    path: str
    reason: SkipReason
    detail: str


@dataclass(frozen=True, slots=True)
class IgnoredEntry:
    """A file or folder that a scan silently leaves out, and the rule.

    `text` is the line or pattern, the name of the mark, or the target of the link. For an ignore
    file, `file` is its path, and `line` counts from 1. `path` is printable, as that of
    `SkippedFile`.
    """

    path: str
    is_folder: bool
    rule: Rule
    text: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EnteredFolder:
    """A folder that a scan enters."""

    path: str


Verdict: TypeAlias = FileEntry | EnteredFolder | SkippedFile | IgnoredEntry | None
"""The treatment of a path in a scan, or of the first folder above it at which the scan stops; None:
there is nothing of that name.
"""
