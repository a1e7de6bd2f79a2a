"""The comparison of a scan with the index, which decides which files need work."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from contracts.named_tuple import NamedTuple
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
from memory.index.document_store import DocumentStore
from memory.index.documents import Document, new_document_id, storable_ns
from memory.values.path_case import folded, has_other_spellings, is_old_spelling, spelled

FOUND_AT_ONCE = 500
"""Files of a scan that are compared with the index together."""


class LoadSettings(NamedTuple):
    """The present settings for reading and chunking files."""

    generation: str
    limits: LoadLimits

    def holds(self, document: Document) -> bool:
        """Return whether reading a file again would give the same text or the same refusal: by
        the same loader, or by none as long as its library is missing.
        """
        path = document.path
        return (
            document.loader == loader_id(path)
            or document.loader == self._limited(path)
            or missing_extra(path) is not None
        )

    def refused_by(self, refused: SkippedFile) -> str:
        """Return the loader id to store for a file that is skipped."""
        if refused.reason == "missing-extra":
            return ""
        over = refused.reason == "over-limit"
        return self._limited(refused.path) if over else loader_id(refused.path)

    def _limited(self, path: str) -> str:
        """Return the loader together with the limits, since other limits may let the file
        through.
        """
        return f"{loader_id(path)} {' '.join(map(str, self.limits))}"


class ScanScope(NamedTuple):
    """The extent of a scan: of the `roots` only what is at or below some paths, or all (None)."""

    roots: Sequence[Path]
    only: Sequence[str] | None = None

    @property
    def places(self) -> list[str]:
        """The outermost of the paths in the roots, printable, as the database has them."""
        places = roots = frozenset(printable(str(root)) for root in self.roots)
        if self.only is not None:
            paths = map(printable, self.only)
            places = frozenset(path for path in paths if is_within(path, roots))
        return sorted(
            place
            for place in places
            if not any(above in places for above in with_parents(place) if above != place)
        )


@dataclass(frozen=True, slots=True)
class ComparedBatch:
    """The comparison of a part of a scan.

    `work` pairs each file that may have changed with its known document, or with a new pending one;
    `refused` does so for each file that the scan left out. `still_skipped` are known to hold
    nothing to index and have not changed.
    """

    unchanged: int
    work: list[tuple[FileEntry, Document]]
    refused: list[tuple[SkippedFile, Document]]
    still_skipped: list[Document]


class ScanComparison:
    """A scan compared with the index, in parts, so that it is never whole in memory."""

    def __init__(
        self,
        documents: DocumentStore,
        rules: ScanRules,
        settings: LoadSettings,
        scope: ScanScope,
        *,
        doubtful: Iterable[str] = (),
    ) -> None:
        """A file in a `doubtful` place is never the old path of a moved file."""
        self.files_found = 0
        self.is_complete = False
        self._documents = documents
        self._rules = rules
        self._load_settings = settings
        self._scope = scope
        self._places = frozenset(scope.places)
        self._doubtful = frozenset(doubtful)
        self._unmatched = 0
        """Known files that the scan has not found so far."""
        self._seen: set[int] = set()
        self._kept: set[str] = set()
        self._moved: set[str] = set()
        self._old_names: dict[str, str] = {}
        self._beside: tuple[str, dict[str, str]] = ("", {})

    def parts(self, *, force: bool) -> Iterator[ComparedBatch]:
        """Yield the scan, FOUND_AT_ONCE files and folders at a time."""
        self._unmatched = self._documents.count_below(self._places)
        found = _scanned(self._scope, self._rules)
        while not self.is_complete:
            part = list(islice(found, FOUND_AT_ONCE))
            self.files_found += len(part)
            self.is_complete = len(part) < FOUND_AT_ONCE
            yield self._compared(part, force=force)

    def _compared(self, part: Sequence[FileEntry | SkippedFile], *, force: bool) -> ComparedBatch:
        documents = self._rows(part)
        self._unmatched -= sum(bool(document.created_at) for document in documents)
        unchanged = 0
        work: list[tuple[FileEntry, Document]] = []
        refused: list[tuple[SkippedFile, Document]] = []
        still_skipped: list[Document] = []
        for found, document in zip(part, documents, strict=True):
            if isinstance(found, SkippedFile):
                if found.reason == "unreadable":  # the contents of such a folder are unknown
                    self.keep(found.path)
                refused.append((found, document))
            elif force or not _is_same(document, found, self._load_settings):
                work.append((found, document))
            elif document.state == "skipped":
                still_skipped.append(document)
            else:
                unchanged += 1
        return ComparedBatch(unchanged, work, refused, still_skipped)

    def _rows(self, part: Sequence[FileEntry | SkippedFile]) -> list[Document]:
        """Return the known document of each, or a new pending one."""
        known = self._documents.at_paths(found.path for found in part)
        rows = [known.get(found.path) or self._respelled(found.path) for found in part]
        self._seen.update(hash(document.id) for document in rows)
        return rows

    def _respelled(self, path: str) -> Document:
        """Return a new document, or the known one of the same file under an older spelling of
        its name.
        """
        old = self._old_names.get(path)
        if old is None and self._unmatched > 0 and has_other_spellings(path):
            old = self._known_beside(path).get(folded(path))
            if old is None or not is_old_spelling(old, path):
                return _new_document(path)
            self._old_names[path] = old
        known = None if old is None else self._documents.at_path(old)
        return _new_document(path) if known is None else replace(known, path=path)

    def _known_beside(self, path: str) -> dict[str, str]:
        """Return the known files of a file's folder, by their names in any spelling."""
        folder = os.path.dirname(path)  # noqa: PTH120  # paths are text here
        if self._beside[0] != folder:
            self._beside = (folder, {folded(p): p for p in self._documents.below([folder])})
        return self._beside[1]

    def with_rows(self, entries: Sequence[FileEntry]) -> Iterator[tuple[FileEntry, Document]]:
        """Yield files found before, each with its present document, or a new pending one."""
        return zip(entries, self._rows(entries), strict=True)

    def moved_from(self, fresh: Document) -> Document | None:
        """Return a known file with the same bytes that has disappeared: it was renamed.

        Each file is returned only once.
        """
        if not self._unmatched and self._scope.only is None:
            return None
        for document in self._documents.with_content(fresh.hash):
            if (
                document.id not in self._moved
                and document.generation == self._load_settings.generation
                and document.loader == fresh.loader
                and reads_alike(document.path, fresh.path)
                and self._is_missed(document)
                and not is_within(document.path, self._doubtful)
                and (is_gone(document.path) or is_old_spelling(document.path, fresh.path))
            ):
                self._moved.add(document.id)
                return document
        return None

    def missing(self) -> Iterator[Document]:
        """Yield known files that the complete scan has not found and that did not move.

        They may be removed during the iteration.
        """
        if not self._unmatched and self._scope.only is None:
            return
        for document in self._documents.all_below(self._scope.places):
            if document.id not in self._moved and self._is_missed(document):
                yield document

    def tally(self, place: str, *, until: str) -> tuple[int, int]:
        """Count the files with a text at or below a place that are missed, and those that are not
        and were known at a time, ISO 8601 UTC.
        """
        missed = there = 0
        for document in self._documents.all_below([place]):
            if not document.hash:
                continue
            if self._is_missed(document):
                missed += 1
            elif document.created_at <= until:
                there += 1
        return missed, there

    def keep(self, place: str) -> None:
        """Treat no file at or below a place as gone."""
        self._kept.add(place)

    def row(self, path: str) -> Document:
        """Return the known document of a path, or a new pending one."""
        return self._documents.at_path(path) or _new_document(path)

    def _is_missed(self, document: Document) -> bool:
        """Return whether a file is one that the scan covers and has not found so far."""
        return (
            hash(document.id) not in self._seen
            and is_within(document.path, self._places)
            and not (self._kept and is_within(document.path, self._kept))
        )


