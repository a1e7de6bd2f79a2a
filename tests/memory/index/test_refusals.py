"""What a provider refuses is found by its words, said, and not paid for again."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.files.ingestion import ingest_text, sync_files
from memory.index.embedding.refusals import known_refusals, remember_refusals
from memory.operations.manage import delete_record
from memory.operations.status import MOST_PROBLEMS, read_status
from memory.retrieval.searching import search
from memory.storage import Space, content_hash
from memory.values.reports import RefusedChunk
from memory.workspace import Workspace
from providers import Kind, RefusedTexts
from providers.fake import FakeProvider
from tests.memory.databases import counts, opened, use, write

BAD = "unspeakable"


class Prim(FakeProvider):
    """Refuses texts with a certain word, and counts how often it was shown one."""

    shown = 0

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        if BAD and any(BAD in text for text in texts):
            self.shown += 1
            raise RefusedTexts(f"the server refuses the text: {len(texts)} texts", hint="mend it")
        return super().embed(texts, kind=kind)


@pytest.fixture
def prim(memory: Workspace) -> Prim:
    provider = Prim(batch_size=4)
    use(memory, provider)
    return provider


def words(number: int) -> str:
    return f"alpha{number} beta{number} gamma{number}"


def active(memory: Workspace) -> Space:
    space = memory.storage.active_space()
    assert space is not None
    return space


def some_files(docs: Path, *, bad: int) -> None:
    write(docs, {f"{n}.md": words(n) + (f" {BAD}" if n == bad else "") for n in range(9)})


def test_one_refused_text_leaves_the_others_their_vectors(
    memory: Workspace, docs: Path, prim: Prim
) -> None:
    some_files(docs, bad=5)
    stats = sync_files(memory, [docs])
    assert counts(stats) == {"added": 9, "chunks": 9, "embedded": 8}
    assert stats.refused == 1
    assert [line for line in stats.warnings if "1 of the chunks have no vector" in line]
    status = read_status(memory)
    assert (status.vectors, status.refused_chunks) == (8, 1)
    path = str(docs / "5.md")
    reason = "the server refuses the text: 1 texts"
    assert status.refused == [RefusedChunk(path, 1, 1, reason)]
    (hit, *_) = search(memory, BAD).results
    assert hit.file_path == path


def test_a_turn_that_is_refused_is_told_too(memory: Workspace, prim: Prim) -> None:
    ingest_text(memory, words(1))
    with memory.storage.database.transaction() as tx:
        remember_refusals(tx, active(memory), {content_hash(f"so {BAD}"): "no"})
    process_turns(memory, [NewTurn("s1", f"so {BAD}", auto_extract=False)])
    status = read_status(memory)
    assert status.refused_chunks == 1
    assert status.refused == [RefusedChunk("turn:1", None, None, "no")]


def test_what_is_refused_is_not_shown_again(memory: Workspace, docs: Path, prim: Prim) -> None:
    some_files(docs, bad=5)
    sync_files(memory, [docs])
    shown = prim.shown
    (docs / "copy.md").write_text(f"{words(5)} {BAD}")
    planned = sync_files(memory, [docs], dry_run=True)
    assert (planned.refused, planned.embedded, planned.cached) == (1, 0, 0)
    stats = sync_files(memory, [docs])
    assert (stats.refused, prim.shown) == (1, shown), "an equal text is known by its content"
    assert read_status(memory).refused_chunks == 2


def test_also_when_other_vectors_are_missing(memory: Workspace, docs: Path, prim: Prim) -> None:
    some_files(docs, bad=5)
    sync_files(memory, [docs])
    shown = prim.shown
    prim.fail_times = 1
    write(docs, {"new.md": "delta"})
    assert sync_files(memory, [docs]).embedded == 0
    assert counts(sync_files(memory, [docs])) == {"unchanged": 10, "embedded": 1}
    assert prim.shown == shown
    assert read_status(memory).refused_chunks == 1


def test_force_asks_again(memory: Workspace, docs: Path, prim: Prim) -> None:
    some_files(docs, bad=5)
    sync_files(memory, [docs])
    shown = prim.shown
    sync_files(memory, [docs], force=True, dry_run=True)
    assert (prim.shown, read_status(memory).refused_chunks) == (shown, 1), "only said"
    again = sync_files(memory, [docs], force=True)
    assert (again.refused, prim.shown > shown) == (1, True)
    use(memory, FakeProvider(batch_size=4))  # the server is fixed
    stats = sync_files(memory, [docs], force=True)
    assert (stats.refused, stats.embedded) == (0, 1)
    status = read_status(memory)
    assert (status.refused_chunks, status.refused, status.vectors) == (0, [], 9)


@pytest.mark.parametrize("way", ["edited", "deleted"])
def test_a_text_that_goes_takes_its_refusal_along(
    memory: Workspace, docs: Path, prim: Prim, way: str
) -> None:
    some_files(docs, bad=5)
    sync_files(memory, [docs])
    if way == "edited":
        (docs / "5.md").write_text(words(5))
    else:
        (docs / "5.md").unlink()
    sync_files(memory, [docs])
    assert memory.storage.database.read("SELECT * FROM refused_texts") == []
    assert read_status(memory).refused_chunks == 0


def test_a_text_that_another_still_has_keeps_it(memory: Workspace, docs: Path, prim: Prim) -> None:
    text = f"{words(1)} {BAD}"
    write(docs, {"a.md": text, "b.md": text, "c.md": words(2)})
    sync_files(memory, [docs])
    (docs / "a.md").unlink()
    sync_files(memory, [docs])
    status = read_status(memory)
    assert [chunk.path for chunk in status.refused] == [str(docs / "b.md")]


def test_an_ingested_text_may_be_refused(memory: Workspace, prim: Prim) -> None:
    ingest_text(memory, words(1))
    result = ingest_text(memory, f"{words(2)} {BAD}")
    (refused,) = read_status(memory).refused
    assert refused.path == f"text:{result.id}"
    delete_record(memory, result.id)
    assert read_status(memory).refused == []


def test_many_are_counted_and_some_are_listed(memory: Workspace, docs: Path, prim: Prim) -> None:
    write(docs, {f"{n:03}.md": f"{words(n)} {BAD}" for n in range(MOST_PROBLEMS + 3)})
    sync_files(memory, [docs])
    status = read_status(memory)
    assert (status.refused_chunks, len(status.refused)) == (MOST_PROBLEMS + 3, MOST_PROBLEMS)


def test_another_model_is_asked_anew(tmp_path: Path, docs: Path) -> None:
    some_files(docs, bad=5)
    with opened(tmp_path) as memory:
        use(memory, Prim(batch_size=4))
        sync_files(memory, [docs])
        space = active(memory)
        hashes = [row[0] for row in memory.storage.database.read("SELECT hash FROM chunks")]
        assert len(known_refusals(memory.storage.database, space, hashes)) == 1
        other = space._replace(embedder="another")
        assert known_refusals(memory.storage.database, other, hashes) == {}
