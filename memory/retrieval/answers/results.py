"""Hits as results: with their citations, and headings that are short for source code."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contracts import ChunkRow
from contracts.lazy_regex import deferred
from memory.index.collections.reading import collection_around, id_of
from memory.storage import Neighbours
from memory.values.citations import shown_session
from memory.values.record_kinds import RecordKind, RecordKinds
from memory.values.results import Collection, Duplicate, Neighbour, SearchResult
from memory.values.user_folders import working_folder
from memory.workspace import Workspace
from search import RankedHit

if TYPE_CHECKING:
    from memory.retrieval.answers.conversation_order import ArrangedHit

SEPARATOR: Final = " > "
_LONGEST: Final = 80
_PROSE = deferred(r"\.(?:adoc|docx?|epub|html?|ipynb|md|odt|org|pdf|pptx?|rst|tex|txt)$")
_TYPE = deferred(
    r"(?:[\w@]+\s+)*?(?:class|enum|impl|interface|namespace|object|protocol|record|struct|trait|type"
    r"|union)\s+[\w.:$]+"
)
_CALL = deferred(
    r"(?:^func\s*\([^()]*\)\s*)?(?P<name>[\w.:~$!?]+)\s*(?:<[^<>]*>\s*)?\((?P<rest>.*)"
)


_NO_NEIGHBOURS: Final = Neighbours([], [])


def results_of(
    workspace: Workspace,
    hits: Sequence[RankedHit],
    arranged: "Sequence[ArrangedHit] | None",
    *,
    neighbours: Mapping[int, Neighbours],
    collections: Sequence[Collection],
) -> list[SearchResult]:
    """Return hits as results, each with its neighbours and the name of its collection.

    `arranged` are the same hits with what is known of their conversations, if anything is.
    """
    cwd, kinds, about = working_folder(), workspace.kinds, list[dict[str, Any]]()
    if arranged is not None:
        from memory.retrieval.answers.conversation_order import fields_of

        about = [fields_of(one, kinds, cwd) for one in arranged]
    return [
        _result(
            hit,
            neighbours.get(hit.row.chunk_id, _NO_NEIGHBOURS),
            kinds,
            cwd,
            {**more, "collection": _collection(hit.row, collections)},
        )
        for hit, more in zip(hits, about or [{}] * len(hits), strict=True)
    ]


def _result(
    hit: RankedHit, beside: Neighbours, kinds: RecordKinds, cwd: Path, more: Mapping[str, Any]
) -> SearchResult:
    row = hit.row
    kind = kinds[row.source]
    return SearchResult(
        chunk_id=row.uid,
        source=row.source,
        citation=kind.cite(row, cwd),
        text=row.text,
        heading=shown_heading(row.heading, row.path),
        score=round(hit.score, 6),
        confidence=hit.confidence,
        file_id=row.owner_id if kind.is_document else None,
        file_path=row.path,
        start_char=row.start_char,
        end_char=row.end_char,
        start_line=row.start_line,
        end_line=row.end_line,
        occurred_at=row.occurred_at,
        place=row.place,
        explanation=hit.explanation.as_dict() if hit.explanation else None,
        duplicates=tuple(
            Duplicate(copy.uid, copy.source, kinds[copy.source].cite(copy, cwd))
            for copy in hit.duplicates
        ),
        before=tuple(_neighbour(chunk, kind, cwd) for chunk in beside.before),
        after=tuple(_neighbour(chunk, kind, cwd) for chunk in beside.after),
        **{**more, "metadata": _own_copy(more.get("metadata", row.metadata), row.session_id)},
    )


def _collection(row: ChunkRow, collections: Sequence[Collection]) -> str | None:
    """Return the name of the collection that holds a chunk, or that it describes."""
    if row.path is None:
        names = [one.name for one in collections if id_of(one) == row.owner_id]
        return names[0] if names else None
    found = collection_around(collections, row.path)
    return None if found is None else found.name


def _own_copy(metadata: Mapping[str, Any], session_id: str | None) -> dict[str, Any]:
    """Return the metadata of a row, which may be in another answer too; most values are plain.

    The session of a turn, which the program put there, is shown as it is everywhere.
    """
    found = {
        name: deepcopy(value) if isinstance(value, dict | list) else value
        for name, value in metadata.items()
    }
    named = found.get("session_id")
    if isinstance(named, str) and (named == session_id or "turn_id" in found):
        found["session_id"] = shown_session(named)
    return found


def _neighbour(row: ChunkRow, kind: RecordKind, cwd: Path) -> Neighbour:
    """A chunk of the same record as a hit, or of a record of the same kind beside it."""
    return Neighbour(
        chunk_id=row.uid,
        citation=kind.cite(row, cwd),
        text=row.text,
        start_char=row.start_char,
        end_char=row.end_char,
        start_line=row.start_line,
        end_line=row.end_line,
        place=row.place,
        speaker=kind.speaker(row.metadata),
    )


def shown_heading(heading: str, path: str | None) -> str:
    """Return the path of headings with a signature in source code cut to its name.

    `def export_svg(self, *, title: str = ...)` is `export_svg(...)`, `class Text(JupyterMixin)` is
    `class Text`. Titles of documents stay as they are.
    """
    if path is None or _PROSE.search(path.lower()):
        return heading
    above, separator, last = heading.rpartition(SEPARATOR)
    return f"{above}{separator}{_short(last)}"


def _short(signature: str) -> str:
    named = _TYPE.match(signature)
    if named:
        return named[0]
    called = _CALL.search(signature)
    if called:
        return f"{called['name']}({'' if called['rest'].startswith(')') else '...'})"
    return signature if len(signature) <= _LONGEST else f"{signature[: _LONGEST - 1]}…"
