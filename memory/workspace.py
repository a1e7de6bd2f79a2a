"""An open database with its configuration, and the components that operations keep beside it.

Operations are functions over a workspace, in the packages of this folder. What one of them keeps
between calls (a model, a cache, counters) is a component: its own layer creates it, the workspace
holds it and closes it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, TypeVar

from contracts import ConfigError, StorageError
from memory.config.keys import NO_ADDRESS
from memory.config.loading import LoadedConfig
from memory.storage import Storage
from memory.storage.opening import IN_MEMORY, ON_SERVER, ServerAddress, open_storage
from memory.values.record_kinds import RecordKinds

if TYPE_CHECKING:
    from memory.storage.counters import Counters

T = TypeVar("T")

SYNC_WAIT_S = 10.0
"""Longest wait of a sync for another one: many times what a watcher needs for saved files."""

VALUE_ERRORS = (TypeError, ValueError, AttributeError, LookupError)
"""Errors of this program, or of a value that a damaged disk has changed."""

_LOOKING = Lock()


class Workspace:
    """An open database, safe to share between threads. Close it, or use it as a context manager."""

    def __init__(
        self, loaded: LoadedConfig, *, create: bool = True, storage: Storage | None = None
    ) -> None:
        """Open the database that the configuration names, unless it is given as open `storage`.

        Raises NotFoundError when it does not exist and `create` is false, ConfigError when its name
        is `:memory:`, which means no file to SQLite; see `open_storage` for other errors.
        """
        self.loaded = loaded
        self.config = loaded.config.memory
        self.path: Path | None = None
        address = server_address(loaded) if self.config.backend == ON_SERVER else None
        if self.config.backend not in (IN_MEMORY, ON_SERVER):
            self.path = _database_file(loaded)
        self.storage: Storage = storage or open_storage(
            self.config.backend, self.path, address=address, create=create
        )
        self.kinds = RecordKinds()
        self.wait_s = SYNC_WAIT_S
        self.on_wait: Callable[[str], None] | None = None
        self.is_shared = False  # True: its owner closes it, not who uses it in a `with`
        self._lock = RLock()
        self._components: dict[type, Any] = {}

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _at: object) -> None:
        """Close it. Raises StorageError for an error of a value that the database cannot hold."""
        try:
            if damage := self.damage_of(error):
                raise damage from error
        finally:
            if not self.is_shared:
                self.close()

    def damage_of(self, error: BaseException | None) -> StorageError | None:
        """Return the error of values that the database cannot hold, if they explain this one.

        It reads every row for one of `VALUE_ERRORS`, for one error at a time.
        """
        if not isinstance(error, VALUE_ERRORS) or not _LOOKING.acquire(blocking=False):
            return None
        try:
            misplaced = self.storage.health.misplaced(of_others=True)
        finally:
            _LOOKING.release()
        if misplaced:
            return StorageError(
                f"the database is damaged: values of another type in {', '.join(misplaced)}",
                hint="put a backup back with `mem restore FILE`, or see `mem doctor`",
            )
        return None

    @property
    def is_passing(self) -> bool:
        """Return whether the database ends with this process."""
        return self.config.backend == IN_MEMORY

    def close(self) -> None:
        """Close the components, the newest first, then the database."""
        for component in reversed([*self._components.values()]):
            if hasattr(component, "close"):
                component.close()
        self.storage.close()

    def component(self, kind: type[T], create: Callable[[], T]) -> T:
        """Return the component of that class, created by the first caller."""
        with self._lock:
            found: T | None = self.find(kind)
            if found is None:
                self.put(found := create())
            return found

    def find(self, kind: type[T]) -> T | None:
        """Return the component of that class, None before it is created."""
        return self._components.get(kind)

    def put(self, component: object) -> None:
        """Keep a component until the workspace is closed, in place of another of its class."""
        self._components[type(component)] = component

    def remove(self, component: object) -> None:
        """Remove a component without closing it."""
        if self._components.get(type(component)) is component:
            del self._components[type(component)]

    @property
    def counters(self) -> "Counters":
        """Counts of events in embeddings and turns."""
        from memory.storage.counters import Counters

        return self.component(Counters, lambda: Counters(self.storage.database))

    def sync_lock(self, *, wait: bool = True) -> AbstractContextManager[None]:
        """Hold the sync lock. Waits `wait_s` for another holder, hardly at all without `wait`.

        `on_wait` is called with the holder's name. Raises what `memory.storage.process_locks` does.
        """
        from memory.storage.process_locks import sync_lock

        wait_s = self.wait_s if wait else 0.0
        return sync_lock(self.storage.database, self.path, wait_s=wait_s, tell=self.on_wait)


def _database_file(loaded: LoadedConfig) -> Path:
    path = loaded.database_path
    if path.name == ":memory:":
        raise ConfigError(
            f"the database would be {path}, a file of that name",
            hint='one that ends with the process is memory.backend "memory"; else name a file',
        )
    return path


def server_address(loaded: LoadedConfig) -> ServerAddress:
    """Return the configured place on a server. Raises ConfigError without one."""
    memory = loaded.config.memory
    if memory.dsn is None:
        raise ConfigError(NO_ADDRESS.fact, hint=NO_ADDRESS.hint)
    return ServerAddress(memory.dsn, memory.schema, memory.replicas, memory.replica_lag_s)
