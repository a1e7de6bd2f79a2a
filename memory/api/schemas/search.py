"""Queries of searches and of recall."""

from typing import Annotated

from pydantic import Field

from memory.api.schemas.request import Request
from search.options import MOST_NEIGHBOURS, MOST_RESULTS, Fold, Mode


class MemorySearchRequest(Request):
    """A query and its filters. Omitted fields use the configuration."""

    query: Annotated[str, Field(description="Any text, of any syntax.")]
    mode: Annotated[
        Mode | None,
        Field(description="By meaning, by words, or both."),
    ] = None
    max_results: Annotated[int | None, Field(ge=1, le=MOST_RESULTS, description="Most hits.")] = (
        None
    )
    min_score: Annotated[
        float | None,
        Field(ge=0, le=1, description="Least cosine of a hit that only its vector found."),
    ] = None
    sources: Annotated[
        list[str] | None,
        Field(
            description="Source names (`file`, `text`), folders (`docs/`), types (`.md`), patterns "
            "(`*.md`); relative to the server's working directory."
        ),
    ] = None
    path: Annotated[str | None, Field(description="Only files at or below this path.")] = None
    collection: Annotated[
        str | None, Field(description="Only files of the folder with this name.")
    ] = None
    session_id: Annotated[str | int | None, Field(description="Only turns of this session.")] = None
    since: Annotated[
        str | None,
        Field(description="Not before: `2026-03`, `2026-03-04`, `7d` ago, ISO 8601 (UTC)."),
    ] = None
    until: Annotated[
        str | None, Field(description="Not after; a year, month or day counts to its end.")
    ] = None
    tags: Annotated[list[str] | None, Field(description="Only chunks with all of these tags.")] = (
        None
    )
    without_tags: Annotated[
        list[str] | None, Field(description="Only chunks with none of these tags, such as `pii`.")
    ] = None
    explain: Annotated[bool, Field(description="Explain the rank of each hit.")] = False
    all_chunks: Annotated[bool, Field(description="Allow several chunks of one document.")] = False
    tests: Annotated[bool, Field(description="Let tests weigh as much as other source code.")] = (
        False
    )
    archived: Annotated[
        bool, Field(description="Find facts too that are archived or have expired.")
    ] = False
    fold: Annotated[
        Fold | None,
        Field(
            description="Near-identical chunks as one hit (`shingles`), hits chosen for diversity "
            "(`mmr`), or all as they come (`none`)."
        ),
    ] = None
    neighbours: Annotated[
        int,
        Field(
            ge=0,
            le=MOST_NEIGHBOURS,
            description="Return this many chunks of the document before and after each hit.",
        ),
    ] = 0
    rerank: Annotated[
        bool | None,
        Field(description="Let a cross-encoder rerank the best hits, within a deadline."),
    ] = None


class RecallRequest(Request):
    """A query for recall."""

    query: Annotated[str, Field(description="Any text, of any syntax.")]
    k: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="Most hits.")] = 5
