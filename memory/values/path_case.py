"""The one spelling of a path whose file has several names.

Some systems take upper and lower case, or an accented letter in one code point or two, for the
same; the index uses the name that the folder lists. People type an accent as their keyboard has it,
so a name that does not exist as typed is looked for with its accents written differently, on any
system.
"""

import contextlib
import os
import unicodedata
from collections.abc import Callable, Sequence


def folded(path: str) -> str:
    """Return a path with case and the encoding of accents folded, for comparison."""
    return unicodedata.normalize("NFC", path).casefold()


def spelled(path: str, names_in: Callable[[str], Sequence[str]] = os.listdir) -> str:
    """Return an absolute path spelled as its folders list it, as far as they have such names."""
    drive, rest = os.path.splitdrive(path)
    place = drive + os.sep
    parts = [part for part in rest.split("/") if part]
    for number, part in enumerate(parts):
        found = _listed(place, part, names_in)
        if found is None:
            return os.path.join(place, *parts[number:])  # noqa: PTH118  # paths are text here
        place = os.path.join(place, found)  # noqa: PTH118
    return place


def has_other_spellings(path: str) -> bool:
    """Return whether an absolute path leads to the same file under another spelling of its name."""
    folder, name = os.path.split(path)
    status = _status(folder, name)
    return status is not None and _has_another(folder, name, status)


def is_old_spelling(
    old: str, new: str, names_in: Callable[[str], Sequence[str]] = os.listdir
) -> bool:
    """Return whether an absolute path still leads to a file that is listed by a new spelling
    only.
    """
    return folded(old) == folded(new) and old != new and spelled(old, names_in) == new


def _listed(folder: str, name: str, names_in: Callable[[str], Sequence[str]]) -> str | None:
    """Return the name of an entry as its folder lists it; None when there is no such entry."""
    status = _status(folder, name)
    if status is None and name.isascii():
        return None
    if status is not None and not _has_another(folder, name, status):
        return name
    try:
        names = names_in(folder)
    except OSError:
        return None if status is None else name
    if name in names:
        return name
    alike = [other for other in sorted(names) if folded(other) == folded(name)]
    if status is None:
        wanted = unicodedata.normalize("NFC", name)
        return next((o for o in alike if unicodedata.normalize("NFC", o) == wanted), None)
    return next((other for other in alike if _is_at(folder, other, status)), name)


def _has_another(folder: str, name: str, status: os.stat_result) -> bool:
    """Return whether an entry is also found by another spelling of its name."""
    others = {name.swapcase()}
    if not name.isascii():
        others |= {unicodedata.normalize(form, name) for form in ("NFC", "NFD")}
    return any(_is_at(folder, other, status) for other in others - {name})


def _is_at(folder: str, name: str, status: os.stat_result) -> bool:
    found = _status(folder, name)
    return found is not None and os.path.samestat(found, status)


def _status(folder: str, name: str) -> os.stat_result | None:
    with contextlib.suppress(OSError, ValueError):
        return os.lstat(os.path.join(folder, name))  # noqa: PTH118
    return None
