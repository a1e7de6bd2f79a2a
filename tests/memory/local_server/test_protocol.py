"""Frames and their proofs, and the streams of callers."""

import io
import sys
import threading
from contextlib import redirect_stdout

import pytest

from memory.local_server.protocol import ANSWER, HEAD, REQUEST, Proofs
from memory.local_server.streams import printing_for, streams_of_callers
from memory.local_server.values import CommandRequest

KEY, NONCE = bytes(32), bytes(16)
CALLER = CommandRequest(["show"], None, None, "/", {}, "ascii", ["stdout"])


def test_a_frame_is_read_by_who_knows_the_key() -> None:
    frame = Proofs(KEY, NONCE).frame(REQUEST, {"text": "née \udc80"})
    size, proof = HEAD.unpack(frame[: HEAD.size])
    text = frame[HEAD.size :]
    assert len(text) == size
    assert Proofs(KEY, NONCE).content(REQUEST, proof, text) == {"text": "née \udc80"}


@pytest.mark.parametrize(
    "key, nonce, number, change",
    [
        (bytes([1]) * 32, NONCE, REQUEST, b""),
        (KEY, bytes([1]) * 16, REQUEST, b""),
        (KEY, NONCE, ANSWER, b""),
        (KEY, NONCE, REQUEST, b" "),
    ],
    ids=["another key", "another conversation", "another step", "another text"],
)
def test_a_wrong_proof(key: bytes, nonce: bytes, number: int, change: bytes) -> None:
    frame = Proofs(KEY, NONCE).frame(REQUEST, {})
    _, proof = HEAD.unpack(frame[: HEAD.size])
    with pytest.raises(ValueError, match="the proof is wrong"):
        Proofs(key, nonce).content(number, proof, frame[HEAD.size :] + change)


def test_text_of_a_caller_is_collected_and_all_other_goes_on() -> None:
    with redirect_stdout(io.StringIO()) as under, streams_of_callers():
        with printing_for(CALLER) as printed:
            sys.stdout.write("for the caller")
            sys.stdout.flush()
            sys.stderr.write("too")
            assert (sys.stdout.encoding, sys.stdout.isatty()) == ("ascii", True)
            assert not sys.stderr.isatty()
            with pytest.raises(OSError, match="no number"):
                sys.stdout.fileno()
            with pytest.raises(TypeError, match="bytes"):
                sys.stdout.write(b"")  # type: ignore[arg-type]  # click tries it
            other = threading.Thread(target=lambda: sys.stdout.write("of the server"))
            other.start()
            other.join()
        sys.stdout.flush()
        assert not sys.stdout.isatty()
    assert printed.parts == [("stdout", "for the caller"), ("stderr", "too")]
    assert under.getvalue() == "of the server"
