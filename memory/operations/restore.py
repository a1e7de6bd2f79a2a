"""Restoring of a backup in place of the database, even while others have it open."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from contracts import InputError, NotFoundError, StorageError
from contracts.named_tuple import NamedTuple
from memory.config.loading import LoadedConfig
from memory.operations.tokens import expire_tokens, take_over_tokens
from memory.storage import Storage, utc_now
from memory.storage.atomic_files import partial_copy, put_in_place
from memory.storage.capabilities.files import DatabaseFiles, PagesCallback, required
from memory.storage.meta import (
    REINDEX_HOLDER,
    RESTORED,
    SYNC_HOLDER,
    WATCH_HOLDER,
    WATCHER,
    read_meta,
    write_meta,
)
from memory.storage.opening import database_files, open_storage, tables_to_copy
from memory.storage.process_locks import reindex_lock, sync_lock

_OF_THE_LIVING = (SYNC_HOLDER, REINDEX_HOLDER, WATCH_HOLDER, WATCHER)
"""Facts about running processes, which no backup restores."""

_NO_CONTENT = frozenset(
    {"meta", "tokens", "tallies", "latencies", "refused_texts", "embedding_cache", "record_changes"}
)
"""The tables of facts about a database, of tokens, which a restore leaves in force, of logs of
changes, and of what is computed again: no copy of the database is kept for their sake.
"""


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """The result of a restore: its target and contents.

    `kept` is the file with the former database, None when there was none or it was empty.
    `damaged`: it could not be read and was moved there unchanged, and a process that still has it
    open continues to use it. `expired_tokens` is the number of tokens of the backup that were made
    to expire, since there was no database to say which of them had been revoked.
    """

    database: str
    source: str
    kept: str | None
    damaged: bool
    files: int
    chunks: int
    seconds: float
    expired_tokens: int = 0


def restore(
    loaded: LoadedConfig, source: Path, *, progress: PagesCallback | None = None
) -> RestoreReport:
    """Set the configured database back to its state when `source` was written.

    The former content is kept in a dated file beside it. Servers and watchers that have the
    database open continue with the restored content. A kill leaves the former or the restored
    database complete.

    Raises NotFoundError for a missing file, IncompatibleError for a file that is not a database of
    this program, StorageError when it is damaged or the disk refuses, BusyError while a sync or
    reindex is running, InputError when the configuration uses no file.
    """
    started = time.monotonic()
    backend = loaded.config.memory.backend
    files = database_files(backend)
    source, target = source.absolute(), loaded.database_path.absolute()
    if target.exists() and not target.is_file():
        kind = "a folder" if target.is_dir() else "not a file"
        raise StorageError(f"{target} is {kind}", hint="name a database file with --db")
    if not source.is_file():
        raise NotFoundError(f"there is no file {source}", hint="name a file of mem backup")
    if target.exists() and source.samefile(target):
        raise InputError(f"{source} is the database itself", hint="name a file of mem backup")
    files.check(source)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = partial_copy(target)
    place = _Place(backend, files, target)
    try:
        files.copy(source, fresh, progress=progress)
        kept, damaged, expired = _replace(place, fresh)
    finally:
        for file in (fresh, *files.companions(fresh)):
            file.unlink(missing_ok=True)
    documents, chunks = _counts(place)
    seconds = round(time.monotonic() - started, 3)
    kept_name = str(kept) if kept else None
    return RestoreReport(
        str(target),
        str(source),
        kept_name,
        damaged,
        files=documents,
        chunks=chunks,
        seconds=seconds,
        expired_tokens=expired,
    )


class _Place(NamedTuple):
    """The database that is replaced: its file, and how its backend works on that."""

    backend: str
    files: DatabaseFiles
    target: Path

    def open(self, file: Path | None = None) -> Storage:
        return open_storage(self.backend, file or self.target, create=False)


class _Replaced(NamedTuple):
    """The place of the former database, whether it was damaged, and how many tokens expired."""

    kept: Path | None
    damaged: bool
    expired_tokens: int


def _replace(place: _Place, fresh: Path) -> _Replaced:
    """Put `fresh` in the place of the database.

    A foreign file is not touched: opening it raises IncompatibleError.
    """
    target = place.target
    if not target.exists() or not target.stat().st_size:
        expired = _take_over_facts(place, None, fresh)
        for file in place.files.companions(target):
            file.unlink(missing_ok=True)  # left by a removed database: not this one's changes
        put_in_place(fresh, target)
        return _Replaced(None, False, expired)
    if place.files.is_damaged(target):
        expired = _take_over_facts(place, None, fresh)
        kept = _moved_aside(place)
        put_in_place(fresh, target)
        return _Replaced(kept, True, expired)
    live = place.open()
    try:
        return _Replaced(_overwrite(place, live, fresh), False, 0)
    finally:
        live.close()


def _overwrite(place: _Place, live: Storage, fresh: Path) -> Path | None:
    files, target = required(live.files), place.target
    with ExitStack() as held:
        held.enter_context(sync_lock(live.database, target))
        held.enter_context(reindex_lock(live.database, target))
        kept = None
        if _holds_anything(live):
            kept = target.with_name(f"{target.stem}.before-restore-{_stamp()}.db")
            files.copy_to(kept, progress=None)
        _take_over_facts(place, live, fresh)
        files.replace_content(fresh, progress=None)
    return kept


def _holds_anything(live: Storage) -> bool:
    tables = (table.name for table in tables_to_copy() if table.name not in _NO_CONTENT)
    return any(live.database.read(f"SELECT 1 FROM {table} LIMIT 1") for table in tables)


def _take_over_facts(place: _Place, live: Storage | None, fresh: Path) -> int:
    """Write to the copy what belongs to the place: running processes, tokens, and the restore.

    Return how many tokens expired.
    """
    copy = place.open(fresh)
    try:
        with copy.database.transaction() as tx:
            for key in _OF_THE_LIVING:
                write_meta(tx, key, read_meta(live.database, key) if live else None)
            write_meta(tx, RESTORED, utc_now())
            if live is None:
                return expire_tokens(tx)
            take_over_tokens(live.database, tx)
            return 0
    finally:
        copy.close()


def _moved_aside(place: _Place) -> Path:
    target = place.target
    kept = target.with_name(f"{target.stem}.damaged-{_stamp()}.db")
    for file in (*place.files.companions(target), target):
        if file.exists():
            file.rename(f"{kept}{file.name.removeprefix(target.name)}")
    return kept


def _counts(place: _Place) -> tuple[int, int]:
    storage = place.open()
    try:
        ((files,),) = storage.database.read("SELECT count(*) FROM files")
        return int(files), storage.count_chunks()
    finally:
        storage.close()


def _stamp() -> str:
    return utc_now()[:19].replace("-", "").replace(":", "") + "Z"
