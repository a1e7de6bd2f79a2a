"""Reading across kinds: the records about a topic, all that names a person, counts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from contracts import InputError, Scope
from memory.records.decay import standing
from memory.records.facts import show_facts
from memory.records.forms import FACTS, FORMS, OPEN_LOOPS, PATTERNS, PEOPLE, SIGNALS, RecordForm
from memory.records.kind import cite_fact
from memory.records.open_loops import show_open_loops
from memory.records.patterns import show_patterns
from memory.records.people import get_person, show_people
from memory.records.questions.loops import AskedLoop, asked_loops
from memory.records.questions.spelling import respelled
from memory.records.signals import show_signals
from memory.records.store import RecordStore
from memory.records.values import (
    ShownFact,
    ShownOpenLoop,
    ShownPattern,
    ShownPerson,
    ShownSignal,
)
from memory.retrieval.searching import default_options, search
from memory.storage import Database, utc_text
from memory.values.inserted_values import moment_of
from memory.values.results import SearchResponse, SearchResult
from memory.values.text_checks import NAME_LIMIT, query_text
from memory.workspace import Workspace
from search import SearchOptions
from search.options import MOST_RESULTS

USUAL_LIMIT: Final = 20
MOST_MENTIONS: Final = 50
_MENTIONED_IN: Final = ("turn", "file", "text", "memory")
_KINDS: Final = tuple(form.kind.name for form in FORMS)
_CATEGORIES_SQL: Final = "SELECT category, count(*) FROM facts GROUP BY category ORDER BY category"


@dataclass(frozen=True, slots=True)
class FoundText:
    """A hit in short; `score` is in [0, 1], higher is better.

    `superseded_by` cites what is current in place of what it says.
    """

    source: str
    citation: str
    score: float
    text: str
    occurred_at: str
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """The records about a topic: all as one list, best first, and by kind in the same order."""

    topic: str
    results: list[FoundText]
    facts: list[ShownFact]
    people: list[ShownPerson]
    patterns: list[ShownPattern]
    open_loops: list[ShownOpenLoop]
    signals: list[ShownSignal]
    mode_used: str
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Profile(ShownPerson):
    """A person with everything that names them, best first.

    `last_contact_at` is the latest time at which they were named or spoke in a conversation, or
    that of `last_contact` if that is a later time; None if there is none.
    """

    last_contact_at: str | None = None
    facts: list[ShownFact] = field(default_factory=list)
    open_loops: list[ShownOpenLoop] = field(default_factory=list)
    patterns: list[ShownPattern] = field(default_factory=list)
    signals: list[ShownSignal] = field(default_factory=list)
    mentions: list[FoundText] = field(default_factory=list)


def read_topic(
    workspace: Workspace, topic: str, *, limit: int = USUAL_LIMIT, archived: bool = False
) -> Topic:
    """Return the records about a topic, found as any search finds them; with `archived` also facts
    that no longer hold. Where none answers, words that the topic begins or misspells are looked for
    in its place, and a warning says so. A question for promises or tasks has the loops that it asks
    for first, each with the turns that opened and closed it. Raises InputError for an empty topic
    or an invalid limit.
    """
    asked_for = query_text(topic, "the topic", most=NAME_LIMIT) if isinstance(topic, str) else ""
    if not asked_for.strip():
        raise InputError(f"the topic is {topic!r:.80}", hint="give words to look for")
    topic = asked_for
    options = replace(
        default_options(workspace.config.search),
        scope=Scope(sources=_KINDS),
        max_results=limit,
        fold="none",
        archived=archived,
    )
    answer = _answer(workspace, topic, options)
    asked = asked_loops(workspace, topic)[:limit]
    cited = {one.loop.citation for one in asked}
    present = answer.results if archived else _present(workspace, answer.results)
    hits = [hit for hit in present if hit.citation not in cited][: limit - len(asked)]
    rows = _rows_of(workspace, hits)
    return Topic(
        topic=topic,
        results=[*map(_asked_in_short, asked), *map(_in_short, hits)],
        facts=show_facts(workspace, rows[FACTS.kind.name]),
        people=show_people(workspace, rows[PEOPLE.kind.name]),
        patterns=show_patterns(workspace, rows[PATTERNS.kind.name]),
        open_loops=[
            *(one.loop for one in asked),
            *show_open_loops(workspace, rows[OPEN_LOOPS.kind.name]),
        ],
        signals=show_signals(workspace, rows[SIGNALS.kind.name]),
        mode_used=answer.mode_used,
        warnings=answer.warnings,
    )


def read_profile(workspace: Workspace, name: str) -> Profile:
    """Return a person, by name or alias, with everything that names them.

    Records, turns and files are searched for each name as a phrase. Raises NotFoundError.
    """
    person = get_person(workspace, name)
    names = (person.name, *person.aliases)
    rows = _rows_of(workspace, _naming(workspace, names, _KINDS))
    mentions = _naming(workspace, names, _MENTIONED_IN)
    (shown,) = show_people(workspace, [person])
    contacts = [hit.occurred_at for hit in mentions if hit.source == "turn"]
    if stated := moment_of(person.last_contact):
        contacts.append(utc_text(stated))
    return Profile(
        **{name: getattr(shown, name) for name in ShownPerson.__dataclass_fields__},
        last_contact_at=max(contacts, default=None),
        facts=show_facts(workspace, rows[FACTS.kind.name]),
        open_loops=show_open_loops(workspace, rows[OPEN_LOOPS.kind.name]),
        patterns=show_patterns(workspace, rows[PATTERNS.kind.name]),
        signals=show_signals(workspace, rows[SIGNALS.kind.name]),
        mentions=[_in_short(hit) for hit in mentions[:MOST_MENTIONS]],
    )


def record_counts(database: Database) -> dict[str, int]:
    """Return the number of rows in each table of records."""
    return {
        form.table: int(database.read(f"SELECT count(*) FROM {form.table}")[0][0]) for form in FORMS
    }


def fact_categories(database: Database) -> dict[str, int]:
    """Return the number of facts in each category."""
    return dict(database.read(_CATEGORIES_SQL))


def _naming(
    workspace: Workspace, names: Sequence[str], sources: Sequence[str]
) -> list[SearchResult]:
    """Return the chunks with any of these names as a phrase, the best first.

    A turn is also found by the words of the turns before it, which does not count here.
    """
    there = tuple(name for name in workspace.storage.sources() if name in sources)
    if not there:
        return []
    options = SearchOptions(
        mode="keyword",
        scope=Scope(sources=there),
        max_results=MOST_RESULTS,
        all_chunks=True,
        fold="none",
    )
    phrases = (name.replace('"', " ") for name in names)
    holds = re.compile(
        "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names), re.IGNORECASE
    )
    answers: list[SearchResponse] = [search(workspace, f'"{each}"', options) for each in phrases]
    best: dict[str, SearchResult] = {}
    for hit in (hit for answer in answers for hit in answer.results):
        known = best.get(hit.chunk_id)
        own = " ".join(f"{hit.metadata.get('speaker', '')}\n{hit.heading}\n{hit.text}".split())
        if holds.search(own) and (known is None or hit.score > known.score):
            best[hit.chunk_id] = hit
    return sorted(best.values(), key=lambda hit: -hit.score)


def _answer(workspace: Workspace, topic: str, options: SearchOptions) -> SearchResponse:
    answer = search(workspace, topic, options)
    if not answer.weak:
        return answer
    meant = respelled(workspace.storage.database, topic, _KINDS)
    nearer = search(workspace, meant, options) if meant else answer
    if nearer.weak:
        return answer
    warning = f"no record answers {topic.strip()!r:.80}; these answer {meant!r:.80}"
    return replace(nearer, warnings=[*nearer.warnings, warning])


def _present(workspace: Workspace, hits: Sequence[SearchResult]) -> list[SearchResult]:
    """Return the hits without facts that are over by their rows: another program may have changed
    a time since the moment in the chunk was computed.
    """
    ids = [int(hit.metadata["record_id"]) for hit in hits if hit.source == FACTS.kind.name]
    now, config = datetime.now(UTC), workspace.config.records
    over = {
        cite_fact(fact.category, fact.key)
        for fact in RecordStore(workspace.storage.database, FACTS).many(ids)
        if standing(fact, now, config) != "current"
    }
    return [hit for hit in hits if hit.citation not in over]


def _rows_of(workspace: Workspace, hits: Iterable[SearchResult]) -> dict[str, list[Any]]:
    """Return the rows of hits by kind, each once, in the order of the hits."""
    ids: dict[str, dict[int, None]] = {kind: {} for kind in _KINDS}
    for hit in hits:
        ids[hit.source][int(hit.metadata["record_id"])] = None
    return {form.kind.name: _ordered(workspace, form, ids[form.kind.name]) for form in FORMS}


def _ordered(workspace: Workspace, form: RecordForm[Any], ids: Iterable[int]) -> list[Any]:
    wanted = list(ids)
    rows = RecordStore(workspace.storage.database, form).many(wanted) if wanted else []
    known = {row.id: row for row in rows}
    return [known[record_id] for record_id in wanted if record_id in known]


def _asked_in_short(asked: AskedLoop) -> FoundText:
    loop = asked.loop
    return FoundText(OPEN_LOOPS.kind.name, loop.citation, 1.0, asked.text, loop.last_mentioned)


def _in_short(hit: SearchResult) -> FoundText:
    return FoundText(
        hit.source, hit.citation, hit.score, hit.text, hit.occurred_at, hit.superseded_by
    )
