"""The one place where ingest opens a file.

Opening must not hang on a named pipe, must not read more than the limit, and must notice when
somebody writes at the same time.
"""

import os
import stat
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


def read_bytes(
    path: str | os.PathLike[str], *, max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES
) -> bytes | SkippedFile:
    """The whole content of a regular file, as it was at one moment.

    A file that is written to while it is read is read again, three times at most.
    """
    name = os.fspath(path)
    try:
        descriptor = os.open(name, _OPEN_FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return refuse(name, "vanished", "no longer there")
    except OSError as error:
        return refuse(name, "unreadable", describe(error))
    except ValueError:
        return refuse(name, "unreadable", "no usable file name")
    try:
        return _read_stable(descriptor, name, max_size_bytes)
    except OSError as error:
        return refuse(name, "unreadable", describe(error))
    finally:
        os.close(descriptor)


def _read_stable(descriptor: int, name: str, max_size_bytes: int) -> bytes | SkippedFile:
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        return refuse(name, "unreadable", "no regular file")
    for _ in range(_ATTEMPTS):
        if before.st_size > max_size_bytes:
            return too_large(name, before.st_size, max_size_bytes)
        data = _read_all(descriptor, max_size_bytes + 1)
        after = os.fstat(descriptor)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            if len(data) > max_size_bytes:
                return too_large(name, len(data), max_size_bytes)
            return data
        before = after
    return refuse(name, "changing", "written to while it was read")


def _read_all(descriptor: int, limit_bytes: int) -> bytes:
    """From the start to the end or the limit; files of /proc tell no size beforehand."""
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
    r"""A path as it can be printed and stored: bytes that are no UTF-8 stand as `\udcNN`."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def too_large(path: str, size_bytes: int, max_size_bytes: int) -> SkippedFile:
    """The refusal that scanning and reading share."""
    return refuse(path, "too-large", f"{size_bytes} bytes, the limit is {max_size_bytes}")


def too_much_text(path: str, limit_bytes: int) -> SkippedFile:
    """The refusal of a file that holds more text than `TEXT_LIMIT` allows."""
    return refuse(path, "over-limit", f"more text than the limit of {limit_bytes} bytes")


def describe(error: OSError) -> str:
    """The system's own words, without the path."""
    return (error.strerror or type(error).__name__).lower()
