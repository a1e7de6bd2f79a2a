"""Export of a database as lines of JSON, from one snapshot, a few documents at a time."""

import gzip
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from contracts import StorageError
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.operations.exchange.lines import (
    CHUNK_FIELDS,
    FACTS,
    FORMAT,
    LONGEST_LINE,
    SPACE_FIELDS,
    document_values,
    line_of,
)
from memory.operations.exchange.record_lines import record_lines
from memory.operations.output_files import check_output
from memory.storage.atomic_files import partial_copy, put_in_place
from memory.storage.meta import read_meta
from memory.values.line_values import vector_text
from memory.workspace import Workspace

_CHUNKS_SQL = f"""
SELECT uid, hash, {", ".join(CHUNK_FIELDS)} FROM chunks
WHERE owner_id = :id AND source = :source AND generation = :generation ORDER BY ordinal
"""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The result of an export: its target (`-` is stdout), and the number of each record.

    `records` are all that are neither documents nor turns nor memories, such as facts.
    `warnings` name the records that are written, but with lines too long for an import.
    """

    path: str
    documents: int
    turns: int
    memories: int
    records: int
    chunks: int
    vectors: int
    seconds: float
    warnings: list[str] = field(default_factory=list)


def export(
    workspace: Workspace, target: str, *, vectors: bool = True, force: bool = False
) -> ExportReport:
    """Write the whole memory to a file (compressed when its name ends in .gz) or, for `-`, to
    stdout.

    Without `vectors` an import embeds again. Others can read and write meanwhile; their changes
    are not included. Raises InputError for an existing file unless `force`, and for the database.
    """
    started = time.monotonic()
    if target != "-":
        check_output(Path(target).absolute(), workspace, force=force)
    with _opened(target) as out, workspace.storage.database.snapshot():
        writer = _Writer(workspace, out, vectors=vectors)
        writer.write_all()
    seconds = round(time.monotonic() - started, 3)
    turns, memories = writer.records["turn"], writer.records["memory"]
    return ExportReport(
        path=target,
        documents=writer.documents,
        turns=turns,
        memories=memories,
        records=sum(writer.records[kind.name] for kind in workspace.kinds) - turns - memories,
        chunks=writer.chunks,
        vectors=writer.vectors,
        seconds=seconds,
        warnings=writer.warnings,
    )


@contextmanager
def _opened(target: str) -> Iterator[TextIO]:
    if target == "-":
        with _as_text(sys.stdout.buffer) as out:  # UTF-8, for any terminal encoding
            yield out
        return
    path = Path(target).absolute()
    beside = partial_copy(path)
    try:
        descriptor = os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror}", hint="name a file in another folder"
        ) from error
    try:
        with os.fdopen(descriptor, "wb") as raw:
            packed: Any = raw
            if path.suffix == ".gz":  # without name and time, so that equal exports are equal
                packed = gzip.GzipFile("", "wb", fileobj=raw, compresslevel=6, mtime=0)
            with packed, _as_text(packed) as out:
                yield out
        put_in_place(beside, path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _as_text(binary: Any) -> Iterator[TextIO]:
    text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n", write_through=False)
    yield text
    text.flush()
    text.detach()


class _Writer:
    """The writer of one export's lines."""

    def __init__(self, workspace: Workspace, out: TextIO, *, vectors: bool) -> None:
        self._workspace = workspace
        self._database = workspace.storage.database
        self._out = out
        self._space = workspace.storage.active_space()
        self._with_vectors = vectors
        self.documents = self.chunks = self.vectors = 0
        self.records: Counter[str] = Counter()
        self.warnings: list[str] = []

    def write_all(self) -> None:
        self._write("export", self._header())
        for path, added_at in self._database.read("SELECT path, added_at FROM roots ORDER BY path"):
            self._write("root", {"path": path, "added_at": added_at})
        for content, reason, moment in self._refusals():
            self._write("refusal", {"hash": content.hex(), "reason": reason, "refused_at": moment})
        for document in documents_of(self._workspace).all_of():
            self._write_document(document)
        space = self._space if self._with_vectors else None
        for kind, values in record_lines(self._workspace, space):
            self._write(kind, values)
            self.records[kind] += 1
            self.vectors += len(values.get("vectors", ()))

    def _write(self, kind: str, values: dict[str, Any]) -> None:
        line = line_of(kind, values)
        if len(line) > LONGEST_LINE and isinstance(values.get("vectors"), dict):
            values["vectors"] = {}  # they are made again where it is imported
            line = line_of(kind, values)
        if len(line) > LONGEST_LINE:
            self.warnings.append(
                f"{kind} {values.get('id', '')}: its line has {len(line):,} characters, and "
                f"`mem import` reads {LONGEST_LINE:,}; `mem backup` keeps it"
            )
        self._out.write(line)

    def _header(self) -> dict[str, Any]:
        space = self._space
        ((documents, chunks),) = self._database.read(
            """SELECT count(*), (SELECT count(*) FROM chunks AS c JOIN files AS f
                ON f.id = c.owner_id AND f.source = c.source AND f.generation = c.generation)
            FROM files"""
        )
        return {
            "format": FORMAT,
            "vectors": self._with_vectors,
            "documents": documents,
            "chunks": chunks,
            "lines": self._counted_lines(),
            "space": {name: getattr(space, name) for name in SPACE_FIELDS} if space else None,
            "facts": {key: read_meta(self._database, key) for key in FACTS},
        }

    def _counted_lines(self) -> dict[str, int]:
        """Return how many lines of each type but documents and chunks follow."""
        ((roots,),) = self._database.read("SELECT count(*) FROM roots")
        records = Counter(kind for kind, _ in record_lines(self._workspace, None))
        counts = {"root": roots, "refusal": len(self._refusals()), **records}
        return {kind: number for kind, number in counts.items() if number}

    def _refusals(self) -> list[tuple[Any, ...]]:
        if self._space is None or not self._with_vectors:
            return []
        sql = """SELECT hash, reason, refused_at FROM refused_texts WHERE embedder = :embedder
            ORDER BY hash"""
        return self._database.read(sql, {"embedder": self._space.embedder})

    def _write_document(self, document: Document) -> None:
        key = {"id": document.id, "source": document.source, "generation": document.generation}
        rows = self._database.read(_CHUNKS_SQL, key)
        vectors = {}
        if self._space is not None and self._with_vectors and rows:
            known = self._workspace.storage.known_vectors(self._space, (row[1] for row in rows))
            vectors = {content: vector_text(vector.v) for content, vector in known.items()}
        values = document_values(document, len(rows))
        self._write(
            "document", {**values, "layout": documents_of(self._workspace).layout(document)}
        )
        for uid, content, *fields in rows:
            vector = vectors.get(content)
            given = dict(zip(CHUNK_FIELDS, fields, strict=True))
            given["defines"] = json.loads(given["defines"] or "null")
            self._write("chunk", {"uid": uid, **given, "vector": vector})
            self.vectors += vector is not None
        self.documents += 1
        self.chunks += len(rows)
