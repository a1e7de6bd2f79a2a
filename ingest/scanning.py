"""Finds the files below some folders, without opening any that the rules leave out.

A scan of thousands of unchanged files happens before every sync, so it is made of what the folder
listing already knows: one `stat` for each wanted file, real paths only for symbolic links, ignore
files only where there are some. A scan of some paths alone goes down to them from the root, through
the same rules, and looks at nothing else.

Symbolic links are never walked through. What a link inside the roots points to is found where it
really lies, once, under the rules that hold there; so what an ignore file hides stays hidden,
whichever link leads to it, and no loop can arise. What lies outside the roots is reported.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from contracts import NotFoundError
from ingest.scan_targets import is_within
from ingest.values import EnteredFolder, FileEntry, IgnoredEntry, SkippedFile, Verdict
from ingest.walking import NO_TARGET, Folder, ScanRules, Walk

Roots: TypeAlias = Sequence[str | os.PathLike[str]]


def scan(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[FileEntry | SkippedFile]:
    """Every wanted file below `roots`, each real file once, and what had to be left out.

    Names come in order: the files of a folder, then its sub-folders. A root that is a file is taken
    whatever patterns and ignore files say. Ignore files above a root do not hold: to name a folder
    is to ask for it. Folders are listed one at a time, while the result is consumed.

    `only` are absolute paths of files and folders, spelled as a scan spells them, that need not
    exist: what a scan of everything finds at or below them is found, and nothing else. A folder
    above one of them that cannot be looked into is listed, for nobody knows what it holds.

    Raises NotFoundError at once when a root does not exist.
    """
    walk = Walk(_real_paths(roots), rules or ScanRules(), only)
    return (found for found in walk.run() if isinstance(found, FileEntry | SkippedFile))


def folders(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[str]:
    """Every folder that a scan looks into, each before those in it: what there is to watch.

    With `only`, those at or below these paths. A root that is a file lies in none of them.
    """
    walk = Walk(_real_paths(roots), rules or ScanRules(), only, folders_only=True)
    return (found.path for found in walk.run() if isinstance(found, Folder) and found.part is None)


def ignored(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[IgnoredEntry]:
    """What a scan leaves out without a word, and by which rule; what lies in it is not listed."""
    walk = Walk(_real_paths(roots), rules or ScanRules(), only, tell=True)
    return (found for found in walk.run() if isinstance(found, IgnoredEntry))


def why(path: str, roots: Roots, rules: ScanRules | None = None) -> Verdict:
    """What becomes of a file or folder in a scan, and what decides about it.

    `path` is absolute, lies in a root and need not exist; no folder that it lies in may be a
    symbolic link. Of these folders the first that is left out decides. None: there is nothing.
    Raises NotFoundError when a root does not exist.
    """
    real = _real_paths(roots)
    holding = [root for root in real if is_within(path, {root})]
    if not holding:
        return None
    walk = Walk(real, rules or ScanRules(), [path], tell=True)
    for found in walk.run_in(max(holding, key=len)):
        if not isinstance(found, Folder):
            return found
        if found.path == path:
            return EnteredFolder(path)
    return None


def _real_paths(roots: Roots) -> list[str]:
    found: dict[str, None] = {}
    for root in roots:
        try:
            found[os.path.realpath(root, strict=True)] = None
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno not in NO_TARGET:
                found[os.path.realpath(root)] = None  # reported by the scan, as other folders are
                continue
            raise NotFoundError(
                f"{os.fspath(root)!r} does not exist",
                hint="check its spelling; a relative path starts at the working directory",
            ) from error
    return list(found)
