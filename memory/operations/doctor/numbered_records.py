"""Checks of records other than documents: each searchable one has chunks, none is orphaned."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import ANY_GENERATION
from memory.operations.doctor.values import DoctorContext, DoctorProblem, tally
from memory.operations.inserted_records import complete_inserted, has_inserted, numbered


def records(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every turn and active memory can be found, in the present form; no chunk is orphaned."""
    kinds = numbered(context.workspace)
    if has_inserted(context.workspace):
        yield DoctorProblem(
            "records that another program inserted are not complete",
            "completes them",
            partial(complete_inserted, context.workspace),
        )
    ownerless = _ownerless_sql(kinds)
    ((number,),) = context.storage.database.read(f"SELECT count(*) {ownerless}")
    if number:
        yield DoctorProblem(
            tally("chunks of missing records", number),
            "removes them",
            partial(_remove_chunks, context, ownerless),
            count=number,
        )
    for hooks in kinds:
        ids = hooks.unfound()
        if ids:
            yield DoctorProblem(
                tally(f"{hooks.kind.plural} that no search finds", len(ids), ids),
                "makes them findable again",
                partial(hooks.index, ids),
                count=len(ids),
            )
        old = [row[0] for row in context.storage.database.read(_outdated_sql(hooks))]
        if old:
            yield DoctorProblem(
                tally(f"{hooks.kind.plural} that an older version indexed", len(old), old),
                "indexes them again",
                partial(hooks.index, old),
                count=len(old),
            )


def _ownerless_sql(kinds: Sequence[NumberedRecords[Any]]) -> str:
    ways = (
        f"""source = '{hooks.kind.name}' AND NOT EXISTS (SELECT 1 FROM {hooks.table} AS r
        WHERE CAST(r.id AS TEXT) = c.owner_id AND {hooks.findable})"""
        for hooks in kinds
    )
    return f"FROM chunks AS c WHERE generation = '{ANY_GENERATION}' AND ({' OR '.join(ways)})"


def _outdated_sql(hooks: NumberedRecords[Any]) -> str:
    return f"""SELECT DISTINCT r.id FROM {hooks.table} AS r JOIN chunks AS c
        ON c.owner_id = CAST(r.id AS TEXT) AND c.source = '{hooks.kind.name}'
        WHERE {hooks.findable} AND {hooks.outdated} ORDER BY r.id"""


def _remove_chunks(context: DoctorContext, ownerless: str) -> None:
    with context.storage.database.transaction() as tx:
        sql = f"DELETE FROM chunks WHERE id IN (SELECT c.id {ownerless}) RETURNING hash"
        context.storage.cache.forget(tx, [row[0] for row in tx.run(sql)])
