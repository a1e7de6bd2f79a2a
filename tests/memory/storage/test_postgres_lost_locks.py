"""A lock of work whose connection the server ends: its holder notices, and writes nothing more."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from contracts import BusyError, MemError
from memory.files.ingestion import sync_files
from memory.files.watching.watcher import remember
from memory.storage import utc_now
from memory.storage.database import WorkLockLostError
from memory.storage.meta import WATCH_HOLDER, write_meta
from memory.storage.process_locks import Lease, running_sync, running_watch, watch_lock
from memory.storage.process_names import this_process
from memory.workspace import Workspace
from tests.memory.children import kill, lines, start
from tests.memory.databases import contents, counts, document, opened, write
from tests.memory.files.watcher_thread import finds, watching
from tests.memory.storage.lost_locks import end_lock
from tests.postgres_server import PostgresServer, missing_packages, schema_of
from tests.waiting import DEADLINE_S, wait_until

if not missing_packages():
    from memory.storage.postgres.work_locks import lock_number
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)


@pytest.fixture
def shared(
    tmp_path: Path, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    """A memory on the server, which the processes of `tests.memory.processes` open, too."""
    monkeypatch.setenv("MEM_TEST_BACKEND", "postgres")
    monkeypatch.setenv("MEM_TEST_DSN", postgres_server.dsn)
    place = {"backend": "postgres", "dsn": postgres_server.dsn, "schema": schema_of(tmp_path)}
    with opened(tmp_path, **place) as memory:
        yield memory


@contextmanager
def taken_from_watcher(memory: Workspace) -> Iterator[None]:
    """The lock of the watcher, for this process: the watcher may be quicker to take it again."""
    with ExitStack() as stack:
        taken = False
        while not taken:
            end_lock(memory, "watch")
            with suppress(BusyError):
                stack.enter_context(watch_lock(memory.storage.database, None))
                taken = True
        yield


def write_something(memory: Workspace) -> None:
    with memory.storage.database.transaction() as tx:
        tx.run("INSERT INTO meta VALUES ('x', '1') ON CONFLICT (key) DO NOTHING")


def test_who_lost_a_lock_writes_nothing_more_and_keeps_its_name_to_itself(
    shared: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(WorkLockLostError, match="held the lock of this sync was lost"):  # noqa: PT012, SIM117
        with shared.sync_lock():
            write_something(shared)
            end_lock(shared, "sync")
            process = start("hold_work_lock", tmp_path, "sync")
            assert next(lines(process)) == "ready"
            write_something(shared)
    database = shared.storage.database
    assert f"process {process.pid} " in str(running_sync(database, None))
    write_something(shared)  # outside of the block nothing depends on the lock
    shared.wait_s = 0.0
    with pytest.raises(BusyError, match="a sync of this database is running"), shared.sync_lock():
        pass
    kill(process)


def test_the_next_holder_begins_after_the_transaction_of_the_former(
    shared: Workspace, tmp_path: Path
) -> None:
    began = threading.Event()
    with shared.sync_lock():
        with shared.storage.database.transaction() as tx:
            end_lock(shared, "sync")
            process = start("hold_work_lock", tmp_path, "sync")
            told = threading.Thread(target=lambda: (next(lines(process)), began.set()))
            told.start()
            wait_until(shared.storage.database.work_lock("sync").locked)
            assert not began.wait(0.3)
            tx.run("INSERT INTO meta VALUES ('x', '1')")
        assert began.wait(DEADLINE_S)
        told.join()
        with pytest.raises(WorkLockLostError):
            write_something(shared)
    kill(process)
    assert shared.storage.database.read("SELECT 1 FROM meta WHERE key = 'x'") == [(1,)]


def test_other_threads_write_on(shared: Workspace) -> None:
    failed: list[MemError] = []

    def write_beside() -> None:
        try:
            write_something(shared)
        except MemError as error:
            failed.append(error)

    with shared.sync_lock():
        end_lock(shared, "sync")
        thread = threading.Thread(target=write_beside)
        thread.start()
        thread.join()
    assert failed == []


def test_a_sync_that_lost_its_lock_is_completed_by_the_next(shared: Workspace, docs: Path) -> None:
    write(docs, {f"{number}.md": document(number) for number in range(12)})
    ended: list[int] = []

    def lose(_progress: object) -> None:
        if len(ended) == 5:
            end_lock(shared, "sync")
        ended.append(1)

    with pytest.raises(WorkLockLostError):
        sync_files(shared, [docs], progress=lose)
    done = len(contents(shared))
    assert done < 12
    assert sync_files(shared, [docs]).added == 12 - done
    assert counts(sync_files(shared)) == {"unchanged": 12}


def test_a_sync_is_saved_whose_index_of_vectors_waits(
    shared: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In use, or its lock lost: so many new chunks are compacted, too."""
    monkeypatch.setattr(shared.storage, "_indexed_from", 1)
    write(docs, {"0.md": document(0)})
    assert sync_files(shared, [docs]).warnings == []
    database = shared.storage.database
    index = f"{database.quoted_schema}.vectors_1_near"
    with database.connect() as other:
        other.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass",
                      (index,))  # fmt: skip
        other.execute(f"BEGIN; SELECT count(*) FROM {database.quoted_schema}.vectors_1")
        write(docs, {"1.md": document(1)})
        (told,) = sync_files(shared, [docs]).warnings
        assert "have no index, and searches take longer: the vectors have been in use" in told
        write(docs, {"2.md": document(2)})
        with ThreadPoolExecutor(1) as threads:
            synced = threads.submit(sync_files, shared, [docs])
            waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
            table = f"{database.quoted_schema}.vectors_1"
            wait_until(lambda: other.execute(waiting, (table,)).fetchone())
            end_lock(shared, "index of vectors")
            other.execute("COMMIT")
            (told,) = synced.result(DEADLINE_S).warnings
        assert "the lock of this index of vectors was lost" in told
    assert sync_files(shared, [docs]).warnings == []


