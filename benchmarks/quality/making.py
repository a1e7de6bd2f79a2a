"""Make the database of a judged collection: its documents as files, and an ordinary sync of them.

The files have a natural form: the title as a heading, the text below it. Existing files are kept,
so that a second run finds everything indexed.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.quality.beir import Judged
from memory.config.loading import load_config
from memory.files.ingestion import sync_files
from memory.files.roots import drop_root, list_roots
from memory.workspace import Workspace

_FILES_A_FOLDER = 1000


def write_files(judged: Judged, folder: Path) -> Iterator[tuple[str, str]]:
    """Write missing files; return the id of each document by the name of its file."""
    for number, document in enumerate(judged.documents):
        path = folder / f"{number // _FILES_A_FOLDER:03d}" / f"{number:07d}.md"
        text = (f"# {document.title}\n\n" if document.title else "") + document.text + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield path.name, document.id


def open_database(
    path: Path, *, provider: str, settings: Mapping[str, Any] | None = None
) -> Workspace:
    """The database at `path`, with that embedding provider and more of the `memory` section."""
    config = path.with_suffix(".json")
    own = {"storage_path": str(path.absolute()), "embeddings": {"provider": provider}}
    written = {"memory": {**own, **(settings or {})}}
    config.write_text(json.dumps(written), encoding="utf-8")
    return Workspace(load_config(config, environ={}))


@contextmanager
def database_in_memory(provider: str) -> Iterator[Workspace]:
    """A new database with that embedding provider, which ends with the block."""
    with TemporaryDirectory() as folder:
        path, settings = Path(folder, "bench.db"), {"backend": "memory"}
        with open_database(path, provider=provider, settings=settings) as workspace:
            yield workspace


def sync_all(workspace: Workspace, files: Path) -> None:
    """Index these files and nothing else. Raises RuntimeError if some could not be.

    A database copied from elsewhere brings its vectors, and files that are no longer wanted.
    """
    stats = sync_files(workspace, [files])
    if stats.failed or stats.skipped or stats.warnings:
        raise RuntimeError(f"not everything was indexed: {stats.errors[:3]} {stats.warnings}")
    for root in list_roots(workspace):
        if Path(root.path) != files:
            drop_root(workspace, root.path, with_files=True)
