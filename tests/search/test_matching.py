"""One-edit typos, against the plain definition of the distance."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.identifiers.matching import similar_name
from search.identifiers.variants import one_edit_variants

WORDS = st.text(string.ascii_lowercase[:4] + "07", max_size=6)


def distance(one: str, other: str) -> int:
    """The restricted Damerau-Levenshtein distance, by the recurrence that defines it."""
    if not one or not other:
        return len(one) + len(other)
    options = [
        distance(one[1:], other) + 1,
        distance(one, other[1:]) + 1,
        distance(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if one[1:2] == other[:1] and other[1:2] == one[:1]:
        options.append(distance(one[2:], other[2:]) + 1)
    return min(options)


@given(WORDS, WORDS)
def test_one_slip_is_distance_one(one, other):
    assert (other in set(one_edit_variants(one))) == (distance(one, other) <= 1)


def test_letters_of_the_word_itself_are_keys_too():
    assert "größße" in set(one_edit_variants("größe"))


@pytest.mark.parametrize(
    "identifier, text, name",
    [
        ("parse_confg", "see parse_config()", "parse_config"),
        ("parse_confg", "see parseConfig()", "parseConfig"),
        ("parse_confg", "parseConfig or parse_config", "parse_config"),
        ("parseConfg", "parse_config or parseConfig", "parseConfig"),
        ("pasre_config", "app.parse_config", "parse_config"),
        ("parse_cconfig", "src/parse_config", "parse_config"),
        ("parsd_config", "parse_config", "parse_config"),
        ("pars_econfig", "parse_config", "parse_config"),
        ("deep_cpoy", "the deepcopy of it", "deepcopy"),
        ("E0309", "error E0308", "E0308"),
        ("K164", "K165 and 164", "K165"),
        ("K164", "164", ""),
        ("parse_confg", "parse_configs", ""),
        ("parse_confg", "parsing a config", ""),
        ("parse_confg", "", ""),
    ],
)
def test_the_name_that_was_meant(identifier, text, name):
    assert similar_name(identifier, text) == name
