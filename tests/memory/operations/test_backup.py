"""Backups are whole, of one moment, and come back while others have the database open."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from contracts import BusyError, IncompatibleError, InputError, NotFoundError, StorageError
from memory.config.loading import load_config
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.index.record_hooks import all_hooks
from memory.operations.backup import back_up
from memory.operations.changes import read_changes
from memory.operations.compact import compact
from memory.operations.manage import delete_record
from memory.operations.restore import restore
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.retrieval.server_caches import memory_index_of, start_server_caches
from memory.storage.atomic_files import partial_copy
from memory.storage.process_locks import sync_lock
from memory.storage.sqlite.files.copying import LOG_GAP
from memory.workspace import Workspace
from tests.memory.databases import opened, write
from tests.memory.files.watcher_thread import finds, watching
from tests.permissions import ordinary_user
from tests.waiting import wait_until

pytestmark = pytest.mark.sqlite_only(reason="is about files")

_NOW = "'2026-03-04T10:00:00.000000Z'"
CONTENT = {
    "roots": f"INSERT INTO roots VALUES ('/a', {_NOW})",
    "files": f"""INSERT INTO files (id, path, hash, size, mtime, mtime_ns, state, created_at,
        updated_at) VALUES ('a', '/a', '', 0, {_NOW}, 0, 'pending', {_NOW}, {_NOW})""",
    "sessions": f"INSERT INTO sessions VALUES ('s', 1, {_NOW})",
    "turns": f"""INSERT INTO turns (session_id, ts, role, text, digest, recorded_at)
        VALUES ('s', {_NOW}, 'user', 'The heron waits.', x'00', {_NOW})""",
    "memories": f"""INSERT INTO memories (layer, content, created_at, occurred_at, updated_at,
        origin, words) VALUES ('mid', 'a', {_NOW}, {_NOW}, {_NOW}, 'user', 'a')""",
    "episodic_memory": """INSERT INTO episodic_memory (session_id, start_message_id,
        end_message_id, summary) VALUES ('s', 1, 1, 'a')""",
    "semantic_memory": """INSERT INTO semantic_memory (entity, relation, target, confidence)
        VALUES ('a', 'b', 'c', 1)""",
    "facts": """INSERT INTO facts (category, key, value, confidence)
        VALUES ('preference', 'tea', 'green', 1)""",
    "people": "INSERT INTO people (name) VALUES ('Ana')",
    "patterns": "INSERT INTO patterns (pattern_type, description) VALUES ('habit', 'walks')",
    "open_loops": "INSERT INTO open_loops (topic) VALUES ('a')",
    "signals": "INSERT INTO signals (signal_type, value) VALUES ('mood', 'good')",
    "removed_messages": "INSERT INTO removed_messages VALUES (x'00')",
}
"""A row of each table with records, or with what a person has set."""


@pytest.fixture
def filled(memory: Workspace, docs: Path) -> Workspace:
    (docs / "river.md").write_text("# River\n\nThe ferry crosses the river at noon.\n")
    (docs / "hill.md").write_text("# Hill\n\nSheep stand on the hill.\n")
    sync_files(memory, [docs])
    return memory


def found(workspace: Workspace, query: str) -> list[str]:
    return [hit.text.split("\n")[-1] for hit in search(workspace, query).results]


def rows(path: Path) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(connection.execute("SELECT path, hash FROM files ORDER BY path"))
    finally:
        connection.close()


def test_a_backup_holds_everything_in_one_file(filled: Workspace, tmp_path: Path) -> None:
    report = back_up(filled, tmp_path / "copy.db")
    assert (report.files, report.chunks) == (2, filled.storage.count_chunks())
    assert report.size_bytes == (tmp_path / "copy.db").stat().st_size
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert rows(tmp_path / "copy.db") == rows(Path(str(filled.path)))
    assert [path.name for path in tmp_path.iterdir() if "copy" in path.name] == ["copy.db"]


def test_a_folder_gets_dated_files_and_keeps_the_newest(filled: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "memory-notes.db").write_text("not one of ours")
    made = [back_up(filled, folder, keep=2) for _ in range(4)]
    left = sorted(str(path) for path in folder.glob("*-2*.db"))
    assert left == [report.path for report in made[2:]]
    assert made[3].removed == [made[1].path]
    assert (folder / "memory-notes.db").exists()


def test_what_cannot_be_a_target_is_refused(filled: Workspace, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        back_up(filled, there)
    with pytest.raises(InputError, match="the database itself"):
        back_up(filled, Path(str(filled.path)), force=True)
    with pytest.raises(InputError, match="is not a folder"):
        back_up(filled, tmp_path / "new.db", keep=1)
    with pytest.raises(NotFoundError, match="there is no folder"):
        back_up(filled, tmp_path / "nowhere" / "new.db")
    assert there.read_text() == "mine"
    back_up(filled, there, force=True)
    assert rows(there) == rows(Path(str(filled.path)))


def test_a_backup_is_of_one_moment_while_others_write(filled: Workspace, tmp_path: Path) -> None:
    """Texts come in pairs, each pair in one transaction; no backup has half a pair."""
    stopping, written = threading.Event(), threading.Event()
    database = filled.storage.database

    def write() -> None:
        number = 0
        while not stopping.is_set():
            with database.transaction() as tx:
                for half in ("a", "b"):
                    sql = "INSERT INTO roots (path, added_at) VALUES (:path, '')"
                    tx.run(sql, {"path": f"/{number}/{half}"})
            number += 1
            written.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            assert written.wait(10)
            written.clear()
            back_up(filled, tmp_path / f"{number}.db")
    finally:
        stopping.set()
        writer.join()
    for number in range(5):
        copy = apsw.Connection(str(tmp_path / f"{number}.db"))
        ((pairs,),) = copy.execute("SELECT count(*) FROM roots WHERE path LIKE '%/a'")
        ((halves,),) = copy.execute("SELECT count(*) FROM roots WHERE path LIKE '%/b'")
        copy.close()
        assert pairs == halves > 0


def test_a_restore_is_seen_by_whoever_has_it_open(filled: Workspace, tmp_path: Path) -> None:
    """A server's indexes in memory and its kept answers follow, too."""
    start_server_caches(filled)
    assert memory_index_of(filled) is not None
    back_up(filled, tmp_path / "copy.db")
    before = filled.storage.sequence()
    ingest_text(filled, "The lighthouse keeper counts gulls.")
    assert "The lighthouse keeper counts gulls." in found(filled, "lighthouse keeper")
    report = restore(filled.loaded, tmp_path / "copy.db")
    assert filled.storage.sequence() > before + LOG_GAP
    assert "The lighthouse keeper counts gulls." not in found(filled, "lighthouse keeper")
    assert "The ferry crosses the river at noon." in found(filled, "ferry")
    assert (report.files, report.damaged) == (2, False)
    assert report.kept is not None
    assert len(rows(Path(report.kept))) == 3


