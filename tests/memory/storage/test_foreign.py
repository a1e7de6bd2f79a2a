"""Databases of other programs, which this one only reads."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memory.storage.opening import open_foreign

WRITE = """
import sys, apsw
try:
    apsw.Connection(sys.argv[1]).execute("BEGIN EXCLUSIVE")
except apsw.BusyError:
    sys.exit(3)
"""


def is_locked(path: Path) -> bool:
    """Return whether another process may not write to a database."""
    done = subprocess.run([sys.executable, "-c", WRITE, str(path)], check=False, timeout=60)
    assert done.returncode in (0, 3)
    return done.returncode == 3


def make(path: Path, journal: str) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", journal)
        connection.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").fetchall()


@pytest.mark.parametrize("name", ["theirs.db", "link.db", "hard link.db"])
def test_reading_a_file_keeps_the_locks_of_other_connections_to_it(
    tmp_path: Path, name: str
) -> None:
    """Or another program would write while one of them reads."""
    path = tmp_path / "theirs.db"
    make(path, "delete")
    (tmp_path / "link.db").symlink_to(path)
    (tmp_path / "hard link.db").hardlink_to(path)
    with closing(apsw.Connection(str(path))) as reading:
        reading.execute("BEGIN; SELECT * FROM theirs").fetchall()
        assert is_locked(path)
        with open_foreign(tmp_path / name, hint="") as file:
            assert file.tables() == {"theirs"}
        assert is_locked(path)
    assert not is_locked(path)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_no_file_is_made_beside_one_that_is_read_twice(tmp_path: Path, journal: str) -> None:
    path = tmp_path / "theirs.db"
    make(path, journal)
    with open_foreign(path, hint="") as first, open_foreign(path, hint="") as second:
        for file in (first, second):
            assert file.rows("theirs", ["x"]) == [{"x": 1}]
        assert [one.name for one in tmp_path.iterdir()] == ["theirs.db"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
def test_a_name_may_be_no_unicode(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.db")
    make(tmp_path / "theirs.db", "wal")
    (tmp_path / "theirs.db").rename(path)
    with open_foreign(path, hint="") as file:
        assert file.rows("theirs", ["x"]) == [{"x": 1}]
