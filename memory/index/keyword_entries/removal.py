"""Removal of the keyword entries of chunks that no longer answer; the chunks stay.

Until then, the rarity of a word counts them too, and searches have to skip them.
"""

from collections.abc import Collection

from memory.storage import SpaceState, Storage

REMOVED_AT_ONCE = 500
"""Entries that one transaction removes."""


def remove_idle_keywords(storage: Storage, states: Collection[SpaceState]) -> int:
    """Remove the entries of generations all of whose spaces are in these states; return their
    number.

    It can be interrupted anywhere, and the next caller does the rest. Removed entries slow down
    searches until the index is compacted, so compact it afterwards.
    """
    spaces, last, removed = storage.spaces(), 0, 0
    while spaces.has_keywords_beside(states):
        with storage.database.transaction() as tx:
            ids = spaces.remove_keywords(tx, states, after=last, limit=REMOVED_AT_ONCE)
        removed += len(ids)
        last = ids[-1] if ids else 0
        if not ids:
            storage.compact()
            with storage.database.transaction() as tx:
                spaces.forget_keywords(tx, states)
    return removed
