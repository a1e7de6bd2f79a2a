"""One value changes and nothing else does."""

import json
import re
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import ConfigError, InputError, StorageError
from memory.config.commented_json import parse
from memory.config.editing import change, find_key, read_value, set_value, write_file
from memory.config.parsing import parse_config

NAMES = st.sampled_from(["a", "b", "c", "é"])
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4) | st.just([1, "x"])
DOCUMENTS = st.recursive(
    st.dictionaries(NAMES, LEAVES, max_size=3),
    lambda inner: st.dictionaries(NAMES, LEAVES | inner, max_size=3),
    max_leaves=8,
)
COMMENTS = ["// one , } \n", "/* two\n { */", " /* three */ ", "\n\n"]


@st.composite
def texts(draw: st.DrawFn, value: Any) -> str:
    """`value` in some layout, with comments between its tokens."""

    def blank() -> str:
        return draw(st.sampled_from(["", "", " ", "\n  ", "\r\n", *COMMENTS]))

    if not isinstance(value, dict):
        return blank() + json.dumps(value) + blank()
    members = ",".join(
        f"{blank()}{json.dumps(key)}:{draw(texts(item))}" for key, item in value.items()
    )
    comma = draw(st.sampled_from(["", ","])) if value else ""
    return f"{blank()}{{{members}{comma}{blank()}}}{blank()}"


@given(
    DOCUMENTS.flatmap(lambda value: st.tuples(st.just(value), texts(value))),
    st.lists(NAMES, min_size=1, max_size=4),
    LEAVES,
)
def test_in_any_layout_only_the_value_changes(
    document: tuple[dict[str, Any], str], parts: list[str], value: Any
) -> None:
    before, text = document
    expected = json.loads(json.dumps(before))
    root, name = parse(text, name="f"), ".".join(parts)
    section = expected
    for part in parts[:-1]:
        section = section.setdefault(part, {})
        if not isinstance(section, dict):
            with pytest.raises(ConfigError, match="is not a section"):
                set_value(text, root, name=name, value=value)
            return
    is_new = parts[-1] not in section
    section[parts[-1]] = value

    after = set_value(text, root, name=name, value=value)

    assert parse(after, name="f").plain() == expected
    if is_new:
        characters = iter(after)
        assert all(char in characters for char in text), "something of the old text is gone"


@pytest.mark.parametrize(
    "before, name, after",
    [
        pytest.param(
            '{\n  "a": 1, // one\n  "b": 2\n}\n',
            "a",
            '{\n  "a": 9, // one\n  "b": 2\n}\n',
            id="in place",
        ),
        pytest.param(
            '{\n  "a": 1 // one\n}\n',
            "b",
            '{\n  "a": 1, // one\n  "b": 9\n}\n',
            id="after the last and its comment",
        ),
        pytest.param(
            '{\n  "a": 1, // one\n}\n',
            "b",
            '{\n  "a": 1, // one\n  "b": 9,\n}\n',
            id="trailing commas are kept",
        ),
        pytest.param(
            '{\n  "a": 1\n  // the end\n}',
            "b",
            '{\n  "a": 1,\n  "b": 9\n  // the end\n}',
            id="comments at the end stay there",
        ),
        pytest.param(
            '{\n\t"s": {\n\t\t"a": 1\n\t}\n}',
            "s.b.c",
            '{\n\t"s": {\n\t\t"a": 1,\n\t\t"b": {\n\t\t\t"c": 9\n\t\t}\n\t}\n}',
            id="tabs",
        ),
        pytest.param(
            '{\r\n  "a": 1\r\n}\r\n',
            "b",
            '{\r\n  "a": 1,\r\n  "b": 9\r\n}\r\n',
            id="windows lines",
        ),
        pytest.param('{"a": 1}', "b", '{"a": 1, "b": 9}', id="one line"),
        pytest.param('{"a": 1,}', "b", '{"a": 1, "b": 9,}', id="one line, trailing comma"),
        pytest.param('{\n  "a": 1}', "b", '{\n  "a": 1,\n  "b": 9}', id="end beside the last"),
        pytest.param("{}", "b", '{\n  "b": 9\n}', id="empty"),
        pytest.param("\ufeff{}", "b", '\ufeff{\n  "b": 9\n}', id="empty, byte order mark"),
        pytest.param("{ // none\n}", "b", '{\n  "b": 9 // none\n}', id="empty with a comment"),
        pytest.param(
            '{\n  "s": {}\n}',
            "s.a.b",
            '{\n  "s": {\n    "a": {\n      "b": 9\n    }\n  }\n}',
            id="deep",
        ),
    ],
)
def test_a_new_value_looks_like_its_neighbours(before: str, name: str, after: str) -> None:
    assert set_value(before, parse(before, name="f"), name=name, value=9) == after


