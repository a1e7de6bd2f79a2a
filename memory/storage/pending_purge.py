"""Purges owed by removals, so that a killed process leaves no removed text in the files."""

from memory.storage import Storage, Transaction
from memory.storage.meta import PURGE_PENDING, read_meta, write_meta


def mark_purge_pending(tx: Transaction) -> None:
    """Record, in the transaction of a removal, that its words may remain in parts of the files."""
    write_meta(tx, PURGE_PENDING, True)


def run_pending_purge(storage: Storage) -> bool:
    """Purge the files if a removal needs it; return whether no removed text is left in them."""
    if not read_meta(storage.database, PURGE_PENDING):
        return True
    if not storage.purge():
        return False
    with storage.database.transaction() as tx:
        write_meta(tx, PURGE_PENDING, None)
    return True
