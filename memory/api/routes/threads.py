"""POST /threads/analyze: the worth of a conversation; POST /memory/recall: a search."""

from fastapi import APIRouter, Request

from contracts import InputError
from ingest.threads.signals import analyze_thread
from memory.api.app_state import state_of
from memory.api.responses import Json, fields_of
from memory.api.schemas.conversations import ThreadJudgement, ThreadRequest
from memory.api.schemas.search import RecallRequest
from memory.conversations.thread_analysis import analyze_session
from memory.retrieval.recall import recall
from memory.values.results import SearchResponse

router = APIRouter(tags=["conversations"])


@router.post("/threads/analyze", response_model=ThreadJudgement)
def analyze(request: Request, body: ThreadRequest) -> Json:
    """Return signals, score and recommendation of a conversation, from patterns alone."""
    if (body.messages is None) == (body.session_id is None):
        raise InputError(
            "a thread is either its messages or a stored session",
            hint="give messages or session_id",
        )
    if body.messages is not None:
        return Json(analyze_thread(body.messages))
    return Json(analyze_session(state_of(request).workspace, body.session_id or ""))


@router.post("/memory/recall", response_model=SearchResponse)
def recall_memories(request: Request, body: RecallRequest) -> Json:
    """Return the best memories, turns and texts for a query, newer before older ones."""
    answer = fields_of(recall(state_of(request).workspace, body.query, body.k))
    unasked = ("explanation", "before", "after")
    answer["results"] = [
        {name: value for name, value in fields_of(hit).items() if name not in unasked}
        for hit in answer["results"]
    ]
    return Json(answer)
