"""Tools for tests of commands that a running server answers."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.cli.shell import Answer, python, start
from tests.waiting import DEADLINE_S, output_of

RUN = """
import sys
from functools import partial
{before}
from cli.main import prepare_streams, run
from cli.running_server import answered
prepare_streams()
code = run({arguments!r}, ask=partial(answered, wait_s={wait_s}))
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""
"""A command as the shell's `mem` runs it, with a time to wait for a server on a loaded machine."""

TIMES = (
    (r'("search_time_ms"|"timings"): ?(\{[^}]*\}|[\d.]+)', r"\1: -"),
    (r"in \d+ ms", "in - ms"),
    (r"\d+ (s|min) ago", "- ago"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "-"),
    (r'("score": \d\.\d{4})\d+', r"\1"),
    (" {2,}", "  "),  # a column is as wide as its longest age
)

Home = dict[str, str]
"""The variables of the environment that name the user's folders."""


class Ran(NamedTuple):
    """An answer, and the modules that the process had loaded by then."""

    answer: Answer
    modules: set[str]

    @property
    def served(self) -> bool:
        """Whether a server answered: the process itself opened no database."""
        return "memory.workspace" not in self.modules


def data_of(home: Home) -> Path:
    return Path(home["XDG_DATA_HOME"], "symbiosis-memory")


def ran(
    *arguments: str, cwd: Path, wait_s: float = DEADLINE_S, before: str = "", **changes: str
) -> Ran:
    code = RUN.format(arguments=list(arguments), wait_s=wait_s, before=before)
    answer = python(code, cwd=cwd, **changes)
    *said, modules = answer.err.splitlines(keepends=True)
    return Ran(Answer(answer.code, answer.out, "".join(said)), set(modules.split()))


def timeless(answer: Answer) -> tuple[int, str, str]:
    texts = [answer.out, answer.err]
    for pattern, instead in TIMES:
        texts = [re.sub(pattern, instead, text) for text in texts]
    return answer.code, texts[0], texts[1]


def serving(cwd: Path, *arguments: str, **changes: str) -> "subprocess.Popen[str]":
    """A server that answers."""
    process = start(*arguments, "serve", "--port", "0", cwd=cwd, **changes)
    assert process.stderr is not None
    said = process.stderr.readline()
    assert "http://" in said, said
    return process


def end(process: "subprocess.Popen[str]") -> str:
    """End a process, and return what it said on stderr."""
    process.kill()
    return output_of(process)[1]


def home_in(folder: Path) -> Home:
    names = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run"}
    return {variable: str(folder / name) for variable, name in names.items()}


def left_of(home: Home) -> Path:
    return Path(home["XDG_RUNTIME_DIR"], "symbiosis-memory")
