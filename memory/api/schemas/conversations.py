"""Request bodies about conversations, and responses without a value of their own."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.api.schemas.request import Metadata, Request
from memory.context.request import INCLUDED, MOST_K, MOST_TOKENS, SECRET, USUAL_K, USUAL_TOKENS
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.turns.adding import MOST_TURNS
from memory.conversations.turns.listing import USUAL_TURNS
from memory.conversations.turns.values import Role
from search.options import MOST_RESULTS


class TurnRequest(Request):
    """A turn to be stored."""

    session_id: Annotated[str | int, Field(description="The conversation; a number or a text.")]
    text: Annotated[str, Field(description="Word for word, with at least one visible character.")]
    role: Annotated[
        Role, Field(description="Memories are extracted only from turns of a `user`.")
    ] = "user"
    auto_extract: Annotated[
        bool, Field(description="Whether memories are extracted from it at all.")
    ] = True
    no_extract: Annotated[
        bool, Field(description="True: the same as a false `auto_extract`, as `--no-extract`.")
    ] = False
    ts: Annotated[
        str | None,
        Field(description="When it was said, ISO 8601 (UTC); default: now."),
    ] = None
    speaker: Annotated[
        str | None, Field(description="The person, where several share the role.")
    ] = None
    image_paths: Annotated[
        list[str], Field(default_factory=list, description="Images that came with it.")
    ]
    metadata: Annotated[
        Metadata, Field(default_factory=dict, description="Any JSON object; hits show it.")
    ]
    client_id: Annotated[
        str | None,
        Field(description="Your id of the turn: the same again in a session stores nothing."),
    ] = None
    long_term_opt_in: Annotated[
        bool | None,
        Field(
            description="Whether the turns of this session are kept; default: unchanged, for a "
            "new session as configured."
        ),
    ] = None


class TurnBatch(Request):
    """Turns of any sessions, in the order in which they were said."""

    turns: Annotated[list[TurnRequest], Field(max_length=MOST_TURNS, description="The turns.")]


class TurnQuery(BaseModel):
    """A page of the turns of a session."""

    model_config = ConfigDict(extra="forbid")

    session_id: Annotated[str, Field(description="The session; it may not exist yet.")]
    limit: Annotated[int, Field(description="The most turns, 1 to 1000.")] = USUAL_TURNS
    cursor: Annotated[str | None, Field(description="A page's `next_cursor`.")] = None


@dataclass(frozen=True, slots=True)
class TurnBatchAnswer:
    """The ids of the turns, the facts found in each, and the number of known turns."""

    turn_ids: list[int]
    extracted_memories: list[list[ExtractedMemory]]
    repeated: int
    warnings: list[str]


class ForgetBody(Request):
    """The records to forget: everything that any of these fields names."""

    citations: Annotated[
        list[str],
        Field(default_factory=list, description="Records of any kind: `fact preference/tea`."),
    ]
    memory_ids: Annotated[list[int], Field(default_factory=list, description="These memories.")]
    turn_ids: Annotated[list[int], Field(default_factory=list, description="These turns.")]
    text_ids: Annotated[list[str], Field(default_factory=list, description="These ingested texts.")]
    text: Annotated[str | None, Field(description="All records with this text, ignoring case.")] = (
        None
    )
    query: Annotated[str | None, Field(description="The results of a search for this.")] = None
    max_results: Annotated[
        int, Field(ge=1, le=MOST_RESULTS, description="The most results of `query`.")
    ] = 10
    session_id: Annotated[str | int | None, Field(description="A whole conversation.")] = None
    since: Annotated[str | None, Field(description="Turns said at this time or later.")] = None
    until: Annotated[str | None, Field(description="Turns said until this time.")] = None
    pii: Annotated[bool, Field(description="Records tagged as personal data.")] = False
    with_sources: Annotated[bool, Field(description="Also the source turns of memories.")] = False
    dry_run: Annotated[bool, Field(description="Only list what would be removed.")] = False
    verify: Annotated[bool, Field(description="Prove that nothing of it remains.")] = False


class ContextQuery(BaseModel):
    """The session that needs a context, and for what."""

    model_config = ConfigDict(extra="forbid")

    session_id: Annotated[str, Field(description="The session; it may not exist yet.")]
    query: Annotated[
        str | None, Field(description="The question; default: the session's last user turn.")
    ] = None
    system: Annotated[
        str | None, Field(description="A system message, first and within the budget.")
    ] = None
    max_tokens: Annotated[
        int, Field(description=f"Most tokens of `parts`, 1 to {MOST_TOKENS:,}.")
    ] = USUAL_TOKENS
    seen_turn_ids: Annotated[
        list[int],
        Field(default_factory=list, description="Turns that the caller has already; repeatable."),
    ]
    k: Annotated[int, Field(description=f"Memories in `mid_term`, 1 to {MOST_K}.")] = USUAL_K
    without_tags: Annotated[
        list[str],
        Field(
            default_factory=lambda: list(SECRET),
            description="Leave out turns and memories with one of these tags; empty: none.",
        ),
    ]
    include: Annotated[
        str,
        Field(description=f"Further parts for the question, with commas: {', '.join(INCLUDED)}."),
    ] = ""


class ThreadRequest(Request):
    """A conversation to judge: either its messages, or a stored session."""

    messages: Annotated[
        list[dict[str, Any]] | None,
        Field(description="Objects with `role` and `content`, as chat APIs have them."),
    ] = None
    session_id: Annotated[
        str | int | None, Field(description="A session whose turns are stored.")
    ] = None


class ThreadSignals(BaseModel):
    """The patterns found in a thread; `turn_count` counts the user's turns."""

    is_qa_like: bool
    has_completion_token: bool
    turn_count: int
    has_refinements: bool
    is_meta_noise: bool


class ThreadJudgement(BaseModel):
    """The judgement whether a thread is worth remembering, and the reasons."""

    signals: ThreadSignals
    score: float
    is_completed: bool
    recommendation: Literal["save", "review", "skip"]
