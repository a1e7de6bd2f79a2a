"""Records: /memory/fact, person, open-loop, signal and pattern, and /memory/context over all."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.records import (
    FactRequest,
    OpenLoopRequest,
    OpenLoops,
    PatternRequest,
    Patterns,
    PersonRequest,
    RecordRequest,
    ResolveRequest,
    SignalRequest,
)
from memory.records.checking import MOST_LISTED
from memory.records.checking import USUAL_LIMIT as USUAL_LISTED
from memory.records.facts import NewFact, write_fact
from memory.records.open_loops import (
    NewOpenLoop,
    Resolution,
    list_open_loops,
    resolve_open_loop,
    write_open_loop,
)
from memory.records.patterns import NewPattern, list_patterns, write_pattern
from memory.records.people import NewPerson, write_person
from memory.records.signals import NewSignal, write_signal
from memory.records.topics import USUAL_LIMIT, Profile, Topic, read_profile, read_topic
from memory.records.values import (
    ShownOpenLoop,
    ShownPattern,
    ShownPerson,
    ShownSignal,
    WrittenFact,
)
from search.options import MOST_RESULTS

router = APIRouter(tags=["records"])


def _given(body: RecordRequest) -> dict[str, Any]:
    return {name: getattr(body, name) for name in type(body).model_fields}


@router.post("/memory/fact", response_model=WrittenFact)
def post_fact(request: Request, body: FactRequest) -> Json:
    """State a fact: it is created, reinforced when it has that value, or its value is replaced."""
    return Json(write_fact(state_of(request).workspace, NewFact(**_given(body))))


@router.get("/memory/context", response_model=Topic)
def get_topic(
    request: Request,
    topic: Annotated[str, Query(description="Any words.")],
    limit: Annotated[
        int, Query(ge=1, le=MOST_RESULTS, description="The most records.")
    ] = USUAL_LIMIT,
    archived: Annotated[
        bool, Query(description="Also facts that are archived or have expired.")
    ] = False,
) -> Json:
    """Return the records about a topic, best first: as one list, and by kind."""
    workspace = state_of(request).workspace
    return Json(read_topic(workspace, topic, limit=limit, archived=archived))


@router.get("/memory/person/{name:path}", response_model=Profile)
def get_profile(request: Request, name: str) -> Json:
    """Return a person, by name or alias, with everything that names them."""
    return Json(read_profile(state_of(request).workspace, name))


@router.post("/memory/person", response_model=ShownPerson)
def post_person(request: Request, body: PersonRequest) -> Json:
    """Store a person, or change the one with that name or alias."""
    return Json(write_person(state_of(request).workspace, NewPerson(**_given(body))))


Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="The most records.")]


@router.get("/memory/open-loops", response_model=OpenLoops)
def get_open_loops(request: Request, limit: Limit = USUAL_LISTED) -> Json:
    """List the loops that are open, the most urgent and most mentioned first."""
    return Json({"open_loops": list_open_loops(state_of(request).workspace, limit=limit)})


@router.post("/memory/open-loop", response_model=ShownOpenLoop)
def post_open_loop(request: Request, body: OpenLoopRequest) -> Json:
    """Store an open loop, or count another mention of its topic; a resolved one is open again."""
    return Json(write_open_loop(state_of(request).workspace, NewOpenLoop(**_given(body))))


@router.post("/memory/open-loop/{loop_id}/resolve", response_model=ShownOpenLoop)
def resolve(request: Request, loop_id: int, body: ResolveRequest | None = None) -> Json:
    """Mark an open loop as resolved, with what closed it."""
    by = Resolution(**_given(body)) if body else Resolution()
    return Json(resolve_open_loop(state_of(request).workspace, loop_id, by))


@router.post("/memory/signal", response_model=ShownSignal)
def post_signal(request: Request, body: SignalRequest) -> Json:
    """Log an observation of a series."""
    return Json(write_signal(state_of(request).workspace, NewSignal(**_given(body))))


@router.get("/memory/patterns", response_model=Patterns)
def get_patterns(request: Request, limit: Limit = USUAL_LISTED) -> Json:
    """List patterns, the most certain first."""
    return Json({"patterns": list_patterns(state_of(request).workspace, limit=limit)})


@router.post("/memory/pattern", response_model=ShownPattern)
def post_pattern(request: Request, body: PatternRequest) -> Json:
    """Store a pattern, or note another observation, which raises its confidence."""
    return Json(write_pattern(state_of(request).workspace, NewPattern(**_given(body))))
