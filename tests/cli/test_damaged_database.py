"""Commands over a file whose values or tables a disk, or another program, has changed."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import apsw
import pytest

from tests.cli.shell import Answer, Mem

COMMANDS = [
    line.split()
    for line in (
        "search spare key",
        "search spare --mode keyword --tag house",
        "context s1",
        "show docs/setup.md",
        "show memory:1",
        "memories list",
        "explain 1",
        "export lines.jsonl --force",
        "audit",
        "status",
        "gc",
        "sync docs",
        "turn add --session s1 Pears",
        "forget --id 1 --yes",
        "maintain fsrs",
    )
]
DOCTOR = ["doctor", "--files"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the first test, for all others."""
    return tmp_path_factory.mktemp("kept") / "memory.db"


@pytest.fixture
def damaged(synced: Mem, folder: Path, kept: Path) -> Callable[[str], Mem]:
    """Runs a command after a change of the file."""
    if not kept.exists():
        for said in ("I moved to Oslo in May, and my sister Ida is a painter", "I like tea"):
            assert synced("turn", "add", "--session", "s1", said).code == 0
        assert (
            synced("remember", "The spare key hangs behind the boiler", "--tag", "house").code == 0
        )
        assert synced("backup", str(kept)).code == 0

    def change(sql: str) -> Mem:
        def mem(*arguments: str) -> Answer:
            return synced("--db", "damaged.db", *arguments)

        copy(kept, folder / "damaged.db")
        with closing(apsw.Connection("damaged.db")) as connection:
            connection.execute(sql)
        return mem

    return change


@pytest.mark.parametrize(
    "sql, told",
    [
        ("UPDATE memories SET hits = 'many'", "values of another type in memories.hits"),
        ("UPDATE chunks SET body_offset = 'x'", "values of another type in chunks.body_offset"),
        ("UPDATE files SET path = CAST(path AS BLOB)", "values of another type in files.path"),
        ("ALTER TABLE memories RENAME COLUMN hits TO found", "no such column: hits"),
        ("ALTER TABLE files RENAME COLUMN path TO place", "no such column: f.path"),
        ("ALTER TABLE turns RENAME TO said", "no such table: turns"),
        ("ALTER TABLE meta RENAME COLUMN value_json TO value", "no such column: value_json"),
    ],
)
def test_each_command_ends_with_what_is_wrong(
    damaged: Callable[[str], Mem], sql: str, told: str
) -> None:
    mem = damaged(sql)
    answers = [mem(*command) for command in COMMANDS]
    assert {answer.code for answer in answers} <= {0, 4, 9}
    failed = [answer.err for answer in answers if answer.code == 9]
    assert any(told in error for error in failed)
    assert all("hint: " in error and "mem doctor" in error for error in failed)
    assert mem(*DOCTOR).code == 10
