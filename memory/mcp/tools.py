"""The five tools. Each calls what the routes call, in a thread, for the caller of the request."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from anyio import to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from contracts import InputError, MemError
from memory.context.building import build_context
from memory.context.request import USUAL_TOKENS, ContextRequest
from memory.conversations.memories.editing import remember as keep
from memory.mcp import rendering
from memory.mcp.answers import (
    ContextAnswer,
    ForgetAnswer,
    Found,
    ReadAnswer,
    RememberAnswer,
    SearchAnswer,
)
from memory.mcp.reading import Reader
from memory.mcp.rights import Rights
from memory.operations.forget.removal import forget as forget_records
from memory.operations.forget.values import ForgetReport, ForgetRequest
from memory.operations.tokens import TokenScope
from memory.retrieval import searching
from memory.storage.action_log import AGENT, Caller, called_by
from memory.values.record_kinds import RecordName
from memory.values.results import SearchResponse, SearchResult
from memory.values.scope_parsing import narrowed
from memory.values.text_checks import NAME_LIMIT, checked_text, shortened
from memory.workspace import Workspace
from search.options import Mode

MOST_RESULTS: Final = 50
USUAL_RESULTS: Final = 8
MOST_CITATIONS: Final = 100
MOST_BYTES: Final = 1_000_000
USUAL_BYTES: Final = 20_000
MOST_TOKENS: Final = 50_000
NO_SESSION: Final = "no session"
"""The session of a context without one: it has no turns."""

RightsOf = Callable[["Context[Any, Any]"], Rights]
T = TypeVar("T")

Request = Context[Any, Any]
Citations = Annotated[
    list[Annotated[str, Field(max_length=NAME_LIMIT)]],
    Field(min_length=1, max_length=MOST_CITATIONS),
]


class ToolText(NamedTuple):
    """The name of a tool for people, and the hints for the program that calls it."""

    title: str
    hints: ToolAnnotations


_READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)

TOOLS: Final = {
    "search": ToolText("Search the memory", _READS),
    "read": ToolText("Read records", _READS),
    "context": ToolText("Recall what matters for a question", _READS),
    "remember": ToolText(
        "Remember a fact",
        ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False),
    ),
    "forget": ToolText(
        "Forget records",
        ToolAnnotations(
            read_only_hint=False,
            destructive_hint=True,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    ),
}
"""The tools in the order in which they are listed; each is a method of `Tools`."""


class Tools:
    """The tools over one workspace; `rights_of` says what the caller of a request may do."""

    def __init__(self, workspace: Workspace, rights_of: RightsOf) -> None:
        self._workspace = workspace
        self._rights_of = rights_of

    async def search(  # noqa: PLR0913  # the arguments that a model may give
        self,
        ctx: Request,
        query: Annotated[str, Field(description="A question, or telling words; any syntax.")],
        max_results: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = USUAL_RESULTS,
        sources: Annotated[
            list[str] | None,
            Field(
                description="Only these: `file`, `turn`, `memory`, `fact`, ...; folders (`docs/`), "
                "types (`.md`), patterns (`*.md`)."
            ),
        ] = None,
        since: Annotated[
            str | None, Field(description="Not before: `2026-03`, `2026-03-04`, `7d` ago.")
        ] = None,
        until: Annotated[str | None, Field(description="Not after.")] = None,
        tags: Annotated[list[str] | None, Field(description="Only with all of these.")] = None,
        mode: Annotated[
            Mode | None, Field(description="`keyword` for exact words; usually leave it out.")
        ] = None,
    ) -> Annotated[CallToolResult, SearchAnswer]:
        """Find the passages that best match a query, in files, conversations and memories.

        Returns excerpts with citations, best first. Filters narrow the search before it ranks.
        """
        options = replace(
            searching.default_options(self._workspace.config.search), max_results=max_results
        )
        if mode is not None:
            options = replace(options, mode=mode)

        def work() -> SearchResponse:
            scope = narrowed(
                sources or (), since=since, until=until, tags=tags or (), cwd=Path.cwd()
            )
            return searching.search(self._workspace, query, replace(options, scope=scope))

        found = await self._run(ctx, "search", "read", work)
        answer = SearchAnswer(
            results=[_found(one) for one in found.results],
            weak=found.weak,
            search_time_ms=found.search_time_ms,
            warnings=found.warnings,
        )
        return _result(answer, rendering.search_text(answer))

    async def read(
        self,
        ctx: Request,
        citations: Annotated[
            Citations,
            Field(
                description="Citations of any kind; files also whole (`docs/a.md`), by lines "
                "(`docs/a.md:10-40`) or by pattern (`docs/*.md`)."
            ),
        ],
        max_bytes: Annotated[
            int, Field(ge=1, le=MOST_BYTES, description="The most bytes of all texts together.")
        ] = USUAL_BYTES,
    ) -> Annotated[CallToolResult, ReadAnswer]:
        """Read records by their citations: lines of files, turns with those around them, memories.

        What does not fit the byte budget is named, to be read next.
        """
        reader = Reader(self._workspace, max_bytes=max_bytes)
        wanted = await self._run(ctx, "read", "read", partial(reader.expand, citations))
        for done, citation in enumerate(wanted):
            await ctx.report_progress(done, len(wanted), citation)
            await self._run(ctx, "read", "read", partial(reader.read, citation))
        answer = await self._run(ctx, "read", "read", reader.answer)
        await ctx.report_progress(len(wanted), len(wanted))
        return _result(answer, rendering.read_text(answer))

    async def context(
        self,
        ctx: Request,
        query: Annotated[str, Field(description="The question to answer.")],
        session_id: Annotated[
            str | None, Field(description="The stored conversation it belongs to, if any.")
        ] = None,
        max_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] = USUAL_TOKENS,
    ) -> Annotated[CallToolResult, ContextAnswer]:
        """Recall what matters for a question, as one text within a token budget.

        Standing instructions of the person, current facts, what was said, and matching files.
        """
        wanted = partial(ContextRequest, session_id or NO_SESSION, query, max_tokens=max_tokens)
        made = await self._run(
            ctx, "context", "read", lambda: build_context(self._workspace, wanted())
        )
        answer = ContextAnswer(
            markdown=made.markdown,
            tokens=made.tokens,
            matched=made.matched,
            citations=list(dict.fromkeys(part.citation for part in made.parts if part.citation)),
            warnings=made.warnings,
        )
        return _result(answer, made.markdown or rendering.NOTHING_FOUND)

    async def remember(
        self,
        ctx: Request,
        text: Annotated[str, Field(description="One lasting fact, in the third person.")],
        tags: Annotated[list[str] | None, Field(description="Words to filter by.")] = None,
    ) -> Annotated[CallToolResult, RememberAnswer]:
        """Keep a fact. It fades unless the person confirms it, and replaces nothing until then."""

        def work() -> RememberAnswer:
            given = dict.fromkeys((*(tags or ()), AGENT))
            made = keep(self._workspace, text, importance=0, tags=[*given], certain=False)
            return RememberAnswer(
                citation=f"memory {made.id}",
                content=made.content,
                action=made.action,
                status=made.status,
                source=AGENT if AGENT in made.metadata else made.origin,
                importance=made.importance,
                tags=list(made.tags),
            )

        answer = await self._run(ctx, "remember", "write", work)
        return _result(answer, rendering.remember_text(answer))

    async def forget(
        self,
        ctx: Request,
        citations: Annotated[
            Citations, Field(description="Turns, memories, texts or records; no files.")
        ],
        delete: Annotated[
            bool, Field(description="False shows what would go; true deletes it for good.")
        ] = False,
    ) -> Annotated[CallToolResult, ForgetAnswer]:
        """Show what forgetting these records would remove, or remove it for good.

        What was derived from them alone goes with them. Only an admin, or the person's own program
        on stdio, may delete.
        """

        def work(*, dry_run: bool) -> ForgetReport:
            records = tuple(self._named(citation) for citation in citations)
            if not dry_run:
                self._rights_of(ctx).require_deletion(citations[0])
            request = ForgetRequest(records=records)
            return forget_records(self._workspace, request, dry_run=dry_run)

        await ctx.report_progress(0, 1)
        report = await self._run(ctx, "forget", "read", partial(work, dry_run=not delete))
        await ctx.report_progress(1, 1)
        answer = ForgetAnswer(
            deleted=not report.dry_run,
            records=[one.citation for one in report.forgotten],
            kept=report.kept,
            warnings=report.warnings,
        )
        return _result(answer, rendering.forget_text(answer))

    def _named(self, citation: str) -> RecordName:
        name = self._workspace.kinds.named(checked_text(citation, "the citation"))
        if name is None:
            raise InputError(
                f"{citation!r:.200} names no turn, memory or text",
                hint="copy the citation from search; a file is removed on the disk",
            )
        return name

    async def _run(self, ctx: Request, tool: str, scope: TokenScope, work: Callable[[], T]) -> T:
        """Do the work in a thread if the caller has the scope; a cancelled call ends after it."""
        rights = self._rights_of(ctx)

        def task() -> T:
            rights.require(scope, tool)
            with called_by(Caller(rights.name, is_owner=False)):
                return work()

        try:
            return await to_thread.run_sync(task)
        except MemError as error:
            message = f"{shortened(error.message)}\nhint: {shortened(error.hint)}"
            raise ToolError(message) from error


def _found(hit: SearchResult) -> Found:
    return Found(
        citation=hit.citation,
        source=hit.source,
        text=hit.text,
        score=hit.score,
        occurred_at=hit.occurred_at,
        agent=hit.metadata.get(AGENT),
        outdated=[one.statement for one in hit.superseded],
    )


def _result(answer: BaseModel, text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=answer.model_dump(mode="json"),
    )