def test_a_restore_is_told_to_followers_of_changes(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "saved.db")
    known = read_changes(filled).next_since
    ingest_text(filled, "a note that the backup lacks")
    newest = read_changes(filled).next_since
    restore(filled.loaded, tmp_path / "saved.db")
    assert known < newest < read_changes(filled).next_since
    for since in (0, known, newest):
        missed = read_changes(filled, since=since)
        assert (missed.changes, missed.missed) == ([], True)
    done = ingest_text(filled, "a note that came after it")
    after = read_changes(filled, since=missed.next_since)
    assert [(each.event, each.id) for each in after.changes] == [("added", done.id)]
    assert not after.missed


def test_conversations_alone_are_kept_too(memory: Workspace, tmp_path: Path) -> None:
    back_up(memory, tmp_path / "empty.db")
    process_turns(memory, [NewTurn("s1", "The heron waits.")])
    report = restore(memory.loaded, tmp_path / "empty.db")
    assert report.kept is not None
    copy = apsw.Connection(report.kept)
    assert copy.execute("SELECT text FROM turns").get == "The heron waits."
    copy.close()


def test_a_database_with_rows_in_any_table_of_its_own_is_kept(
    memory: Workspace, tmp_path: Path
) -> None:
    """Facts and people alone, as any other kind of record, and what was asked not to return."""
    back_up(memory, tmp_path / "empty.db")
    assert restore(memory.loaded, tmp_path / "empty.db").kept is None
    missed = []
    for table, insert in CONTENT.items():
        with memory.storage.database.transaction() as tx:
            if table == "turns":
                tx.run(CONTENT["sessions"])
            tx.run(insert)
        kept = restore(memory.loaded, tmp_path / "empty.db").kept
        if kept is None:
            missed.append(table)
            continue
        with closing(apsw.Connection(kept)) as copy:
            assert copy.execute(f"SELECT count(*) FROM {table}").get == 1
        Path(kept).unlink()
    assert missed == []


