"""Import of an export into a database, which need not be empty."""

import gzip
import io
import os
import shlex
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from contracts import InputError, NotFoundError
from memory.index.configuration_warnings import configuration_warnings
from memory.index.embedding.model_trust import is_accepted
from memory.index.embedding.refusals import remember_refusals
from memory.operations.exchange.document_importer import DocumentImporter, Incoming
from memory.operations.exchange.lines import (
    LONGEST_LINE,
    NAME_ONE,
    check_header,
    chunk_of_line,
    counts_of,
    document_of_line,
    facts_of,
    new_chunk,
    read_line,
    space_of,
)
from memory.operations.exchange.record_importer import RecordLineImporter
from memory.operations.exchange.reports import BadLine, ImportCallback, ImportReport
from memory.storage import Space
from memory.storage.meta import KEYWORDS, remember_root, write_meta
from memory.values.line_values import LineError, check_row, checked, checked_moment
from memory.values.text_checks import shortened
from memory.workspace import Workspace
from search import KEYWORD_FORM

DOCUMENTS_AT_ONCE = 100
CHUNKS_AT_ONCE = 2_000
"""The limits of one transaction, in documents and in their chunks."""

_PACKED = b"\x1f\x8b"

_LONGEST_HEADER = 1 << 20
"""The most characters of a first line; a file of another format may be a single one."""

_SHOWN = 5
"""The most folders that a warning names."""

MOST_ERRORS = 1_000
"""The most bad lines in a report."""


def import_lines(
    workspace: Workspace,
    source: str,
    *,
    strict: bool = False,
    progress: ImportCallback | None = None,
) -> ImportReport:
    """Import the output of `mem export` from a file or, for `-`, from stdin.

    A document that the database has under the same path or id is replaced if the imported one was
    changed later. Chunks and vectors are kept where they fit the database, as they do an empty one;
    else texts are chunked and embedded again. Unusable lines are listed and skipped, unless
    `strict`. Missing ones are a warning, or when `strict` an InputError at the end. Finished work
    stays: the same import again completes it.

    Raises NotFoundError for a missing file, InputError for another format and, when `strict`, for
    the first bad line, BusyError while a sync is running.
    """
    started = time.monotonic()
    with _opened(source) as lines, workspace.sync_lock():
        reader = _Reader(workspace, strict=strict, progress=progress)
        reader.read(lines)
    report = reader.report
    report.seconds = round(time.monotonic() - started, 3)
    report.warnings.extend(configuration_warnings(workspace))
    return report


@contextmanager
def _opened(source: str) -> Iterator[TextIO]:
    path = Path(source)
    if source != "-" and not path.is_file():
        fact = f"{path} is a folder" if path.is_dir() else f"there is no file {path}"
        raise NotFoundError(fact, hint="name a file of mem export, or -")
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else path.open("rb") as given:
            raw: Any = given
            is_packed = raw.peek(2)[:2] == _PACKED
            binary: Any = gzip.GzipFile(fileobj=raw, mode="rb") if is_packed else raw
            lines = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
            yield lines
            lines.detach()  # otherwise stdin would be closed with it
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        name = "stdin" if source == "-" else path
        raise InputError(
            f"{name} is damaged: {error}", hint="the part read so far is stored; export again"
        ) from error


