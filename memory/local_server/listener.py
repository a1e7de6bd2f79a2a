"""The server's side: a socket in the user's runtime folder, on which commands are answered."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress

from anyio import CapacityLimiter, to_thread

from memory.local_server.address import Address, Identity, leave, new_address, withdraw
from memory.local_server.agreement import agreement
from memory.local_server.protocol import (
    ANSWER,
    GREETING,
    HEAD,
    MOST_BYTES,
    NONCE_BYTES,
    REQUEST,
    Proofs,
)
from memory.local_server.values import CommandAnswer, CommandRequest
from memory.workspace import Workspace

Run = Callable[[Workspace, CommandRequest], CommandAnswer]
"""Runs a command in this process; called in a thread."""

MOST_AT_ONCE = 8
"""Commands answered at a time; others work by themselves."""

REQUEST_S = 1.0
"""The time that a command has to say what it wants: it sends that at once."""


class LocalListener:
    """Answers commands that have the database of this workspace; used in the server's event loop.

    Start it with `start`, which leaves the address, and end it with `stop`.
    """

    def __init__(self, workspace: Workspace, run: Run) -> None:
        self._workspace = workspace
        self._run = run
        workspace.is_shared = True
        self._threads = CapacityLimiter(MOST_AT_ONCE)
        self._conversations: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._left: tuple[Address, Identity] | None = None

    async def start(self) -> None:
        """Listen, and leave the address; a database in memory is of this process alone.

        Raises ForbiddenError for a runtime folder that others can use, OSError where it cannot
        listen, StorageError where the address cannot be written.
        """
        if self._workspace.path is None:
            return
        identity = Identity.of(self._workspace.path)
        address = await to_thread.run_sync(new_address)
        self._server = await asyncio.start_unix_server(self._received, address.socket)
        self._left = address, identity
        await to_thread.run_sync(leave, address, identity)

    async def stop(self, grace_s: float) -> None:
        """Withdraw the address, and end after the running commands or that many seconds."""
        if self._server is not None:
            self._server.close()
        if self._left is not None:
            await to_thread.run_sync(withdraw, *self._left)
        if self._conversations:
            _, late = await asyncio.wait(self._conversations, timeout=grace_s)
            for conversation in late:
                conversation.cancel()

    async def _received(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.current_task()
        if conversation is None or len(self._conversations) >= MOST_AT_ONCE:
            writer.close()
            return
        self._conversations.add(conversation)
        try:
            # The caller has gone, or does not know the key.
            with suppress(OSError, EOFError, ValueError):
                await self._converse(reader, writer)
        finally:
            self._conversations.discard(conversation)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._left is None:
            return
        address, identity = self._left
        async with asyncio.timeout(REQUEST_S):
            proofs = Proofs(address.key, await reader.readexactly(NONCE_BYTES))
            ours = os.urandom(NONCE_BYTES)
            agreed = agreement(self._workspace.loaded, identity, address.key)
            writer.write(proofs.frame(GREETING, {"nonce": ours.hex(), "agreement": agreed}))
            proofs.nonces += ours
            size, proof = HEAD.unpack(await reader.readexactly(HEAD.size))
            if size > MOST_BYTES:
                return
            content = proofs.content(REQUEST, proof, await reader.readexactly(size))
        request = CommandRequest(**content)
        answer = await to_thread.run_sync(
            self._run, self._workspace, request, limiter=self._threads, abandon_on_cancel=True
        )
        writer.write(proofs.frame(ANSWER, answer._asdict()))
        await writer.drain()