def test_every_kind_of_record_is_among_them(memory: Workspace) -> None:
    assert {hooks.table for hooks in all_hooks(memory)} <= set(CONTENT)


def test_a_watcher_looks_at_all_files_after_a_restore(
    filled: Workspace, docs: Path, tmp_path: Path
) -> None:
    back_up(filled, tmp_path / "copy.db")
    with watching(filled) as at_work:
        write(docs, {"sea.md": "# Sea\n\nGulls cry over the sea.\n"})
        wait_until(lambda: finds(filled, "Gulls") == {"sea.md"})
        (docs / "hill.md").write_text("# Hill\n\nGoats stand on the hill.\n")
        wait_until(lambda: finds(filled, "Goats") == {"hill.md"})
        scans = at_work.scans()
        restore(filled.loaded, tmp_path / "copy.db")
        at_work.wait_for(lambda: at_work.scans() > scans)
        assert finds(filled, "Gulls") == {"sea.md"}
        assert finds(filled, "Goats") == {"hill.md"}
        assert not finds(filled, "Sheep")


def test_a_restore_makes_a_database_where_there_is_none(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "copy.db")
    (tmp_path / "other").mkdir()
    with opened(tmp_path / "other") as other:
        loaded, place = other.loaded, Path(str(other.path))
    place.unlink()
    assert restore(loaded, tmp_path / "copy.db").kept is None
    assert rows(place) == rows(tmp_path / "copy.db")
    assert place.stat().st_mode & 0o777 == 0o600


def test_a_backup_with_pages_of_another_size_comes_back(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "copy.db")
    copy = apsw.Connection(str(tmp_path / "copy.db"))
    copy.pragma("page_size", 4096)
    copy.execute("VACUUM").fetchall()
    copy.close()
    before = rows(Path(str(filled.path)))
    ingest_text(filled, "The lighthouse keeper counts gulls.")
    assert restore(filled.loaded, tmp_path / "copy.db").kept
    assert rows(Path(str(filled.path))) == before
    assert found(filled, "who crosses the river") == ["The ferry crosses the river at noon."]


def test_a_log_without_its_database_does_not_reach_the_restored(
    filled: Workspace, tmp_path: Path
) -> None:
    back_up(filled, tmp_path / "copy.db")
    place = Path(str(filled.path))
    ingest_text(filled, "The lighthouse keeper counts gulls.")
    left = Path(f"{place}-wal").read_bytes()
    assert left
    filled.close()
    place.unlink()
    Path(f"{place}-wal").write_bytes(left)
    restore(filled.loaded, tmp_path / "copy.db")
    assert rows(place) == rows(tmp_path / "copy.db")


