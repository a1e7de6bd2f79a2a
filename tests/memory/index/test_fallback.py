"""The fallback begins a new database or answers from a space of its own, and says so each time."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from memory.config.settings import ChunkingConfig, EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.documents import stored_texts
from memory.index.embedding.active_model import known_model, model_for
from memory.index.embedding.embedder import Embedder, embedder_key
from memory.index.embedding.fallback import completeness_of, model_for_new_database
from memory.index.embedding.model_choice import configured_model
from memory.index.embedding.refusals import remember_refusals
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.retrieval.server_caches import memory_index_of, start_server_caches
from memory.storage import Space, content_hash
from memory.values.status_reports import FallbackStatus
from memory.workspace import Workspace
from providers import EmbeddingProvider, Kind, ModelCard, Rows
from providers.static_model import StaticProvider
from tests.memory.databases import FAKE, document, opened, use, write
from tests.memory.remote import RemoteFake

WITH_STATIC = replace(FAKE, fallback_provider="static")
TEXT = "Marmalade needs bitter oranges, sugar and a slow fire of four hours."


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Workspace]:
    """A new database of a remote model with the built-in one as its fallback."""
    with opened(tmp_path, embeddings=WITH_STATIC) as memory:
        yield memory


def remote(memory: Workspace, *, down: bool = False) -> RemoteFake:
    provider = RemoteFake()
    provider.down = down
    use(memory, provider)
    return provider


def fill(memory: Workspace) -> Space:
    """A space of the built-in model with a vector for every chunk, as a reindex leaves one."""
    active = memory.storage.active_space()
    assert active is not None
    embedder = Embedder(memory.storage, StaticProvider())
    card = embedder.card
    with memory.storage.database.transaction() as tx:
        space = memory.storage.create_space(
            tx,
            active._replace(
                provider=card.provider,
                model=card.model,
                revision=card.revision,
                dimensions=card.dimensions,
                embedder=embedder_key(card),
                state="retired",
            ),
        )
    ids = memory.storage.chunks_without_vector(space, after=0, limit=99)
    texts = stored_texts(memory.storage, ids)
    batch = embedder.document_vectors(space, dict(texts.values()), cache_bytes=0)
    rows = {key: batch.vectors[content] for key, (content, _) in texts.items()}
    with memory.storage.database.transaction() as tx:
        memory.storage.put_vectors(tx, space, {key: row for key, row in rows.items() if row})
    return space


def test_it_begins_a_database_whose_model_is_down(
    guarded: Workspace, docs: Path, tmp_path: Path
) -> None:
    write(docs, {"a.md": document(0, 1)})
    provider = remote(guarded, down=True)
    stats = sync_files(guarded, [docs])
    assert provider.texts_embedded == 0
    warning = (
        "this database was created with static, the fallback, because fake could not be used: "
        "embeddings.example:443 did not answer; once it can be: mem reindex"
    )
    assert stats.warnings == [warning]
    assert stats.embedded == 2
    answer = search(guarded, "marmalade oranges")
    assert answer.mode_used == "hybrid"
    assert answer.warnings[0] == warning
    with opened(tmp_path, embeddings=WITH_STATIC) as memory:
        status = read_status(memory)
        assert status.model is not None
        assert (status.model.provider, status.model.configured) == ("static", False)
        assert status.warnings == [warning]
        assert status.fallback == FallbackStatus(
            "static", False, "static is the model in use", 0, None
        )


@pytest.mark.parametrize("other", [WITH_STATIC, EmbeddingsConfig()], ids=["fallback", "chosen"])
def test_a_model_that_failed_from_the_first_has_begun_nothing(
    tmp_path: Path, docs: Path, other: EmbeddingsConfig
) -> None:
    """What has no vectors yet is free to take those of any model."""
    write(docs, {"a.md": document(0, 1)})
    with opened(tmp_path) as memory:
        remote(memory, down=True)
        assert sync_files(memory, [docs]).embedded == 0
        ingest_text(memory, TEXT)
        assert memory.storage.spaces().all() == []
    with opened(tmp_path, embeddings=other) as memory:
        if other is WITH_STATIC:
            remote(memory, down=True)
        stats = sync_files(memory, [docs])
        assert (stats.embedded, memory.storage.count_vectors()) == (3, 3)
        (space,) = memory.storage.spaces().all()
        assert (space.provider, space.state) == ("static", "active")
        assert read_status(memory).warnings == ([] if other is not WITH_STATIC else stats.warnings)


def test_texts_without_vectors_are_cut_as_the_database_is_begun(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        remote(memory, down=True)
        ingest_text(memory, " ".join([TEXT] * 9))
        before = memory.storage.count_chunks()
    with opened(tmp_path, chunking=ChunkingConfig(chunk_size_chars=2_000)) as memory:
        remote(memory)
        stats = sync_files(memory)
        assert stats.embedded == memory.storage.count_vectors() == 1 < before
        assert memory.storage.count_chunks() == 1


def test_a_text_begins_one_as_well(guarded: Workspace) -> None:
    remote(guarded, down=True)
    ingest_text(guarded, TEXT)
    active = guarded.storage.active_space()
    assert active is not None
    assert active.provider == "static"


def test_a_model_that_answers_begins_its_database(guarded: Workspace) -> None:
    provider = remote(guarded)
    assert model_for_new_database(guarded).provider is provider
    ingest_text(guarded, TEXT)
    active = guarded.storage.active_space()
    assert active is not None
    assert active.provider == "fake"
    asked = len(provider.asked)
    ingest_text(guarded, "another text")
    assert len(provider.asked) == asked  # nobody wonders about it any more
    assert read_status(guarded).warnings == []


def test_a_dry_run_asks_nobody_and_begins_nothing(guarded: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    provider = remote(guarded, down=True)
    stats = sync_files(guarded, [docs], dry_run=True)
    assert (provider.calls, provider.asked, guarded.storage.active_space()) == (0, [], None)
    assert stats.cost is not None
    assert stats.cost.host == "embeddings.example:443"


def test_a_fallback_that_is_down_itself(tmp_path: Path) -> None:
    """Words find what is indexed, as without one."""
    options = replace(FAKE, provider="openai", fallback_provider="fake")
    with opened(tmp_path, embeddings=options) as memory:
        remote(memory, down=True)
        fallback = known_model(memory, configured_model(None, options, provider="fake"))
        fallback.__dict__["provider"] = (other := RemoteFake())
        other.down = True
        ingest_text(memory, TEXT)
        assert other.asked
        assert memory.storage.count_vectors() == 0
        answer = search(memory, "oranges")
        assert answer.mode_used == "keyword"
        assert answer.results


def test_one_that_is_the_configured_model_is_none(tmp_path: Path) -> None:
    with opened(tmp_path, embeddings=replace(FAKE, fallback_provider="fake")) as memory:
        provider = remote(memory, down=True)
        assert model_for_new_database(memory).provider is provider
        assert provider.asked == []


def test_it_answers_from_its_own_complete_space(guarded: Workspace) -> None:
    remote(guarded)
    for text in (TEXT, "The pump in the cellar hums.", "Copper wire carries the signal."):
        ingest_text(guarded, text)
    space = fill(guarded)
    remote(guarded, down=True)
    answer = search(guarded, "bitter oranges")
    assert answer.mode_used == "hybrid"
    assert answer.warnings[0] == (
        f"answered by the fallback static {space.model}, in place of fake fake: "
        "embeddings.example:443 did not answer (try again, or go for a walk)"
    )
    assert TEXT in answer.results[0].text
    status = read_status(guarded)
    assert status.fallback is not None
    assert (status.fallback.stands_by, status.fallback.queries) == (True, 1)
    assert status.queries_without_vectors.number == 0


def test_its_scores_are_those_of_its_own_database(guarded: Workspace, tmp_path: Path) -> None:
    texts = (TEXT, "The pump in the cellar hums.", "Copper wire carries the signal.")
    remote(guarded)
    with opened(tmp_path / "own", embeddings=EmbeddingsConfig(provider="static")) as own:
        for text in texts:
            ingest_text(guarded, text)
            ingest_text(own, text)
        fill(guarded)
        remote(guarded, down=True)
        for query in ("jam from citrus", "water below the house", "copper"):
            mine = [(hit.text, hit.score) for hit in search(guarded, query).results]
            assert mine == [(hit.text, hit.score) for hit in search(own, query).results]


def test_a_server_answers_so_too(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    fill(guarded)
    start_server_caches(guarded)
    index = memory_index_of(guarded)
    assert index is not None
    index.wait()
    remote(guarded, down=True)
    for _ in range(2):
        answer = search(guarded, "oranges")
        assert (answer.mode_used, answer.cached) == ("hybrid", False)


def refusal(memory: Workspace) -> str:
    """Why the fallback does not stand in, by the warning and by the status alike."""
    remote(memory, down=True)
    answer = search(memory, "oranges")
    assert answer.mode_used == "keyword"
    assert answer.results
    status = read_status(memory)
    assert status.fallback is not None
    assert not status.fallback.stands_by
    reason = status.fallback.refused_because
    assert reason is not None
    assert f"; and the fallback cannot answer: {reason} (" in answer.warnings[0]
    assert status.queries_without_vectors.number == 1
    return reason


def test_it_is_refused_without_a_space(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    assert refusal(guarded) == (
        "the fallback static has no vectors in this database, and those of two models never meet"
    )


def test_it_is_refused_when_its_space_lacks_vectors(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    fill(guarded)
    ingest_text(guarded, "More about oranges.")
    assert refusal(guarded) == (
        "the fallback static has vectors of 1 of 2 chunks, and an answer from some would hide the "
        "others"
    )


WORDLESS = "\U0001f40c \U0001f40c \U0001f40c"
"""Of which the built-in model knows nothing."""


def test_a_text_that_it_knows_no_word_of_lacks_no_vector(guarded: Workspace) -> None:
    remote(guarded)
    for text in (TEXT, WORDLESS):
        ingest_text(guarded, text)
    space = fill(guarded)
    size = guarded.storage.spaces().size(space)
    assert (size.chunks, size.vectors) == (2, 1)
    remote(guarded, down=True)
    assert search(guarded, "bitter oranges").mode_used == "hybrid"
    status = read_status(guarded)
    assert status.fallback is not None
    assert status.fallback.stands_by
    ingest_text(guarded, "More about oranges.")
    assert search(guarded, "bitter oranges").mode_used == "keyword"


def test_a_text_that_it_refuses_lacks_no_vector(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    space = fill(guarded)
    other = "More about oranges."
    ingest_text(guarded, other)
    with guarded.storage.database.transaction() as tx:
        remember_refusals(tx, space, {content_hash(other): "too short"})
    remote(guarded, down=True)
    assert search(guarded, "bitter oranges").mode_used == "hybrid"


def test_whether_it_is_complete_is_looked_up_once_for_each_state(guarded: Workspace) -> None:
    remote(guarded)
    for text in (TEXT, WORDLESS):
        ingest_text(guarded, text)
    space = fill(guarded)
    model = model_for(guarded, space)
    model.__dict__["provider"] = counted = Counted(model.provider)
    for _ in range(3):
        assert completeness_of(guarded).of(space)
    assert counted.calls == 1
    ingest_text(guarded, "More about oranges.")
    assert not completeness_of(guarded).of(space)
    assert counted.calls == 2


class Counted(EmbeddingProvider):
    """Another provider, and how often it was called."""

    def __init__(self, inner: EmbeddingProvider) -> None:
        self._inner = inner
        self.calls = 0

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        self.calls += 1
        return self._inner.embed(texts, kind=kind)


def test_it_is_refused_when_its_chunks_are_others(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    space = fill(guarded)
    sql = "UPDATE spaces SET generation = 'older' WHERE id = :id"
    with guarded.storage.database.transaction() as tx:
        tx.run(sql, {"id": space.id})
    assert refusal(guarded).startswith("the fallback static has no vectors")


def test_a_space_that_is_gone_fails_no_query(guarded: Workspace) -> None:
    remote(guarded)
    ingest_text(guarded, TEXT)
    space = fill(guarded)
    remote(guarded, down=True)
    assert search(guarded, "oranges").mode_used == "hybrid"
    with guarded.storage.database.transaction() as tx:
        guarded.storage.spaces().drop(tx, space)
    assert search(guarded, "oranges").mode_used == "keyword"
