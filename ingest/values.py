"""What the stages of ingest hand to each other and to their caller.

A file is either on its way (`FileEntry`, then `LoadedText`, then pieces) or left out
(`SkippedFile`). Being left out is a value and no exception: the only reaction to it is to list the
file and go on with the next.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

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
"""Why a file is left out: it is no text; its format is damaged; it was written to during every
attempt to read it; it holds no text; it wants a password; the library that reads its format is not
installed; it is a symbolic link whose target lies outside every root; reading it takes more time or
memory, or gives more text, than the limits allow; it is larger than the limit; its bytes, or those
of its name, are no known text encoding; the system refuses to open it (or it is no regular file, or
a symbolic link without an end); it went away meanwhile."""


class LoadLimits(NamedTuple):
    """What reading one file may take; `text_bytes` are those of its text in UTF-8.

    The text is always bounded; time (of work, not of waiting for a processor) and memory are for
    whoever runs a loader in a process of its own.
    """

    text_bytes: int = 64 * 1024 * 1024
    seconds: float = 60.0
    memory_bytes: int = 1024 * 1024 * 1024


Rule: TypeAlias = Literal[
    "always", "default", "gitignore", "link", "mark", "memignore", "pattern", "special"
]
"""Why an entry is nothing to us: version control's inner life; a built-in name; a line of an ignore
file; a symbolic link (what it leads to is found where it lies); a folder marked as a cache or a
virtual environment; no file pattern takes its name; it is no regular file."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file that is to be indexed. `path` is absolute and real: no symbolic link is part of it."""

    path: str
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class SkippedFile:
    r"""A file or folder that is left out.

    `detail` is a sentence part for people; it never holds text of the file. `path` is printable:
    bytes of a name that are no UTF-8 stand as `\udcNN`.
    """

    path: str
    reason: SkipReason
    detail: str


@dataclass(frozen=True, slots=True)
class IgnoredEntry:
    """A file or folder that a scan leaves out without a complaint, and by which rule.

    `text` is the line or pattern, the name of the mark, or where the link leads. Of an ignore file,
    `file` is its path, and `line` is counted from 1. `path` is printable, as that of `SkippedFile`.
    """

    path: str
    is_folder: bool
    rule: Rule
    text: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EnteredFolder:
    """A folder that a scan looks into."""

    path: str


Verdict: TypeAlias = FileEntry | EnteredFolder | SkippedFile | IgnoredEntry | None
"""What a scan makes of a path, or of the first folder above it that it goes no further than; None:
there is nothing of that name."""
