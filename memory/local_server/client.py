"""The way from a command, or another program of ours, to a running server of its database."""

import os
import socket
import time
from contextlib import closing, suppress
from typing import Any

from contracts import UnavailableError
from memory.config.loading import LoadedConfig
from memory.local_server.address import HAS_SOCKETS, Address, Identity, find_address
from memory.local_server.agreement import agreement
from memory.local_server.protocol import ANSWER, GREETING, HEAD, NONCE_BYTES, REQUEST, Proofs
from memory.local_server.values import CommandAnswer, CommandRequest


class RunningServer:
    """A connection to a server that has proved that it knows the key, for one request."""

    def __init__(self, connection: socket.socket, proofs: Proofs) -> None:
        self._connection = connection
        self._proofs = proofs

    def close(self) -> None:
        """End the connection; `run` does so itself."""
        self._connection.close()

    def run(self, request: CommandRequest, *, until: float | None = None) -> CommandAnswer | None:
        """Return the answer to a command, which must come `until` then by the monotonic clock.

        None when the server did not receive all of it, so that nothing was done. Raises
        UnavailableError when it did and no answer came: nobody knows whether it was carried out.
        """
        with closing(self._connection):
            try:
                self._connection.settimeout(_left(until))
                self._connection.sendall(self._proofs.frame(REQUEST, request._asdict()))
            except OSError:
                return None
            try:
                content = _received(self._connection, self._proofs, ANSWER, until=until)
            except (OSError, ValueError) as error:
                raise UnavailableError(
                    "the running server ended before it answered",
                    hint="see whether it was done before you run it again",
                ) from error
        return CommandAnswer(**content)


def connect(loaded: LoadedConfig, *, wait_s: float) -> RunningServer | None:
    """Return a connection to the server of the configured database.

    None unless there is one that answers within `wait_s`, proves that it knows the key, and has the
    same version, settings and database as this process.
    """
    if not HAS_SOCKETS or loaded.config.memory.backend != "sqlite":
        return None
    try:
        identity = Identity.of(loaded.database_path)
    except OSError:
        return None
    address = find_address(identity)
    if address is None:
        return None
    connection = socket.socket(socket.AF_UNIX)
    proofs = Proofs(address.key, os.urandom(NONCE_BYTES))
    with suppress(OSError, ValueError):
        greeting = _greeting(connection, address, proofs, wait_s)
        if greeting["agreement"] == agreement(loaded, identity, address.key):
            return RunningServer(connection, proofs)
    connection.close()
    return None


def _greeting(
    connection: socket.socket, address: Address, proofs: Proofs, wait_s: float
) -> dict[str, Any]:
    """Return what the server says of itself. Raises OSError when that takes too long."""
    until = time.monotonic() + wait_s
    connection.settimeout(wait_s)
    connection.connect(str(address.socket))
    connection.sendall(proofs.nonces)
    greeting = _received(connection, proofs, GREETING, until=until)
    proofs.nonces += bytes.fromhex(greeting["nonce"])
    return greeting


def _received(
    connection: socket.socket, proofs: Proofs, number: int, *, until: float | None = None
) -> dict[str, Any]:
    """Return the content of the next frame. Raises OSError or ValueError without a proved one."""
    size, proof = HEAD.unpack(_bytes(connection, HEAD.size, until))
    return proofs.content(number, proof, _bytes(connection, size, until))


def _bytes(connection: socket.socket, size: int, until: float | None) -> bytes:
    parts = []
    while size:
        if until is not None:
            connection.settimeout(_left(until))
        part = connection.recv(min(size, 65_536))
        if not part:
            raise ConnectionError("the connection ended")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _left(until: float | None) -> float | None:
    """Return the seconds until then, at least a millisecond; None without an end."""
    return None if until is None else max(0.001, until - time.monotonic())
