"""Another model, or other chunks: filled beside what answers, checked, and put in its place."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from contracts import (
    BusyError,
    ConfigError,
    IncompatibleError,
    InputError,
    StorageError,
    UnavailableError,
)
from memory.config.settings import ChunkingConfig, EmbeddingsConfig, OpenAIConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.configuration_warnings import configuration_warnings
from memory.index.embedding.active_model import active_model, known_model
from memory.index.embedding.model_choice import choose_model, configured_model, disagreement
from memory.index.spaces.listing import read_spaces, reindex_status, remove_spaces
from memory.index.spaces.reindex import choose_target, reindex, reindex_cost, texts_without_vector
from memory.index.spaces.space_builder import FILLED_AT_ONCE, SAMPLED
from memory.operations.doctor import checkup
from memory.operations.manage import delete_record, list_records, show, update_record
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.retrieval.server_caches import cache_answers
from memory.storage import Space
from memory.storage.meta import REINDEX_WANTED, VECTORS_MISSING, read_meta, write_meta
from memory.storage.process_locks import reindex_lock
from memory.storage.vectors import from_float16
from memory.values.space_reports import ReindexProgress, ReindexReport
from memory.workspace import Workspace
from providers import EmbeddingProvider
from providers.base import Kind, ModelCard
from providers.fake import FakeProvider
from search import SearchOptions
from tests.memory.databases import StoredChunk, contents, counts, document, opened, use, write

OTHER = EmbeddingsConfig(provider="fake", model="fake-96", batch_size=4)
LARGE = ChunkingConfig(chunk_size_chars=500, chunk_overlap_chars=20)
VECTOR = SearchOptions(mode="vector", max_results=50, min_score=0.0, all_chunks=True, fold="none")

FILES: dict[str, str | bytes] = {
    "a.md": document(0, 1, 2, 3, 4),
    "b.md": document(5, 6),
    "code.py": "def pump_rate(litres):\n    return litres / 60\n\n\n" * 30,
    "table.csv": "name,value\n" + "pump,1\nbrick,2\n" * 60,
    "win.txt": b"one line\r\nand another\r\n\r\n\r\n" * 20,
}


@pytest.fixture
def filled(tmp_path: Path, docs: Path) -> Path:
    """A database of several kinds of files and a text, in small chunks with the fake model."""
    write(docs, FILES)
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
        ingest_text(memory, "A note on the cellar pump. " * 20, metadata={"title": "Note"})
    return tmp_path


def anew(base: Path, docs: Path, **settings: object) -> dict[str, list[StoredChunk]]:
    """What a database holds that was begun with these settings."""
    with opened(base / "anew", **settings) as memory:
        sync_files(memory, [docs])
        ingest_text(memory, "A note on the cellar pump. " * 20, metadata={"title": "Note"})
        return undated(contents(memory))


def undated(found: dict[str, list[StoredChunk]]) -> dict[str, list[StoredChunk]]:
    """Without the time of the text, which is when it was first taken in."""
    return {
        path: [replace(chunk, occurred_at="") for chunk in chunks] if ":" in path else chunks
        for path, chunks in found.items()
    }


def stand_in(memory: Workspace, provider: EmbeddingProvider) -> None:
    """Have this provider be what the configuration names."""
    chosen = known_model(memory, configured_model(None, memory.config.embeddings))
    chosen.__dict__["provider"] = provider


@contextmanager
def at(base: Path, **settings: object) -> Iterator[Workspace]:
    """The database with the other model, unless given."""
    with opened(base, **{"embeddings": OTHER, **settings}) as memory:
        yield memory


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"embeddings": OTHER}, id="another model"),
        pytest.param({"embeddings": EmbeddingsConfig(provider="static")}, id="another provider"),
        pytest.param({"chunking": LARGE}, id="other chunks"),
        pytest.param({"chunking": LARGE, "embeddings": OTHER}, id="both"),
    ],
)
def test_a_reindex_leaves_what_a_new_database_would_hold(
    filled: Path, docs: Path, settings: dict[str, object]
) -> None:
    with opened(filled, **settings) as memory:
        before = search(memory, "cellar pump", VECTOR)
        assert "mem reindex" in before.warnings[0]
        assert before.mode_used == "vector"
        texts = {
            row.path or row.id: show(memory, row.id).text for row in list_records(memory).records
        }
        report = reindex(memory)
        assert report.swapped
        assert search(memory, "cellar pump", VECTOR).warnings == []
        for name, text in texts.items():
            assert show(memory, name).text == text
        assert read_status(memory).chunks == {
            "file": report.space.chunks - text_chunks(memory),
            "text": text_chunks(memory),
        }
        assert counts(sync_files(memory)) == {"unchanged": len(FILES)}
        remove_spaces(memory, ["retired"])
        assert undated(contents(memory)) == anew(filled, docs, **settings)
        (space,) = memory.storage.spaces().all()
        assert (space.state, report.space.vectors) == ("active", memory.storage.count_vectors())


def text_chunks(memory: Workspace) -> int:
    (record,) = [row for row in list_records(memory).records if row.source == "text"]
    return record.chunks


def test_what_is_retired_answers_nothing(filled: Path) -> None:
    with at(filled, chunking=LARGE) as memory:
        found = [hit.text for hit in search(memory, "pump", VECTOR).results]
        n_chunks, n_vectors = memory.storage.count_chunks(), memory.storage.count_vectors()
        reindex(memory)
        now = [hit.text for hit in search(memory, "pump", VECTOR).results]
        assert max(map(len, found)) <= 300 < max(map(len, now))
        assert all(len(text) > 300 or text not in found for text in now[:3])
        assert memory.storage.count_chunks() < n_chunks
        assert memory.storage.count_vectors() == memory.storage.count_chunks() < n_vectors
        assert sum(memory.storage.document_frequencies(["pump"], most=999).values()) < n_chunks
        assert sum(read_status(memory).chunks.values()) == memory.storage.count_chunks()
        (kept,) = read_status(memory).spaces
        assert (kept.state, kept.chunks, kept.vectors) == ("retired", n_chunks, n_vectors)


def test_going_back_costs_only_what_was_written_since(filled: Path, docs: Path) -> None:
    with opened(filled) as memory:
        before = contents(memory)
    with at(filled, chunking=LARGE) as memory:
        reindex(memory)
        write(docs, {"new.md": document(30), "b.md": document(6, 7)})
        (docs / "a.md").rename(docs / "moved.md")
        (docs / "win.txt").unlink()
        sync_files(memory)
    with opened(filled) as memory:
        report = reindex(memory)
        assert report.swapped
        assert 0 < report.embedded <= 3
        remove_spaces(memory, ["retired"])
        after = contents(memory)
        assert after[str(docs / "moved.md")] == before[str(docs / "a.md")]
        assert after[str(docs / "code.py")] == before[str(docs / "code.py")]
        with opened(filled / "fresh") as fresh:
            sync_files(fresh, [docs])
            files = contents(fresh)
        assert {path: chunks for path, chunks in after.items() if ":" not in path} == files


def test_going_back_to_a_complete_space_embeds_nothing(filled: Path) -> None:
    with at(filled) as memory:
        first = reindex(memory)
        assert first.embedded > 0
        assert first.embedded + first.cached == first.space.vectors
    with opened(filled) as memory:
        back = reindex(memory)
        assert (back.swapped, back.embedded, back.cached, back.documents) == (True, 0, 0, 0)
        assert [space.state for space in read_spaces(memory)] == ["active", "retired"]
        again = reindex(memory)
        assert (again.swapped, again.embedded) == (False, 0)
        assert again.space == back.space


def test_a_model_chosen_by_hand_is_no_disagreement(filled: Path) -> None:
    with opened(filled) as memory:
        reindex(memory, provider="static")
        assert configuration_warnings(memory) == []
        assert not read_status(memory).model.configured  # type: ignore[union-attr]  # it has one
        assert reindex_status(memory).wanted is None
    with at(filled) as memory:  # the configuration has changed since
        assert "provider fake with fake-96, and" in configuration_warnings(memory)[0]
        assert reindex_status(memory).wanted == "fake with fake-96"
    with opened(filled) as memory:
        reindex(memory)
        assert active_model(memory).name == "fake"
        assert configuration_warnings(memory) == []
        assert reindex(memory, model="fake-96").space.dimensions == 96
    with opened(filled, embeddings=EmbeddingsConfig(provider="auto")) as memory:
        assert not reindex(memory).swapped


@pytest.mark.parametrize(
    "chosen, message",
    [
        pytest.param({"provider": ""}, "the provider has no name", id="empty provider"),
        pytest.param({"model": ""}, "the model has no name", id="empty model"),
        pytest.param({"provider": "statik"}, "no embedding provider named 'statik'", id="provider"),
        pytest.param({"provider": "static", "model": "x"}, "no model 'x'", id="model"),
    ],
)
def test_what_there_is_none_of_is_said_to_who_asked(
    filled: Path, chosen: dict[str, str], message: str
) -> None:
    with opened(filled) as memory:
        for work in (reindex, reindex_cost):
            with pytest.raises(InputError, match=message):
                work(memory, **chosen)
        assert len(memory.storage.spaces().all()) == 1
    wrong = EmbeddingsConfig(provider="static", model="x")
    with (
        opened(filled, embeddings=wrong) as memory,
        pytest.raises(ConfigError, match="no model 'x'"),
    ):
        reindex(memory)


def test_nobody_goes_on_with_what_was_ended_or_done_otherwise(filled: Path) -> None:
    """What a server was asked for and left is void after a removal, and after another reindex."""
    with opened(filled) as memory:
        database = memory.storage.database
        for end in (
            lambda: remove_spaces(memory, ["filling"]),
            lambda: reindex(memory, provider="static"),
            lambda: reindex(memory, provider="static"),
        ):
            with database.transaction() as tx:
                write_meta(tx, REINDEX_WANTED, {"provider": "fake", "model": "fake-96"})
            end()
            assert read_meta(database, REINDEX_WANTED) is None


class Meddling(FakeProvider):
    """A model that lets something happen before it answers the next time."""

    before: Callable[[], object] | None = None

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        rows = super().embed(texts, kind=kind)
        before, self.before = self.before, None
        if before is not None:
            before()
        return rows


def test_progress_says_that_others_write(filled: Path) -> None:
    """Within a round, and after one in which all had been done."""
    said: list[ReindexProgress] = []
    provider = Meddling("fake-96")
    with opened(filled) as other, at(filled) as memory:
        stand_in(memory, provider)

        def write(progress: ReindexProgress) -> None:
            said.append(progress)
            if progress.chunks_done == progress.chunks_total and not progress.catching_up:
                text = f"a text that came after {len(said)} batches"
                if len(said) < 4:
                    ingest_text(other, text)
                else:
                    provider.before = lambda: ingest_text(other, text)

        report = reindex(memory, progress=write)
        assert report.space.chunks == report.space.vectors
    assert all(progress.chunks_done <= progress.chunks_total for progress in said)
    assert not said[0].catching_up
    assert said[-1].catching_up
    assert said[-1].chunks_total > said[0].chunks_total


class Measured(FakeProvider):
    """A model of which it is known what its vectors are worth."""

    @property
    def card(self) -> ModelCard:
        return replace(super().card, fusion_weight=0.5)


class _EndedError(Exception):
    """What a test's progress callback raises to end a reindex."""


