"""What people do to folders, at random, and what an index must be after it."""

import os
import random
from collections.abc import Callable
from pathlib import Path

from memory.files.ingestion import sync_files
from memory.operations.manage import list_records
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import contents, document, opened

Change = Callable[[Path, random.Random], None]


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def put(folder: Path, chance: random.Random) -> None:
    """Write a new file or rewrite one."""
    name = f"{chance.choice(['', 'a/', 'b/', 'a/c/'])}{chance.randrange(12)}.md"
    path = folder / name
    if path.is_dir() or any(parent.is_file() for parent in path.parents):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document(*(chance.randrange(20) for _ in range(chance.randrange(1, 6)))))


def delete(folder: Path, chance: random.Random) -> None:
    if known := files(folder):
        chance.choice(known).unlink()


def rename(folder: Path, chance: random.Random) -> None:
    if known := files(folder):
        chance.choice(known).rename(folder / f"moved {chance.randrange(5)}.md")


def swap(folder: Path, chance: random.Random) -> None:
    if len(known := files(folder)) > 1:
        first, second = chance.sample(known, 2)
        first.rename(folder / "aside")
        second.rename(first)
        (folder / "aside").rename(second)


def copy(folder: Path, chance: random.Random) -> None:
    if known := files(folder):
        (folder / f"copy {chance.randrange(5)}.md").write_bytes(chance.choice(known).read_bytes())


def touch(folder: Path, chance: random.Random) -> None:
    if known := files(folder):
        os.utime(chance.choice(known), ns=(0, chance.randrange(2 * 10**18)))


def empty(folder: Path, chance: random.Random) -> None:
    if known := files(folder):
        chance.choice(known).write_bytes(chance.choice([b"", b"\n", b"\0\0\0"]))


def hide(folder: Path, chance: random.Random) -> None:
    (folder / ".gitignore").write_text(chance.choice(["", "a/\n", "moved*\n", "*.md\n!1.md\n"]))


CHANGES: tuple[Change, ...] = (put, put, put, delete, rename, swap, copy, touch, empty, hide)


def compare(memory: Workspace, folder: Path, base: Path) -> None:
    """Everything that the files decide is as in a database made at once."""
    with opened(base, backend="memory") as fresh:
        sync_files(fresh, [folder])
        assert contents(memory) == contents(fresh)
        states = [
            [(item.path, item.state, item.reason, item.modified_at) for item in records]
            for records in (list_records(memory).records, list_records(fresh).records)
        ]
        assert states[0] == states[1]
        options = SearchOptions(max_results=1000, all_chunks=True, fold="none", mode="keyword")
        for query in ("lighthouse log", "section", "moved", "item3*"):
            hits = [
                {(hit.citation, hit.text) for hit in search(each, query, options).results}
                for each in (memory, fresh)
            ]
            assert hits[0] == hits[1]