class _Reader:
    """The reader of one import's lines."""

    def __init__(
        self, workspace: Workspace, *, strict: bool, progress: ImportCallback | None
    ) -> None:
        self.report = ImportReport()
        self._workspace = workspace
        self._storage = workspace.storage
        self._strict = strict
        self._progress = progress
        self._space: Space | None = None
        self._expected = Counter[str]()
        self._seen = Counter[str]()
        self._unreadable = 0
        self._incoming: Incoming | None = None
        self._roots_here: list[str] = []
        self._ready: list[Incoming] = []
        self._refusals: dict[bytes, tuple[str, str]] = {}
        self._records = RecordLineImporter(workspace)

    def read(self, lines: TextIO) -> None:
        try:
            header = lines.readline(_LONGEST_HEADER)
        except UnicodeDecodeError as error:
            raise InputError(
                f"the file is not UTF-8: byte {error.start + 1:,}", hint=NAME_ONE
            ) from error
        if not header:
            raise InputError("the export is empty", hint=NAME_ONE)
        self._begin(header)
        for number, line in _later_lines(lines):
            if line.strip():
                self._guarded(number, partial(self._take, number, line))
        self._guarded(self._incoming.line if self._incoming else 0, self._end_document)
        self._flush()
        self._finish_records()
        if self._roots_here:
            self.report.warnings.append(
                "the next mem sync reads these folders of the export, which are on this machine, "
                f"too: {', '.join(self._roots_here[:_SHOWN])}"
                f"{' and others' * (len(self._roots_here) > _SHOWN)}; "
                f"to forget one: mem files --drop-root {shlex.quote(self._roots_here[0])}"
            )
        self._report_missing()

    def _report_missing(self) -> None:
        """Say which lines the first one counted and the export does not have.

        Raises InputError when `strict`.
        """
        missing = self._expected - self._seen
        if missing.total() <= self._unreadable:  # they are listed
            return
        parts = (
            f"{self._seen[kind]:,} of {self._expected[kind]:,} {kind} lines" for kind in missing
        )
        fact = f"the export is cut short: it has {', '.join(parts)}"
        if self._strict:
            raise InputError(fact, hint="what it has is stored; export again, and import that")
        self.report.warnings.append(fact)

    def _finish_records(self) -> None:
        self._records.finish()
        done = self._records.work
        turns, memories = done.added["turn"], done.added["memory"]
        self.report.turns, self.report.memories = turns, memories
        self.report.records = done.added.total() - turns - memories
        self.report.unchanged += done.unchanged
        self.report.warnings += done.warnings

    def _begin(self, line: str) -> None:
        try:
            header = read_line(line)
        except LineError as error:
            raise InputError(
                f"the first line is not that of an export: {error}", hint=NAME_ONE
            ) from error
        check_header(header)
        try:
            self._expected = counts_of(header)
            space = space_of(header.get("space"))
            facts = facts_of(checked(header, "facts", dict))
        except LineError as error:
            raise InputError(
                f"the first line cannot be used: {error}", hint="export the memory again"
            ) from error
        if space is not None and header.get("vectors"):
            self._begin_space(space, facts)

    def _begin_space(self, space: Space, facts: dict[str, Any]) -> None:
        """Give a database without chunks the space of the export, with the facts about it."""
        active = self._storage.active_space()
        if active is None and not self._storage.count_chunks() and self._is_ours(space):
            with self._storage.database.transaction() as tx:
                active = self._storage.create_space(tx, space)
                write_meta(tx, KEYWORDS, KEYWORD_FORM)
                for name, fact in facts.items():
                    write_meta(tx, name, fact)
        if active is not None and _identity(active) == _identity(space):
            self._space = self._records.work.space = active

    def _is_ours(self, space: Space) -> bool:
        """Return whether the model of an export may answer here: a file chooses none that sends
        texts away, or that would be downloaded, unless the configuration has it.
        """
        if is_accepted(self._workspace, space):
            return True
        self.report.warnings.append(
            f"the vectors of the export are not taken: they are of {space.provider} with "
            f"{space.model}, which is not configured here; to take them, name it in "
            "memory.embeddings, and import into a new database"
        )
        return False

    def _guarded(self, number: int, action: Callable[[], None]) -> None:
        try:
            action()
        except LineError as error:
            if self._strict:
                raise InputError(
                    f"line {number} cannot be used: {error}",
                    hint="fix it, or omit --strict to import the other lines",
                ) from error
            if len(self.report.errors) < MOST_ERRORS:
                self.report.errors.append(BadLine(number, shortened(str(error))))

    def _take(self, number: int, line: str) -> None:
        self._unreadable += 1  # until it is read
        if _is_too_long(line):
            raise LineError(f"it has more than {LONGEST_LINE:,} characters")
        values = read_line(line)
        self._unreadable -= 1
        kind = values["type"]
        self._seen[kind] += 1
        if kind == "chunk":
            self._take_chunk(values)
            return
        self._guarded(self._incoming.line if self._incoming else 0, self._end_document)
        if kind == "document":
            document, chunks = document_of_line(values)
            self._incoming = Incoming(number, document, chunks)
        elif kind == "root":
            self._take_root(values)
        elif kind == "refusal":
            self._take_refusal(values)
        elif self._records.knows(kind):
            self._records.take(kind, values)
        else:
            raise LineError(f"its type is {kind!r:.80}, which this version does not know")

    def _take_root(self, values: dict[str, Any]) -> None:
        path, added_at = checked(values, "path", str), checked_moment(values, "added_at")
        if "\0" in path:
            raise LineError(f"its path is {path!r:.80}")
        with self._workspace.storage.database.transaction() as tx:
            is_new = remember_root(tx, path, added_at)
        self.report.roots += is_new
        if is_new and os.path.lexists(path):
            self._roots_here.append(path)

    def _take_refusal(self, values: dict[str, Any]) -> None:
        try:
            content = bytes.fromhex(checked(values, "hash", str))
        except ValueError as error:
            raise LineError(f"its hash is {values['hash']!r:.80}") from error
        moment = checked_moment(values, "refused_at")
        self._refusals[content] = checked(values, "reason", str), moment

    def _take_chunk(self, values: dict[str, Any]) -> None:
        incoming = self._incoming
        if incoming is None:
            raise LineError("it is a chunk without its document")
        given, vector = chunk_of_line(values)
        if self._space is None:
            vector = None
        elif vector is not None:
            check_row(vector, self._space.dimensions)
        chunk = new_chunk(incoming.document, given, incoming.occurrence)
        incoming.chunks.append(chunk)
        if vector is not None:
            incoming.vectors[chunk.hash] = vector

    def _end_document(self) -> None:
        incoming, self._incoming = self._incoming, None
        if incoming is None:
            return
        if len(incoming.chunks) != incoming.chunks_expected:
            self.report.failed += 1
            raise LineError(
                f"{incoming.document.path} has {len(incoming.chunks)} of its "
                f"{incoming.chunks_expected} chunks"
            )
        self._ready.append(incoming)
        waiting = sum(len(item.chunks) for item in self._ready)
        if len(self._ready) >= DOCUMENTS_AT_ONCE or waiting >= CHUNKS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        ready, self._ready = self._ready, []
        if self._refusals and self._space is not None:
            with self._storage.database.transaction() as tx:
                for content, (reason, moment) in self._refusals.items():
                    remember_refusals(tx, self._space, {content: reason}, refused_at=moment)
            self._refusals = {}
        DocumentImporter(self._workspace, self.report, self._space).put(ready)
        if self._progress is not None:
            self._progress(self._seen["document"], self._expected["document"])


def _later_lines(lines: TextIO) -> Iterator[tuple[int, str]]:
    """Yield the lines after the first with their numbers; one that is too long without its rest."""
    number = 1
    while line := lines.readline(LONGEST_LINE):
        number += 1
        if _is_too_long(line):
            while (rest := lines.readline(_LONGEST_HEADER)) and not rest.endswith("\n"):
                pass
        yield number, line


def _is_too_long(line: str) -> bool:
    return len(line) == LONGEST_LINE and not line.endswith("\n")


def _identity(space: Space) -> tuple[str, str]:
    """Return the properties that make chunks and vectors of two spaces interchangeable."""
    return space.embedder, space.generation
