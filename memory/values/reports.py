"""The results of all operations except search and status.

Separate from `memory.values.results`, so that a search in a new process does not load them.
"""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that is not indexed in its present state.

    `state` is `failed` (could not be read; tried again at the next sync) or `skipped` (holds
    nothing to index; tried again when it changes).
    """

    path: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class EmbeddingCost:
    """The cost of embedding some texts.

    `host` is the machine that they would be sent to, None when they stay on this one. `tokens` are
    estimated, and so are `dollars` (US): 0 for a local model, None when no price is known.
    """

    provider: str
    model: str | None
    host: str | None
    texts: int
    tokens: int
    dollars: float | None


@dataclass(frozen=True, slots=True)
class RefusedChunk:
    """A chunk without a vector because the embedding provider refuses its text.

    Keyword search finds it. `path` is `text:ID` for an ingested text, `turn:42` or `memory:12` for
    a record; lines count from 1.
    """

    path: str
    start_line: int | None
    end_line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class PrunedPlace:
    """A folder that cannot be reached, and the number of its files removed from the index.

    Without a `path`: files that lay below no known folder.
    """

    path: str | None
    files: int


@dataclass(slots=True)
class SyncStats:
    """The result of a sync, counted in files unless the name says otherwise.

    `chunks` are new chunks, of which `embedded` were embedded and `cached` had a known vector;
    `refused` chunks have a text that the embedding provider refuses, and no vector. A dry run has
    in `cost` the cost of embedding. `reasons` counts the files in `errors` by the code that their
    reason begins with; `pruned` lists the places whose files were removed on request although a
    sync keeps them, and counts them a second time. `offer` is a line that a command shows once in
    the life of a database.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    renamed: int = 0
    deleted: int = 0
    failed: int = 0
    skipped: int = 0
    chunks: int = 0
    embedded: int = 0
    cached: int = 0
    refused: int = 0
    seconds: float = 0.0
    dry_run: bool = False
    cost: EmbeddingCost | None = None
    errors: list[FileProblem] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    pruned: list[PrunedPlace] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    offer: str | None = None


@dataclass(frozen=True, slots=True)
class WatchBatch:
    """A batch of work that a watcher finished at `at` (ISO 8601 UTC).

    `changes`: it has looked at so many `paths` that had events or had failed. `scan`: it has
    scanned everything. `vectors`: it has embedded chunks that were stored without a vector.
    """

    at: str
    kind: Literal["changes", "scan", "vectors"]
    paths: int
    stats: SyncStats


@dataclass(frozen=True, slots=True)
class WatchTrouble:
    """A problem that stopped a watcher at `at`, and the time of its next attempt."""

    at: str
    error: str
    message: str
    hint: str
    retry_in_s: float
    kind: Literal["trouble"] = "trouble"


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """The progress of a sync: files and bytes done of those that need work, and chunks written.

    The totals are of what was found so far, until `all_found`; `files_found` are all that were
    looked at. `removing`: deleted files are being removed, and their number is not known.
    `renewing`: keyword entries of unchanged files are being rewritten, since another version of the
    program wrote them. In a dry run, `planned` is what a sync would do with a file, and its path.
    """

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int
    chunks: int
    step: Literal["indexing", "removing", "renewing"] = "indexing"
    files_found: int = 0
    all_found: bool = True
    planned: tuple[Literal["add", "update", "rename", "delete"], str] | None = None


@dataclass(frozen=True, slots=True)
class FileIngest:
    """The ids of the files of a path, the number of new ones, and those that could not be indexed.

    `refused` new chunks have a text that the embedding provider refuses. `warnings` say why chunks
    have no vector.
    """

    file_ids: list[str]
    added: int
    failed: list[FileProblem]
    refused: int
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Root:
    """A folder or file that syncs read; `origin` is `configured` or `remembered`.

    One that is `refused` is remembered and not read: it is outside the folder that the database
    came with, and nobody consented to it. `name` and `about` are those of a collection, which may
    also be a `part` of another root.
    """

    path: str
    origin: str
    exists: bool
    name: str | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class DroppedRoot:
    """A forgotten root, the number of indexed files below no other root, and whether they were
    removed.
    """

    path: str
    files: int
    files_removed: bool


@dataclass(frozen=True, slots=True)
class IngestResult:
    """An ingested text: its id and its number of chunks.

    The embedding provider refuses `refused` of the new ones. `warnings` say why chunks have no
    vector.
    """

    id: str
    chunks: int
    refused: int
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class FileContent:
    """Indexed text of a file, whole or some lines of it (counted from 1, both ends included).

    `stale` is true when the file on disk is no longer the one that was indexed. `place` is the part
    that some lines are from, if the file has pages, slides, sheets or the like: `page 3`.
    `extracted` is true where the lines are those of a text that was extracted from the file.
    """

    id: str
    path: str | None
    text: str
    start_line: int
    end_line: int
    total_lines: int
    stale: bool
    metadata: dict[str, Any]
    place: str | None
    extracted: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A file or text as the record lists show it."""

    id: str
    source: str
    path: str | None
    state: str
    reason: str | None
    size_bytes: int
    chunks: int
    tags: list[str]
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    modified_at: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some records in the order of their paths; `next_cursor` continues the list, None at its
    end.
    """

    records: list[Record]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class WhyFile:
    """The effect of a sync on a path, and its state in the index.

    `verdict` is `wanted`, `ignored` (by a rule), `skipped` (it cannot be indexed as it is),
    `missing` (it does not exist) or `outside` (of every known folder). `decided_at` is the path
    itself or the folder above it that the verdict is about. For an ignored path `rule` is the kind,
    `rule_text` the line or pattern, and for an ignore file `rule_file` and `rule_line` (from 1).
    `records_below` is the number of files of a folder that are in the index.
    """

    path: str
    verdict: str
    reason: str
    decided_at: str | None
    rule: str | None
    rule_text: str | None
    rule_file: str | None
    rule_line: int | None
    root: str | None
    record: Record | None
    records_below: int
