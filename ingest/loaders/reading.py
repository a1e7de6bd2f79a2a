"""Open and read files; the only place where ingest does so.

Opening must not hang on a named pipe, must not read more than the limit, must not follow a link
that was not there when the folder was listed, and must notice a concurrent write.
"""

import errno
import os
import stat
import time
import unicodedata
from typing import Final

from ingest.values import SkippedFile, SkipReason

DEFAULT_MAX_SIZE_BYTES: Final = 64 * 1024 * 1024
_ATTEMPTS: Final = 3
_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)


_OPEN_FILES: Final = "/proc/self/fd"
"""The folder in which Linux shows the real path of an open file, even after a rename."""

_CLOCK_STEP_NS: Final = 20_000_000
"""Writes so close together may have the same modification time."""


def read_bytes(
    path: str | os.PathLike[str],
    *,
    max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES,
    follow_links: bool = True,
) -> bytes | SkippedFile:
    """The whole content of a regular file, as it was at one moment.

    A file that is written to while it is read is read again, three times at most. Without
    `follow_links` the path is a real one, as a scan gives it, and nothing else is read: not the
    target of a link that has replaced the file, or a folder above it, in the meantime.
    """
    name = os.fspath(path)
    try:
        for _ in range(_ATTEMPTS):
            descriptor = os.open(name, _OPEN_FLAGS if follow_links else _OPEN_FLAGS | _NO_FOLLOW)
            try:
                if follow_links or _lies_at(descriptor, name):
                    return _read_stable(descriptor, name, max_size_bytes)
            finally:
                os.close(descriptor)
            # Another file already has its name, or a link is in the way.
    except (FileNotFoundError, NotADirectoryError):
        return refuse(name, "vanished", "no longer there")
    except OSError as error:
        if error.errno == errno.ELOOP and not follow_links:
            return refuse(name, "vanished", "replaced by a symbolic link")
        return refuse(name, "unreadable", describe(error))
    except ValueError:
        return refuse(name, "unreadable", "not a usable file name")
    if not _is_real(name):
        return refuse(name, "vanished", "a folder above it was replaced by a symbolic link")
    return refuse(name, "changing", "replaced again and again while it was opened")


def _lies_at(descriptor: int, name: str) -> bool:
    """Return whether an open file is the one of this real path, reached through no link."""
    try:
        place = os.readlink(f"{_OPEN_FILES}/{descriptor}")  # noqa: PTH115  # paths are text here
    except OSError:  # no such folder here
        return _is_real(name)
    return place == name or _folded(place) == _folded(name)


def _is_real(name: str) -> bool:
    """Return whether a path leads through no link; one that changes while it is asked may do."""
    try:
        return os.path.realpath(name) == name
    except OSError:  # a link became a folder between two of its steps
        return False


def _folded(path: str) -> str:
    """A path as compared where case or accent spellings are equal: there an open file may be
    reported in the spelling of an earlier request.
    """
    return unicodedata.normalize("NFC", path).casefold()


def _read_stable(descriptor: int, name: str, max_size_bytes: int) -> bytes | SkippedFile:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        return refuse(name, "unreadable", "not a regular file")
    earlier: bytes | None = None
    for _ in range(_ATTEMPTS):
        if before.st_size > max_size_bytes:
            return too_large(name, before.st_size, max_size_bytes)
        data = _read_all(descriptor, max_size_bytes + 1)
        after = os.fstat(descriptor)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            if len(data) > max_size_bytes:
                return too_large(name, len(data), max_size_bytes)
            if data == earlier or abs(time.time_ns() - after.st_mtime_ns) > _CLOCK_STEP_NS:
                return data
            earlier = data  # a concurrent write may have left the same time
        before = after
    return refuse(name, "changing", "written to while it was read")


def _read_all(descriptor: int, limit_bytes: int) -> bytes:
    """From the start to the end or the limit; files of /proc have no size beforehand."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts: list[bytes] = []
    missing = limit_bytes
    while missing > 0 and (part := os.read(descriptor, min(missing, 1 << 20))):
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def refuse(path: str, reason: SkipReason, detail: str) -> SkippedFile:
    """A `SkippedFile` whose path can be printed and stored whatever bytes the name has."""
    return SkippedFile(printable(path), reason, detail)


def printable(path: str) -> str:
    r"""A path that can be printed and stored: bytes that are not UTF-8 become `\udcNN`."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def too_large(path: str, size_bytes: int, max_size_bytes: int) -> SkippedFile:
    """The refusal of a too large file, shared by scanning and reading."""
    return refuse(path, "too-large", f"{size_bytes} bytes, the limit is {max_size_bytes}")


def too_much_text(path: str, limit_bytes: int) -> SkippedFile:
    """The refusal of a file with more text than `TEXT_LIMIT` allows."""
    return refuse(path, "over-limit", f"more text than the limit of {limit_bytes} bytes")


def describe(error: OSError) -> str:
    """The system's message, without the path."""
    return (error.strerror or type(error).__name__).lower()
