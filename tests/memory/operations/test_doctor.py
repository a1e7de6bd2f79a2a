"""Every invariant of a database, broken by hand in a real file: named, fixed, searched again."""

import os
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from contracts import (
    BusyError,
    IncompatibleError,
    InputError,
    MemError,
    NotFoundError,
    StorageError,
    install_hint,
)
from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.document_store import documents_of
from memory.index.spaces.reindex import reindex
from memory.operations.doctor import CHECKS, DoctorReport, checkup
from memory.operations.doctor.environment import LEAST_FREE_BYTES, lack_of_room
from memory.operations.doctor.salvage import salvage
from memory.retrieval.searching import search
from memory.retrieval.server_caches import memory_index_of, start_server_caches
from memory.storage.atomic_files import partial_copy
from memory.storage.meta import (
    SYNC_HOLDER,
    VECTORS_MISSING,
    read_meta,
    remembered_roots,
    write_meta,
)
from memory.storage.process_locks import sync_lock
from memory.storage.process_names import this_process
from memory.storage.sqlite.files.readable_rows import Column
from memory.storage.sqlite.files.salvage import Rows, connect_damaged
from search import SearchOptions
from tests.memory.databases import StoredChunk, contents, document, loaded, opened, write
from tests.repository import ROOT

pytestmark = pytest.mark.sqlite_only(reason="damages the file")

FILES = {f"{n}.md": document(n, n + 1, n + 2) for n in range(12)}
MORE = {f"more {n}.md": document(*range(n, n + 60)) for n in range(12)}
NOTE = "A note about the lighthouse: its lamp was changed in March."


