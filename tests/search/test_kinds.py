"""The table of kinds keeps its own promises."""

import re

import pytest

from search import identifiers_in
from search.identifiers.detection import is_identifier
from search.identifiers.kinds import KINDS, PROSE


@pytest.mark.parametrize("kind", [*KINDS, *PROSE], ids=lambda kind: kind.name)
def test_the_example_is_of_the_kind_and_the_counter_example_is_not(kind):
    assert re.fullmatch(kind.pattern, kind.example)
    assert not re.fullmatch(kind.pattern, kind.not_so)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_found_in_a_sentence(kind):
    assert is_identifier(kind.example)
    assert identifiers_in(f"What became of `{kind.example}`, and why?") == (kind.example,)


@pytest.mark.parametrize("kind", PROSE, ids=lambda kind: kind.name)
def test_prose_of_the_same_shape_is_not(kind):
    assert not is_identifier(kind.example)


def test_no_two_kinds_have_one_name():
    assert len({kind.name for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize(
    "text, names",
    [
        ("see memory/retrieval/memory_index.py:63 and 64", ("memory/retrieval/memory_index.py",)),
        ("main.py:12-30 says so", ("main.py",)),
        ("lib.c:10:4: error", ("lib.c",)),
        ("at 127.0.0.1:8080", ("127.0.0.1:8080",)),
        ("error:parse_config failed", ("error:parse_config",)),
        ("PATH=/usr/bin", ("/usr/bin",)),
        ("--max-retries=3", ("--max-retries",)),
        ("println!(user_id)", ("user_id",)),
        ("getUser's", ("getUser",)),
        ("foo_bar() [foo_baz]", ("foo_bar", "foo_baz")),
        ("#123 and C#", ()),
        ("since 2024-05-06T10:00:00Z", ()),
        ("在getUserById里，v1.2.3。", ("getUserById", "v1.2.3")),
    ],
)
def test_what_stands_around_a_name_is_no_part_of_it(text, names):
    assert identifiers_in(text) == names
