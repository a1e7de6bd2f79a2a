"""Selection of the records that a request to forget names."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from contracts import InputError, NotFoundError, Scope
from memory.conversations.turns.adding import session_name
from memory.index.record_hooks import RecordFilter, RecordHooks, all_hooks, hooks_of
from memory.operations.forget.values import Chosen, ForgetRequest
from memory.retrieval.searching import default_options, search_current
from memory.values.record_kinds import RecordKinds, RecordName
from memory.values.scope_parsing import read_period
from memory.values.text_checks import caseless
from memory.workspace import Workspace
from search import SOURCE_NAMES, SearchOptions

PERSONAL: Final = "pii"

_OWNERS_SQL: Final = """SELECT source, owner_id FROM chunks
    WHERE uid IN (:uids)"""


def forgettable(workspace: Workspace) -> list[RecordHooks]:
    """Return the hooks of the kinds whose records can be forgotten."""
    return [hooks for hooks in all_hooks(workspace) if hooks.kind.is_forgettable]


def cited(kinds: RecordKinds, citations: Iterable[str]) -> tuple[RecordName, ...]:
    """Return the records that citations name. Raises InputError for one that names none."""
    found = []
    for citation in citations:
        name = kinds.named(citation)
        if name is None:
            raise InputError(
                f"{citation!r:.80} names no record",
                hint='write it as a search prints it: "memory 12", "session s1 turn 42" or '
                '"text ID"; a file is removed on the disk, and then: mem sync; one in no known '
                "folder: mem files --drop-root PATH --with-files",
            )
        found.append(name)
    return tuple(found)


def choose(workspace: Workspace, request: ForgetRequest) -> Chosen:
    """Return the records that a request names.

    Raises InputError for a request that names nothing, NotFoundError for an unknown id.
    """
    kinds = forgettable(workspace)
    named, conditions = _named(workspace, request), _conditions(request)
    ways = (named, request.text is not None, request.query is not None, any(conditions))
    if not any(ways):
        raise InputError(
            "the request names nothing to forget",
            hint="name a citation, a text, a query, a session, a time or --pii",
        )
    _check(kinds, named)
    found = {hooks.kind.name: set[str]() for hooks in kinds}
    for name in (*named, *_found(workspace, request, [*found])):
        found[name.source].add(name.record_id)
    wanted = _wanted(request)
    for hooks in kinds:
        if wanted:
            found[hooks.kind.name].update(hooks.holding(wanted))
        if any(conditions):
            found[hooks.kind.name].update(hooks.matching(conditions))
    if request.with_sources:
        for hooks in kinds:
            for kind, ids in hooks.sources(found[hooks.kind.name]).items():
                found[kind].update(ids)
    chosen = {kind: frozenset(ids) for kind, ids in found.items()}
    return Chosen(chosen, _whole_sessions(request))


def _named(workspace: Workspace, request: ForgetRequest) -> list[RecordName]:
    """Return the records that a request names one by one, by their ids."""
    return [
        name._replace(record_id=hooks_of(workspace, name.source).id_of(name.record_id))
        for name in request.named()
    ]


def _whole_sessions(request: ForgetRequest) -> frozenset[str]:
    narrowed = request.pii or request.since is not None or request.until is not None
    if request.session_id is None or narrowed:
        return frozenset()
    return frozenset([session_name(request.session_id)])


def _check(kinds: Sequence[RecordHooks], named: Collection[RecordName]) -> None:
    """Raise NotFoundError for the first unknown record."""
    for hooks in kinds:
        ids = [name.record_id for name in named if name.source == hooks.kind.name]
        known = hooks.known(ids) if ids else []
        for each in ids:
            if each not in known:
                raise NotFoundError(
                    f"there is no {hooks.kind.name} {each}",
                    hint="copy the citation from `mem search`",
                )


def _wanted(request: ForgetRequest) -> str:
    """Return the text to search for in its caseless form; empty for none."""
    wanted = caseless((request.text or "").strip())
    if request.text is not None and not wanted:
        raise InputError("the text to forget is empty", hint="give the words to forget")
    return wanted


def _found(
    workspace: Workspace, request: ForgetRequest, kinds: Sequence[str]
) -> Iterator[RecordName]:
    """Return the results of a search."""
    if request.query is None:
        return
    options: SearchOptions = replace(
        default_options(workspace.config.search),
        scope=Scope(sources=tuple(kind for kind in kinds if kind in SOURCE_NAMES)),
        max_results=request.max_results,
        fold="none",
    )
    uids = [hit.chunk_id for hit in search_current(workspace, request.query, options).results]
    rows = workspace.storage.database.read(_OWNERS_SQL, {"uids": uids})
    yield from (RecordName(*row) for row in rows)


def _conditions(request: ForgetRequest) -> RecordFilter:
    """Return the conditions on sessions, times and tags."""
    return RecordFilter(
        session_id=None if request.session_id is None else session_name(request.session_id),
        tag=PERSONAL if request.pii else None,
        **read_period(request.since, request.until),
    )


def made_of_nothing_else(workspace: Workspace, chosen: Chosen) -> dict[str, frozenset[str]]:
    """Return the records, by kind, derived only from the chosen ones."""
    return {
        hooks.kind.name: frozenset(hooks.made_of_nothing_else(chosen.records))
        - chosen.of(hooks.kind.name)
        for hooks in forgettable(workspace)
    }
