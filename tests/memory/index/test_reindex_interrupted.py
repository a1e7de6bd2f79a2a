"""Reindexes that are killed at random moments, and others at work meanwhile."""

import random
from pathlib import Path

import pytest

from memory.config.settings import ChunkingConfig, EmbeddingsConfig
from memory.files.ingestion import sync_files
from memory.index.spaces.listing import read_spaces, remove_spaces
from memory.index.spaces.reindex import reindex
from memory.retrieval.searching import search
from search import SearchOptions
from tests.memory.children import end, kill, lines, start
from tests.memory.databases import contents, document, opened, write

MODEL = "fake-48"
SMALLER = ChunkingConfig(chunk_size_chars=150, chunk_overlap_chars=20)
NEW = EmbeddingsConfig(provider="fake", model=MODEL, cache_embeddings=False)
VECTOR = SearchOptions(mode="vector", max_results=20, min_score=0.0, fold="none")


@pytest.mark.slow
def test_a_killed_reindex_goes_on_where_it_was(tmp_path: Path, docs: Path) -> None:
    """Whenever it is killed, the former model answers, and what is committed is not done again."""
    chance = random.Random(5)
    write(docs, {f"{n}.md": document(*range(8 * n, 8 * n + 8)) for n in range(40)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        before = [hit.text for hit in search(memory, "cellar pump", VECTOR).results]
    for _ in range(6):
        process = start("reindex_telling", tmp_path, MODEL)
        said = 0
        for line in lines(process):
            said += 1
            if line == "done" or chance.random() < 0.3:
                break
        kill(process)
        with opened(tmp_path) as memory:
            spaces = {space.state: space for space in read_spaces(memory)}
            if spaces["active"].dimensions == 64:
                found = search(memory, "cellar pump", VECTOR)
                assert [hit.text for hit in found.results] == before
        assert said
    with opened(tmp_path, embeddings=NEW, chunking=SMALLER) as memory:
        missing = sum(space.chunks - space.vectors for space in read_spaces(memory))
        cut = sum(space.chunks for space in read_spaces(memory) if space.dimensions == 48)
        report = reindex(memory)
        if report.documents == 0:
            assert report.embedded + report.cached == missing
        assert report.space.chunks == report.space.vectors >= cut
        remove_spaces(memory, ["retired"])
        with opened(tmp_path / "fresh", embeddings=NEW, chunking=SMALLER) as fresh:
            sync_files(fresh, [docs])
            assert contents(memory) == contents(fresh)


@pytest.mark.slow
def test_another_process_syncs_meanwhile(tmp_path: Path, docs: Path) -> None:
    write(docs, {f"{n}.md": document(*range(8 * n, 8 * n + 8)) for n in range(40)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    writer = start("rewrite_and_sync", tmp_path, str(docs))
    assert next(lines(writer)) == "0"
    try:
        for model in (MODEL, "fake"):
            process = start("reindex_telling", tmp_path, model)
            assert list(lines(process))[-1] == "done"
            assert end(process) == 0
            next(lines(writer))
    finally:
        kill(writer)
    latest = EmbeddingsConfig(provider="fake")
    with opened(tmp_path, embeddings=latest, chunking=SMALLER) as memory:
        sync_files(memory)
        remove_spaces(memory, ["retired", "filling"])
        with opened(tmp_path / "fresh", embeddings=latest, chunking=SMALLER) as fresh:
            sync_files(fresh, [docs])
            assert contents(memory) == contents(fresh)
