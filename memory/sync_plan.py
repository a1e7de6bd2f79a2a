"""Compares what a scan found with what is indexed, and says which files need work."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ingest import (
    FileEntry,
    LoadLimits,
    ScanRules,
    SkippedFile,
    is_within,
    loader_id,
    missing_extra,
    printable,
    reads_alike,
    scan,
    with_parents,
)
from memory.documents import Document, new_document_id, storable_ns


class Reading(NamedTuple):
    """How files are read and cut now."""

    generation: str
    limits: LoadLimits

    def holds(self, document: Document) -> bool:
        """Whether what was read from a file, or why it was not, is what reading it again would
        give: by the same loader, or by none as long as its library is missing.
        """
        path = document.path
        return (
            document.loader == loader_id(path)
            or document.loader == self._limited(path)
            or missing_extra(path) is not None
        )

    def refused_by(self, refused: SkippedFile) -> str:
        """What to store as the loader of a file that is skipped."""
        if refused.reason == "missing-extra":
            return ""
        over = refused.reason == "over-limit"
        return self._limited(refused.path) if over else loader_id(refused.path)

    def _limited(self, path: str) -> str:
        """The loader together with the limits, since others may let the file through."""
        return f"{loader_id(path)} {' '.join(map(str, self.limits))}"


@dataclass
class SyncPlan:
    """What a sync has to do.

    `work` pairs each file that may have changed with what is known of it, or with a new pending
    document; `refused` does so for each file that the scan left out. `still_skipped` are known to
    hold nothing to index and have not changed. `missing` are known files that are gone, by path.
    """

    unchanged: int = 0
    work: list[tuple[FileEntry, Document]] = field(default_factory=list)
    refused: list[tuple[SkippedFile, Document]] = field(default_factory=list)
    still_skipped: list[Document] = field(default_factory=list)
    missing: dict[str, Document] = field(default_factory=dict)

    def take_missing(self, fresh: Document, generation: str) -> Document | None:
        """Take a file with the same bytes out of the missing ones: it was renamed."""
        for document in self._by_content.get(fresh.hash, ()):
            if (
                document.path in self.missing
                and document.generation == generation
                and document.loader == fresh.loader
                and reads_alike(document.path, fresh.path)
            ):
                return self.missing.pop(document.path)
        return None

    @cached_property
    def _by_content(self) -> dict[str, list[Document]]:
        grouped: dict[str, list[Document]] = {}
        for document in self.missing.values():
            if document.hash:
                grouped.setdefault(document.hash, []).append(document)
        return grouped


def real_paths(roots: Iterable[str | Path]) -> list[Path]:
    """Each root once, by real path and in order.

    One inside another stays: what is named is wanted, whatever ignore files above it say.
    """
    return sorted({Path(os.path.realpath(root)) for root in roots})


def plan_sync(
    roots: Sequence[Path],
    rules: ScanRules,
    known: Mapping[str, Document],
    *,
    reading: Reading,
    force: bool,
    only: Sequence[str] | None = None,
) -> SyncPlan:
    """Scan the roots and sort every file by what has to be done with it.

    With `only`, what lies at or below these absolute paths. `known` has what is known of there, and
    may have what is known of the folders above, which stays as it is unless the scan speaks of it.
    """
    plan = SyncPlan(missing=dict(known))
    for path in known.keys() & folders_above(only or ()):
        del plan.missing[path]
    for found in _scanned(roots, rules, only):
        document = plan.missing.pop(found.path, None) or known.get(found.path)
        if isinstance(found, SkippedFile):
            plan.refused.append((found, document or new_document(found.path)))
        elif document is None or force or not _is_same(document, found, reading):
            plan.work.append((found, document or new_document(found.path)))
        elif document.state == "skipped":
            plan.still_skipped.append(document)
        else:
            plan.unchanged += 1
    closed = tuple(
        f"{found.path.rstrip('/')}/" for found, _ in plan.refused if found.reason == "unreadable"
    )
    if closed:  # nobody knows what is in a folder that cannot be read; it stays indexed
        plan.missing = {
            path: document for path, document in plan.missing.items() if not path.startswith(closed)
        }
    return plan


def folders_above(only: Sequence[str]) -> set[str]:
    """The folders that these paths lie in, printable, without those below another of the paths."""
    places = frozenset(map(printable, only))
    above = {folder for place in places for folder in with_parents(place)}
    return {folder for folder in above if not is_within(folder, places)}


def _scanned(
    roots: Sequence[Path], rules: ScanRules, only: Sequence[str] | None
) -> Iterator[FileEntry | SkippedFile]:
    for found in scan(roots, rules, only=only):
        if isinstance(found, FileEntry) and found.mtime_ns != storable_ns(found.mtime_ns):
            yield replace(found, mtime_ns=storable_ns(found.mtime_ns))
        else:
            yield found


def new_document(path: str) -> Document:
    """What is known of a file that nothing is known of."""
    return Document(new_document_id(), "file", path, "", 0, 0, "pending")


def _is_same(document: Document, entry: FileEntry, reading: Reading) -> bool:
    """Whether size and time say that nothing changed since the file was indexed or skipped, and it
    would be read as it was.
    """
    return (
        document.mtime_ns == entry.mtime_ns
        and document.size == entry.size_bytes
        and (
            document.state == "skipped"
            or (document.state == "indexed" and document.generation == reading.generation)
        )
        and reading.holds(document)
    )
