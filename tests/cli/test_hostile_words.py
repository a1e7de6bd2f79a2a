"""Words of the command line that no database can hold, in every argument and option."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli.commands import mem as whole
from cli.sm import sm
from tests.cli.shell import Mem, environment, shell

NOT_UTF8 = os.fsdecode(b"a\xff")
LONG = "x" * 90_000


def commands(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    if isinstance(command, click.Group):
        with click.Context(command) as ctx:
            for name in command.list_commands(ctx):
                inner = command.get_command(ctx, name)
                assert inner is not None
                yield from commands(inner, [*path, name])
    else:
        yield path, command


def calls(group: click.Group, word: str) -> Iterator[tuple[list[str], str]]:
    """One call for each parameter that takes a text or a path, with the word there."""
    for path, command in commands(group, []):
        if path[0] in ("serve", "watch"):
            continue  # they run until they are stopped
        for parameter in command.params:
            is_text = isinstance(parameter.type, click.types.StringParamType | click.Path)
            is_flag = isinstance(parameter, click.Option) and parameter.is_flag
            if not is_text or is_flag or parameter.name in ("config_path", "db"):
                continue
            needed = [
                "x"
                for other in command.params
                if isinstance(other, click.Argument) and other.required and other is not parameter
            ]
            given = [word] if isinstance(parameter, click.Argument) else [parameter.opts[0], word]
            yield [*path, *given, *needed], str(parameter.name)


FILES = ("paths", "path", "sources", "source", "target", "citation", "citations", "why")


@pytest.mark.parametrize("group", [whole, sm], ids=["mem", "sm"])
@pytest.mark.parametrize("word", [NOT_UTF8, LONG, f"{LONG}*", f"a/{LONG}"], ids=ascii)
def test_no_word_is_a_surprise(synced: Mem, group: click.Group, word: str) -> None:
    from cli.main import run

    for arguments, name in calls(group, word):
        code = run(arguments, group=group, name="mem")
        assert code in (0, 2, 3, 4, 5), (arguments[0], name, code)
        if name in ("text", "content", "query", "metadata", "drop_root", "salvage", "svg"):
            continue
        if word != NOT_UTF8 or name not in FILES:
            assert code == 2, (arguments[0], name, code)


def test_a_long_name_says_so(synced: Mem) -> None:
    answer = synced("search", "cats", "--source", LONG)
    assert (answer.code, answer.out) == (2, "")
    assert "--source has 90,000 characters, and 4,096 are the most" in answer.err
    assert len(synced("search", "cats", "--path", f"./{'y' * 300}*/{'z' * 300}").err) < 2000


@pytest.mark.parametrize("option", ["--db", "--config"])
@pytest.mark.parametrize("name", [LONG, f"{'y' * 300}.db", f"/{NOT_UTF8}/nothing"], ids=ascii)
def test_global_options_take_any_name(mem: Mem, option: str, name: str) -> None:
    for arguments in (["status"], ["search", "x"], ["config", "get"]):
        for call in ([option, name, *arguments], [*arguments, option, name]):
            answer = mem(*call)
            assert answer.code in (0, 2, 3, 4, 9), answer.err
            assert "Traceback" not in answer.err


def test_a_file_name_may_be_bytes(mem: Mem, folder: Path) -> None:
    """No citation names such a file, but its folder is read and a sync tells of it."""
    inside = folder / "docs" / NOT_UTF8
    inside.mkdir()
    (inside / "note.md").write_text("An otter.\n")
    (folder / "docs" / f"{NOT_UTF8}.md").write_text("A heron.\n")
    answer = mem("sync", str(inside))  # a root is stored as text
    assert (answer.code, "surrogate" in answer.err) == (2, True)
    assert mem("sync", "docs").code == 0
    assert "a\\udcff.md" in mem("files", "--failed").out
    assert mem("search", "cats", "--path", str(inside)).code == 0
    assert mem("files", "--why", str(folder / "docs" / f"{NOT_UTF8}.md")).code == 0
    assert mem("show", f"docs/{NOT_UTF8}.md").code == 4


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are Unicode there")
def test_words_in_a_locale_that_is_not_utf8(folder: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for arguments, code in (
        (("remember", "K\u00e4se and bread"), 0),
        (("search", "k\u00e4se"), 0),
        (("search", NOT_UTF8), 2),
    ):
        answer = shell(*arguments, cwd=folder, **ascii_only)
        assert (answer.code, "surrogate" in answer.err) == (code, code == 2)
    assert "K\u00e4se and bread" in shell("search", "k\u00e4se", cwd=folder).out


def test_standard_input_that_is_not_utf8(folder: Path) -> None:
    """Bytes of a pipe are checked as arguments are."""
    for arguments in (["ingest", "-"], ["turn", "add", "-", "--session", "s"]):
        for given, allowed in ((b"caf\xe9 here", (0, 2)), (b"a \0 here", (2,))):
            command = [sys.executable, "-m", "cli.main", *arguments]
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment(),
                input=given,
                capture_output=True,
                check=False,
            )
            assert done.returncode in allowed, done.stderr
            assert b"Traceback" not in done.stderr
