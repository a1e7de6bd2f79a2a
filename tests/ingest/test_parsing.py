"""The process that parses: what it survives, and what happens when it does not."""

import os
import signal
import threading
from pathlib import Path

import pytest

from ingest import ChunkSettings, LoadedText, chunk
from ingest.chunking.grammars import parsing
from ingest.chunking.grammars.parsing import ParserProcess, parsed_source
from tests.cli.shell import ROOT, python
from tests.waiting import wait_until

SOUND = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
FOUND = (
    [(0, ("f",), "def f()"), (SOUND.index("def g"), ("g",), "def g()")],
    [(0, "f"), (SOUND.index("def g"), "g")],
)


@pytest.fixture
def parser():
    process = ParserProcess()
    yield process
    process.stop()


def pid(parser: ParserProcess) -> int:
    assert parser._process is not None
    return parser._process.pid


def test_one_process_answers_all(parser):
    assert parser.parse(SOUND, "python", 9) == FOUND
    first = pid(parser)
    assert parser.parse(SOUND, "python", 9) == FOUND
    assert pid(parser) == first


@pytest.mark.slow
@pytest.mark.parametrize(
    "language, text",
    [
        # Memory in the square of the depth, processor time in the square of the length.
        pytest.param("java", "x =>\n" * 20_000, id="memory"),
        pytest.param("javascript", "/* x\n\n" * 20_000, id="time"),
    ],
)
def test_a_text_that_breaks_the_limits_ends_the_process_alone(parser, language, text):
    assert parser.parse(SOUND, "python", 9) == FOUND
    first = pid(parser)
    assert parser.parse(text, language, 9) is None
    assert parser.parse(SOUND, "python", 9) == FOUND
    assert pid(parser) != first


def test_a_text_that_cannot_be_parsed_is_still_cut():
    text = "x =>\n" * 20_000 + "end"
    pieces = chunk(LoadedText(text, "code", "utf-8", "java"), ChunkSettings(1000, 0))
    assert pieces[0].start_char == 0
    assert pieces[-1].text.endswith("end")


def test_a_killed_process_is_replaced(parser):
    assert parser.parse(SOUND, "python", 9) == FOUND
    os.kill(pid(parser), signal.SIGKILL)
    assert parser.parse(SOUND, "python", 9) is None
    assert parser.parse(SOUND, "python", 9) == FOUND


def test_threads_take_turns(parser):
    found: list[object] = []

    def ask() -> None:
        found.extend(parser.parse(SOUND, "python", 9) for _ in range(20))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [FOUND] * 80


FORKED = """
import os
import sys
from ingest.chunking.grammars.parsing import _PARSER
text = "def f():\\n    return 1\\n"
assert _PARSER.parse(text, "python", 9)
parent = _PARSER._process.pid
child = os.fork()
for _ in range(50):
    assert _PARSER.parse(text, "python", 9).starts == [(0, ("f",), "def f()")]
if child:
    assert _PARSER._process.pid == parent
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
assert _PARSER._process.pid != parent
"""


def test_a_fork_has_a_process_of_its_own():
    done = python(FORKED, cwd=ROOT)
    assert (done.code, done.err) == (0, "")


KILLED = """
import os
from ingest.chunking.grammars.parsing import _PARSER
assert _PARSER.parse("def f(): pass", "python", 9)
print(_PARSER._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_process_ends_with_the_one_that_asks():
    done = python(KILLED, cwd=ROOT)
    assert done.code == -signal.SIGKILL
    wait_until(lambda: not is_running(int(done.out)))


def is_running(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = 1\n" * (parsing.MAX_CHARS // 6 + 1), id="long"),
        pytest.param("def f(): pass\n" + "x = 1; " * 1000, id="long-lines"),
    ],
)
def test_what_no_people_wrote_is_not_parsed(text):
    assert parsed_source(text, "python", 1000) is None


def test_a_language_without_grammar_is_not_parsed():
    assert parsed_source("program x\n", "fortran", 1000) is None
