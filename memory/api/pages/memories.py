"""Present beliefs by subject and slot; confirm, correct and forget."""

from itertools import groupby
from typing import Annotated, Final

from anyio import to_thread
from fastapi import Query, Request
from starlette.responses import Response

from contracts import InputError
from memory.api.app_state import state_of
from memory.api.pages.forms import read_form
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import link_to, redirect, render
from memory.conversations.memories.editing import MemoryChange, confirm_memory, edit_memory
from memory.conversations.memories.listing import MemoryFilter, list_memories
from memory.conversations.memories.values import UNCONFIRMED, ShownMemory
from memory.conversations.memories.why import evidence_of
from memory.operations.forget.removal import forget
from memory.operations.forget.selection import cited
from memory.operations.forget.values import ForgetRequest
from memory.records.facts import list_facts

router = page_router()

MOST_LISTED: Final = 500
_WAITING: Final = (
    ("Remembered by agents, confirmed by nobody", MemoryFilter(by_agents=True)),
    ("May have replaced what was believed", MemoryFilter(status="all", tag=UNCONFIRMED)),
)
"""The memories that wait for a person to confirm them."""


@router.get("/page/memories")
def show_memories(
    request: Request,
    q: str = "",
    status: str = "active",
    cursor: Annotated[str | None, Query()] = None,
) -> Response:
    """Show what is believed, or the memories of another status, each with its evidence, and what
    nobody has confirmed.
    """
    workspace = state_of(request).workspace
    wanted = MemoryFilter(status=status, q=q or None)
    page = list_memories(workspace, wanted, limit=MOST_LISTED, cursor=cursor)
    waiting = [(title, list_memories(workspace, one).memories) for title, one in _WAITING]
    shown = [*page.memories, *(one for _, several in waiting for one in several)]
    values = {
        "quotes": evidence_of(workspace, [one.id for one in shown]),
        "groups": _by_subject(page.memories),
        "page": page,
        "waiting": waiting,
        "facts": list_facts(workspace),
        "q": q,
        "status": status,
    }
    return render(request, "memories.html", values)


def _by_subject(memories: list[ShownMemory]) -> list[tuple[str, list[ShownMemory]]]:
    """Return memories by the subject of their slot, those without a slot last."""
    ordered = sorted(memories, key=lambda one: (one.slot is None, one.slot or "", one.id))
    groups = groupby(ordered, key=lambda one: (one.slot or "").partition("/")[0])
    return [
        (f"{subject[:1].upper()}{subject[1:]}" or "Without a slot", list(several))
        for subject, several in groups
    ]


@router.post("/page/memories/{memory_id}/confirm")
async def confirm(request: Request, memory_id: int) -> Response:
    """Confirm what an agent remembered, or what is uncertain."""
    await read_form(request)
    await to_thread.run_sync(confirm_memory, state_of(request).workspace, memory_id)
    return redirect(request, link_to(f"memory {memory_id}"))


@router.post("/page/memories/{memory_id}/correct")
async def correct(request: Request, memory_id: int) -> Response:
    """Replace the words of a memory."""
    form = await read_form(request)
    change = MemoryChange(content=form.get("content", ""))
    await to_thread.run_sync(edit_memory, state_of(request).workspace, memory_id, change)
    return redirect(request, link_to(f"memory {memory_id}"))


@router.post("/page/forget")
async def forget_record(request: Request) -> Response:
    """Show what would be forgotten; forget it, and show the proof, once that is confirmed."""
    form = await read_form(request)
    workspace = state_of(request).workspace
    citation = form.get("citation", "")
    if not citation:
        raise InputError("the form names nothing to forget", hint="send `citation`")
    is_sure, with_sources = form.get("sure") == "yes", form.get("sources") == "yes"
    wanted = ForgetRequest(records=cited(workspace.kinds, [citation]), with_sources=with_sources)

    def run() -> Response:
        report = forget(workspace, wanted, dry_run=not is_sure, proven=is_sure)
        values = {"report": report, "citation": citation, "with_sources": with_sources}
        return render(request, "forget.html", values)

    return await to_thread.run_sync(run)
