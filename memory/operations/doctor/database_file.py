"""Checks of the database file: pages, tables, references and counters."""

from collections.abc import Iterator
from functools import partial

from contracts import StorageError
from memory.conversations.turns.store import TurnStore
from memory.operations.doctor.values import DoctorContext, Problem, some, tally
from memory.storage import SqliteStorage, Transaction
from memory.storage.sqlite import health

RESTORE = "put a backup back with mem restore FILE, or save the rest with mem doctor --salvage FILE"
"""The options that remain when pages of the file are lost."""

_NO_SEQUENCE_SQL = """
SELECT 'chunks', (SELECT max(id) FROM chunks) UNION ALL
SELECT 'changes', (SELECT max(seq) FROM changes)
"""
_SEQUENCE_SQL = "SELECT seq FROM sqlite_sequence WHERE name = :name"
_META_SQL = "SELECT key FROM meta WHERE NOT json_valid(coalesce(value_json, 'null'))"


def pages(context: DoctorContext) -> Iterator[Problem]:
    """SQLite's own check of every page, every index and the keyword index."""
    database = context.storage.database
    try:
        found = health.integrity(database)
    except StorageError as error:
        yield Problem(error.message, RESTORE, blocks=True)
        return
    if found.pages:
        fact = f"the file is damaged: {some(found.pages)}"
        yield Problem(fact, RESTORE, count=len(found.pages), blocks=True)
    if found.indexes:
        yield Problem(
            f"indexes differ from their tables: {some(found.indexes)}",
            "rebuilds the indexes",
            partial(_in_transaction, context, health.reindex_tables),
            count=len(found.indexes),
            blocks=True,
        )
    if found.words:
        yield Problem(
            f"the keyword index is damaged: {some(found.words)}",
            "rebuilds every keyword entry",
            partial(_in_transaction, context, health.empty_words),
            blocks=True,
        )


def _in_transaction(context: DoctorContext, action: health.Action) -> None:
    with context.storage.database.transaction() as tx:
        action(tx)


def tables(context: DoctorContext) -> Iterator[Problem]:
    """The tables, indexes and triggers are those that this program makes."""
    database = context.storage.database
    pattern = SqliteStorage.in_memory()
    try:
        with pattern.database.transaction() as tx:
            health.make_space_tables(tx, context.storage.spaces().all())
        found = health.schema_differences(database, pattern.database)
    finally:
        pattern.close()
    lost = [item for item in found.missing if item.kind == "table"]
    if lost:
        yield Problem(
            f"tables are missing, with what was in them: {some([item.name for item in lost])}",
            "creates them again, empty",
            partial(_make, context, lost),
            count=len(lost),
            blocks=True,
        )
    rebuilt = [item for item in (*found.missing, *found.altered) if item.kind != "table"]
    if rebuilt:
        yield Problem(
            f"indexes or triggers are missing or altered: {some([item.name for item in rebuilt])}",
            "rebuilds them",
            partial(_make, context, rebuilt),
            count=len(rebuilt),
            blocks=True,
        )
    altered = [item.name for item in found.altered if item.kind == "table"]
    if altered:
        fact = f"tables were altered by another program: {some(altered)}"
        yield Problem(fact, RESTORE, count=len(altered), blocks=True)
    if found.stray:
        yield Problem(
            f"tables or triggers belong to nothing: {some([item.name for item in found.stray])}",
            "removes them",
            partial(_drop, context, found.stray),
            count=len(found.stray),
            blocks=True,
        )


def _make(context: DoctorContext, items: list[health.Item]) -> None:
    with context.storage.database.transaction() as tx:
        for item in items:
            health.rebuild(tx, item)


def _drop(context: DoctorContext, items: list[health.Item]) -> None:
    with context.storage.database.transaction() as tx:
        for item in items:
            health.drop(tx, item)


def references(context: DoctorContext) -> Iterator[Problem]:
    """No row refers to one that is not there."""
    for table, rowids in health.dangling(context.storage.database).items():
        fact = tally(f"rows of {table} that refer to missing rows", len(rowids))
        if table == "turns":  # a session row is easy to create again, its turns are not
            repair, action = "creates their sessions again", partial(_make_sessions, context)
        else:
            repair = "removes references to missing rows"
            remove = partial(health.remove_dangling, table=table)
            action = partial(_in_transaction, context, remove)
        yield Problem(fact, repair, action, count=len(rowids))


def _make_sessions(context: DoctorContext) -> None:
    store = TurnStore(context.storage.database)
    usual = context.workspace.config.long_term_opt_in
    with context.storage.database.transaction() as tx:
        for name, begun in tx.run("SELECT session_id, min(recorded_at) FROM turns GROUP BY 1"):
            store.touch_session(tx, name, opt_in=None, usual=usual, now=begun)


def counters(context: DoctorContext) -> Iterator[Problem]:
    """The change log and the chunks have numbers that rise, and facts can be read."""
    database = context.storage.database
    for name, largest in database.read(_NO_SEQUENCE_SQL):
        rows = database.read(_SEQUENCE_SQL, {"name": name})
        if largest is not None and (not rows or rows[0][0] < largest):
            yield Problem(
                f"the next number of {name} was already used: the last is {largest}, the "
                f"counter says {rows[0][0] if rows else 'nothing'}",
                "sets the counter",
                partial(_in_transaction, context, partial(health.set_sequence, name=name)),
            )
    unreadable = [key for (key,) in database.read(_META_SQL)]
    if unreadable:
        yield Problem(
            f"facts about the database cannot be read: {some(unreadable)}",
            "removes them",
            partial(_in_transaction, context, _forget_unreadable),
            count=len(unreadable),
        )


def _forget_unreadable(tx: Transaction) -> None:
    tx.run("DELETE FROM meta WHERE NOT json_valid(coalesce(value_json, 'null'))")
