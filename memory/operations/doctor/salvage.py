"""Salvage of the readable parts of a damaged database into a new one.

The backend copies documents, their text, records of all kinds, roots and facts about the database.
The repairs of `mem doctor --fix` then rebuild everything derived from them.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from contracts import InputError
from memory.config.loading import LoadedConfig
from memory.operations.doctor.checkup import checkup
from memory.operations.doctor.reports import DoctorReport
from memory.storage.opening import database_files
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SalvageReport:
    """The contents of the new database: rows by table, and tables that lost some.

    `skipped` counts, by table, the rows that hold something unreadable. `checkup` is that
    of the new database, after its repairs.
    """

    database: str
    rows: dict[str, int]
    incomplete: list[str]
    skipped: dict[str, int]
    checkup: DoctorReport


def salvage(loaded: LoadedConfig, target: Path) -> SalvageReport:
    """Create a new database at `target` from the readable parts of the configured one.

    Raises InputError when `target` exists, NotFoundError when there is no database,
    IncompatibleError for another program's file, StorageError when nothing of it can be read.
    """
    files = database_files(loaded.config.memory.backend)
    path = loaded.database_path
    if target.exists():
        raise InputError(f"{target} exists", hint="name a new file")
    told = files.salvage(path, target)
    memory = replace(loaded.config.memory, storage_path=str(target))
    with Workspace(loaded._replace(config=replace(loaded.config, memory=memory))) as workspace:
        report = checkup(workspace, fix=True)
    return SalvageReport(str(target), told.rows, told.incomplete, told.skipped, report)
