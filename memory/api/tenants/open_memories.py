"""The memories of tenants that a server has open: opened by requests, closed when others need room.

A request holds the memory that it is answered from. When another one is to be opened and there are
as many as allowed, the one that nobody has used for longest is closed. So is one whose tenant was
dropped, by whatever process.
"""

import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Condition, Event, Thread
from typing import Final

from anyio import CapacityLimiter, to_thread

from contracts import MemError
from memory.api.app_state import AppState
from memory.storage.capabilities.tenants import Tenant
from memory.storage.database import DatabaseUnavailableError

OPENED_AT_ONCE: Final = 4
"""The most memories that are opened at the same time; other requests wait for none of them."""

WAIT_S: Final = 2.0
"""The longest that a request waits for a place when all open memories are in use."""

LOOK_S: Final = 1.0
"""The pause between two looks whether the tenants of open memories are still there."""


@dataclass(slots=True)
class _Entry:
    """An open memory, or one that is being opened, and the requests that hold it."""

    tenant: Tenant
    state: AppState | None = None
    is_started: bool = False
    users: int = 0
    is_discarded: bool = False


class OpenMemories:
    """The memories that a server answers from: its own, and those of tenants on demand."""

    def __init__(self, home: AppState, *, most: int) -> None:
        self._home = home
        self._most = most
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._closing = 0  # discarded, and not closed yet
        self._ending = 0  # of these, no longer used by any request
        self._changed = Condition()
        self._threads: CapacityLimiter | None = None
        self._looker: Thread | None = None
        self._is_ended = Event()

    @asynccontextmanager
    async def lent(self, tenant: Tenant | None) -> AsyncIterator[AppState]:
        """Lend a tenant's memory, or for None the server's own, for the time of a request.

        Raises DatabaseUnavailableError while every place is in use, and what opening a database
        raises.
        """
        if tenant is None:
            yield self._home
            return
        entry = self._taken(tenant)
        if entry is None:
            self._threads = self._threads or CapacityLimiter(OPENED_AT_ONCE)
            opened = partial(self._opened, tenant)
            entry = await to_thread.run_sync(opened, limiter=self._threads)
        try:
            assert entry.state is not None  # noqa: S101  # it is open; tells mypy
            yield entry.state
        finally:
            self._give_back(entry)

    def names(self) -> list[str]:
        """Return the tenants whose memory is open, that of the newest request last."""
        with self._changed:
            return list(self._entries)

    def discard_all(self) -> None:
        """Close every memory, those in use after their requests: settings have changed."""
        with self._changed:
            for entry in list(self._entries.values()):
                self._discard(entry)

    def close(self) -> None:
        """Close every memory, and wait for that."""
        self._is_ended.set()
        if self._looker is not None:
            self._looker.join(WAIT_S)
        self.discard_all()
        with self._changed:
            self._changed.wait_for(lambda: not self._closing, timeout=WAIT_S)

    def _taken(self, tenant: Tenant) -> _Entry | None:
        """Return the open memory of a tenant, held; None if it is to be opened."""
        with self._changed:
            entry = self._entries.get(tenant.name)
            if entry is not None and not entry.tenant.is_same(tenant):
                self._discard(entry)  # it was dropped and made again
                entry = None
            if entry is None or not entry.is_started:
                return None
            entry.users += 1
            self._entries.move_to_end(tenant.name)
            return entry

    def _opened(self, tenant: Tenant) -> _Entry:
        """Return a tenant's memory, held, opened once for all who ask at the same time."""
        with self._changed:
            deadline_s = time.monotonic() + WAIT_S
            while (entry := self._taken(tenant)) is None:
                if tenant.name not in self._entries and self._has_room():
                    break
                if not self._changed.wait(deadline_s - time.monotonic()):
                    raise self._full()
            if entry is not None:
                return entry
            entry = self._entries[tenant.name] = _Entry(tenant, users=1)
            self._begin_to_look()
        try:
            state = self._home.of_tenant(tenant)
            with self._changed:
                entry.state = state
            state.start_tenant()
        except BaseException:
            with self._changed:
                if not entry.is_discarded:
                    self._discard(entry)
            self._give_back(entry)
            raise
        with self._changed:
            entry.is_started = True
            self._changed.notify_all()
        return entry

    def _begin_to_look(self) -> None:
        if self._looker is None or not self._looker.is_alive():
            self._looker = Thread(target=self._look, name="dropped-tenants", daemon=True)
            self._looker.start()

    def _look(self) -> None:
        """Close the memories of tenants that are dropped, until the server ends."""
        while not self._is_ended.wait(LOOK_S):
            with suppress(MemError):  # requests say so; it looks again
                self._discard_dropped()

    def _discard_dropped(self) -> None:
        with self._changed:
            seen = list(self._entries.values())
        tenants = self._home.workspace.storage.tenants
        if not seen or tenants is None:
            return
        there = {each.name: each for each in tenants.among([entry.tenant for entry in seen])}
        with self._changed:
            for entry in seen:
                now = there.get(entry.tenant.name)
                if not entry.is_discarded and (now is None or not entry.tenant.is_same(now)):
                    self._discard(entry)

    def _has_room(self) -> bool:
        """Return whether another memory may be opened; else begin to close one that is not used."""
        if len(self._entries) + self._closing < self._most:
            return True
        idle = (each for each in self._entries.values() if not each.users)
        if (oldest := next(idle, None)) is not None and not self._ending:
            self._discard(oldest)
        return False

    def _give_back(self, entry: _Entry) -> None:
        with self._changed:
            entry.users -= 1
            if entry.is_discarded and not entry.users:
                self._begin_to_close(entry)
            self._changed.notify_all()

    def _discard(self, entry: _Entry) -> None:
        """Lend a memory no more; it is closed when nobody uses it."""
        del self._entries[entry.tenant.name]
        entry.is_discarded = True
        self._closing += 1
        if not entry.users:
            self._begin_to_close(entry)

    def _begin_to_close(self, entry: _Entry) -> None:
        self._ending += 1
        Thread(target=self._close, args=(entry,), name="closing", daemon=True).start()

    def _close(self, entry: _Entry) -> None:
        try:
            if entry.state is not None:
                entry.state.scheduler.stop()
                entry.state.workspace.close()
        finally:
            with self._changed:
                self._closing -= 1
                self._ending -= 1
                self._changed.notify_all()

    def _full(self) -> MemError:
        return DatabaseUnavailableError(
            f"all {self._most} memories of tenants that this server keeps open are in use",
            hint="try again in a moment, or raise memory.server.tenants",
        )
