"""The Python API: every operation on a database, asynchronous and for programs without a loop."""

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from contracts import InputError
from memory.config.loading import LoadedConfig
from memory.config.made_in_python import loaded_config
from memory.config.settings import MemoryConfig
from memory.conversations.memories import editing
from memory.conversations.memories.editing import MemoryChange
from memory.conversations.memories.listing import USUAL_LIMIT, MemoryFilter, list_memories
from memory.conversations.memories.slots.showing import read_memory
from memory.conversations.memories.values import Memory, MemoryPage, Remembered, ShownMemory
from memory.conversations.memories.why import Why, why
from memory.event_loop import Synchronous, blocking
from memory.files import ingestion
from memory.index.embedding.active_model import active_model
from memory.operations import manage, status
from memory.retrieval.asynchronous_search import Searcher
from memory.retrieval.search_keywords import SearchKeywords
from memory.retrieval.server_caches import cache_answers
from memory.storage import Storage
from memory.values.reports import Record, RecordPage, SyncStats
from memory.values.results import SearchResponse, SearchResult
from memory.values.space_reports import ReindexReport
from memory.values.status_reports import MemoryStatus
from memory.workspace import Workspace
from search import SearchOptions

if TYPE_CHECKING:
    from memory.context.request import ContextKeywords
    from memory.context.values import Context
    from memory.conversations.lifecycle import GcReport, MemoryStats
    from memory.conversations.llm_extraction.passes import ModelExtractionReport
    from memory.conversations.pipeline import TurnResult
    from memory.conversations.thread_summary import ConversationSummary
    from memory.conversations.turns.values import NewTurn
    from memory.operations.audit import AuditReport
    from memory.operations.forget.values import ForgetReport, ForgetRequest
    from providers import EmbeddingProvider


