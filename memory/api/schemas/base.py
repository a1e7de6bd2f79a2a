"""Request bodies, and responses without a value in `reports`.

Other responses are the dataclasses of `memory.values.results`, `reports` and `status_reports`
themselves, so that a field is declared once. Every model here and there appears in /openapi.json
with its meaning.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from contracts import did_you_mean
from memory.values.reports import FileContent, Record
from memory.values.text_checks import check_texts
from search.options import MOST_NEIGHBOURS, MOST_RESULTS, Fold, Mode

Metadata = dict[str, Any]

UNKNOWN_FIELD = "unknown_field"
"""The type of the validation error for a misspelt field; its context has the `name`."""


class Request(BaseModel):
    """A body in which every field must be known, and of its own JSON type.

    A misspelt field must not be ignored, and `"2"` or `true` is not a number. Every text in it, at
    any depth, passes `check_texts`.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _no_unknown_field(cls, body: Any) -> Any:
        check_texts(body, "the body")  # first: an error holds no name that cannot be written
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
    """A query and its filters. Omitted fields use the configuration."""

    query: Annotated[str, Field(description="Any text, of any syntax.")]
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
    collection: Annotated[
        str | None, Field(description="Only files of the folder with this name.")
    ] = None
    session_id: Annotated[str | int | None, Field(description="Only turns of this session.")] = None
    since: Annotated[
        str | None,
        Field(description="Not before: `2026-03`, `2026-03-04`, `7d` ago, ISO 8601 (UTC)."),
    ] = None
    until: Annotated[
        str | None, Field(description="Not after; a year, month or day counts to its end.")
    ] = None
    tags: Annotated[list[str] | None, Field(description="Only chunks with all of these tags.")] = (
        None
    )
    without_tags: Annotated[
        list[str] | None, Field(description="Only chunks with none of these tags, such as `pii`.")
    ] = None
    explain: Annotated[bool, Field(description="Explain the rank of each hit.")] = False
    all_chunks: Annotated[bool, Field(description="Allow several chunks of one document.")] = False
    tests: Annotated[bool, Field(description="Let tests weigh as much as other source code.")] = (
        False
    )
    archived: Annotated[
        bool, Field(description="Find facts too that are archived or have expired.")
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
            description="Return this many chunks of the document before and after each hit.",
        ),
    ] = 0
    rerank: Annotated[
        bool | None,
        Field(description="Let a cross-encoder rerank the best hits, within a deadline."),
    ] = None


class FileIngestRequest(Request):
    """A file or folder inside the known roots to index now."""

    path: Annotated[
        str, Field(description="Absolute, or relative to the server's working directory.")
    ]
    metadata: Annotated[
        Metadata | None, Field(description="Given to each of the files; replaces what they had.")
    ] = None
    recursive: Annotated[bool, Field(description="Whether the path may be a folder.")] = True


class TextIngestRequest(Request):
    """A text to index; the same text again keeps its id and takes the new metadata."""

    text: Annotated[str, Field(description="At least one visible character, at most 64 MiB.")]
    metadata: Annotated[
        Metadata | None,
        Field(
            description="Any JSON object. `title` is searched as the text's title, `timestamp` "
            "(ISO 8601) is when it was written."
        ),
    ] = None
    tags: Annotated[list[str], Field(description="Words to filter by.")] = []


_FILE, _TEXT = "FileIngestRequest", "TextIngestRequest"

UNION_TAGS = (_FILE, _TEXT, "str", "int")
"""Parts of a validation error's place that are not names of fields."""


def _ingest_tag(body: Any) -> str:
    return _FILE if _is_object(body) and "path" in body else _TEXT


IngestRequest = Annotated[
    Annotated[FileIngestRequest, Tag(_FILE)] | Annotated[TextIngestRequest, Tag(_TEXT)],
    Discriminator(_ingest_tag),
]
"""A file or folder if it has a `path`, else a text."""


class SyncRequest(Request):
    """The paths to sync; without paths every known root."""

    paths: Annotated[
        list[str] | None, Field(description="Files and folders inside the known roots.")
    ] = None
    force: Annotated[
        bool, Field(description="Index unchanged files, and ask for refused embeddings, again.")
    ] = False
    dry_run: Annotated[bool, Field(description="Only count.")] = False


class ThreadRequest(Request):
    """A conversation to judge: either its messages, or a stored session."""

    messages: Annotated[
        list[dict[str, Any]] | None,
        Field(description="Objects with `role` and `content`, as chat APIs have them."),
    ] = None
    session_id: Annotated[
        str | int | None, Field(description="A session whose turns are stored.")
    ] = None


class RecallRequest(Request):
    """A query for recall."""

    query: Annotated[str, Field(description="Any text, of any syntax.")]
    k: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="Most hits.")] = 5


class ReindexRequest(Request):
    """The model to change to; omitted fields use the configuration."""

    provider: Annotated[str | None, Field(description="Name of the embedding provider.")] = None
    model: Annotated[str | None, Field(description="Name of the provider's model.")] = None
    dry_run: Annotated[bool, Field(description="Only estimate the cost.")] = False


class GcRequest(Request):
    """Options of the garbage collection of memories."""

    dry_run: Annotated[bool, Field(description="Only report what would be done.")] = False


class RecordChange(Request):
    """The fields of a record to replace; omitted fields stay unchanged."""

    metadata: Annotated[Metadata | None, Field(description="The whole of its metadata.")] = None
    tags: Annotated[list[str] | None, Field(description="All of its tags.")] = None


@dataclass(frozen=True, slots=True)
class FileContentResponse(FileContent):
    """Indexed text with the citation of these lines."""

    citation: str


@dataclass(frozen=True, slots=True)
class DeletedRecord:
    """A record as it was before it was removed from the index, and the fate of its file."""

    record: Record
    note: str


class Health(BaseModel):
    """`status` is `ok` when the database answers, `slow` when it takes over two seconds; the counts
    need a token where there are any.
    """

    status: Literal["ok", "slow"]
    files: Annotated[dict[str, int] | None, Field(description="Files and texts by state.")] = None
    chunks: Annotated[int | None, Field(description="Searchable chunks.")] = None
    records: Annotated[
        dict[str, int] | None, Field(description="Facts, people ... by their table.")
    ] = None
    fact_categories: Annotated[dict[str, int] | None, Field(description="Facts by category.")] = (
        None
    )


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


class FieldProblem(BaseModel):
    """An invalid field of the request."""

    field: str
    message: str


class ProblemDetails(BaseModel):
    """An error (RFC 9457). `type` ends with the class of the error, `hint` is the next step."""

    type: str
    title: str
    status: int
    detail: str
    hint: str
    errors: list[FieldProblem] | None = None
