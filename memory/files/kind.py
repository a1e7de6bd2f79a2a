"""Files and ingested texts as kinds of records."""

from pathlib import Path
from typing import Final

from contracts import ChunkRow
from memory.values.citations import cite_lines, cite_text
from memory.values.record_kinds import RecordKind

_HOOKS: Final = "memory.files.documents.hooks:DocumentRecords"
_WORD: Final = "text "


def _cite_file(row: ChunkRow, cwd: Path) -> str:
    """Format the lines of a file; for a chunk without its file, the bare id."""
    if row.path is None or row.start_line is None or row.end_line is None:
        return row.path or row.owner_id
    return cite_lines(row.path, row.start_line, row.end_line, cwd=cwd, place=row.place)


def _cite_text(row: ChunkRow, cwd: Path) -> str:
    return cite_text(row.owner_id)


def _no_record(citation: str) -> None:
    """Parse nothing: files are named by paths, see `memory.values.citations.readings`."""


def _text_id(citation: str) -> str | None:
    return citation.removeprefix(_WORD).strip() if citation.startswith(_WORD) else None


FILE: Final = RecordKind(
    name="file",
    plural="files",
    cite=_cite_file,
    read=_no_record,
    hooks=_HOOKS,
    deleted="the file itself stays on the disk, and the next sync of its folder indexes it again",
    is_document=True,
    is_forgettable=False,
)
TEXT: Final = RecordKind(
    name="text",
    plural="texts",
    cite=_cite_text,
    read=_text_id,
    hooks=_HOOKS,
    deleted="the text is gone; ingest it again to have it back",
    is_document=True,
)
