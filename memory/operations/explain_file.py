"""Explanation why a file is indexed or not: a sync's decision on a path, and the index's state."""

import os
from collections.abc import Iterator
from pathlib import Path

from contracts import NotFoundError, install_hint
from ingest import (
    EnteredFolder,
    FileEntry,
    IgnoredEntry,
    SkippedFile,
    Verdict,
    ignored,
    missing_extra,
    printable,
    why,
)
from memory.files.ingestion import sync_settings
from memory.files.mounts import LOST
from memory.files.roots import as_listed, known_roots, real_path
from memory.index.document_store import documents_of
from memory.index.documents import Document, storable_ns
from memory.operations.manage import get_record
from memory.values.reports import WhyFile
from memory.values.scope_parsing import checked_path
from memory.workspace import Workspace


def ignored_entries(workspace: Workspace, path: str | Path | None = None) -> Iterator[IgnoredEntry]:
    """Return the entries that a sync's rules leave out, in every known folder or below one path.

    Entries in an ignored folder are not listed. Raises NotFoundError when no folder can be read,
    InputError for an invalid path.
    """
    only = None if path is None else [_place(path)]
    roots = _existing_roots(workspace)
    if not roots:
        raise NotFoundError("there is no folder to read", hint="name one: mem sync PATH")
    return ignored(roots, sync_settings(workspace).rules, only=only)


def why_file(workspace: Workspace, path: str | Path) -> WhyFile:
    """Return a sync's decision on a file or folder, its reason, and what is indexed of it.

    Raises InputError for an invalid path.
    """
    place, roots = _place(path), _existing_roots(workspace)
    holding = [str(root) for root in roots if Path(place).is_relative_to(root)]
    if not holding:
        place = str(real_path(path))
        holding = [str(root) for root in roots if Path(place).is_relative_to(root)]
    lost = not holding and any(map(Path(place).is_relative_to, known_roots(workspace)))
    at = printable(place)
    found = why(place, roots, sync_settings(workspace).rules)
    known = documents_of(workspace).at_path(at)
    rule = found if isinstance(found, IgnoredEntry) else None
    return WhyFile(
        path=at,
        verdict=_verdict(found) if holding else "missing" if lost else "outside",
        reason=_reason(found, known) if holding else LOST if lost else _OUTSIDE,
        decided_at=None if found is None else found.path,
        rule=None if rule is None else rule.rule,
        rule_text=None if rule is None else rule.text,
        rule_file=None if rule is None else rule.file,
        rule_line=None if rule is None else rule.line,
        root=max(holding, key=len, default=None),
        record=None if known is None else get_record(workspace, known.id),
        records_below=len(documents_of(workspace).below([at]).keys() - {at}),
    )


def _place(path: str | Path) -> str:
    """Return the path of an entry itself: links on the way to it are followed, its own is not."""
    real_path(path)  # raises for an invalid path
    whole = as_listed(Path(os.path.abspath(checked_path(path))))  # noqa: PTH100  # keeps no ".."
    folder, name = os.path.split(whole)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118  # paths are text here


def _existing_roots(workspace: Workspace) -> list[Path]:
    return [root for root in known_roots(workspace) if root.exists()]


def _verdict(found: Verdict) -> str:
    match found:
        case FileEntry() | EnteredFolder():
            return "wanted"
        case SkippedFile():
            return "skipped"
        case IgnoredEntry():
            return "ignored"
        case None:
            return "missing"


def _reason(found: Verdict, known: Document | None) -> str:
    match found:
        case EnteredFolder():
            return "a sync reads this folder"
        case FileEntry():
            return _of_wanted(found, known)
        case SkippedFile():
            return f"{found.reason}: {found.detail}"
        case IgnoredEntry():
            return _OF_RULES[found.rule].format(
                text=found.text, place=f"{found.file}:{found.line}" if found.file else ""
            )
        case None:
            gone = "; what is indexed of it leaves the index with the next sync"
            return "there is no such file" + (gone if known else "")


def _of_wanted(entry: FileEntry, known: Document | None) -> str:
    extra = missing_extra(entry.path)
    if extra is not None:
        return f"its format needs {install_hint(extra)}"
    if known is None or known.state == "pending":
        return "a sync takes it, and the next one will"
    if (known.size, known.mtime_ns) != (entry.size_bytes, storable_ns(entry.mtime_ns)):
        return "a sync takes it; it has changed since the last one"
    if known.state == "indexed":
        return "a sync takes it, and it is indexed"
    return known.reason or known.state


_OUTSIDE = "it lies in no known folder"
_OF_RULES = {
    "always": "{text} belongs to version control, and no rule brings it back",
    "dangling": "a symbolic link to {text}, which does not exist or leads back to it",
    "default": "a built-in rule leaves out {text}; a .memignore with !{text} brings it back",
    "gitignore": "{place} says {text}",
    "memignore": "{place} says {text}",
    "link": "a symbolic link; its target is found at {text}",
    "mark": "its {text} marks a cache or a virtual environment; a .memignore above brings it back",
    "pattern": "its name matches none of memory.files.file_patterns",
    "special": "it is not a regular file",
}
"""The message of each rule about an entry."""
