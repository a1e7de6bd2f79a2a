"""Reading what a citation names: a file with its outline, or a conversation with its memories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from fastapi import Request
from starlette.responses import Response

from contracts import InputError, Scope
from memory.api.app_state import state_of
from memory.api.pages.page_route import page_router
from memory.api.pages.reading.code_colours import Span, coloured_lines
from memory.api.pages.reading.conversations import conversation_of
from memory.api.pages.reading.pdf_pages import has_pictures, page_number
from memory.api.pages.reading.record_fields import record_values
from memory.api.pages.rendering import render
from memory.conversations.memories.why import Why
from memory.conversations.turns.showing import AROUND, TurnContent
from memory.episodes.values import EpisodeContent
from memory.files.documents.reading import document_pages, outline
from memory.files.note_links import NoteLinks, note_links
from memory.operations import manage
from memory.retrieval import searching
from memory.values.reports import FileContent
from memory.values.results import SearchResult
from memory.workspace import Workspace
from search import analyse
from search.highlighting import WordFinder

router = page_router()

MOST_LINES: Final = 2000
"""The most lines on a page; more are reached by the links before and after."""


@dataclass(frozen=True)
class Line:
    """A line of a file: its number from 1, its colours as code, the places of the question's
    words, whether the citation names it, and whether another hit does.
    """

    number: int
    text: str
    colours: Sequence[Span]
    spans: Sequence[tuple[int, int]]
    is_cited: bool
    is_near: bool = False


@router.get("/page/read")
def read(request: Request, at: str, q: str = "") -> Response:
    """Show what a citation names; words of the question `q` are marked in it."""
    workspace = state_of(request).workspace
    content = manage.show(workspace, at)
    if isinstance(content, FileContent):
        return render(request, "file.html", _file(workspace, content, at, q))
    if isinstance(content, TurnContent):
        said = conversation_of(workspace, content)
        values = {"content": content, "at": at, "said": said, "around": AROUND}
        return render(request, "turn.html", values)
    if isinstance(content, Why):
        return render(request, "memory.html", {"why": content, "at": at})
    if isinstance(content, EpisodeContent):
        return render(request, "episode.html", {"content": content, "at": at})
    return render(request, "record.html", {"at": at, **record_values(workspace, content)})


def _file(workspace: Workspace, cited: FileContent, at: str, q: str) -> dict[str, Any]:
    whole = manage.get_file(workspace, cited.id)
    finder = WordFinder(analyse(q))
    rows = whole.text.split("\n")
    colours = coloured_lines(whole.path, whole.text)
    first = max(1, min(cited.start_line - MOST_LINES // 4, len(rows)))
    is_whole = cited.start_line == 1 and cited.end_line >= cited.total_lines
    others = _other_hits(workspace, whole, q)
    near = {
        number
        for hit in others
        for number in range(hit.start_line or 0, (hit.end_line or hit.start_line or 0) + 1)
    }
    lines = [
        Line(
            number,
            row.rstrip("\r"),
            colours[number - 1] if number <= len(colours) else (),
            finder.spans(row) if q else [],
            not is_whole and cited.start_line <= number <= cited.end_line,
            number in near,
        )
        for number, row in enumerate(rows[first - 1 : first - 1 + MOST_LINES], start=first)
    ]
    return {
        "at": at,
        "q": q,
        "whole": whole,
        "cited": cited,
        "lines": lines,
        "outline": outline(workspace, cited.id),
        "links": _links(workspace, whole),
        "others": others,
        "previous": max((one for one in others if _is_before(one, cited)), key=_line, default=None),
        "following": min(
            (one for one in others if _is_before(cited, one)), key=_line, default=None
        ),
        "pages": document_pages(workspace, whole.id),
        "picture": _picture(workspace, whole, cited, lines) if has_pictures(whole) else None,
        "is_cut": len(lines) < len(rows),
    }


def _links(workspace: Workspace, whole: FileContent) -> NoteLinks | None:
    """Return the links of a note; None for any other file."""
    if whole.path is None:
        return None
    try:
        return note_links(workspace, whole.path)
    except InputError:
        return None


def _picture(
    workspace: Workspace, whole: FileContent, cited: FileContent, lines: Sequence[Line]
) -> int:
    """Return the page to draw: of the first cited line with a word of the question, if any."""
    marked = (
        line.number for line in lines if line.spans and (line.is_cited or cited.text == whole.text)
    )
    number = next(marked, cited.start_line)
    return page_number(manage.get_file(workspace, whole.id, lines=(number, number)))


def _line(hit: SearchResult | FileContent) -> int:
    return hit.start_line or 0


def _is_before(one: SearchResult | FileContent, other: SearchResult | FileContent) -> bool:
    return _line(one) < _line(other)


def _other_hits(workspace: Workspace, whole: FileContent, q: str) -> list[SearchResult]:
    """Return the hits of a question in one file, in the order of its lines."""
    if not q.strip() or whole.path is None:
        return []
    usual = searching.default_options(workspace.config.search)
    asked = replace(usual, scope=Scope(paths=(whole.path,)), all_chunks=True)
    found = searching.search(workspace, q, asked).results
    return sorted(found, key=_line)