def ended_after(batches: int) -> Callable[[ReindexProgress], None]:
    left = batches

    def end(_progress: ReindexProgress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _EndedError

    return end


@pytest.mark.slow
@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("chunking", [None, LARGE], ids=["model", "model and chunks"])
def test_an_ended_reindex_goes_on_where_it_was(
    tmp_path: Path, docs: Path, cached: bool, chunking: ChunkingConfig | None
) -> None:
    write(docs, {f"{n}.md": document(*range(10 * n, 10 * n + 10)) for n in range(60)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    settings = {"chunking": chunking} if chunking else {}
    embeddings = replace(OTHER, cache_embeddings=cached)
    provider = Measured("fake-96")  # so that it is not asked for questions
    n_ended = n_sampled = 0
    while True:
        with at(tmp_path, embeddings=embeddings, **settings) as memory:
            stand_in(memory, provider)
            answered = search(memory, "cellar pump", VECTOR)
            assert answered.mode_used == "vector"
            assert len(answered.results) == 50
            try:
                report = reindex(memory, progress=ended_after(2))
                break
            except _EndedError:
                n_ended += 1
                half = memory.storage.spaces().all()[-1]
                assert half.state == "filling"
                size = memory.storage.spaces().size(half)
                n_sampled += 0 < size.chunks == size.vectors  # at most
    assert n_ended >= 2
    assert report.space.vectors > FILLED_AT_ONCE
    distinct = {chunk.text for chunks in contents_of(tmp_path).values() for chunk in chunks}
    assert len(distinct) <= provider.texts_embedded - SAMPLED
    assert provider.texts_embedded <= report.space.vectors + SAMPLED * (1 + n_sampled)


def contents_of(base: Path) -> dict[str, list[StoredChunk]]:
    with at(base) as memory:
        remove_spaces(memory, ["retired"])
        return contents(memory)


def test_what_is_written_meanwhile_gets_into_both(filled: Path, docs: Path) -> None:
    steps: list[Callable[[Workspace], object]] = [
        lambda other: (write(docs, {"new.md": document(20, 21)}), sync_files(other)),
        lambda other: (write(docs, {"a.md": document(1, 2, 9)}), sync_files(other)),
        lambda other: ((docs / "win.txt").unlink(), sync_files(other)),
        lambda other: ((docs / "b.md").rename(docs / "renamed.md"), sync_files(other)),
        lambda other: ingest_text(other, "a text that came meanwhile"),
        lambda other: update_record(other, note(other), metadata={"title": "Other"}, tags=["t"]),
        lambda other: sync_files(other, force=True),
        lambda other: delete_record(other, note(other, "came meanwhile")),
    ]
    found = []
    with opened(filled) as other, at(filled, chunking=LARGE) as memory:

        def change(_progress: ReindexProgress) -> None:
            if steps:
                steps.pop(0)(other)
                found.append(len(search(other, "pump", VECTOR).results))

        report = reindex(memory, progress=change)
        assert report.swapped
        assert (steps, min(found) > 0) == ([], True)
        remove_spaces(memory, ["retired"])
        texts = {path: chunks for path, chunks in contents(memory).items() if ":" in path}
        assert [chunks[0].heading for chunks in texts.values()] == ["Other"]
        hits = search(memory, "cellar pump note", replace_tags("t")).results
        assert {hit.heading for hit in hits} == {"Other"}
        now = {path: chunks for path, chunks in contents(memory).items() if ":" not in path}
        fresh = anew(filled, docs, embeddings=OTHER, chunking=LARGE)
        assert now == {path: chunks for path, chunks in fresh.items() if ":" not in path}


def note(memory: Workspace, part: str = "A note") -> str:
    records = list_records(memory, source="text").records
    (found,) = [row.id for row in records if part in show(memory, row.id).text]
    return found


def replace_tags(tag: str) -> SearchOptions:
    from contracts import Scope

    return replace(VECTOR, scope=Scope(tags=(tag,)))


def test_a_model_that_fails_leaves_the_former_one_answering(filled: Path) -> None:
    provider = FakeProvider("fake-96", batch_size=4)
    with at(filled) as memory:
        stand_in(memory, provider)

        def fail_later(progress: ReindexProgress) -> None:
            provider.fail_times = 1

        with pytest.raises(UnavailableError, match=r"told to fail; 0 of \d+ chunks") as failure:
            reindex(memory, progress=fail_later)
        assert failure.value.hint.endswith("then the same reindex continues from there")
        assert search(memory, "pump", VECTOR).mode_used == "vector"
        assert reindex_status(memory).running is None
        assert reindex(memory).swapped


class Unreachable(FakeProvider):
    """A model whose card cannot be had either."""

    @property
    def card(self) -> ModelCard:
        raise UnavailableError("nobody answers", hint="try later")


def test_a_space_that_disagrees_with_its_model_never_answers(filled: Path) -> None:
    with at(filled) as memory:
        reindex(memory)
    with opened(filled) as memory:
        reindex(memory)
        retired, rows = memory.storage.spaces().all()[-1], memory.storage.health.vectors.rows
        with memory.storage.database.transaction() as tx:
            nothing = bytes(2 * retired.dimensions)
            keys = [key for batch in rows(retired) for key, _ in batch]
            memory.storage.put_vectors(tx, retired, from_float16(dict.fromkeys(keys, nothing)))
    with at(filled) as memory:
        with pytest.raises(IncompatibleError, match="other vectors now than those that are stored"):
            reindex(memory)
        assert memory.storage.active_space() == memory.storage.spaces().all()[0]
        removed = remove_spaces(memory, ["filling"])
        assert [space.state for space in removed.removed] == ["filling"]
        assert reindex(memory).swapped


def test_a_return_to_a_removed_space_embeds_nothing(filled: Path) -> None:
    with at(filled) as memory:
        reindex(memory)
        removed = remove_spaces(memory, ["retired"])
        assert [space.state for space in removed.removed] == ["retired"]
    with opened(filled) as memory:
        report = reindex(memory)
        assert (report.swapped, report.embedded) == (True, 0)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE vectors_{id} SET v = x'0000'", "DELETE FROM vector_codes_{id}"],
    ids=["a vector too short", "a code that is gone"],
)
@pytest.mark.sqlite_only(reason="stores vectors that only SQLite takes")
def test_damaged_vectors_never_answer(filled: Path, damage: str) -> None:
    with at(filled) as memory:
        reindex(memory)
    with opened(filled) as memory:
        reindex(memory)
        retired = memory.storage.spaces().all()[-1]
        with memory.storage.database.transaction() as tx:
            tx.run(damage.format(id=retired.id))
    with at(filled) as memory, pytest.raises(StorageError, match=r"\d+ vectors of fake-96 are"):
        reindex(memory)


def test_one_reindex_at_a_time(filled: Path) -> None:
    with at(filled) as memory, reindex_lock(memory.storage.database, memory.path):
        for work in (reindex, lambda memory: remove_spaces(memory, ["retired"])):
            with pytest.raises(BusyError, match=r"a reindex of .* is running: process \d+"):
                work(memory)
        assert str(reindex_status(memory).running).startswith("process ")
        assert read_status(memory).sync is None
        assert read_status(memory).reindex is not None
        with opened(filled) as other:
            assert counts(sync_files(other)) == {"unchanged": len(FILES)}


def test_texts_that_have_no_vector_are_passed(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ingest_text(memory, "--- *** ---")
        ingest_text(memory, "a pump")
    with at(tmp_path) as memory:
        report = reindex(memory)
        assert (report.swapped, report.space.vectors, report.unembedded) == (True, 1, 1)


def test_chunks_that_lacked_a_vector_get_one(filled: Path) -> None:
    with opened(filled) as memory:
        provider = active_model(memory).provider
        assert isinstance(provider, FakeProvider)
        provider.fail_times = 1
        ingest_text(memory, "a text without a vector yet")
        assert read_meta(memory.storage.database, VECTORS_MISSING)
    with at(filled) as memory:
        report = reindex(memory)
        assert report.space.chunks == report.space.vectors
        assert not read_meta(memory.storage.database, VECTORS_MISSING)


def test_a_database_without_vectors_gets_its_first(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        use(memory, Unreachable())
        ingest_text(memory, "a text about the pump")
        assert memory.storage.active_space() is None
        first = reindex(memory, provider="static")
        assert (first.swapped, first.kept) == (True, False)
        assert reindex(memory, provider="fake", model="fake-96").kept
        assert search(memory, "pump", VECTOR).mode_used == "vector"


def test_texts_to_embed_are_told_beforehand(filled: Path) -> None:
    with at(filled, chunking=LARGE) as memory:
        target = choose_target(memory)
        foreseen = [
            text for batch in texts_without_vector(memory, target) for text in batch.values()
        ]
        assert len(set(foreseen)) == len(foreseen)
        report = reindex(memory)
        assert report.embedded == len(foreseen)
        assert not any(texts_without_vector(memory, target))


def test_an_interrupted_removal_is_completed(filled: Path) -> None:
    with at(filled, chunking=LARGE) as memory:
        reindex(memory)
        spaces = memory.storage.spaces()
        retired = spaces.all()[0]
        with memory.storage.database.transaction() as tx:
            tx.run("DELETE FROM cuts WHERE generation = :g", {"g": retired.generation})
            assert spaces.remove_chunks(tx, retired, limit=3) == 3
        assert "pump" in search(memory, "pump", VECTOR).results[0].text
    with opened(filled) as memory:
        before = memory.storage.count_chunks()
        assert reindex(memory).swapped
        assert show(memory, note(memory)).text == "A note on the cellar pump. " * 20
        report = remove_spaces(memory, ["retired", "filling"])
        assert report.chunks == before
        assert [space.state for space in memory.storage.spaces().all()] == ["active"]
        assert checkup(memory).problems == []


@pytest.mark.parametrize("model", ["other", "fake-96"], ids=["as long", "longer"])
def test_a_query_never_meets_vectors_of_another_model(filled: Path, model: str) -> None:
    """The space is swapped after the query was embedded, and before it was answered."""
    other = EmbeddingsConfig(provider="fake", model=model)
    provider = Meddling()
    with opened(filled) as memory, opened(filled, embeddings=other) as changing:
        stand_in(memory, provider)
        cache_answers(memory)
        provider.before = lambda: reindex(changing)
        answer = search(memory, "cellar pump", VECTOR)
        assert answer.mode_used == "vector"
        expected = search(changing, "cellar pump", VECTOR)
        assert [(hit.chunk_id, hit.score) for hit in answer.results] == [
            (hit.chunk_id, hit.score) for hit in expected.results
        ]


@pytest.mark.parametrize("chunking", [None, LARGE], ids=["model", "model and chunks"])
def test_a_sync_that_embedded_for_a_former_space_embeds_again(
    filled: Path, docs: Path, chunking: ChunkingConfig | None
) -> None:
    settings = {"chunking": chunking} if chunking else {}
    provider = Meddling()
    with opened(filled) as memory, at(filled, **settings) as changing:
        stand_in(memory, provider)
        provider.before = lambda: reindex(changing)
        write(docs, {"new.md": document(20, 21, 22), "b.md": document(8)})
        stats = sync_files(memory)
        assert stats.embedded >= 2 * 4 > 0
        assert not read_meta(memory.storage.database, VECTORS_MISSING)
        remove_spaces(memory, ["retired"])
        assert undated(contents(memory)) == anew(filled, docs, embeddings=OTHER, **settings)


def test_vectors_that_were_missing_are_completed_in_the_new_space(filled: Path) -> None:
    provider = Meddling()
    with opened(filled) as memory, at(filled) as changing:
        stand_in(memory, provider)
        provider.fail_times = 1
        ingest_text(memory, "a text without a vector")
        provider.before = lambda: reindex(changing)
        sync_files(memory)
        assert not read_meta(memory.storage.database, VECTORS_MISSING)
        space = memory.storage.active_space()
        assert space is not None
        assert memory.storage.chunks_without_vector(space, after=0, limit=9) == []


def test_many_threads_search_through_swaps(filled: Path) -> None:
    """Not one answer is empty, fails, or is by words alone, whichever space answers."""
    problems: list[object] = []
    ended = threading.Event()

    def ask(memory: Workspace) -> None:
        while not ended.is_set():
            answer = search(memory, "cellar pump", VECTOR)
            if answer.mode_used != "vector" or len(answer.results) < 5:
                problems.append(answer)

    with opened(filled) as memory, at(filled, chunking=LARGE) as other:
        cache_answers(memory)
        threads = [threading.Thread(target=ask, args=(memory,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        reports: list[ReindexReport] = []
        try:
            for _ in range(3):
                reports += [reindex(other), reindex(memory)]
                remove_spaces(memory, ["retired"])
        finally:
            ended.set()
            for thread in threads:
                thread.join()
    assert problems == []
    assert all(report.swapped for report in reports)


def test_spaces_of_other_programs_need_no_chunk_settings(memory: Workspace) -> None:
    space = Space(0, "gone", "m", "1", 8, "key", "g", "{}", "retired")
    with memory.storage.database.transaction() as tx:
        memory.storage.create_space(tx, space)
        write_meta(tx, VECTORS_MISSING, False)
    (status,) = read_spaces(memory)
    assert (status.chunk_size_chars, status.state) == (0, "retired")


def test_a_space_goes_on_with_the_settings_it_was_made_with() -> None:
    """Whatever the configuration says of the provider later, and says what it would change."""
    made = EmbeddingsConfig(
        provider="openai", openai=OpenAIConfig(api_key="key", dimensions=512, query_prompt="q: ")
    )
    request = configured_model(None, made).request
    space = Space(1, "openai", "text-embedding-3-small", "", 512, "e", "g", "{}", "active", request)
    assert disagreement(space, made) is None
    now = replace(made, openai=replace(made.openai, dimensions=256, timeout_seconds=5.0))
    assert disagreement(space, now) == "openai with another dimensions"
    chosen = choose_model(space, now)
    assert chosen.settings.options["dimensions"] == 512
    assert chosen.settings.options["timeout_seconds"] == 5.0
    assert chosen.settings.api_key == "key"
    assert "key" not in request
    other = replace(made, model="text-embedding-3-large")
    assert disagreement(space, other) == "openai with text-embedding-3-large"
    assert choose_model(space, other).settings.model == "text-embedding-3-small"
    auto = replace(now, provider="auto")
    assert disagreement(space, auto) is None
    assert configured_model(space, auto) == choose_model(space, auto)
    assert configured_model(space, auto, model="x").settings.model == "x"


def test_a_space_of_an_older_program_knows_its_model_alone() -> None:
    space = Space(1, "fake", "fake", "1", 64, "e", "g", "{}", "active")
    assert disagreement(space, EmbeddingsConfig(provider="fake")) is None
    assert choose_model(space, EmbeddingsConfig(provider="fake")).settings.model is None
    assert disagreement(space, OTHER) == "fake with fake-96"
    assert choose_model(space, OTHER).settings.model == "fake"
