"""Preloading of the model of a space that is being filled, in a long-lived process.

A library such as torch takes seconds to load, and the first query after a swap would wait for it.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

from contracts import MemError
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import ChosenModel
from memory.storage import Space, Storage


class Preload:
    """A preloader of the models of new spaces. Any thread may use it."""

    def __init__(self, storage: Storage, model_of: Callable[[Space], ChosenModel]) -> None:
        self._storage = storage
        self._model_of = model_of
        self._lock = threading.Lock()
        self._seen = ""

    def look(self, spaces: str) -> threading.Thread | None:
        """Load the missing models in a separate thread if the spaces have changed since the last
        call.

        `spaces` is the part of a storage's revision that describes them.
        """
        with self._lock:
            if spaces == self._seen:
                return None
            self._seen = spaces
        thread = threading.Thread(target=self._load, name="warming", daemon=True)
        thread.start()
        return thread

    def _load(self) -> None:
        with suppress(MemError):  # the query that needs it will report it
            for space in self._storage.spaces().all():
                if space.state != "filling":
                    continue
                embedder = Embedder(self._storage, self._model_of(space).provider)
                if not embedder.is_remote:
                    embedder.query_vector("warm")
