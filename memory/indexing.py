"""Takes loaded text the rest of the way: pieces, vectors, and a transaction.

Files and ingested texts come through here alike. Documents wait until there are enough chunks for a
batch of embeddings, and are then stored in one short transaction: a commit for each small file took
as long as everything else about it. A document is always stored whole or not at all.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from contracts import IncompatibleError, UnavailableError
from ingest import ChunkSettings, LoadedText, chunk, fingerprint
from memory.document_store import DocumentStore
from memory.documents import Document, document_chunks, stored_texts, texts_to_embed
from memory.embedding import EmbeddedBatch, Embedder
from memory.meta import KEYWORDS, VECTORS_MISSING, read_meta, write_meta
from memory.storage import NewChunk, Space, Storage, Transaction
from search import KEYWORD_FORM

FLUSH_CHUNKS = 512
"""How many chunks wait at most before they are embedded together and stored."""


@dataclass(slots=True)
class IndexingCounts:
    """What was stored: new chunks, and how many vectors were computed or known already.

    `warnings` says why chunks were stored without a vector, if any were.
    """

    chunks: int = 0
    embedded: int = 0
    cached: int = 0
    warnings: list[str] = field(default_factory=list)


class Indexer:
    """Cuts, embeds and stores documents in batches; `flush` stores what still waits."""

    def __init__(
        self,
        storage: Storage,
        embedder: Embedder,
        chunking: ChunkSettings,
        *,
        cache_bytes: int,
        dry_run: bool = False,
    ) -> None:
        active = storage.active_space()
        # A newer program may cut otherwise under the same settings; one space is one generation.
        self.generation = active.generation if active else fingerprint(chunking)
        self.counts = IndexingCounts()
        self._storage = storage
        self._documents = DocumentStore(storage)
        self._embedder = embedder
        self._chunking = chunking
        self._cache_bytes = cache_bytes
        self._dry_run = dry_run
        self._waiting: list[tuple[Document, list[NewChunk]]] = []
        self._waiting_chunks = 0
        self._provider_failed = False
        self._foreseen: set[bytes] = set()

    def add(self, document: Document, loaded: LoadedText) -> None:
        """Take on a document that has its row's values but for `tail`, which the pieces give."""
        pieces = chunk(loaded, self._chunking)
        end = max((piece.end_char for piece in pieces), default=0)
        whole = replace(document, tail=loaded.text[end:])
        chunks = document_chunks(whole, loaded.text, pieces)
        self._waiting.append((whole, chunks))
        self._waiting_chunks += len(chunks)
        if self._waiting_chunks >= FLUSH_CHUNKS:
            self.flush()

    def flush(self) -> None:
        """Embed and store every document that waits."""
        waiting, self._waiting, self._waiting_chunks = self._waiting, [], 0
        if not waiting:
            return
        new = [self._unstored(document, chunks) for document, chunks in waiting]
        n_new = sum(map(len, new))
        texts = texts_to_embed(item for chunks in new for item in chunks)
        if self._dry_run:
            self._foresee(texts)
            self.counts.chunks += n_new
            self.counts.cached += n_new - len(texts)
            return
        # Nothing new asks nothing of the model, which may be slow to load or out of reach.
        batch, space = self._embed(texts) if texts else (EmbeddedBatch(), None)
        if space is not None:
            self.counts.cached += n_new - len(texts)  # equal texts of one batch
        is_new = not self._storage.count_chunks()
        with self._storage.database.transaction() as tx:
            if is_new:
                write_meta(tx, KEYWORDS, KEYWORD_FORM)
            for document, chunks in waiting:
                self._store(tx, document, chunks, batch=batch, space=space)

    def _unstored(self, document: Document, chunks: list[NewChunk]) -> list[NewChunk]:
        stored = self._documents.chunk_uids(document)
        return [item for item in chunks if item.uid not in stored] if stored else chunks

    def _store(
        self,
        tx: Transaction,
        document: Document,
        chunks: Sequence[NewChunk],
        *,
        batch: EmbeddedBatch,
        space: Space | None,
    ) -> None:
        changes = self._documents.write(tx, document, chunks, space=space, vectors=batch.vectors)
        # Chunks that were there when `_unstored` looked may be gone, and have come back without.
        if any(content not in batch.vectors for content in changes.added.values()):
            write_meta(tx, VECTORS_MISSING, True)
        self.counts.chunks += len(changes.added)

    def _embed(self, texts: Mapping[bytes, str]) -> tuple[EmbeddedBatch, Space | None]:
        """Vectors for these texts; no space when the provider is out of reach."""
        if self._provider_failed:
            return EmbeddedBatch(), None
        try:
            space = self._embedder.open_space(
                generation=self.generation, chunking=json.dumps(asdict(self._chunking))
            )
            batch = self._embedder.document_vectors(space, texts, cache_bytes=self._cache_bytes)
        except (UnavailableError, IncompatibleError) as error:
            self._provider_failed = True
            self.counts.warnings.append(
                f"new chunks have no vectors yet and are found by their words: {error}"
            )
            return EmbeddedBatch(), None
        self.counts.embedded += batch.embedded
        self.counts.cached += batch.cached
        return batch, space

    def complete_vectors(self) -> None:
        """Embed the chunks that were stored while the provider was out of reach."""
        database = self._storage.database
        if self._dry_run or self._provider_failed or not read_meta(database, VECTORS_MISSING):
            return
        last, (_, reached) = 0, self._embed({})
        for document in self._documents.unserved_texts() if reached else ():
            text = LoadedText(self._documents.text(document), "text", "utf-8")
            self.add(replace(document, generation=self.generation), text)
        self.flush()
        while reached and (ids := self._without_vector(reached, after=last)):
            last = ids[-1]
            texts = stored_texts(self._storage, ids)
            batch, reached = self._embed(dict(texts.values()))
            found = {key: batch.vectors.get(content) for key, (content, _) in texts.items()}
            rows = {key: row for key, row in found.items() if row is not None}
            if reached:
                with database.transaction() as tx:
                    self._storage.put_vectors(tx, reached, rows)
        if reached:
            with database.transaction() as tx:
                # Others may have stored more meanwhile.
                if not self._without_vector(reached, after=last):
                    write_meta(tx, VECTORS_MISSING, False)

    def _foresee(self, texts: Mapping[bytes, str]) -> None:
        """Count as `_embed` would."""
        active = self._storage.active_space()
        known = self._storage.known_vectors(active, texts) if active else {}
        cached = sum(content in known or content in self._foreseen for content in texts)
        self.counts.cached += cached
        self.counts.embedded += len(texts) - cached
        self._foreseen.update(texts)

    def _without_vector(self, space: Space, *, after: int) -> list[int]:
        return self._storage.chunks_without_vector(space, after=after, limit=FLUSH_CHUNKS)
