"""The records that a memory holds, by kind and id."""

from memory.index.record_hooks import all_hooks
from memory.workspace import Workspace


def present(memory: Workspace) -> set[tuple[str, str]]:
    """Every record and every former value."""
    sql = "SELECT id FROM fact_history"
    former = [("former_fact", str(row[0])) for row in memory.storage.database.read(sql)]
    pages = ((hooks, hooks.page(limit=99, cursor=None)) for hooks in all_hooks(memory))
    found = (
        (hooks.kind.name, str(record.id).split(":")[-1])
        for hooks, page in pages
        for record in page.records
    )
    return {*former, *found}
