"""A database file among other files, other processes, full disks and sudden deaths."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import apsw
import pytest

from contracts import (
    BusyError,
    IncompatibleError,
    KeywordQuery,
    MemError,
    NotFoundError,
    StorageError,
)
from memory.conversations.turns.store import TurnStore
from memory.retrieval.server_caches import AT_ONCE
from memory.storage.meta import write_meta
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.connection import MAPPED_BYTES, connect, is_immutable, vec_extension
from memory.storage.sqlite.database import IDLE_CONNECTIONS, SqliteDatabase
from memory.storage.sqlite.header import APPLICATION_ID
from tests.memory.storage.old_database import old_database
from tests.memory.storage.oracle import EVERYTHING, SPACE, World, new_chunk
from tests.memory.storage.processes import write_owner
from tests.permissions import ordinary_user
from tests.repository import ROOT
from tests.waiting import output_of

ALPHA = KeywordQuery(words=("alpha",))


@contextmanager
def other_process(task: str, path: Path, name: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.memory.storage.processes", task, str(path), name]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def run_together(task: str, path: Path, names: list[str]) -> None:
    """Start them all, let them go at once, and see each of them end well."""
    first, *others = names
    with other_process(task, path, first) as process:
        if others:
            run_together_with(process, task, path, others)
        else:
            assert said(process) == "ready"
        output_of(process, "go\n")
    assert process.returncode == 0


def run_together_with(
    process: subprocess.Popen[str], task: str, path: Path, others: list[str]
) -> None:
    assert said(process) == "ready"
    run_together(task, path, others)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.db"


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    opened = SqliteStorage.open(path, create=True)
    yield opened
    opened.close()


def check_undamaged(storage: SqliteStorage) -> None:
    assert storage.database.read("PRAGMA integrity_check") == [("ok",)]
    assert storage.database.read("PRAGMA foreign_key_check") == []
    with storage.database.transaction() as tx:
        tx.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')")
    found = storage.keyword_candidates(ALPHA, EVERYTHING, limit=1_000_000)
    assert len(found) == storage.count_chunks()


# Files


def test_a_new_database_belongs_to_its_user_alone(path: Path, storage: SqliteStorage) -> None:
    World(storage).put_texts("f1", "alpha")
    assert path.parent.stat().st_mode & 0o777 == 0o700
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


def test_closing_leaves_one_file_that_opens_again(path: Path) -> None:
    first = SqliteStorage.open(path, create=True)
    World(first).put_texts("f1", "alpha")
    first.close()
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]
    second = SqliteStorage.open(path, create=False)
    assert second.count_chunks() == 1
    second.close()


def test_nothing_is_made_where_nothing_was_asked_for(path: Path) -> None:
    with pytest.raises(NotFoundError, match="no database at"):
        SqliteStorage.open(path, create=False)
    assert not path.parent.exists()


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    storage = SqliteStorage.open(path, create=False)
    World(storage).put_texts("f1", "alpha")
    check_undamaged(storage)
    storage.close()


def test_a_relative_path_survives_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second thread opens a connection of its own, from another folder."""
    monkeypatch.chdir(tmp_path)
    storage = SqliteStorage.open(Path("memory.db"), create=True)
    write_owner(storage, "old", 5)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with storage.database.connection(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(storage.count_chunks).result() == 5
    assert storage.size_bytes() > 4096
    storage.close()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_file_may_have_the_name_of_a_database_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    SqliteStorage.open(Path(":memory:"), create=True).close()
    assert (tmp_path / ":memory:").stat().st_size > 4096


def make_foreign(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").fetchall()
    connection.close()


def make_foreign_empty(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", 7)
    connection.close()


def make_of_version(path: Path, version: int) -> None:
    storage = SqliteStorage.open(path, create=True)
    with storage.database.connection() as connection:
        connection.pragma("user_version", version)
    storage.close()


REFUSED: dict[str, tuple[Callable[[Path], object], type[MemError], str]] = {
    "text": (lambda path: path.write_text("# Notes\n" * 200), IncompatibleError, "not a SQLite"),
    "a few bytes": (lambda path: path.write_bytes(b"\0\0"), IncompatibleError, "not a SQLite"),
    "another program's": (make_foreign, IncompatibleError, "another program"),
    "another program's, without tables": (
        make_foreign_empty,
        IncompatibleError,
        "another program",
    ),
    "a newer version's": (
        lambda path: make_of_version(path, 999),
        IncompatibleError,
        "has version 999, this program knows versions up to",
    ),
    "an older version's": (
        lambda path: make_of_version(path, 11),
        IncompatibleError,
        "has version 11, this program knows versions from 12",
    ),
}


@pytest.mark.parametrize("create", [True, False], ids=["create", "open"])
@pytest.mark.parametrize("make, error, match", REFUSED.values(), ids=REFUSED)
def test_a_refused_file_stays_as_it_was(
    tmp_path: Path,
    make: Callable[[Path], object],
    error: type[MemError],
    match: str,
    *,
    create: bool,
) -> None:
    path = tmp_path / "memory.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(error, match=match) as caught:
        SqliteStorage.open(path, create=create)
    assert caught.value.hint
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_the_write_ahead_log_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Another program died and left a log; the first to close the database would empty it."""
    path = tmp_path / "theirs.db"
    script = (
        "import apsw, os, sys; c = apsw.Connection(sys.argv[1]); c.pragma('journal_mode', 'wal');"
        "c.execute('CREATE TABLE theirs (x)').fetchall(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    log = tmp_path / "theirs.db-wal"
    before = path.read_bytes(), log.read_bytes()
    with pytest.raises(IncompatibleError, match="another program"):
        SqliteStorage.open(path, create=True)
    assert (path.read_bytes(), log.read_bytes()) == before


PLACES = {
    "a folder": ("", "is a folder"),
    "below a file": ("file/memory.db", "cannot be opened: File exists: .*/file "),
    "a name too long": ("x" * 300, "cannot be opened: File name too long"),
}


@pytest.mark.parametrize("name, match", PLACES.values(), ids=PLACES)
def test_places_where_no_file_can_be(tmp_path: Path, name: str, match: str) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(StorageError, match=match):
        SqliteStorage.open(tmp_path / name, create=True)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


FORBIDDEN = {
    "a folder that is read-only": ("new.db", 0o555, 0o644, "Permission denied"),
    "a folder that is closed": ("memory.db", 0o000, 0o644, "Permission denied"),
    "a file that is closed": ("memory.db", 0o755, 0o000, "is read-only for this user"),
    "a file that is read-only": ("memory.db", 0o777, 0o444, "is read-only for this user"),
    "a file and a folder": ("memory.db", 0o555, 0o444, "is read-only for this user"),
}


@pytest.mark.parametrize("name, folder_mode, mode, match", FORBIDDEN.values(), ids=FORBIDDEN)
def test_places_that_are_not_permitted(name: str, folder_mode: int, mode: int, match: str) -> None:
    # pytest's own folders are closed to others. An open database keeps the extension loaded.
    loaded = SqliteStorage.in_memory()
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / "data"
        storage = SqliteStorage.open(folder / "memory.db", create=True)
        write_owner(storage, "old", 5)
        storage.close()
        before = (folder / "memory.db").read_bytes()
        (folder / "memory.db").chmod(mode)
        folder.chmod(folder_mode)
        with ordinary_user(), pytest.raises(StorageError, match=match):
            SqliteStorage.open(folder / name, create=True)
        folder.chmod(0o755)
        (folder / "memory.db").chmod(0o644)
        assert (folder / "memory.db").read_bytes() == before
        assert [file.name for file in folder.iterdir()] == ["memory.db"]
    loaded.close()


def test_a_file_that_was_read_only_for_a_while_is_written_again() -> None:
    """By an earlier version, too, which left a log and its index that could not be written."""
    loaded = SqliteStorage.in_memory()
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o777)
        file = Path(outer) / "memory.db"
        with ordinary_user():
            with closing(SqliteStorage.open(file, create=True)) as storage:
                write_owner(storage, "old", 5)
            file.chmod(0o444)
            with pytest.raises(StorageError, match="is read-only for this user"):
                SqliteStorage.open(file, create=True)
            assert [each.name for each in Path(outer).iterdir()] == ["memory.db"]
            left = connect(str(file))  # as an earlier version did
            left.execute("SELECT count(*) FROM files").fetchall()
            file.chmod(0o600)
            modes = [each.stat().st_mode & 0o777 for each in Path(outer).iterdir() if each != file]
            assert modes == [0o444, 0o444]
            with closing(SqliteStorage.open(file, create=True)) as storage:
                write_owner(storage, "new", 3)
                assert storage.count_chunks() == 8
            left.close()
    loaded.close()


def test_what_could_only_be_read_is_looked_at_again() -> None:
    """In a long process: others write to it, another takes its place, this user may write."""
    loaded = SqliteStorage.in_memory()
    query = KeywordQuery(words=("alpha",))
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        file = Path(outer) / "data" / "memory.db"
        with closing(SqliteStorage.open(file, create=True)) as storage:
            write_owner(storage, "old", 5)
        file.chmod(0o644)
        file.parent.chmod(0o755)
        with ordinary_user():
            reading = SqliteStorage.open(file, create=False)
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=99)) == 5
        with closing(SqliteStorage.open(file.with_name("other.db"), create=True)) as storage:
            write_owner(storage, "other", 2)
        file.with_name("other.db").replace(file)
        file.chmod(0o644)
        with ordinary_user():
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=99)) == 2
        writing = SqliteStorage.open(file, create=False)
        write_owner(writing, "new", 3)
        for name in file.parent.iterdir():
            name.chmod(0o644)
        with ordinary_user():
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=99)) == 5
        writing.close()
        with ordinary_user(), reading.database.snapshot():
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=99)) == 5
        file.parent.chmod(0o777)
        for name in file.parent.iterdir():
            name.chmod(0o666)
        with ordinary_user():
            write_owner(reading, "own", 4)
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=99)) == 9
            reading.close()
    loaded.close()


READABLE = {
    "a file and a folder": (0o555, 0o444),
    "a file": (0o755, 0o444),
    "a folder": (0o555, 0o644),
}


@pytest.mark.parametrize("folder_mode, mode", READABLE.values(), ids=READABLE)
def test_what_may_only_be_read_is_read(folder_mode: int, mode: int) -> None:
    loaded = SqliteStorage.in_memory()
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        file = Path(outer) / "data" / "100% of it?.db"
        storage = SqliteStorage.open(file, create=True)
        write_owner(storage, "old", 5)
        file.chmod(mode)
        file.parent.chmod(folder_mode)
        with ordinary_user():
            assert not is_immutable(file), "somebody has it open for writing"
        storage.close()
        before = file.read_bytes()
        with ordinary_user():
            reading = SqliteStorage.open(file, create=False)
            query = KeywordQuery(words=("alpha",))
            assert len(reading.keyword_candidates(query, EVERYTHING, limit=9)) == 5
            assert reading.document_frequencies(["alpha"]) == {"alpha": 5}
            with pytest.raises(StorageError, match="attempt to write a readonly database"):
                write_owner(reading, "new", 1)
            reading.close()
        assert [name.name for name in file.parent.iterdir()] == [file.name]
        file.parent.chmod(0o755)
        assert file.read_bytes() == before
    loaded.close()


def test_tables_to_make_in_a_file_that_may_only_be_read_are_refused() -> None:
    loaded = SqliteStorage.in_memory()
    with TemporaryDirectory() as outer:
        file = Path(outer) / "memory.db"
        file.touch()
        connection = connect(str(file))
        connection.pragma("application_id", APPLICATION_ID)
        connection.close()
        file.chmod(0o444)
        Path(outer).chmod(0o555)
        with ordinary_user(), pytest.raises(StorageError, match="readonly database"):
            SqliteStorage.open(file, create=False)
        Path(outer).chmod(0o755)
    loaded.close()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
def test_a_folder_that_takes_no_files() -> None:
    with pytest.raises(StorageError, match="cannot be opened: No such file"):
        SqliteStorage.open(Path("/proc/memory.db"), create=True)


# Disks


def test_a_damaged_file_is_named_as_such(path: Path) -> None:
    storage = SqliteStorage.open(path, create=True)
    World(storage).put_texts("f1", *(f"alpha {number} " * 40 for number in range(300)))
    storage.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(StorageError, match="is damaged"):
        SqliteStorage.open(path, create=False).chunk_rows([1, 2, 3])


def test_a_disk_that_takes_no_more(path: Path, storage: SqliteStorage) -> None:
    """The error of a file size limit, in a process of its own: the database stays whole."""
    write_owner(storage, "old", 5)
    with other_process("fill_disk", path, "big") as process:
        out, _ = output_of(process)
    assert process.returncode == 0
    assert out.startswith("storage: the disk failed on")
    assert storage.count_chunks() == 6
    check_undamaged(storage)


def test_a_full_database(storage: SqliteStorage) -> None:
    write_owner(storage, "old", 5)
    with storage.database.connection() as connection:
        pages = connection.pragma("page_count")
        connection.pragma("max_page_count", pages)
    with pytest.raises(StorageError, match="is full"):
        write_owner(storage, "big", 3000)
    with storage.database.connection() as connection:
        connection.pragma("max_page_count", 1_000_000)
    assert storage.count_chunks() == 5
    check_undamaged(storage)


def test_a_database_that_may_only_be_read(storage: SqliteStorage) -> None:
    write_owner(storage, "old", 5)
    with storage.database.connection() as connection:
        connection.pragma("query_only", 1)
    with pytest.raises(StorageError, match="cannot be opened for writing"):
        write_owner(storage, "new", 1)
    assert storage.count_chunks() == 5


def test_without_its_extension_it_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    vec_extension.cache_clear()
    with pytest.raises(StorageError, match="pip install sqlite-vec"):
        SqliteStorage.open(path, create=True)


# Processes


def test_a_process_killed_while_writing_leaves_the_last_commit(
    path: Path, storage: SqliteStorage
) -> None:
    write_owner(storage, "old", 5)
    before = storage.sequence()
    with other_process("die_writing", path, "new") as process:
        assert said(process) == "ready"
        process.kill()
    assert (path.parent / "memory.db-wal").stat().st_size > 1_000_000
    again = SqliteStorage.open(path, create=False)
    assert (again.count_chunks(), again.sequence()) == (5, before)
    check_undamaged(again)
    write_owner(again, "new", 2)
    assert storage.count_chunks() == 7
    again.close()


@pytest.mark.slow
def test_several_processes_create_one_database(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "memory.db"
    run_together("create_and_write", path, ["a", "b", "c", "d"])
    storage = SqliteStorage.open(path, create=False)
    assert storage.count_chunks() == 12
    check_undamaged(storage)
    storage.close()


@pytest.mark.slow
def test_processes_write_by_turns(path: Path, storage: SqliteStorage) -> None:
    run_together("write_often", path, ["a", "b"])
    assert storage.count_chunks() == 2 * 4 * 10
    inserted, deleted = 40 * 10, 36 * 10
    assert storage.sequence() == 2 * (inserted + deleted)
    check_undamaged(storage)


def test_a_transaction_is_a_writer_from_its_beginning(path: Path, storage: SqliteStorage) -> None:
    """One that only becomes a writer later may find that it read an older state."""
    other = apsw.Connection(str(path))
    with storage.database.transaction(), pytest.raises(apsw.BusyError, match="locked"):
        other.execute("BEGIN IMMEDIATE").fetchall()
    other.close()


def test_who_waits_too_long_for_another_writer_is_told(path: Path, storage: SqliteStorage) -> None:
    with storage.database.connection() as connection:
        connection.set_busy_timeout(1)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE").fetchall()
    with pytest.raises(BusyError, match="has been writing to"):
        write_owner(storage, "new", 1)
    other.execute("ROLLBACK").fetchall()
    other.close()
    write_owner(storage, "new", 1)
    assert storage.count_chunks() == 1


def test_a_new_database_waits_for_others_to_switch_its_mode(path: Path) -> None:
    """SQLite itself does not wait when the journal mode is changed."""
    path.parent.mkdir()
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE").fetchall()
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(SqliteStorage.open, path, create=True)
        assert wait([opening], timeout=0.2).not_done
        other.execute("ROLLBACK").fetchall()
        opening.result(60).close()
    assert other.pragma("journal_mode") == "wal"
    other.close()


def test_a_copy_without_a_write_ahead_log_gets_one(path: Path, storage: SqliteStorage) -> None:
    write_owner(storage, "old", 5)
    copy = path.parent / "copy.db"
    storage.database.read("VACUUM INTO :copy", {"copy": str(copy)})
    again = SqliteStorage.open(copy, create=False)
    assert again.database.read("PRAGMA journal_mode") == [("wal",)]
    check_undamaged(again)
    again.close()


# The pool


def test_connections_are_used_again_and_few_are_kept(path: Path, storage: SqliteStorage) -> None:
    def open_connections() -> int:
        return [connection.filename for connection in apsw.connections()].count(str(path))

    def use_at_once(threads: int) -> None:
        everyone = Barrier(threads)

        def hold_one() -> None:
            with storage.database.connection():
                everyone.wait(30)

        with ThreadPoolExecutor(threads) as pool:
            for future in [pool.submit(hold_one) for _ in range(threads)]:
                future.result()
        assert storage.database.read("SELECT 1") == [(1,)]

    use_at_once(3)
    assert open_connections() == 3
    use_at_once(2)
    assert open_connections() == 3
    use_at_once(30)
    assert open_connections() == IDLE_CONNECTIONS
    with storage.database.connection():
        storage.close()
        assert open_connections() == 1
    assert open_connections() == 0


def test_a_refused_database_keeps_no_connection(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    make_foreign(path)
    with pytest.raises(IncompatibleError, match="another program"):
        SqliteStorage.open(path, create=True)
    assert str(path) not in [connection.filename for connection in apsw.connections()]


def test_a_snapshot_stays_as_it_was_while_others_write(storage: SqliteStorage) -> None:
    write_owner(storage, "old", 5)
    with ThreadPoolExecutor(1) as other, storage.database.snapshot():
        assert storage.count_chunks() == 5
        other.submit(write_owner, storage, "new", 3).result()
        assert storage.count_chunks() == 5
        with storage.database.snapshot():
            assert storage.count_chunks() == 5
        assert other.submit(storage.count_chunks).result() == 8
    assert storage.count_chunks() == 8


def test_what_is_read_at_once_waits_for_nobody(tmp_path: Path) -> None:
    path = str(tmp_path / "plain.db")  # its log is not a write-ahead one: a writer stops readers
    sql = "SELECT word FROM words"
    with closing(apsw.Connection(path)) as writer, closing(SqliteDatabase(path)) as database:
        writer.execute("CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('ferry')")
        assert database.read_at_once(sql) is None  # there is no connection yet
        assert database.read(sql) == database.read_at_once(sql) == [("ferry",)]
        writer.execute("BEGIN EXCLUSIVE")
        assert database.read_at_once(sql) is None
        writer.execute("COMMIT")
        assert database.read_at_once(sql) == [("ferry",)]
    with closing(SqliteDatabase(":memory:")) as only:
        assert only.read_at_once("SELECT 1") is None  # its one connection may be in use


def test_what_is_read_once_is_of_its_snapshot_alone(storage: SqliteStorage) -> None:
    sql = "SELECT count(*) FROM chunks"
    database = storage.database
    write_owner(storage, "old", 5)
    with ThreadPoolExecutor(1) as other, database.snapshot():
        assert database.read_once(sql) == [(5,)]
        other.submit(write_owner, storage, "new", 3).result()
        assert database.read_once(sql) is database.read_once(sql)
        assert database.read_once(sql) == [(5,)]
        assert other.submit(database.read_once, sql).result() == [(8,)]
    assert database.read_once(sql) == [(8,)]
    with database.transaction() as tx:
        assert database.read_once(sql) == [(8,)]
        tx.run("DELETE FROM chunks WHERE owner_id = 'old'")
        with database.snapshot():
            assert database.read_once(sql) == [(3,)]
    with pytest.raises(StorageError, match="no such table"), database.snapshot():
        database.read_once("SELECT 1 FROM missing_table")
    write_owner(storage, "newer", 1)
    assert database.read_once(sql) == [(4,)]


def test_a_snapshot_that_the_disk_has_ended_tells_of_the_disk(storage: SqliteStorage) -> None:
    def fail() -> None:
        with storage.database.snapshot(), storage.database.connection() as connection:
            connection.execute("ROLLBACK")  # as SQLite does by itself after such an error
            raise apsw.IOError("disk I/O error")

    with pytest.raises(StorageError, match="disk failed"):
        fail()


def test_a_snapshot_keeps_the_tables_that_reading_words_needs(storage: SqliteStorage) -> None:
    """Without them the next search would have SQLite read its whole schema again."""
    made = "SELECT count(*) FROM temp.sqlite_master WHERE name = 'chunks_vocabulary'"
    for _ in range(2):
        with storage.database.snapshot():
            storage.document_frequencies(["alpha"])
        assert storage.database.read(made) == [(1,)]


def test_words_are_looked_for_at_one_moment(path: Path, storage: SqliteStorage) -> None:
    """Somebody begins to chunk again between the statements that one search consists of."""
    world = World(storage)
    world.add_space()
    (found,) = world.put_texts("f", "alpha")

    def cut_anew(cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        if "MATCH" in sql:
            cursor.connection.exec_trace = None
            with closing(SqliteStorage.open(path, create=False)) as other:
                beside = World(other)
                space = beside.add_space(SPACE._replace(generation="g2", state="filling"))
                beside.put("f", [new_chunk("alpha", n=1)], generation="g2")
                beside.add_keywords(space, beside.rows)
        return True

    with storage.database.connection() as connection:
        connection.exec_trace = cut_anew
    hits = storage.keyword_candidates(ALPHA, EVERYTHING, limit=9)
    assert [hit.chunk_id for hit in hits] == [found]
    assert len(storage.database.read("SELECT 1 FROM chunks")) == 2


def test_a_snapshot_inside_a_transaction_sees_it(storage: SqliteStorage) -> None:
    with storage.database.transaction() as tx:
        tx.run("INSERT INTO roots (path, added_at) VALUES ('/a', '')")
        with storage.database.snapshot():
            assert storage.database.read("SELECT path FROM roots") == [("/a",)]
    assert storage.database.read("SELECT path FROM roots") == [("/a",)]


def mapped_bytes(database: SqliteDatabase, *, connections: int) -> list[int]:
    """The bytes that each of so many connections maps that are in use at once, most first."""
    all_in_use = Barrier(connections)

    def bytes_of_one(_number: int) -> int:
        with database.connection() as connection:
            all_in_use.wait(timeout=60)
            return int(connection.pragma("mmap_size"))

    with ThreadPoolExecutor(connections) as threads:
        return sorted(threads.map(bytes_of_one, range(connections)), reverse=True)


def test_the_connections_of_searches_at_once_map_the_file(tmp_path: Path) -> None:
    storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    with storage.database.transaction() as tx:
        tx.run("INSERT INTO roots VALUES ('/docs', '')")
    assert storage.database.read("PRAGMA mmap_size")[0][0] > 0
    storage.database.use_less_memory()
    for _ in range(2):
        mapped = mapped_bytes(storage.database, connections=AT_ONCE + 2)
        assert mapped == [*[MAPPED_BYTES] * AT_ONCE, 0, 0]
    assert storage.database.read("SELECT path FROM roots") == [("/docs",)]
    storage.close()
    passing = SqliteStorage.in_memory()
    with passing.database.transaction() as tx:
        tx.run("INSERT INTO roots VALUES ('/docs', '')")
    passing.database.use_less_memory()
    assert passing.database.read("SELECT path FROM roots") == [("/docs",)]
    passing.close()


def test_a_file_of_an_older_version_that_may_only_be_read_is_read() -> None:
    loaded = SqliteStorage.in_memory()
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / "data"
        folder.mkdir()
        file = old_database(12, folder)
        before = file.read_bytes()
        file.chmod(0o444)
        folder.chmod(0o555)
        with ordinary_user():
            reading = SqliteStorage.open(file, create=False)
            assert reading.count_chunks() == 12
            assert TurnStore(reading.database).has_inserted() is False
            reading.close()
        folder.chmod(0o755)
        assert file.read_bytes() == before
    loaded.close()


def test_facts_are_read_again_only_after_a_write(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    storage, other = SqliteStorage.open(path, create=True), SqliteStorage.open(path, create=False)
    sql = "SELECT key FROM meta WHERE key LIKE 'fact %' ORDER BY key"

    def facts() -> list[tuple[object, ...]]:
        with storage.database.snapshot():
            return storage.database.read_once(sql)

    def write(database: SqliteDatabase, key: str) -> None:
        with database.transaction() as tx:
            write_meta(tx, key, 1)

    assert facts() == []
    assert facts() is facts()
    write(other.database, "fact 1")
    assert facts() == [("fact 1",)]
    write(storage.database, "fact 2")
    assert facts() == [("fact 1",), ("fact 2",)]
    with storage.database.connection() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'fact 1'").fetchall()
    assert facts() == [("fact 2",)]
    with storage.database.snapshot():
        write(other.database, "fact 3")
        assert storage.database.read_once(sql) == [("fact 2",)]
    assert facts() == [("fact 2",), ("fact 3",)]
    storage.close()
    other.close()
