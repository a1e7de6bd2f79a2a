"""What requests about conversations may hold, and answers that have no value of their own."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from memory.api.schemas.base import Metadata, Request, Text
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.turns.adding import MOST_TURNS
from memory.conversations.turns.values import Role
from search.options import MOST_RESULTS


class TurnRequest(Request):
    """What somebody said."""

    session_id: Annotated[Text | int, Field(description="The conversation; a number or a text.")]
    text: Annotated[Text, Field(description="Word for word, with at least one visible character.")]
    role: Annotated[
        Role, Field(description="Only what a `user` says is looked through for memories.")
    ] = "user"
    auto_extract: Annotated[bool, Field(description="Whether memories are made of it at all.")] = (
        True
    )
    ts: Annotated[
        str | None,
        Field(description="When it was said, ISO 8601 (UTC); left out: now."),
    ] = None
    speaker: Annotated[Text | None, Field(description="Who of several people has the role.")] = None
    image_paths: Annotated[
        list[Text], Field(default_factory=list, description="Images that came with it.")
    ]
    metadata: Annotated[
        Metadata, Field(default_factory=dict, description="Any JSON object; hits show it.")
    ]
    client_id: Annotated[
        Text | None,
        Field(description="Your name for the turn: the same again in a session stores nothing."),
    ] = None
    long_term_opt_in: Annotated[
        bool | None,
        Field(
            description="Whether the turns of this session outlive it; left out: as it is, for a "
            "new session as configured."
        ),
    ] = None


class TurnBatch(Request):
    """Turns of any sessions, in the order in which they were said."""

    turns: Annotated[list[TurnRequest], Field(max_length=MOST_TURNS, description="The turns.")]


@dataclass(frozen=True, slots=True)
class TurnBatchAnswer:
    """The ids of the turns and what was found in each, in their order; how many were known."""

    turn_ids: list[int]
    extracted_memories: list[list[ExtractedMemory]]
    repeated: int
    warnings: list[str]


class ForgetBody(Request):
    """What is to go: all that any of these names."""

    memory_ids: Annotated[list[int], Field(default_factory=list, description="These memories.")]
    turn_ids: Annotated[list[int], Field(default_factory=list, description="These turns.")]
    text_ids: Annotated[
        list[Text], Field(default_factory=list, description="These ingested texts.")
    ]
    text: Annotated[
        Text | None, Field(description="Whatever holds this text, letter case aside.")
    ] = None
    query: Annotated[Text | None, Field(description="What a search for this finds.")] = None
    max_results: Annotated[
        int, Field(ge=1, le=MOST_RESULTS, description="Most that `query` may mean.")
    ] = 10
    session_id: Annotated[Text | int | None, Field(description="A whole conversation.")] = None
    since: Annotated[str | None, Field(description="What was said not before.")] = None
    until: Annotated[str | None, Field(description="What was said not after.")] = None
    pii: Annotated[bool, Field(description="What is tagged as personal data.")] = False
    with_sources: Annotated[
        bool, Field(description="Also the turns that memories were made of.")
    ] = False
    dry_run: Annotated[bool, Field(description="Only say what would go.")] = False
    verify: Annotated[bool, Field(description="Prove that nothing of it is left.")] = False
