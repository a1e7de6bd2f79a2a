"""A query as a vector, by the model that filled the space, or else by its fallback.

When neither can be used just now, the words answer alone, and the answer says why.
"""

from typing import NamedTuple

from contracts import MemError, QueryVector
from memory.index.embedding.active_model import model_for
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model import UNUSABLE
from memory.storage import Space, Storage
from memory.workspace import Workspace
from search import NO_MEANING, Meaning

_UNKNOWN: QueryVector = (0.0,)
"""A query of which the model knows no word; the search says so."""


class QueryEmbedding(NamedTuple):
    """What a query means to a model, and what failed.

    `stand_in` is the space of the fallback, when the vector is of that.
    """

    meaning: Meaning = NO_MEANING
    failure: str | None = None
    stand_in: Space | None = None

    def is_there(self, storage: Storage) -> bool:
        """Whether the space that the vector is of may be asked; the active one always may."""
        return self.stand_in is None or self.stand_in in storage.spaces().all()


NO_EMBEDDING = QueryEmbedding()


def embed_query(workspace: Workspace, active: Space, text: str) -> QueryEmbedding:
    """The text in the active space; in that of the fallback, if the model cannot be used."""
    try:
        embedder = Embedder(workspace.storage, model_for(workspace, active).provider)
        return QueryEmbedding(_meaning(workspace, embedder, active, text))
    except UNUSABLE as error:
        return _meant_without(workspace, active, text, error)


def _meant_without(
    workspace: Workspace, active: Space, text: str, error: MemError
) -> QueryEmbedding:
    """The text in the space of the fallback, if that may stand in for a model that failed."""
    from memory.storage.counters import QUERIES_BY_FALLBACK, QUERIES_WITHOUT_VECTORS

    refused = ""
    if workspace.config.embeddings.fallback_provider is not None:
        from memory.index.embedding.fallback import stand_in

        try:
            other = stand_in(workspace, active)
            meaning = _meaning(workspace, other.embedder, other.space, text)
            workspace.counters.note(QUERIES_BY_FALLBACK, reason=error.message)
            failure = (
                f"answered by the fallback {other.space.provider} {other.space.model}, "
                f"in place of {active.provider} {active.model}: {error}"
            )
            return QueryEmbedding(meaning, failure, other.space)
        except UNUSABLE as refusal:
            refused = f"; and no fallback stands in: {refusal}"
    workspace.counters.note(QUERIES_WITHOUT_VECTORS, reason=error.message)
    return QueryEmbedding(
        failure=f"answered by words alone, without the embedding model: {error}{refused}"
    )


def _meaning(workspace: Workspace, embedder: Embedder, space: Space, text: str) -> Meaning:
    """The text in a space. Raises what the model does."""
    vector = _query_vector(workspace, embedder, space, text)
    card = embedder.card
    known = _UNKNOWN if vector is None else vector
    return Meaning(known, embedder.weight, card.latin_only, card.unrelated)


def _query_vector(
    workspace: Workspace, embedder: Embedder, space: Space, text: str
) -> QueryVector | None:
    """The text in the space, None when the model finds nothing in it; raises what that does."""
    if embedder.is_remote:
        cache_bytes = workspace.config.embeddings.cache_bytes
        from memory.retrieval.remote_queries import remote_queries_of

        return remote_queries_of(workspace).vector(embedder, space, text, cache_bytes=cache_bytes)
    embedder.checked(space)
    return embedder.query_vector(text)
