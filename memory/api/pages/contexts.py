"""The context that an agent would be given before it answers, part by part."""

from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import render
from memory.context.building import build_context
from memory.context.request import INCLUDED, USUAL_TOKENS, ContextRequest

router = page_router()


@router.get("/page/context")
def show_context(
    request: Request,
    q: str = "",
    session: str = "",
    tokens: int = USUAL_TOKENS,
    more: str = "",
) -> Response:
    """Show the context of a question, with the tokens and the reason of each part."""
    context = None
    if q.strip():
        wanted = ContextRequest(
            session or "page", q, max_tokens=tokens, include=INCLUDED if more else ()
        )
        context = build_context(state_of(request).workspace, wanted)
    values = {"q": q, "session": session, "tokens": tokens, "more": more, "context": context}
    return render(request, "context.html", values)
