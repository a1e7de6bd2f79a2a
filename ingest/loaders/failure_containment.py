"""Turn exceptions over a damaged document into a reason."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ingest.loaders.base import Kind, LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile


def drafted(
    fill: Callable[[Draft, bytes], None],
    data: bytes,
    name: str,
    *,
    what: str,
    kind: Kind = "markdown",
    language: str | None = None,
) -> LoadedText | SkippedFile:
    """The text that `fill` builds, or why there is none; `what` names the expected format."""
    draft = Draft()
    try:
        with damage_of(what):
            fill(draft, data)
    except DocumentError as error:
        return refuse(name, error.reason, error.detail)
    return draft.finish(name, kind=kind, language=language)


@contextmanager
def damage_of(what: str) -> Iterator[None]:
    """Raise a `DocumentError` for whatever a library raises over unexpected bytes.

    Running out of memory is not damage: the caller that set the limit decides.
    """
    try:
        yield
    except (DocumentError, MemoryError):
        raise
    except Exception as error:  # over damaged bytes these libraries raise anything at all
        raise DocumentError("broken", f"no readable {what}") from error
