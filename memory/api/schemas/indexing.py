"""Files and texts to index, their records, and the model to index them with."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from memory.api.schemas.request import Metadata, Request, is_object
from memory.values.reports import FileContent, Record


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
    tags: Annotated[list[str], Field(default_factory=list, description="Words to filter by.")]


_FILE, _TEXT = "FileIngestRequest", "TextIngestRequest"

UNION_TAGS = (_FILE, _TEXT, "str", "int")
"""Parts of a validation error's place that are not names of fields."""


def _ingest_tag(body: Any) -> str:
    return _FILE if is_object(body) and "path" in body else _TEXT


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


class ReindexRequest(Request):
    """The model to change to; omitted fields use the configuration."""

    provider: Annotated[str | None, Field(description="Name of the embedding provider.")] = None
    model: Annotated[str | None, Field(description="Name of the provider's model.")] = None
    dry_run: Annotated[bool, Field(description="Only estimate the cost.")] = False


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
