"""Selection of the records that a request to forget names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from contracts import InputError, NotFoundError, Scope
from memory.conversations.turns.adding import session_name
from memory.index.document_store import documents_of
from memory.operations.forget.values import Chosen, ForgetRequest
from memory.retrieval.searching import default_options, search
from memory.storage import utc_text
from memory.values.scope_parsing import read_time
from memory.workspace import Workspace
from search import SearchOptions

READ_AT_ONCE: Final = 1000
PERSONAL: Final = "pii"

_TEXTS: Final = (
    ("turns", "SELECT id, text FROM turns WHERE id > :after ORDER BY id LIMIT :limit"),
    ("memories", "SELECT id, content FROM memories WHERE id > :after ORDER BY id LIMIT :limit"),
)
_KINDS: Final = (("turns", "turn", int), ("memories", "memory", int), ("texts", "text", str))


def choose(workspace: Workspace, request: ForgetRequest) -> Chosen:
    """Return the records that a request names.

    Raises InputError for a request that names nothing, NotFoundError for an unknown id.
    """
    found: dict[str, set[Any]] = {"turns": set(), "memories": set(), "texts": set()}
    ways = [
        _named(workspace, request),
        _holding(workspace, request),
        _found(workspace, request),
        _said(workspace, request),
    ]
    asked = False
    for way in ways:
        for kind, ids in way:
            asked = True
            found[kind].update(ids)
    if not asked:
        raise InputError(
            "the request names nothing to forget",
            hint="name a citation, a text, a query, a session, a time or --pii",
        )
    if request.with_sources:
        found["turns"].update(_sources(workspace, found["memories"]))
    chosen = Chosen(**{kind: frozenset(ids) for kind, ids in found.items()})
    return chosen._replace(sessions=_whole_sessions(request))


def _whole_sessions(request: ForgetRequest) -> frozenset[str]:
    narrowed = request.pii or request.since is not None or request.until is not None
    if request.session_id is None or narrowed:
        return frozenset()
    return frozenset([session_name(request.session_id)])


Way = Iterator[tuple[str, Iterable[Any]]]


def _named(workspace: Workspace, request: ForgetRequest) -> Way:
    """Return the records with these ids. Raises NotFoundError for the first unknown one."""
    tables = {
        "turns": ("turns", "turn", request.turn_ids),
        "memories": ("memories", "memory", request.memory_ids),
        "texts": ("files", "text", request.text_ids),
    }
    for kind, (table, word, ids) in tables.items():
        if not ids:
            continue
        only = " AND source = 'text'" if table == "files" else ""
        sql = f"SELECT id FROM {table} WHERE id IN (:ids){only}"
        rows = workspace.storage.database.read(sql, {"ids": list(ids)})
        there = {row[0] for row in rows}
        for each in ids:
            if each not in there:
                raise NotFoundError(
                    f"there is no {word} {each}",
                    hint="copy the citation from `mem search`",
                )
        yield kind, ids


def _holding(workspace: Workspace, request: ForgetRequest) -> Way:
    """Return all records that contain a text, ignoring case."""
    if request.text is None:
        return
    wanted = request.text.strip().casefold()
    if not wanted:
        raise InputError("the text to forget is empty", hint="give the words to forget")
    for kind, sql in _TEXTS:
        yield kind, [key for key, text in _rows(workspace, sql) if wanted in text.casefold()]
    holding = [
        document.id
        for document in documents_of(workspace).all_of("text")
        if wanted in f"{document.title}\n{documents_of(workspace).text(document)}".casefold()
    ]
    yield "texts", holding


def _rows(workspace: Workspace, sql: str) -> Iterator[tuple[int, str]]:
    after = 0
    while rows := workspace.storage.database.read(sql, {"after": after, "limit": READ_AT_ONCE}):
        yield from ((row[0], row[1]) for row in rows)
        after = rows[-1][0]


def _found(workspace: Workspace, request: ForgetRequest) -> Way:
    """Return the results of a search."""
    if request.query is None:
        return
    scope = Scope(sources=tuple(source for _, source, _ in _KINDS))
    options: SearchOptions = replace(
        default_options(workspace.config.search),
        scope=scope,
        max_results=request.max_results,
        fold="none",
    )
    results = search(workspace, request.query, options).results
    for kind, source, read in _KINDS:
        hits = (hit for hit in results if hit.source == source)
        yield kind, [read(_owner_id(hit.metadata, hit.file_id, source)) for hit in hits]


def _owner_id(metadata: Mapping[str, Any], file_id: str | None, source: str) -> Any:
    return file_id if source == "text" else metadata[f"{source}_id"]


def _said(workspace: Workspace, request: ForgetRequest) -> Way:
    """Return the records of a session or time, or with personal data; conditions combine."""
    turns, memories = [], []
    values: dict[str, Any] = {}
    if request.session_id is not None:
        values["session_id"] = session_name(request.session_id)
        turns.append("session_id = :session_id")
        memories.append(_OF_SESSION)
    for name, column in (("since", "ts"), ("until", "ts")):
        text = getattr(request, name)
        if text is not None:
            values[name] = utc_text(read_time(text, end=name == "until"))
            sign = ">=" if name == "since" else "<="
            turns.append(f"{column} {sign} :{name}")
            memories.append(f"occurred_at {sign} :{name}")
    if request.pii:
        values["tag"] = PERSONAL
        turns.append(_TAGGED.format("tags"))
        memories.append(_TAGGED.format("tags_json"))
    if not turns:
        return
    database = workspace.storage.database
    sql = f"SELECT id FROM turns WHERE {' AND '.join(turns)}"
    yield "turns", [row[0] for row in database.read(sql, values)]
    sql = f"SELECT id FROM memories WHERE {' AND '.join(memories)}"
    yield "memories", [row[0] for row in database.read(sql, values)]


_TAGGED: Final = "list_holds({}, :tag)"
_OF_SESSION: Final = """id IN (SELECT memory_id FROM memory_links AS l JOIN turns AS t
    ON t.id = l.turn_id WHERE t.session_id = :session_id)
    AND id NOT IN (SELECT memory_id FROM memory_links AS l JOIN turns AS t
    ON t.id = l.turn_id WHERE t.session_id <> :session_id) AND origin <> 'user'"""


def _sources(workspace: Workspace, memories: Iterable[int]) -> list[int]:
    sql = """SELECT DISTINCT turn_id FROM memory_links
        WHERE memory_id IN (:ids)"""
    rows = workspace.storage.database.read(sql, {"ids": list(memories)})
    return [row[0] for row in rows]


def made_of_nothing_else(workspace: Workspace, chosen: Chosen) -> frozenset[int]:
    """Return the memories derived only from the chosen turns; those a person wrote stay.

    A turn that ended a memory, which its link records as a conflict with another turn, is not a
    source of it.
    """
    sql = """SELECT DISTINCT l.memory_id FROM memory_links AS l
        JOIN memories AS m ON m.id = l.memory_id
        WHERE l.turn_id IN (:ids) AND m.origin <> 'user'
        AND NOT EXISTS (SELECT 1 FROM memory_links AS other WHERE other.memory_id = l.memory_id
            AND other.turn_id NOT IN (:ids)
            AND NOT (other.reason = 'conflict' AND EXISTS (
                SELECT 1 FROM memory_links AS first WHERE first.memory_id = other.memory_id
                AND (first.created_at, first.turn_id) < (other.created_at, other.turn_id))))"""
    rows = workspace.storage.database.read(sql, {"ids": list(chosen.turns)})
    return frozenset(row[0] for row in rows) - chosen.memories
