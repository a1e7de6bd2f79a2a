"""Request bodies about records, and their lists."""

from typing import Annotated

from pydantic import BaseModel, Field

from memory.api.schemas.request import Metadata, Request
from memory.records.values import ShownOpenLoop, ShownPattern

Source = Annotated[
    str | None,
    Field(description="Who states it: `user`, `api` (the default), `distillation`, or any name."),
]
Confidence = Annotated[
    float | None,
    Field(description="0 to 1; by default .9 from `user`, .5 from `distillation`, else .6."),
]
Moment = Annotated[str | None, Field(description="ISO 8601, in UTC where it names no zone.")]


class RecordRequest(Request):
    """The fields that a record of any kind may have."""

    source: Source = None
    evidence: Annotated[
        list[str | int],
        Field(
            default_factory=list,
            description="Turns that it rests on: `turn:42`, their citations, or numbers.",
        ),
    ]
    tags: Annotated[list[str] | None, Field(description="Words to filter by.")] = None
    metadata: Annotated[Metadata | None, Field(description="Any JSON object.")] = None


class FactRequest(RecordRequest):
    """A fact to state; one with the same category and key takes its value."""

    category: Annotated[str, Field(description="Such as `preference`, `work`, `health`.")]
    key: Annotated[str, Field(description="Such as `coffee_order`, in any case.")]
    value: Annotated[str, Field(description="The fact itself.")]
    confidence: Confidence = None
    expires_at: Annotated[
        str | None, Field(description="ISO 8601; a date alone means the end of that day.")
    ] = None


class PersonRequest(RecordRequest):
    """A person to store or change; omitted fields stay unchanged."""

    name: Annotated[str, Field(description="A name, or an alias of a known person.")]
    relationship: Annotated[str | None, Field(description="Such as `friend`.")] = None
    sentiment: Annotated[str | None, Field(description="`positive`, `negative` or `neutral`.")] = (
        None
    )
    notes: Annotated[str | None, Field(description="Any text.")] = None
    last_contact: Annotated[str | None, Field(description="A time, or any text.")] = None
    aliases: Annotated[
        list[str], Field(default_factory=list, description="Other names, which are added.")
    ]


class PatternRequest(RecordRequest):
    """A pattern to store, or another observation of it."""

    pattern_type: Annotated[
        str, Field(description="`habit`, `schedule`, `preference` or `communication`.")
    ]
    description: Annotated[str, Field(description="The pattern.")]
    confidence: Confidence = None
    observed_at: Moment = None


class OpenLoopRequest(RecordRequest):
    """A topic that waits, or another mention of it."""

    topic: Annotated[str, Field(description="The topic, in any case.")]
    priority: Annotated[
        int | None, Field(description="0 to 5, higher is more urgent; 0 for a new topic.")
    ] = None
    mentioned_at: Moment = None


class ResolveRequest(RecordRequest):
    """The evidence that closed an open loop."""

    note: Annotated[str | None, Field(description="What closed it, in words.")] = None


class SignalRequest(RecordRequest):
    """An observation to log."""

    signal_type: Annotated[
        str, Field(description="Its series: `stress`, `energy`, `mood`, `sleep`, or any other.")
    ]
    value: Annotated[str, Field(description="What was observed.")]
    observed_at: Moment = None


class OpenLoops(BaseModel):
    """Loops that are open, the most urgent and most mentioned first."""

    open_loops: list[ShownOpenLoop]


class Patterns(BaseModel):
    """Patterns, the most certain first."""

    patterns: list[ShownPattern]
