"""Queries and bodies about episodes."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.api.schemas.request import Request
from memory.episodes.listing import USUAL_LIMIT


class EpisodeQuery(BaseModel):
    """The filter of a list of episodes."""

    model_config = ConfigDict(extra="forbid")

    session_id: Annotated[str | None, Field(description="Only of this session.")] = None
    since: Annotated[
        str | None, Field(description="Only those that ended then or later: a date or ISO 8601.")
    ] = None
    until: Annotated[
        str | None, Field(description="Only those that began then or earlier, the day included.")
    ] = None
    min_importance: Annotated[
        float | None, Field(description="Only those of this importance or more, 0 to 1.")
    ] = None
    limit: Annotated[int, Field(description="The most episodes, 1 to 1000.")] = USUAL_LIMIT
    cursor: Annotated[str | None, Field(description="A page's `next_cursor`.")] = None


class UsedRequest(Request):
    """A report of what was of use, in a context or an answer."""

    used: Annotated[
        list[str],
        Field(
            description="Citations, record ids such as `turn:42`, or the `chunk_id` of hits, at "
            "most 1000. A turn stands for its episode, a memory for its triple."
        ),
    ]
    vote: Annotated[
        Literal["used", "helpful", "unhelpful"], Field(description="How useful they were.")
    ] = "used"