@pytest.mark.parametrize("is_there", [True, False], ids=["over another", "where none is"])
def test_nobody_is_at_work_who_was_when_the_backup_was_written(
    filled: Workspace, tmp_path: Path, *, is_there: bool
) -> None:
    with watching(filled):
        back_up(filled, tmp_path / "copy.db")
    assert read_status(filled).watcher is None
    if not is_there:
        filled.close()
        Path(str(filled.path)).unlink()
    restore(filled.loaded, tmp_path / "copy.db")
    with opened(tmp_path) as workspace:
        assert read_status(workspace).watcher is None


def test_a_damaged_database_is_kept_and_replaced(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "copy.db")
    loaded, place = filled.loaded, Path(str(filled.path))
    filled.close()
    data = bytearray(place.read_bytes())
    data[16384 : 16384 * 12] = os.urandom(16384 * 11)
    place.write_bytes(data)
    report = restore(loaded, tmp_path / "copy.db")
    assert report.damaged
    assert report.kept is not None
    assert Path(report.kept).read_bytes() == data
    assert rows(place) == rows(tmp_path / "copy.db")


@pytest.mark.parametrize("at", [0, 15, 16, 22, 47, 70])
def test_a_database_with_a_damaged_header_is_kept_and_replaced(
    filled: Workspace, tmp_path: Path, at: int
) -> None:
    back_up(filled, tmp_path / "copy.db")
    loaded, place = filled.loaded, Path(str(filled.path))
    filled.close()
    data = bytearray(place.read_bytes())
    data[at] ^= 0xFF
    place.write_bytes(data)
    report = restore(loaded, tmp_path / "copy.db")
    assert report.damaged
    assert Path(str(report.kept)).read_bytes() == data
    assert rows(place) == rows(tmp_path / "copy.db")


def test_a_database_that_may_not_be_read_is_not_replaced(filled: Workspace) -> None:
    """It is not damaged; only this user may not open it."""
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o777)
        back_up(filled, Path(outer) / "copy.db")
        place = Path(outer) / "memory.db"
        shutil.copyfile(Path(outer) / "copy.db", place)
        (Path(outer) / "copy.db").chmod(0o644)
        place.chmod(0o000)
        configured = load_config(database=place)
        with ordinary_user(), pytest.raises(StorageError, match="unable to open database file"):
            restore(configured, Path(outer) / "copy.db")
        assert sorted(file.name for file in Path(outer).iterdir()) == ["copy.db", "memory.db"]


def test_a_file_of_another_program_is_not_replaced(filled: Workspace, tmp_path: Path) -> None:
    """Nor is a database of a newer version, a folder or a pipe."""
    back_up(filled, tmp_path / "copy.db")
    with closing(apsw.Connection(str(tmp_path / "other.db"))) as other:
        other.execute("CREATE TABLE chunks_fts (x); CREATE TABLE files (x)").fetchall()
    data = bytearray((tmp_path / "other.db").read_bytes())
    data[3] = 0
    (tmp_path / "broken.db").write_bytes(data)
    (tmp_path / "text.db").write_bytes(b"Notes that SYMM and others wrote. " * 9)
    newer = bytearray((tmp_path / "copy.db").read_bytes())
    newer[63] += 1
    (tmp_path / "newer.db").write_bytes(newer)
    for name in ("other.db", "broken.db", "text.db", "newer.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(IncompatibleError, match=r"another program|not a SQLite|has version"):
            restore(load_config(database=tmp_path / name), tmp_path / "copy.db")
        assert (tmp_path / name).read_bytes() == before
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StorageError, match="is a folder"):
        restore(load_config(database=tmp_path / "folder"), tmp_path / "copy.db")
    with pytest.raises(StorageError, match="is not a file"):
        restore(load_config(database=tmp_path / "pipe"), tmp_path / "copy.db")
    assert (tmp_path / "folder").is_dir()
    assert (tmp_path / "pipe").is_fifo()
    assert list(tmp_path.glob("*damaged*")) == []


