"""A text that was embedded once is never paid for again, and the status says how often it was not.

What counts is what the provider was asked.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.files.roots import drop_root
from memory.index.embedding.active_model import embedder_of
from memory.operations.manage import delete_record
from memory.operations.status import read_status
from memory.values.status_reports import HitCount
from memory.workspace import Workspace
from tests.memory.databases import FAKE, document, fake, opened, write

SMALL_ROOM = replace(FAKE, cache_max_mb=1)


def embedded(workspace: Workspace) -> int:
    """How many texts the provider has embedded since this was asked last."""
    provider = fake(workspace)
    number, provider.texts_embedded = provider.texts_embedded, 0
    return number


def test_whatever_becomes_of_the_files(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    sync_files(memory, [docs])
    assert embedded(memory) == 3
    write(docs, {"copy.md": document(2, 0), "both.md": document(1, 1)})
    sync_files(memory)
    (docs / "copy.md").rename(docs / "moved.md")
    sync_files(memory)
    sync_files(memory, force=True)
    write(docs, {"a.md": document(0)})
    sync_files(memory)
    for path in docs.iterdir():
        path.unlink()
    sync_files(memory)
    write(docs, {"back.md": document(2, 1, 0)})
    sync_files(memory)
    assert embedded(memory) == 0


@pytest.mark.sqlite_only(reason="copies the file")
def test_a_database_from_a_backup(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        (docs / "a.md").unlink()
        sync_files(memory)
    shutil.copy(tmp_path / "memory.db", tmp_path / "backup.db")
    (tmp_path / "memory.db").unlink()
    shutil.copy(tmp_path / "backup.db", tmp_path / "memory.db")
    write(docs, {"a.md": document(1, 0)})
    with opened(tmp_path) as memory:
        assert sync_files(memory).cached == 2
        assert embedded(memory) == 0


def test_what_a_user_removes_is_forgotten(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1)})
    sync_files(memory, [docs])
    first = ingest_text(memory, "a secret that somebody told")
    ingest_text(memory, "another text")
    assert memory.storage.cache.size().entries == 0  # the chunks have them
    (docs / "b.md").unlink()
    sync_files(memory)
    assert memory.storage.cache.size().entries == 1
    delete_record(memory, first.id)
    drop_root(memory, docs, with_files=True)
    assert memory.storage.cache.size().entries == 1
    assert embedded(memory) == 4
    ingest_text(memory, "a secret that somebody told")
    assert embedded(memory) == 1


def test_the_room_is_kept_to(tmp_path: Path, docs: Path) -> None:
    with opened(tmp_path, embeddings=replace(SMALL_ROOM, batch_size=512)) as memory:
        texts = {f"{n}.md": document(*range(n * 50, n * 50 + 50), filler=1) for n in range(60)}
        write(docs, texts)
        sync_files(memory, [docs])
        assert read_status(memory).embedding_cache.entries == 0  # the chunks have them
        assert embedded(memory) == 3000
        for name in texts:
            (docs / name).unlink()
        sync_files(memory)
        cache = read_status(memory).embedding_cache
        assert cache.most_bytes == 1 << 20
        assert 0.8 * cache.most_bytes < cache.size_bytes <= cache.most_bytes
        write(docs, texts)
        sync_files(memory)
        assert 3000 - cache.entries <= embedded(memory) < 1500  # what is new takes room, too


def test_the_status_says_how_often_it_helped(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    with opened(tmp_path) as memory:
        assert read_status(memory).embedding_cache.documents == HitCount(0, 0, 0.0)
        sync_files(memory, [docs])
        assert read_status(memory).embedding_cache.documents == HitCount(0, 3, 0.0)
        write(docs, {"b.md": document(2, 3)})
        sync_files(memory, dry_run=True)
        sync_files(memory)
    with opened(tmp_path) as memory:  # over all processes
        cache = read_status(memory).embedding_cache
        assert cache.documents == HitCount(1, 4, 0.2)
        assert (cache.entries, cache.most_bytes) == (0, 512 << 20)
        write(docs, {"a.md": document(0), "b.md": document(3)})
        sync_files(memory)
        cache = read_status(memory).embedding_cache
        assert cache.entries == 2
        assert cache.size_bytes == memory.storage.cache.size().size_bytes > 2 * 2 * 64


def test_without_a_cache_nothing_is_kept_or_counted(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    with opened(tmp_path, embeddings=replace(FAKE, cache_embeddings=False)) as memory:
        sync_files(memory, [docs])
        cache = read_status(memory).embedding_cache
        assert (cache.entries, cache.most_bytes) == (0, 0)
        assert cache.documents == HitCount(0, 0, 0.0)


def test_a_model_that_costs_nothing_leaves_no_trace(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="static")) as memory:
        sync_files(memory, [docs])
        sync_files(memory, force=True)
        cache = read_status(memory).embedding_cache
        assert (cache.entries, cache.documents) == (0, HitCount(0, 0, 0.0))


def test_counting_leaves_a_servers_answers_as_they_are(memory: Workspace) -> None:
    """A database's revision is what a search could read."""
    ingest_text(memory, "first")
    before = memory.storage.revision()
    space = memory.storage.active_space()
    assert space is not None
    known = embedder_of(memory).document_vectors(space, {b"x" * 16: "another"}, cache_bytes=1 << 20)
    assert known.embedded == 1
    assert memory.storage.revision() == before


def test_a_process_that_embeds_nothing_keeps_what_another_has_paid(
    tmp_path: Path, docs: Path
) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(2)})
    with opened(tmp_path) as server, opened(tmp_path) as other:
        sync_files(other, [docs])
        (docs / "a.md").unlink()
        sync_files(server)
        assert server.storage.cache.size().entries == 2
    with opened(tmp_path, embeddings=replace(FAKE, cache_embeddings=False)) as memory:
        write(docs, {"b.md": document(3)})
        sync_files(memory)
        assert memory.storage.cache.size().entries == 2  # nothing is kept any more


def test_what_another_chunk_has_is_not_kept(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1), "b.md": document(0)})
    sync_files(memory, [docs])
    (docs / "a.md").unlink()
    sync_files(memory)
    assert memory.storage.cache.size().entries == 1
