"""GET /memory/changes: what was added, changed and removed since a number."""

from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.feed.stream import MEDIA_TYPE, EventStream, Feed, events
from memory.api.limits.streams import too_many_streams
from memory.api.responses import Json
from memory.operations.changes import MOST_CHANGES, ChangePage, read_changes
from memory.workspace import Workspace

router = APIRouter(tags=["changes"])

_LARGEST = (1 << 63) - 1
_STREAMED_AT_ONCE = 200


@router.get(
    "/memory/changes",
    response_model=ChangePage,
    responses={200: {"content": {MEDIA_TYPE: {}}, "description": "A page, or a stream of events."}},
)
async def get_changes(
    request: Request,
    since: Annotated[
        int | None,
        Query(ge=0, le=_LARGEST, description="The last number known; left out: from now on."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_CHANGES, description="The most on a page.")] = 100,
    last_event_id: Annotated[
        int | None,
        Header(alias="Last-Event-ID", ge=0, le=_LARGEST, description="Where a stream goes on."),
    ] = None,
) -> Response:
    """List the records that were added, changed and removed, by their ids.

    With `Accept: text/event-stream` the answer goes on with each further change.
    """
    state = state_of(request)
    if MEDIA_TYPE not in request.headers.get("accept", ""):
        read = partial(read_changes, state.workspace, since=since, limit=limit)
        return Json(await to_thread.run_sync(read))
    await request.body()  # within the limits of bodies, before the answer begins
    if not state.limits.streams.open():
        return too_many_streams().response()
    principal, headers = request.state.principal, request.headers
    feed = Feed(
        partial(_page_after, state.workspace),
        partial(state.access.still_admits, principal, headers),
        state.stopping,
    )
    begin = since if last_event_id is None else last_event_id
    return EventStream(events(feed, begin), state.limits.streams)


def _page_after(workspace: Workspace, since: int | None) -> ChangePage:
    return read_changes(workspace, since=since, limit=_STREAMED_AT_ONCE)
