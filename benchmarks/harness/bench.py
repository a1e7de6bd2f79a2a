"""The common basis of all benchmarks: a work folder, the sizes, and the `mem` to measure."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from benchmarks.harness.processes import Finished, mem_command, run
from benchmarks.harness.values import Effort, Figure
from benchmarks.inputs.collection import Collection, make_collection


@dataclass(frozen=True, slots=True)
class Synced:
    """A finished `mem sync`: the process, and the report it printed."""

    finished: Finished
    report: dict[str, Any]


@dataclass(frozen=True)
class Bench:
    """The work folder; collections and databases are made below `work` at their first use."""

    work: Path
    sizes: Sequence[int]
    effort: Effort
    mem: list[str] = field(default_factory=mem_command)

    def collection(self, chunks: int) -> Collection:
        """The documents of about this many chunks."""
        return make_collection(self.work, chunks=chunks, effort=self.effort)

    def database_path(self, chunks: int) -> Path:
        """The path of that collection's index, which may not exist yet."""
        return self.work / f"collection-{chunks}.db"

    def database(self, chunks: int) -> Path:
        """The index of that collection, made by an ordinary sync if needed."""
        path = self.database_path(chunks)
        if not path.exists():
            self.sync(self.collection(chunks).folder, path)
        return path

    def settings(self) -> Path:
        """A configuration for servers and watchers that keep to the model of the database."""
        path = self.work / "settings.json"
        path.write_text('{"memory": {"embeddings": {"upgrade": "off"}}}\n', encoding="utf-8")
        return path

    def sync(self, folder: Path, database: Path, *, one_core: bool = False) -> Synced:
        """Run `mem sync` in its own process. Raises RuntimeError if a file failed."""
        command = [*self.mem, "--db", str(database), "--json", "sync", str(folder)]
        finished = run(command, home=self.work, one_core=one_core)
        report = json.loads(finished.output.splitlines()[-1])
        if report["failed"] or report["skipped"]:
            raise RuntimeError(f"not everything was indexed: {report['errors'][:3]}")
        return Synced(finished, report)

    def fresh_sync(self, folder: Path, database: Path, *, one_core: bool = False) -> Synced:
        """The same into a new database, replacing an old one."""
        remove_database(database)
        return self.sync(folder, database, one_core=one_core)


Benchmark: TypeAlias = Callable[[Bench], Iterator[Figure]]


@contextmanager
def work_folder(chosen: Path | None, prefix: str) -> Iterator[Path]:
    """The chosen folder, made if it is missing, or a temporary one."""
    with nullcontext(chosen) if chosen else TemporaryDirectory(prefix=prefix) as folder:
        work = Path(folder).resolve()
        work.mkdir(parents=True, exist_ok=True)
        yield work


def remove_database(database: Path) -> None:
    """Delete a database with all files beside it under its name."""
    for path in database.parent.glob(f"{database.name}*"):
        path.unlink()
