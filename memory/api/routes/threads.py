"""POST /threads/analyze: whether a conversation is worth remembering."""

from fastapi import APIRouter

from ingest.threads.signals import analyze_thread
from memory.api.respond import Json
from memory.api.schemas import ThreadJudgement, ThreadRequest

router = APIRouter(tags=["threads"])


@router.post("/threads/analyze", response_model=ThreadJudgement)
def analyze(body: ThreadRequest) -> Json:
    """Signals, score and recommendation of a conversation, from patterns alone."""
    return Json(analyze_thread(body.messages or ()))
