"""Request bodies about memories."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.api.schemas.request import Metadata, Request
from memory.conversations.memories.listing import USUAL_LIMIT
from memory.conversations.memories.values import Layer, Status

Importance = Literal[0, 1]


class MemoryRequest(Request):
    """A memory to store."""

    content: Annotated[str, Field(description="A sentence, best in the third person.")]
    importance: Annotated[
        Importance | None,
        Field(
            description="1: it is kept until it is forgotten; 0: it fades like what was said. By "
            "default 1, and 0 with the token of an agent, which may not give 1."
        ),
    ] = None
    tags: Annotated[list[str], Field(default_factory=list, description="Words to filter by.")]
    metadata: Annotated[
        Metadata,
        Field(
            default_factory=dict,
            description="Any JSON object. `timestamp` (ISO 8601) is when it was said or true.",
        ),
    ]


class RememberRequest(Request):
    """A memory to store, in sem-mem's form."""

    text: Annotated[str, Field(description="A sentence, best in the third person.")]
    metadata: Annotated[
        Metadata,
        Field(
            default_factory=dict,
            description="Any JSON object. `timestamp` (ISO 8601) is when it was said or true.",
        ),
    ]
    importance: Annotated[Importance | None, Field(description="As of POST /memories.")] = None
    tags: Annotated[list[str], Field(default_factory=list, description="Words to filter by.")]


class MemoryPatch(Request):
    """The fields of a memory to replace; omitted fields stay unchanged."""

    content: Annotated[
        str | None, Field(description="The new content, by which it is found from now on.")
    ] = None
    tags: Annotated[list[str] | None, Field(description="All of its tags.")] = None
    importance: Annotated[Importance | None, Field(description="0 or 1.")] = None
    status: Annotated[
        Status | None,
        Field(
            description="`archived` and `deleted` memories are not found; the next garbage "
            "collection removes `deleted` ones for good; `active` restores them."
        ),
    ] = None
    layer: Annotated[Layer | None, Field(description="`mid`, or `long`, which is permanent.")] = (
        None
    )
    metadata: Annotated[Metadata | None, Field(description="The whole of its metadata.")] = None


class MemoryQuery(BaseModel):
    """The filter and order of a list of memories."""

    model_config = ConfigDict(extra="forbid")

    layer: Annotated[str | None, Field(description="`mid` or `long`.")] = None
    q: Annotated[str | None, Field(description="Words that they hold.")] = None
    limit: Annotated[int, Field(description="The most memories, 1 to 1000.")] = USUAL_LIMIT
    status: Annotated[str, Field(description="`active`, `archived`, `deleted` or `all`.")] = (
        "active"
    )
    tag: Annotated[str | None, Field(description="Only with this tag.")] = None
    without_tag: Annotated[
        str | None, Field(description="Only without this tag, such as `pii`.")
    ] = None
    sort: Annotated[
        str, Field(description="`score`, `recent` (seen last), or with `q` also `relevance`.")
    ] = "score"
    cursor: Annotated[str | None, Field(description="A page's `next_cursor`.")] = None


class GcRequest(Request):
    """Options of the garbage collection of memories."""

    dry_run: Annotated[bool, Field(description="Only report what would be done.")] = False