def test_a_damaged_database_is_named_when_its_backup_is_refused(
    filled: Workspace, tmp_path: Path
) -> None:
    place = Path(str(filled.path))
    filled.close()
    data = bytearray(place.read_bytes())
    data[20] = 0xFF  # so that quick_check tells of pages in several lines
    place.write_bytes(data)
    with opened(tmp_path) as memory, pytest.raises(StorageError, match="is damaged") as refused:
        back_up(memory, tmp_path / "copy.db")
    assert str(place) in refused.value.message
    assert "partial" not in refused.value.message
    assert not {"\n", "***"} & {*refused.value.message.split(" "), *refused.value.message}
    assert "mem restore FILE" in refused.value.hint
    assert list(tmp_path.glob("*copy*")) == []


def test_what_is_no_sound_backup_is_refused(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "copy.db")
    data = bytearray((tmp_path / "copy.db").read_bytes())
    data[16384 * 3 : 16384 * 9] = os.urandom(16384 * 6)
    (tmp_path / "broken.db").write_bytes(data)
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at\n" * 50)
    (tmp_path / "empty.db").touch()
    apsw.Connection(str(tmp_path / "foreign.db")).execute("CREATE TABLE t (x)").fetchall()
    before = rows(Path(str(filled.path)))
    with pytest.raises(StorageError, match="is damaged"):
        restore(filled.loaded, tmp_path / "broken.db")
    with pytest.raises(IncompatibleError, match="not a SQLite database"):
        restore(filled.loaded, tmp_path / "text.db")
    with pytest.raises(IncompatibleError, match="an empty file"):
        restore(filled.loaded, tmp_path / "empty.db")
    with pytest.raises(IncompatibleError, match="another program"):
        restore(filled.loaded, tmp_path / "foreign.db")
    with pytest.raises(NotFoundError, match="there is no file"):
        restore(filled.loaded, tmp_path / "nowhere.db")
    with pytest.raises(InputError, match="the database itself"):
        restore(filled.loaded, Path(str(filled.path)))
    assert rows(Path(str(filled.path))) == before
    assert list(tmp_path.glob(".*partial*")) == []


def test_a_restore_waits_for_nobody_s_sync(filled: Workspace, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "copy.db")
    with (
        sync_lock(filled.storage.database, filled.path),
        pytest.raises(BusyError, match=r"a sync of .* is running"),
    ):
        restore(filled.loaded, tmp_path / "copy.db")


def test_a_memory_without_a_file_can_be_saved_and_not_restored(tmp_path: Path) -> None:
    with opened(tmp_path, backend="memory") as workspace:
        ingest_text(workspace, "The ferry crosses at noon.")
        assert back_up(workspace, tmp_path / "copy.db").files == 0
        with pytest.raises(InputError, match="which has no file"):
            restore(workspace.loaded, tmp_path / "copy.db")
    assert len(rows(tmp_path / "copy.db")) == 1


_RESTORE = """
    import sys
    from pathlib import Path
    import memory.storage.sqlite.files.copying as copying
    from memory.config.loading import load_config
    from memory.operations.restore import restore

    whole = copying._copy_pages

    def slowly(source, target, progress):
        def tell(done, total):
            print(target.filename, flush=True)
            sys.stdin.readline()
        whole(source, target, tell)

    copying.PAGES_AT_ONCE = 1
    copying._copy_pages = slowly
    restore(load_config(database=Path(sys.argv[1])), Path(sys.argv[2]))
"""


