"""The store of the Leader-Toolbox comes in with its times and, where they fit, its vectors."""

import json
import pickle
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

from contracts import InputError, NotFoundError
from memory.index.document_store import documents_of
from memory.operations.exchange.leader_toolbox_import import import_store
from memory.retrieval.searching import search
from memory.workspace import Workspace
from tests.memory.databases import PARAGRAPHS, fake

ENTRIES: list[Any] = [
    {"text": PARAGRAPHS[0], "timestamp": 1700000000.5, "source": "cellar.md", "tags": ["house"]},
    {"content": PARAGRAPHS[1], "created_at": "2023-05-06T07:08:09", "tags": "food, winter"},
    {"page_content": PARAGRAPHS[2], "metadata": {"author": "Ada", "date": 1700000000500}},
    {"text": PARAGRAPHS[3], "timestamp": "yesterday", "title": "Radio"},
    PARAGRAPHS[4],
]


def store(folder: Path, memory: Workspace, entries: list[Any] = ENTRIES) -> Path:
    """A folder as the toolbox could have left it; its vectors are of the database's model."""
    folder.mkdir()
    (folder / "metadatas.json").write_text(json.dumps(entries))
    texts = [PARAGRAPHS[number % len(PARAGRAPHS)] for number in range(len(entries))]
    rows = np.array(fake(memory).embed(texts, kind="document"), dtype=np.float32)
    np.save(folder / "embeddings_store.npy", rows)
    return folder


def with_nan_at_the_end(rows: Any) -> Any:
    rows[-1, -1] = np.nan
    return rows


def test_every_entry_becomes_a_text(memory: Workspace, tmp_path: Path) -> None:
    report = import_store(memory, store(tmp_path / "old", memory))
    assert (report.added, report.failed, report.warnings) == (5, 0, [])
    # The one with a title is embedded with it, so its vector is another.
    assert (report.chunks, report.vectors, report.embedded) == (5, 4, 1)
    hits = {hit.text: hit for hit in search(memory, "the", None).results}
    hits |= {hit.text: hit for text in PARAGRAPHS for hit in search(memory, text).results}
    assert hits[PARAGRAPHS[0]].occurred_at == "2023-11-14T22:13:20.500Z"
    assert hits[PARAGRAPHS[1]].occurred_at == "2023-05-06T07:08:09.000Z"
    assert hits[PARAGRAPHS[2]].metadata["author"] == "Ada"
    assert hits[PARAGRAPHS[2]].occurred_at == "2023-11-14T22:13:20.500Z"
    assert hits[PARAGRAPHS[0]].metadata["source"] == "cellar.md"
    tags = documents_of(memory).page(source="text", path=None, after="", limit=9)
    assert sorted(item.tags for item in tags) == [(), (), (), ("food", "winter"), ("house",)]


def test_the_same_store_again_changes_nothing(memory: Workspace, tmp_path: Path) -> None:
    folder = store(tmp_path / "old", memory)
    import_store(memory, folder)
    again = import_store(memory, folder)
    assert (again.added, again.unchanged, again.chunks) == (0, 5, 0)


def test_the_index_of_faiss_holds_the_vectors_too(memory: Workspace, tmp_path: Path) -> None:
    folder = store(tmp_path / "old", memory)
    rows = np.load(folder / "embeddings_store.npy")
    (folder / "embeddings_store.npy").unlink()
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    faiss.write_index(index, str(folder / "index.faiss"))
    report = import_store(memory, folder)
    assert (report.vectors, report.warnings) == (4, [])


@pytest.mark.parametrize(
    "change, why",
    [
        pytest.param(lambda rows: rows[::-1], "not those of", id="other-order"),
        pytest.param(lambda rows: rows[:, :7], "7 dimensions", id="other-width"),
        pytest.param(lambda rows: rows[:3], "3 embeddings for 5", id="too-few"),
        pytest.param(lambda rows: rows[0], "no matrix", id="no-matrix"),
        pytest.param(lambda rows: rows * np.nan, "no matrix", id="no-numbers"),
        pytest.param(lambda rows: rows * 0, "not those of", id="no-norm"),
        pytest.param(lambda rows: with_nan_at_the_end(rows), "no matrix of numbers", id="nan"),
    ],
)
def test_vectors_of_another_model_are_not_taken(
    memory: Workspace, tmp_path: Path, change: Any, why: str
) -> None:
    folder = store(tmp_path / "old", memory)
    rows = np.load(folder / "embeddings_store.npy")
    np.save(folder / "embeddings_store.npy", change(rows))
    report = import_store(memory, folder)
    assert why in report.warnings[0]
    assert (report.added, report.vectors, report.embedded) == (5, 0, 5)


