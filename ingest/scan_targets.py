"""The part of some folders that a partial scan visits."""

import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True)
class FolderPart:
    """The part of a folder to visit: entries of these names, each as a whole or again in part."""

    names: "dict[str, Part]" = field(default_factory=dict)


Part: TypeAlias = FolderPart | None
"""A part of the tree at a path; None is all of it."""


def parts_of(roots: Sequence[str], only: Iterable[str] | None) -> dict[str, Part]:
    """The part of each root at or below one of the paths `only`; None is everywhere.

    A root without a requested part is left out.
    """
    if only is None:
        return dict.fromkeys(roots)
    paths = {os.path.normpath(path) for path in only}
    found: dict[str, Part] = {}
    for root in roots:
        if is_within(root, paths):
            found[root] = None
        elif below := [path for path in paths if is_within(path, {root})]:
            found[root] = _folder_part(len(_with_slash(root)), below)
    return found


def is_within(path: str, places: AbstractSet[str]) -> bool:
    """Return whether an absolute path is one of these places or below one."""
    return any(place in places for place in with_parents(path))


def with_parents(path: str) -> Iterator[str]:
    """An absolute path and all its parents, from the bottom."""
    above = ""
    while above != path:
        yield path
        path, above = os.path.dirname(path), path  # noqa: PTH120  # a quick one


def _folder_part(start: int, paths: Iterable[str]) -> FolderPart:
    """The part at these paths from the folder whose name and slash take up to `start`."""
    top = FolderPart()
    for path in paths:
        inner: Part = top
        *above, last = path[start:].split("/")
        for name in above:
            inner = None if inner is None else inner.names.setdefault(name, FolderPart())
        if inner is not None:
            inner.names[last] = None
    return top


def _with_slash(path: str) -> str:
    return path if path.endswith(os.sep) else path + os.sep
