"""A small database as the program of one version leaves it, kept for the versions after it.

`python -m tests.memory.storage.old_database tests/memory/storage/data/v12.db.gz` makes the one of
this program. A kept one is never made again: it stands for what people have on their disks.
"""

import gzip
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.retrieval.searching import search
from memory.retrieval.server_caches import cache_answers
from tests.memory.databases import document, opened, write

DATA = Path(__file__).parent / "data"
KEPT = sorted(int(path.name[1:].split(".")[0]) for path in DATA.glob("v*.db.gz"))
"""The versions of which a database is kept."""

FILES = {
    "manual.md": document(0, 1, 2),
    "wire.md": document(3, 4),
    "code/pump.py": '"""Pumps."""\n\n\ndef drainCellar(mark: int) -> int:\n    return mark + 1\n',
}
NOTE = "A note about the lighthouse: its lamp was changed in March."
SAID = (
    "My name is Alex and I live in Lisbon.",
    "I like xylophone music.",
    "I don't like xylophone music anymore.",
)


def old_database(version: int, folder: Path) -> Path:
    """Put the database that a version has left into a folder."""
    path = folder / "memory.db"
    path.touch(mode=0o600)
    path.write_bytes(gzip.decompress((DATA / f"v{version}.db.gz").read_bytes()))
    return path


def make(folder: Path) -> bytes:
    """The file of a new database with everything in it that the program can put there."""
    write(folder / "docs", FILES)
    with opened(folder) as memory:
        sync_files(memory, [folder / "docs"])
        ingest_text(memory, NOTE, tags=["harbour"])
        turns = [
            NewTurn("s1", text, ts=f"2026-03-0{day}T10:00:00Z")
            for day, text in enumerate(SAID, start=1)
        ]
        process_turns(memory, turns)
        remember(memory, "The spare key hangs behind the boiler.")
        cache_answers(memory)
        search(memory, "lighthouse lamp")
    return (folder / "memory.db").read_bytes()


if __name__ == "__main__":
    with TemporaryDirectory(prefix="notes-") as made_in:
        Path(sys.argv[1]).write_bytes(gzip.compress(make(Path(made_in)), mtime=0))
