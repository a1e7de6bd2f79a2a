"""POST /memory/search: the best chunks for a query."""

from dataclasses import replace
from pathlib import Path

from fastapi import APIRouter, Request

from contracts import Scope
from memory.api.app_state import state_of
from memory.api.responses import Json, fields_of
from memory.api.schemas.search import MemorySearchRequest
from memory.config.settings import SearchConfig
from memory.index.collections.reading import within_collection
from memory.retrieval import searching
from memory.values.results import SearchResponse
from memory.values.scope_parsing import narrowed
from search import SearchOptions

router = APIRouter(tags=["search"])


@router.post("/memory/search", response_model=SearchResponse)
def search(request: Request, body: MemorySearchRequest) -> Json:
    """Return the best chunks for a query, best first, with warnings about the answer.

    A hit has `explanation` only when `explain` asks for it, `before` and `after` only when
    `neighbours` does.
    """
    workspace = state_of(request).workspace
    options = search_options(body, workspace.config.search, cwd=Path.cwd())
    if body.collection is not None:
        database = workspace.storage.database
        scope = within_collection(database, options.scope, body.collection)
        options = replace(options, scope=scope)
    answer = fields_of(searching.search(workspace, body.query, options))
    unasked = [] if body.explain else ["explanation"]
    unasked += [] if body.neighbours else ["before", "after"]
    answer["results"] = hits = [fields_of(hit) for hit in answer["results"]]
    for hit in hits:
        for name in unasked:
            del hit[name]
    return Json(answer)


def search_options(body: MemorySearchRequest, config: SearchConfig, *, cwd: Path) -> SearchOptions:
    """Return the options of a request; the configuration fills the rest.

    Raises InputError for sources, a path or times that cannot be used.
    """
    names = ("mode", "max_results", "min_score", "fold", "rerank")
    given = {name: getattr(body, name) for name in names}
    configured = searching.default_options(config)
    return replace(
        configured,
        **{name: value for name, value in given.items() if value is not None},
        scope=_scope(body, cwd),
        explain=body.explain,
        all_chunks=body.all_chunks,
        archived=body.archived,
        lowered_files=tuple(
            rule for rule in configured.lowered_files if not (body.tests and rule == "tests")
        ),
        neighbours=body.neighbours,
    )


def _scope(body: MemorySearchRequest, cwd: Path) -> Scope:
    scope = narrowed(
        body.sources or (),
        () if body.path is None else (body.path,),
        since=body.since,
        until=body.until,
        tags=body.tags or (),
        cwd=cwd,
    )
    return scope._replace(
        session_id=None if body.session_id is None else str(body.session_id),
        without_tags=tuple(body.without_tags or ()),
    )
