"""Lists and JSON arrays in statements, compared with what Python finds; and a storage without
files.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError
from memory.operations.backup import back_up
from memory.operations.forget.traces import Traces
from memory.operations.forget.verification import verify
from memory.storage import Storage
from memory.storage.opening import IN_MEMORY, database_files, open_storage
from memory.storage.sqlite import SqliteStorage
from tests.memory.databases import opened

HARD = ('a"b', "it's", "ä\u2028ß", "", "[1]", ":ids", "x')--", "\\")


@pytest.fixture
def storage() -> Iterator[Storage]:
    with closing(open_storage(IN_MEMORY)) as opened_storage:
        with opened_storage.database.transaction() as tx:
            tx.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a, tags TEXT)")
        yield opened_storage


@pytest.mark.parametrize(
    "stored, wanted",
    [
        pytest.param(range(40), [3, 5, 39, 77], id="numbers"),
        pytest.param(HARD, HARD[::2], id="texts"),
        pytest.param(
            [bytes([n, 0, 255]) for n in range(9)], (b"\1\0\xff", b"\7\0\xff"), id="bytes"
        ),
        pytest.param(range(4), [], id="none"),
        pytest.param(range(5000), list(range(0, 5000, 3)), id="thousands"),
    ],
)
def test_a_list_is_one_parameter(
    storage: Storage, stored: Sequence[Any], wanted: Sequence[Any]
) -> None:
    with storage.database.transaction() as tx:
        tx.run_many("INSERT INTO t (a) VALUES (:a)", ({"a": value} for value in stored))
    sql = "SELECT a FROM t WHERE a IN (:wanted) AND id > :after ORDER BY id"
    values = {"wanted": wanted, "after": 1}
    expected = [value for place, value in enumerate(stored) if value in wanted and place > 0]
    assert [row[0] for row in storage.database.read(sql, values)] == expected
    with storage.database.transaction() as tx:
        gone = tx.run("DELETE FROM t WHERE a IN (:wanted) RETURNING a", {"wanted": wanted})
    assert sorted(row[0] for row in gone) == sorted(value for value in stored if value in wanted)


def test_two_lists_and_a_value_of_one_statement(storage: Storage) -> None:
    with storage.database.transaction() as tx:
        tx.run_many("INSERT INTO t (a) VALUES (:a)", ({"a": str(n)} for n in range(9)))
    sql = "SELECT id FROM t WHERE id IN (:ids) AND a NOT IN (:texts) AND id > (:least)"
    values = {"ids": [1, 2, 3], "texts": ("1", "8"), "least": 0}
    assert storage.database.read(sql, values) == [(1,), (3,)]


@pytest.mark.parametrize("tag", HARD)
def test_a_json_array_holds_a_text(storage: Storage, tag: str) -> None:
    arrays = [[], list(HARD), [tag], [f"{tag}x", f"x{tag}"], [one for one in HARD if one != tag]]
    rows = [{"tags": json.dumps(array)} for array in arrays]
    rows += [{"tags": json.dumps(array, ensure_ascii=False)} for array in arrays]
    with storage.database.transaction() as tx:
        tx.run_many("INSERT INTO t (tags) VALUES (:tags)", [*rows, {"tags": None}])
    sql = "SELECT id FROM t AS u WHERE list_holds(u.tags, :tag) ORDER BY id"
    holding = [place for place, array in enumerate(2 * arrays, 1) if tag in array]
    assert storage.database.read(sql, {"tag": tag}) == [(place,) for place in holding]
    without = storage.database.read(
        "SELECT count(*) FROM t WHERE NOT list_holds(tags, :tag)", {"tag": tag}
    )
    assert without == [(len(rows) + 1 - len(holding),)]


@pytest.mark.parametrize(
    "tag, holding", [("work", [1, 2, 3]), ("x", [4]), ('["x"]', []), ("7", [])]
)
def test_a_list_within_a_list_hides_no_text_beside_it(
    storage: Storage, tag: str, holding: list[int]
) -> None:
    arrays = (
        '["work", ["x"]]',
        '[["x", 7, null], [], "work"]',
        '[ [ "x" , "y" ] , 7, "work" ]',
        '[["work"], "x"]',
    )
    with storage.database.transaction() as tx:
        tx.run_many("INSERT INTO t (tags) VALUES (:tags)", ({"tags": one} for one in arrays))
    rows = storage.database.read(
        "SELECT id FROM t WHERE list_holds(tags, :tag) ORDER BY id", {"tag": tag}
    )
    assert [row[0] for row in rows] == holding


class ServedStorage(SqliteStorage):
    """A storage whose files are a server's."""

    files = None


def test_an_operation_says_that_a_server_keeps_the_files(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        workspace.storage = ServedStorage(workspace.storage.database)
        with pytest.raises(InputError, match="kept by a server, not in a file"):
            back_up(workspace, tmp_path / "copy.db")
        proof = verify(workspace, Traces((), (), (), (), (), (), (), ()))
        assert [check.name for check in proof if not check.ok] == []
        assert "files are not read" in proof[-1].detail
    assert not (tmp_path / "copy.db").exists()
    with pytest.raises(InputError, match="is memory, which has no file"):
        database_files(IN_MEMORY)
