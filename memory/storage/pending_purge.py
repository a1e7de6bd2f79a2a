"""Lets nothing stay in the files of what was removed for good, whoever is killed before that."""

from memory.storage import Storage, Transaction
from memory.storage.meta import PURGE_OWED, read_meta, write_meta


def owe_purge(tx: Transaction) -> None:
    """Note, with what is removed, that its words may still stand in parts of the files."""
    write_meta(tx, PURGE_OWED, True)


def purge_owed(storage: Storage) -> bool:
    """Purge the files if anybody owes that; whether nothing of what was removed is left there."""
    if not read_meta(storage.database, PURGE_OWED):
        return True
    if not storage.purge():
        return False
    with storage.database.transaction() as tx:
        write_meta(tx, PURGE_OWED, None)
    return True
