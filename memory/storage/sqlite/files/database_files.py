"""The files of SQLite databases, as `memory.storage.capabilities.files` describes them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from memory.storage.capabilities.files import PagesCallback, SalvagedRows
from memory.storage.sqlite.connection import empty_log
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.files import copying, residue


class SqliteFiles:
    """`StorageFiles` of an open database. See the protocol for what each method means."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._path = Path(database.path)

    def names(self) -> list[Path]:
        if self._database.path == ":memory:":
            return []
        files = (self._path, *copying.companions(self._path))
        return [file for file in files if file.is_file()]

    def log(self) -> Path:
        return Path(f"{self._path}-wal")

    def empty_log(self) -> None:
        with self._database.connection() as connection:
            empty_log(connection)

    def copy_to(self, target: Path, *, progress: PagesCallback | None) -> None:
        copying.copy_out(self._database, target, progress=progress)

    def replace_content(self, source: Path, *, progress: PagesCallback | None) -> None:
        copying.copy_in(source, self._database, progress=progress)

    def residue(self, words: Sequence[str]) -> dict[str, list[str]]:
        return residue.words_on_disk(self._path, words) if self.names() else {}

    def is_recorded(self, words: str, columns: Mapping[str, Sequence[str]]) -> bool:
        return residue.is_recorded(self._database, words, columns)


class SqliteDatabaseFiles:
    """`DatabaseFiles` of SQLite. See the protocol for what each method means."""

    def companions(self, path: Path) -> list[Path]:
        return copying.companions(path)

    def check(self, path: Path) -> None:
        copying.check_sound(path)

    def is_damaged(self, path: Path) -> bool:
        return copying.is_damaged(path)

    def copy(self, source: Path, target: Path, *, progress: PagesCallback | None) -> None:
        copying.copy_file(source, target, progress=progress)

    def salvage(self, path: Path, target: Path) -> SalvagedRows:
        from memory.storage.sqlite.files.salvage import salvage_file

        return salvage_file(path, target)
