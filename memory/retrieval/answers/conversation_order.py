"""The arrangement of hits in conversations, before an answer is cut to its length.

A memory and the turn that it came from are one result, so that memories do not displace what was
said. A hit that says what is over names what took its place, and ranks below that: a turn if the
question is about it, a memory, a fact or a triple always.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from contracts import ChunkRow, Scope
from contracts.named_tuple import NamedTuple
from memory.retrieval.answers.provenance import (
    PastStatement,
    Provenance,
    ProvenanceReader,
    SourceTurn,
)
from memory.values.record_kinds import RecordKinds, RecordName, imported
from memory.values.results import PartOfResult
from memory.workspace import Workspace
from search import QueryAnalysis, RankedHit, SearchOptions

_SOURCES: Final = ("turn", "memory", "fact")
_SHORT_QUESTION: Final = 10
"""The most words of a question that asks for a slot and for nothing else."""

_CHUNK_SQL: Final = """
SELECT id FROM chunks WHERE source = :source AND owner_id = :owner
AND coalesce(end_char, 0) >= :start ORDER BY ordinal LIMIT 1
"""


class ArrangedHit(NamedTuple):
    """A hit with what is one result with it, best first, and what its turn said that is over.

    `source` is the turn that a memory came from, if that is not a hit.
    """

    hit: RankedHit
    also: tuple[ChunkRow, ...] = ()
    past: tuple[PastStatement, ...] = ()
    source: SourceTurn | None = None


def arranged(
    workspace: Workspace, hits: Sequence[RankedHit], analysis: QueryAnalysis, options: SearchOptions
) -> list[ArrangedHit]:
    """Return the hits of an answer in their final order, at most as many as it may have."""
    ids = {
        source: {one for hit in hits if (one := _number(hit.row, source)) is not None}
        for source in _SOURCES
    }
    ids["memory"] |= {one for hit in hits for one in _memories_of(hit.row)}
    if not any(ids.values()):
        return [ArrangedHit(hit) for hit in hits[: options.max_results]]
    reader: ProvenanceReader = imported(workspace.kinds["memory"].provenance)
    database = workspace.storage.database
    known = reader(database, memories=ids["memory"], turns=ids["turn"], facts=ids["fact"])
    order = list(hits)
    if known.past:
        order = _Demotion(workspace, known, analysis, options).applied_to(order)
    if options.fold == "none":
        return [_result([hit], known) for hit in order[: options.max_results]]
    return _as_results(order, known)[: options.max_results]


def _number(row: ChunkRow, source: str) -> int | None:
    """Return the number of the record of a chunk, None if it is of another source."""
    is_numbered = row.source == source and row.owner_id.isdecimal()
    return int(row.owner_id) if is_numbered else None


def _memories_of(row: ChunkRow) -> Sequence[int]:
    """Return the memories that a triple is the face of."""
    return row.metadata.get("memory_ids", ()) if row.source == "triple" else ()


def _asks_about(analysis: QueryAnalysis, slot: str | None, statement: str) -> bool:
    from memory.retrieval.answers.slot_questions import asks_about  # few searches find a slot

    return asks_about(analysis.plain, slot, statement)


def _is_short(analysis: QueryAnalysis) -> bool:
    """Return whether a question may ask for a slot and for nothing else."""
    return len(analysis.plain.split()) <= _SHORT_QUESTION


class _Demotion:
    """Moves what took the place of a statement above the hit that made it; above a turn, which says
    more, only if the question asks for that.
    """

    def __init__(
        self,
        workspace: Workspace,
        known: Provenance,
        analysis: QueryAnalysis,
        options: SearchOptions,
    ) -> None:
        self._workspace = workspace
        self._known = known
        self._analysis = analysis
        self._scope = options.scope

    def applied_to(self, hits: Sequence[RankedHit]) -> list[RankedHit]:
        order = list(hits)
        for hit in hits:
            for past in _past_of(hit.row, self._known):
                is_asked = _asks_about(self._analysis, past.slot, past.statement)
                if is_asked or hit.row.source != "turn":
                    order = self._raised(order, hit, past, is_asked=is_asked)
        return order

    def _raised(
        self,
        order: Sequence[RankedHit],
        over: RankedHit,
        past: PastStatement,
        *,
        is_asked: bool,
    ) -> list[RankedHit]:
        """Return the order with what replaced a statement above the hit that made it: directly
        above, or first of all if a short question asks for the slot.

        If it is asked and no hit says it, its record or its latest turn is added.
        """
        turns = {str(turn.turn_id) for turn in past.turns}
        asks_slot = is_asked and past.slot is not None and _is_short(self._analysis)
        chunk_ids = [hit.row.chunk_id for hit in order]  # a hit that was raised has another score
        place = 0 if asks_slot else chunk_ids.index(over.row.chunk_id)
        saying = [hit for hit in order if self._says(hit.row, past, turns)]
        later = [hit for hit in order[place:] if hit in saying]
        if is_asked and not saying:
            later = self._added(past)
        raised = [hit._replace(score=max(hit.score, order[place].score)) for hit in later]
        rest = [hit for hit in order[place:] if hit not in saying]
        return [*order[:place], *raised, *rest]

    def _says(self, row: ChunkRow, past: PastStatement, turns: Collection[str]) -> bool:
        if row.source in ("memory", "fact"):
            return past.record == (row.source, row.owner_id)
        return row.source == "turn" and row.owner_id in turns

    def _added(self, past: PastStatement) -> list[RankedHit]:
        """Return the fact, or the latest turn within the scope, that states what is true now, as a
        hit.
        """
        if self._analysis.keyword.required or self._analysis.keyword.excluded:
            return []
        places = [("turn", str(turn.turn_id), turn.start_char or 0) for turn in past.turns]
        if past.record is not None and past.record.source == "fact":
            places.insert(0, (*past.record, 0))
        for source, owner, start in places if past.record is not None else ():
            values = {"source": source, "owner": owner, "start": start}
            ids = [row[0] for row in self._workspace.storage.database.read(_CHUNK_SQL, values)]
            for row in self._workspace.storage.chunk_rows(ids).values():
                if _is_within(row, self._scope):
                    return [RankedHit(row, 0.0)]
        return []


def _is_within(row: ChunkRow, scope: Scope) -> bool:
    """Return whether a scope lets a turn answer."""
    return (
        not (scope.paths or scope.globs or scope.within)
        and (not scope.sources or row.source in scope.sources)
        and row.source not in scope.without_sources
        and scope.session_id in (None, row.session_id)
        and scope.speaker in (None, row.metadata.get("speaker") or row.metadata.get("role"))
        and (scope.since is None or row.occurred_at >= scope.since)
        and (scope.until is None or row.occurred_at <= scope.until)
        and set(scope.tags) <= set(row.tags)
        and set(scope.without_tags).isdisjoint(row.tags)
    )


def _as_results(hits: Sequence[RankedHit], known: Provenance) -> list[ArrangedHit]:
    """Return one result for each turn with its memories: the best ranked hit, which names the
    others. A memory goes with the best ranked of its turns.
    """
    turns = {hit.row.owner_id: hit for hit in reversed(hits) if hit.row.source == "turn"}
    rank = {hit.row.chunk_id: place for place, hit in enumerate(hits)}
    groups: dict[int, list[RankedHit]] = {}
    for hit in hits:
        key = hit.row.chunk_id
        if sources := _sources_of(hit.row, known):
            said = [str(turn.turn_id) for turn in sources]
            beside = (turns[each].row.chunk_id for each in said if each in turns)
            key = min(beside, key=rank.__getitem__, default=key)
        groups.setdefault(key, []).append(hit)
    return [_result(group, known) for group in groups.values()]


def _result(group: Sequence[RankedHit], known: Provenance) -> ArrangedHit:
    first, *others = group
    past = dict.fromkeys(over for hit in group for over in _past_of(hit.row, known))
    source = None
    if all(hit.row.source != "turn" for hit in others):
        source = next(iter(_sources_of(first.row, known)), None)
    if others:
        copies = tuple(copy for hit in group for copy in hit.duplicates)
        first = first._replace(duplicates=copies)
    return ArrangedHit(first, tuple([hit.row for hit in others]), tuple(past), source)


def _past_of(row: ChunkRow, known: Provenance) -> Sequence[PastStatement]:
    if not known.past:  # as for most answers
        return ()
    names = [RecordName("memory", str(one)) for one in _memories_of(row)]
    found = (known.past.get(name) for name in names or [RecordName(row.source, row.owner_id)])
    return next((past for past in found if past), ())


def _sources_of(row: ChunkRow, known: Provenance) -> Sequence[SourceTurn]:
    number = _number(row, "memory")
    return () if number is None else known.sources.get(number, ())


def fields_of(arranged_hit: ArrangedHit, kinds: RecordKinds, cwd: Path) -> dict[str, Any]:
    """Return the fields of a result that tell what its hit does not know by itself.

    The metadata of a memory name its turn, as those of a turn do.
    """
    hit, also, past, source = arranged_hit
    parts = [
        PartOfResult(row.source, kinds[row.source].cite(row, cwd), row.uid, row.text)
        for row in also
    ]
    metadata = dict(hit.row.metadata)
    turns = [row.metadata for row in also if row.source == "turn"]
    if source is not None:
        parts.append(PartOfResult("turn", source.citation))
        turns.append({"turn_id": source.turn_id, "session_id": source.session_id})
    if hit.row.source == "memory" and turns:
        metadata |= {name: turns[0][name] for name in ("turn_id", "session_id")}
    superseded = tuple(one.shown for one in past)
    return {
        "metadata": metadata,
        "also": tuple(parts),
        "superseded": superseded,
        "superseded_by": superseded[0].by if superseded else None,
    }
