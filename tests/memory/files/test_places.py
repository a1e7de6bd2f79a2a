"""Files of formats with pages: how their chunks are cited, and when they are read again."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from contracts import InputError, NotFoundError, install_hint
from ingest import LoadLimits
from memory.config.settings import ChunkingConfig
from memory.files.ingestion import sync_files, sync_settings
from memory.files.sync import Synchroniser
from memory.index.document_store import documents_of
from memory.index.indexing_settings import current_indexing_settings
from memory.index.spaces.reindex import reindex
from memory.operations.manage import citation_of, get_file, show
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions
from tests.ingest.pdfs import pdf
from tests.memory.databases import counts, opened, write

PAGES = [
    ["The harbour opens at dawn."],
    ["The lighthouse keeper sleeps.", "Nobody wakes him."],
    ["Fishing boats return at noon."],
]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    write(folder, {"port.pdf": pdf(PAGES), "a, b.pdf": pdf(PAGES[:1]), "plain.md": "# Plain\n\nx"})
    return folder


@pytest.fixture
def workspace(tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.chdir(docs)
    chunking = ChunkingConfig(chunk_size_chars=60, chunk_overlap_chars=0)
    with opened(tmp_path, chunking=chunking) as workspace:
        yield workspace


def cited(workspace: Workspace, query: str) -> str:
    options = SearchOptions(mode="keyword", max_results=1)
    (hit,) = search(workspace, query, options).results
    return hit.citation


def test_a_hit_names_its_page(workspace: Workspace, docs: Path) -> None:
    sync_files(workspace, [docs])
    options = SearchOptions(mode="keyword", max_results=1, neighbours=1)
    (hit,) = search(workspace, "lighthouse keeper", options).results
    assert (hit.citation, hit.place) == ("port.pdf:3-4, page 2", "page 2")
    assert [near.citation for near in (*hit.before, *hit.after)] == [
        "port.pdf:1, page 1",
        "port.pdf:6, page 3",
    ]
    assert [near.place for near in (*hit.before, *hit.after)] == ["page 1", "page 3"]
    (plain,) = search(workspace, "Plain", options).results
    assert (plain.citation, plain.place) == ("plain.md:1-3", None)


def test_a_hit_of_a_small_pdf_names_the_page_of_its_words(tmp_path: Path, docs: Path) -> None:
    with opened(tmp_path) as workspace:
        sync_files(workspace, [docs])
        (hit,) = search(workspace, "when do the boats return", SearchOptions(max_results=1)).results
        assert (Path(hit.citation).name, hit.place) == ("port.pdf:6, page 3", "page 3")
        assert hit.text == "Fishing boats return at noon."
        shown = show(workspace, hit.citation)
        assert (shown.text, shown.place) == (hit.text, "page 3")


@pytest.mark.parametrize(
    "citation, text, exact",
    [
        ("port.pdf:3-4, page 2", "The lighthouse keeper sleeps.\nNobody wakes him.", True),
        ("port.pdf:6, page 3", "Fishing boats return at noon.", True),
        ("port.pdf, page 2", "The lighthouse keeper sleeps.\nNobody wakes him.", False),
        ("port.pdf, page 3", "Fishing boats return at noon.", False),
        ("port.pdf:4", "Nobody wakes him.", False),
        ("a, b.pdf, page 1", "The harbour opens at dawn.", False),
        ("a, b.pdf:1, page 1", "The harbour opens at dawn.", True),
    ],
)
def test_what_a_citation_with_a_page_shows(
    workspace: Workspace, docs: Path, citation: str, text: str, exact: bool
) -> None:
    sync_files(workspace, [docs])
    content = show(workspace, citation)
    assert content.text == text
    again = citation_of(content)
    assert show(workspace, again).text == text
    assert (again == citation) is exact
    assert content.place is not None
    assert content.place in again


def test_several_pages_and_whole_files(workspace: Workspace, docs: Path) -> None:
    sync_files(workspace, [docs])
    both = show(workspace, "port.pdf, pages 1-2")
    assert (both.start_line, both.end_line, both.place) == (1, 4, "pages 1-2")
    whole = show(workspace, "port.pdf")
    assert (whole.place, citation_of(whole)) == (None, "port.pdf:1-6")
    assert get_file(workspace, whole.id, lines=(6, 6)).place == "page 3"
    assert show(workspace, "plain.md:1").place is None


def test_a_page_that_is_not_there_is_named(workspace: Workspace, docs: Path) -> None:
    sync_files(workspace, [docs])
    with pytest.raises(NotFoundError, match=r"page 4.* it has page 1 to page 3") as missing:
        show(workspace, "port.pdf, page 4")
    assert "PATH:12-30" in (missing.value.hint or "")
    with pytest.raises(NotFoundError, match="it has no such parts"):
        show(workspace, "plain.md, page 1")
    with pytest.raises(NotFoundError, match=r"called .other\.pdf, page 1."):
        show(workspace, "other.pdf, page 1")
    with pytest.raises(InputError, match="past the end"):
        show(workspace, "port.pdf:90, page 2")


def test_pages_outlive_another_way_of_cutting(
    workspace: Workspace, tmp_path: Path, docs: Path
) -> None:
    sync_files(workspace, [docs])
    assert cited(workspace, "lighthouse") == "port.pdf:3-4, page 2"
    chunking = ChunkingConfig(chunk_size_chars=600, chunk_overlap_chars=0)
    with opened(tmp_path, chunking=chunking) as other:
        assert reindex(other).swapped
        assert cited(other, "lighthouse") == "port.pdf:3-4, page 2"
        assert show(other, "port.pdf, page 2").text.startswith("The lighthouse")
    assert counts(sync_files(workspace, [docs])) == {"unchanged": 3}


def test_a_page_that_moves_takes_its_chunks_along(workspace: Workspace, docs: Path) -> None:
    sync_files(workspace, [docs])
    write(docs, {"port.pdf": pdf([["A new first page."], *PAGES])})
    assert counts(sync_files(workspace, [docs])) == {
        **{"updated": 1, "unchanged": 2, "chunks": 1, "embedded": 1},
    }
    assert cited(workspace, "lighthouse") == "port.pdf:5-6, page 3"


def test_what_an_older_loader_read_is_read_again(workspace: Workspace, docs: Path) -> None:
    sync_files(workspace, [docs])
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE files SET loader = 'pdf-0', layout = '' WHERE path LIKE '%port.pdf'", {})
        tx.run("UPDATE chunks SET place = NULL", {})
    assert cited(workspace, "lighthouse") == "port.pdf:3-4"
    assert counts(sync_files(workspace, [docs])) == {"updated": 1, "unchanged": 2}
    assert cited(workspace, "lighthouse") == "port.pdf:3-4, page 2"
    assert counts(sync_files(workspace, [docs])) == {"unchanged": 3}


def test_the_same_bytes_under_another_kind_of_name_are_read_anew(
    workspace: Workspace, docs: Path
) -> None:
    text = "# One\n\nharbour\n\n# Two\n\nlighthouse"
    write(docs, {"same.md": text})
    sync_files(workspace, [docs])
    (docs / "same.md").rename(docs / "same.txt")
    (docs / "port.pdf").rename(docs / "port-2.pdf")
    done = sync_files(workspace, [docs])
    assert (done.added, done.deleted, done.renamed) == (1, 1, 1)
    options = SearchOptions(mode="keyword", max_results=9)
    hits = search(workspace, "lighthouse", options).results
    assert {(Path(hit.file_path or "").name, hit.heading) for hit in hits} == {
        ("same.txt", ""),
        ("port-2.pdf", ""),
    }


WITHOUT_THE_LIBRARY = """
import sys
from importlib.machinery import PathFinder
from pathlib import Path

