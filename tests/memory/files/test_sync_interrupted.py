"""Syncs that are killed, collide, or are watched by searches while they write."""

import itertools
import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contracts import BusyError, StorageError
from memory.files.ingestion import ingest_text, sync_files
from memory.files.roots import known_roots, remember_roots
from memory.index.document_store import documents_of
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage.meta import SYNC_HOLDER, write_meta
from memory.storage.process_locks import running_sync, running_watch, sync_lock, watch_lock
from memory.storage.process_names import this_process
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.children import end, go_on, kill, lines, start
from tests.memory.databases import contents, counts, document, opened, write
from tests.waiting import DEADLINE_S

_BEGUN = "a process that has just started"


def run_together(tasks: list[tuple[str, str]], base: Path) -> None:
    """Run processes at the same time, from the same moment."""
    processes = [start(task, base, given) for task, given in tasks]
    for process in processes:
        assert next(lines(process)) == "ready"
    for process in processes:
        go_on(process)
    for process in processes:
        assert list(lines(process)) == ["done"]
        assert end(process) == 0


@pytest.mark.slow
def test_a_killed_sync_is_completed_by_the_next(tmp_path: Path, docs: Path) -> None:
    """At any moment a file is indexed as it was or as it is, and in the end all are as they are."""
    chance = random.Random(17)
    versions: dict[Path, set[str]] = {}

    def put(path: Path, text: str) -> None:
        path.write_text(text, "utf-8")
        versions.setdefault(path, set()).add(text)

    for number in range(30):
        put(docs / f"{number}.md", document(*range(number, number + 45)))
    with opened(tmp_path) as memory:
        sync_files(memory, [docs], dry_run=True)
        remember_roots(memory, [docs])
    for kill_after in (0, 15, 3, 12, 21, 10):
        process = start("sync_telling", tmp_path)
        told = list(itertools.islice(lines(process), kill_after + 1))
        assert "done" not in told
        kill(process)
        with opened(tmp_path) as memory:
            contents(memory)  # whatever is there fits together
            for name, known in documents_of(memory).below([str(docs)]).items():
                if known.hash:
                    assert documents_of(memory).text(known) in versions[Path(name)]
            assert running_sync(memory.storage.database, memory.path) is None
        for path in chance.sample(sorted(docs.iterdir()), 24):
            put(path, document(*chance.sample(range(200), 40)))
        gone, old = chance.sample(sorted(docs.iterdir()), 2)
        gone.unlink()
        moved = docs / f"moved {kill_after}.md"
        versions[moved] = set(versions[old])
        old.rename(moved)
    with opened(tmp_path) as memory, opened(tmp_path / "fresh") as fresh:
        sync_files(memory)
        assert sync_files(memory).unchanged == sync_files(fresh, [docs]).added
        assert contents(memory) == contents(fresh)
        assert documents_of(memory).counts() == {"indexed": len(list(docs.iterdir()))}


