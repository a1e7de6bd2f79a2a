"""When vectors are computed, reused, cached, missing and completed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from contracts import ConfigError, UnavailableError
from memory.config.settings import ChunkingConfig, EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.configuration_warnings import configuration_warnings
from memory.index.document_store import documents_of
from memory.index.embedding.active_model import active_model, embedder_of
from memory.index.embedding.embedder import UNMEASURED_WEIGHT, Embedder, embedder_key
from memory.index.embedding.model_choice import ChosenModel
from memory.operations.manage import delete_record, get_file, get_record
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage import Space, content_hash
from memory.storage.sqlite import SqliteStorage
from memory.storage.vectors import code_scale
from memory.workspace import Workspace
from providers.base import Kind, ModelCard
from providers.fake import FakeProvider
from providers.settings import ProviderSettings
from search import SearchOptions
from tests.memory.databases import contents, counts, document, fake, opened, use, write

NO_CACHE = EmbeddingsConfig(provider="fake", cache_embeddings=False)
STATIC = EmbeddingsConfig(provider="static")


def without_vector(memory: Workspace) -> list[str]:
    return [
        chunk.text
        for chunks in contents(memory).values()
        for chunk in chunks
        if chunk.vector is None
    ]


def test_vectors_are_the_providers_rows(memory: Workspace, docs: Path) -> None:
    """The unit row in steps of a power of two, which float16 holds, computed here again."""
    write(docs, {"a.md": document(0, 1, 2)})
    sync_files(memory, [docs])
    for chunk in contents(memory)[str(docs / "a.md")]:
        body = chunk.text[chunk.text.index("\n\n", chunk.text.index("## ")) + 2 :]
        (row,) = FakeProvider().embed([f"{chunk.heading}\n\n{body}"], kind="document")
        unit = np.array(row) / np.linalg.norm(row)
        steps = 256 * code_scale(len(row))
        rounded = np.rint(unit.astype("<f2").astype(np.float64) * steps) / steps
        assert chunk.vector == rounded.astype("<f2").tobytes()


def test_batches_are_as_large_as_the_card_says(memory: Workspace) -> None:
    texts = {content_hash(text): text for text in (f"word{n}" for n in range(11))}
    space = embedder_of(memory).space(generation="g", chunking="{}")
    batch = embedder_of(memory).document_vectors(space, texts, cache_bytes=0)
    assert (batch.embedded, batch.cached, fake(memory).calls) == (11, 0, 3)
    assert list(batch.vectors) == list(texts)


def test_the_cache_serves_across_deletion_and_return(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    before = contents(memory)[str(docs / "a.md")]
    (docs / "a.md").unlink()
    sync_files(memory)
    assert contents(memory) == {}
    write(docs, {"elsewhere.md": document(0, 1)})
    embedded = fake(memory).texts_embedded
    assert counts(sync_files(memory)) == {"added": 1, "chunks": 2, "cached": 2}
    assert fake(memory).texts_embedded == embedded
    after = contents(memory)[str(docs / "elsewhere.md")]
    assert [chunk.vector for chunk in after] == [chunk.vector for chunk in before]


@pytest.mark.parametrize("embeddings", [NO_CACHE, STATIC], ids=["cache off", "cheap model"])
def test_nothing_is_cached_and_live_vectors_serve(
    tmp_path: Path, docs: Path, embeddings: EmbeddingsConfig
) -> None:
    with opened(tmp_path, embeddings=embeddings) as memory:
        write(docs, {"a.md": document(0, 1)})
        assert sync_files(memory, [docs]).embedded == 2
        cached = memory.storage.database.read("SELECT count(*) FROM embedding_cache")
        assert cached == [(0,)]
        write(docs, {"copy.md": document(0, 1)})
        assert counts(sync_files(memory))["cached"] == 2
        for path in list(docs.iterdir()):
            path.unlink()
        sync_files(memory)
        write(docs, {"again.md": document(0, 1)})
        assert counts(sync_files(memory)) == {"added": 1, "chunks": 2, "embedded": 2}


def test_a_sync_with_nothing_new_asks_nothing_of_the_model(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(2)})
    sync_files(memory, [docs])
    use(memory, NeverProvider())
    (docs / "b.md").unlink()
    assert counts(sync_files(memory)) == {"unchanged": 1, "deleted": 1}
    write(docs, {"a.md": document(1)})
    assert counts(sync_files(memory)) == {"updated": 1}


class NeverProvider(FakeProvider):
    """A model that is too slow to be loaded without need."""

    @property
    def card(self) -> ModelCard:
        raise AssertionError("nobody needed the model")


@pytest.mark.slow
@pytest.mark.parametrize("fail_after", [0, 1, 20])
def test_a_provider_that_fails_on_the_way(memory: Workspace, docs: Path, fail_after: int) -> None:
    """Words answer at once, and the next sync computes exactly what is missing."""
    write(docs, {f"{n}.md": document(*range(n * 50, n * 50 + 50)) for n in range(24)})
    provider = FailingProvider(after=fail_after)
    use(memory, provider)
    stats = sync_files(memory, [docs])
    assert stats.added == 24
    assert stats.embedded == (550 if fail_after == 20 else 0)
    assert len(stats.warnings) == 1
    assert "found by keywords only: the fake embedding provider" in stats.warnings[0]
    missing = len(without_vector(memory))
    assert missing == 1200 - stats.embedded
    answer = search(memory, "item1101x3", SearchOptions(mode="hybrid"))
    assert "item1101x3" in answer.results[0].text
    assert any("no vectors yet" in warning for warning in answer.warnings)
    provider.fail_times = 0
    again = sync_files(memory)
    assert again.warnings == []
    assert counts(again) == {
        **{"unchanged": 24, "embedded": again.embedded},
        **({"cached": again.cached} if again.cached else {}),
    }
    assert again.embedded + again.cached == missing
    assert again.cached == {0: 0, 1: 32, 20: 64}[fail_after]
    assert without_vector(memory) == []
    calls = provider.calls
    assert search(memory, "item1101x3").warnings == []
    assert counts(sync_files(memory)) == {"unchanged": 24}
    assert provider.calls == calls + 1


class FailingProvider(FakeProvider):
    """Fails from its so many-th call on until it is told otherwise."""

    def __init__(self, *, after: int) -> None:
        super().__init__()
        self._after = after
        self.fail_times = 10**9 if not after else 0

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        if self.calls == self._after:
            self.fail_times = 10**9
        return super().embed(texts, kind=kind)


def test_texts_without_norm_are_not_asked_for_for_ever(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.txt": "— … — ¡!\n", "b.txt": "a word\n"})
    fake(memory).fail_times = 1
    assert sync_files(memory, [docs]).warnings
    assert counts(sync_files(memory)) == {"unchanged": 2, "embedded": 2}
    assert without_vector(memory) == ["— … — ¡!"]
    calls = fake(memory).calls
    for _ in range(2):
        assert counts(sync_files(memory)) == {"unchanged": 2}
    assert fake(memory).calls == calls


def test_texts_ingested_without_a_model_are_completed_by_a_sync(memory: Workspace) -> None:
    """Even when no folder was ever named."""
    fake(memory).fail_times = 2
    ingest_text(memory, "a first note about bridges")
    ingest_text(memory, "a second note about bridges")
    assert memory.storage.active_space() is None
    assert len(without_vector(memory)) == 2
    assert "no vectors yet" in search(memory, "bridges").warnings[0]
    assert counts(sync_files(memory)) == {"embedded": 2}
    assert without_vector(memory) == []
    assert search(memory, "bridges").warnings == []


def test_no_model_at_all_then_other_settings_then_a_model(tmp_path: Path, docs: Path) -> None:
    """Chunks that no space serves give way to those cut by the settings of the day."""
    write(docs, {"a.md": document(0, 1, 2, 3)})
    down = UnreachableProvider()
    with opened(tmp_path) as memory:
        use(memory, down)
        assert sync_files(memory, [docs]).chunks == 4
        done = ingest_text(memory, document(5, 6), tags=["t"], metadata={"title": "Note"})
        assert memory.storage.active_space() is None
        answer = search(memory, "marmalade oranges")
        assert answer.mode_used == "keyword"
        assert "no vectors yet" in answer.warnings[0]
    with opened(tmp_path, chunking=ChunkingConfig(chunk_size_chars=5000)) as memory:
        stats = sync_files(memory)
        file, text = contents(memory).values()
        total = len(file) + len(text)
        assert counts(stats) == {"updated": 1, "chunks": total, "embedded": total}
        assert len(text) == 1
        assert get_file(memory, done.id).text == document(5, 6)
        record = get_record(memory, done.id)
        assert (record.tags, record.metadata) == (["t"], {"title": "Note"})
        generations = memory.storage.database.read("SELECT DISTINCT generation FROM chunks")
        assert len(generations) == 1
        assert without_vector(memory) == []


class UnreachableProvider(FakeProvider):
    """A model of which not even the card can be had."""

    @property
    def card(self) -> ModelCard:
        raise UnavailableError("the model is out of reach", hint="plug it in")


def test_a_chunk_that_goes_while_its_text_is_embedded(memory: Workspace, docs: Path) -> None:
    """It is stored again without a vector; that is noted, and completed by the next sync."""
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    (known,) = documents_of(memory).below([str(docs)]).values()
    write(docs, {"a.md": document(0, 1, 2)})
    use(memory, DeletingProvider(memory, known.id))
    assert counts(sync_files(memory)) == {"updated": 1, "chunks": 3, "embedded": 3}
    assert without_vector(memory) == []


class DeletingProvider(FakeProvider):
    """While it computes, somebody deletes a record."""

    def __init__(self, memory: Workspace, record_id: str) -> None:
        super().__init__()
        self._memory, self._record_id = memory, record_id

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        if documents_of(self._memory).get(self._record_id):
            delete_record(self._memory, self._record_id)
        return super().embed(texts, kind=kind)


def test_auto_is_the_built_in_model_or_the_databases_own(tmp_path: Path) -> None:
    auto = EmbeddingsConfig(provider="auto")
    with opened(tmp_path / "new", embeddings=auto) as memory:
        ingest_text(memory, "a note")
        status = read_status(memory)
        assert status.model is not None
        assert (status.model.provider, status.model.configured) == ("static", True)
    with opened(tmp_path / "old") as memory:
        ingest_text(memory, "a note")
    with opened(tmp_path / "old", embeddings=auto) as memory:
        assert configuration_warnings(memory) == []
        assert isinstance(active_model(memory).provider, FakeProvider)
        assert search(memory, "note").mode_used == "hybrid"


@pytest.mark.parametrize(
    "embeddings, named",
    [
        pytest.param(STATIC, "provider static", id="another provider"),
        pytest.param(
            EmbeddingsConfig(provider="fake", model="other"), "provider fake with other", id="model"
        ),
        pytest.param(EmbeddingsConfig(provider="nobody"), "provider nobody", id="unknown"),
    ],
)
def test_another_model_in_the_configuration_changes_nothing_and_is_said(
    tmp_path: Path, embeddings: EmbeddingsConfig, named: str
) -> None:
    with opened(tmp_path) as memory:
        ingest_text(memory, "a note about bridges")
        before = search(memory, "bridges", SearchOptions(mode="vector", explain=True))
    with opened(tmp_path, embeddings=embeddings) as memory:
        answer = search(memory, "bridges", SearchOptions(mode="vector", explain=True))
        assert answer.results == before.results
        assert answer.mode_used == "vector"
        (warning,) = answer.warnings
        assert f"names the embedding {named}, and this database answers with fake" in warning
        model = read_status(memory).model
        assert model is not None
        assert (model.provider, model.model, model.configured) == ("fake", "fake", False)
        ingest_text(memory, "another note")
        assert without_vector(memory) == []


def test_another_revision_of_the_model_is_not_compared(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    with opened(tmp_path) as memory:
        use(memory, NewRevision())
        answer = search(memory, "cellar pump")
        assert answer.mode_used == "keyword"
        assert len(answer.results) == 1
        assert "revision 1" in answer.warnings[0]
        assert "revision 2" in answer.warnings[0]
        write(docs, {"b.md": document(1)})
        stats = sync_files(memory)
        assert counts(stats) == {"added": 1, "unchanged": 1, "chunks": 1}
        assert "revision 2" in stats.warnings[0]
    with opened(tmp_path) as memory:
        assert counts(sync_files(memory)) == {"unchanged": 2, "embedded": 1}


class NewRevision(FakeProvider):
    @property
    def card(self) -> ModelCard:
        return replace(super().card, revision="2")


def test_a_model_whose_library_is_gone(tmp_path: Path) -> None:
    """The database answers by words, and a status can be read."""
    space = Space(0, "gone", "m", "1", 8, "key", "g", '{"size_chars": 300}', "active")
    with opened(tmp_path) as memory, memory.storage.database.transaction() as tx:
        memory.storage.create_space(tx, space)
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="gone")) as memory:
        answer = search(memory, "anything")
        assert answer.mode_used == "keyword"
        assert "embedding provider named 'gone'" in answer.warnings[-1]
        assert read_status(memory).vectors == 0
        with pytest.raises(ConfigError, match="no embedding provider named 'gone'"):
            ingest_text(memory, "a note")


def test_other_chunk_settings_are_said_and_the_old_ones_stay(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(*range(6))})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    other = ChunkingConfig(chunk_size_chars=5000, chunk_overlap_chars=10, preserve_structure=False)
    with opened(tmp_path, chunking=other) as memory:
        warning = (
            "the configuration asks for chunks of 5000 characters (overlap 10, structure not kept),"
            " and this database has chunks of 300 characters (overlap 60, structure"
            " kept); to chunk it again: mem reindex"
        )
        assert search(memory, "pump").warnings == [warning]
        write(docs, {"b.md": document(*range(6))})
        stats = sync_files(memory)
        assert counts(stats) == {"added": 1, "unchanged": 1, "chunks": 6, "cached": 6}
        assert stats.warnings == [warning]
        a, b = contents(memory).values()
        assert [chunk.span for chunk in a] == [chunk.span for chunk in b]


def test_a_newer_chunker_leaves_one_generation(memory: Workspace, docs: Path) -> None:
    """A space keeps the name of its generation when the program's own fingerprint moves on."""
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    with memory.storage.database.transaction() as tx:
        for table in ("chunks", "spaces", "files"):
            tx.run(f"UPDATE {table} SET generation = 'older'")
    write(docs, {"b.md": document(2)})
    assert counts(sync_files(memory)) == {"added": 1, "unchanged": 1, "chunks": 1, "embedded": 1}
    generations = memory.storage.database.read("SELECT DISTINCT generation FROM chunks")
    assert generations == [("older",)]