class Hidden:
    def find_spec(name, path=None, target=None):
        return None if name == "pypdfium2" else PathFinder.find_spec(name, path, target)

sys.meta_path[:] = [Hidden if item is PathFinder else item for item in sys.meta_path]
from memory.files.ingestion import sync_files
from tests.memory.databases import opened
base = Path(sys.argv[1])
with opened(base) as workspace:
    done = sync_files(workspace, [base / "docs"])
    print(done.skipped, done.unchanged, *[problem.reason for problem in done.errors], sep="|")
"""


def without_the_library(base: Path) -> str:
    command = [sys.executable, "-c", WITHOUT_THE_LIBRARY, str(base)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_files_wait_for_their_library(tmp_path: Path, docs: Path) -> None:
    reason = f"missing-extra: needs {install_hint('documents')}"
    assert without_the_library(tmp_path) == f"2|0|{reason}|{reason}"
    with opened(tmp_path) as workspace:
        done = sync_files(workspace, [docs])
        assert (done.added, done.skipped, done.unchanged) == (2, 0, 1)
        # What was read stays when the library goes, as long as the file is the same.
        (docs / "port.pdf").touch()
    assert without_the_library(tmp_path) == "0|3"


def test_a_file_over_the_limit_waits_for_another_limit(
    tmp_path: Path, docs: Path, workspace: Workspace
) -> None:

    settings = sync_settings(workspace)
    assert settings.limits == LoadLimits()

    def run(text_bytes: int) -> tuple[int, int, int]:
        limits = LoadLimits(text_bytes=text_bytes)
        chosen = replace(settings, limits=limits)
        done = Synchroniser(
            workspace.storage, partial(current_indexing_settings, workspace), chosen
        ).run([docs])
        return done.added + done.updated, done.skipped, done.unchanged

    assert run(50) == (2, 1, 0)
    (refused,) = documents_of(workspace).problems(limit=9)
    assert refused.reason == "over-limit: more than 50 characters of text"
    assert run(50) == (0, 1, 2)
    assert run(500) == (1, 0, 2)
    assert run(50) == (0, 0, 3), "what is read already stays"


def test_lines_and_rows_of_the_file(workspace: Workspace, docs: Path) -> None:
    page = "<html>\n<body>\n<p>A heron\nwaits.</p>\n<p>A second one flies over the water.</p>\n"
    write(docs, {"birds.html": page})
    sync_files(workspace, [docs])
    assert cited(workspace, "heron") == "birds.html:1-3, source lines 3-5"
    shown = show(workspace, "birds.html, source lines 4-4")
    assert (shown.text, shown.extracted) == ("A heron waits.", True)
    assert citation_of(shown) == "birds.html:1, source lines 3-4"
    assert show(workspace, "birds.html:3, source line 5").text.startswith("A second one")
    assert show(workspace, "plain.md").extracted is False
    with pytest.raises(NotFoundError, match="its text is from source lines up to 5"):
        show(workspace, "birds.html, source lines 8-9")
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE files SET loader = 'html-1', layout = '' WHERE path LIKE '%html'", {})
    assert counts(sync_files(workspace, [docs])) == {"updated": 1, "unchanged": 3}
    assert cited(workspace, "heron") == "birds.html:1-3, source lines 3-5"
