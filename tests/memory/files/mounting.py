"""Mounts and unmounts file systems around syncs; run in a mount namespace of its own.

Prints what each sync counted, one JSON object a line.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts import StorageError
from memory.files.ingestion import sync_files, sync_scope
from memory.files.roots import SyncScope
from memory.index.document_store import documents_of
from memory.values.reports import SyncStats
from memory.workspace import Workspace
from tests.memory.databases import counts, document, opened, write


def mount(point: Path, *, size: str = "64m") -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(point)], check=True)


def unmount(point: Path) -> None:
    subprocess.run(["umount", str(point)], check=True)


def tell(memory: Workspace, stats: SyncStats) -> None:
    reasons = [f"{Path(item.path).name}: {item.reason}" for item in stats.errors]
    states = documents_of(memory).counts()
    print(json.dumps({"counts": counts(stats), "reasons": reasons, "states": states}))  # noqa: T201


def a_root_on_a_disk(memory: Workspace, base: Path) -> None:
    disk = base / "disk"
    disk.mkdir()
    mount(disk)
    write(disk, {"a.md": document(0), "b.md": document(1)})
    tell(memory, sync_files(memory, [disk]))
    unmount(disk)
    tell(memory, sync_files(memory))
    tell(memory, sync_scope(memory, SyncScope([disk], [str(disk / "a.md")])))
    mount(disk)  # an empty one
    tell(memory, sync_files(memory))
    write(disk, {"a.md": document(0), "b.md": document(1)})
    tell(memory, sync_files(memory))
    (disk / "a.md").unlink()
    (disk / "b.md").unlink()
    tell(memory, sync_files(memory))


def a_disk_inside_a_root(memory: Workspace, base: Path) -> None:
    tree, disk = base / "tree", base / "tree/sub/disk"
    disk.mkdir(parents=True)
    write(tree, {"a.md": document(0), "c.md": document(2)})
    mount(disk)
    write(disk, {"b.md": document(1)})
    tell(memory, sync_files(memory, [tree]))
    unmount(disk)
    (tree / "c.md").unlink()
    tell(memory, sync_scope(memory, SyncScope([tree], [str(disk / "b.md"), str(tree / "c.md")])))
    disk.rmdir()
    tell(memory, sync_files(memory))
    write(disk, {"b.md": document(1)})  # moved to where the disk was
    tell(memory, sync_files(memory))
    (disk / "b.md").unlink()
    tell(memory, sync_files(memory))


def a_root_under_a_disk(memory: Workspace, base: Path) -> None:
    tree = base / "tree/docs"
    write(tree, {"a.md": document(0)})
    tell(memory, sync_files(memory, [tree]))
    mount(base / "tree")
    tree.mkdir()
    tell(memory, sync_files(memory))
    unmount(base / "tree")
    tell(memory, sync_files(memory))


def bind(folder: Path, point: Path) -> None:
    subprocess.run(["mount", "--bind", str(folder), str(point)], check=True)


def another_disk(memory: Workspace, base: Path) -> None:
    """Folders stand for the two disks."""
    disk, first, second = base / "disk", base / "first", base / "second"
    for folder in (disk, first, second):
        folder.mkdir()
    _swapped(memory, disk, lambda: bind(first, disk), lambda: bind(second, disk))


def another_disk_on_the_device(memory: Workspace, base: Path) -> None:
    """A tmpfs that is mounted after another has its device number, too."""
    disk = base / "disk"
    disk.mkdir()
    _swapped(memory, disk, lambda: mount(disk), lambda: mount(disk))


def _swapped(
    memory: Workspace, disk: Path, first: Callable[[], None], second: Callable[[], None]
) -> None:
    ours: dict[str, str | bytes] = {"a.md": document(0), "c.md": document(2)}
    first()
    write(disk, ours)
    tell(memory, sync_files(memory, [disk]))
    unmount(disk)
    second()
    write(disk, {"b.md": document(1)})
    tell(memory, sync_scope(memory, SyncScope([disk], [str(disk / "b.md")])))
    write(disk, {"d.md": document(3)})
    tell(memory, sync_files(memory))
    tell(memory, sync_files(memory))
    unmount(disk)
    first()
    write(disk, ours)
    tell(memory, sync_files(memory))
    (disk / "a.md").unlink()
    tell(memory, sync_files(memory))


def a_disk_that_fills_up(_memory: Workspace, base: Path) -> None:
    disk, tree = base / "small", base / "tree"
    disk.mkdir()
    mount(disk, size="8m")
    write(tree, {f"{n}.md": document(*range(n, n + 20)) for n in range(300)})
    with opened(disk) as memory:
        with pytest.raises(StorageError, match="is full"):
            sync_files(memory, [tree])
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        tell(memory, sync_files(memory, [tree]))
        tell(memory, sync_files(memory))


STORIES: dict[str, Callable[[Workspace, Path], None]] = {
    story.__name__: story
    for story in (
        a_root_on_a_disk,
        a_disk_inside_a_root,
        a_root_under_a_disk,
        another_disk,
        another_disk_on_the_device,
        a_disk_that_fills_up,
    )
}

if __name__ == "__main__":
    folder = Path(sys.argv[2])
    with opened(folder) as workspace:
        STORIES[sys.argv[1]](workspace, folder)
