"""The indexed text of a document is the file's text, character by character."""

import codecs
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError
from ingest import LoadedText, load_bytes
from memory.config.settings import ChunkingConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.document_store import DocumentStore
from memory.index.indexing import Indexer
from memory.index.indexing_settings import current_indexing_settings
from memory.operations.manage import get_file, list_records
from memory.workspace import Workspace
from tests.memory.databases import contents, document, opened, write

WORDS = st.sampled_from(
    [
        "word",
        "# Title",
        "## Two",
        "```",
        "- item",
        "| a | b |",
        "def f():",
        "    x = 1",
        "ünï",
        "日本",
    ]
)
BREAKS = st.sampled_from(
    ["\n", "\r\n", "\n\n", " ", "  \n", "\t", "\r", "\u2028", "\x0c", "\n\n\n"]
)
TEXTS = st.lists(st.tuples(WORDS, BREAKS), max_size=60).map(
    lambda parts: "".join(word + end for word, end in parts)
)


@given(text=st.one_of(TEXTS, st.text(st.characters(exclude_categories=["Cs"]), max_size=400)))
@pytest.mark.parametrize("name", ["a.md", "a.py", "a.txt"])
@pytest.mark.parametrize("size, overlap", [(50, 25), (120, 0)])
def test_any_text_is_made_whole_again(name: str, size: int, overlap: int, text: str) -> None:
    """Through loading, cutting and storing; a text without visible characters is not a document."""
    loaded = load_bytes(text.encode(), name)
    if not isinstance(loaded, LoadedText):
        return
    chunking = ChunkingConfig(chunk_size_chars=size, chunk_overlap_chars=overlap)
    with opened(Path("/nowhere"), backend="memory", chunking=chunking) as memory:
        store = DocumentStore(memory.storage)
        indexer = Indexer(memory.storage, partial(current_indexing_settings, memory), cache_bytes=0)
        done = ingest_text(memory, "placeholder")
        row = store.get(done.id)
        assert row is not None
        indexer.add(row, loaded)
        indexer.flush()
        assert store.text(row) == loaded.text


@pytest.mark.parametrize(
    "data, text",
    [
        pytest.param(b"one\r\n\r\ntwo\r\n", "one\r\n\r\ntwo\r\n", id="CRLF"),
        pytest.param(codecs.BOM_UTF8 + b"one\n", "one\n", id="byte order mark"),
        pytest.param("één\n日本\n".encode("utf-16"), "één\n日本\n", id="UTF-16"),
        pytest.param(b"\n\n  \n   indented\n\n\n", "\n\n  \n   indented\n\n\n", id="blanks around"),
        pytest.param(b"no end", "no end", id="no final newline"),
        pytest.param(b"caf\xe9 au lait\n", "café au lait\n", id="Latin-1"),
        pytest.param(
            "".join(f"Sentence number {n} goes on for a while. " for n in range(80)).encode(),
            "".join(f"Sentence number {n} goes on for a while. " for n in range(80)),
            id="overlaps",
        ),
        pytest.param(b"x" * 5000, "x" * 5000, id="one long word"),
    ],
)
def test_files_are_made_whole_again(memory: Workspace, docs: Path, data: bytes, text: str) -> None:
    write(docs, {"a.md": data})
    assert sync_files(memory, [docs]).added == 1
    (record,) = list_records(memory).records
    assert get_file(memory, record.id).text == text
    for chunk in contents(memory)[str(docs / "a.md")]:
        assert text[slice(*chunk.span)] == chunk.text
        first, last = chunk.lines
        assert text.count("\n", 0, chunk.span[0]) == first - 1
        assert text.count("\n", 0, chunk.span[1]) == last - 1


def test_a_text_with_zero_characters_is_refused(memory: Workspace) -> None:
    with pytest.raises(InputError, match="has a NUL at character 6"):
        ingest_text(memory, "before\0after and more")


def test_an_edit_leaves_no_old_tail(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0) + "\n\n\n"})
    sync_files(memory, [docs])
    write(docs, {"a.md": document(0).rstrip()})
    sync_files(memory)
    (record,) = list_records(memory).records
    assert get_file(memory, record.id).text == document(0).rstrip()