def test_two_syncs_at_once(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        process = start("hold_lock", tmp_path)
        assert next(lines(process)) == "ready"
        memory.wait_s = 0.0
        with pytest.raises(BusyError, match=rf"process {process.pid} \(.*\) on ") as error:
            sync_files(memory)
        assert "mem status" in error.value.hint
        status = read_status(memory)
        assert status.sync is not None
        assert f"process {process.pid} (processes.py hold_lock {tmp_path.name} '')" in status.sync
        assert counts(sync_files(memory, dry_run=True)) == {"unchanged": 1}
        assert ingest_text(memory, "a text needs no lock").chunks == 1
        kill(process)
        assert read_status(memory).sync is None
        assert counts(sync_files(memory)) == {"unchanged": 1}


@pytest.mark.sqlite_only(reason="is about names of the file")
def test_two_names_of_one_database_have_one_lock(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/memory.db").symlink_to(tmp_path / "memory.db")
    with opened(tmp_path) as memory, opened(tmp_path / "linked") as other:
        other.wait_s = 0.0
        with (
            sync_lock(memory.storage.database, memory.path),
            pytest.raises(BusyError, match="a sync of"),
        ):
            sync_files(other, [docs])
        assert sync_files(other, [docs]).added == 1


def test_a_sync_in_memory_is_named_too(tmp_path: Path) -> None:
    with opened(tmp_path, backend="memory") as memory:
        database = memory.storage.database
        assert running_sync(database, None) is None
        with sync_lock(database, None):
            assert running_sync(database, None) == "a thread of this process"
        assert running_sync(database, None) is None


@contextmanager
def nameless_sync(memory: Workspace) -> Iterator[None]:
    """The sync lock, held by somebody who has not yet given a name."""
    if memory.path is not None:
        from filelock import FileLock

        with FileLock(f"{memory.path}.sync-lock"):
            yield
        return
    lock = memory.storage.database.work_lock("sync")
    assert lock is not None
    assert lock.acquire(timeout=DEADLINE_S)
    yield
    lock.release()


def test_the_holder_before_the_first_sync(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, nameless_sync(memory):
        assert running_sync(memory.storage.database, memory.path) == _BEGUN


def test_the_holder_is_never_another_process(tmp_path: Path) -> None:
    """Neither one that got the id of an earlier holder, nor one that had the lock before."""
    with opened(tmp_path) as memory, nameless_sync(memory):
        process = {**this_process(), "since": "2026-03-04T12:30:00Z"}

        def holder(**changes: object) -> str | None:
            with memory.storage.database.transaction() as tx:
                write_meta(tx, SYNC_HOLDER, process | changes)
            return running_sync(memory.storage.database, memory.path)

        told = holder()
        assert told is not None
        assert told.startswith(f"process {os.getpid()} (")
        assert told.endswith(", since 2026-03-04T12:30:00Z")
        assert holder(started=process["started"] - 1) == _BEGUN
        elsewhere = holder(started=1, place="another system", host="far")
        assert elsewhere is not None
        assert " on far, since" in elsewhere
        older = {"pid": 7, "host": "near", "since": "2026-03-04T12:30:00Z"}
        with memory.storage.database.transaction() as tx:
            write_meta(tx, SYNC_HOLDER, older)
        assert running_sync(memory.storage.database, memory.path) == (
            "process 7 on near, since 2026-03-04T12:30:00Z"
        )


def test_who_has_released_the_lock_is_its_holder_no_more(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        with memory.sync_lock():
            assert running_sync(memory.storage.database, memory.path) != _BEGUN
        with nameless_sync(memory):
            assert running_sync(memory.storage.database, memory.path) == _BEGUN


@pytest.mark.parametrize("backend", ["sqlite", "memory"])
def test_a_sync_waits_for_another_one(tmp_path: Path, backend: str) -> None:
    with opened(tmp_path, backend=backend) as memory:
        began, told = threading.Event(), threading.Event()

        def hold() -> None:
            with memory.sync_lock():
                began.set()
                assert told.wait(DEADLINE_S)

        holder = threading.Thread(target=hold)
        holder.start()
        assert began.wait(DEADLINE_S)
        lines_told: list[str] = []

        def tell(line: str) -> None:
            lines_told.append(line)
            told.set()

        memory.wait_s, memory.on_wait = DEADLINE_S, tell
        with memory.sync_lock():
            pass
        holder.join()
        (line,) = lines_told
        name = f"process {os.getpid()} (" if backend == "sqlite" else "a thread of this process"
        assert line.startswith(f"waiting for a sync to end: {name}")


def test_a_watcher_and_a_sync_are_at_work_together(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        database, path = memory.storage.database, memory.path
        assert running_watch(database, path) is None
        with watch_lock(database, path):
            assert str(running_watch(database, path)).startswith(f"process {os.getpid()} (")
            with memory.sync_lock():
                pass
            with pytest.raises(BusyError, match="a watch of"), watch_lock(database, path):
                pass
        assert running_watch(database, path) is None


@pytest.mark.sqlite_only(reason="is about the file of a lock")
def test_a_lock_file_that_cannot_be_made(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        (tmp_path / "memory.db.sync-lock").mkdir()
        with (
            pytest.raises(StorageError, match=r"sync-lock cannot be opened"),
            sync_lock(memory.storage.database, memory.path),
        ):
            pass


def test_looking_for_the_holder_never_keeps_a_sync_out(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    sync_files(memory, [docs])
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            running_sync(memory.storage.database, memory.path)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(30):
            assert counts(sync_files(memory)) == {"unchanged": 1}
    finally:
        ended.set()
        watcher.join()


def part_of(word: str) -> str:
    """A text with the word in each of its four chunks."""
    filler = "x " * 80
    parts = (f"## Part {n}\n\nkeyword {word} in part{n} of it {filler}\n" for n in range(4))
    return "\n".join(parts)


VERSIONS = {word: part_of(word) for word in ("sunrise", "nightfall")}


def torn(memory: Workspace, folder: Path) -> list[str]:
    """The files of which a search shows two versions or none, or of which the text is neither."""
    options = SearchOptions(mode="keyword", max_results=1000, all_chunks=True, fold="none")
    seen: dict[str | None, set[bool]] = {str(path): set() for path in folder.iterdir()}
    for hit in search(memory, "keyword", options).results:
        seen.setdefault(hit.file_path, set()).add("sunrise" in hit.text)
    halves = [
        known.path
        for known in documents_of(memory).below([str(folder)]).values()
        if documents_of(memory).text(known) not in VERSIONS.values()
    ]
    return halves + [str(path) for path, words in seen.items() if len(words) != 1]


def test_searches_during_a_sync_see_whole_files(memory: Workspace, docs: Path) -> None:
    names = [f"{n}.md" for n in range(6)]
    write(docs, dict.fromkeys(names, VERSIONS["sunrise"]))
    sync_files(memory, [docs])
    failures: list[BaseException | str] = []
    ended = threading.Event()

    def watch() -> None:
        try:
            while not ended.is_set():
                failures.extend(torn(memory, docs))
        except BaseException as error:  # noqa: BLE001 - the test reports it
            failures.append(error)

    watchers = [threading.Thread(target=watch) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    try:
        for word in ("nightfall", "sunrise") * 6:
            write(docs, dict.fromkeys(names, VERSIONS[word]))
            assert sync_files(memory).updated == 6
    finally:
        ended.set()
        for watcher in watchers:
            watcher.join()
    assert failures == []


@pytest.mark.slow
def test_processes_write_at_once_and_nothing_is_lost(tmp_path: Path, docs: Path) -> None:
    write(docs, {f"{n}.md": document(n, n + 1) for n in range(10)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    writers = [("ingest_many", "amber"), ("ingest_many", "cobalt")]
    run_together([*writers, *[("sync_often", "")] * 2], tmp_path)
    with opened(tmp_path) as memory, opened(tmp_path / "fresh") as fresh:
        found = contents(memory)
        sync_files(fresh, [docs])
        files = contents(fresh)
        assert {path: chunks for path, chunks in found.items() if path in files} == files
        notes = sorted(chunks[0].text for path, chunks in found.items() if path not in files)
        assert notes == sorted(
            f"note {name}x{n} about rivers" for name in ("amber", "cobalt") for n in range(40)
        )
        assert all(chunk.vector for chunks in found.values() for chunk in chunks)


@pytest.mark.slow
def test_two_processes_begin_one_database(tmp_path: Path) -> None:
    run_together([("begin_database", "fake"), ("begin_database", "static")] * 2, tmp_path)
    with opened(tmp_path) as memory:
        rows = memory.storage.database.read("SELECT state, provider FROM spaces")
        assert [state for state, _ in rows] == ["active"]
        found = {chunks[0].text: chunks[0].vector for chunks in contents(memory).values()}
        assert set(found) == {"the first text of fake", "the first text of static"}
        assert found[f"the first text of {rows[0][1]}"] is not None


def test_threads_share_a_workspace(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{n}.md": document(n, n + 1) for n in range(8)})
    sync_files(memory, [docs])
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(10):
                ingest_text(memory, f"thread{number} step{step}", metadata={"n": number})
                assert search(memory, f"thread{number} step{step}").results[0].metadata == {
                    "n": number
                }
        except BaseException as error:  # noqa: BLE001 - the test reports it
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for round_ in range(5):
        write(docs, {f"{n}.md": document(n, n + round_ + 50) for n in range(8)})
        sync_files(memory)
    for thread in threads:
        thread.join()
    assert failures == []
    assert memory.storage.chunks_by_source() == {"file": 16, "text": 40}
    assert known_roots(memory) == [docs]
