"""The embedder of a database: one provider, its space, and the cache of known vectors."""

from collections.abc import Collection, Mapping, Sequence

from contracts import IncompatibleError, QueryVector
from contracts.named_tuple import NamedTuple
from memory.storage import Database, Space, Storage, StoredVector
from memory.storage.meta import FUSION_WEIGHTS, read_meta
from memory.storage.values import digest_of
from memory.storage.vectors import normalised, stored_vectors
from providers import EmbeddingProvider, ModelCard

UNMEASURED_WEIGHT = 0.5
"""Weight of the vector leg for an unmeasured model."""


def embedder_key(card: ModelCard) -> str:
    """Return a key of all that must be equal for two vectors to be comparable."""
    identity = (
        *(card.provider, card.model, card.revision, str(card.dimensions)),
        *("cosine", str(card.normalised), card.query_prompt, card.document_prompt),
    )
    return digest_of("\0".join(identity).encode(), size_bytes=8).hex()


class MeasuredWeight(NamedTuple):
    """The result of a `calibration`: a weight, from so many questions, among so many chunks."""

    weight: float
    questions: int
    chunks: int


def measured_weight(database: Database, embedder: str) -> MeasuredWeight | None:
    """Return the weight that was measured for an embedder, if one was."""
    weights = read_meta(database, FUSION_WEIGHTS) or {}
    return MeasuredWeight(**weights[embedder]) if embedder in weights else None


class EmbeddedBatch:
    """Vectors by content hash (None: the text has none), with counts by their origin.

    `refused` has the provider's reason for each text that it will not embed.
    """

    def __init__(self) -> None:
        self.vectors: dict[bytes, StoredVector | None] = {}
        self.refused: dict[bytes, str] = {}
        self.embedded = 0
        self.cached = 0


