"""Answers of models as they come: fenced, wrapped, broken, empty, and as something else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.extractor.llm.reading import Item, read_items

TEA = {"content": "User likes tea", "importance": 1, "tags": ["food"], "action": "create"}
TEA_READ = Item("User likes tea", 1, ["food"], "create")
LIST = json.dumps([TEA, {"content": "User is a nurse"}])
BOTH = [TEA_READ, Item("User is a nurse")]

READ = [
    pytest.param(LIST, BOTH, id="a list"),
    pytest.param(json.dumps({"memories": json.loads(LIST)}), BOTH, id="in an object"),
    pytest.param(json.dumps({"a": {"b": json.loads(LIST)}}), BOTH, id="deep in an object"),
    pytest.param(json.dumps(TEA), [TEA_READ], id="a single item"),
    pytest.param(f"```json\n{LIST}\n```", BOTH, id="fenced"),
    pytest.param(f"Here you are:\n\n{LIST}\n\nAnything else?", BOTH, id="in prose"),
    pytest.param(f"As for [sic] {{this}}: {LIST}", BOTH, id="brackets in the prose"),
    pytest.param(f"<think>Is [] right? {{}}</think>{LIST}", BOTH, id="thought aloud"),
    pytest.param(LIST[:-4], [TEA_READ], id="broken off in the second item"),
    pytest.param(LIST[:-1], BOTH, id="broken off before the end"),
    pytest.param(LIST.replace("}, {", "},, {"), BOTH, id="a comma too many"),
    pytest.param(
        '["User likes tea", "User is a nurse"]', [Item("User likes tea"), BOTH[1]], id="strings"
    ),
    pytest.param('["User likes tea", "User is', [Item("User likes tea")], id="broken strings"),
    pytest.param('{"memories": ["User likes tea"]}', [Item("User likes tea")], id="strings inside"),
    pytest.param('{"fact": "User likes tea"}', [Item("User likes tea")], id="another name"),
    pytest.param('[{"action": "archive"}]', [Item(None, action="archive")], id="no content"),
    pytest.param("[1, null, true]", [], id="numbers"),
    pytest.param("[]", [], id="an empty list"),
    pytest.param('{"memories": []}', [], id="an empty list inside"),
    pytest.param("{}", [], id="an empty object"),
    pytest.param('[{"content": "User is a nurse",},]', [BOTH[1]], id="commas before ends"),
    pytest.param("[[[[[[" + LIST + "]]]]]]", [], id="too deep"),
]


@pytest.mark.parametrize("text, items", READ)
def test_items_are_read_however_they_are_wrapped(text: str, items: list[Item]) -> None:
    reading = read_items(text)
    assert (list(reading.items), reading.fault) == (items, None)


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>nothing</think>\n", "empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I can\u2019t assist with this request.", "refused"),
        ("The user seems to like tea [sic].", "no JSON"),
        ("none", "no JSON"),
        ('{"memories": [{"content": "User likes', "no JSON"),
        ("{'memories': [{'content': 'User likes tea'}]}", "no JSON"),
        ("[" * 50_000, "no JSON"),
    ],
)
def test_what_is_no_answer_says_why(text: str, fault: str) -> None:
    assert read_items(text) == ((), fault)


def test_a_huge_answer_is_read_in_part() -> None:
    text = json.dumps([{"content": f"User likes number {number}"} for number in range(50_000)])
    reading = read_items(text)
    assert 1000 < len(reading.items) < 50_000
    assert reading.items[0] == Item("User likes number 0")


@given(st.text(alphabet='[]{}",:\\ au0\n'))
def test_nothing_makes_it_fail(text: str) -> None:
    read_items(text)
