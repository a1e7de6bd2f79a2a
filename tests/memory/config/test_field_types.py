"""What the light loader accepts is what pydantic accepts, and what the messages promise."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from memory.config.field_types import NotEmpty, Range, Setting, Text, accept, describe
from memory.config.keys import all_keys

_PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
_CHOICES = st.sampled_from(
    ["auto", "convex", "rrf", "sqlite", "memory", "turn", "float16", "", "x"]
)
JSON_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 1200),
    st.sampled_from([50, 4096, 65535, 65536, 100_000, 100_001, 876_000, 10**400]),
    st.floats(-1, 2),
    st.sampled_from([10.0, 1e300]),
    _CHOICES,
    st.text(_PLAIN, max_size=5),
    st.lists(_CHOICES | st.none() | st.integers(), max_size=3),
    st.dictionaries(st.text(_PLAIN, max_size=2), st.integers(), max_size=1),
)
_ADAPTERS: dict[str, TypeAdapter[Any]] = {key.name: TypeAdapter(key.kind) for key in all_keys()}


@pytest.mark.parametrize("key", all_keys(), ids=lambda key: key.name)
def test_a_default_is_allowed(key: Any) -> None:
    default = list(key.default) if isinstance(key.default, tuple) else key.default
    assert accept(key.kind, default) == key.default


@pytest.mark.parametrize("key", all_keys(), ids=lambda key: key.name)
@given(value=JSON_VALUES)
def test_pydantic_is_of_the_same_opinion(key: Any, value: Any) -> None:
    # pydantic takes a tuple where JSON has a list, so the list becomes one for it.
    given_to_pydantic = tuple(value) if isinstance(value, list) else value
    expected: Any
    try:
        expected = _ADAPTERS[key.name].validate_python(given_to_pydantic, strict=True)
    except (ValidationError, OverflowError):
        expected = ValueError
    try:
        accepted = accept(key.kind, value)
    except ValueError:
        accepted = ValueError
    assert accepted == expected
    assert type(accepted) is type(expected)


@pytest.mark.parametrize(
    "kind, words",
    [
        (bool, "true or false"),
        (Annotated[int, Range(1, 1000)], "a whole number from 1 to 1000"),
        (Annotated[float, Range(0, 1)] | Literal["auto"], 'a number from 0 to 1, or "auto"'),
        (Literal["convex", "rrf"], '"convex" or "rrf"'),
        (Text | None, "a text that is not empty, or null"),
        (tuple[Text, ...], "a list, each item a text that is not empty"),
        (Annotated[str, Setting("irrelevant")], "a text"),
    ],
    ids=["truth", "whole", "number or word", "choice", "text or null", "list", "described"],
)
def test_what_is_allowed_in_words(kind: Any, words: str) -> None:
    assert describe(kind) == words


@pytest.mark.parametrize(
    "kind, value, wanted",
    [
        pytest.param(str, "a\0b", "a text without NUL", id="NUL"),
        pytest.param(str, "a\udc80b", "a text without NUL and lone surrogates", id="surrogate"),
        pytest.param(float, float("inf"), "a finite number", id="infinity"),
        pytest.param(float, 10**400, "a number", id="too large for a float"),
        pytest.param(int, True, "a whole number", id="a truth value is no number"),
        pytest.param(int, 1.0, "a whole number", id="a fraction is no whole number"),
        pytest.param(Literal["a"], ["a"], '"a"', id="a list is no choice"),
    ],
)
def test_what_is_never_allowed(kind: Any, value: object, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        accept(kind, value)


def test_a_range_includes_both_ends() -> None:
    assert [Range(1, 3).admits(number) for number in range(5)] == [False, True, True, True, False]
    assert NotEmpty().admits("x")
    assert not NotEmpty().admits("")
