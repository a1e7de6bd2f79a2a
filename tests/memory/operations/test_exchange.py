"""An export holds everything, comes back the same, and merges with what is there."""

import gzip
import io
import json
import sys
import tracemalloc
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts import InputError, NotFoundError
from memory.config.settings import ChunkingConfig, EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.document_store import documents_of
from memory.index.embedding.refusals import remember_refusals
from memory.operations.backup import back_up
from memory.operations.exchange.exporting import export
from memory.operations.exchange.importing import BadLine, import_lines
from memory.operations.manage import update_record
from memory.retrieval.searching import search
from memory.storage.meta import FUSION_WEIGHTS, read_meta, write_meta
from memory.storage.opening import open_storage
from memory.workspace import Workspace
from tests.memory.databases import PARAGRAPHS, contents, document, opened, write

INFINITE = b64encode(b"\0\x7c" * 64).decode()
"""A row of the fake provider's width."""

BESIDE = ("memory.db-wal", "memory.db-shm", "memory.db-journal", "memory.db.sync-lock")


@pytest.fixture
def filled(memory: Workspace, docs: Path) -> Workspace:
    """Files of several kinds, one that cannot be read, texts with tags, and an empty root."""
    write(
        docs,
        {
            "manual.md": document(1, 2, 3),
            "again.md": document(2),
            "code.py": "def lighthouse():\n    return 'log'\n\n\nclass Keeper:\n    pass\n",
            "blob.txt": b"\0\1\2\3",
            "tail.txt": "A text with blanks at its end.\n\n\n   \n",
        },
    )
    sync_files(memory, [docs])
    ingest_text(memory, PARAGRAPHS[1], metadata={"title": "Jam", "n": [1, None]}, tags=["food"])
    space = memory.storage.active_space()
    assert space is not None
    with memory.storage.database.transaction() as tx:
        remember_refusals(tx, space, {b"\1" * 32: "too odd"}, refused_at="2026-01-02T03:04:05Z")
        write_meta(tx, FUSION_WEIGHTS, {"x": {"weight": 0.4, "questions": 90, "chunks": 300}})
    return memory


