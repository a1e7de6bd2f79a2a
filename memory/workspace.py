"""An open database with its configuration and its model: what every operation works on.

The operations are modules of functions beside this one (`searching`, `ingestion`, `records`,
`status`); `MemoryManager` gathers them for Python, the command line imports what a command needs.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any

from contracts import CandidateIndex, ConfigError
from memory.config.embeddings import EmbeddingsConfig
from memory.config.loading import LoadedConfig
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model import ChosenModel, choose_model, disagreement
from memory.storage import Space, SqliteStorage
from memory.storage.meta import BEGUN_BY_FALLBACK, CHOSEN_BY_HAND, KEYWORDS, read_meta
from search import KEYWORD_FORM

if TYPE_CHECKING:
    from ingest.chunking.values import ChunkSettings
    from memory.conversations.extraction_counters import ExtractionBook
    from memory.files.readers import KeptWorkers
    from memory.index.document_store import DocumentStore
    from memory.index.embedding.fallback import Completeness
    from memory.index.embedding.preload import Warming
    from memory.index.indexing import Recipe
    from memory.retrieval.memory_index import DerivedIndex
    from memory.retrieval.query_cache import AnswerCache
    from memory.retrieval.remote_queries import RemoteQueries
    from memory.retrieval.reranking import Reranking
    from memory.storage.counters import TallyBook
    from memory.storage.latencies import LatencyBook


SYNC_WAIT_S = 10.0
"""How long a sync waits for another one: many times what a watcher needs for what was saved."""

MOST_MODELS = 3
"""Models of which a process keeps what it has loaded: one answers, another may be about to."""


class Workspace:
    """Safe to share between threads. Close it when done, or use it as a context manager."""

    def __init__(self, loaded: LoadedConfig, *, create: bool = True) -> None:
        """Open the database that the configuration names.

        Raises NotFoundError when it does not exist and `create` is false, ConfigError when it is
        called `:memory:`, by which SQLite means no file; see `SqliteStorage.open`
        for what else can be wrong with it.
        """
        self.loaded = loaded
        self.config = loaded.config.memory
        self.path: Path | None = None
        if self.config.backend == "memory":
            self.storage = SqliteStorage.in_memory()
        else:
            self.path = _database_file(loaded)
            self.storage = SqliteStorage.open(self.path, create=create)
        self.derived: DerivedIndex | None = None
        self._lock = Lock()
        self._reranking: Reranking | None = None
        self.answers: AnswerCache | None = None
        self.latencies: LatencyBook | None = None
        self.warming: Warming | None = None
        self.kept_workers: KeptWorkers | None = None
        self._models: list[ChosenModel] = []
        self._asked: tuple[EmbeddingsConfig, Space | None, ChosenModel] | None = None
        self.wait_s = SYNC_WAIT_S
        self.on_wait: Callable[[str], None] | None = None

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
        if self.has_reranking:
            self.reranking.close()
        if "extraction" in self.__dict__:
            self.extraction.flush()
        if "tallies" in self.__dict__:
            self.tallies.flush()
        if self.latencies is not None:
            self.latencies.flush()
        self.storage.close()

    def sync_lock(self, *, wait: bool = True) -> AbstractContextManager[None]:
        """Hold the sync lock; waits for another holder as long as `wait_s` says, or hardly.

        `on_wait` is told whom it waits for. Raises what `memory.storage.sync_lock.sync_lock` does.
        """
        from memory.storage.sync_lock import sync_lock

        database = self.storage.database
        wait_s = self.wait_s if wait else 0.0
        return sync_lock(database, self.path, wait_s=wait_s, tell=self.on_wait)

    @cached_property
    def documents(self) -> "DocumentStore":
        """The files and texts; a search does without."""
        from memory.index.document_store import DocumentStore

        return DocumentStore(self.storage)

    @cached_property
    def tallies(self) -> "TallyBook":
        """What is counted while questions are answered; one that goes well counts nothing."""
        from memory.storage.counters import TallyBook

        return TallyBook(self.storage.database)

    @cached_property
    def extraction(self) -> "ExtractionBook":
        """What is counted while memories are made of turns."""
        from memory.conversations.extraction_counters import ExtractionBook

        return ExtractionBook(self.storage.database, self.tallies)

    @cached_property
    def remote_queries(self) -> "RemoteQueries":
        """How questions reach a model on another machine."""
        from memory.retrieval.remote_queries import RemoteQueries

        return RemoteQueries(self.storage, self.tallies)

    @cached_property
    def completeness(self) -> "Completeness":
        """Which spaces have all their vectors: what a fallback may answer from."""
        from memory.index.embedding.fallback import Completeness

        return Completeness(self)

    @property
    def candidates(self) -> CandidateIndex:
        """What a search asks: the storage itself, or what a long-lived process has before it."""
        return self.worded(self.storage if self.derived is None else self.derived)

    def worded(self, index: CandidateIndex) -> CandidateIndex:
        """The index as far as it is to find words by the keyword index, which can be off."""
        return index if self.config.fts.enabled else self.storage.without_keywords(index)

    def remember_answers(self) -> None:
        """Keep answers, for as long as nothing changes: of use to a process that goes on."""
        from memory.retrieval.query_cache import AnswerCache
        from memory.storage.latencies import LatencyBook

        if self.answers is None:
            self.answers = AnswerCache(self.storage)
            self.latencies = LatencyBook(self.storage.database)

    def accelerate(self) -> None:
        """Load what makes many searches quicker and one slower: numpy now, FAISS in the background.

        The reranker is loaded there too if every search wants it. Searches go on meanwhile, and
        their answers are kept.
        """
        import numpy  # noqa: F401  # its mere presence makes cosines quicker

        from memory.retrieval.memory_index import DerivedIndex

        self.storage.database.spare_memory()
        self.remember_answers()
        if self.warming is None:
            from memory.index.embedding.preload import Warming

            self.warming = Warming(self.storage, self.model_of)
        if self.derived is None:
            self.derived = DerivedIndex(self.storage)
            self.derived.start()
        if self.config.search.rerank.enabled:
            self.reranking.start()

    @property
    def is_accelerated(self) -> bool:
        """Whether this is a long-lived process, in which nobody waits for what is being loaded."""
        return self.derived is not None

    @property
    def reranking(self) -> "Reranking":
        """The reranker of this process; nothing of it is loaded before it is asked."""
        from memory.retrieval.reranking import reranking_of

        with self._lock:
            if self._reranking is None:
                self._reranking = reranking_of(self.config.search.rerank)
            return self._reranking

    @reranking.setter
    def reranking(self, other: "Reranking") -> None:
        self._reranking = other

    @property
    def has_reranking(self) -> bool:
        """Whether anything has asked for the reranker yet."""
        return self._reranking is not None

    @property
    def model(self) -> ChosenModel:
        """The embedding model of this database as it is now; choosing it loads nothing heavy.

        Another process may make the first space, so that a choice made once could be wrong.
        """
        return self.model_of(self.storage.active_space())

    def model_of(self, active: Space | None) -> ChosenModel:
        """The embedding model of a database with this active space."""
        asked = self._asked
        if asked is None or asked[0] is not self.config.embeddings or asked[1] != active:
            known = self.known_model(choose_model(active, self.config.embeddings))
            asked = self._asked = self.config.embeddings, active, known
        return asked[2]

    def known_model(self, chosen: ChosenModel) -> ChosenModel:
        """The same model as this process has it already, so that it is loaded once."""
        with self._lock:
            for known in self._models:
                if known == chosen:
                    return known
            self._models = [*self._models[1 - MOST_MODELS :], chosen]
            return chosen

    @property
    def embedder(self) -> Embedder:
        """The model at work in this database. Raises what `ChosenModel.provider` does."""
        return Embedder(self.storage, self.model.provider)

    def recipe(self, beginner: ChosenModel | None = None) -> "Recipe":
        """What the database makes chunks and vectors with just now.

        Files are cut as it was begun, else as the configuration says; a database without vectors is
        begun by the configured model, unless another is given. Raises what `ChosenModel.provider`
        does.
        """
        from ingest.chunking.values import ChunkSettings  # a search need not know
        from memory.index.indexing import Recipe

        active = self.storage.active_space()
        chunking = ChunkSettings(**_begun(active)) if active else self.configured_chunking
        chosen = beginner if beginner and active is None else self.model_of(active)
        embedder = Embedder(self.storage, chosen.provider, request=chosen.request)
        return Recipe(active, chunking, embedder)

    @property
    def configured_chunking(self) -> "ChunkSettings":
        """How the configuration wants files cut."""
        from ingest.chunking.values import ChunkSettings

        return ChunkSettings(**self._configured_chunking)

    @property
    def _configured_chunking(self) -> dict[str, Any]:
        """How the configuration wants files cut: the fields of ChunkSettings."""
        chunking = self.config.chunking
        return {
            "size_chars": chunking.chunk_size_chars,
            "overlap_chars": chunking.chunk_overlap_chars,
            "preserve_structure": chunking.preserve_structure,
        }

    def warnings(self) -> list[str]:
        """Where this database and its configuration disagree."""
        return self.warnings_of(self.storage.active_space())

    def warnings_of(self, active: Space | None) -> list[str]:
        """Where a database with this active space and its configuration disagree."""
        found = []
        other = self.other_model(active)
        begun = read_meta(self.storage.database, BEGUN_BY_FALLBACK) if other else None
        if other and active and begun and begun["provider"] == active.provider:
            found.append(
                f"this database was begun with {active.provider}, the fallback, because "
                f"{begun['instead_of']} could not be used: {begun['reason']}; once it can be: "
                "mem reindex"
            )
        elif other and active:
            found.append(
                f"the configuration names the embedding provider {other}, and this database "
                f"answers with {active.provider} {active.model}, which filled it; to change it: "
                "mem reindex"
            )
        if active is not None and read_meta(self.storage.database, KEYWORDS) != KEYWORD_FORM:
            found.append(
                "the keyword entries are an older program's, which finds fewer forms of words: "
                "sync to make them anew"
            )
        if not self.config.fts.enabled:
            found.append(
                "the keyword index is off (memory.fts.enabled): words are compared with every text "
                "as they are written, which is slower and knows no other forms of them"
            )
        wanted = self._configured_chunking
        chunking = wanted if active is None else wanted | _begun(active)
        if chunking != wanted:
            found.append(
                f"the configuration asks for {_described(wanted)}, and this database was cut into "
                f"{_described(chunking)}; to cut it anew: mem reindex"
            )
        return found

    def other_model(self, active: Space | None) -> str | None:
        """The model that the configuration names in vain, if it does.

        A model that was chosen by hand over the one configured then is no disagreement.
        """
        other = disagreement(active, self.config.embeddings)
        if other and active:
            by_hand = read_meta(self.storage.database, CHOSEN_BY_HAND)
            if by_hand == {"embedder": active.embedder, "over": other}:
                return None
        return other


def _database_file(loaded: LoadedConfig) -> Path:
    path = loaded.database_path
    if path.name == ":memory:":
        raise ConfigError(
            f"the database would be {path}, a file of that name",
            hint='one that ends with the process is memory.backend "memory"; else name a file',
        )
    return path


def _begun(active: Space) -> dict[str, Any]:
    """How the files of a space were cut: the fields of ChunkSettings."""
    settings: dict[str, Any] = json.loads(active.chunking)
    return settings


def _described(chunking: Mapping[str, Any]) -> str:
    structure = "kept" if chunking["preserve_structure"] else "not kept"
    return (
        f"chunks of {chunking['size_chars']} characters "
        f"(overlap {chunking['overlap_chars']}, structure {structure})"
    )
