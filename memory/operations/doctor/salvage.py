"""Takes out of a damaged database what can still be read, and makes a new one of it.

Documents, their text, turns, memories, roots and facts are copied by the backend. All that is
derived from them is then made anew by the repairs of `mem doctor --fix`.
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
    """What was copied into the new database: rows by table, tables of which some are lost.

    `checkup` is that of the new database, after its repairs.
    """

    database: str
    rows: dict[str, int]
    incomplete: list[str]
    checkup: DoctorReport


def salvage(loaded: LoadedConfig, target: Path) -> SalvageReport:
    """Make a new database at `target` of what can be read of the configured one.

    Raises InputError when there is something at `target`, NotFoundError when there is no database,
    IncompatibleError when it is none of ours, StorageError when nothing of it can be read.
    """
    files = database_files(loaded.config.memory.backend)
    if files is None:
        raise InputError(
            "memory.backend is memory, which has no file", hint="name a database with --db"
        )
    path = loaded.database_path
    if target.exists():
        raise InputError(f"{target} exists", hint="name a file that is not there yet")
    told = files.salvage(path, target)
    memory = replace(loaded.config.memory, storage_path=str(target))
    with Workspace(loaded._replace(config=replace(loaded.config, memory=memory))) as workspace:
        report = checkup(workspace, fix=True)
    return SalvageReport(str(target), told.rows, told.incomplete, report)