def exported(workspace: Workspace, path: Path, **options: Any) -> list[dict[str, Any]]:
    export(workspace, str(path), force=True, **options)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_memory_comes_back_the_same(filled: Workspace, other: Workspace, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    written = export(filled, str(one))
    assert (written.documents, written.chunks) == (6, filled.storage.count_chunks())
    assert written.vectors == filled.storage.count_vectors()
    report = import_lines(other, str(one))
    assert (report.added, report.roots, report.embedded, report.errors) == (6, 1, 0, [])
    assert report.vectors == written.vectors
    export(other, str(two))
    assert one.read_bytes() == two.read_bytes()
    assert contents(other) == contents(filled)
    assert read_meta(other.storage.database, FUSION_WEIGHTS)["x"]["weight"] == 0.4
    for query in ("marmalade oranges", "lighthouse keeper", "item2x3", "def lighthouse"):
        answers = [search(workspace, query).results for workspace in (filled, other)]
        assert answers[0] == answers[1] != []
    assert sync_files(other).unchanged == 4


def test_the_same_import_again_changes_nothing(
    filled: Workspace, other: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    export(filled, str(path))
    import_lines(other, str(path))
    before = contents(other)
    report = import_lines(other, str(path))
    assert (report.unchanged, report.added, report.updated, report.chunks) == (6, 0, 0, 0)
    assert contents(other) == before


def test_a_packed_export_is_the_same(filled: Workspace, other: Workspace, tmp_path: Path) -> None:
    export(filled, str(tmp_path / "all.jsonl"))
    export(filled, str(tmp_path / "all.jsonl.gz"))
    packed = (tmp_path / "all.jsonl.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "all.jsonl").read_bytes()
    assert import_lines(other, str(tmp_path / "all.jsonl.gz")).added == 6


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_pipes_take_it_too(
    filled: Workspace,
    other: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    pack: Callable[[bytes], bytes],
) -> None:
    ingest_text(filled, "Smørrebrød is more than bread, 麵包.")
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="latin-1"))
    export(filled, "-")
    given = io.BufferedReader(io.BytesIO(pack(out.getvalue())))  # type: ignore[arg-type]  # typeshed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="latin-1"))
    assert import_lines(other, "-").added == 7
    assert contents(other) == contents(filled)


@pytest.mark.parametrize("at", [0.4, 0.9], ids=["early", "late"])
def test_a_packed_export_that_is_damaged_is_refused(
    filled: Workspace, other: Workspace, tmp_path: Path, at: float
) -> None:
    export(filled, str(tmp_path / "all.jsonl.gz"))
    packed = bytearray((tmp_path / "all.jsonl.gz").read_bytes())
    place = int(at * len(packed))
    packed[place : place + 40] = b"\xff" * 40
    (tmp_path / "bad.jsonl.gz").write_bytes(packed)
    with pytest.raises(InputError, match=r"bad.jsonl.gz is damaged"):
        import_lines(other, str(tmp_path / "bad.jsonl.gz"))


def test_a_large_file_of_another_format_is_refused_by_its_beginning(
    other: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(b'{"type": "export", "x": "' + b"x" * (40 << 20) + b'"}')
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="the first line is not that of an export"):
            import_lines(other, str(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 20 << 20


def test_a_line_that_is_too_long_is_listed_and_not_held(
    filled: Workspace, other: Workspace, tmp_path: Path
) -> None:
    """A packed file is a thousand times smaller than what it unpacks to."""
    export(filled, str(tmp_path / "all.jsonl"))
    header, *rest = (tmp_path / "all.jsonl").read_bytes().splitlines(keepends=True)
    with gzip.open(tmp_path / "long.jsonl.gz", "wb", compresslevel=1) as packed:
        packed.write(header + b'{"type": "')
        for _ in range(400):
            packed.write(b"x" * (1 << 20))
        packed.write(b"\n" + b"".join(rest))
    tracemalloc.start()
    try:
        report = import_lines(other, str(tmp_path / "long.jsonl.gz"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [(error.line, error.reason[:40]) for error in report.errors] == [
        (2, "it has more than 134,217,728 characters")
    ]
    assert report.added == 6
    assert most < 300 << 20


def test_without_vectors_they_are_computed_anew(
    filled: Workspace, other: Workspace, tmp_path: Path
) -> None:
    lines = exported(filled, tmp_path / "bare.jsonl", vectors=False)
    assert {line["vector"] for line in lines if line["type"] == "chunk"} == {None}
    report = import_lines(other, str(tmp_path / "bare.jsonl"))
    assert report.vectors == 0
    assert report.embedded > 0
    assert contents(other) == contents(filled)


def test_another_model_embeds_and_cuts_for_itself(filled: Workspace, tmp_path: Path) -> None:
    export(filled, str(tmp_path / "all.jsonl"))
    (tmp_path / "static").mkdir()
    small = ChunkingConfig(chunk_size_chars=120, chunk_overlap_chars=20)
    with opened(
        tmp_path / "static", embeddings=EmbeddingsConfig(provider="static"), chunking=small
    ) as workspace:
        ingest_text(workspace, "Something that was here before.")
        report = import_lines(workspace, str(tmp_path / "all.jsonl"))
        assert report.added == 6
        assert (report.vectors, report.errors) == (0, [])
        assert report.embedded > 0
        assert workspace.storage.count_vectors() == workspace.storage.count_chunks()
        assert search(workspace, "marmalade oranges").results[0].text == PARAGRAPHS[1]
        texts = {path: documents_of(filled).text(found) for path, found in rows(filled).items()}
        assert {
            p: documents_of(workspace).text(d) for p, d in rows(workspace).items() if p in texts
        } == texts


def rows(workspace: Workspace) -> dict[str, Any]:
    page = documents_of(workspace).page(source=None, path=None, after="", limit=1000)
    return {item.path: item for item in page}


def test_the_later_version_of_a_document_stays(
    filled: Workspace, other: Workspace, docs: Path, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    export(filled, str(old))
    (docs / "manual.md").write_text(document(4, 5))
    sync_files(filled)
    update_record(filled, rows(filled)[str(docs / "again.md")].id, tags=["twice"])
    export(filled, str(new))
    import_lines(other, str(old))
    report = import_lines(other, str(new))
    assert (report.updated, report.unchanged, report.added, report.older) == (2, 4, 0, 0)
    assert contents(other) == contents(filled)
    assert rows(other)[str(docs / "again.md")].tags == ("twice",)
    back = import_lines(other, str(old))
    assert (back.older, back.unchanged, back.updated) == (1, 5, 0)
    assert contents(other) == contents(filled)


def test_a_document_known_under_another_id_keeps_it(
    filled: Workspace, other: Workspace, docs: Path, tmp_path: Path
) -> None:
    (docs / "manual.md").write_text(document(7))
    sync_files(other, [docs / "manual.md"])
    known = rows(other)[str(docs / "manual.md")]
    (docs / "manual.md").write_text(document(8))
    sync_files(filled)
    export(filled, str(tmp_path / "all.jsonl"))
    report = import_lines(other, str(tmp_path / "all.jsonl"))
    assert (report.updated, report.errors) == (1, [])
    assert rows(other)[known.path].id == known.id
    assert contents(other) == contents(filled)


def test_an_id_that_another_document_has_is_not_taken(
    filled: Workspace, other: Workspace, docs: Path, tmp_path: Path
) -> None:
    lines = exported(filled, tmp_path / "all.jsonl")
    import_lines(other, str(tmp_path / "all.jsonl"))
    moved = [
        {**line, "path": line["path"] + ".moved"} if line["type"] == "document" else line
        for line in lines
    ]
    put(tmp_path / "moved.jsonl", moved)
    report = import_lines(other, str(tmp_path / "moved.jsonl"))
    assert (report.added, report.errors) == (6, [])
    found = rows(other)
    assert len({item.id for item in found.values()}) == len(found) == 12
    contents(other)


def put(path: Path, lines: list[Any]) -> None:
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def test_bad_lines_are_named_and_stop_nothing(
    filled: Workspace, other: Workspace, tmp_path: Path
) -> None:
    lines: list[Any] = exported(filled, tmp_path / "all.jsonl")
    at = {line.get("path"): number for number, line in enumerate(lines) if "path" in line}
    manual = next(number for path, number in at.items() if str(path).endswith("manual.md"))
    lines[manual + 1] = "{not json"
    lines += [{"type": "dream", "text": "later"}, {"no": "type"}, [1], {**lines[1], "path": 3}]
    put(tmp_path / "bad.jsonl", lines)
    report = import_lines(other, str(tmp_path / "bad.jsonl"))
    assert (report.added, report.failed) == (5, 1)
    assert [error.line for error in report.errors[:2]] == [manual + 2, manual + 1]
    reasons = "\n".join(error.reason for error in report.errors)
    for fact in ("not JSON", "of its", "'dream', which this version", "not an object", "path is 3"):
        assert fact in reasons
    with pytest.raises(InputError, match=f"line {manual + 2} cannot be used"):
        import_lines(other, str(tmp_path / "bad.jsonl"), strict=True)


@pytest.mark.parametrize(
    "change, fact",
    [
        pytest.param({"size": "7"}, "its size is '7'", id="size"),
        pytest.param({"state": "lost"}, "its state is 'lost'", id="state"),
        pytest.param({"source": "turn"}, "its source is 'turn'", id="source"),
        pytest.param({"tags": "food"}, "its tags is 'food'", id="tags"),
        pytest.param({"chunks": None}, "its chunks is None", id="chunks"),
        pytest.param({"size": 2**70}, "more than a column can hold", id="large"),
        pytest.param({"tags": [1]}, r"its tags are [1]", id="tag"),
        pytest.param({"reason": {}}, "its reason is {}", id="reason"),
        pytest.param({"created_at": "soon"}, "its created_at is 'soon'", id="date"),
        pytest.param({"layout": "[]"}, "its layout is '[]'", id="layout"),
        pytest.param({"path": "/d/\ud800"}, "half of a surrogate pair", id="surrogate"),
        pytest.param({"metadata": {"n": float("nan")}}, "NaN is not a number", id="nan"),
    ],
)
def test_a_document_that_is_none_is_refused(
    filled: Workspace, other: Workspace, tmp_path: Path, change: dict[str, Any], fact: str
) -> None:
    lines = exported(filled, tmp_path / "all.jsonl")
    first = next(line for line in lines if line["type"] == "document")
    put(tmp_path / "bad.jsonl", [lines[0], {**first, **change}])
    report = import_lines(other, str(tmp_path / "bad.jsonl"))
    assert report.errors[0] == BadLine(2, next(e.reason for e in report.errors))
    assert fact in report.errors[0].reason
    assert len(report.errors[0].reason) < 200
    assert report.added == 0


@pytest.mark.parametrize(
    "change, fact",
    [
        pytest.param({"vector": "AAA="}, "dimensions", id="short-vector"),
        pytest.param({"vector": "no base64!"}, "not base64", id="no-base64"),
        pytest.param({"text": None}, "its text is None", id="no-text"),
        pytest.param({"vector": "AAAA"}, "not base64 of 16-bit", id="odd-vector"),
        pytest.param({"vector": INFINITE}, "not finite", id="infinite-vector"),
        pytest.param({"body_offset": True}, "its body_offset is True", id="offset"),
        pytest.param({"body_offset": -1}, "its body_offset is -1", id="negative-offset"),
        pytest.param({"start_line": "1"}, "its start_line is '1'", id="line"),
        pytest.param({"start_line": None}, "its start_line is None", id="half-a-span"),
        pytest.param({"start_char": 9, "end_char": 8}, "its start_char is 9, and", id="span"),
        pytest.param({"heading": [["x"] * 9] * 90}, "its heading is [['x', 'x'", id="long"),
        pytest.param({"place": 3}, "its place is 3", id="place"),
        pytest.param({"occurred_at": ""}, "its occurred_at is ''", id="moment"),
    ],
)
def test_a_chunk_that_is_none_refuses_its_document(
    filled: Workspace, other: Workspace, tmp_path: Path, change: dict[str, Any], fact: str
) -> None:
    lines = exported(filled, tmp_path / "all.jsonl")
    first = next(number for number, line in enumerate(lines) if line["type"] == "chunk")
    lines[first] = {**lines[first], **change}
    put(tmp_path / "bad.jsonl", lines)
    report = import_lines(other, str(tmp_path / "bad.jsonl"))
    assert fact in report.errors[0].reason
    assert len(report.errors[0].reason) < 200
    assert (report.failed, report.added) == (1, 5)


@pytest.mark.parametrize(
    "text, fact",
    [
        pytest.param("", "is empty", id="empty"),
        pytest.param("# Notes\n", "not that of an export", id="text"),
        pytest.param('{"type": "chunk"}\n', "not that of an export", id="no-header"),
        pytest.param('{"type": "export", "format": 99}\n', "format 99", id="newer"),
        pytest.param('{"type": "export", "format": 1}\n', "documents is None", id="bare"),
    ],
)
def test_what_is_no_export_is_refused(
    memory: Workspace, tmp_path: Path, text: str, fact: str
) -> None:
    (tmp_path / "no.jsonl").write_text(text)
    with pytest.raises(InputError, match=fact):
        import_lines(memory, str(tmp_path / "no.jsonl"))
    with pytest.raises(NotFoundError, match="there is no file"):
        import_lines(memory, str(tmp_path / "nowhere.jsonl"))
    assert memory.storage.active_space() is None


@pytest.mark.parametrize(
    "change, fact",
    [
        pytest.param({"space": {"request": "x"}}, "its request is 'x'", id="no-json"),
        pytest.param({"space": {"request": "{}"}}, "its request is '{}'", id="no-model"),
        pytest.param(
            {"space": {"request": '{"model": 7, "options": {}}'}}, "its request is", id="model"
        ),
        pytest.param({"facts": {"fusion_weights": 7}}, "its fusion_weights is 7", id="weights"),
        pytest.param({"facts": {"fusion_weights": {"x": 1}}}, "its fusion_weights", id="weight"),
        pytest.param(
            {"facts": {"fusion_weights": {"x": {"weight": 7.5, "questions": 1, "chunks": 1}}}},
            "its fusion_weights",
            id="heavy",
        ),
        pytest.param({"facts": {"chosen_by_hand": {}}}, "its chosen_by_hand is {}", id="choice"),
        pytest.param({"facts": {"begun_by_fallback": []}}, "its begun_by_fallback", id="fallback"),
    ],
)
def test_a_header_that_would_spoil_a_database_is_refused(
    filled: Workspace, other: Workspace, tmp_path: Path, change: dict[str, Any], fact: str
) -> None:
    header, *lines = exported(filled, tmp_path / "all.jsonl")
    for name, values in change.items():
        header[name] = {**header[name], **values}
    put(tmp_path / "bad.jsonl", [header, *lines])
    with pytest.raises(InputError, match=fact):
        import_lines(other, str(tmp_path / "bad.jsonl"))
    assert other.storage.active_space() is None
    assert read_meta(other.storage.database, FUSION_WEIGHTS) is None


@pytest.mark.parametrize("provider", ["openai", "sentence_transformers"])
def test_an_export_chooses_no_model_that_the_user_has_not(
    filled: Workspace, other: Workspace, tmp_path: Path, provider: str
) -> None:
    header, *lines = exported(filled, tmp_path / "all.jsonl")
    request = json.dumps({"model": "their/model", "options": {}})
    header["space"] |= {"provider": provider, "model": "their/model", "request": request}
    put(tmp_path / "theirs.jsonl", [header, *lines])
    report = import_lines(other, str(tmp_path / "theirs.jsonl"))
    assert f"they are of {provider} with their/model, which is not configured" in report.warnings[0]
    assert (report.vectors, report.added) == (0, 6)
    assert report.embedded
    space = other.storage.active_space()
    assert space is not None
    assert space.provider == "fake"


def test_a_folder_that_an_import_remembers_is_named(
    filled: Workspace, other: Workspace, docs: Path, tmp_path: Path
) -> None:
    lines = exported(filled, tmp_path / "all.jsonl")
    root = next(line for line in lines if line["type"] == "root")
    gone, odd = {**root, "path": str(tmp_path / "gone")}, {**root, "path": "/a\0b"}
    put(tmp_path / "roots.jsonl", [*lines, gone, odd])
    report = import_lines(other, str(tmp_path / "roots.jsonl"))
    named = [warning for warning in report.warnings if "the next mem sync reads" in warning]
    assert len(named) == 1
    assert f"mem files --drop-root {docs}" in named[0]
    assert "its path is '/a\\x00b'" in report.errors[0].reason
    assert report.roots == 2
    assert not [warning for warning in again(other, tmp_path) if "next mem sync" in warning]


def again(workspace: Workspace, folder: Path) -> list[str]:
    return import_lines(workspace, str(folder / "roots.jsonl")).warnings


def test_an_export_cut_short_says_so_and_can_be_completed(
    filled: Workspace, other: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    export(filled, str(path))
    lines = path.read_text().splitlines(keepends=True)
    (tmp_path / "half.jsonl").write_text("".join(lines[: len(lines) // 2])[:-5])
    report = import_lines(other, str(tmp_path / "half.jsonl"))
    assert any("cut short" in warning for warning in report.warnings)
    assert 0 < report.added < 6
    import_lines(other, str(path))
    assert contents(other) == contents(filled)
    packed = gzip.compress(path.read_bytes())
    (tmp_path / "half.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match="is damaged"):
        import_lines(other, str(tmp_path / "half.jsonl.gz"))
    assert contents(other) == contents(filled)


def test_no_file_is_overwritten_unasked(filled: Workspace, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        export(filled, str(tmp_path / "mine.jsonl"))
    assert (tmp_path / "mine.jsonl").read_text() == "mine"


@pytest.mark.parametrize("write", [export, back_up], ids=["export", "backup"])
def test_force_knows_files_of_the_database_by_other_names(
    tmp_path: Path, write: Callable[..., Any]
) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/real.db").touch()
    (tmp_path / "memory.db").symlink_to(tmp_path / "kept/real.db")
    (tmp_path / "folder").symlink_to(tmp_path / "kept")
    with opened(tmp_path, backend="sqlite") as memory:
        ingest_text(memory, "A text")
        for name in ("kept/real.db", "folder/real.db", "kept/../kept/real.db"):
            target = tmp_path / name
            with pytest.raises(InputError, match="is the database itself"):
                write(memory, str(target) if write is export else target, force=True)


@pytest.mark.parametrize("write", [export, back_up], ids=["export", "backup"])
@pytest.mark.parametrize("name", ["memory.db", *BESIDE])
def test_force_replaces_no_file_of_the_database(
    tmp_path: Path, write: Callable[..., Any], name: str
) -> None:
    with opened(tmp_path, backend="sqlite") as memory:
        ingest_text(memory, "A text")
        before = contents(memory)
        with pytest.raises(InputError, match=r"is the database itself|file beside a database"):
            write(memory, str(tmp_path / name) if write is export else tmp_path / name, force=True)
        assert contents(memory) == before
    with opened(tmp_path, backend="sqlite") as memory:
        assert contents(memory) == before


@pytest.mark.parametrize("name", BESIDE)
def test_nothing_is_written_where_a_database_would_remove_it(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, backend="sqlite") as memory:
        ingest_text(memory, "A text")
        with pytest.raises(InputError, match="file beside a database"):
            export(memory, str(tmp_path / f"other{name}"))
        with pytest.raises(InputError, match="file beside a database"):
            back_up(memory, tmp_path / f"other{name}")
    with pytest.raises(InputError, match="file beside a database"):
        open_storage("sqlite", tmp_path / f"other{name}")
    assert not list(tmp_path.glob("other*"))


@pytest.mark.parametrize("name", BESIDE)
def test_a_database_that_has_such_a_name_already_stays_in_use(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, backend="sqlite") as memory:
        ingest_text(memory, "A text")
        back_up(memory, tmp_path / "copy.db")
    (tmp_path / "copy.db").rename(tmp_path / f"other{name}")
    with closing(open_storage("sqlite", tmp_path / f"other{name}")) as storage:
        assert storage.count_chunks() == 1


def test_force_replaces_files_alone(filled: Workspace, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a file"):
        export(filled, str(tmp_path), force=True)


_TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=900
).filter(lambda text: bool(text.strip()))


@given(
    texts=st.lists(_TEXTS, max_size=4),
    tags=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
        max_size=3,
    ),
    notes=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.integers()
    ),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    tags: list[str],
    notes: dict[str, int],
) -> None:
    base = tmp_path_factory.mktemp("any")
    (base / "a").mkdir()
    (base / "b").mkdir()
    with opened(base / "a", backend="memory") as one, opened(base / "b", backend="memory") as two:
        for text in texts:
            ingest_text(one, text, metadata=notes, tags=tags)
        export(one, str(base / "one"))
        import_lines(two, str(base / "one"))
        export(two, str(base / "two"))
        assert (base / "one").read_bytes() == (base / "two").read_bytes()
        assert contents(one) == contents(two)
