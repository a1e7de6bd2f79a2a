"""Records one by one: shown by citation, listed in pages, changed, removed."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError, NotFoundError
from memory.files.ingestion import ingest_text, sync_files
from memory.index.document_store import documents_of
from memory.operations.manage import (
    delete_record,
    get_file,
    get_record,
    list_records,
    show,
    update_record,
)
from memory.retrieval.searching import search
from memory.values.citations import Citation, cite_lines, cite_text, readings
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import UNDECODABLE, contents, counts, document, write

NAMES = [
    "plain.md",
    "notes:12",
    "notes:3-4.md",
    "a b  c.md",
    " leading.md",
    "trailing.md ",
    "12",
    "12:13",
    "text abc",
    "text 5.md",
    "~home.md",
    "~/x.md",
    "-rf.md",
    "ünïcödé 日本.md",
    "new\nline.md",
    "tab\there.md",
    "dir:7/in side.md",
    "#hash?query.md",
    "%41.md",
    "con*st[a-z].md",
]
TEN = "".join(f"line {n}\n" for n in range(1, 11))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("inside", [True, False], ids=["relative", "absolute"])
def test_what_search_cites_can_be_shown(
    memory: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch, name: str, inside: bool
) -> None:
    write(docs, {name: document(0, 1)})
    write(docs, {"other.md": document(2)})
    sync_files(memory, [docs / name, docs / "other.md"])
    monkeypatch.chdir(docs if inside else "/")
    options = SearchOptions(mode="keyword", all_chunks=True)
    hits = search(memory, "item0x1 item1x1", options).results
    assert len(hits) == 2
    for hit in hits:
        shown = show(memory, hit.citation)
        assert shown.path == str(docs / name) == hit.file_path
        assert (shown.start_line, shown.end_line) == (hit.start_line, hit.end_line)
        assert shown.text.rstrip("\n") == hit.text
    assert show(memory, str(docs / name)).text == document(0, 1)
    assert show(memory, hits[0].file_id or "").path == str(docs / name)


def test_a_text_is_shown_by_its_citation_and_its_id(memory: Workspace) -> None:
    done = ingest_text(memory, "Rivers carry silt.", metadata={"k": "v"})
    (hit,) = search(memory, "silt").results
    for citation in (hit.citation, done.id, f" {hit.citation}\n"):
        shown = show(memory, citation)
        assert (shown.id, shown.path, shown.text) == (done.id, None, "Rivers carry silt.")
        assert (shown.metadata, shown.stale) == ({"k": "v"}, False)


def test_lines_of_one_file_before_the_name_of_another(memory: Workspace, docs: Path) -> None:
    write(docs, {"notes": TEN, "notes:3": "another file\n"})
    sync_files(memory, [docs / "notes", docs / "notes:3"])
    assert show(memory, f"{docs}/notes:3").text == "line 3"
    assert show(memory, f"{docs}/notes:3:1").text == "another file"
    delete_record(memory, show(memory, f"{docs}/notes").id)
    assert show(memory, f"{docs}/notes:3").text == "another file\n"


def test_a_file_is_shown_by_a_link_to_it(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": TEN})
    (docs / "link").symlink_to(docs)
    sync_files(memory, [docs])
    assert show(memory, f"{docs}/link/a.md:2-3").text == "line 2\nline 3"


def test_a_home_folder(memory: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(docs, {"a.md": TEN})
    sync_files(memory, [docs])
    monkeypatch.setenv("HOME", str(docs))
    assert show(memory, "~/a.md:10").text == "line 10"


@pytest.mark.parametrize(
    "citation",
    [
        "",
        " ",
        "nothing.md",
        "nothing.md:1-2",
        "text 0123",
        "a\0b",
        "\ud800",
        "~nobody/x",
        "x" * 9999,
        "a:99999999999999999999999999",
        ":",
        ":1",
        "1-2",
    ],
)
def test_nothing_of_that_name(memory: Workspace, citation: str) -> None:
    with pytest.raises(NotFoundError, match="nothing indexed is called"):
        show(memory, citation)


def test_citations_are_written_as_they_are_read(tmp_path: Path) -> None:
    assert cite_lines("/srv/a.md", 3, 3, cwd=tmp_path) == "/srv/a.md:3"
    assert cite_lines(f"{tmp_path}/a.md", 3, 7, cwd=tmp_path) == "a.md:3-7"
    assert cite_lines(f"{tmp_path}s/a.md", 3, 3, cwd=tmp_path) == f"{tmp_path}s/a.md:3"
    assert cite_lines("/srv/a.md", 3, 3, cwd=Path("/")) == "srv/a.md:3"
    assert cite_text("12") == "text 12"
    first = readings("a.md:3-7", cwd=tmp_path)[0]
    assert (first.path, first.record_id, first.lines) == (f"{tmp_path}/a.md", None, (3, 7))
    assert readings("text 12", cwd=tmp_path)[-1].record_id == "12"


NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1)


@given(
    parts=st.lists(NAME.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=3),
    first=st.integers(1, 10**6),
    more=st.integers(0, 99),
    inside=st.booleans(),
)
def test_any_citation_names_its_place(
    parts: list[str], first: int, more: int, inside: bool
) -> None:
    path = "/srv/docs/" + "/".join(parts)
    cwd = Path("/srv/docs") if inside else Path("/home")
    place = Citation(path=path, lines=(first, first + more))
    assert place in readings(cite_lines(path, first, first + more, cwd=cwd), cwd=cwd)


@pytest.mark.parametrize(
    "lines, text, end",
    [
        pytest.param(None, TEN, 10, id="all"),
        pytest.param((1, 1), "line 1", 1, id="first"),
        pytest.param((3, 5), "line 3\nline 4\nline 5", 5, id="middle"),
        pytest.param((9, 99), "line 9\nline 10", 10, id="past the end"),
    ],
)
def test_lines_of_a_file(
    memory: Workspace, docs: Path, lines: tuple[int, int] | None, text: str, end: int
) -> None:
    write(docs, {"a.txt": TEN})
    sync_files(memory, [docs])
    (record,) = list_records(memory).records
    content = get_file(memory, record.id, lines=lines)
    assert content.text == text
    assert (content.start_line, content.end_line) == (lines[0] if lines else 1, end)
    assert (content.total_lines, content.stale, content.path) == (10, False, str(docs / "a.txt"))


@pytest.mark.parametrize(
    "lines, match",
    [
        ((0, 3), "lines 0-3 are not a valid range"),
        ((3, 2), "lines 3-2 are not a valid range"),
        ((-1, 2), "lines -1-2"),
        ((11, 12), "past the end: the text has 10 lines"),
    ],
)
def test_lines_that_are_none(memory: Workspace, lines: tuple[int, int], match: str) -> None:
    done = ingest_text(memory, TEN)
    with pytest.raises(InputError, match=match):
        get_file(memory, done.id, lines=lines)


def test_no_such_record(memory: Workspace) -> None:
    for action in (get_file, get_record, delete_record, update_record):
        with pytest.raises(NotFoundError, match="no file or text with the id 'nobody'"):
            action(memory, "nobody")


def test_stale_means_other_bytes(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.txt": TEN})
    sync_files(memory, [docs])
    (record,) = list_records(memory).records

    def stale() -> bool:
        return get_file(memory, record.id).stale

    assert not stale()
    os.utime(docs / "a.txt", (2e9, 2e9))
    assert not stale()
    write(docs, {"a.txt": TEN.replace("line 1\n", "line X\n")})
    assert stale()
    assert get_file(memory, record.id).text == TEN
    write(docs, {"a.txt": TEN})
    assert not stale()
    write(docs, {"a.txt": TEN + "more\n"})
    assert stale()
    (docs / "a.txt").unlink()
    assert stale()
    (docs / "a.txt").mkdir()
    assert stale()


def test_pages_go_through_all_records_once(memory: Workspace, docs: Path) -> None:
    write(docs, {f"{n:02}.md": document(n) for n in range(7)})
    sync_files(memory, [docs])
    ids = [ingest_text(memory, f"note {n}").id for n in range(4)]
    seen: list[str] = []
    cursor, pages = None, 0
    while pages == 0 or cursor:
        page = list_records(memory, limit=3, cursor=cursor)
        assert len(page.records) == (3 if page.next_cursor else 2)
        seen += [record.path or record.id for record in page.records]
        cursor, pages = page.next_cursor, pages + 1
    assert pages == 4
    assert seen == [str(docs / f"{n:02}.md") for n in range(7)] + sorted(ids)
    assert list_records(memory, limit=11).next_cursor is None
    assert [r.id for r in list_records(memory, source="text").records] == sorted(ids)
    assert len(list_records(memory, source="file").records) == 7
    assert list_records(memory, source="turn").records == []


def test_records_below_a_path(
    memory: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs, {"a/b.md": document(0), "a-b/c.md": document(1), "a/d/e.md": document(2)})
    sync_files(memory, [docs])
    ingest_text(memory, "a note")
    monkeypatch.chdir(docs)
    for path, names in (("a", ["b.md", "e.md"]), ("a/", ["b.md", "e.md"]), ("a/b.md", ["b.md"])):
        records = list_records(memory, path=path).records
        assert [Path(record.path or "").name for record in records] == names
    assert len(list_records(memory, path="/").records) == 3


@pytest.mark.parametrize(
    "arguments, match",
    [
        ({"source": "files"}, "no source 'files'"),
        ({"limit": 0}, "the limit is 0"),
        ({"limit": 1001}, "the limit is 1001"),
        ({"path": "a\0b"}, "has a NUL"),
    ],
)
def test_what_cannot_be_listed(memory: Workspace, arguments: dict[str, object], match: str) -> None:
    with pytest.raises(InputError, match=match):
        list_records(memory, **arguments)  # type: ignore[arg-type]


def test_only_problems(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": "", "c.md": UNDECODABLE})
    sync_files(memory, [docs])
    records = list_records(memory, only_problems=True).records
    assert [(Path(r.path or "").name, r.state, r.chunks) for r in records] == [
        ("b.md", "skipped", 0),
        ("c.md", "failed", 0),
    ]
    assert records[0].reason == "empty: no text in it"


def test_a_record_has_the_figures_of_its_file(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    os.utime(docs / "a.md", ns=(0, 1_772_627_400_123_456_789))
    sync_files(memory, [docs])
    (listed,) = list_records(memory).records
    assert listed == get_record(memory, listed.id)
    assert (listed.source, listed.state, listed.reason) == ("file", "indexed", None)
    assert (listed.size_bytes, listed.chunks) == (len(document(0, 1, 2)), 3)
    assert (listed.tags, listed.metadata) == ([], {})
    assert listed.modified_at == "2026-03-04T12:30:00.123Z"
    assert listed.created_at <= listed.updated_at
    updated = update_record(memory, listed.id, metadata={"k": 1})
    assert (updated.metadata, updated.tags, updated.created_at) == ({"k": 1}, [], listed.created_at)
    assert update_record(memory, listed.id, tags=["a"]).metadata == {"k": 1}
    assert search(memory, "pump").results[0].metadata == {"k": 1}


def test_a_deleted_record_leaves_nothing_behind(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1)})
    sync_files(memory, [docs])
    done = ingest_text(memory, "a note about rivers")
    (record, _) = list_records(memory).records
    assert delete_record(memory, record.id) == record
    assert list(contents(memory)) == [f"text:{done.id}"]
    assert memory.storage.count_vectors() == 1
    assert search(memory, "item0x1", SearchOptions(mode="keyword")).results == []
    assert delete_record(memory, done.id).chunks == 1
    assert contents(memory) == {}
    assert documents_of(memory).counts() == {}
    assert counts(sync_files(memory)) == {"added": 1, "chunks": 2, "embedded": 2}
