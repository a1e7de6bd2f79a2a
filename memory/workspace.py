"""An open database with its configuration and its model: what every operation works on.

The operations are modules of functions beside this one (`searching`, `ingestion`, `records`,
`status`); `MemoryManager` gathers them for Python, the command line imports what a command needs.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from contracts import CandidateIndex
from ingest.chunking.values import ChunkSettings
from memory.config_file import LoadedConfig
from memory.document_store import DocumentStore
from memory.embedding import Embedder
from memory.model import ChosenModel, choose_model
from memory.storage import SqliteStorage

if TYPE_CHECKING:
    from memory.derived import DerivedIndex


class Workspace:
    """Safe to share between threads. Close it when done, or use it as a context manager."""

    def __init__(self, loaded: LoadedConfig, *, create: bool = True) -> None:
        """Open the database that the configuration names.

        Raises NotFoundError when it does not exist and `create` is false; see `SqliteStorage.open`
        for what else can be wrong with it.
        """
        self.loaded = loaded
        self.config = loaded.config.memory
        self.path: Path | None = None
        if self.config.backend == "memory":
            self.storage = SqliteStorage.in_memory()
        else:
            self.path = loaded.database_path
            self.storage = SqliteStorage.open(self.path, create=create)
        self.documents = DocumentStore(self.storage)
        self.derived: DerivedIndex | None = None
        self._chosen = choose_model(self.storage.active_space(), self.config.embeddings)

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        if self.derived is not None:
            self.derived.close()
        self.storage.close()

    @property
    def candidates(self) -> CandidateIndex:
        """What a search asks: the storage itself, or what a long-lived process has before it."""
        return self.storage if self.derived is None else self.derived

    def accelerate(self) -> None:
        """Load what makes many searches quicker and one slower: numpy now, FAISS in the background.

        Searches go on meanwhile.
        """
        import numpy  # noqa: F401  # its mere presence makes cosines quicker

        from memory.derived import DerivedIndex

        if self.derived is None:
            self.derived = DerivedIndex(self.storage)
            self.derived.start()

    @property
    def model(self) -> ChosenModel:
        """The embedding model of this database as it is now; choosing it loads nothing heavy.

        Another process may make the first space, so that a choice made once could be wrong.
        """
        chosen = choose_model(self.storage.active_space(), self.config.embeddings)
        if chosen != self._chosen:
            self._chosen = chosen
        return self._chosen

    @property
    def embedder(self) -> Embedder:
        """The model at work in this database. Raises what `ChosenModel.provider` does."""
        return Embedder(self.storage, self.model.provider)

    @property
    def configured_chunking(self) -> ChunkSettings:
        """How the configuration wants files cut."""
        chunking = self.config.chunking
        return ChunkSettings(
            size_chars=chunking.chunk_size_chars,
            overlap_chars=chunking.chunk_overlap_chars,
            preserve_structure=chunking.preserve_structure,
        )

    @property
    def chunking(self) -> ChunkSettings:
        """How files are cut here: as the database was begun, else as the configuration says."""
        active = self.storage.active_space()
        if active is None:
            return self.configured_chunking
        return ChunkSettings(**json.loads(active.chunking))

    def warnings(self) -> list[str]:
        """Where this database and its configuration disagree."""
        found = [self.model.warning] if self.model.warning else []
        if self.chunking != self.configured_chunking:
            found.append(
                f"the configuration asks for {_described(self.configured_chunking)}, and this "
                f"database was begun with {_described(self.chunking)}; "
                "to use the new ones, sync into a new database (--db)"
            )
        return found


def _described(chunking: ChunkSettings) -> str:
    structure = "kept" if chunking.preserve_structure else "not kept"
    return (
        f"chunks of {chunking.size_chars} characters "
        f"(overlap {chunking.overlap_chars}, structure {structure})"
    )