class MemoryManager:
    """One database and every operation on it.

    `config` is the `memory` section, a loaded configuration, or None for the one that applies in
    the working directory. Use it as an asynchronous context manager, or `close` it.
    """

    def __init__(self, config: MemoryConfig | LoadedConfig | None = None) -> None:
        self.workspace = Workspace(loaded_config(config))
        self.searcher = Searcher(self.workspace)
        cache_answers(self.workspace)

    @classmethod
    def open_sync(cls, config: MemoryConfig | LoadedConfig | None = None) -> "SyncMemoryManager":
        """Return the same with methods that wait for their results, for scripts and notebooks."""
        return SyncMemoryManager(cls(config))

    @property
    def config(self) -> MemoryConfig:
        """The settings in use: variables expanded, paths absolute."""
        return self.workspace.config

    @property
    def storage(self) -> Storage:
        """The storage backend."""
        return self.workspace.storage

    @property
    def embedder(self) -> "EmbeddingProvider":
        """The embedding model in use, which may be loaded only when it embeds first.

        Raises UnavailableError when it cannot be used.
        """
        return active_model(self.workspace).provider

    async def __aenter__(self) -> "MemoryManager":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.workspace.close()

    async def search(
        self,
        query: str,
        options: SearchOptions | None = None,
        **keywords: Unpack[SearchKeywords],
    ) -> list[SearchResult]:
        """Return the best chunks for a query, best first.

        Keywords are fields of `SearchOptions` and take precedence over `options`, or over the
        configuration: `search(query, max_results=3, mode="keyword", sources=["docs/"])`.
        """
        return await self.searcher.search(query, options, **keywords)

    async def answer(
        self,
        query: str,
        options: SearchOptions | None = None,
        **keywords: Unpack[SearchKeywords],
    ) -> SearchResponse:
        """Search, with the mode used, the warnings and the freshness of the index."""
        return await self.searcher.answer(query, options, **keywords)

    async def ingest_text(
        self, text: str, metadata: Mapping[str, Any] | None = None, tags: Sequence[str] = ()
    ) -> str:
        """Index a text and return its id."""
        done = await asyncio.to_thread(
            ingestion.ingest_text, self.workspace, text, metadata=metadata, tags=tags
        )
        return done.id

    async def ingest_file(self, filepath: str, metadata: Mapping[str, Any] | None = None) -> str:
        """Index one file and return its id. Raises InputError when it cannot be read as text."""
        done = await asyncio.to_thread(
            ingestion.ingest_path, self.workspace, filepath, metadata=metadata, recursive=False
        )
        if done.failed or not done.file_ids:
            reason = done.failed[0].reason if done.failed else "it holds no text"
            raise InputError(f"{filepath} cannot be indexed: {reason}", hint="name a text file")
        return done.file_ids[0]

    async def get_file(self, file_id: str, lines: tuple[int, int] | range | None = None) -> str:
        """Return the indexed text of a file, whole or some lines (from 1, both ends included).

        `range(1, 11)` is the same as `(1, 10)`: the first ten lines.
        """
        wanted: Any = lines  # a range with a step is refused by the check of lines
        if isinstance(lines, range) and lines.step == 1:
            wanted = lines.start, lines.stop - 1
        found = await asyncio.to_thread(manage.get_file, self.workspace, file_id, lines=wanted)
        return found.text

    async def sync_files(self, paths: Sequence[str] | None = None) -> SyncStats:
        """Update the index from these folders and files, or from every known root."""
        return await asyncio.to_thread(ingestion.sync_files, self.workspace, paths)

    async def reindex(
        self, *, provider: str | None = None, model: str | None = None
    ) -> ReindexReport:
        """Change to another embedding model, or to the configured chunks; see `reindex`.

        Every other operation continues to work during that time.
        """
        from memory.index.spaces.reindex import reindex

        return await asyncio.to_thread(reindex, self.workspace, provider=provider, model=model)

    async def add_turns(self, turns: Sequence["NewTurn"]) -> "list[TurnResult]":
        """Store turns, all or none, index them, and extract memories from them."""
        from memory.conversations.pipeline import process_turns
        from memory.conversations.turns.values import NewTurn

        _require(turns, Sequence, name="value of turns")
        for turn in turns:
            _require(turn, NewTurn, name="turn")
        return await asyncio.to_thread(process_turns, self.workspace, turns)

    async def enrich(self, *, again: bool = False) -> "ModelExtractionReport":
        """Extract memories from waiting turns by the configured language model; `again`: failed
        ones too.
        """
        from memory.conversations.llm_extraction.passes import extract_with_model

        return await asyncio.to_thread(extract_with_model, self.workspace, again=again)

    async def forget(
        self, request: "ForgetRequest", *, dry_run: bool = False, proven: bool = False
    ) -> "ForgetReport":
        """Remove turns, memories and texts for good; `proven` checks that nothing is left."""
        from memory.operations.forget.removal import forget
        from memory.operations.forget.values import ForgetRequest

        _require(request, ForgetRequest, name="request")
        return await asyncio.to_thread(
            forget, self.workspace, request, dry_run=dry_run, proven=proven
        )

    async def build_context(
        self,
        session_id: str | int,
        query: str | None = None,
        **keywords: Unpack["ContextKeywords"],
    ) -> "Context":
        """Return what an agent should know about a session before it answers.

        Keywords are the other fields of `memory.context.request.ContextRequest`: `system`,
        `max_tokens`, `seen_turn_ids`, `k`, `without_tags`, `include`.
        """
        from memory.context.building import build_context
        from memory.context.request import ContextRequest

        request = ContextRequest(session_id, query, **keywords)
        return await asyncio.to_thread(build_context, self.workspace, request)

    async def summarize_session(
        self, session_id: str | int, *, turns: int = 20, max_chars: int = 1200
    ) -> "ConversationSummary":
        """Return a summary of a session's last turns, by the configured language model if any."""
        from memory.conversations.thread_summary import summarize_session

        return await asyncio.to_thread(
            summarize_session, self.workspace, session_id, turns=turns, max_chars=max_chars
        )

    async def gc(self, *, dry_run: bool = False) -> "GcReport":
        """Score all memories, promote lasting ones, remove faded ones."""
        from memory.conversations.lifecycle import collect_garbage

        return await asyncio.to_thread(collect_garbage, self.workspace, dry_run=dry_run)

    async def stats(self) -> "MemoryStats":
        """Return counts of memories and of what happened to them."""
        from memory.conversations.lifecycle import read_stats

        return await asyncio.to_thread(read_stats, self.workspace)

    async def audit(
        self, *, kinds: Sequence[str] = (), files: bool = False, limit: int = 20
    ) -> "AuditReport":
        """List memories that are wrong or should not be kept, with the commands that fix them."""
        from memory.operations.audit import audit

        return await asyncio.to_thread(audit, self.workspace, kinds=kinds, files=files, limit=limit)

    async def recall(
        self, query: str, k: int = 5, **keywords: Unpack[SearchKeywords]
    ) -> list[SearchResult]:
        """Return the best memories, turns and texts for a query; of equal ones the newer first.

        Keywords are those of `search`; `k` is its `max_results`.
        """
        from memory.retrieval.recall import recall

        return (await asyncio.to_thread(recall, self.workspace, query, k, keywords)).results

    async def get_status(self) -> MemoryStatus:
        """Return counts, sizes, the model in use, and every file that is not indexed as it is."""
        return await asyncio.to_thread(status.read_status, self.workspace)

    async def remember(
        self,
        text: str,
        metadata: Mapping[str, Any] | None = None,
        *,
        importance: int = 1,
        tags: Sequence[str] = (),
    ) -> Remembered:
        """Store a memory, or strengthen the one that says the same.

        With `importance` 1 it is kept until it is forgotten; with 0 it may fade.
        """
        return await asyncio.to_thread(
            editing.remember,
            self.workspace,
            text,
            importance=importance,
            tags=tags,
            metadata=metadata,
        )

    async def memories(
        self,
        wanted: MemoryFilter | None = None,
        *,
        limit: int = USUAL_LIMIT,
        cursor: str | None = None,
    ) -> MemoryPage:
        """Return memories, those of the highest score first unless `wanted` says otherwise."""
        if wanted is not None:
            _require(wanted, MemoryFilter, name="filter")
        return await asyncio.to_thread(
            list_memories, self.workspace, wanted, limit=limit, cursor=cursor
        )

    async def get_memory(self, memory_id: int) -> ShownMemory:
        """Return one memory, whatever its status."""
        return await asyncio.to_thread(read_memory, self.workspace, memory_id)

    async def edit_memory(self, memory_id: int, change: MemoryChange) -> Memory:
        """Change a memory and return it."""
        _require(change, MemoryChange, name="change")
        return await asyncio.to_thread(editing.edit_memory, self.workspace, memory_id, change)

    async def why(self, memory_id: int) -> Why:
        """Explain the origin and the score of a memory."""
        return await asyncio.to_thread(why, self.workspace, memory_id)

    async def list_records(
        self,
        *,
        source: str | None = None,
        path: str | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> RecordPage:
        """Return files and texts in the order of their paths."""
        return await asyncio.to_thread(
            manage.list_records,
            self.workspace,
            source=source,
            path=path,
            limit=limit,
            cursor=cursor,
        )

    async def get_record(self, record_id: str) -> Record:
        """Return one record by its id."""
        return await asyncio.to_thread(manage.get_record, self.workspace, record_id)

    async def update_record(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
    ) -> Record:
        """Replace a record's metadata, its tags, or both."""
        return await asyncio.to_thread(
            manage.update_record, self.workspace, record_id, metadata=metadata, tags=tags
        )

    async def delete_record(self, record_id: str) -> Record:
        """Remove a record from the index with all that is derived from it."""
        return await asyncio.to_thread(manage.delete_record, self.workspace, record_id)


class SyncMemoryManager(Synchronous[MemoryManager]):
    """The methods of `MemoryManager` for scripts and notebooks: each waits for its result.

    It works inside a running event loop too, which is blocked meanwhile. `asynchronous` is the
    manager behind it. Any thread may use it. Use it as a context manager, or `close` it.
    """

    def __init__(self, asynchronous: MemoryManager) -> None:
        """Wrap a manager. A configuration is opened by `MemoryManager.open_sync`."""
        _require(asynchronous, MemoryManager, name="manager")
        super().__init__(asynchronous)

    def __enter__(self) -> "SyncMemoryManager":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database, and end the thread of the event loop."""
        self.asynchronous.close()
        self.loop.close()

    @property
    def config(self) -> MemoryConfig:
        """The settings in use."""
        return self.asynchronous.config

    @property
    def storage(self) -> Storage:
        """The storage backend."""
        return self.asynchronous.storage

    @property
    def embedder(self) -> "EmbeddingProvider":
        """The embedding model in use."""
        return self.asynchronous.embedder

    search = blocking(MemoryManager.search)
    answer = blocking(MemoryManager.answer)
    ingest_text = blocking(MemoryManager.ingest_text)
    ingest_file = blocking(MemoryManager.ingest_file)
    get_file = blocking(MemoryManager.get_file)
    sync_files = blocking(MemoryManager.sync_files)
    reindex = blocking(MemoryManager.reindex)
    add_turns = blocking(MemoryManager.add_turns)
    enrich = blocking(MemoryManager.enrich)
    forget = blocking(MemoryManager.forget)
    build_context = blocking(MemoryManager.build_context)
    summarize_session = blocking(MemoryManager.summarize_session)
    gc = blocking(MemoryManager.gc)
    stats = blocking(MemoryManager.stats)
    audit = blocking(MemoryManager.audit)
    recall = blocking(MemoryManager.recall)
    get_status = blocking(MemoryManager.get_status)
    remember = blocking(MemoryManager.remember)
    memories = blocking(MemoryManager.memories)
    get_memory = blocking(MemoryManager.get_memory)
    edit_memory = blocking(MemoryManager.edit_memory)
    why = blocking(MemoryManager.why)
    list_records = blocking(MemoryManager.list_records)
    get_record = blocking(MemoryManager.get_record)
    update_record = blocking(MemoryManager.update_record)
    delete_record = blocking(MemoryManager.delete_record)


def _require(value: object, kind: type, *, name: str) -> None:
    """Raise InputError for a value of another type, before work begins that fails of it."""
    if not isinstance(value, kind):
        raise InputError(f"the {name} is {value!r:.80}", hint=f"give a {kind.__name__}")
