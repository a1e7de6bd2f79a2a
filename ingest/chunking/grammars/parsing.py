"""Ask a separate process for the definitions in a source text.

Parsers of broken text can take time and memory quadratic in its length, and crash when memory runs
out. Such a text ends that process; it is cut by the layout of its lines, and the next one gets a
new process. The process is started for the first source file, and ends with this one.
"""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final

from ingest.chunking.grammars.syntax import GRAMMARS, ParsedSource

MAX_CHARS: Final = 4_000_000
_MAX_LINE_CHARS: Final = 1_000
_ROOT: Final = str(Path(__file__).parents[3])
# The grammars are where this process finds them, whatever the environment says.
_PROGRAM: Final = (
    "import sys; sys.path[:] = {path!r}; "
    "from ingest.chunking.grammars.parser_child import main; main()"
)


def parsed_source(text: str, language: str, size_chars: int) -> ParsedSource | None:
    """The starts of sections and the definitions of a source text; None if the layout of its lines
    must be used.

    That is so without a grammar, for very long texts or lines (not written by people), and for
    texts broken in more than half of their length.
    """
    if len(text) > MAX_CHARS or text.count("\n") * _MAX_LINE_CHARS < len(text) - _MAX_LINE_CHARS:
        return None
    return _PARSER.parse(text, language, size_chars) if has_grammar(language) else None


@cache
def has_grammar(language: str) -> bool:
    """Return whether the parser and the grammar of a language are installed."""
    module = GRAMMARS.get(language, ("", ""))[0]
    return bool(module) and all(find_spec(name) is not None for name in ("tree_sitter", module))


class ParserProcess:
    """The process that parses, one text at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def parse(self, text: str, language: str, size_chars: int) -> ParsedSource | None:
        """The answer of `syntax.parse`, or None if the process did not survive the text."""
        data = text.encode()
        request = {"language": language, "size_chars": size_chars, "bytes": len(data)}
        with self._lock:
            try:
                found = self._ask(json.dumps(request).encode() + b"\n" + data)
            except (OSError, ValueError):  # it has ended, or its answer is invalid
                self.stop()
                return None
            except BaseException:
                self.stop()  # half an answer may be pending
                raise
        if found is None:
            return None
        starts, names = found
        return ParsedSource(
            [(start, tuple(path), signature) for start, path, signature in starts],
            [(start, name) for start, name in names],
        )

    def _ask(
        self, request: bytes
    ) -> tuple[list[tuple[int, list[str], str]], list[tuple[int, str]]] | None:
        process = self._process = self._process or _started()
        if process.stdin is None or process.stdout is None:
            raise BrokenPipeError
        process.stdin.write(request)
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise BrokenPipeError
        found: tuple[list[tuple[int, list[str], str]], list[tuple[int, str]]] | None
        found = json.loads(answer)
        return found

    def stop(self) -> None:
        """End the process, if there is one; the next text starts a new one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def forget(self) -> None:
        """Leave the process to the parent from which this one was forked."""
        process, self._process = self._process, None
        self._lock = Lock()
        if process is not None:
            process.returncode = 0  # nothing to wait for here
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def _started() -> subprocess.Popen[bytes]:
    program = _PROGRAM.format(path=[_ROOT, *sys.path])
    flags = ("-I", "-S", *(("-B",) if sys.flags.dont_write_bytecode else ()))
    return subprocess.Popen(  # noqa: S603  our own program, by our own interpreter
        [sys.executable, *flags, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


_PARSER: Final = ParserProcess()
atexit.register(_PARSER.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PARSER.forget)
