"""`mem watch` as a process, and searches in others while files change as programs change them."""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.config.loading import load_config
from memory.files.ingestion import sync_files
from memory.index.document_store import documents_of
from memory.operations.status import read_status
from memory.workspace import Workspace
from tests.cli.shell import Mem, start
from tests.memory.databases import contents
from tests.memory.files.watcher_thread import finds
from tests.waiting import DEADLINE_S, output_of, wait_until

Until = Callable[..., None]

CONFIG = '{"memory": {"storage_path": "memory.db", "files": {"sync_interval_seconds": 3600}}}'
"""The complete scan cannot help: what is seen was seen by its events."""


class Watch:
    """`mem watch` at work, with what it prints."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = start("watch", *arguments, cwd=folder)
        self.said: list[str] = []
        self.printed: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stderr, self.said)),
            threading.Thread(target=self._read, args=(self.process.stdout, self.printed)),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, pipe: Any, lines: list[str]) -> None:
        lines.extend(line.rstrip("\n") for line in pipe if not line.startswith("database "))

    def is_ready(self) -> bool:
        assert self.process.poll() is None, self.said
        return bool(self.said or self.printed)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code when this signal ends it."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        code = self.process.wait(DEADLINE_S)
        for reader in self._readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return code


@contextlib.contextmanager
def watch(folder: Path, *arguments: str) -> Iterator[Watch]:
    """`mem watch`, ready; killed in the end if it still is there."""
    found = Watch(folder, *arguments)
    try:
        wait_until(found.is_ready)
        yield found
    finally:
        if found.process.poll() is None:
            found.end(signal.SIGKILL)


@pytest.fixture
def home(folder: Path) -> Path:
    (folder / "constitution_config.json").write_text(CONFIG)
    return folder


@pytest.fixture
def reader(home: Path) -> Iterator[Workspace]:
    """The database as another process has it open; it makes none."""
    found: list[Workspace] = []

    class Later:
        def __getattr__(self, name: str) -> Any:
            if not found:
                loaded = load_config(home / "constitution_config.json")
                found.append(Workspace(loaded, create=False))
            return getattr(found[0], name)

    yield Later()  # type: ignore[misc]
    for workspace in found:
        workspace.close()


def test_a_first_minute(home: Path, mem: Mem) -> None:
    with watch(home, "docs") as process:
        assert "watching: 2 added, 2 chunks in " in process.said[0]
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: len(process.said) > 1)
        assert "1 added, 1 chunk in " in process.said[1]
        assert "new.md" in mem("search", "zeppelins").out
        status = mem("status").out
        assert f"watching: process {process.process.pid} (" in status
        assert "1 folder by " in status
        second = mem("watch")
        assert second.code == 6
        assert f"process {process.process.pid} (" in second.err
        assert process.end() == 0
    assert process.printed == []
    assert "no watcher: mem watch" in mem("status").out
    assert mem("files", "--roots").out.split() == [str(home.resolve() / "docs"), "(remembered)"]


@pytest.fixture
def until(home: Path, reader: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Until]:
    """Does something while `mem watch --exit-on-eof` runs in this process, and ends it."""
    ours, theirs = os.pipe()
    monkeypatch.setattr(sys, "stdin", os.fdopen(ours))
    threads: list[threading.Thread] = []

    def until(*steps: Callable[[], object]) -> None:
        def work() -> None:
            try:
                wait_until((home / "memory.db").exists)
                for step in steps:
                    wait_until(step)
            finally:
                os.close(theirs)

        threads.append(threading.Thread(target=work))
        threads[0].start()

    yield until
    threads[0].join()
    sys.stdin.close()


def test_what_it_says(home: Path, mem: Mem, until: Until, reader: Workspace) -> None:
    """Problems once, however often they are met; nothing of what was left as it was."""
    (home / "docs/odd.md").write_bytes(b"\0\1\2")
    until(
        lambda: finds(reader, "installer"),
        lambda: (home / "docs/new.md").write_text("A page about zeppelins.\n"),
        lambda: finds(reader, "zeppelins"),
        lambda: (home / "docs/odd.md").write_bytes(b"\0\1\2\3") > 0,
        lambda: (home / "docs/link.md").symlink_to(__file__) or True,
        lambda: len(read_status(reader).problems) == 2,
        lambda: (home / "docs/new.md").unlink() or True,
        lambda: not finds(reader, "zeppelins"),
    )
    answer = mem("watch", "docs", "--exit-on-eof")
    assert (answer.code, answer.out) == (0, "")
    assert "watching: 2 added, 1 skipped, 2 chunks in " in answer.err
    assert " 1 added, 1 chunk in " in answer.err
    assert " 1 deleted in " in answer.err
    assert answer.err.count("odd.md") == 1
    assert answer.err.count("link.md") == 1


def test_it_goes_on_where_it_was(mem: Mem, until: Until, reader: Workspace) -> None:
    assert mem("sync", "docs").code == 0
    until(lambda: read_status(reader).watcher and read_status(reader).watcher.last_scan)
    answer = mem("watch", "--exit-on-eof", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json["stats"]["unchanged"] == 2


def test_nothing_there_yet(home: Path, mem: Mem, until: Until, reader: Workspace) -> None:
    """The folder may be plugged in later; what keeps it from its work is told once."""
    assert mem("sync", "docs").code == 0
    (home / "docs").rename(home / "away")
    until(
        lambda: (found := read_status(reader).watcher) and found.last_error,
        lambda: (home / "away").rename(home / "docs"),
        lambda: (found := read_status(reader).watcher) and found.last_scan,
    )
    answer = mem("watch", "--exit-on-eof")
    assert answer.code == 0
    assert answer.err.count("docs cannot be reached; tried again in 1 s") == 1
    assert "watching: 2 unchanged in " in answer.err


def test_json_is_an_object_a_batch(home: Path) -> None:
    with watch(home, "docs", "--json") as process:
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: len(process.printed) > 1)
        assert process.end(signal.SIGINT) == 0
    first, second = map(json.loads, process.printed)
    assert (first["kind"], first["paths"], first["stats"]["added"]) == ("scan", 0, 2)
    assert (second["kind"], second["paths"], second["stats"]["added"]) == ("changes", 1, 1)
    assert process.said == []


def test_nothing_to_watch_makes_no_database(home: Path, mem: Mem) -> None:
    answer = mem("watch")
    assert answer.code == 4
    assert not (home / "memory.db").exists()


def test_a_database_in_memory_is_not_watched(home: Path, mem: Mem) -> None:
    (home / "constitution_config.json").write_text('{"memory": {"backend": "memory"}}')
    answer = mem("watch", "docs")
    assert (answer.code, "mem serve" in answer.err) == (3, True)


def test_it_ends_with_who_started_it(home: Path) -> None:
    with watch(home, "docs", "--exit-on-eof") as process:
        assert process.process.stdin is not None
        process.process.stdin.write("nothing of interest\n")
        process.process.stdin.close()
        assert process.wait() == 0


def test_it_ends_with_its_terminal_and_not_with_stdin(home: Path, mem: Mem) -> None:
    with watch(home, "docs") as process:
        assert process.process.stdin is not None
        process.process.stdin.close()
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: len(process.said) > 1)
        assert process.end(signal.SIGHUP) == 0
    assert "no watcher" in mem("status").out


@pytest.mark.slow
def test_it_is_ended_in_the_middle_of_a_file(home: Path, mem: Mem, reader: Workspace) -> None:
    """One of half a million lines takes long, and nothing interrupts it but the end."""
    big = home / "docs/big.md"
    big.write_text("# A page\n\nThere is a line of its own on it.\n" * 500_000)
    process = Watch(home, "docs")
    try:
        wait_until((home / "memory.db").exists)
        wait_until(lambda: documents_of(reader).counts().get("pending"))
        assert process.end() == 0
    finally:
        if process.process.poll() is None:
            process.end(signal.SIGKILL)
    assert documents_of(reader).counts()["pending"] > 0
    assert "no watcher" in mem("status").out
    big.unlink()
    assert mem("sync").code == 0
    assert documents_of(reader).counts() == {"indexed": 2}


@pytest.mark.slow
def test_a_server_is_ended_in_the_middle_of_a_file(home: Path, mem: Mem, reader: Workspace) -> None:
    assert mem("sync", "docs").code == 0
    (home / "docs/big.md").write_text("# A page\n\nThere is a line of its own on it.\n" * 500_000)
    process = start("serve", "--port", "0", cwd=home)
    try:
        wait_until(lambda: documents_of(reader).counts().get("pending"))
        process.terminate()
        output_of(process)
    finally:
        process.kill()
        output_of(process)
    assert process.returncode == 0
    assert documents_of(reader).counts()["pending"] > 0
    assert "no watcher" in mem("status").out


@pytest.mark.slow
def test_killed_and_begun_again(home: Path, mem: Mem, reader: Workspace) -> None:
    with watch(home, "docs") as process:
        process.end(signal.SIGKILL)
    assert "ended unexpectedly" in mem("status").out
    (home / "docs/new.md").write_text("A page about zeppelins.\n")
    (home / "docs/setup.md").unlink()
    with watch(home):
        assert finds(reader, "zeppelins") == {"new.md"}
        assert not finds(reader, "installer")
        assert "watching: process" in mem("status").out


def in_place(path: Path, text: str) -> None:
    """As VS Code saves: truncated, then written."""
    with path.open("r+") as file:
        file.truncate(0)
        file.flush()
        file.write(text)


def aside_and_renamed(path: Path, text: str) -> None:
    """As most programs save: a whole new file takes the place of the old one."""
    other = path.with_name(f".{path.name}.tmp")
    other.write_text(text)
    with other.open() as file:
        os.fsync(file.fileno())
    other.replace(path)


def as_vim(path: Path, text: str) -> None:
    """A swap file, a probe, the old file as a backup, then a new one of its name."""
    swap = path.with_name(f".{path.name}.swp")
    swap.write_bytes(b"b0VIM 9.0" + bytes(4096))
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()
    swap.unlink()


def as_emacs(path: Path, text: str) -> None:
    """A lock that is a link to nowhere, an auto-save file, the old file as a backup."""
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("someone@somewhere.1234:1700000000")
    auto_save = path.with_name(f"#{path.name}#")
    auto_save.write_text(text)
    path.rename(path.with_name(f"{path.name}~"))
    path.write_text(text)
    auto_save.unlink()
    lock.unlink()


def as_sed(path: Path, text: str) -> None:
    """`sed -i`, which writes to a file of a name like sedXyz123 and renames it."""
    line = text.rstrip("\n")
    subprocess.run(["sed", "-i", f"1s/.*/{line}/", str(path)], check=True)


@pytest.mark.skipif(shutil.which("sed") is None, reason="needs sed")
def test_every_way_to_save(home: Path, mem: Mem, reader: Workspace) -> None:
    ways: list[Callable[[Path, str], None]] = [
        *(in_place, aside_and_renamed, as_vim, as_emacs, as_sed)
    ]
    page = home / "docs/page.md"
    page.write_text("A page to be saved.\n")
    with watch(home, "docs") as process:
        before = "saved"
        for number, save in enumerate(ways):
            word = f"zeppelin{number}"
            save(page, f"A page about a {word}.\n")
            wait_until(lambda word=word: finds(reader, word) == {"page.md"})  # type: ignore[misc]
            assert not finds(reader, before)
            before = word
        wait_until(lambda: not read_status(reader).problems)
        assert process.end() == 0
    listed = json.loads(mem("files", "--json").out)
    names = {Path(item["path"]).name for item in listed}
    assert names == {"setup.md", "animals.md", "page.md"}


@pytest.mark.slow
def test_storms(home: Path, reader: Workspace) -> None:
    """A checkout of many files, back and forth, a file that never rests, and all of it deleted."""
    tree = home / "docs/tree"
    with watch(home, "docs") as process:
        log = (home / "docs/log.md").open("a")
        with log:
            for number in range(300):
                path = tree / f"{number % 20}/{number}.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"Page {number} of the first branch.\n")
                if number % 20 == 0:
                    log.write(f"line {number}\n")
                    log.flush()
            wait_until(lambda: documents_of(reader).counts() == {"indexed": 303})
            for number in range(0, 300, 2):
                aside_and_renamed(tree / f"{number % 20}/{number}.md", f"Branch two, {number}.\n")
            log.write("the end of the quagga\n")
            log.flush()
            wait_until(lambda: finds(reader, "quagga") == {"log.md"})
        shutil.rmtree(tree)
        wait_until(lambda: documents_of(reader).counts() == {"indexed": 3})
        assert process.end() == 0
    loaded = load_config(home / "constitution_config.json")
    with Workspace(loaded) as memory:
        followed = contents(memory)
        sync_files(memory)
        assert contents(memory) == followed


def test_a_file_that_is_appended_to_is_seen_before_it_rests(home: Path, reader: Workspace) -> None:
    stopped = threading.Event()

    def append() -> None:
        with (home / "docs/log.md").open("a") as log:
            number = 0
            while not stopped.wait(0.02):
                number += 1
                log.write(f"event number{number}\n")
                log.flush()

    writer = threading.Thread(target=append)
    with watch(home, "docs"):
        writer.start()
        try:
            wait_until(lambda: finds(reader, "number5") == {"log.md"})
        finally:
            stopped.set()
            writer.join()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the limits of others are Linux's")
def test_a_database_that_cannot_be_written_to(home: Path, mem: Mem, reader: Workspace) -> None:
    """The process may not make any file longer, as if the disk were full; then it may again."""
    with watch(home, "docs") as process:
        pid, number = process.process.pid, resource.RLIMIT_FSIZE
        before = resource.prlimit(pid, number, (4096, resource.RLIM_INFINITY))
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: len(process.said) > 1)
        assert "memory.db" in process.said[1]
        assert "tried again in 1 s" in process.said[1]
        assert not finds(reader, "zeppelins")
        resource.prlimit(pid, number, before)
        wait_until(lambda: finds(reader, "zeppelins") == {"new.md"})
        wait_until(lambda: "watching: process" in mem("status").out)
        assert process.end() == 0
