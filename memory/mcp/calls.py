"""The work of each tool: a call of the engine, and its answer as data and as text.

Loaded by the first call, or after the handshake, which must not wait for it.
"""

from dataclasses import replace
from pathlib import Path

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from contracts import InputError
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.memories.editing import remember as keep
from memory.index.collections.reading import within_collection
from memory.mcp import rendering
from memory.mcp.answers import (
    ContextAnswer,
    Folder,
    ForgetAnswer,
    Found,
    ReadAnswer,
    ReadRecord,
    RememberAnswer,
    SearchAnswer,
    Unread,
)
from memory.mcp.filters import Filters
from memory.operations.forget.removal import forget as forget_records
from memory.operations.forget.values import ForgetRequest
from memory.operations.record_reading import Reader
from memory.retrieval import searching
from memory.storage.action_log import AGENT
from memory.values.record_kinds import RecordName
from memory.values.results import SearchResult
from memory.values.scope_parsing import narrowed
from memory.values.text_checks import checked_text
from memory.workspace import Workspace

NO_SESSION = "no session"
"""The session of a context without one: it has no turns."""


def search(
    workspace: Workspace, query: str, filters: Filters, *, max_results: int
) -> CallToolResult:
    """Search as POST /memory/search does."""
    options = searching.default_options(workspace.config.search)
    scope = narrowed(
        filters.sources or (),
        since=filters.since,
        until=filters.until,
        tags=filters.tags or (),
        cwd=Path.cwd(),
    )
    if filters.collection is not None:
        scope = within_collection(workspace.storage.database, scope, filters.collection)
    mode = options.mode if filters.mode is None else filters.mode
    options = replace(options, scope=scope, mode=mode, max_results=max_results)
    found = searching.search(workspace, query, options)
    answer = SearchAnswer(
        results=[_found(one) for one in found.results],
        weak=found.weak,
        search_time_ms=found.search_time_ms,
        warnings=found.warnings,
        collections=[Folder(name=one.name, about=one.about) for one in found.collections],
    )
    return result(answer, rendering.search_text(answer))


def read(reader: Reader) -> CallToolResult:
    """Return what was read."""
    answer = read_answer(reader)
    return result(answer, rendering.read_text(answer))


def read_answer(reader: Reader) -> ReadAnswer:
    """Return what was read as data. Raises NotFoundError where no citation could be read."""
    read = reader.answer()
    return ReadAnswer(
        records=[
            ReadRecord(citation=one.citation, text=one.text, stale=one.stale, next=one.next)
            for one in read.records
        ],
        size_bytes=read.size_bytes,
        left_out=read.left_out,
        unread=[Unread(citation=one.citation, reason=one.reason) for one in read.unread],
    )


def context(
    workspace: Workspace, query: str, *, session_id: str | None, max_tokens: int
) -> CallToolResult:
    """Build a context as GET /context does."""
    request = ContextRequest(session_id or NO_SESSION, query, max_tokens=max_tokens)
    made = build_context(workspace, request)
    answer = ContextAnswer(
        markdown=made.markdown,
        tokens=made.tokens,
        matched=made.matched,
        citations=list(dict.fromkeys(part.citation for part in made.parts if part.citation)),
        warnings=made.warnings,
    )
    return result(answer, made.markdown or rendering.NOTHING_FOUND)


def remember(workspace: Workspace, text: str, *, tags: list[str] | None) -> CallToolResult:
    """Keep a memory that is an agent's: it is not important, and replaces nothing."""
    made = keep(workspace, text, tags=tags or ())
    answer = RememberAnswer(
        citation=f"memory {made.id}",
        content=made.content,
        action=made.action,
        status=made.status,
        source=AGENT if AGENT in made.metadata else made.origin,
        importance=made.importance,
        tags=list(made.tags),
    )
    return result(answer, rendering.remember_text(answer))


def forget(workspace: Workspace, citations: list[str], *, dry_run: bool) -> CallToolResult:
    """Remove records as `mem forget` does, or say what it would remove."""
    request = ForgetRequest(records=tuple(_named(workspace, each) for each in citations))
    report = forget_records(workspace, request, dry_run=dry_run)
    answer = ForgetAnswer(
        deleted=not report.dry_run,
        records=[one.citation for one in report.forgotten],
        kept=report.kept,
        warnings=report.warnings,
    )
    return result(answer, rendering.forget_text(answer))


def result(answer: BaseModel, text: str) -> CallToolResult:
    """Return an answer in both forms."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=answer.model_dump(mode="json"),
    )


def _named(workspace: Workspace, citation: str) -> RecordName:
    name = workspace.kinds.named(checked_text(citation, "the citation"))
    if name is None:
        raise InputError(
            f"{citation!r:.200} names no turn, memory or text",
            hint="copy the citation from search; a file is removed on the disk, or with "
            "mem files --drop-root PATH --with-files",
        )
    return name


def _found(hit: SearchResult) -> Found:
    return Found(
        citation=hit.citation,
        source=hit.source,
        text=hit.text,
        score=hit.score,
        confidence=hit.confidence,
        occurred_at=hit.occurred_at,
        agent=hit.metadata.get(AGENT),
        collection=hit.collection,
        outdated=[one.statement for one in hit.superseded],
    )
