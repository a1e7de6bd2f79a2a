"""The server process: it runs the application on a socket until it is stopped."""

import asyncio
import ctypes
import gc
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import cast

import uvicorn
from fastapi import FastAPI

from contracts import ConfigError, MemError, NotFoundError
from memory.api.address import BACKLOG, is_local, listen, url_of
from memory.api.app import create_app
from memory.api.app_state import AppState, say
from memory.api.limits.connections import (
    ACCEPTED_AT_ONCE,
    ConnectionLimits,
    LimitedHttp,
    counted_failures,
    used_of,
)
from memory.api.redaction import redacted_stderr
from memory.api.reload import FileChanges, reload_config
from memory.api.tenants.open_memories import OpenMemories
from memory.api.workers.accepting import Acceptor
from memory.api.workers.leadership import JobLeadership
from memory.api.workers.shared_memory import used_connections
from memory.api.workers.supervisor import Order, supervise
from memory.config.loading import LoadedConfig
from memory.config.validation import networks_of
from memory.local_server.address import HAS_SOCKETS
from memory.local_server.listener import LocalListener, Run
from memory.local_server.streams import streams_of_callers
from memory.operations.jobs.registry import WATCH
from memory.operations.tokens import list_tokens
from memory.storage.counters import CountTable
from memory.storage.opening import IN_MEMORY
from memory.workspace import Workspace

GRACE_S = 1
"""The time that running requests have to end when the server stops."""

TICKS_A_LOOK = 10
"""Ticks of uvicorn, a tenth of a second each, between two looks at the configuration file."""

OBJECTS_A_COLLECTION = 20_000
"""New objects after which Python looks for cyclic garbage, instead of 700: a query makes some ten
thousand and leaves no cycles. With the program itself out of the search, this takes a tenth off the
time of a context, and a sixth off its slowest ones.
"""

_M_ARENA_MAX, _ARENAS = -8, 2
"""The parameter of glibc's `mallopt`, and its value."""

_HEADERS = [("X-Content-Type-Options", "nosniff")]


def serve(
    loaded: LoadedConfig,
    *,
    host: str | None = None,
    port: int | None = None,
    workers: int = 1,
    run: Run | None = None,
) -> None:
    """Serve the configured database until SIGTERM or SIGINT, following its configuration file.

    `host` and `port` replace the configured ones; port 0 takes a free one. With several `workers`
    so many processes answer. The address is printed to stderr once the server answers. A missing
    database is created. `run` runs commands for this user's command line, on their own socket.

    Raises ForbiddenError for an address beyond this machine without a token, BusyError for a port
    in use, ConfigError for an unusable address, also of a proxy, and for workers over a database in
    memory, and what opening a database raises.
    """
    backend = loaded.config.memory.backend
    if workers > 1 and backend == IN_MEMORY:
        raise ConfigError(
            f'{workers} workers cannot share a database of memory.backend "{backend}"',
            hint='use one, or keep the database in a file: memory.backend "sqlite"',
        )
    settings = loaded.config.memory.server
    networks_of(settings.proxies)  # an invalid one is told of at once
    name = settings.host if host is None else host
    chosen = settings.port if port is None else port
    listener = listen(name, chosen, has_token=partial(_has_token, loaded))
    try:
        workspace = Workspace(loaded)
    except BaseException:
        listener.close()
        raise
    is_closed = not is_local(listener)
    where = f"mem serve: {url_of(listener)}  {_database(loaded)}"
    if workers == 1:
        run_server(workspace, listener, host=name, is_closed=is_closed, where=where, run=run)
        return
    workspace.close()  # it is there, and can be opened: each worker opens it again
    given = (loaded, name, is_closed, listener.fileno(), int(listener.family), workers)
    gc.enable()  # the workers enable it themselves
    supervise(Order(*given, where=where, run=run), listener)


def run_server(
    workspace: Workspace,
    listener: socket.socket,
    *,
    host: str,
    is_closed: bool,
    where: str | None,
    run: Run | None,
) -> None:
    """Serve a workspace on a socket until this process is told to end, and close both."""
    _share_memory()
    app = create_app(workspace, host=host, is_closed=is_closed)
    gc.freeze()  # the program's own classes and functions stay
    gc.set_threshold(OBJECTS_A_COLLECTION)
    gc.enable()
    with redacted_stderr(sys.stderr, is_on=lambda: _redacts(workspace)), streams_of_callers():
        Server(app, where, commands=run and LocalListener(workspace, run)).run([listener])


def _share_memory() -> None:
    """Let threads use the memory that others have freed: glibc gives each a part of its own, which
    takes a server with 16 clients 25 MB more.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def _has_token(loaded: LoadedConfig) -> bool:
    """Return whether the configuration or an existing database has a token, or tenants."""
    if loaded.config.memory.server.tokens:
        return True
    try:
        with Workspace(loaded, create=False) as workspace:
            tenants = workspace.storage.tenants
            return bool(list_tokens(workspace) or (tenants and tenants.all()))
    except NotFoundError:
        return False


def _database(loaded: LoadedConfig) -> str:
    """`database PATH`, and the file that names it where it is not the user's own."""
    if loaded.other_database is None:
        return f"database {loaded.database_name}"
    by = f", by {loaded.path}" if loaded.path else ""
    return f"database {loaded.other_database} (not your own{by})"


