"""The indexing of loaded text: cut it, embed it, store it in a transaction.

Files and ingested texts both use it. Documents wait until there are enough chunks for a batch of
embeddings, and are then stored in one short transaction: a commit for each small file took as long
as everything else about it. A document is always stored whole or not at all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from contracts import IncompatibleError, UnavailableError
from ingest import ChunkSettings, LoadedText
from memory.index.document_store import DocumentStore
from memory.index.documents import Document, stored_texts, texts_to_embed
from memory.index.embedding.embedder import EmbeddedBatch
from memory.index.embedding.refusals import known_refusals
from memory.index.embedding.remote_texts import lacks_vectors
from memory.index.indexing_counts import IndexingCounts
from memory.index.indexing_settings import IndexingSettings, indexing_settings_for
from memory.index.preparation import PreparedDocument, cut
from memory.storage import NewChunk, Space, Storage, Transaction
from memory.storage.meta import KEYWORDS, VECTORS_MISSING, read_meta, write_meta
from memory.workspace import Workspace
from providers.batching import estimated_tokens
from search import KEYWORD_FORM

FLUSH_CHUNKS = 512
"""Most chunks that wait before they are embedded together and stored."""


class Indexer:
    """An indexer, which stores documents in batches; `flush` stores what still waits.

    `settings` returns the present settings of the database. It is called again when another space
    has become active, and waiting documents are then cut and embedded for that one.
    """

    def __init__(
        self,
        storage: Storage,
        settings: Callable[[], IndexingSettings],
        *,
        cache_bytes: int,
        dry_run: bool = False,
    ) -> None:
        self.counts = IndexingCounts()
        self._storage = storage
        self._documents = DocumentStore(storage)
        self._read_settings = settings
        self._settings = settings()
        self._cache_bytes = cache_bytes
        self._dry_run = dry_run
        self._waiting: list[PreparedDocument] = []
        self._waiting_chunks = 0
        self._provider_failed = False
        self._skips_vectors = False
        self._foreseen: set[bytes] = set()
        self._known: set[str] = set()

    @property
    def generation(self) -> str:
        """The fingerprint of the chunks that are made now."""
        return self._settings.generation

    @property
    def chunking(self) -> ChunkSettings:
        """The present chunk settings."""
        return self._settings.chunking

    def skip_vectors(self) -> None:
        """Do not use the model; stored chunks get their vectors by `complete_vectors` later."""
        self._skips_vectors = True

    def add(self, document: Document, loaded: LoadedText, *, is_known: bool = False) -> None:
        """Add a document; `generation`, `tail` and `layout` are those of the pieces.

        One that `is_known` is stored only if it is still there: it may be forgotten meanwhile.
        """
        if is_known:
            self._known.add(document.id)
        self.take(self._cut(document, loaded))

    def take(self, prepared: PreparedDocument) -> None:
        """Add a document that has been cut already."""
        if prepared.document.generation != self.generation:  # another space has become active
            prepared = self._cut(prepared.document, prepared.loaded)
        self.counts.note_warnings(prepared)
        self._waiting.append(prepared)
        self._waiting_chunks += len(prepared.chunks)
        if self._waiting_chunks >= FLUSH_CHUNKS:
            self.flush()

    def _cut(self, document: Document, loaded: LoadedText) -> PreparedDocument:
        settings = self._settings
        whole, chunks = cut(document, loaded, settings.chunking, generation=settings.generation)
        return PreparedDocument(whole, chunks, loaded)

    def flush(self) -> None:
        """Embed and store every document that waits."""
        waiting, self._waiting, self._waiting_chunks = self._waiting, [], 0
        while waiting and not self._try_flush(waiting):
            waiting = self._switch_space(waiting)

    def _switch_space(self, waiting: Sequence[PreparedDocument]) -> list[PreparedDocument]:
        """Switch to the space that is now active; return the waiting documents as that one needs
        them.
        """
        before, self._settings = self._settings, self._read_settings()
        self._provider_failed = False
        if self._settings.generation == before.generation:
            return list(waiting)
        return [self._cut(item.document, item.loaded) for item in waiting]

    def _try_flush(self, waiting: Sequence[PreparedDocument]) -> bool:
        """Store these; return False, and store nothing, if another space became active."""
        new = self._unstored(waiting)
        n_new = sum(map(len, new))
        texts = texts_to_embed(item for chunks in new for item in chunks)
        if self._dry_run:
            self._count_foreseen(texts)
            self.counts.chunks += n_new
            self.counts.cached += n_new - len(texts)
            return True
        # Without new texts the model is not used: it may be slow to load or out of reach.
        batch, space = self._embed(texts) if texts else (EmbeddedBatch(), None)
        is_new = not self._storage.count_chunks()
        with self._storage.database.transaction() as tx:
            if self._is_outdated():
                return False
            space = self._stored_space(tx, space)
            if is_new:
                write_meta(tx, KEYWORDS, KEYWORD_FORM)
            added: dict[int, bytes] = {}
            for item in waiting:
                if item.document.id in self._known and not self._documents.get(item.document.id):
                    continue
                added |= self._store(tx, item, batch)
            if space is not None:
                self._documents.put_vectors(tx, space, added, vectors=batch.vectors)
        if space is not None:
            self.counts.cached += n_new - len(texts)  # equal texts of one batch
        return True

    def _is_outdated(self) -> bool:
        """Return whether another space is active than the one that the settings are for."""
        active = self._storage.active_space()
        return active is not None and active != self._settings.space

    def _unstored(self, waiting: Sequence[PreparedDocument]) -> list[list[NewChunk]]:
        """Return the chunks of each of these that are not stored yet."""
        stored = self._documents.chunk_uids(item.document for item in waiting)
        none: set[str] = set()
        return [
            [one for one in item.chunks if one.uid not in stored.get(item.document.id, none)]
            for item in waiting
        ]

    def _store(
        self, tx: Transaction, item: PreparedDocument, batch: EmbeddedBatch
    ) -> dict[int, bytes]:
        """Store a document without vectors; return its new chunks with their contents."""
        changes = self._documents.write(tx, item.document, item.chunks)
        # Chunks that `_unstored` found may have been removed since, and are now stored again.
        if any(content not in batch.vectors for content in changes.added.values()):
            write_meta(tx, VECTORS_MISSING, True)
        self.counts.chunks += len(changes.added)
        self._count_refused(batch, changes.added.values())
        return dict(changes.added)

    def _count_refused(self, batch: EmbeddedBatch, contents: Iterable[bytes]) -> None:
        """Count the chunks with these contents that the provider refuses."""
        reasons = [batch.refused[content] for content in contents if content in batch.refused]
        self.counts.refused += len(reasons)
        self.counts.refusal = reasons[-1] if reasons else self.counts.refusal

    def _embed(self, texts: Mapping[bytes, str]) -> tuple[EmbeddedBatch, Space | None]:
        """Return vectors for these texts, and their space, which `_stored_space` stores if new.

        No space when the provider cannot be reached: an unusable model must not create a database.
        """
        if self._provider_failed or self._skips_vectors:
            return EmbeddedBatch(), None
        try:
            space = self._space()
            batch = self._settings.embedder.document_vectors(
                space, texts, cache_bytes=self._cache_bytes
            )
        except (UnavailableError, IncompatibleError) as error:
            if self._is_outdated():  # nothing failed: the model was the former space's
                return EmbeddedBatch(), None
            self._provider_failed = True
            self.counts.warnings.append(
                f"new chunks have no vectors yet and are found by keywords only: {error}"
            )
            return EmbeddedBatch(), None
        self.counts.embedded += batch.embedded
        self.counts.cached += batch.cached
        return batch, space

    def _space(self) -> Space:
        """Return the space to fill; the first of a database as it would be stored."""
        settings = self._settings
        if settings.space is not None:
            return settings.embedder.checked(settings.space)
        return settings.first_space()

    def _stored_space(self, tx: Transaction, space: Space | None) -> Space | None:
        """Return the space, stored with its first vectors unless it is already."""
        if space is not None and self._settings.space is None:
            self._settings = self._settings._replace(space=self._storage.create_space(tx, space))
        return space and self._settings.space

    def complete_vectors(self) -> None:
        """Embed the chunks that were stored while the provider was out of reach."""
        if self._provider_failed or self._skips_vectors:
            return
        if not read_meta(self._storage.database, VECTORS_MISSING):
            return
        if self._dry_run:
            self._count_foreseen_missing()
            return
        for document in self._documents.unserved_texts():
            if document.generation != self.generation:
                loaded = LoadedText(self._documents.text(document), "text", "utf-8")
                self.add(document, loaded, is_known=True)
        self.flush()
        while not self._try_complete():
            self._switch_space([])

    def _try_complete(self) -> bool:
        """Embed missing vectors; return False if another space became active during that time."""
        last, reached = 0, True
        while reached and (ids := self._without_vector(after=last)):
            last = ids[-1]
            texts = stored_texts(self._storage, ids)
            batch, space = self._embed(dict(texts.values()))
            found = {key: batch.vectors.get(content) for key, (content, _) in texts.items()}
            rows = {key: row for key, row in found.items() if row is not None}
            with self._storage.database.transaction() as tx:
                if self._is_outdated():
                    return False
                space = self._stored_space(tx, space)
                if space is not None:
                    self._storage.put_vectors(tx, space, rows)
            reached = space is not None
            self._count_refused(batch, (content for content, _ in texts.values()))
        with self._storage.database.transaction() as tx:
            if self._is_outdated():
                return False
            # Other processes may have stored more during that time.
            if reached and not self._without_vector(after=last):
                write_meta(tx, VECTORS_MISSING, False)
        return True

    def _count_foreseen(self, texts: Mapping[bytes, str]) -> None:
        """Count as `_embed` would."""
        active = self._storage.active_space()
        known = self._storage.known_vectors(active, texts) if active else {}
        refused = known_refusals(self._storage.database, active, texts) if active else {}
        self.counts.refused += len(refused)
        texts = {content: text for content, text in texts.items() if content not in refused}
        new = [item for item in texts if item not in known and item not in self._foreseen]
        self.counts.cached += len(texts) - len(new)
        self.counts.embedded += len(new)
        self.counts.tokens += sum(estimated_tokens(texts[content]) for content in new)
        self._foreseen.update(texts)

    def _count_foreseen_missing(self) -> None:
        """Count what `complete_vectors` would embed, with the texts as they are cut now."""
        last = 0
        while ids := self._without_vector(after=last):
            last = ids[-1]
            self._count_foreseen(dict(stored_texts(self._storage, ids).values()))

    def _without_vector(self, *, after: int) -> list[int]:
        """Return the next chunks to embed; none once another space is active, since this one may
        be gone.
        """
        space, limit = self._settings.space, FLUSH_CHUNKS
        with self._storage.database.snapshot():
            if self._is_outdated():
                return []
            if space is not None:
                return self._storage.chunks_without_vector(space, after=after, limit=limit)
            sql = """SELECT id FROM chunks WHERE id > :after AND generation IN (:generation, '')
                ORDER BY id LIMIT :limit"""
            values = {"after": after, "generation": self.generation, "limit": limit}
            return [row[0] for row in self._storage.database.read(sql, values)]


def embed_missing(workspace: Workspace) -> IndexingCounts:
    """Give the chunks that were stored without a vector their vectors; syncs may run in
    parallel.
    """
    indexer = Indexer(
        workspace.storage,
        partial(indexing_settings_for, workspace),
        cache_bytes=workspace.config.embeddings.cache_bytes,
    )
    lacks_vectors(workspace)
    indexer.complete_vectors()
    return indexer.counts
