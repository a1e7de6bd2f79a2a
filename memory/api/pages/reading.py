"""Reading what a citation names: a file with its outline, or a conversation with its memories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from fastapi import Request
from starlette.responses import Response

from contracts import Scope
from memory.api.app_state import state_of
from memory.api.pages.code_colours import Span, coloured_lines
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import render
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.why import Why
from memory.conversations.turns.records import TurnContent
from memory.episodes.values import EpisodeContent
from memory.files.document_records import outline
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
    words, and whether the citation names it.
    """

    number: int
    text: str
    colours: Sequence[Span]
    spans: Sequence[tuple[int, int]]
    is_cited: bool


@router.get("/page/read")
def read(request: Request, at: str, q: str = "") -> Response:
    """Show what a citation names; words of the question `q` are marked in it."""
    workspace = state_of(request).workspace
    content = manage.show(workspace, at)
    if isinstance(content, FileContent):
        return render(request, "file.html", _file(workspace, content, at, q))
    if isinstance(content, TurnContent):
        store = MemoryStore(workspace.storage)
        turns = (*content.before, content.turn, *content.after)
        remembered = {turn.id: store.of_turn(int(turn.id.partition(":")[2])) for turn in turns}
        values = {"content": content, "at": at, "remembered": remembered}
        return render(request, "turn.html", values)
    if isinstance(content, Why):
        return render(request, "memory.html", {"why": content, "at": at})
    if isinstance(content, EpisodeContent):
        return render(request, "episode.html", {"content": content, "at": at})
    return render(request, "record.html", {"fields": _fields(content), "at": at})


def _file(workspace: Workspace, cited: FileContent, at: str, q: str) -> dict[str, Any]:
    whole = manage.get_file(workspace, cited.id)
    finder = WordFinder(analyse(q))
    rows = whole.text.split("\n")
    colours = coloured_lines(whole.path, whole.text)
    first = max(1, min(cited.start_line - MOST_LINES // 4, len(rows)))
    is_whole = cited.start_line == 1 and cited.end_line >= cited.total_lines
    lines = [
        Line(
            number,
            row.rstrip("\r"),
            colours[number - 1] if number <= len(colours) else (),
            finder.spans(row) if q else [],
            not is_whole and cited.start_line <= number <= cited.end_line,
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
        "others": _other_hits(workspace, whole, q),
        "is_cut": len(lines) < len(rows),
    }


def _other_hits(workspace: Workspace, whole: FileContent, q: str) -> list[SearchResult]:
    """Return the hits of a question in one file, in the order of its lines."""
    if not q.strip() or whole.path is None:
        return []
    usual = searching.default_options(workspace.config.search)
    asked = replace(usual, scope=Scope(paths=(whole.path,)), all_chunks=True)
    found = searching.search(workspace, q, asked).results
    return sorted(found, key=lambda hit: hit.start_line or 0)


def _fields(content: object) -> list[tuple[str, object]]:
    names: list[str] = list(getattr(content, "__dataclass_fields__", ()))
    return [(name.replace("_", " "), getattr(content, name)) for name in names]