def real_paths(roots: Iterable[str | Path]) -> list[Path]:
    """Return each root once, by real path and in order.

    One inside another stays: a named root is wanted, whatever ignore files above it say.
    """
    return sorted({Path(spelled(os.path.realpath(root))) for root in roots})


def _scanned(scope: ScanScope, rules: ScanRules) -> Iterator[FileEntry | SkippedFile]:
    for found in scan(scope.roots, rules, only=scope.only):
        if isinstance(found, FileEntry) and found.mtime_ns != storable_ns(found.mtime_ns):
            yield replace(found, mtime_ns=storable_ns(found.mtime_ns))
        else:
            yield found


def _new_document(path: str) -> Document:
    """Return the row of an unknown file."""
    return Document(new_document_id(), "file", path, "", 0, 0, "pending")


def is_gone(path: str) -> bool:
    """Return whether there is no longer a file of this name; a link is not a file."""
    try:
        return not stat.S_ISREG(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _is_same(document: Document, entry: FileEntry, settings: LoadSettings) -> bool:
    """Return whether size and time say that nothing changed since the file was indexed or
    skipped, and reading it would give the same.
    """
    return (
        document.mtime_ns == entry.mtime_ns
        and document.size == entry.size_bytes
        and (
            document.state == "skipped"
            or (document.state == "indexed" and document.generation == settings.generation)
        )
        and settings.holds(document)
    )
