"""The five tools as a model sees them; `memory.mcp.calls` does the work, in a thread."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from anyio import to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from contracts import MemError
from contracts.named_tuple import NamedTuple
from memory.mcp.answers import (
    ContextAnswer,
    ForgetAnswer,
    ReadAnswer,
    RememberAnswer,
    SearchAnswer,
)
from memory.mcp.filters import Filters
from memory.mcp.rights import Rights
from memory.operations.tokens import TokenScope
from memory.storage.action_log import Caller, called_by
from memory.values.text_checks import NAME_LIMIT, shortened
from memory.workspace import VALUE_ERRORS, Workspace
from search.options import Mode

if TYPE_CHECKING:
    from memory.operations.record_reading import Reader

MOST_RESULTS: Final = 50
USUAL_RESULTS: Final = 8
MOST_CITATIONS: Final = 100
MOST_BYTES: Final = 1_000_000
USUAL_BYTES: Final = 20_000
MOST_TOKENS: Final = 50_000
USUAL_TOKENS: Final = 2000

RightsOf = Callable[["Context[Any, Any]"], Rights]
WorkspaceOf = Callable[["Context[Any, Any]"], Workspace]
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
    """The tools over the memory of each request; `rights_of` says what its caller may do."""

    def __init__(self, workspace_of: WorkspaceOf, rights_of: RightsOf) -> None:
        self._workspace_of = workspace_of
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
        collection: Annotated[
            str | None, Field(description="Only files of the folder with this name.")
        ] = None,
    ) -> Annotated[CallToolResult, SearchAnswer]:
        """Find the passages that best match a query, in files, conversations and memories.

        Returns excerpts with citations, best first. Filters narrow the search before it ranks.
        """
        filters = Filters(sources, since, until, tags, mode, collection)

        def work() -> CallToolResult:
            from memory.mcp import calls

            return calls.search(self._workspace_of(ctx), query, filters, max_results=max_results)

        return await self._run(ctx, "search", "read", work)

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
        reader = await self._run(ctx, "read", "read", partial(self._reader, ctx, max_bytes))
        wanted = await self._run(ctx, "read", "read", partial(reader.expand, citations))
        for done, citation in enumerate(wanted):
            await ctx.report_progress(done, len(wanted), citation)
            await self._run(ctx, "read", "read", partial(reader.read, citation))

        def work() -> CallToolResult:
            from memory.mcp import calls

            return calls.read(reader)

        answer = await self._run(ctx, "read", "read", work)
        await ctx.report_progress(len(wanted), len(wanted))
        return answer

    async def context(
        self,
        ctx: Request,
        query: Annotated[str, Field(description="The question to answer.")],
        session_id: Annotated[
            str | None, Field(description="The stored conversation it belongs to, if any: a text.")
        ] = None,
        max_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] = USUAL_TOKENS,
    ) -> Annotated[CallToolResult, ContextAnswer]:
        """Recall what matters for a question, as one text within a token budget.

        Standing instructions of the person, current facts, what was said, and matching files.
        """

        def work() -> CallToolResult:
            from memory.mcp import calls

            return calls.context(
                self._workspace_of(ctx), query, session_id=session_id, max_tokens=max_tokens
            )

        return await self._run(ctx, "context", "read", work)

    async def remember(
        self,
        ctx: Request,
        text: Annotated[str, Field(description="One lasting fact, in the third person.")],
        tags: Annotated[list[str] | None, Field(description="Words to filter by.")] = None,
    ) -> Annotated[CallToolResult, RememberAnswer]:
        """Keep a fact. It fades unless the person confirms it, and replaces nothing until then."""

        def work() -> CallToolResult:
            from memory.mcp import calls

            return calls.remember(self._workspace_of(ctx), text, tags=tags)

        return await self._run(ctx, "remember", "write", work)

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

        def work() -> CallToolResult:
            from memory.mcp import calls

            if delete:
                self._rights_of(ctx).require_deletion(citations[0])
            return calls.forget(self._workspace_of(ctx), citations, dry_run=not delete)

        await ctx.report_progress(0, 1)
        answer = await self._run(ctx, "forget", "read", work)
        await ctx.report_progress(1, 1)
        return answer

    def _reader(self, ctx: Request, max_bytes: int) -> "Reader":
        from memory.operations.record_reading import Reader

        return Reader(self._workspace_of(ctx), max_bytes=max_bytes)

    async def _run(self, ctx: Request, tool: str, scope: TokenScope, work: Callable[[], T]) -> T:
        """Do the work in a thread if the caller has the scope; a cancelled call ends after it."""
        rights = self._rights_of(ctx)

        def task() -> T:
            rights.require(scope, tool)
            with called_by(Caller(rights.name, is_owner=False)):
                try:
                    return work()
                except VALUE_ERRORS as error:
                    if damage := self._workspace_of(ctx).damage_of(error):
                        raise damage from error
                    raise

        try:
            return await to_thread.run_sync(task)
        except MemError as error:
            message = f"{shortened(error.message)}\nhint: {shortened(error.hint)}"
            raise ToolError(message) from error
