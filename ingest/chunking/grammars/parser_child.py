"""The process that parses source code: it reads requests and writes answers until its input ends.

A request is a line of JSON and the text that it announces, an answer is a line of JSON. Memory and
time are limited here, so that a text that exceeds them ends only this process.
"""

import faulthandler
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

from ingest.chunking.grammars.syntax import parse

MAX_MEMORY_BYTES: Final = 1 << 30
# A sound text takes a fifth of a second per million bytes.
_SECONDS: Final = 1.0
_SECONDS_PER_BYTE: Final = 1e-6


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every request with the starts and names in its text, or null without a grammar."""
    while line := requests.readline():
        request = json.loads(line)
        text = requests.read(request["bytes"]).decode()
        found = None
        seconds = _SECONDS + _SECONDS_PER_BYTE * request["bytes"]
        # The suppressed warning is for a grammar of another version than the parser.
        with _deadline(seconds), suppress(ImportError, ValueError, OSError):
            found = parse(text, request["language"], request["size_chars"])
        answers.write(json.dumps(found, separators=(",", ":")).encode() + b"\n")
        answers.flush()


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """End this process, by a signal, when the block takes more processor time.

    On Windows, without such a timer, twice that time on the clock is used.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        faulthandler.dump_traceback_later(2 * seconds, exit=True)
        yield
        faulthandler.cancel_dump_traceback_later()


def main() -> None:
    """Serve standard input under the limits; an interruption is for the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, ValueError, OSError):  # not available everywhere, and never raised
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    serve(sys.stdin.buffer, sys.stdout.buffer)