def test_embeddings_may_be_missing_or_broken(memory: Workspace, tmp_path: Path) -> None:
    folder = store(tmp_path / "old", memory)
    (folder / "embeddings_store.npy").write_bytes(b"nothing of numpy's")
    assert "cannot be read" in import_store(memory, folder).warnings[0]
    (folder / "embeddings_store.npy").unlink()
    (folder / "index.faiss").write_bytes(b"nothing of FAISS's")
    assert "cannot be read" in import_store(memory, folder).warnings[0]
    (folder / "index.faiss").unlink()
    assert "no embeddings beside" in import_store(memory, folder).warnings[0]
    assert "no embeddings were given" in import_store(memory, folder / "metadatas.json").warnings[0]


@pytest.mark.parametrize("name", ["embeddings_store.npy", "embeddings.npz"])
def test_embeddings_of_any_bytes_leave_the_texts(
    memory: Workspace, tmp_path: Path, name: str
) -> None:
    folder = store(tmp_path / "old", memory)
    (folder / "embeddings_store.npy").unlink()
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 256), }\n"
    huge = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    for held in (huge, b"PK\x03\x04 and no more", b"PK\x05\x06" + bytes(18)):
        (folder / name).write_bytes(held)
        report = import_store(memory, folder)
        assert "cannot be read" in report.warnings[0] or "no matrix" in report.warnings[0]
        assert report.added + report.unchanged == 5


def test_other_forms_of_the_same(memory: Workspace, tmp_path: Path) -> None:
    folder = store(tmp_path / "old", memory)
    rows = np.load(folder / "embeddings_store.npy")
    (folder / "embeddings_store.npy").unlink()
    np.savez(folder / "embeddings.npz", ids=np.arange(5), embeddings=rows)
    (folder / "metadatas.json").rename(folder / "metadata.json")
    (folder / "metadata.json").write_text(json.dumps({"metadatas": ENTRIES}))
    assert import_store(memory, folder).vectors == 4
    (folder / "metadata.json").unlink()
    (folder / "entries.jsonl").write_text("\n".join(map(json.dumps, ENTRIES)) + "\n\n")
    assert import_store(memory, folder).unchanged == 5


def test_entries_without_a_text_are_listed(memory: Workspace, tmp_path: Path) -> None:
    entries = [{"source": "x"}, 7, {"text": "  "}, *ENTRIES]
    folder = store(tmp_path / "old", memory, entries)
    report = import_store(memory, folder)
    assert [error.line for error in report.errors] == [1, 2, 3]
    assert (report.added, report.failed) == (5, 3)
    with pytest.raises(InputError, match="entry 1: it has no text"):
        import_store(memory, folder, strict=True)


def test_a_pickle_is_never_read(memory: Workspace, tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "exploded",))

    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "metadatas.pkl").write_bytes(pickle.dumps([Bomb()]))
    with pytest.raises(InputError, match="is a pickle"):
        import_store(memory, folder)
    (folder / "metadatas.json").write_text(json.dumps(ENTRIES))
    np.save(folder / "embeddings.npy", np.array([Bomb()] * 5, dtype=object), allow_pickle=True)
    assert "cannot be read" in import_store(memory, folder).warnings[0]
    assert not (tmp_path / "exploded").exists()


def test_what_is_no_store_is_refused(memory: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no folder"):
        import_store(memory, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match=r"has no metadatas\.json"):
        import_store(memory, tmp_path / "empty")
    for content, why in (("{not json", "cannot be read"), ('{"a": 1, "b": 2}', "is not a list")):
        (tmp_path / "empty" / "metadatas.json").write_text(content)
        with pytest.raises(InputError, match=why):
            import_store(memory, tmp_path / "empty")
