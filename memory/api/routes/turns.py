"""Storing turns, reading one with its memories, and listing those of a session."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.conversations import (
    TurnBatch,
    TurnBatchAnswer,
    TurnQuery,
    TurnRequest,
)
from memory.conversations.pipeline import (
    TurnResult,
    TurnWithMemories,
    process_turns,
    turn_with_memories,
)
from memory.conversations.turns.listing import TurnPage, session_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.jobs.registry import EXTRACTION

router = APIRouter(tags=["conversations"])

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="A name for this request: the same one again in a session stores nothing.",
    ),
]


@router.post("/turns", response_model=TurnResult)
def add_turn(request: Request, body: TurnRequest, idempotency_key: Key = None) -> Json:
    """Store a turn, make it searchable, and remember the facts that the rules find in it."""
    workspace = state_of(request).workspace
    (results,) = process_turns(workspace, [_new_turn(body, idempotency_key)])
    state_of(request).scheduler.trigger(EXTRACTION.name)
    return Json(results)


@router.post("/turns/batch", response_model=TurnBatchAnswer)
def add_turns(request: Request, body: TurnBatch, idempotency_key: Key = None) -> Json:
    """Store many turns: all of them, or none."""
    turns = [
        _new_turn(turn, None if idempotency_key is None else f"{idempotency_key}/{place}")
        for place, turn in enumerate(body.turns)
    ]
    results = process_turns(state_of(request).workspace, turns)
    state_of(request).scheduler.trigger(EXTRACTION.name)
    return Json(
        TurnBatchAnswer(
            turn_ids=[item.turn_id for item in results],
            extracted_memories=[item.extracted_memories for item in results],
            repeated=sum(item.repeated for item in results),
            warnings=results[0].warnings if results else [],
        )
    )


@router.get("/turns", response_model=TurnPage)
def get_turns(request: Request, asked: Annotated[TurnQuery, Query()]) -> Json:
    """List the turns of a session in their order, the newest ones on the first page."""
    workspace = state_of(request).workspace
    return Json(session_turns(workspace, asked.session_id, limit=asked.limit, cursor=asked.cursor))


@router.get("/turns/{turn_id}", response_model=TurnWithMemories)
def get_turn(request: Request, turn_id: int) -> Json:
    """Return a turn word for word, and the memories that have it as a source."""
    return Json(turn_with_memories(state_of(request).workspace, turn_id))


def _new_turn(body: TurnRequest, key: str | None) -> NewTurn:
    return NewTurn(
        session_id=body.session_id,
        text=body.text,
        role=body.role,
        ts=body.ts,
        speaker=body.speaker,
        image_paths=tuple(body.image_paths),
        metadata=body.metadata,
        client_id=body.client_id or key,
        auto_extract=body.auto_extract and not body.no_extract,
        long_term_opt_in=body.long_term_opt_in,
    )
