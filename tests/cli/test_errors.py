"""Errors as the command line reports them: text, JSON, exit codes, and the documentation."""

import errno
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from cli.errors import EXIT_CODES, exit_code, guarded
from contracts import InputError, MemError, NotFoundError, errors
from tests.cli.shell import ROOT, Mem, environment, python, shell


def raising(error: BaseException) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


def test_every_class_has_a_code_of_its_own() -> None:
    declared = vars(errors).values()
    classes = {kind for kind in declared if isinstance(kind, type) and issubclass(kind, MemError)}
    assert set(EXIT_CODES) == classes - {MemError}
    assert len(set(EXIT_CODES.values())) == len(EXIT_CODES)
    assert EXIT_CODES[InputError] == 2
    assert min(EXIT_CODES.values()) == 2
    assert max(EXIT_CODES.values()) < 126  # from there on a shell has its own meanings


def test_a_narrower_class_has_the_code_of_the_wider() -> None:
    class NarrowError(NotFoundError):
        """Something in particular."""

    assert exit_code(NarrowError("x", hint="y")) == EXIT_CODES[NotFoundError]
    assert exit_code(MemError("x", hint="y")) == 1


def test_every_code_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    for kind, code in EXIT_CODES.items():
        assert f"| {code} | `{kind.code}` | {inspect.getdoc(kind)} |" in page


@pytest.mark.parametrize("kind", EXIT_CODES, ids=lambda kind: kind.__name__)
def test_an_error_is_a_fact_and_a_next_step(
    kind: type[MemError], capsys: pytest.CaptureFixture[str]
) -> None:
    error = kind("there is no\nsuch \x1b[31mthing", hint="name another")
    assert guarded(raising(error), ["search"]) == EXIT_CODES[kind]
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "mem: there is no\\nsuch \\x1b[31mthing\nhint: name another\n"


def test_an_error_as_json(mem: Mem) -> None:
    answer = mem("search", "x", "--json")
    assert (answer.code, answer.out) == (4, "")
    assert set(answer.error) == {"error", "message", "hint", "exit_code"}
    assert answer.error["error"] == "not-found"
    assert answer.error["exit_code"] == 4
    assert answer.error["hint"] == "make one: mem sync PATH"


def test_a_wrong_use_as_json(mem: Mem) -> None:
    assert mem("--json", "seerch").error["error"] == "usage"
    assert "'ten' is not a whole number." in mem("search", "x", "-k", "ten").err
    assert "'high' is not a number." in mem("search", "x", "--min-score", "high").err
    assert mem("search", "--json").error["exit_code"] == 2
    assert mem("seerch", "--", "--json").err.startswith("mem: ")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=["ctrl-c", "abort"])
def test_an_interruption(error: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(error), []) == 130
    err = capsys.readouterr().err
    assert err == ("mem: interrupted\nhint: finished work is kept; run it again to continue\n")


def test_other_ways_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(click.exceptions.Exit(3)), []) == 3
    assert guarded(raising(click.FileError("x", "gone")), []) == 1
    assert guarded(raising(OSError(errno.ENOSPC, "full")), []) == 9
    assert guarded(raising(BrokenPipeError()), []) == 141
    assert "the disk" not in capsys.readouterr().err
    assert guarded(lambda: None, []) == 0


@pytest.mark.parametrize("error", [OSError(errno.EIO, "x"), KeyError("x")], ids=["os", "bug"])
def test_mistakes_of_the_program_show_themselves(error: Exception) -> None:
    with pytest.raises(type(error), match="x"):
        guarded(raising(error), [])


def test_a_reader_that_has_gone(synced: Mem, folder: Path) -> None:
    for arguments in (["files"], ["search", "installer", "--json"], ["--help"]):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *arguments],
            cwd=folder,
            env=environment(),
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(write)
        assert done.returncode == 141
        assert b"Traceback" not in done.stderr
        assert b"BrokenPipe" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(synced: Mem, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", "files"],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 9
    assert done.stderr.startswith("mem: no space left")


def test_streams_that_were_closed(synced: Mem, folder: Path) -> None:
    code = """
import os, sys
os.close(1), os.close(2)
os.execv(sys.executable, [sys.executable, "-m", "cli.main", "search", "installer"])
"""
    assert python(code, cwd=folder).code == 0


@pytest.mark.parametrize(
    "command, said",
    [
        (["import", "-"], "mem: the export is empty"),
        (["turn", "add", "--session", "s", "-"], "mem: the text is ''"),
        (["mcp"], ""),
    ],
    ids=["import", "turn", "mcp"],
)
def test_a_closed_stdin_is_empty(mem: Mem, folder: Path, command: list[str], said: str) -> None:
    code = f"""
import os, sys
os.close(0)
os.execv(sys.executable, [sys.executable, "-m", "cli.main", *{command}])
"""
    done = python(code, cwd=folder)
    assert (done.out, done.err.partition("\n")[0]) == ("", said)


@pytest.mark.parametrize("command", [["status"], ["search", "oak"], ["sync", "."], ["files"]])
def test_a_working_directory_that_was_removed(mem: Mem, folder: Path, command: list[str]) -> None:
    code = f"""
import os, sys
os.mkdir("gone")
os.chdir("gone")
os.rmdir("../gone")
os.execv(sys.executable, [sys.executable, "-P", "-m", "cli.main", *{command}])
"""
    done = python(code, cwd=folder)
    assert (done.code, done.out) == (4, "")
    assert done.err == "mem: the working directory was removed\nhint: change into another one: cd\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_error_that_nobody_can_read_has_its_code(mem: Mem, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "cli.main", "show", "nothing.md"]
        done = subprocess.run(command, cwd=folder, env=environment(), stderr=full, check=False)
    assert done.returncode == 4


def test_an_encoding_that_lacks_characters(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "数据.md").write_text("Muede Katze\n")
    mem("sync", "docs")
    answer = shell("search", "Katze", cwd=folder, PYTHONIOENCODING="latin-1")
    assert answer.code == 0
    assert "docs/\\u6570\\u636e.md:1" in answer.out
    as_json = shell("search", "Katze", "--json", cwd=folder, PYTHONIOENCODING="latin-1")
    assert as_json.out.isascii()
    assert as_json.json["results"][0]["citation"] == "docs/数据.md:1"


@pytest.mark.parametrize("group", ["fact", "memories", "turn", "config", "token", "service"])
def test_a_group_without_a_command_names_its_commands(mem: Mem, group: str) -> None:
    run = mem(group)
    assert run.code == 2
    first, second = run.err.splitlines()
    assert first.startswith(f"mem: mem {group} needs a command: ")
    assert second == f"hint: mem {group} --help"
    assert json.loads(mem("--json", group).err)["message"] == first.removeprefix("mem: ")
