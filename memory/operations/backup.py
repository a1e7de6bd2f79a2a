"""Backups of the whole database to a file, while it is in use."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from contracts import InputError, NotFoundError
from memory.index.document_store import documents_of
from memory.operations.output_files import check_output
from memory.storage import utc_now
from memory.storage.capabilities.files import PagesCallback, required
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class BackupReport:
    """A backup: its file, its size, and its contents; `removed` older ones were deleted."""

    path: str
    size_bytes: int
    files: int
    chunks: int
    seconds: float
    removed: list[str] = field(default_factory=list)


def back_up(
    workspace: Workspace,
    target: Path,
    *,
    force: bool = False,
    keep: int | None = None,
    progress: PagesCallback | None = None,
) -> BackupReport:
    """Write the database as of now to `target`, or to a dated file in it when it is a folder.

    Others can read and write meanwhile. The file appears only when complete and checked. `keep`
    removes all but that many newest dated files of this database in the folder. Raises InputError
    for an existing file unless `force`, and for `keep` without a folder, NotFoundError for a
    missing folder, StorageError when the disk refuses.
    """
    started = time.monotonic()
    target = target.absolute()
    folder = target.is_dir()
    if keep is not None and not folder:
        raise InputError(
            f"{target} is not a folder, and keep is for dated files in a folder",
            hint="create the folder first, or omit keep",
        )
    stem = workspace.path.stem if workspace.path else "memory"
    file = target / f"{stem}-{_stamp()}.db" if folder else target
    if not file.parent.is_dir():
        raise NotFoundError(f"there is no folder {file.parent}", hint="create it, or name another")
    check_output(file, workspace, force=force)
    required(workspace.storage.files).copy_to(file, progress=progress)
    removed = [] if keep is None else _remove_old(target, stem, keep=keep)
    return BackupReport(
        path=str(file),
        size_bytes=file.stat().st_size,
        files=sum(documents_of(workspace).counts().values()),
        chunks=workspace.storage.count_chunks(),
        seconds=round(time.monotonic() - started, 3),
        removed=[str(path) for path in removed],
    )


def _stamp() -> str:
    """Return the time for use in file names, UTC: `20261120T193005.123Z`."""
    return utc_now()[:23].replace("-", "").replace(":", "") + "Z"


def _remove_old(folder: Path, stem: str, *, keep: int) -> list[Path]:
    """Remove the oldest dated files, by their names, and return their paths."""
    dated = sorted(folder.glob(f"{stem}-[0-9]*T[0-9]*Z.db"))
    old = dated[: max(0, len(dated) - keep)]
    for path in old:
        path.unlink()
    return old