def test_a_database_of_one_model_refuses_another(memory: Workspace) -> None:
    card = FakeProvider().card
    assert embedder_of(memory).weight == UNMEASURED_WEIGHT
    assert Embedder(memory.storage, Measured()).weight == 0.25
    keys = [
        embedder_key(card),
        embedder_key(replace(card, model="m")),
        embedder_key(replace(card, revision="2")),
        embedder_key(replace(card, dimensions=8)),
        embedder_key(replace(card, normalised=False)),
        embedder_key(replace(card, query_prompt="q: ")),
        embedder_key(replace(card, document_prompt="q: ")),
    ]
    assert len(set(keys)) == len(keys)
    assert embedder_key(replace(card, batch_size=1, fusion_weight=1.0)) == keys[0]


class Measured(FakeProvider):
    @property
    def card(self) -> ModelCard:
        return replace(super().card, fusion_weight=0.25)


def test_a_model_is_made_when_it_is_needed() -> None:
    chosen = ChosenModel("nobody", ProviderSettings())
    with pytest.raises(ConfigError, match="nobody"):
        _ = chosen.provider


def test_an_empty_batch_is_no_call() -> None:
    storage = SqliteStorage.in_memory()
    provider = FakeProvider()
    embedder = Embedder(storage, provider)
    space = embedder.space(generation="g", chunking="{}")
    batch = embedder.document_vectors(space, {}, cache_bytes=1 << 20)
    assert (batch.vectors, provider.calls) == ({}, 0)
    storage.close()
