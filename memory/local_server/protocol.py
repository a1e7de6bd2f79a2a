"""The frames that a command and a server exchange, each proved by the key they share.

    command  a nonce, nothing else
    server   frame 1: its own nonce, and its agreement (`memory.local_server.agreement`)
    command  frame 2: the request
    server   frame 3: the answer

A frame is the length of its text, a proof, and the text, which is JSON. The proof is a keyed hash
(BLAKE2b, RFC 7693) of the text, the frame's number and both nonces: who does not know the key
cannot make one, and one of another conversation is worth nothing.
"""

import json
from struct import Struct
from typing import Any

try:  # the same functions, without OpenSSL, which takes 2 ms of a command that a server answers
    from _blake2 import blake2b
    from _operator import _compare_digest as compare_digest
except ImportError:  # another interpreter than CPython
    from hashlib import blake2b
    from hmac import compare_digest  # type: ignore[no-redef]  # the same function

NONCE_BYTES = 16
PROOF_BYTES = 32
HEAD = Struct(f"!I{PROOF_BYTES}s")
"""The length of a frame's text, and its proof."""

MOST_BYTES = 16 * 1024 * 1024
"""The longest text of a request; a command line is far below it."""

GREETING, REQUEST, ANSWER = range(1, 4)


def keyed_hash(content: bytes, key: bytes) -> str:
    """Return the keyed hash of a content, in hexadecimal."""
    return blake2b(content, key=key).hexdigest()


class Proofs:
    """The proofs of one conversation.

    `nonces` begins as the command's and ends as both.
    """

    def __init__(self, key: bytes, nonce: bytes) -> None:
        self._key = key
        self.nonces = nonce

    def frame(self, number: int, content: dict[str, Any]) -> bytes:
        """Return a frame, ready to be sent."""
        text = json.dumps(content).encode()
        return HEAD.pack(len(text), self._proof(number, text)) + text

    def content(self, number: int, proof: bytes, text: bytes) -> dict[str, Any]:
        """Return what a received frame says. Raises ValueError when its proof is wrong."""
        if not compare_digest(proof, self._proof(number, text)):
            raise ValueError("the proof is wrong")
        content: dict[str, Any] = json.loads(text)
        return content

    def _proof(self, number: int, text: bytes) -> bytes:
        return blake2b(
            self.nonces + text, key=self._key, digest_size=PROOF_BYTES, person=b"mem %d" % number
        ).digest()