def _redacts(workspace: Workspace) -> bool:
    return workspace.loaded.config.privacy.auto_pii_redaction


def _say_nothing(_line: str) -> None:
    pass


class Server(uvicorn.Server):
    """uvicorn with its own shutdown: a handled signal is not raised again."""

    def __init__(
        self,
        app: FastAPI,
        where: str | None,
        limits: ConnectionLimits | None = None,
        *,
        commands: LocalListener | None = None,
    ) -> None:
        """Store `where`, which is printed once the server answers, if it is given."""
        self._state: AppState = app.state.app_state
        self._memories: OpenMemories = app.state.memories
        self._leadership = self._state.leadership  # if other workers take connections, too
        self._acceptor: Acceptor | None = None
        self._notices = self._state.limits.notices
        self._protocol = partial(
            LimitedHttp,
            limits=limits or ConnectionLimits(),
            notices=self._notices,
            ended=self._count_connections,
        )
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                headers=_HEADERS,
                forwarded_allow_ips=networks_of(self._state.workspace.config.server.proxies),
                ws="none",
                http=cast(type[asyncio.Protocol], self._protocol),
                backlog=ACCEPTED_AT_ONCE,
                lifespan="on",
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self._where = where
        self._commands = commands
        self._hung_up = self._leadership is not None  # the file may have changed since it was given
        self._changes = FileChanges(self._state.workspace)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        notice = await self._listen_for_commands()
        counts = self._state.workspace.find(CountTable)
        await super().startup(sockets if counts is None else [])
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(counted_failures(self._notices))
        for listener in sockets or ():
            listener.listen(BACKLOG)  # the queue is longer than what is accepted at once
        if counts is not None and sockets:
            self._accept_share(sockets[0], used_connections(counts))
        for line in (self._where, notice):  # the address first: programs read it
            if line is not None:
                say(line)
        self._state.start_upkeep()

    def _accept_share(self, listener: socket.socket, connections: CountTable) -> None:
        """Take connections from the listener of several workers."""
        protocol = partial(
            self._protocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        self._acceptor = Acceptor(
            listener,
            connections,
            protocol=protocol,
            used=partial(used_of, self.server_state.connections),
            notices=self._notices,
        )
        self._acceptor.start()

    def _count_connections(self) -> None:
        if self._acceptor is not None:
            self._acceptor.count()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is not None:
            self._acceptor.stop()
        if self._commands is not None:
            await self._commands.stop(GRACE_S)
        await super().shutdown(sockets)

    async def _listen_for_commands(self) -> str | None:
        """Answer for the command line; return why that is impossible, while HTTP is served."""
        if self._commands is None or not HAS_SOCKETS:
            return None
        try:
            await self._commands.start()
        except (MemError, OSError) as error:
            return f"mem serve: commands do not use this server: {error}"
        return None

    async def on_tick(self, counter: int) -> bool:
        is_time = counter % TICKS_A_LOOK == 0
        if self._hung_up or (is_time and self._changes.is_waiting()):
            self._hung_up = False
            await asyncio.to_thread(self._reload)
        if is_time and self._leadership is not None:
            self._count_connections()
            await asyncio.to_thread(self._lead, self._leadership)
        return await super().on_tick(counter)

    def _lead(self, leadership: JobLeadership) -> None:
        with suppress(MemError, OSError):  # tried again in a second
            if not self._state.lead(leadership):
                say("mem serve: another worker has got the jobs; this one ends, and is replaced")
                self.should_exit = True

    def _reload(self) -> None:
        """Read the configuration again; of several workers the one with the jobs tells of it."""
        self._changes.note_read()
        tell = say if self._leadership is None or self._leadership.is_held else _say_nothing
        try:
            tell(f"mem serve: {reload_config(self._state.workspace)}")
            self._memories.discard_all()
            self._state.watching.follow_configuration()
            self._state.scheduler.trigger(WATCH.name)
        except MemError as error:
            tell(f"mem serve: the configuration stays as it was: {error}")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread may handle signals
            return
        before = {
            signal.SIGINT: signal.signal(signal.SIGINT, self.handle_exit),
            signal.SIGTERM: signal.signal(signal.SIGTERM, self.handle_exit),
        }
        if hasattr(signal, "SIGHUP"):  # not on Windows
            before[signal.SIGHUP] = signal.signal(signal.SIGHUP, self.handle_hang_up)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End after the running requests; on a second signal, end at once."""
        self._state.stopping.set()
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.should_exit = True

    def handle_hang_up(self, _sig: int, _frame: FrameType | None) -> None:
        self._hung_up = True
