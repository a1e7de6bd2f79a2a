"""Patterns that are compiled at their first use behave as compiled ones."""

import re

import pytest

from contracts.lazy_regex import deferred

SPELLED = r"(?P<first>[a-z]+)-?(\d*)"
TEXT = "Ab-12 cd ef-3"


@pytest.mark.parametrize("flags", [0, re.IGNORECASE], ids=["as it is", "any case"])
def test_a_deferred_pattern_does_what_a_compiled_one_does(flags: int) -> None:
    late, early = deferred(SPELLED, flags), re.compile(SPELLED, flags)
    assert late.findall(TEXT) == early.findall(TEXT)
    assert [found.span() for found in late.finditer(TEXT)] == [
        found.span() for found in early.finditer(TEXT)
    ]
    assert late.sub("<\\1>", TEXT) == early.sub("<\\1>", TEXT)
    assert late.split(TEXT) == early.split(TEXT)
    for text in (TEXT, "ab-12", ""):
        for late_one, early_one in (
            (late.match(text), early.match(text)),
            (late.search(text), early.search(text)),
            (late.fullmatch(text), early.fullmatch(text)),
        ):
            assert (late_one and late_one.groups()) == (early_one and early_one.groups())


def test_a_mistake_in_it_shows_when_it_is_used() -> None:
    late = deferred("(")
    assert late.pattern == "("
    with pytest.raises(re.error, match="unterminated"):
        late.search("text")


def test_it_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="scanner"):
        deferred("a").scanner  # type: ignore[attr-defined]  # noqa: B018
