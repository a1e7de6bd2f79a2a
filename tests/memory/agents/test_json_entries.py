"""Entries in JSON that others own: nothing else changes, and taking one out restores the text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import ConfigError
from memory.agents.json_entries import (
    handlers,
    plain_of,
    replaced,
    with_item,
    with_member,
    without,
)

KEYS = ("servers", "ours")
ENTRY = {"command": "/x/mem", "args": ["mcp"]}
NAMES = st.sampled_from(["a", "b", "servers", "hooks", "é"])
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4) | st.just([1, "x"])
OBJECTS = st.dictionaries(NAMES, LEAVES | st.dictionaries(NAMES, LEAVES, max_size=2), max_size=3)
BLANKS = ["", "", " ", "\n  ", "\r\n", "\n", "// one , } \n", "/* two\n { */", "\n\n"]


@st.composite
def texts(draw: st.DrawFn, value: Any) -> str:
    """`value` in some layout, with comments and trailing commas."""

    def blank() -> str:
        return draw(st.sampled_from(BLANKS))

    if isinstance(value, dict):
        items = [f"{blank()}{json.dumps(k)}:{draw(texts(v))}" for k, v in value.items()]
        opens, closes = "{", "}"
    elif isinstance(value, list):
        items = [draw(texts(item)) for item in value]
        opens, closes = "[", "]"
    else:
        return blank() + json.dumps(value) + blank()
    comma = draw(st.sampled_from(["", ","])) if items else ""
    return f"{blank()}{opens}{','.join(items)}{comma}{blank()}{closes}{blank()}"


@given(OBJECTS.flatmap(lambda value: st.tuples(st.just(value), texts(value))))
def test_in_any_layout_an_entry_goes_in_and_out(document: tuple[dict[str, Any], str]) -> None:
    before, text = document
    expected: dict[str, Any] = json.loads(json.dumps(before))
    inner = expected.setdefault("servers", {})
    if not isinstance(inner, dict):
        with pytest.raises(ConfigError, match="servers is not an object"):
            with_member(text, KEYS, ENTRY, name="f")
        return
    inner["ours"] = ENTRY

    after = with_member(text, KEYS, ENTRY, name="f")

    assert plain_of(after, name="f") == expected
    assert without(after, KEYS, name="f") == text


@given(
    st.lists(LEAVES, max_size=3).flatmap(lambda listed: texts({"a": 1, "hooks": {"E": listed}})),
)
def test_in_any_layout_an_item_goes_in_and_out(text: str) -> None:
    before = plain_of(text, name="f")["hooks"]["E"]
    item = {"hooks": [{"command": "/x/mem hook"}]}

    after = with_item(text, ["hooks", "E"], item, name="f")

    assert plain_of(after, name="f")["hooks"]["E"] == [*before, item]
    assert without(after, ("hooks", "E", len(before)), name="f") == text


@given(OBJECTS.flatmap(texts), st.permutations(["E1", "E2", "E3"]))
def test_several_items_leave_nothing_behind(text: str, order: list[str]) -> None:
    if not isinstance(plain_of(text, name="f").get("hooks", {}), dict):
        return
    after = text
    for event in ("E1", "E2", "E3"):
        after = with_item(after, ["hooks", event], {"command": event}, name="f")
    for event in order:
        after = without(after, ("hooks", event, 0), name="f")
    assert after == text


@pytest.mark.parametrize("text", ["", "\n", "  \r\n", "\ufeff"])
def test_a_blank_file_holds_the_entry_alone_and_is_blank_again(text: str) -> None:
    after = with_member(text, KEYS, ENTRY, name="f")
    assert plain_of(after, name="f") == {"servers": {"ours": ENTRY}}
    assert without(after, KEYS, name="f") == text


def test_an_entry_looks_like_its_neighbours() -> None:
    text = '{\n\t"servers": {\n\t\t"a": {}, // mine\n\t},\n}\n'
    assert with_member(text, KEYS, 1, name="f") == (
        '{\n\t"servers": {\n\t\t"a": {}, // mine\n\t\t"ours": 1,\n\t},\n}\n'
    )


def test_an_entry_in_the_middle_goes_alone() -> None:
    text = '{"servers": {"a": 1, /* x */ "ours": 2, "b": 3}}'
    assert without(text, KEYS, name="f") == '{"servers": {"a": 1, /* x */ "b": 3}}'


def test_an_object_that_others_made_stays_when_it_is_empty() -> None:
    text = '{\n  "servers": {\n    "ours": 1\n  }\n}\n'
    assert without(text, KEYS, name="f") == '{\n  "servers": {}\n}\n'


def test_a_value_is_replaced_in_its_place() -> None:
    text = '{"hooks": {"E": [1, {"command": "a"} /* c */, 3]}}'
    after = replaced(text, ("hooks", "E", 1), {"command": "b"}, name="f")
    assert after == '{"hooks": {"E": [1, {"command": "b"} /* c */, 3]}}'


def test_handlers_are_found_in_groups_and_alone() -> None:
    content = {
        "hooks": {"E": [{"hooks": [{"command": "a"}]}, {"hooks": [{"command": "b"}, {}]}, 7]},
        "flat": [{"command": "c"}, "x"],
    }
    assert list(handlers(content, ["hooks", "E"])) == [
        (("hooks", "E", 0), {"command": "a"}),
        (("hooks", "E", 1, "hooks", 0), {"command": "b"}),
        (("hooks", "E", 1, "hooks", 1), {}),
    ]
    assert list(handlers(content, ["flat"])) == [(("flat", 0), {"command": "c"})]
    assert list(handlers(content, ["none", "E"])) == []


@pytest.mark.parametrize(
    "text, fault",
    [
        ('{"servers": ', "f:1:13: the text ends where a value is missing"),
        ("[1]", "f:1:1: its content is not an object"),
        ('{"servers": []}', "f:1:13: servers is not an object"),
        ('{"a": 1, "a": 2}', "is a duplicate"),
    ],
)
def test_a_text_that_is_not_understood_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        with_member(text, KEYS, 1, name="f")


def test_a_file_that_holds_no_object_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^f: its content is not an object"):
        plain_of("[1]", name="f")


def test_a_list_that_is_something_else_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"f:1:16: hooks\.E is not an array"):
        with_item('{"hooks":{"E": {}}}', ["hooks", "E"], 1, name="f")
