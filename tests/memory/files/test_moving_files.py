"""Files that somebody writes to, replaces or swaps for a link while they are read."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest import SkippedFile, read_bytes, scan
from memory.files.ingestion import sync_files
from memory.operations.manage import get_file, list_records
from memory.workspace import Workspace
from tests.memory.databases import counts, document, write
from tests.repository import ROOT


@contextmanager
def meanwhile(action: str, path: Path, size: int = 0) -> Iterator[None]:
    """While another process does this to the file over and over."""
    command = [sys.executable, "-m", "tests.memory.writer_process", action, str(path), str(size)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        try:
            yield
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.stdout.close()


def is_of_one_moment(text: str) -> bool:
    """Whether the file was so at one time: of one version, or as far as the writer was with it.

    A new version is written from its beginning on, so its words come before those of the last one,
    with the one between them that is of both.
    """
    words = dict.fromkeys(text.split())
    first, last = next(iter(words)), next(reversed(words))
    return len(words) == 1 or (len(words) <= 3 and int(first[4:]) == int(last[4:]) + 1)


@pytest.mark.parametrize("action", ["in_place", "aside"])
def test_what_is_read_is_one_version(tmp_path: Path, action: str) -> None:
    path = tmp_path.resolve() / "a.md"
    results: list[bytes | SkippedFile] = []
    with meanwhile(action, path, 1_500_000):
        deadline = time.monotonic() + 60
        while len(results) < 30 and time.monotonic() < deadline:
            results.append(read_bytes(path, follow_links=False))
    refused = [result for result in results if isinstance(result, SkippedFile)]
    assert {result.reason for result in refused} <= {"changing"}
    texts = [result.decode() for result in results if not isinstance(result, SkippedFile)]
    assert all(map(is_of_one_moment, texts))
    if action == "aside":
        assert texts
        assert all(len(set(text.split())) == 1 for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("action", ["in_place", "aside"])
def test_a_sync_takes_one_version_or_tries_again(
    memory: Workspace, docs: Path, action: str
) -> None:
    path = docs / "a.md"
    with meanwhile(action, path, 60_000):
        for _ in range(3):
            stats = sync_files(memory, [docs])
            assert stats.added + stats.updated + stats.failed + stats.unchanged == 1
            (record,) = [r for r in list_records(memory).records if r.path == str(path)]
            assert record.state == "indexed" or (record.reason or "").startswith("changing: ")
            if record.chunks:
                assert is_of_one_moment(get_file(memory, record.id).text)
    sync_files(memory)
    (record,) = list_records(memory).records
    content = get_file(memory, record.id)
    assert (record.state, content.stale) == ("indexed", False)
    assert content.text.encode() == path.read_bytes()


def test_a_folder_that_is_a_link_now_and_then_is_not_followed(tmp_path: Path) -> None:
    base = tmp_path.resolve()
    write(base, {"docs/secret.md": "ours", "elsewhere/secret.md": "theirs"})
    (base / "other").symlink_to("elsewhere")
    results = set()
    with meanwhile("links", base / "docs/secret.md"):
        deadline = time.monotonic() + 60
        while len(results) < 3 and time.monotonic() < deadline:
            for _ in range(500):
                found = read_bytes(base / "docs/secret.md", follow_links=False)
                results.add(found if isinstance(found, bytes) else found.reason)
            if b"ours" in results and "vanished" in results:
                break
    assert b"theirs" not in results
    assert b"ours" in results


@pytest.mark.parametrize("swapped", ["a.md", "sub", "."])
def test_a_link_that_came_after_the_listing(tmp_path: Path, swapped: str) -> None:
    base = tmp_path.resolve()
    write(base, {"root/a.md": "ours", "root/sub/a.md": "ours", "root/b.md": "ours"})
    write(base, {"elsewhere/a.md": "theirs", "elsewhere/sub/a.md": "theirs"})
    entries = [entry.path for entry in scan([base / "root"])]
    place = base / "root" / swapped
    place.rename(base / "aside")
    target = "elsewhere/a.md" if swapped == "a.md" else "elsewhere"
    place.symlink_to(base / target)
    results = [read_bytes(path, follow_links=False) for path in entries]
    assert b"theirs" not in results
    refused = [result for result in results if isinstance(result, SkippedFile)]
    assert {item.reason for item in refused} == {"vanished"}
    assert "by a symbolic link" in refused[0].detail
    assert b"theirs" in [read_bytes(path) for path in entries]


def test_a_sync_reads_no_link_that_came_after_the_listing(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "sub/b.md": document(1)})
    write(docs.parent, {"elsewhere/b.md": "theirs"})

    def swap(_: object) -> None:
        if not (docs / "sub").is_symlink():
            (docs / "sub").rename(docs.parent / "aside")
            (docs / "sub").symlink_to(docs.parent / "elsewhere")

    stats = sync_files(memory, [docs], progress=swap)
    assert counts(stats) == {"added": 1, "failed": 1, "chunks": 1, "embedded": 1}
    assert stats.errors[0].reason.startswith("vanished: a folder above it was replaced")


def test_another_spelling_in_the_table_of_open_files(tmp_path: Path) -> None:
    """What only differs in case is the same file where the system says so; else a link betrays."""
    base = tmp_path.resolve()
    write(base, {"Docs/a.md": "ours"})
    (base / "docs").symlink_to("Docs")
    assert read_bytes(base / "Docs/a.md", follow_links=False) == b"ours"
