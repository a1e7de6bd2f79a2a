"""Checks of the database file: pages, tables, values, references and counters."""

import json
from collections.abc import Iterator
from functools import partial

from contracts import StorageError
from memory.conversations.turns.store import TurnStore
from memory.operations.doctor.values import DoctorContext, DoctorProblem, some, tally
from memory.storage import Transaction

RESTORE = "put a backup back with mem restore FILE, or save the rest with mem doctor --salvage FILE"
"""The options that remain when pages of the file are lost."""

_META_SQL = "SELECT key, value_json FROM meta ORDER BY key"


def pages(context: DoctorContext) -> Iterator[DoctorProblem]:
    """SQLite's own check of every page, every index and the keyword index."""
    health = context.storage.health
    try:
        found = health.integrity()
    except StorageError as error:
        yield DoctorProblem(error.message, RESTORE, blocks=True)
        return
    if found.pages:
        fact = f"the file is damaged: {some(found.pages)}"
        yield DoctorProblem(fact, RESTORE, count=len(found.pages), blocks=True)
    if found.indexes:
        yield DoctorProblem(
            f"indexes differ from their tables: {some(found.indexes)}",
            "rebuilds the indexes",
            partial(context.write, health.remake_indexes),
            count=len(found.indexes),
            blocks=True,
        )
    if found.words:
        yield DoctorProblem(
            f"the keyword index is damaged: {some(found.words)}",
            "rebuilds every keyword entry",
            partial(context.write, health.keywords.clear),
            blocks=True,
        )


def tables(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The tables, indexes and triggers are those that this program makes."""
    health = context.storage.health
    found = health.schema_differences()
    lost = [item for item in found.missing if item.kind == "table"]
    if lost:
        yield DoctorProblem(
            f"tables are missing, with what was in them: {some([item.name for item in lost])}",
            "creates them again, empty",
            partial(context.write, partial(health.remake, items=lost)),
            count=len(lost),
            blocks=True,
        )
    rebuilt = [item for item in (*found.missing, *found.altered) if item.kind != "table"]
    if rebuilt:
        yield DoctorProblem(
            "indexes, triggers or views are missing or altered: "
            f"{some([item.name for item in rebuilt])}",
            "rebuilds them",
            partial(context.write, partial(health.remake, items=rebuilt)),
            count=len(rebuilt),
            blocks=True,
        )
    altered = [item.name for item in found.altered if item.kind == "table"]
    if altered:
        fact = f"tables were altered by another program: {some(altered)}"
        yield DoctorProblem(fact, RESTORE, count=len(altered), blocks=True)
    if found.stray:
        yield DoctorProblem(
            f"tables or triggers belong to nothing: {some([item.name for item in found.stray])}",
            "removes them",
            partial(context.write, partial(health.drop, items=found.stray)),
            count=len(found.stray),
            blocks=True,
        )


def values(context: DoctorContext) -> Iterator[DoctorProblem]:
    """No column of numbers holds a text, and none of texts bytes."""
    for column, number in context.storage.health.misplaced().items():
        fact = tally(f"values of another type than their column {column}", number)
        yield DoctorProblem(fact, RESTORE, count=number, blocks=True)


def references(context: DoctorContext) -> Iterator[DoctorProblem]:
    """No row refers to one that is not there."""
    health = context.storage.health
    for table, number in health.dangling().items():
        fact = tally(f"rows of {table} that refer to missing rows", number)
        if table == "turns":  # a session row is easy to create again, its turns are not
            repair, action = "creates their sessions again", partial(_make_sessions, context)
        else:
            repair = "removes references to missing rows"
            mend = partial(health.remove_dangling, table=table)
            action = partial(context.write, mend)
        yield DoctorProblem(fact, repair, action, count=number)


def _make_sessions(context: DoctorContext) -> None:
    store = TurnStore(context.storage.database)
    usual = context.workspace.config.long_term_opt_in
    with context.storage.database.transaction() as tx:
        for name, begun in tx.run("SELECT session_id, min(recorded_at) FROM turns GROUP BY 1"):
            store.touch_session(tx, name, opt_in=None, usual=usual, now=begun)


def counters(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The change log and the chunks have numbers that rise, and facts can be read."""
    health = context.storage.health
    for table, largest, counted in health.lagging_counters():
        yield DoctorProblem(
            f"the next number of {table} was already used: the last is {largest}, the "
            f"counter says {'nothing' if counted is None else counted}",
            "sets the counter",
            partial(context.write, partial(health.advance_counter, table=table)),
        )
    unreadable = [
        key for key, value in context.storage.database.read(_META_SQL) if not _is_json(value)
    ]
    if unreadable:
        yield DoctorProblem(
            f"facts about the database cannot be read: {some(unreadable)}",
            "removes them",
            partial(context.write, partial(_forget_facts, keys=unreadable)),
            count=len(unreadable),
        )


def _is_json(value: object) -> bool:
    try:
        json.loads(value if isinstance(value, str | bytes) else "null")
    except (ValueError, RecursionError):
        return False
    return True


def _forget_facts(tx: Transaction, *, keys: list[str]) -> None:
    tx.run("DELETE FROM meta WHERE key IN (:keys)", {"keys": keys})
