"""The parser of JSON with comments, compared with the standard one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import ConfigError
from memory.config.commented_json import MAX_DEPTH, Node, parse, place

NAMES = st.text(max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)
BLANKS = st.sampled_from(
    ["", " ", "\n", "\r\n\t", '// a " comment {\n', "/* b } \n */", "/**/ // ]\n", "//\n/* * / */"]
)


@st.composite
def commented(draw: st.DrawFn, value: Any) -> str:
    """`value` as text, with comments and trailing commas wherever they may stand."""
    blank = draw(BLANKS)
    comma = draw(st.sampled_from(["", ","]))
    if isinstance(value, dict) and value:
        members = [
            f"{draw(BLANKS)}{json.dumps(key)}{draw(BLANKS)}:{draw(commented(item))}"
            for key, item in value.items()
        ]
        return f"{blank}{{{','.join(members)}{comma}{draw(BLANKS)}}}{draw(BLANKS)}"
    if isinstance(value, list) and value:
        items = [draw(commented(item)) for item in value]
        return f"{blank}[{','.join(items)}{comma}{draw(BLANKS)}]{draw(BLANKS)}"
    text = json.dumps(value, ensure_ascii=draw(st.booleans()))
    return f"{blank}{text}{draw(BLANKS)}"


@given(VALUES, st.integers(0, 4), st.booleans())
def test_plain_json_reads_as_the_standard_parser_reads_it(
    value: Any, indent: int, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text, name="file").plain() == json.loads(text)


@given(VALUES.flatmap(lambda value: st.tuples(st.just(value), commented(value))))
def test_comments_and_trailing_commas_change_nothing(pair: tuple[Any, str]) -> None:
    value, text = pair
    root = parse(text, name="file")
    assert root.plain() == json.loads(json.dumps(value))
    for node in walk(root):
        assert parse(text[node.start : node.end], name="part").plain() == node.plain()


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        root = parse(text, name="file")
    except ConfigError:
        return
    assert json.loads(json.dumps(root.plain())) == root.plain()
    assert root.start < root.end <= len(text)


@pytest.mark.parametrize(
    "text, message",
    [
        pytest.param("", "f:1:1: the text ends where a value is missing", id="empty"),
        pytest.param("{", 'f:1:2: a key in double quotes, or "}", is missing', id="unclosed"),
        pytest.param('{"a" 1}', 'f:1:6: ":" is missing after the key "a"', id="no colon"),
        pytest.param('{"a": }', "f:1:7: a value is missing: a text in double", id="no value"),
        pytest.param('{"a": 1\n "b": 2}', 'f:2:2: "," or "}" is missing', id="no comma"),
        pytest.param("[1 2]", 'f:1:4: "," or "]" is missing', id="no comma in a list"),
        pytest.param("{'a': 1}", "f:1:2: a key in double quotes", id="single quotes"),
        pytest.param("{a: 1}", "f:1:2: a key in double quotes", id="bare key"),
        pytest.param('{"a": 1,\n\n "a": 2}', 'f:3:2: the key "a" is a duplicate', id="2"),
        pytest.param('{"a": "b\n"}', "f:1:7: a text in double quotes does not end", id="open text"),
        pytest.param('{"\n  "b": 1}', "f:1:2: a text in double quotes does not end", id="stray"),
        pytest.param(r'["\x"]', "f:1:2: a text has a backslash escape that JSON", id="escape"),
        pytest.param("[1] [2]", "f:1:5: there is more text after the end", id="more"),
        pytest.param("[NaN]", "f:1:2: a value is missing", id="NaN"),
        pytest.param("[Infinity]", "f:1:2: a value is missing", id="infinity"),
        pytest.param("[01]", "f:1:2: a value is missing", id="leading zero"),
        pytest.param("[.5]", "f:1:2: a value is missing", id="no leading zero"),
        pytest.param("[1.]", "f:1:2: a value is missing", id="ends in a point"),
        pytest.param("[1x]", "f:1:2: a value is missing", id="letters after a number"),
        pytest.param("[truex]", "f:1:2: a value is missing", id="no constant"),
        pytest.param("[/* 1]", "f:1:2: a comment that begins here is never closed", id="comment"),
        pytest.param("[,]", "f:1:2: a value is missing", id="only a comma"),
        pytest.param("[" * 100, f"f:1:{MAX_DEPTH + 2}: values are nested more than", id="deep"),
        pytest.param("9" * 5000, "f:1:1: a number is too long", id="digits"),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, name="f")
    assert caught.value.message.startswith(message)
    assert caught.value.hint


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    root = parse('\ufeff{"a": 1}', name="f")
    assert (root.plain(), root.start) == ({"a": 1}, 1)


def test_places_count_from_one() -> None:
    assert [place("a\nbc\n", offset) for offset in range(5)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (2, 3),
    ]


@pytest.mark.parametrize(
    "text", ['"' + "a" * 100_000, "/* " * 50_000, '"' + "\\\\" * 50_000, "1" * 4000 + "x"]
)
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(ConfigError, match="f:1:1"):
        parse(text, name="f")


def walk(node: Node) -> list[Node]:
    inner = node.content
    children = (
        inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
    )
    return [node, *(deeper for child in children for deeper in walk(child))]
