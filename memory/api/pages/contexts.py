"""The context that an agent would be given before it answers, part by part, with the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import render
from memory.context.building import build_context
from memory.context.rendering import line_of
from memory.context.request import INCLUDED, USUAL_TOKENS, ContextRequest
from memory.context.selection import EPISODES_SHARE, FILES_SHARE, INSTRUCTIONS_SHARE, RECENT_SHARE
from memory.context.token_counting import counter_for, whole_tokens
from memory.context.values import Part, PartKind

router = page_router()


def _most(share: float) -> str:
    return f"at most {share:.0%} of all tokens"


_REASONS: Final[Mapping[PartKind, str]] = {
    "system": "the system message",
    "instruction": f"a standing instruction, whatever the question; {_most(INSTRUCTIONS_SHARE)}",
    "fact": "a current fact that fits the question well",
    "record": "a record that fits the question well",
    "triple": "a current fact of an episode that fits the question well",
    "episode": f"by relevance; {_most(EPISODES_SHARE)}",
    "turn": "by relevance, as long as there is room",
    "file": f"by relevance; {_most(FILES_SHARE)}",
    "recent": f"one of the last turns of this conversation; {_most(RECENT_SHARE)}",
}
"""The rule of `memory.context.selection` that chooses each kind."""

_UNMATCHED: Final = "nothing fits the question; this is one of the strongest facts"


@dataclass(frozen=True)
class CountedPart:
    """A part of a context, its tokens as a line of the text that is sent, and its reason."""

    part: Part
    tokens: int
    reason: str


@router.get("/page/context")
def show_context(
    request: Request,
    q: str = "",
    session: str = "",
    tokens: int = USUAL_TOKENS,
    more: str = "",
) -> Response:
    """Show the context of a question, with the tokens and the reason of each part."""
    workspace = state_of(request).workspace
    values: dict[str, object] = {"context": None}
    if q.strip():
        wanted = ContextRequest(
            session or "page", q, max_tokens=tokens, include=INCLUDED if more else ()
        )
        context = build_context(workspace, wanted)
        count = counter_for(workspace.config.llm.model)
        parts = [
            CountedPart(one, whole_tokens(count(line_of(one))), _reason(one))
            for one in context.parts
        ]
        framing = max(0, context.tokens - sum(one.tokens for one in parts))
        values = {"context": context, "parts": parts, "frame_tokens": framing}
    values |= {"q": q, "session": session, "tokens": tokens, "more": more}
    return render(request, "context.html", values)


def _reason(part: Part) -> str:
    return _UNMATCHED if part.kind == "fact" and part.score is None else _REASONS[part.kind]
