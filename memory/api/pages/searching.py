"""The first page: a question, filters, and what answers it, with the reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import Query, Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.pages.filters import Asked, chips_in_use, chips_to_add, options_of
from memory.api.pages.first_steps import steps_of
from memory.api.pages.page_route import page_router
from memory.api.pages.rendering import is_part, render
from memory.files.roots import known_roots
from memory.retrieval import searching
from memory.values.results import SearchResponse, SearchResult
from memory.workspace import Workspace
from search import analyse, is_inflected
from search.highlighting import WordFinder
from search.options import MODES

router = page_router()

_SNIPPET_CHARS: Final = 600

_WHOLE: Final = 0.995
"""The least factor that is shown as 1.00."""


@dataclass(frozen=True)
class Bar:
    """One reason of a score: its share of the score in [0, 1], and its figures in words."""

    name: str
    share: float
    told: str


@dataclass(frozen=True)
class Hit:
    """A result with the places of the question's words in its snippet, and its reasons."""

    result: SearchResult
    snippet: str
    spans: Sequence[tuple[int, int]]
    about: str
    bars: Sequence[Bar]


@router.get("/")
def show_search(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Show the search form and the answer to the question in the address, if there is one."""
    state = state_of(request)
    workspace = state.workspace
    answer, hits = _answered(workspace, asked)
    is_empty = answer is None and not workspace.storage.count_chunks()
    values = {
        **(steps_of(state) if is_empty else {}),
        "asked": asked,
        "answer": answer,
        "hits": hits,
        "in_use": chips_in_use(asked),
        "to_add": chips_to_add(workspace, asked, answer.results) if answer else [],
        "collections": [str(root) for root in known_roots(workspace)],
        "kinds": workspace.kinds.names,
        "modes": MODES,
        "is_empty": is_empty,
    }
    if not is_part(request):
        return render(request, "search.html", values)
    part = render(request, "_results.html", values)
    given = asked.given()
    part.headers["HX-Replace-Url"] = f"/?{urlencode(given)}" if given else "/"
    return part


def _answered(workspace: Workspace, asked: Asked) -> tuple[SearchResponse | None, list[Hit]]:
    if not asked.q.strip():
        return None, []
    answer = searching.search(workspace, asked.q, options_of(workspace, asked))
    analysis = analyse(answer.query)
    finders = [WordFinder(analysis, inflected=inflected) for inflected in (False, True)]
    hits = [
        _hit(workspace, result, finders[is_inflected(result.text)]) for result in answer.results
    ]
    return answer, hits


def _hit(workspace: Workspace, result: SearchResult, finder: WordFinder) -> Hit:
    snippet, spans = _around(result.text, finder)
    kind = workspace.kinds[result.source]
    about = kind.speaker(result.metadata) or kind.about(result.metadata, result.occurred_at) or ""
    return Hit(result, snippet, spans, about, bars_of(result.explanation or {}))


def _around(text: str, finder: WordFinder) -> tuple[str, Sequence[tuple[int, int]]]:
    """Return the part of a text, at the beginning of a line, that holds the first words found, and
    their places in it.
    """
    spans, start = finder.spans(text), 0
    if len(text) > _SNIPPET_CHARS and spans:
        start = text.rfind("\n", 0, max(0, spans[0][0] - _SNIPPET_CHARS // 3)) + 1
    part = text[start : start + _SNIPPET_CHARS]
    start += len(part) - len(part.lstrip())
    part = part.strip()
    end = start + len(part)
    return part, [(first - start, last - start) for first, last in spans if start <= first < end]


def bars_of(figures: Mapping[str, Any]) -> list[Bar]:
    """Return the reasons of a score, to be drawn as bars."""
    if not figures:
        return []
    bars = [
        Bar(
            name,
            figures[f"{leg}_part"] * figures[f"{leg}_weight"],
            "not found by it"
            if value is None
            else f"{unit} {value:.3f}, weight {figures[f'{leg}_weight']:.2f}",
        )
        for name, leg, unit, value in (
            ("words", "keyword", "BM25", figures["keyword"]),
            ("meaning", "vector", "cosine", figures["cosine"]),
        )
    ]
    if figures["identifier"]:
        told = f"{figures['identifier']} ({figures['identifier_match']})"
        bars.append(Bar("identifier", 1.0 if figures["lifted"] else 0.5, told))
    if figures["decay"] < _WHOLE:
        bars.append(Bar("age", figures["decay"], f"x {figures['decay']:.2f} by age"))
    return bars