class Embedder:
    """The embedder of documents and queries in the database's active space."""

    def __init__(
        self,
        storage: Storage,
        provider: EmbeddingProvider,
        *,
        request: str | None = None,
        sends_captured: bool = False,
    ) -> None:
        """`request` is the request for the model, which a new space stores.

        `sends_captured`: conversations with agents may leave this machine.
        """
        self._request = request
        self._sends_captured = sends_captured
        self._storage = storage
        self._provider = provider

    @property
    def card(self) -> ModelCard:
        return self._provider.card

    @property
    def is_remote(self) -> bool:
        """Return whether texts leave this machine, or at least this program."""
        return self._provider.host is not None

    @property
    def sends_captured(self) -> bool:
        """Return whether the model may read conversations with agents: it is here, or allowed."""
        return not self.is_remote or self._sends_captured

    @property
    def weight(self) -> float:
        """The share of the vector leg in a hybrid score, in [0, 1].

        The card's own, else the one measured on this database's chunks, else UNMEASURED_WEIGHT.
        """
        if self.card.fusion_weight is not None:
            return self.card.fusion_weight
        measured = measured_weight(self._storage.database, embedder_key(self.card))
        return measured.weight if measured else UNMEASURED_WEIGHT

    def checked(self, space: Space) -> Space:
        """Return the space, if this model filled it.

        Raises IncompatibleError otherwise: its vectors must not meet the stored ones.
        """
        card = self.card
        if space.embedder != embedder_key(card):
            raise IncompatibleError(
                f"the vectors were made by {space.model} (revision {space.revision}), "
                f"and the installed model is {card.model} (revision {card.revision})",
                hint="type mem reindex, or install the model that made them",
            )
        return space

    def space(self, *, generation: str, chunking: str) -> Space:
        """Return the space of this model and these chunker settings, as it would be stored."""
        card = self.card
        return Space(
            id=0,
            provider=card.provider,
            model=card.model,
            revision=card.revision,
            dimensions=card.dimensions,
            embedder=embedder_key(card),
            generation=generation,
            chunking=chunking,
            state="active",
            request=self._request,
        )

    def embedded_again(self, texts: Sequence[str]) -> list[StoredVector | None]:
        """Embed these texts with the model itself, without the cache."""
        return stored_vectors(self._provider.embed(texts, kind="document"))

    def query_vector(self, text: str) -> QueryVector | None:
        """Return the unit vector of a query, or None when the model finds nothing in it."""
        (row,) = self._provider.embed([text], kind="query")
        return normalised(row)

    def query_vectors(self, texts: Sequence[str]) -> list[QueryVector | None]:
        """Return `query_vector` of each text, in as few calls as the provider allows."""
        from providers.batching import embed_in_calls  # no search embeds many

        vectors: list[QueryVector | None] = [None] * len(texts)
        for done in embed_in_calls(self._provider, texts, kind="query"):
            for position, row in zip(done.positions, done.rows, strict=True):
                vectors[position] = normalised(row)
        return vectors

    def document_vectors(
        self, space: Space, texts: Mapping[bytes, str], *, cache_bytes: int
    ) -> EmbeddedBatch:
        """Return the vectors of these texts, by content hash; each content is embedded once.

        Vectors that cost something are committed to the cache as the calls return, so that an
        interruption loses only the calls under way. `cache_bytes` is the most that the cache may
        take; 0 keeps nothing. Refusals of the provider are stored, and these texts are not sent
        again.
        """
        from memory.index.embedding.refusals import known_refusals  # no search embeds documents
        from providers.batching import embed_in_calls

        batch = EmbeddedBatch()
        batch.vectors.update(self._storage.known_vectors(space, texts))
        batch.cached = len(batch.vectors)
        keeps = cache_bytes > 0 and self.card.costly
        if keeps and batch.vectors:
            self._use_known(space, batch.vectors)
        if not keeps and space.embedder in self._storage.cache.limits():
            with self._storage.database.transaction() as tx:
                self._storage.cache.stop_keeping(tx, space)
        missing = [content for content in texts if content not in batch.vectors]
        batch.refused = known_refusals(self._storage.database, space, missing)
        self._hold_back(space, batch, missing)
        wanted = [content for content in missing if content not in batch.refused]
        called = [texts[content] for content in wanted]
        for done in embed_in_calls(self._provider, called, kind="document"):
            vectors = stored_vectors(done.rows)
            computed = dict(zip((wanted[at] for at in done.positions), vectors, strict=True))
            refused = {wanted[at]: reason for at, reason in done.refused.items()}
            batch.vectors |= computed
            batch.refused |= refused
            batch.embedded += len(computed)
            if refused:
                self._remember_refused(space, refused)
            elif keeps:
                self._remember(space, computed, cache_bytes=cache_bytes)
        batch.vectors |= dict.fromkeys(batch.refused)
        return batch

    def _hold_back(self, space: Space, batch: EmbeddedBatch, missing: Collection[bytes]) -> None:
        """Refuse to send what a model on another machine must not read."""
        if self._sends_captured or self._provider.host is None:
            return
        from memory.index.embedding.remote_texts import held_back, is_this_machine

        if is_this_machine(self._provider.host):
            return
        new = [content for content in missing if content not in batch.refused]
        if held := held_back(self._storage.database, new):
            batch.refused |= held
            self._remember_refused(space, held)

    def _remember(
        self, space: Space, computed: Mapping[bytes, StoredVector | None], *, cache_bytes: int
    ) -> None:
        from memory.storage.counters import TEXTS_EMBEDDED, add_count  # no search counts

        kept = {content: row.v for content, row in computed.items() if row is not None}
        with self._storage.database.transaction() as tx:
            self._storage.cache.put(tx, space, kept, kind="document", most_bytes=cache_bytes)
            add_count(tx, TEXTS_EMBEDDED, len(computed))

    def _remember_refused(self, space: Space, refused: Mapping[bytes, str]) -> None:
        from memory.index.embedding.refusals import remember_refusals  # no search embeds documents

        with self._storage.database.transaction() as tx:
            remember_refusals(tx, space, refused)

    def _use_known(self, space: Space, contents: Collection[bytes]) -> None:
        from memory.storage.counters import TEXTS_KNOWN, add_count  # no search counts

        with self._storage.database.transaction() as tx:
            self._storage.cache.mark_used(tx, space, contents, kind="document")
            add_count(tx, TEXTS_KNOWN, len(contents))