def test_a_watcher_takes_its_lock_again(shared: Workspace, docs: Path) -> None:
    write(docs, {"first.md": "The first file tells of marmalade.\n"})
    remember(shared, [docs])
    with watching(shared) as at_work:
        end_lock(shared, "watch")
        write(docs, {"second.md": "The second file tells of zeppelins.\n"})
        wait_until(lambda: finds(shared, "zeppelins") == {"second.md"})
        assert running_watch(shared.storage.database, None) is not None
        assert [trouble.error for trouble in at_work.troubles] == ["database-unavailable"]


def test_a_watcher_waits_for_its_own_lock_to_end(shared: Workspace, docs: Path) -> None:
    """The server frees the lock of a lost connection once it notices the loss."""
    write(docs, {"first.md": "The first file tells of marmalade.\n"})
    remember(shared, [docs])
    with watching(shared) as at_work:
        with taken_from_watcher(shared):
            write(docs, {"second.md": "The second file tells of zeppelins.\n"})
            at_work.thread.join(2)
            assert at_work.thread.is_alive()
        wait_until(lambda: finds(shared, "zeppelins") == {"second.md"})
        assert at_work.error is None


def test_a_watcher_ends_when_another_watches_by_then(shared: Workspace, docs: Path) -> None:
    write(docs, {"first.md": "The first file tells of marmalade.\n"})
    remember(shared, [docs])
    with watching(shared) as at_work:
        with taken_from_watcher(shared):
            with shared.storage.database.transaction() as tx:
                write_meta(tx, WATCH_HOLDER, {**this_process(), "pid": 7, "since": utc_now()})
            write(docs, {"second.md": "The second file tells of zeppelins.\n"})
            at_work.thread.join(DEADLINE_S)
        assert isinstance(at_work.error, BusyError)


def test_a_lease_that_was_lost_is_taken_again_unless_another_has_it(shared: Workspace) -> None:
    database = shared.storage.database
    first, second = Lease("jobs", database, None), Lease("jobs", database, None)
    assert first.take()
    assert not second.take()
    end_lock(shared, "jobs")
    assert first.take()
    end_lock(shared, "jobs")
    assert second.take()
    assert not first.take()
    second.close()
    assert first.take()
    first.close()


def test_the_connection_of_a_lock_holds_back_no_vacuum(shared: Workspace) -> None:
    sql = """SELECT state, backend_xmin, backend_xid FROM pg_stat_activity AS a
        JOIN pg_locks AS l USING (pid) WHERE l.locktype = 'advisory'
        AND (l.classid::bigint << 32 | l.objid::bigint) = :number"""
    with shared.sync_lock():
        number = lock_number(shared.storage.database.schema, "sync")
        found = shared.storage.database.read(sql, {"number": number})
    assert found == [("idle in transaction", None, None)]
