"""Texts, single files and roots: taken in, described, remembered, forgotten."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, NotFoundError, Scope
from memory.config.settings import FilesConfig
from memory.files.ingestion import MAX_TEXT_BYTES, ingest_path, ingest_text, sync_files
from memory.files.roots import drop_root, known_roots, list_roots
from memory.index.document_store import documents_of
from memory.operations.manage import get_file, get_record, list_records, update_record
from memory.retrieval.searching import search
from memory.storage.meta import remembered_roots
from memory.values.reports import Root
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import contents, counts, document, fake, opened, write

KEYWORD = SearchOptions(mode="keyword")


def test_the_same_text_has_the_same_id(memory: Workspace) -> None:
    first = ingest_text(memory, "Rivers carry silt.", metadata={"a": 1}, tags=["x"])
    assert first.chunks == 1
    created = get_record(memory, first.id)
    again = ingest_text(memory, "Rivers carry silt.", metadata={"b": 2}, tags=["y", "z"])
    assert again == first
    record = get_record(memory, first.id)
    assert (record.metadata, record.tags) == ({"b": 2}, ["y", "z"])
    assert (record.created_at, record.modified_at) == (created.created_at, created.modified_at)
    assert memory.storage.chunks_by_source() == {"text": 1}
    assert fake(memory).texts_embedded == 1
    (hit,) = search(memory, "silt").results
    assert (hit.source, hit.file_id, hit.file_path) == ("text", first.id, None)
    assert hit.citation == f"text {first.id}"
    assert hit.metadata == {"b": 2}


def test_a_title_is_searched_and_a_new_one_replaces_it(memory: Workspace) -> None:
    done = ingest_text(memory, "It rained all day.", metadata={"title": "Weather journal"})
    (hit,) = search(memory, "journal", KEYWORD).results
    assert (hit.heading, hit.file_id) == ("Weather journal", done.id)
    update_record(memory, done.id, metadata={"title": "Cloud diary"})
    assert search(memory, "journal", KEYWORD).results == []
    (hit,) = search(memory, "diary", KEYWORD).results
    assert (hit.text, hit.metadata) == ("It rained all day.", {"title": "Cloud diary"})
    assert get_file(memory, done.id).text == "It rained all day."
    (chunks,) = contents(memory).values()
    assert [chunk.vector is None for chunk in chunks] == [False]


@pytest.mark.parametrize("title", ["", "  ", 7, None])
def test_no_title(memory: Workspace, title: object) -> None:
    ingest_text(memory, "It rained.", metadata={"title": title})
    assert search(memory, "rained").results[0].heading == ""


def test_tags_narrow_a_search(memory: Workspace) -> None:
    one = ingest_text(memory, "rivers one", tags=["geo", "wet", "geo"])
    two = ingest_text(memory, "rivers two", tags=["geo"])
    assert get_record(memory, one.id).tags == ["geo", "wet"]

    def found(*tags: str) -> set[str | None]:
        options = SearchOptions(scope=Scope(tags=tags))
        return {hit.file_id for hit in search(memory, "rivers", options).results}

    assert (found("geo"), found("geo", "wet"), found("dry")) == ({one.id, two.id}, {one.id}, set())
    update_record(memory, two.id, tags=["dry"])
    assert (found("geo"), found("dry")) == ({one.id}, {two.id})
    update_record(memory, two.id, tags=[])
    assert found("dry") == set()
    update_record(memory, one.id, metadata={"title": "kept"})
    assert found("wet") == {one.id}


@pytest.mark.parametrize(
    "stamp, occurred_at",
    [
        ("2026-03-04T12:30:00Z", "2026-03-04T12:30:00.000Z"),
        ("2026-03-04T12:30:00.125+02:00", "2026-03-04T10:30:00.125Z"),
        ("2026-03-04", "2026-03-04T00:00:00.000Z"),
        ("1815-06-18", "1815-06-18T00:00:00.000Z"),
    ],
)
def test_a_timestamp_is_when_it_was_written(
    memory: Workspace, stamp: str, occurred_at: str
) -> None:
    done = ingest_text(memory, "rivers", metadata={"timestamp": stamp})
    assert search(memory, "rivers").results[0].occurred_at == occurred_at
    assert get_record(memory, done.id).modified_at == occurred_at
    update_record(memory, done.id, metadata={"timestamp": "2027-01-01"})
    assert search(memory, "rivers").results[0].occurred_at == "2027-01-01T00:00:00.000Z"
    update_record(memory, done.id, metadata={})
    assert search(memory, "rivers").results[0].occurred_at == "2027-01-01T00:00:00.000Z"


def test_only_a_new_title_is_embedded_again(memory: Workspace) -> None:
    done = ingest_text(memory, "rivers", metadata={"title": "Water"})
    calls = fake(memory).calls
    update_record(memory, done.id, metadata={"title": "Water", "a": 1, "timestamp": "2020-01-01"})
    assert fake(memory).calls == calls
    (hit,) = search(memory, "rivers", KEYWORD).results
    assert (hit.heading, hit.occurred_at) == ("Water", "2020-01-01T00:00:00.000Z")
    assert hit.metadata == {"title": "Water", "a": 1, "timestamp": "2020-01-01"}
    update_record(memory, done.id, metadata={})
    assert fake(memory).calls == calls + 1
    (hit,) = search(memory, "rivers", KEYWORD).results
    assert (hit.heading, hit.metadata) == ("", {})


def test_old_texts_do_not_fade_unless_told_to(memory: Workspace) -> None:
    ingest_text(memory, "rivers", metadata={"timestamp": "1990-01-01"})
    options = SearchOptions(explain=True, now=datetime(2026, 1, 1, tzinfo=UTC))
    (hit,) = search(memory, "rivers", options).results
    assert hit.explanation is not None
    assert (hit.score, hit.explanation["decay"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    "metadata, match",
    [
        pytest.param({"a": {1, 2}}, "cannot be stored", id="set"),
        pytest.param({"a": float("nan")}, "cannot be stored", id="not a number"),
        pytest.param({("a", 1): 1}, "cannot be stored", id="key"),
        pytest.param({"timestamp": "yesterday"}, "the timestamp 'yesterday'", id="word"),
        pytest.param({"timestamp": 1772627400}, "the timestamp 1772627400", id="number"),
        pytest.param({"timestamp": "0044-03-15"}, "the timestamp '0044", id="too early"),
        pytest.param({"timestamp": "9999-12-31"}, "the timestamp '9999", id="too late"),
    ],
)
def test_metadata_that_cannot_be_kept(
    memory: Workspace, metadata: dict[str, Any], match: str
) -> None:
    with pytest.raises(InputError, match=match):
        ingest_text(memory, "rivers", metadata=metadata)
    assert contents(memory) == {}
    done = ingest_text(memory, "rivers", metadata={"a": 1})
    with pytest.raises(InputError, match=match):
        update_record(memory, done.id, metadata=metadata)
    assert get_record(memory, done.id).metadata == {"a": 1}


def test_metadata_nested_too_deep(memory: Workspace) -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(InputError, match="cannot be stored"):
        ingest_text(memory, "rivers", metadata=deep)


@pytest.mark.parametrize("tags", ["word", [1], ["a", None]])
def test_tags_that_are_none(memory: Workspace, tags: Any) -> None:
    with pytest.raises(InputError, match="the tags are"):
        ingest_text(memory, "rivers", tags=tags)


@pytest.mark.parametrize("text", ["", " \n\t", "\u2003\r\n"])
def test_a_text_without_a_visible_character(memory: Workspace, text: str) -> None:
    with pytest.raises(InputError, match="the text is empty"):
        ingest_text(memory, text)


def test_a_text_that_is_too_long(memory: Workspace) -> None:
    with pytest.raises(InputError, match=f"{MAX_TEXT_BYTES:,} are the most"):
        ingest_text(memory, "x" * (MAX_TEXT_BYTES + 1))


@pytest.mark.parametrize("bad", ["half \ud83d pair", "a\udc00b", "a\0b"], ids=ascii)
def test_what_is_no_unicode_text_is_refused(memory: Workspace, bad: str) -> None:
    for text, about in (
        (bad, {}),
        ("fine", {"metadata": {"title": bad}}),
        ("fine", {"metadata": {"list": [{bad: 1}]}}),
        ("fine", {"tags": [bad]}),
    ):
        with pytest.raises(InputError, match=r"surrogate pair at|NUL at character"):
            ingest_text(memory, text, **about)  # type: ignore[arg-type]
    assert list_records(memory).records == []
    with pytest.raises(InputError, match=r"surrogate pair at|NUL at character|does not exist"):
        sync_files(memory, [f"{bad}\ud800"])


def test_a_file_with_metadata_keeps_it(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1)})
    done = ingest_path(memory, docs / "a.md", metadata={"author": "Ines"})
    assert (len(done.file_ids), done.added, done.failed) == (1, 1, [])
    assert remembered_roots(memory.storage.database) == []
    assert sync_files(memory, [docs]).added == 1
    write(docs, {"a.md": document(0, 2)})
    assert sync_files(memory).updated == 1
    (docs / "a.md").rename(docs / "c.md")
    assert sync_files(memory).renamed == 1
    hit = search(memory, "cellar pump").results[0]
    assert (hit.file_id, hit.metadata) == (done.file_ids[0], {"author": "Ines"})
    assert ingest_path(memory, docs / "c.md").added == 0
    assert get_record(memory, done.file_ids[0]).metadata == {"author": "Ines"}


def test_a_folder_is_ingested_whole_or_refused(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "sub/b.md": document(1), "sub/empty.md": ""})
    with pytest.raises(InputError, match="is a folder"):
        ingest_path(memory, docs, recursive=False)
    with pytest.raises(NotFoundError, match="does not exist"):
        ingest_path(memory, docs / "nothing")
    with pytest.raises(InputError, match="cannot be stored"):
        ingest_path(memory, docs, metadata={"a": object()})
    assert documents_of(memory).counts() == {}
    done = ingest_path(memory, str(docs), metadata={"k": "v"})
    assert (done.added, [Path(item.path).name for item in done.failed]) == (2, ["empty.md"])
    assert {get_record(memory, file_id).path for file_id in done.file_ids} == {
        str(docs / "a.md"),
        str(docs / "sub/b.md"),
    }
    assert {get_record(memory, file_id).metadata["k"] for file_id in done.file_ids} == {"v"}


def test_what_people_say_of_a_file_survives_a_sync_that_had_begun(
    memory: Workspace, docs: Path
) -> None:
    """Each file is described by somebody else just before the sync comes to store it."""
    write(docs, {"a.md": document(0), "b.md": document(1), "c.md": document(2)})
    sync_files(memory, [docs])
    write(docs, {"a.md": document(0, 7)})
    os.utime(docs / "b.md", (2e9, 2e9))
    (docs / "c.md").rename(docs / "d.md")

    def describe(_: object) -> None:
        for record in list_records(memory).records:
            update_record(memory, record.id, metadata={"k": "v"}, tags=["t"])

    sync_files(memory, progress=describe)
    records = [item for item in list_records(memory).records if item.chunks]
    assert {(Path(item.path or "").name, item.metadata["k"], *item.tags) for item in records} == {
        (name, "v", "t") for name in ("a.md", "b.md", "d.md")
    }
    options = SearchOptions(scope=Scope(tags=("t",)), all_chunks=True)
    assert len(search(memory, "item0x1 item1x1 item2x1 item7x1", options).results) == 4


def test_a_single_file_is_a_root(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": document(1), "c.unknown": document(2)})
    assert sync_files(memory, [docs / "a.md", docs / "c.unknown"]).added == 2
    assert known_roots(memory) == [docs / "a.md", docs / "c.unknown"]
    write(docs, {"a.md": document(3)})
    assert counts(sync_files(memory)) == {
        **{"updated": 1, "unchanged": 1},
        **{"chunks": 1, "embedded": 1},
    }


def test_a_root_inside_another_is_wanted_whatever_hides_it(memory: Workspace, docs: Path) -> None:
    write(
        docs,
        {"a.md": document(0), ".gitignore": "hidden/\n", "hidden/b.md": document(1)},
    )
    assert sync_files(memory, [docs]).added == 1
    assert sync_files(memory, [docs / "hidden"]).added == 1
    assert known_roots(memory) == [docs, docs / "hidden"]
    for paths in (None, [docs], [docs.parent / "docs"]):
        assert counts(sync_files(memory, paths)) == {"unchanged": 2}
    assert ingest_path(memory, docs).added == 0
    (docs / "hidden/b.md").unlink()
    (docs / "hidden").rmdir()
    assert len(ingest_path(memory, docs).file_ids) == 1
    drop_root(memory, docs / "hidden")
    assert counts(sync_files(memory)) == {"unchanged": 1}


def test_roots_inside_roots_change_no_count(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "sub/b.md": document(1), "sub/deep/c.md": document(2)})
    (docs.parent / "link").symlink_to(docs / "sub")
    roots = [docs, docs / "a.md", docs / "sub/deep", docs.parent / "link"]
    assert counts(sync_files(memory, roots)) == {"added": 3, "chunks": 3, "embedded": 3}
    assert counts(sync_files(memory)) == {"unchanged": 3}
    (docs / "a.md").unlink()
    assert counts(sync_files(memory)) == {"unchanged": 2, "deleted": 1}


def test_a_sync_removes_only_below_its_roots(memory: Workspace, docs: Path) -> None:
    write(docs, {"one/a.md": document(0), "one-more/b.md": document(1), "two/c.md": document(2)})
    sync_files(memory, [docs / "one", docs / "one-more", docs / "two"])
    for path in docs.rglob("*.md"):
        path.unlink()
    assert counts(sync_files(memory, [docs / "one"])) == {"deleted": 1}
    assert len(list_records(memory).records) == 2
    assert counts(sync_files(memory)) == {"deleted": 2}


def test_a_vanished_root_keeps_its_files_and_is_reported(memory: Workspace, docs: Path) -> None:
    write(docs, {"one/a.md": document(0), "two/b.md": document(1)})
    sync_files(memory, [docs / "one", docs / "two"])
    (docs / "one").rename(docs / "away")
    stats = sync_files(memory)
    assert counts(stats) == {"unchanged": 1, "failed": 1}
    assert [(item.path, item.state) for item in stats.errors] == [(str(docs / "one"), "failed")]
    assert "its files stay" in stats.errors[0].reason
    assert len(contents(memory)) == 2
    with pytest.raises(NotFoundError, match="one does not exist"):
        sync_files(memory, [docs / "one"])
    (docs / "two").rename(docs / "away too")
    with pytest.raises(NotFoundError, match=r"one, .*two cannot be reached"):
        sync_files(memory)
    (docs / "away").rename(docs / "one")
    assert counts(sync_files(memory)) == {"unchanged": 1, "failed": 1}


def test_a_vanished_root_inside_another_has_gone_with_its_files(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {"a.md": document(0), "sub/b.md": document(1)})
    sync_files(memory, [docs, docs / "sub"])
    (docs / "sub/b.md").unlink()
    (docs / "sub").rmdir()
    stats = sync_files(memory)
    assert counts(stats) == {"unchanged": 1, "deleted": 1}
    assert stats.errors == []


@pytest.mark.parametrize("name", ["x" * 300, "no/such/file"])
def test_a_path_that_does_not_exist(memory: Workspace, name: str) -> None:
    with pytest.raises(NotFoundError, match="does not exist"):
        sync_files(memory, [name])


def test_no_folder_at_all(memory: Workspace) -> None:
    nothing: list[str] = []
    for paths in (None, nothing):
        with pytest.raises(NotFoundError, match=r"there is no folder to sync \(name"):
            sync_files(memory, paths)


def test_configured_roots_and_remembered_ones(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0), "other/b.md": document(1)})
    (docs / "link").symlink_to(docs / "other")
    with opened(tmp_path, files=FilesConfig(watch_directories=(str(docs / "gone"),))) as memory:
        sync_files(memory, [docs / "link"])
        assert list_roots(memory) == [
            Root(str(docs / "gone"), "configured", exists=False),
            Root(str(docs / "other"), "remembered", exists=True),
        ]
        assert known_roots(memory) == [docs / "gone", docs / "other"]
        assert counts(sync_files(memory)) == {"unchanged": 1, "failed": 1}
        with pytest.raises(NotFoundError, match="is not a remembered folder"):
            drop_root(memory, docs / "gone")
        dropped = drop_root(memory, docs / "link", with_files=True)
        assert (dropped.path, dropped.files, dropped.files_removed) == (
            str(docs / "other"),
            1,
            True,
        )
        assert contents(memory) == {}
        assert remembered_roots(memory.storage.database) == []


def test_a_dropped_root_leaves_files_of_others(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "sub/b.md": document(1), "sub/c.md": document(2)})
    sync_files(memory, [docs, docs / "sub"])
    assert drop_root(memory, docs / "sub", with_files=True).files == 0
    assert len(contents(memory)) == 3
    assert drop_root(memory, docs).files == 3
    assert len(contents(memory)) == 3