class Whole(NamedTuple):
    base: Path
    contents: dict[str, list[StoredChunk]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A folder with documents, and a database of them and of a text; what that holds."""
    base = tmp_path_factory.mktemp("whole")
    write(base / "docs", FILES)
    with opened(base) as memory:
        sync_files(memory, [base / "docs"])
        ingest_text(memory, NOTE)
        assert checkup(memory, files=True).notes == []
        return Whole(base, contents(memory))


@pytest.fixture
def base(whole: Whole, tmp_path: Path) -> Path:
    """A copy of the database; the documents are those of the first."""
    shutil.copy(whole.base / "memory.db", tmp_path / "memory.db")
    return tmp_path


def raw(base: Path, *statements: str) -> None:
    """Write past every rule that the program keeps."""
    connection = apsw.Connection(str(base / "memory.db"))
    connection.pragma("recursive_triggers", 0)
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()


def problems(report: DoctorReport) -> dict[str, str]:
    """The facts by check, the last of each."""
    return {finding.check: finding.fact for finding in report.problems}


def mended(base: Path, whole: Whole, *checks: str) -> DoctorReport:
    """The damage is named by these checks, and repairs leave all that was there before it."""
    with opened(base) as memory:
        found = checkup(memory)
        assert not found.healthy
        assert set(checks) <= set(problems(found))
        assert all(finding.fixable for finding in found.problems)
        report = checkup(memory, fix=True)
        assert report.problems == []
        assert {finding.check for finding in report.fixed} >= set(checks)
        sync_files(memory)
        assert checkup(memory, files=True).healthy
        assert contents(memory) == whole.contents
        assert search(memory, "item3x4").results
        assert search(memory, "lighthouse lamp").results[0].text == NOTE
    return report


class Damage(NamedTuple):
    name: str
    checks: tuple[str, ...]
    sql: tuple[str, ...]


OF_A = "(SELECT id FROM files WHERE path LIKE '%/3.md')"
DAMAGES = (
    Damage(
        "a chunk went past the rules",
        ("references", "texts"),
        (
            "PRAGMA foreign_keys = OFF",
            f"DELETE FROM chunks WHERE owner_id = {OF_A} AND ordinal = 1",
        ),
    ),
    Damage("the row of the space went", ("tables",), ("DELETE FROM spaces",)),
    Damage(
        "a file's row went",
        ("owners",),
        ("PRAGMA foreign_keys = OFF", f"DELETE FROM files WHERE id = {OF_A}"),
    ),
    Damage(
        "a file's chunks went", ("documents",), (f"DELETE FROM chunks WHERE owner_id = {OF_A}",)
    ),
    Damage(
        "chunks of a strange cut",
        ("documents", "owners"),
        (f"UPDATE chunks SET generation = 'strange' WHERE owner_id = {OF_A}",),
    ),
    Damage(
        "a text was changed",
        ("texts",),
        (f"UPDATE chunks SET text = text || '!' WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage(
        "a text is no UTF-8",
        ("texts",),
        (
            f"UPDATE chunks SET text = CAST(x'ff' || substr(CAST(text AS BLOB), 2) AS TEXT)"
            f" WHERE owner_id = {OF_A} AND ordinal = 1",
        ),
    ),
    Damage(
        "a heading was changed",
        ("texts",),
        (f"UPDATE chunks SET heading = 'else' WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage(
        "a name was changed",
        ("texts",),
        (f"UPDATE chunks SET uid = 'ffff' WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage(
        "a place was changed",
        ("texts",),
        (f"UPDATE chunks SET start_char = start_char + 1 WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage(
        "a gap was closed",
        ("texts",),
        (f"UPDATE chunks SET gap = 'x' WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage(
        "a place was counted twice",
        ("texts",),
        (f"UPDATE chunks SET ordinal = 7 WHERE owner_id = {OF_A} AND ordinal = 1",),
    ),
    Damage("an entry went", ("keywords",), ("DELETE FROM chunks_fts WHERE rowid = 2",)),
    Damage(
        "an entry of nothing",
        ("keywords",),
        ("INSERT INTO chunks_fts (rowid, text) VALUES (99999, 'nothing')",),
    ),
    Damage(
        "the size of an entry went",
        ("keywords",),
        ("DELETE FROM chunks_fts_docsize WHERE id = 2",),
    ),
    Damage(
        "an entry of other words",
        ("words",),
        ("INSERT OR REPLACE INTO chunks_fts (rowid, text) VALUES (2, 'other words')",),
    ),
    Damage(
        "the postings were damaged",
        ("pages",),
        ("UPDATE chunks_fts_data SET block = zeroblob(length(block)) WHERE id > 10",),
    ),
    Damage(
        "expected entries of no space", ("keywords",), ("INSERT INTO keywords_beside VALUES ('x')",)
    ),
    Damage(
        "a vector went",
        ("missing-vectors",),
        (
            "DELETE FROM vector_codes_1 WHERE chunk_id = 4",
            "DELETE FROM vectors_1 WHERE chunk_id = 4",
        ),
    ),
    Damage(
        "a vector was cut", ("vectors",), ("UPDATE vectors_1 SET v = x'00' WHERE chunk_id = 4",)
    ),
    Damage(
        "a vector has no length",
        ("vectors",),
        ("UPDATE vectors_1 SET v = zeroblob(length(v)) WHERE chunk_id = 4",),
    ),
    Damage(
        "a byte of a vector is another",
        ("vectors",),
        ("UPDATE vectors_1 SET v = CAST(x'7e' || substr(v, 2) AS BLOB) WHERE chunk_id = 4",),
    ),
    Damage(
        "a code is another's",
        ("vectors",),
        (
            "UPDATE vector_codes_1 SET q = (SELECT q FROM vector_codes_1 WHERE chunk_id = 5)"
            " WHERE chunk_id = 4",
        ),
    ),
    Damage("a code went", ("vectors",), ("DELETE FROM vector_codes_1 WHERE chunk_id = 4",)),
    Damage("a trigger went", ("tables",), ("DROP TRIGGER chunks_deleted",)),
    Damage("the vectors' log went", ("tables",), ("DROP TRIGGER vectors_1_inserted",)),
    Damage(
        "a trigger was altered",
        ("tables",),
        (
            "DROP TRIGGER chunks_inserted",
            "CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN SELECT 1; END",
        ),
    ),
    Damage("an index went", ("tables",), ("DROP INDEX chunks_owner",)),
    Damage(
        "a trigger of nothing",
        ("tables",),
        ("CREATE TRIGGER other AFTER INSERT ON chunks BEGIN SELECT 1; END",),
    ),
    Damage("the view went", ("tables",), ("DROP VIEW messages",)),
    Damage(
        "the view is another",
        ("tables",),
        ("DROP VIEW messages", "CREATE VIEW messages AS SELECT 1"),
    ),
    Damage("a table of nothing", ("tables",), ("CREATE TABLE vectors_7 (chunk_id, v)",)),
    Damage(
        "the vectors went",
        ("tables",),
        ("PRAGMA foreign_keys = OFF", "DROP TABLE vector_codes_1", "DROP TABLE vectors_1"),
    ),
    Damage("the words went", ("tables",), ("DROP TABLE chunks_fts",)),
    Damage(
        "the cache was miscounted",
        ("cache",),
        ("UPDATE embedding_cache_size SET entries = entries + 3",),
    ),
    Damage(
        "a refusal of nothing",
        ("cache",),
        ("INSERT INTO refused_texts VALUES (x'00', 'e', 'r', '2026-01-01T00:00:00.000Z')",),
    ),
    Damage(
        "cuts of nobody",
        ("references", "owners"),
        ("PRAGMA foreign_keys = OFF", "INSERT INTO cuts VALUES ('nobody', 'g', '')"),
    ),
    Damage(
        "numbers go back",
        ("counters",),
        ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'chunks'",),
    ),
    Damage("a fact is no JSON", ("counters",), ("INSERT INTO meta VALUES ('torn', '{\"a\":')",)),
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_damage_is_named_and_mended(base: Path, whole: Whole, damage: Damage) -> None:
    raw(base, *damage.sql)
    mended(base, whole, *damage.checks)


def test_an_index_that_differs_from_its_table(base: Path, whole: Whole) -> None:
    raw(
        base,
        "PRAGMA writable_schema = ON",
        "CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'files_hash'",
        "DELETE FROM sqlite_schema WHERE name = 'files_hash'",
        "PRAGMA writable_schema = RESET",
        f"UPDATE files SET hash = 'ffff' WHERE id = {OF_A}",
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_schema SELECT * FROM kept",
        "PRAGMA writable_schema = RESET",
    )
    with opened(base) as memory:
        (problem,) = checkup(memory).problems
        assert "missing from index files_hash" in problem.fact
        assert checkup(memory, fix=True).healthy
        (changed,) = checkup(memory, files=True).problems
        assert changed.fact.startswith("indexed files that have changed since they were indexed: 1")


def test_a_damaged_text_that_is_stored_alone_is_kept_as_it_is(base: Path) -> None:
    """What was ingested is nowhere else, and neither is a file that is gone."""
    raw(base, "UPDATE chunks SET text = replace(text, 'lamp', 'lens') WHERE source = 'text'")
    with opened(base) as memory:
        report = checkup(memory, fix=True)
        assert (report.healthy, report.marked) == (True, [])
        (hit,) = search(memory, "lens").results[:1]
        assert hit.text == NOTE.replace("lamp", "lens")
        assert checkup(memory).healthy


def test_a_stored_text_that_is_no_utf8(base: Path) -> None:
    raw(
        base,
        "UPDATE chunks SET text = CAST(CAST(text AS BLOB) || x'ff' AS TEXT) WHERE source = 'text'",
    )
    with opened(base) as memory:
        with pytest.raises(StorageError, match="not UTF-8") as error:
            search(memory, "lighthouse lamp")
        assert "mem doctor --fix" in error.value.hint
        assert checkup(memory, fix=True).healthy
        assert search(memory, "lighthouse lamp").results[0].text.startswith(NOTE)


def test_a_damaged_file_that_is_gone_is_cut_from_what_is_stored(tmp_path: Path) -> None:
    write(tmp_path / "docs", FILES)
    with opened(tmp_path) as memory:
        sync_files(memory, [tmp_path / "docs"])
        shutil.rmtree(tmp_path / "docs")
        raw(tmp_path, f"UPDATE chunks SET uid = 'ffff' WHERE owner_id = {OF_A} AND ordinal = 1")
        report = checkup(memory, fix=True)
        assert (report.healthy, report.marked) == (True, [])
        known = documents_of(memory).at_path(str(tmp_path / "docs/3.md"))
        assert known is not None
        assert documents_of(memory).text(known) == FILES["3.md"]


def test_vectors_of_another_model_are_found_out(tmp_path: Path) -> None:
    write(tmp_path / "docs", FILES)
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="static")) as memory:
        sync_files(memory, [tmp_path / "docs"])
        database = memory.storage.database
        right = database.read("SELECT chunk_id, v FROM vectors_1 ORDER BY chunk_id")
        raw(
            tmp_path,
            "CREATE TEMP TABLE moved AS SELECT chunk_id, lead(v, 1, v) OVER (ORDER BY chunk_id) v,"
            " lead(q, 1, q) OVER (ORDER BY chunk_id) q"
            " FROM vectors_1 JOIN vector_codes_1 USING (chunk_id)",
            "UPDATE vectors_1 SET v = (SELECT v FROM moved WHERE chunk_id = vectors_1.chunk_id)",
            "UPDATE vector_codes_1 SET q ="
            " (SELECT q FROM moved WHERE chunk_id = vector_codes_1.chunk_id)",
        )
        assert set(problems(checkup(memory))) == {"model"}
        assert checkup(memory, fix=True).healthy
        assert database.read("SELECT chunk_id, v FROM vectors_1 ORDER BY chunk_id") == right


def test_what_has_no_vector_for_a_reason_is_no_problem(base: Path) -> None:
    raw(base, "DELETE FROM vector_codes_1", "DELETE FROM vectors_1")
    with opened(base) as memory:
        with memory.storage.database.transaction() as tx:
            write_meta(tx, VECTORS_MISSING, True)
        report = checkup(memory)
        assert report.healthy
        assert [finding.check for finding in report.notes] == ["missing-vectors"]
        with memory.storage.database.transaction() as tx:
            write_meta(tx, VECTORS_MISSING, False)
            space = memory.storage.active_space()
            assert space is not None
            tx.run(
                "INSERT INTO refused_texts SELECT DISTINCT hash, :embedder, 'no', '' FROM chunks",
                {"embedder": space.embedder},
            )
        assert checkup(memory).notes == []


def overwrite_pages(path: Path, pages: Iterable[int]) -> None:
    """Put noise where the header of each of these pages is; the first page is 0."""
    data = bytearray(path.read_bytes())
    for page in pages:
        data[page * 16384 : page * 16384 + 200] = b"\xff" * 200
    path.write_bytes(data)


def pages_of(table: str, path: Path) -> set[int]:
    """The pages of a table; the first page of a file is 0."""
    with closing(apsw.Connection(str(path))) as connection:
        sql = "SELECT pageno - 1 FROM dbstat WHERE name = ?"
        return {page for (page,) in connection.execute(sql, (table,))}


def test_a_page_of_the_file_is_overwritten(base: Path) -> None:
    """What is lost with a page cannot be fixed, and the answer says what to do."""
    path = base / "memory.db"
    listed = pages_of("sqlite_schema", path)  # without the list of the tables nothing can be read
    every_third = range(4, path.stat().st_size // 16384, 3)
    overwrite_pages(path, (page for page in every_third if page not in listed))
    with opened(base) as memory:
        report = checkup(memory, fix=True)
    assert not report.healthy
    assert problems(report)["pages"]
    assert "mem doctor --salvage FILE" in report.problems[0].repair
    unchecked = [check.name for check in report.checks if check.outcome == "not checked"]
    assert "texts" in unchecked


def test_a_table_that_another_program_altered(base: Path) -> None:
    raw(base, "ALTER TABLE roots ADD COLUMN other TEXT")
    with opened(base) as memory:
        (problem,) = checkup(memory, fix=True).problems
    assert (problem.check, problem.fixable) == ("tables", False)
    assert "roots" in problem.fact


def test_files_that_differ_from_the_index(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, FILES)
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        (docs / "0.md").write_text(document(40))
        (docs / "1.md").unlink()
        raw(tmp_path, f"UPDATE files SET tail = 'x' WHERE id = {OF_A}")
        assert checkup(memory).healthy
        found = checkup(memory, files=True)
        assert sorted(finding.fact.partition(" (")[0] for finding in found.problems) == [
            "indexed files that are missing from the disk: 1",
            "indexed files that have changed since they were indexed: 1",
            "indexed files whose text differs from the index: 1",
        ]
        report = checkup(memory, files=True, fix=True)
        assert len(report.marked) == 3
        stats = sync_files(memory)
        assert (stats.deleted, stats.unchanged) == (1, 9)
        assert checkup(memory, files=True).healthy


def test_files_of_a_folder_that_is_not_there_stay(tmp_path: Path) -> None:
    """A repair would leave them waiting for a sync that does not look at them."""
    write(tmp_path / "docs", FILES)
    with opened(tmp_path) as memory:
        sync_files(memory, [tmp_path / "docs"])
        (tmp_path / "docs").rename(tmp_path / "away")
        report = checkup(memory, files=True, fix=True)
        assert (report.problems, report.marked) == ([], [])
        (note,) = report.notes
        assert note.fact.startswith("indexed files whose folder or disk is unavailable: 12 (")
        assert "mem sync --prune" in note.repair
        (tmp_path / "away").rename(tmp_path / "docs")
        assert checkup(memory, files=True).notes == []
        assert sync_files(memory).unchanged == 12


def test_what_lies_beside_the_database(base: Path) -> None:
    path = base / "memory.db"
    path.chmod(0o644)
    left, new = partial_copy(path), base / ".memory.db.partial-1"
    for copy in (left, new):
        copy.write_bytes(b"half")
    os.utime(left, (0, 0))
    with opened(base) as memory:
        found = problems(checkup(memory))
        assert set(found) == {"permissions", "leftovers"}
        assert checkup(memory, fix=True).healthy
    assert path.stat().st_mode & 0o777 == 0o600
    assert (left.exists(), new.exists()) == (False, True)


def test_who_ended_before_its_time_is_noted(base: Path) -> None:
    with opened(base) as memory:
        with memory.storage.database.transaction() as tx:
            ended = {**this_process(), "started": 1, "since": "2026-03-04T12:30:00Z"}
            write_meta(tx, SYNC_HOLDER, ended)
        (note,) = checkup(memory).notes
        assert note.fact.startswith("a sync ended and left its lock: process")
        assert checkup(memory, fix=True).notes == []
        assert read_meta(memory.storage.database, SYNC_HOLDER) is None


def test_spaces_beside_the_one_that_answers(base: Path) -> None:
    with opened(base, embeddings=EmbeddingsConfig(provider="fake", model="other")) as memory:
        reindex(memory)
        (note,) = checkup(memory, files=True).notes
        assert "retired spaces kept for a return: 1 (fake)" in note.fact
        assert checkup(memory).healthy


@pytest.mark.parametrize(
    "free, size, is_note", [(5, 1, False), (LEAST_FREE_BYTES, LEAST_FREE_BYTES + 1, True)]
)
def test_a_disk_that_is_nearly_full(free: int, size: int, is_note: bool) -> None:
    (problem,) = lack_of_room(free, size, folder=Path("/data"))
    assert problem.is_note == is_note
    assert list(lack_of_room(LEAST_FREE_BYTES, 5, folder=Path("/data"))) == []


def test_repairs_wait_for_a_sync_and_a_look_does_not(base: Path) -> None:
    with opened(base) as memory, opened(base) as other:
        memory.wait_s = 0.0
        raw(base, "DELETE FROM chunks_fts WHERE rowid = 2")
        with sync_lock(other.storage.database, other.path):
            assert not checkup(memory).healthy
            with pytest.raises(BusyError, match="a sync of"):
                checkup(memory, fix=True)


def test_repairs_of_nothing_write_nothing(base: Path) -> None:
    data = (base / "memory.db").read_bytes()
    with opened(base) as memory:
        report = checkup(memory, fix=True, files=True)
        assert (report.problems, report.fixed) == ([], [])
    assert (base / "memory.db").read_bytes() == data


def test_a_database_in_memory_and_an_empty_one(tmp_path: Path) -> None:
    with opened(tmp_path, backend="memory") as memory:
        assert checkup(memory, files=True, fix=True).healthy
        ingest_text(memory, NOTE)
        assert checkup(memory, files=True).healthy
    with opened(tmp_path) as empty:
        assert checkup(empty, files=True).healthy


def test_a_look_writes_nothing(base: Path) -> None:
    raw(base, "DELETE FROM chunks_fts WHERE rowid = 2")
    with opened(base) as memory:
        before = memory.storage.database.read("SELECT * FROM sqlite_sequence")
        data = (base / "memory.db").read_bytes()
        assert not checkup(memory, files=True).healthy
        assert memory.storage.database.read("SELECT * FROM sqlite_sequence") == before
    assert (base / "memory.db").read_bytes() == data


def test_the_page_lists_every_check_with_its_meaning() -> None:
    page = (ROOT / "docs/doctor.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert [row.split("|")[1:3] for row in rows] == [
        [f" `{check.name}` ", f" {check.meaning.rstrip('.')} "] for check in CHECKS
    ]


def test_what_can_be_read_of_a_damaged_database_is_salvaged(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, {f"{n}.md": document(n, n + 1, n + 2) for n in range(60)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        ingest_text(memory, NOTE, tags=["sea"])
        before = contents(memory)
        sql = """SELECT pageno - 1 FROM dbstat
            WHERE name = 'chunks' AND pagetype = 'leaf' ORDER BY pageno"""
        memory.storage.database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(apsw.Connection(str(tmp_path / "memory.db"))) as connection:
        leaves = [page for (page,) in connection.execute(sql)]
    assert len(leaves) > 4
    overwrite_pages(tmp_path / "memory.db", leaves[1:3])
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert "chunks" in report.incomplete
    assert report.checkup.healthy
    assert 0 < len(report.checkup.marked) < 35  # of 60: two pages of five are lost
    with opened(tmp_path / "new") as memory:
        assert remembered_roots(memory.storage.database) == [str(docs)]
        sync_files(memory)
        assert contents(memory) == before
        assert checkup(memory, files=True).healthy
        (hit,) = search(memory, "lighthouse lamp").results[:1]
        assert hit.text == NOTE
        known = documents_of(memory).get(str(hit.file_id))
        assert known is not None
        assert known.tags == ("sea",)
    with pytest.raises(InputError, match="exists"):
        salvage(loaded(tmp_path), tmp_path / "new/memory.db")


def test_a_whole_database_is_salvaged_whole(base: Path, whole: Whole) -> None:
    report = salvage(loaded(base), base / "new/memory.db")
    assert (report.incomplete, report.checkup.fixed == []) == ([], False)
    with opened(base / "new") as memory:
        assert contents(memory) == whole.contents


@pytest.mark.parametrize("pages", [0, 6.5, 12])
def test_a_file_that_was_cut_short_is_salvaged(tmp_path: Path, pages: float) -> None:
    """Also with half a page at the end; little is left but the list of the tables."""
    path = tmp_path / "memory.db"
    write(tmp_path / "docs", {**FILES, **MORE})
    with opened(tmp_path) as memory:
        sync_files(memory, [tmp_path / "docs"])
        before = contents(memory)
    last = max(pages_of("sqlite_schema", path)) + 1
    os.truncate(path, int((last + pages) * 16384))
    data = path.read_bytes()
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert report.incomplete
    assert report.checkup.healthy
    assert path.read_bytes() == data
    with opened(tmp_path / "new") as memory:
        sync_files(memory, force=True)  # the last chunks of a document may be missing
        assert contents(memory) == before
        assert checkup(memory, files=True).healthy


def test_rows_between_lost_pages_are_found_after_a_wide_gap(tmp_path: Path) -> None:
    source = apsw.Connection(str(tmp_path / "rows.db"))
    source.execute("BEGIN; CREATE TABLE t (a)").fetchall()
    rows = [(key, "x" * 100) for key in range(1, 40_000)]
    source.executemany("INSERT INTO t (rowid, a) VALUES (?, ?)", rows).fetchall()
    source.execute("COMMIT").fetchall()
    sql = "SELECT pageno - 1 FROM dbstat WHERE name = 't' AND pagetype = 'leaf' ORDER BY path"
    leaves = [page for (page,) in source.execute(sql)]
    source.close()
    data = bytearray((tmp_path / "rows.db").read_bytes())
    for page in leaves[100:300]:
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    (tmp_path / "rows.db").write_bytes(data)
    with closing(connect_damaged(tmp_path / "rows.db")) as source:
        reader = Rows(source, "t", [Column("rowid", "INTEGER", required=True)])
        found = {row[0] for row in reader.numbered()}
    lost = sorted(set(range(1, 40_000)) - found)
    assert reader.is_torn
    assert lost == list(range(lost[0], lost[-1] + 1))
    assert len(lost) < 201 * 4096 // 100


@pytest.mark.parametrize(
    "content, error, words",
    [
        (None, NotFoundError, "there is no database at"),
        (b"", IncompatibleError, "is an empty file"),
        (b"no database" * 99, IncompatibleError, "is not a SQLite database"),
        (100, StorageError, "has lost the list of its tables"),
        (16384, StorageError, "has lost the list of its tables"),
    ],
)
def test_what_cannot_be_salvaged_leaves_nothing(
    base: Path, content: bytes | int | None, error: type[MemError], words: str
) -> None:
    path = base / "memory.db"
    if isinstance(content, int):
        os.truncate(path, content)
    else:
        path.unlink()
    if isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(error, match=words):
        salvage(loaded(base), base / "new.db")
    assert not list(base.glob("new.db*"))


def test_a_server_goes_on_while_its_database_is_mended(base: Path) -> None:
    """What it has open, and what it keeps in memory, follows every repair."""
    with opened(base) as memory, opened(base) as server:
        start_server_caches(server)
        assert memory_index_of(server) is not None
        for sql in (
            "UPDATE chunks_fts_data SET block = zeroblob(length(block)) WHERE id > 10",
            "DELETE FROM chunks_fts_docsize WHERE id = 2",
            "DELETE FROM vectors_1 WHERE chunk_id < 9",
            "DROP TABLE chunks_fts",
        ):
            raw(base, "PRAGMA foreign_keys = ON", sql)
            assert checkup(memory, fix=True).healthy
            for query, mode in (("item3x4", "keyword"), ("lighthouse lamp", "hybrid")):
                (hit,) = search(server, query, SearchOptions(mode=mode)).results[:1]
                (again,) = search(memory, query, SearchOptions(mode=mode)).results[:1]
                assert (hit.text, hit.score) == (again.text, pytest.approx(again.score))
        assert checkup(server).healthy


def test_files_that_wait_for_something_are_noted(base: Path) -> None:
    """None of this is damage, and nobody has to be told by an exit code."""
    missing = f"missing-extra: needs {install_hint('documents')}"
    raw(
        base,
        f"UPDATE files SET state = 'failed', reason = 'unreadable' WHERE id = {OF_A}",
        "UPDATE files SET state = 'pending', updated_at = '2026-01-01' WHERE path LIKE '%/4.md'",
        "INSERT INTO files (id, path, hash, size, mtime, mtime_ns, state, reason, created_at,"
        " updated_at) VALUES ('x', '/docs/plan.docx', '', 1, '', 1, 'skipped',"
        f""" '{missing.replace("'", "''")}', '', '')""",
    )
    with opened(base) as memory:
        report = checkup(memory, files=True)
        assert report.healthy
        told = [(finding.check, finding.repair.partition(" ")[0]) for finding in report.notes]
        assert told == [("documents", "mem"), ("documents", "mem"), ("extras", "needs")]


@pytest.mark.sqlite_only(reason="damages rows of SQLite")
@pytest.mark.parametrize("left", ["v || x'ffff0000'", "substr(v, 1, 9)", "v || x'00'", "x''"])
def test_a_damaged_vector_hinders_nothing(base: Path, left: str) -> None:
    raw(base, f"UPDATE vectors_1 SET v = CAST({left} AS BLOB) WHERE chunk_id = 4")
    with opened(base) as memory:
        assert search(memory, "bitter oranges").results
        sql = "SELECT source, owner_id FROM chunks WHERE id = 4"
        ((source, owner_id),) = memory.storage.database.read(sql)
        with memory.storage.database.transaction() as tx:
            assert memory.storage.remove_owner(tx, source, owner_id, keep_cached=True)
