"""/memories: list, add, read, edit, remove and explain memories; /gc: their garbage collection."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from memory.api.app_state import state_of
from memory.api.responses import Json
from memory.api.schemas.memories import (
    GcRequest,
    MemoryPatch,
    MemoryQuery,
    MemoryRequest,
    RememberRequest,
)
from memory.api.scopes import ADMIN, require_scope
from memory.conversations import lifecycle
from memory.conversations.memories.editing import (
    MemoryChange,
    confirm_memory,
    edit_memory,
    remember,
)
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.conversations.memories.slots.showing import read_memory
from memory.conversations.memories.values import Memory, MemoryPage, Remembered, ShownMemory
from memory.conversations.memories.why import Why, why
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetReport, ForgetRequest

router = APIRouter(tags=["memories"])


@router.post("/memories", response_model=Remembered)
def add(request: Request, body: MemoryRequest) -> Json:
    """Store a mid-term memory, or strengthen the one that says the same."""
    return _remembered(request, body, body.content)


@router.post("/memory/remember", response_model=Remembered)
def remember_text(request: Request, body: RememberRequest) -> Json:
    """Store a memory under sem-mem's name of the route."""
    return _remembered(request, body, body.text)


def _remembered(request: Request, body: MemoryRequest | RememberRequest, text: str) -> Json:
    found = remember(
        state_of(request).workspace,
        text,
        importance=body.importance,
        tags=body.tags,
        metadata=body.metadata,
    )
    return Json(found)


@router.get("/memories", response_model=MemoryPage)
def get_memories(request: Request, asked: Annotated[MemoryQuery, Query()]) -> Json:
    """List memories, highest score first, one page at a time."""
    wanted = MemoryFilter(
        layer=asked.layer,
        status=asked.status,
        tag=asked.tag,
        without_tag=asked.without_tag,
        q=asked.q,
        sort=asked.sort,
    )
    workspace = state_of(request).workspace
    return Json(list_memories(workspace, wanted, limit=asked.limit, cursor=asked.cursor))


@router.get("/memories/{memory_id}", response_model=ShownMemory)
def get_one(request: Request, memory_id: int) -> Json:
    """Return one memory, whatever its status."""
    return Json(read_memory(state_of(request).workspace, memory_id))


@router.patch("/memories/{memory_id}", response_model=Memory)
def change(request: Request, memory_id: int, body: MemoryPatch) -> Json:
    """Change a memory and return it as changed. To delete it takes the scope of a removal."""
    if body.status == "deleted":
        require_scope(request, ADMIN)
    wanted = MemoryChange(**{name: getattr(body, name) for name in MemoryPatch.model_fields})
    return Json(edit_memory(state_of(request).workspace, memory_id, wanted))


@router.post("/memories/{memory_id}/confirm", response_model=Memory)
def confirm(request: Request, memory_id: int) -> Json:
    """Confirm what an agent remembered, or what is uncertain; only the owner can."""
    return Json(confirm_memory(state_of(request).workspace, memory_id))


@router.delete("/memories/{memory_id}", response_model=ForgetReport)
def delete(
    request: Request,
    memory_id: int,
    verify: Annotated[bool, Query(description="Prove that nothing of it remains.")] = False,
) -> Json:
    """Forget a memory at once and for good; its source turns stay."""
    wanted = ForgetRequest(memory_ids=(memory_id,))
    return Json(forget(state_of(request).workspace, wanted, proven=verify))


@router.get("/memories/{memory_id}/why", response_model=Why)
def explain(request: Request, memory_id: int) -> Json:
    """Explain a memory: score, rules, sources, last actions."""
    return Json(why(state_of(request).workspace, memory_id))


@router.post("/gc", response_model=lifecycle.GcReport)
def collect_garbage(request: Request, body: GcRequest | None = None) -> Json:
    """Rescore memories, promote strong ones and remove faded ones."""
    body = body or GcRequest()
    workspace = state_of(request).workspace
    return Json(lifecycle.collect_garbage(workspace, dry_run=body.dry_run))


@router.get("/gc", response_model=lifecycle.MemoryStats)
def get_stats(request: Request) -> Json:
    """Return the numbers of memories and of actions on them."""
    return Json(lifecycle.read_stats(state_of(request).workspace))
