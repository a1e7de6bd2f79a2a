"""Random damage to a real database: a salvage gives what can be read, and never a traceback."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import apsw
import pytest

from contracts import IncompatibleError, MemError, StorageError
from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.operations.doctor import checkup
from memory.operations.doctor.salvage import salvage
from memory.storage.opening import tables_to_copy
from memory.storage.sqlite.schema import VERSION
from tests.examples import examples
from tests.memory.databases import document, loaded, opened, write

pytestmark = pytest.mark.sqlite_only(reason="damages the file")

PAGE = 16_384
SEEDS = [range(start, start + 50) for start in range(0, examples(1000), 50)]
DAILY = (2, 5, 6, 33, 226, 244, 609, 975)
"""Seeds that once ended in a traceback, or never."""


@pytest.fixture(scope="module")
def whole(new_folder: Callable[[str], Path]) -> bytes:
    """A database with documents, a text, turns and memories."""
    base = new_folder("whole")
    write(base / "docs", {f"{n}.md": document(n, n + 1, n + 2) for n in range(30)})
    with opened(base) as memory:
        sync_files(memory, [base / "docs"])
        ingest_text(memory, "A note about the lighthouse.", tags=["sea"], metadata={"a": [1]})
        said = "My sister Ida lives in Oslo, and I like opera number"
        turns = [NewTurn(f"s{n % 3}", f"{said} {n}.", metadata={"n": n}) for n in range(40)]
        process_turns(memory, turns)
        for n in range(20):
            remember(memory, f"User owns boat number {n} in harbour {n * 7}", tags=["t"])
        memory.storage.database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    return (base / "memory.db").read_bytes()


def damaged(chance: Random, whole: bytes) -> bytes:
    """The database cut short, with lost or exchanged pages, flipped bits, or other bytes."""
    data = bytearray(whole)
    pages = len(data) // PAGE
    kind = chance.choice(("cut", "pages", "bits", "bytes", "inside"))
    if kind == "cut":
        return bytes(data[: chance.randrange(len(data))])
    if kind == "pages":
        for _ in range(chance.randint(1, 4)):
            at, other = (PAGE * chance.randrange(pages) for _ in range(2))
            data[at : at + PAGE] = chance.choice(
                (bytes(PAGE), chance.randbytes(PAGE), data[other : other + PAGE])
            )
    elif kind == "bits":
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == "bytes":
        for _ in range(chance.randint(50, 2000)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    else:
        at = PAGE * chance.randrange(1, pages) + chance.randrange(2000, 16_000)
        size = chance.randint(1, 80)
        data[at : at + size] = chance.choice((b"\xff" * size, b'"' * size, b"{[" * (size // 2)))
    return bytes(data)


def salvaged(base: Path, data: bytes) -> str:
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir()
    (base / "memory.db").write_bytes(data)
    try:
        report = salvage(loaded(base), base / "new/memory.db")
    except MemError:
        assert not list((base / "new").glob("*"))
        return "refused"
    assert all(number > 0 for number in report.skipped.values())
    with opened(base / "new") as memory:
        assert checkup(memory).problems == report.checkup.problems
    return "salvaged"


def test_nothing_of_a_sound_database_is_skipped(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "memory.db").write_bytes(whole)
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert (report.skipped, report.incomplete, report.checkup.healthy) == ({}, [], True)
    assert report.rows["files"] == 31


NOW = "2026-03-04T10:00:00.000000Z"


DAMAGES = {
    **{f"byte {at}": (at, bytes([0xA5])) for at in (0, 15, 16, 22, 47, 51, 53, 59, 61, 67, 70)},
    "all but our id": (0, b"\x5a" * 68),
    "all but the end": (0, bytes(64)),
    "one page": (28, bytes([0, 0, 0, 1])),
    "more pages": (28, b"\0\xff\xff\xff"),
    "free pages": (32, b"\xff" * 8),
    "change counter": (24, b"\xff" * 4),
    "schema cookie": (40, b"\xff" * 4),
    "largest root": (52, b"\0\0\0\3\0\0\0\1"),
    "no version": (60, bytes(4)),
    "impossible version": (60, b"\x5a" * 4),
}
"""The first byte that is damaged, and what is there instead."""


@pytest.mark.parametrize("at, other", DAMAGES.values(), ids=DAMAGES)
def test_a_database_with_a_damaged_header_is_salvaged(
    tmp_path: Path, whole: bytes, at: int, other: bytes
) -> None:
    data = bytearray(whole)
    data[at : at + len(other)] = other
    (tmp_path / "memory.db").write_bytes(data)
    if at == 60:
        with pytest.raises(StorageError, match="has lost the version"), opened(tmp_path):
            pass
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert (report.skipped, report.incomplete, report.checkup.healthy) == ({}, [], True)
    assert (tmp_path / "memory.db").read_bytes() == data
    names = sorted(file.name for file in (tmp_path / "new").iterdir())
    assert [name for name in names if not name.startswith("memory.db")] == []


@pytest.mark.parametrize("start", [0, 60], ids=["with its first bytes damaged", "else sound"])
def test_a_newer_database_is_not_salvaged(tmp_path: Path, whole: bytes, start: int) -> None:
    data = bytearray(whole)
    data[start:60] = b"\x5a" * (60 - start)
    data[60:64] = (VERSION + 1).to_bytes(4, "big")
    (tmp_path / "memory.db").write_bytes(data)
    with pytest.raises(IncompatibleError, match=f"has version {VERSION + 1}, this program"):
        salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert not list((tmp_path / "new").glob("*"))


MADE_AGAIN = {
    "cuts",
    "note_names",
    "note_links",
    "stale_note_names",
    "record_changes",
    "transcripts",
}
"""Tables that the repairs fill, a log that begins again, and how far transcripts were read: they
are read from their beginnings, since turns may be lost."""


def test_every_table_is_salvaged_or_made_again(tmp_path: Path, whole: bytes) -> None:
    """A followed folder of chats, and the messages that were removed and may not return, too."""
    (tmp_path / "memory.db").write_bytes(whole)
    with closing(apsw.Connection(str(tmp_path / "memory.db"))) as connection:
        connection.execute("INSERT INTO removed_messages VALUES (x'0A')").fetchall()
        connection.execute("INSERT INTO chat_sources VALUES ('pi', '/p', 0, ?)", [NOW]).fetchall()
    rows = salvage(loaded(tmp_path), tmp_path / "new/memory.db").rows
    assert (rows["removed_messages"], rows["chat_sources"]) == (1, 1)
    assert {table.name for table in tables_to_copy()} - set(rows) == MADE_AGAIN


@pytest.mark.parametrize("seed", DAILY)
def test_random_damage(tmp_path: Path, whole: bytes, seed: int) -> None:
    salvaged(tmp_path / "d", damaged(Random(seed), whole))


@pytest.mark.slow
@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_many_damages(tmp_path: Path, whole: bytes, seeds: range) -> None:
    outcomes = [salvaged(tmp_path / "d", damaged(Random(seed), whole)) for seed in seeds]
    assert outcomes.count("salvaged") > len(seeds) // 2


BAD_ROWS = {
    "chunks": ("tags = 'x'", "metadata = '[1'", "text = CAST(x'ff' AS TEXT)", "start_char = NULL"),
    "turns": ("metadata = '{\"a\": '", "ts = 'never'", "tags = '{}'", "text = x'ff00'"),
    "memories": ("tags_json = '[1]'", "metadata = 'null'", "created_at = ''", "score = 'high'"),
    "files": ("tags = ''", "metadata = '[]'", "layout = '{'", "path = CAST(x'ff' AS TEXT)"),
    "spaces": ("request = '{}'", "chunking = '7'", "chunking = '{\"sizC\": 1}'"),
    "meta": ("value_json = '{'",),
}


@pytest.mark.parametrize(
    "table, change", [(table, change) for table, found in BAD_ROWS.items() for change in found]
)
def test_one_unreadable_row_is_skipped_and_counted(
    tmp_path: Path, whole: bytes, table: str, change: str
) -> None:
    (tmp_path / "memory.db").write_bytes(whole)
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    key = "key" if table == "meta" else "id"
    before = int(connection.execute(f"SELECT count(*) FROM {table}").get)
    sql = f"UPDATE {table} SET {change} WHERE {key} = (SELECT max({key}) FROM {table})"
    connection.execute("PRAGMA ignore_check_constraints = 1; " + sql).fetchall()
    connection.close()
    report = salvage(loaded(tmp_path), tmp_path / "new/memory.db")
    assert report.skipped[table] == 1
    if table not in ("spaces", "meta"):
        assert report.rows[table] == before - 1