@pytest.mark.parametrize(
    "key, typed, value",
    [
        ("memory.search.max_results", "20", 20),
        ("memory.search.vector_weight", "auto", "auto"),
        ("memory.search.vector_weight", '"auto"', "auto"),
        ("memory.search.vector_weight", "1", 1),
        ("memory.embeddings.model", "null", None),
        ("memory.embeddings.model", "all MiniLM", "all MiniLM"),
        ("memory.embeddings.openai.api_key", "12345", "12345"),
        ("memory.storage_path", "true", "true"),
        ("memory.files.file_patterns", '["*.md"]', ["*.md"]),
        ("memory.long_term_opt_in", "false", False),
    ],
)
def test_a_typed_value_is_json_or_a_text(key: str, typed: str, value: Any) -> None:
    assert read_value(find_key(key), typed) == value
    assert type(read_value(find_key(key), typed)) is type(value)


@pytest.mark.parametrize(
    "key, typed, message",
    [
        ("memory.search.max_results", "many", 'cannot be "many" .it must be a whole number'),
        ("memory.search.max_results", "-1", r"cannot be -1 \(it must be a whole number from 1"),
        ("memory.search.min_score", "NaN", r"cannot be NaN \(it must be a number from 0 to 1"),
        ("memory.files.file_patterns", "*.md", r'cannot be "\*\.md" \(it must be a list'),
        ("memory.server.tokens", "s3cret", "cannot be a value of the wrong kind"),
    ],
)
def test_a_typed_value_that_is_not_allowed(key: str, typed: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_value(find_key(key), typed)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "name, message",
    [
        (
            "memory.search",
            r"memory\.search is a section \(name one of its settings: memory\.search",
        ),
        ("memory.embeddings.static", "is a section .name one of its settings: none"),
        ("memory.searchx.fusion", "is an unknown setting .did you mean memory.search.fusion"),
        ("chat.model", "is an unknown setting"),
        ("", "is an unknown setting"),
    ],
)
def test_a_key_that_names_no_setting(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_key(name)


def test_a_change_that_contradicts_another_setting(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text("{}")
    with pytest.raises(ConfigError, match=r"with that, memory\.chunking\.chunk_overlap"):
        change(parse_config(path), find_key("memory.chunking.chunk_size_chars"), 100)


def test_a_file_with_a_problem_can_be_mended_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"memory": {"backend": "sqlit", "search": {"max_results": 0}}}')
    key = find_key("memory.backend")
    assert '"backend": "sqlite"' in change(parse_config(path), key, "sqlite")


def test_a_section_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"memory": {"search": 3}}')
    with pytest.raises(ConfigError, match=r"memory\.search is not a section"):
        change(parse_config(path), find_key("memory.search.fusion"), "rrf")
    path.write_text("[]")
    with pytest.raises(ConfigError, match="the configuration is not a section"):
        change(parse_config(path), find_key("memory.search.fusion"), "rrf")


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "c.json"
    write_file(path, "ä\r\n")
    assert path.read_bytes() == "ä\r\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o400])
def test_an_old_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "c.json"
    path.write_text("old")
    path.chmod(mode)
    write_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    link = tmp_path / "c.json"
    link.symlink_to("real.json")
    write_file(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "c.json").mkdir()
    with pytest.raises(StorageError, match=re.escape(f"{tmp_path}/c.json cannot be written: ")):
        write_file(tmp_path / "c.json", "text")
    with pytest.raises(StorageError, match="cannot be written: "):
        write_file(Path("/proc/nowhere/c.json"), "text")
    assert [item.name for item in tmp_path.iterdir()] == ["c.json"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    texts_written = {"a" * 200_000, "b" * 300_000}
    write_file(path, "a" * 200_000)
    seen: set[str] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for text in sorted(texts_written) * 20:
        write_file(path, text)
    done.set()
    reader.join()
    assert seen <= texts_written