def test_a_kill_in_the_middle_of_a_restore_leaves_the_former(
    filled: Workspace, tmp_path: Path
) -> None:
    back_up(filled, tmp_path / "copy.db")
    place = Path(str(filled.path))
    ingest_text(filled, "The lighthouse keeper counts gulls.")
    before = rows(place)
    filled.close()
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_RESTORE), str(place), str(tmp_path / "copy.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pages = 0
        for line in process.stdout:
            pages += line.strip() == str(place)
            if pages == 3:
                break
            process.stdin.write("\n")
            process.stdin.flush()
        assert pages == 3
        process.send_signal(signal.SIGKILL)
    assert rows(place) == before


_ON_A_FULL_DISK = """
    set -eu
    mount -t tmpfs -o size="$3" none "$1/disk"
    cp "$1/memory.db" "$1/disk/memory.db"
    ls -A "$1/disk" > "$1/before"
    "$2" -m cli.main --db "$1/memory.db" backup "$1/disk/copy.db" || echo $?
    "$2" -m cli.main --db "$1/disk/memory.db" restore "$1/memory.db" || echo $?
    ls -A "$1/disk" > "$1/after"
    cmp "$1/memory.db" "$1/disk/memory.db"
"""


def test_a_full_disk_leaves_nothing_behind(memory: Workspace, tmp_path: Path) -> None:
    for number in range(40):
        ingest_text(memory, f"text {number}: " + f"word{number} " * 2000)
    memory.close()
    room = (tmp_path / "memory.db").stat().st_size * 3 // 2
    done = on_a_disk(_ON_A_FULL_DISK, tmp_path, room)
    assert done.stdout.split() == ["9", "9"]
    told = [line for line in done.stderr.splitlines() if line.startswith("mem:")]
    assert [f"the disk that holds {tmp_path / 'disk'}" in line for line in told] == [True] * 2
    assert (tmp_path / "after").read_text() == (tmp_path / "before").read_text()


_READ_ON_A_FULL_DISK = """
    set -eu
    mount -t tmpfs -o size="$3" none "$1/disk"
    cp "$1/memory.db" "$1/disk/memory.db"
    cat /dev/zero > "$1/disk/rest" 2> /dev/null || true
    "$2" -m cli.main --db "$1/disk/memory.db" search word || echo $?
    "$2" -m cli.main --db "$1/disk/memory.db" doctor || echo $?
    rm "$1/disk/rest"
    "$2" -m cli.main --db "$1/disk/memory.db" search word > /dev/null
"""


def test_a_read_on_a_full_disk_says_so(memory: Workspace, tmp_path: Path) -> None:
    ingest_text(memory, "A word about herons.")
    memory.close()
    room = (tmp_path / "memory.db").stat().st_size + 100_000
    done = on_a_disk(_READ_ON_A_FULL_DISK, tmp_path, room)
    assert done.stdout.split() == ["9", "9"]
    told = [line for line in done.stderr.splitlines() if line.startswith("mem:")]
    assert [f"the disk that holds {tmp_path / 'disk'}" in line for line in told] == [True] * 2


def on_a_disk(script: str, folder: Path, room: int) -> "subprocess.CompletedProcess[str]":
    """The result of a script with the folder, a Python and the size of a disk, which it mounts."""
    namespace = ["unshare", "--map-root-user", "--mount"]
    tried = [*namespace, "mount", "-t", "tmpfs", "none", "/mnt"]
    if shutil.which("unshare") is None or subprocess.run(tried, capture_output=True).returncode:
        pytest.skip("no mount namespaces here")
    (folder / "disk").mkdir()
    arguments = [str(folder), sys.executable, str(room)]
    return subprocess.run(
        [*namespace, "sh", "-c", textwrap.dedent(script), "-", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )


def test_what_a_kill_leaves_is_replaced(filled: Workspace, tmp_path: Path) -> None:
    partial_copy(tmp_path / "copy.db").write_text("half")
    back_up(filled, tmp_path / "copy.db")
    assert not partial_copy(tmp_path / "copy.db").exists()


def test_compacting_gives_back_what_was_removed(memory: Workspace) -> None:
    ids = [
        ingest_text(memory, f"text {number}: " + f"word{number} " * 2000).id for number in range(40)
    ]
    for text_id in ids[5:]:
        delete_record(memory, text_id)
    report = compact(memory)
    assert report.after_bytes < report.before_bytes / 2
    assert memory.storage.size_bytes() == report.after_bytes
    assert memory.storage.database.read("PRAGMA freelist_count") == [(0,)]
    assert found(memory, "word3") != []
