"""The embedding of a query by the model that filled the space, or else by the fallback.

When neither can be used, keyword search alone answers, and the answer says why.
"""

from contracts import MemError, QueryVector
from contracts.named_tuple import NamedTuple
from memory.index.embedding.active_model import model_for
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import UNUSABLE
from memory.storage import Space, Storage
from memory.workspace import Workspace
from search import NO_QUERY_VECTOR, QueryVectorInfo

_UNKNOWN: QueryVector = (0.0,)
"""The vector of a query whose words the model does not know; the search says so."""


class QueryEmbedding(NamedTuple):
    """The vector of a query with its model's properties, and any failure.

    `fallback_space` is the space of the fallback, if the vector is from that.
    """

    query_vector: QueryVectorInfo = NO_QUERY_VECTOR
    failure: str | None = None
    fallback_space: Space | None = None

    def can_answer(self, storage: Storage) -> bool:
        """Return whether the vector's space may be queried; the active one always may."""
        return self.fallback_space is None or self.fallback_space in storage.spaces().all()


NO_EMBEDDING = QueryEmbedding()


def embed_query(workspace: Workspace, active: Space, text: str) -> QueryEmbedding:
    """Embed the text in the active space, or in that of the fallback if the model cannot be
    used.
    """
    try:
        embedder = Embedder(workspace.storage, model_for(workspace, active).provider)
        return QueryEmbedding(_embed(workspace, embedder, active, text))
    except UNUSABLE as error:
        return _embed_by_fallback(workspace, active, text, error)


def _embed_by_fallback(
    workspace: Workspace, active: Space, text: str, error: MemError
) -> QueryEmbedding:
    """Embed the text in the space of the fallback, if that may replace the model that failed."""
    from memory.storage.counters import QUERIES_BY_FALLBACK, QUERIES_WITHOUT_VECTORS

    refused = ""
    if workspace.config.embeddings.fallback_provider is not None:
        from memory.index.embedding.fallback import find_fallback

        try:
            other = find_fallback(workspace, active)
            query_vector = _embed(workspace, other.embedder, other.space, text)
            workspace.counters.note(QUERIES_BY_FALLBACK, reason=error.message)
            failure = (
                f"answered by the fallback {other.space.provider} {other.space.model}, "
                f"in place of {active.provider} {active.model}: {error}"
            )
            return QueryEmbedding(query_vector, failure, other.space)
        except UNUSABLE as refusal:
            refused = f"; and the fallback cannot answer: {refusal}"
    workspace.counters.note(QUERIES_WITHOUT_VECTORS, reason=error.message)
    return QueryEmbedding(
        failure=f"answered by words alone, without the embedding model: {error}{refused}"
    )


def _embed(workspace: Workspace, embedder: Embedder, space: Space, text: str) -> QueryVectorInfo:
    """Embed the text in a space. Raises what the model does."""
    vector = _query_vector(workspace, embedder, space, text)
    return query_vector_info(embedder, _UNKNOWN if vector is None else vector)


def query_vector_info(embedder: Embedder, vector: QueryVector | None) -> QueryVectorInfo:
    """Return the vector of a query with the properties of the model that made it."""
    card = embedder.card
    return QueryVectorInfo(
        vector,
        embedder.weight,
        card.latin_only,
        card.unrelated,
        turn_weight=card.turn_weight,
        code_weight=card.code_weight,
    )


def _query_vector(
    workspace: Workspace, embedder: Embedder, space: Space, text: str
) -> QueryVector | None:
    """Embed the text in the space, None when the model finds nothing in it; raises what that
    does.
    """
    if embedder.is_remote:
        cache_bytes = workspace.config.embeddings.cache_bytes
        from memory.retrieval.remote_queries import remote_queries_of

        return remote_queries_of(workspace).vector(embedder, space, text, cache_bytes=cache_bytes)
    embedder.checked(space)
    return embedder.query_vector(text)
