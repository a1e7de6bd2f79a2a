"""Listing of memories: by layer, status, tag and words, in three orders, one page at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, get_args

from contracts import InputError, Scope, did_you_mean
from memory.conversations.memories.slots.showing import shown_memories
from memory.conversations.memories.store import Condition, MemoryStore
from memory.conversations.memories.values import LAYERS, STATUSES, Memory, MemoryPage
from memory.retrieval.searching import default_options, search_current
from memory.storage.action_log import AGENT
from memory.values.record_fields import check_limit
from memory.values.text_checks import query_text
from memory.workspace import Workspace

Sort: TypeAlias = Literal["score", "recent", "relevance"]
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
ANY_STATUS: Final = "all"

USUAL_LIMIT: Final = 50
MOST_LISTED: Final = 1000
MOST_FOUND: Final = 1000
"""The most relevant memories that a query considers, before they are sorted."""

MOST_COMPARED: Final = 50
"""The number of query words compared with texts that the index does not hold."""

_RECENT: Final = "coalesce(last_seen_at, created_at)"
_KEYS: Final[dict[str, Callable[[Memory], Any]]] = {
    "score": lambda memory: memory.score,
    "recent": lambda memory: memory.last_seen_at or memory.created_at,
}
_HAS_TAG: Final = "list_holds(tags_json, :{})"
_BY_AGENTS: Final = "(metadata LIKE :agent OR list_holds(tags_json, :agents_tag))"
"""As `memory.storage.action_log.marked` has written it, and as a tool of the protocol has."""


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """The conditions and the order of a listing; None means any.

    `q` are words that they hold. `sort` is `score`, `recent` (last seen first) or, for the results
    of a query, `relevance`. `status` is `active` by default, or `all`. Memories with the tag
    `without_tag` are left out. `by_agents`: only those that an agent wrote and nobody confirmed.
    """

    layer: str | None = None
    status: str | None = None
    tag: str | None = None
    without_tag: str | None = None
    q: str | None = None
    sort: str = "score"
    by_agents: bool = False


def list_memories(
    workspace: Workspace,
    wanted: MemoryFilter | None = None,
    *,
    limit: int = USUAL_LIMIT,
    cursor: str | None = None,
) -> MemoryPage:
    """Return one page of the matching memories, in the requested order.

    `cursor` is a previous page's `next_cursor`. Active memories with the words of a query are found
    by the index, others by comparing texts. Raises InputError for invalid values.
    """
    wanted = _checked(wanted or MemoryFilter())
    check_limit(limit, MOST_LISTED)
    if wanted.q is not None and wanted.status == "active":
        return _found(workspace, wanted, limit=limit, cursor=cursor)
    conditions = _conditions(wanted)
    key = _RECENT if wanted.sort == "recent" else "score"
    if cursor is not None:
        last, last_id = _place(cursor, is_number=key == "score")
        after = {"after_key": last, "after_id": last_id}
        conditions.append(Condition(f"({key}, id) < (:after_key, :after_id)", after))
    found = _first(workspace, conditions, wanted, key=key, limit=limit + 1)
    page = found[:limit]
    if len(found) <= limit:
        return MemoryPage(shown_memories(workspace.storage.database, page))
    reached = _KEYS["recent" if key == _RECENT else "score"](page[-1])
    shown = shown_memories(workspace.storage.database, page)
    return MemoryPage(shown, f"{reached}:{page[-1].id}")


def _first(
    workspace: Workspace,
    conditions: list[Condition],
    wanted: MemoryFilter,
    *,
    key: str,
    limit: int,
) -> list[Memory]:
    """Return the first memories by a key; by score layer by layer, as in the index."""
    store = MemoryStore(workspace.storage)
    parts: list[list[Condition]] = [conditions]
    if wanted.layer is not None or key == "score":
        layers = LAYERS if wanted.layer is None else (wanted.layer,)
        parts = [[Condition("layer = :layer", {"layer": one}), *conditions] for one in layers]
    found = [one for part in parts for one in store.page(part, order=key, limit=limit)]
    by = _KEYS["score" if key == "score" else "recent"]
    return sorted(found, key=lambda memory: (by(memory), memory.id), reverse=True)[:limit]


def _found(
    workspace: Workspace, wanted: MemoryFilter, *, limit: int, cursor: str | None
) -> MemoryPage:
    """Return active memories that the index finds, by words alone."""
    options = replace(
        default_options(workspace.config.search),
        mode="keyword",
        max_results=MOST_FOUND,
        fold="none",
        rerank=False,
        scope=Scope(
            sources=("memory",),
            tags=(wanted.tag,) if wanted.tag else (),
            without_tags=(wanted.without_tag,) if wanted.without_tag else (),
        ),
    )
    answer = search_current(workspace, wanted.q or "", options)
    ids = [int(hit.metadata["memory_id"]) for hit in answer.results]
    known = MemoryStore(workspace.storage).get_many(ids)
    found = [known[memory_id] for memory_id in ids if memory_id in known]
    if wanted.layer is not None:
        found = [memory for memory in found if memory.layer == wanted.layer]
    if wanted.sort in _KEYS:
        found.sort(key=_KEYS[wanted.sort], reverse=True)
    start = 0 if cursor is None else _place(cursor, is_number=True)[1]
    end = start + limit
    next_cursor = f"{limit}:{end}" if end < len(found) else None
    shown = shown_memories(workspace.storage.database, found[start:end])
    return MemoryPage(shown, next_cursor, answer.warnings)


def _conditions(wanted: MemoryFilter) -> list[Condition]:
    """Return the SQL conditions of a filter, except its layer."""
    conditions = []
    if wanted.status is not None:
        conditions.append(Condition("status = :status", {"status": wanted.status}))
    if wanted.tag is not None:
        conditions.append(Condition(_HAS_TAG.format("tag"), {"tag": wanted.tag}))
    if wanted.by_agents:
        conditions.append(Condition(_BY_AGENTS, {"agent": f'%"{AGENT}": %', "agents_tag": AGENT}))
    if wanted.without_tag is not None:
        unwanted = {"without_tag": wanted.without_tag}
        conditions.append(Condition(f"NOT {_HAS_TAG.format('without_tag')}", unwanted))
    compared = list(dict.fromkeys((wanted.q or "").split()))[:MOST_COMPARED]
    for number, word in enumerate(compared):
        like = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        name = f"word{number}"
        sql = f"lower(content) LIKE lower(:{name}) ESCAPE '\\'"
        conditions.append(Condition(sql, {name: f"%{like}%"}))
    return conditions


def _checked(wanted: MemoryFilter) -> MemoryFilter:
    """Return the filter with defaults filled in. Raises InputError for invalid values."""
    known = {"layer": LAYERS, "status": (*STATUSES, ANY_STATUS), "sort": SORTS}
    for name, values in known.items():
        value = getattr(wanted, name)
        if value is not None and value not in values:
            raise InputError(f"there is no {name} {value!r}", hint=did_you_mean(str(value), values))
    if wanted.q is not None:
        asked = query_text(wanted.q)
        wanted = replace(wanted, q=asked if asked.strip() else None)
    if wanted.sort == "relevance" and wanted.q is None:
        raise InputError(
            "the order is relevance, and there is no query", hint="add q, or sort by score"
        )
    status = {None: "active", ANY_STATUS: None}.get(wanted.status, wanted.status)
    if wanted.sort == "relevance" and status != "active":
        raise InputError(
            f"relevance is known of active memories only, and the status is {wanted.status}",
            hint="sort by score or recent",
        )
    return replace(wanted, status=status)


def _place(cursor: str, *, is_number: bool) -> tuple[float | str, int]:
    """Return the key and the id, or the number, at which a page ended."""
    key, _, last = cursor.rpartition(":") if isinstance(cursor, str) else ("", "", "")
    try:
        place = float(key) if is_number else key, int(last)
    except ValueError:
        place = "", -1
    if not 0 <= place[1] < 1 << 63 or place[0] != place[0]:  # NaN is not itself
        raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
    return place
