"""`mem audit` as a user types it."""

import json
import shlex
from pathlib import Path

from cli.commands import COMMANDS
from tests.cli.shell import Mem


def told(mem: Mem, *texts: str, role: str = "user") -> None:
    for text in texts:
        assert mem("turn", "add", "--session", "s1", "--role", role, text).code == 0


def test_it_says_that_all_is_well(mem: Mem) -> None:
    told(mem, "I like tea")
    answer = mem("audit")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("1 memory, 1 turn in ")
    assert answer.out.endswith(" s: nothing found\n")
    report = json.loads(mem("audit", "--json").out)
    assert (report["clean"], report["findings"]) == (True, [])
    told(mem, "I like rain")
    assert mem("audit").out.startswith("2 memories, 2 turns in ")


def test_what_it_finds_is_mended_by_the_commands_that_it_names(mem: Mem) -> None:
    told(mem, "my password is swordfish42", "I like tea")
    answer = mem("audit")
    assert answer.code == 10
    assert answer.out.splitlines()[:3] == [
        "secret: session s1 turn 1: my password is [password]",
        "  it holds a password",
        '  mem forget "turn 1"',
    ]
    report = json.loads(mem("audit", "--kind", "secret", "--json").out)
    assert report["counts"] == {"secret": 1}
    for finding in report["findings"]:
        for command in finding["commands"]:
            program, *arguments = shlex.split(command)
            assert (program, arguments[0] in COMMANDS) == ("mem", True)
            assert mem(*arguments).code == 0
    assert mem("audit").code == 0


def test_files_are_looked_into_when_asked(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "setup.md").write_text("# Setup\n\nThe password is swordfish42.\n")
    assert mem("sync", "docs").code == 0
    assert mem("audit").code == 0
    answer = mem("audit", "--files")
    assert answer.code == 10
    assert answer.out.startswith("secret: docs/setup.md:3: The password is [password]")
    assert f'mem sync "{folder}/docs/setup.md"' in answer.out
    assert "swordfish" not in answer.out


def test_what_is_not_listed_is_counted(mem: Mem) -> None:
    told(mem, *(f"my password is sword{n}fish42" for n in range(3)))
    answer = mem("audit", "--limit", "1")
    assert answer.out.count("secret: ") == 1
    assert answer.out.splitlines()[-1].endswith(": 3 secret")
    assert "2 more: --limit N lists more of each kind" in answer.err


def test_there_has_to_be_a_database(mem: Mem) -> None:
    answer = mem("audit")
    assert answer.code == 4
    assert "there is no database" in answer.err
