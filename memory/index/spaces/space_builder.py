"""The filling of an embedding space beside the active one, its check and its activation.

Everything is committed in small batches and found again by what is missing, so that a filling can
end anywhere and continue later. What others write during that time is missing too, until, in the
transaction that swaps, nothing is.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Literal

from contracts import IncompatibleError, StorageError
from contracts.named_tuple import NamedTuple
from ingest import ChunkSettings, fingerprint
from memory.index.document_store import DocumentStore
from memory.index.documents import Document, stored_fields, stored_texts
from memory.index.embedding.embedder import Embedder
from memory.index.preparation import cut
from memory.index.spaces.staged_chunks import StagedChunks
from memory.storage import NewChunk, Space, Storage, Transaction, utc_now
from memory.storage.meta import CHOSEN_BY_HAND, UPGRADED, VECTORS_MISSING, write_meta
from memory.storage.vectors import cosine, decoded, normalised
from memory.values.space_reports import ReindexProgress

FILLED_AT_ONCE = 128
"""Chunks whose vectors are committed together: what an interruption loses at most."""

CUT_AT_ONCE = 512
"""Chunks at which newly cut documents are stored."""

INDEXED_AT_ONCE = 256
"""Chunks whose keyword entries are made in one transaction."""

READ_AT_ONCE = 50
"""Documents whose rows are read together."""

SAMPLED = 32
"""Vectors that are computed again before a space may be activated."""

LEAST_COSINE = 0.99
"""Least cosine of a stored vector with the one that the model gives now. Batches of another size
change a vector by less than .001, another model or prompt by far more.
"""


class Target(NamedTuple):
    """The target of a filling: a model and chunk settings.

    `chosen_by`: the configuration, somebody who named the model, or the upgrade in the background.
    `over` is the configured model that it overrides, if it does.
    """

    embedder: Embedder
    chunking: ChunkSettings
    chosen_by: Literal["configuration", "hand", "upgrade"] = "configuration"
    over: str | None = None

    @property
    def space(self) -> Space:
        """The space as it would be stored."""
        space = self.embedder.space(
            generation=fingerprint(self.chunking), chunking=json.dumps(asdict(self.chunking))
        )
        return space._replace(state="filling")


class SpaceBuilder:
    """The builder of one space; made for a single run. `progress` may raise to end it."""

    def __init__(
        self,
        storage: Storage,
        target: Target,
        *,
        cache_bytes: int,
        progress: Callable[[ReindexProgress], None] | None = None,
    ) -> None:
        self._storage = storage
        self._target = target
        self._cache_bytes = cache_bytes
        self._on_progress = progress
        self._staged = StagedChunks(storage)
        self._documents = DocumentStore(storage)
        self._started = time.monotonic()
        with storage.database.transaction() as tx:
            self.space = storage.spaces().fill(tx, target.space)
        self.swapped = False
        self._catching_up = False
        self._passed: set[int] = set()
        self._documents_left, self._documents_total = self._staged.counts(self.space.generation)
        self._chunks_total, self._chunks_done = storage.spaces().size(self.space)
        self.documents = self.embedded = self.cached = self.indexed = 0

    @property
    def is_active(self) -> bool:
        """Return whether the space was active already at the start."""
        return self.space.state == "active"

    @property
    def unembedded(self) -> int:
        """The number of chunks that the model finds nothing in, or refuses."""
        return len(self._passed)

    def fill(self) -> None:
        """Cut and embed everything that is missing now.

        Raises what the provider does; what is done stays done.
        """
        self._report()
        self._cut_documents()
        self._embed_chunks()

    def verify(self) -> None:
        """Check what is stored. Raises StorageError or IncompatibleError for a space that must
        not answer.
        """
        malformed = self._storage.spaces().malformed(self.space)
        if malformed:
            raise StorageError(
                f"{malformed:,} vectors of {self.space.model} are damaged",
                hint="start again: mem reindex --abort, then the same reindex",
            )
        sample = self._storage.spaces().sample(self.space, limit=SAMPLED)
        texts = stored_texts(self._storage, list(sample))  # some may have been removed since
        again = self._target.embedder.embedded_again([text for _, text in texts.values()])
        agreement = [
            _agreement(row.v if row else None, sample[key])
            for key, row in zip(texts, again, strict=True)
        ]
        worst = min(agreement, default=1.0)
        if worst < LEAST_COSINE:
            raise IncompatibleError(
                f"{self.space.model} gives other vectors now than those that are stored: of "
                f"{len(texts)} texts that were embedded again, one has a cosine of {worst:.3f}",
                hint="start again: mem reindex --abort, then the same reindex",
            )

    def index_keywords(self) -> None:
        """Write the missing keyword entries; last of all, since they slow searches down."""
        last = 0
        while ids := self._storage.spaces().chunks_without_keywords(
            self.space, after=last, limit=INDEXED_AT_ONCE
        ):
            last = ids[-1]
            with (
                self._storage.database.transaction() as tx
            ):  # read inside, since a file might be renamed
                fields = stored_fields(self._storage, ids)
                self._storage.spaces().add_keywords(tx, self.space, fields)
            self.indexed += len(fields)
            self._report()

    def swap(self) -> None:
        """Activate the space, unless something is missing in it by now."""
        generation = self.space.generation
        with self._storage.database.transaction() as tx:
            if self._is_behind():
                self._catching_up = True
                return
            former = self._storage.active_space()
            self.space = self._storage.spaces().activate(tx, self.space)
            self._staged.activate(tx, generation)
            write_meta(tx, VECTORS_MISSING, False)
            self._note_choice(tx)
            upgraded = None
            if former is not None and self._target.chosen_by == "upgrade":
                upgraded = {"at": utc_now(), "embedder": former.embedder}
            write_meta(tx, UPGRADED, upgraded)
        self.swapped = True

    def keep(self) -> None:
        """Remember the choice of a space that answers already."""
        if self._target.chosen_by == "hand":
            with self._storage.database.transaction() as tx:
                self._note_choice(tx)

    def _note_choice(self, tx: Transaction) -> None:
        choice = {"embedder": self.space.embedder, "over": self._target.over}
        write_meta(tx, CHOSEN_BY_HAND, choice if self._target.chosen_by == "hand" else None)

    def _cut_documents(self) -> None:
        """Cut the documents whose chunks of the space's generation are not all there."""
        for batch in self._cut_batches():
            with self._storage.database.transaction() as tx:
                done = sum(
                    self._staged.write(tx, document, chunks, cut=whole)
                    for document, whole, chunks in batch
                )
            self.documents += done
            self._documents_left = max(0, self._documents_left - done)
            self._report()
        self._chunks_total, self._chunks_done = self._storage.spaces().size(self.space)

    def _cut_batches(self) -> Iterator[list[tuple[Document, Document, list[NewChunk]]]]:
        batch, n_chunks, after = [], 0, ""
        while page := self._staged.documents_without_chunks(
            self.space.generation, after=after, limit=READ_AT_ONCE
        ):
            for document in page:
                whole, chunks = self._cut(document)
                batch.append((document, whole, chunks))
                n_chunks += len(chunks)
                if n_chunks >= CUT_AT_ONCE:
                    yield batch
                    batch, n_chunks = [], 0
            after = page[-1].id
        if batch:
            yield batch

    def _cut(self, document: Document) -> tuple[Document, list[NewChunk]]:
        """Return the document in the space's generation, from its stored text."""
        loaded = self._documents.loaded(document)
        return cut(document, loaded, self._target.chunking, generation=self.space.generation)

    def _embed_chunks(self) -> None:
        last = 0
        while ids := self._storage.chunks_without_vector(
            self.space, after=last, limit=FILLED_AT_ONCE
        ):
            last = ids[-1]
            self._embed([key for key in ids if key not in self._passed])
            self._report()

    def _embed(self, ids: Sequence[int]) -> None:
        texts = stored_texts(self._storage, ids)
        batch = self._target.embedder.document_vectors(
            self.space, dict(texts.values()), cache_bytes=self._cache_bytes
        )
        found = {key: batch.vectors.get(content) for key, (content, _) in texts.items()}
        rows = {key: row for key, row in found.items() if row is not None}
        if rows:
            with self._storage.database.transaction() as tx:
                self._storage.put_vectors(tx, self.space, rows)
        self._passed.update(found.keys() - rows.keys())
        self._chunks_done += len(rows)
        if self._chunks_done + len(self._passed) > self._chunks_total:  # other processes write
            self._chunks_total, self._chunks_done = self._storage.spaces().size(self.space)
        self.embedded += batch.embedded
        self.cached += len(rows) - min(batch.embedded, len(rows))

    def _is_behind(self) -> bool:
        return bool(
            self._staged.documents_without_chunks(self.space.generation, after="", limit=1)
            or self._lacks_vectors()
            or self._storage.spaces().chunks_without_keywords(self.space, after=0, limit=1)
        )

    def _lacks_vectors(self) -> bool:
        ids = self._storage.chunks_without_vector(self.space, after=0, limit=len(self._passed) + 1)
        return not self._passed.issuperset(ids)

    @property
    def progress(self) -> ReindexProgress:
        """The progress of the filling."""
        seconds = time.monotonic() - self._started
        rate = (self.embedded + self.cached) / seconds if seconds else 0.0
        left = max(0, self._chunks_total - self._chunks_done - len(self._passed))
        known = rate > 0 and not self._documents_left
        return ReindexProgress(
            documents_done=self._documents_total - self._documents_left,
            documents_total=self._documents_total,
            chunks_done=self._chunks_done,
            chunks_total=self._chunks_total,
            embedded=self.embedded,
            chunks_per_s=round(rate, 1),
            seconds_left=round(left / rate, 1) if known else None,
            catching_up=self._catching_up,
        )

    def _report(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self.progress)


def _agreement(now: bytes | None, stored: bytes) -> float:
    """Return the cosine of two float16 rows; -1 when the model no longer gives one."""
    vector = None if now is None else normalised(decoded(now))
    return -1.0 if vector is None else cosine(vector, stored)
