"""Response times of the routes of facts, people, patterns, open loops and signals."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote, urlencode

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.serving import Client, Server, running_server
from benchmarks.harness.values import Figure, Goal, percentile
from benchmarks.inputs.talking import Talk
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, MemoryConfig
from memory.index.record_chunks import put_records, record_vectors
from memory.records.forms import FORMS, RecordForm
from memory.records.store import RecordStore
from memory.records.values import Fact, OpenLoop, Pattern, Person, Signal
from memory.storage import utc_text
from memory.workspace import Workspace

ROUTE_GOAL = Goal(20)
TOPIC_GOAL = Goal(40)
_WRITTEN_AT_ONCE = 1000
_ALIAS_EVERY = 3
_ASKED = 3
"""The part of a usual number of questions that each route is asked."""


def records(bench: Bench) -> Iterator[Figure]:
    """Each route, one client at a time, beside so many records of each of the five kinds."""
    number, talk = bench.effort.records_of_a_kind, Talk()
    database = bench.work / "records.db"
    remove_database(database)
    _fill(database, talk, number)
    count = max(bench.effort.questions // _ASKED, 10)
    with running_server(bench, database) as server, server.client() as client:
        client.wait_until_built()
        for what, ask in _routes(talk, number).items():
            yield _measured(server, client, what, ask, count=count, total=5 * number)


Ask = Callable[[Client, int], Any]


def _measured(
    server: Server, client: Client, what: str, ask: Ask, *, count: int, total: int
) -> Figure:
    for at in range(5):
        ask(client, -at - 1)
    busy, waited = server.processor_s(), []
    for at in range(count):
        started = time.perf_counter()
        ask(client, at)
        waited.append((time.perf_counter() - started) * 1000)
    busy = (server.processor_s() - busy) / count * 1000
    times = tuple(waited)
    beside = f"p50 {median(times):.1f} of {count}; on a processor {busy:.1f} ms"
    goal = TOPIC_GOAL if what.startswith("GET /memory/context") else ROUTE_GOAL
    name = f"{what}, p95, {total:,} records"
    return Figure("records", name, percentile(times, 0.95), "ms", goal, beside, times)


def _routes(talk: Talk, number: int) -> dict[str, Ask]:
    """Return the requests of each route, by a number that is below zero while it warms up."""
    facts = [talk.fact() for _ in range(1000)]

    def posted(path: str, body: Callable[[int], dict[str, Any]]) -> Ask:
        return lambda client, at: client.post(f"/memory/{path}", body(at))

    def got(path: str, query: Callable[[int], str] = lambda _: "") -> Ask:
        return lambda client, at: client.get(f"/memory/{path}{query(at)}")

    return {
        "GET /memory/context": got("context?", lambda at: urlencode({"topic": facts[at]})),
        "GET /memory/person/{name}": got("person/", lambda at: quote(_name(at % number))),
        "GET /memory/open-loops": got("open-loops"),
        "GET /memory/patterns": got("patterns"),
        "POST /memory/fact, new": posted(
            "fact", lambda at: {"category": "new", "key": f"k{at}", "value": facts[at]}
        ),
        "POST /memory/fact, another value": posted(
            "fact", lambda at: {"category": "c1", "key": f"k{at % number}", "value": facts[at]}
        ),
        "POST /memory/person, new": posted(
            "person", lambda at: {"name": f"New {at}", "aliases": [f"N {at}"], "notes": facts[at]}
        ),
        "POST /memory/person, by an alias": posted(
            "person", lambda at: {"name": f"Alias {at * _ALIAS_EVERY % number}", "notes": facts[at]}
        ),
        "POST /memory/open-loop": posted("open-loop", lambda at: {"topic": facts[at]}),
        "POST /memory/open-loop/{id}/resolve": _resolved(number),
        "POST /memory/signal": posted(
            "signal", lambda at: {"signal_type": "mood", "value": facts[at]}
        ),
        "POST /memory/pattern": posted(
            "pattern", lambda at: {"pattern_type": "habit", "description": facts[at]}
        ),
    }


def _resolved(number: int) -> Ask:
    """Resolve one loop after another."""
    return lambda client, at: client.post(
        f"/memory/open-loop/{at % number + 1}/resolve", {"note": f"done, {at}"}
    )


def _fill(database: Path, talk: Talk, number: int) -> None:
    config = Config(memory=MemoryConfig(storage_path=str(database)))
    now = utc_text(datetime.now(UTC))
    with Workspace(LoadedConfig(config, config, None, database.parent, "argument")) as workspace:
        for form in FORMS:
            rows = _rows(form, talk, number, now)
            while part := list(islice(rows, _WRITTEN_AT_ONCE)):
                _store(workspace, form, part)


def _store(workspace: Workspace, form: RecordForm[Any], rows: list[Any]) -> None:
    config = workspace.config.records
    known = record_vectors(workspace, [form.searchable(row, config) for row in rows])
    store = RecordStore(workspace.storage.database, form)
    with workspace.storage.database.transaction() as tx:
        stored = [store.insert(tx, row) for row in rows]
        put_records(workspace, tx, [form.searchable(row, config) for row in stored], known)


def _rows(form: RecordForm[Any], talk: Talk, number: int, now: str) -> Iterator[Any]:
    made: dict[str, Callable[[int, str], Any]] = {
        "fact": lambda at, text: Fact(
            0, f"c{at % 20}", f"k{at}", text, 0.9, None, "user", now, now
        ),
        "person": lambda at, text: Person(
            id=0,
            name=_name(at),
            name_key=_name(at).casefold(),
            aliases=() if at % _ALIAS_EVERY else (f"Alias {at}",),
            relationship="colleague",
            last_contact=None,
            sentiment="neutral",
            notes=text,
            source="user",
            created_at=now,
            updated_at=now,
        ),
        "pattern": lambda at, text: Pattern(
            0, "habit", text, f"{text.casefold()} {at}", 1, now, 0.6, "user", now, now
        ),
        "open_loop": lambda at, text: OpenLoop(
            id=0,
            topic=text,
            topic_key=f"{text.casefold()} {at}",
            first_mentioned=now,
            mention_count=1,
            last_mentioned=now,
            resolved=0,
            priority=at % 6,
            resolved_at=None,
            resolution="",
            source="user",
            created_at=now,
            updated_at=now,
        ),
        "signal": lambda at, text: Signal(0, f"type {at % 7}", text, now, "user", now, now),
    }
    make = made[form.kind.name]
    return (make(at, talk.fact()) for at in range(number))


def _name(at: int) -> str:
    return f"Person {at} Miller"
