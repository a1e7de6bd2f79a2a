"""What requests may hold, and what answers look like where `reports` has no value for it.

Answers are otherwise the dataclasses of `memory.values.results`, `reports` and `status_reports`
themselves, so that a field is declared once. Every model here and there appears in /openapi.json
with its meaning.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from contracts import did_you_mean
from memory.values.reports import FileContent, Record
from search.options import MOST_NEIGHBOURS, MOST_RESULTS, Fold, Mode

Metadata = dict[str, Any]

UNKNOWN_FIELD = "unknown_field"
"""The type of the validation error for a misspelt field; its context has the `name`."""


def _storable(value: object) -> object:
    """A text without halves of surrogate pairs, which JSON can write and UTF-8 cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_storable)]


class Request(BaseModel):
    """A body in which every field is known, and of its own JSON type.

    A misspelt one must not be passed over, and `"2"` or `true` is no number.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _no_unknown_field(cls, body: Any) -> Any:
        unknown = (
            [name for name in body if name not in cls.model_fields] if _is_object(body) else []
        )
        if unknown:
            raise PydanticCustomError(
                UNKNOWN_FIELD,
                "there is no such field; {hint}",
                {"name": unknown[0], "hint": did_you_mean(unknown[0], cls.model_fields)},
            )
        return body


def _is_object(body: object) -> bool:
    return isinstance(body, dict)


class MemorySearchRequest(Request):
    """A query and what may answer it. What is left out is as the configuration has it."""

    query: Annotated[Text, Field(description="Any text; no query of any kind fails.")]
    mode: Annotated[
        Mode | None,
        Field(description="By meaning, by words, or both."),
    ] = None
    max_results: Annotated[int | None, Field(ge=1, le=MOST_RESULTS, description="Most hits.")] = (
        None
    )
    min_score: Annotated[
        float | None,
        Field(ge=0, le=1, description="Least cosine of a hit that only its vector found."),
    ] = None
    sources: Annotated[
        list[str] | None,
        Field(
            description="Source names (`file`, `text`), folders (`docs/`), types (`.md`), patterns "
            "(`*.md`); relative to the server's working directory."
        ),
    ] = None
    path: Annotated[str | None, Field(description="Only files at or below this path.")] = None
    session_id: Annotated[
        str | int | None, Field(description="Only what was said in this session.")
    ] = None
    since: Annotated[
        str | None,
        Field(description="Not before: `2026-03`, `2026-03-04`, `7d` ago, ISO 8601 (UTC)."),
    ] = None
    until: Annotated[
        str | None, Field(description="Not after; a year, month or day counts to its end.")
    ] = None
    tags: Annotated[list[str] | None, Field(description="Only what has all of these tags.")] = None
    without_tags: Annotated[
        list[str] | None, Field(description="Only what has none of these tags, such as `pii`.")
    ] = None
    explain: Annotated[bool, Field(description="Say of each hit why it stands there.")] = False
    all_chunks: Annotated[
        bool, Field(description="More than the best chunk of a document may answer.")
    ] = False
    fold: Annotated[
        Fold | None,
        Field(
            description="Near-identical chunks as one hit (`shingles`), hits chosen for diversity "
            "(`mmr`), or all as they come (`none`)."
        ),
    ] = None
    neighbours: Annotated[
        int,
        Field(
            ge=0,
            le=MOST_NEIGHBOURS,
            description="As many chunks of the document before and after each hit come with it.",
        ),
    ] = 0
    rerank: Annotated[
        bool | None,
        Field(description="Let a cross-encoder put the best hits in order, within a deadline."),
    ] = None


class FileIngestRequest(Request):
    """A file or folder inside the known roots, to be indexed now."""

    path: Annotated[
        str, Field(description="Absolute, or relative to the server's working directory.")
    ]
    metadata: Annotated[
        Metadata | None, Field(description="Given to each of the files; replaces what they had.")
    ] = None
    recursive: Annotated[bool, Field(description="Whether the path may be a folder.")] = True


class TextIngestRequest(Request):
    """A text to be indexed; the same text again keeps its id and takes the new metadata."""

    text: Annotated[Text, Field(description="At least one visible character, at most 64 MiB.")]
    metadata: Annotated[
        Metadata | None,
        Field(
            description="Any JSON object. `title` is searched as the text's title, `timestamp` "
            "(ISO 8601) is when it was written."
        ),
    ] = None
    tags: Annotated[list[Text], Field(description="Words to filter by.")] = []


class SyncRequest(Request):
    """What to bring in step; without paths every known root."""

    paths: Annotated[
        list[str] | None, Field(description="Files and folders inside the known roots.")
    ] = None
    force: Annotated[
        bool, Field(description="Index unchanged files, and ask for refused embeddings, again.")
    ] = False
    dry_run: Annotated[bool, Field(description="Only count.")] = False


class ThreadRequest(Request):
    """A conversation to be judged: either its messages, or a session that is stored."""

    messages: Annotated[
        list[dict[str, Any]] | None,
        Field(description="Objects with `role` and `content`, as chat APIs have them."),
    ] = None
    session_id: Annotated[
        Text | int | None, Field(description="A session whose turns are stored.")
    ] = None


class RecallRequest(Request):
    """What is to be recalled."""

    query: Annotated[Text, Field(description="Any text; no query of any kind fails.")]
    k: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="Most hits.")] = 5


class ReindexRequest(Request):
    """The model to change to; what is left out is as the configuration has it."""

    provider: Annotated[str | None, Field(description="Name of the embedding provider.")] = None
    model: Annotated[Text | None, Field(description="Name of the provider's model.")] = None
    dry_run: Annotated[bool, Field(description="Only say what it would cost.")] = False


class GcRequest(Request):
    """How to clean up among memories."""

    dry_run: Annotated[bool, Field(description="Only say what would be done.")] = False


class RecordChange(Request):
    """What to replace of a record; what is left out stays."""

    metadata: Annotated[Metadata | None, Field(description="The whole of its metadata.")] = None
    tags: Annotated[list[Text] | None, Field(description="All of its tags.")] = None


@dataclass(frozen=True, slots=True)
class FileContentResponse(FileContent):
    """Indexed text with the citation of these lines."""

    citation: str


@dataclass(frozen=True, slots=True)
class DeletedRecord:
    """A record as it was before it was removed from the index, and what becomes of its file."""

    record: Record
    note: str


class Health(BaseModel):
    """`status` is `ok` when the database answers; the counts need a token where there are any."""

    status: Literal["ok"]
    files: Annotated[dict[str, int] | None, Field(description="Files and texts by state.")] = None
    chunks: Annotated[int | None, Field(description="Chunks that can be found.")] = None


class ThreadSignals(BaseModel):
    """What the patterns found in a thread; `turn_count` counts what the user said."""

    is_qa_like: bool
    has_completion_token: bool
    turn_count: int
    has_refinements: bool
    is_meta_noise: bool


class ThreadJudgement(BaseModel):
    """Whether a thread is worth remembering, and why."""

    signals: ThreadSignals
    score: float
    is_completed: bool
    recommendation: Literal["save", "review", "skip"]


class FieldProblem(BaseModel):
    """A field of the request that cannot be used."""

    field: str
    message: str


class ProblemDetails(BaseModel):
    """An error (RFC 9457). `type` ends with the class of the error, `hint` is what to do next."""

    type: str
    title: str
    status: int
    detail: str
    hint: str
    errors: list[FieldProblem] | None = None
