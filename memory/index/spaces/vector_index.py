"""The index of the vectors of a large space, without which searches only take longer."""

from contracts import MemError
from memory.storage import Storage


def index_vectors(storage: Storage) -> list[str]:
    """Build the index where it is missing; return a warning where that fails."""
    try:
        storage.index_vectors()
    except MemError as error:
        return [f"the vectors have no index, and searches take longer: {error.message}"]
    return []
