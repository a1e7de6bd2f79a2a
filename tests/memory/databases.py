"""What the tests of memory operations share: databases on real folders, and what is in them."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memory.config.expansion import resolve_paths
from memory.config.loading import LoadedConfig
from memory.config.settings import ChunkingConfig, Config, EmbeddingsConfig, MemoryConfig
from memory.index.embedding.active_model import active_model
from memory.storage import Storage, chunk_uid, content_hash
from memory.storage.sqlite import SqliteStorage
from memory.values.reports import SyncStats
from memory.workspace import Workspace
from providers import EmbeddingProvider
from providers.fake import FakeProvider
from tests.postgres_server import is_on_postgres, running_server, schema_of

ENGINE = "postgres" if is_on_postgres() else "sqlite"
"""What keeps the memories of tests that name no backend."""

FAKE = EmbeddingsConfig(provider="fake", batch_size=4)
UNDECODABLE = b"\xff\xfe" + b"\x00\xd8" * 99
"""A file that announces UTF-16 and holds halves of surrogate pairs alone."""

SMALL = ChunkingConfig(chunk_size_chars=300, chunk_overlap_chars=60)

_OF_PLACE = {"backend", "storage_path"}


def loaded(base: Path, **settings: Any) -> LoadedConfig:
    """A configuration in `base`: the fake provider, small chunks, `memory.db`, unless given."""
    place: dict[str, Any] = {"storage_path": str(base / "memory.db")}
    if is_on_postgres() and not settings.keys() & _OF_PLACE:
        place = {"backend": "postgres", "dsn": running_server(), "schema": schema_of(base)}
    memory = MemoryConfig(**{**place, "embeddings": FAKE, "chunking": SMALL, **settings})
    config = Config(memory=memory)
    return LoadedConfig(resolve_paths(config, base), config, None, base, "argument")


def opened(base: Path, **settings: Any) -> Workspace:
    configured = loaded(base, **settings)
    if configured.config.memory.backend == "sqlite":
        begin_database(Path(configured.config.memory.storage_path))
    return Workspace(configured)


def begin_database(path: Path) -> None:
    """A copy of an empty database where there is none: making the tables takes five times as long.

    How a database is made is the subject of the tests of the storage and of the programs.
    """
    if path.is_symlink() or path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    path.write_bytes(_empty_database())


@cache
def _empty_database() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        SqliteStorage.open(path, create=True).close()
        return path.read_bytes()


def fake(workspace: Workspace) -> FakeProvider:
    provider = active_model(workspace).provider
    assert isinstance(provider, FakeProvider)
    return provider


def use(workspace: Workspace, provider: EmbeddingProvider) -> None:
    """Have this provider stand where the configured one would be made when first needed."""
    active_model(workspace).__dict__["provider"] = provider


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder, making folders as needed."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def counts(stats: SyncStats) -> dict[str, int]:
    """The counts of a sync that are not 0."""
    names = ("added", "updated", "unchanged", "renamed", "deleted", "failed", "skipped")
    more = ("chunks", "embedded", "cached")
    return {name: value for name in (*names, *more) if (value := getattr(stats, name))}


@dataclass(frozen=True)
class StoredChunk:
    """All of a chunk that its file and the model decide."""

    text: str
    heading: str
    span: tuple[int, int]
    lines: tuple[int, int]
    occurred_at: str
    vector: bytes | None


def contents(workspace: Workspace) -> dict[str, list[StoredChunk]]:
    """Every chunk by the path of its document, in order; uids and keyword entries are checked."""
    storage = workspace.storage
    vectors = vector_rows(storage)
    rows = storage.database.read(
        """SELECT f.path, c.id, c.uid, c.source, c.owner_id, c.hash, c.text, c.heading,
            c.body_offset, c.start_char, c.end_char, c.start_line, c.end_line, c.occurred_at
        FROM chunks AS c LEFT JOIN files AS f ON f.id = c.owner_id ORDER BY f.path, c.ordinal"""
    )
    found: dict[str, list[StoredChunk]] = {}
    seen: dict[tuple[str, bytes], int] = {}
    for path, key, uid, source, owner, hashed, text, heading, offset, *place in rows:
        body = text[offset:]
        assert hashed == content_hash(f"{heading}\n\n{body}" if heading else body)
        occurrence = seen[owner, hashed] = seen.get((owner, hashed), -1) + 1
        assert uid == chunk_uid(source, owner, hashed, occurrence)
        start, end, first, last, occurred_at = place
        found.setdefault(path, []).append(
            StoredChunk(
                *(text, heading, (start, end), (first, last), occurred_at),
                vectors.get(key),
            )
        )
    keys = [row[1] for row in rows]
    assert storage.health.keywords.word_counts(keys).keys() == set(keys)
    assert storage.health.keywords.orphans() == []
    assert vectors.keys() <= set(keys)
    return found


def vector_rows(storage: Storage) -> dict[int, bytes]:
    """The float16 row of each chunk that has a vector in the active space."""
    space = storage.active_space()
    if space is None:
        return {}
    batches = storage.health.vectors.rows(space)
    rows = {key: v for batch in batches for key, v in batch}
    found = {key: v for key, v in rows.items() if v is not None}
    assert found.keys() == rows.keys()
    return found


def uids(workspace: Workspace, path: Path | str) -> list[str]:
    """The uids of a document's chunks, in order."""
    sql = """SELECT c.uid FROM chunks AS c JOIN files AS f ON f.id = c.owner_id
        WHERE f.path = :path ORDER BY c.ordinal"""
    return [row[0] for row in workspace.storage.database.read(sql, {"path": str(path)})]


def say(word: str) -> None:
    """Tell the test that waits at the other end of this process's output."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


PARAGRAPHS = (
    "The pump in the cellar hums when the water rises above the second mark.",
    "Marmalade needs bitter oranges, sugar and a slow fire of four hours.",
    "The train to Lisbon leaves at nine from the third platform of the old station.",
    "Copper wire carries the signal from the antenna down to the receiver.",
    "Every lighthouse keeper writes the wind and the visibility into the log.",
)


def document(*sections: int, filler: int = 12) -> str:
    """A Markdown text with one section, which is one chunk, for each number."""
    parts = []
    for number in sections:
        paragraph = PARAGRAPHS[number % len(PARAGRAPHS)]
        words = " ".join(f"item{number}x{word}" for word in range(filler))
        parts.append(f"## Section {number}\n\n{paragraph} {words}\n")
    return "# Manual\n\n" + "\n".join(parts)
