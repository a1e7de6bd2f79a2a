"""Words are counted and found in the chunks that answer, and in no others that are stored."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.config.settings import ChunkingConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.keyword_entries.removal import remove_idle_keywords
from memory.index.spaces.listing import remove_spaces
from memory.index.spaces.reindex import choose_target, reindex
from memory.index.spaces.space_builder import SpaceBuilder
from memory.retrieval.searching import search
from memory.storage.meta import KEYWORDS, write_meta
from memory.values.space_reports import ReindexProgress
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import document, opened, write

LARGE = ChunkingConfig(chunk_size_chars=500, chunk_overlap_chars=20)
WORDS = SearchOptions(mode="keyword", max_results=50, min_score=0.0, all_chunks=True, fold="none")
QUESTIONS = ("cellar pump", "the wind in the log", "Lisbon", "bitter oranges and sugar")


@pytest.fixture
def base(tmp_path: Path, docs: Path) -> Path:
    """Twenty files in small chunks, too few to measure a weight from."""
    write(docs, {f"{n}.md": document(*range(9 * n, 9 * n + 9)) for n in range(20)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    return tmp_path


@pytest.fixture
def memory(base: Path) -> Iterator[Workspace]:
    """The same, where larger chunks are configured."""
    with opened(base, chunking=LARGE) as opened_memory:
        yield opened_memory


def answers(memory: Workspace) -> list[list[tuple[str, float]]]:
    """What the words of some questions find, with scores to the last bit."""
    found = (search(memory, question, WORDS).results for question in QUESTIONS)
    return [[(hit.text, hit.score) for hit in hits] for hits in found]


def scores(memory: Workspace) -> list[list[float]]:
    """The same without the texts: equal ones stand in the order in which they were stored."""
    return [[score for _, score in found] for found in answers(memory)]


def indexed(memory: Workspace) -> set[int]:
    keys = [key for (key,) in memory.storage.database.read("SELECT id FROM chunks")]
    return set(memory.storage.health.keywords.word_counts(keys))


def active_chunks(memory: Workspace) -> set[int]:
    sql = """SELECT c.id FROM chunks AS c
        JOIN spaces AS s ON s.state = 'active' AND s.generation = c.generation"""
    return {row[0] for row in memory.storage.database.read(sql)}


def is_beside(memory: Workspace) -> bool:
    return memory.storage.spaces().has_keywords_beside(["filling", "retired"])


def filled(memory: Workspace) -> SpaceBuilder:
    """A reindex that is complete except for its keyword entries."""
    builder = SpaceBuilder(memory.storage, choose_target(memory), cache_bytes=0)
    builder.fill()
    return builder


def killed_after_swap(memory: Workspace) -> None:
    """What a reindex leaves that is killed at once when it has swapped."""
    builder = filled(memory)
    builder.index_keywords()
    builder.swap()
    assert builder.swapped
    assert is_beside(memory)
    assert indexed(memory) > active_chunks(memory)


def test_kept_chunks_change_no_answer(base: Path, docs: Path) -> None:
    with opened(base) as memory:
        before = answers(memory)
    with opened(base, chunking=LARGE) as memory:
        while_filling = []

        def look(progress: ReindexProgress) -> None:
            if not is_beside(memory):
                while_filling.append(answers(memory) == before)

        reindex(memory, progress=look)
        assert len(while_filling) > 3
        assert all(while_filling)
        assert indexed(memory) == active_chunks(memory)
        kept = scores(memory)
        with opened(base / "anew", chunking=LARGE) as anew:
            sync_files(anew, [docs])
            assert scores(anew) == kept
    with opened(base) as memory:
        reindex(memory)
        assert indexed(memory) == active_chunks(memory)
        assert answers(memory) == before
        remove_spaces(memory, ["retired"])
        assert answers(memory) == before


def test_nothing_answers_before_its_words_find_it(memory: Workspace) -> None:
    builder = filled(memory)
    builder.swap()
    assert not builder.swapped
    builder.index_keywords()
    ingest_text(memory, "a text that came in the last moment")
    builder.swap()
    assert not builder.swapped
    builder.fill()
    builder.index_keywords()
    builder.swap()
    assert builder.swapped
    assert indexed(memory) > active_chunks(memory)


@pytest.mark.slow
@pytest.mark.parametrize(
    "finish",
    [
        pytest.param(lambda memory: sync_files(memory), id="sync"),
        pytest.param(lambda memory: reindex(memory), id="the same reindex"),
        pytest.param(lambda memory: remove_spaces(memory, ["retired"]), id="prune"),
        pytest.param(lambda memory: reindex(memory, model="fake-96"), id="another reindex"),
    ],
)
def test_what_a_kill_after_the_swap_leaves_is_cleared_away(
    memory: Workspace, docs: Path, finish: Callable[[Workspace], object]
) -> None:
    killed_after_swap(memory)
    finish(memory)
    assert not is_beside(memory)
    assert indexed(memory) == active_chunks(memory)
    found = answers(memory)
    remove_spaces(memory, ["retired"])
    assert answers(memory) == found


class _EndedError(Exception):
    """What a progress callback raises to end a reindex."""


def end_when_indexing(memory: Workspace) -> Callable[[ReindexProgress], None]:
    def end(_progress: ReindexProgress) -> None:
        if is_beside(memory):
            raise _EndedError

    return end


def test_a_reindex_that_ended_among_its_entries_goes_on(memory: Workspace, docs: Path) -> None:
    before = [[text for text, _ in found] for found in answers(memory)]
    with pytest.raises(_EndedError):
        reindex(memory, progress=end_when_indexing(memory))
    half = indexed(memory)
    assert half > active_chunks(memory)
    sync_files(memory)  # which leaves to a reindex what it is making
    assert indexed(memory) == half
    assert [{text for text, _ in found} for found in answers(memory)] == list(map(set, before))
    assert reindex(memory).swapped
    assert indexed(memory) == active_chunks(memory)
    assert half & indexed(memory)


def test_half_made_entries_go_with_what_they_were_for(memory: Workspace) -> None:
    before = answers(memory)
    with pytest.raises(_EndedError):
        reindex(memory, progress=end_when_indexing(memory))
    remove_spaces(memory, ["filling"])
    assert not is_beside(memory)
    assert answers(memory) == before


def test_going_back_soon_makes_only_what_is_gone(base: Path, memory: Workspace) -> None:
    """A sync clears away what another process makes again: one of both is late, and nobody errs."""
    killed_after_swap(memory)
    with opened(base) as former:
        builder = filled(former)
        assert remove_idle_keywords(memory.storage, ["retired"]) == 0
        builder.index_keywords()
        assert builder.indexed == 0
        builder.swap()
        assert builder.swapped
        sync_files(memory)
        assert indexed(former) == active_chunks(former)


def test_a_file_that_is_renamed_meanwhile_is_found_by_its_new_name(
    memory: Workspace, docs: Path
) -> None:
    builder = filled(memory)
    (docs / "1.md").rename(docs / "otter.md")
    sync_files(memory)
    builder.fill()
    builder.index_keywords()
    before = indexed(memory)
    (docs / "2.md").rename(docs / "badger.md")
    sync_files(memory)
    assert indexed(memory) == before
    builder.swap()
    assert builder.swapped
    remove_idle_keywords(memory.storage, ["retired"])
    for name in ("otter", "badger"):
        paths = {hit.file_path for hit in search(memory, name, WORDS).results}
        assert paths == {str(docs / f"{name}.md")}


def test_a_renewal_renews_what_there_is(memory: Workspace) -> None:
    """An upgrade between two reindexes gives chunks that are kept no entries."""
    reindex(memory)
    found = answers(memory)
    with memory.storage.database.transaction() as tx:
        write_meta(tx, KEYWORDS, None)
    sync_files(memory)
    assert indexed(memory) == active_chunks(memory)
    assert answers(memory) == found
