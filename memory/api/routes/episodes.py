"""/episodes: what happened, the latest first; POST /context/used: what of it was of use."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.episodes import EpisodeQuery, UsedRequest
from memory.episodes.listing import EpisodeFilter, EpisodePage, list_episodes, read_episode
from memory.episodes.reinforcement import UseReport, note_used
from memory.episodes.values import EpisodeContent

router = APIRouter(tags=["conversations"])


@router.get("/episodes", response_model=EpisodePage)
def get_episodes(request: Request, asked: Annotated[EpisodeQuery, Query()]) -> Json:
    """List episodes, the latest first, one page at a time; their `retrievability` is the present
    one.
    """
    wanted = EpisodeFilter(asked.session_id, asked.since, asked.until, asked.min_importance)
    workspace = state_of(request).workspace
    return Json(list_episodes(workspace, wanted, limit=asked.limit, cursor=asked.cursor))


@router.get("/episodes/{episode_id}", response_model=EpisodeContent)
def get_episode(request: Request, episode_id: int) -> Json:
    """Return one episode with its turns."""
    return Json(read_episode(state_of(request).workspace, episode_id))


@router.post("/context/used", response_model=UseReport)
def use(request: Request, body: UsedRequest) -> Json:
    """Reinforce the episodes and facts among what was used, each at most once a day."""
    return Json(note_used(state_of(request).workspace, body.used, vote=body.vote))
