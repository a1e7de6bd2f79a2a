"""Find the files below some folders, without opening any that the rules leave out.

A scan of thousands of unchanged files happens before every sync, so it relies on the folder
listing: one `stat` for each wanted file, real paths only for symbolic links, ignore files only
where there are some. A scan of some paths alone goes down to them from the root, through the same
rules, and visits nothing else.

Symbolic links are never followed into folders. The target of a link inside the roots is found at
its real place, once, under the rules there; so an ignored file stays ignored, whichever link leads
to it, and no loop can arise. A target outside the roots is reported.
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
    """Every wanted file below `roots`, each real file once, and the omitted ones.

    Names come in order: the files of a folder, then its sub-folders. A root that is a file is taken
    whatever patterns and ignore files say. Ignore files above a root do not apply: naming a folder
    requests it. Folders are listed one at a time, while the result is consumed.

    `only` are absolute paths of files and folders, spelled as a scan spells them, that need not
    exist: the scan finds exactly what a full scan finds at or below them. A folder above one of
    them that cannot be listed is reported, since its content is unknown.

    Raises NotFoundError at once when a root does not exist.
    """
    walk = Walk(_real_paths(roots), rules or ScanRules(), only)
    return (found for found in walk.run() if isinstance(found, FileEntry | SkippedFile))


def folders(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[str]:
    """Every folder that a scan enters, each before those in it: the folders to watch.

    With `only`, those at or below these paths. A root that is a file is in none of them.
    """
    walk = Walk(_real_paths(roots), rules or ScanRules(), only, folders_only=True)
    return (found.path for found in walk.run() if isinstance(found, Folder) and found.part is None)


def ignored(
    roots: Roots, rules: ScanRules | None = None, *, only: Iterable[str] | None = None
) -> Iterator[IgnoredEntry]:
    """Entries that a scan silently leaves out, with the rule; their content is not listed."""
    walk = Walk(_real_paths(roots), rules or ScanRules(), only, tell=True)
    return (found for found in walk.run() if isinstance(found, IgnoredEntry))


def why(path: str, roots: Roots, rules: ScanRules | None = None) -> Verdict:
    """The treatment of a file or folder in a scan, and the rule that decides.

    `path` is absolute, is inside a root and need not exist; no folder above it may be a symbolic
    link. The first of these folders that is left out decides. None: it does not exist. Raises
    NotFoundError when a root does not exist.
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
                found[os.path.realpath(root)] = None  # reported by the scan, like other folders
                continue
            raise NotFoundError(
                f"{os.fspath(root)!r} does not exist",
                hint="check its spelling; a relative path starts at the working directory",
            ) from error
    return list(found)
