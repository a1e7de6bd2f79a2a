"""Export and import of records as lines: what the kinds of records share."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from memory.index.record_chunks import RecordText, RecordVectors, chunk_hashes, record_vectors
from memory.storage import Space
from memory.storage.vectors import from_float16
from memory.values.line_values import check_row, checked, hexadecimal, row_of, vector_text
from memory.workspace import Workspace

RECORDS_AT_ONCE: Final = 500
"""The number of records to read, or to store, together."""

Line = tuple[str, dict[str, Any]]
"""The type of an export line, and its values."""


class RecordImporter(Protocol):
    """The importer of one kind's lines, which have these `types`."""

    @property
    def types(self) -> tuple[str, ...]: ...

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number kept. Raises LineError for a bad one."""
        ...

    def store(self) -> None:
        """Store the waiting records."""
        ...

    def finish(self) -> None:
        """Complete what depends on all records of the import."""
        ...


@dataclass(slots=True)
class RecordImport:
    """The state that the importers of one import share.

    `space` is the database's if the vectors of the export are of the same, else None. `numbers`
    maps, by kind, numbers of the export to those here; `added` counts new records by kind,
    `unchanged` known ones.
    """

    workspace: Workspace
    space: Space | None = None
    numbers: dict[str, dict[int, int]] = field(default_factory=dict)
    added: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    warnings: list[str] = field(default_factory=list)
    vectors: dict[bytes, bytes] = field(default_factory=dict)

    def take_vectors(self, values: Mapping[str, Any]) -> None:
        """Keep the vectors of a line. Raises LineError for other dimensions."""
        for content, text in checked(values, "vectors", dict).items():
            row = row_of(text)
            if self.space is None or row is None:
                continue
            check_row(row, self.space.dimensions)
            self.vectors[hexadecimal(content)] = row

    def known(self, records: Iterable[RecordText]) -> RecordVectors:
        """Return the imported vectors if there are any; else those of the model here."""
        if self.space is not None and self.vectors:
            rows = from_float16(self.vectors)
            return RecordVectors(None, self.space, rows)
        return record_vectors(self.workspace, records)


def numbers_in(workspace: Workspace, table: str) -> Iterator[list[int]]:
    """Yield the ids of a table in order, in batches."""
    sql = f"SELECT id FROM {table} WHERE id > :after ORDER BY id LIMIT :limit"
    after = 0
    while rows := workspace.storage.database.read(sql, {"after": after, "limit": RECORDS_AT_ONCE}):
        yield [row[0] for row in rows]
        after = rows[-1][0]


def vectors_of_records(
    workspace: Workspace, space: Space | None, source: str, ids: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return each record's vectors by content hash, both as text for JSON."""
    if space is None:
        return {}
    rows = chunk_hashes(workspace.storage.database, source, ids)
    known = workspace.storage.known_vectors(space, {content for _, content in rows})
    found: dict[str, dict[str, str]] = {}
    for key, content in sorted(rows):
        if content in known:
            found.setdefault(key, {})[content.hex()] = vector_text(known[content].v)
    return found
