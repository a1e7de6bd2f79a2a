"""sem-mem's small index, its merging of lists, and its fading scores."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError
from memory import (
    TIME_DECAY_ALPHA,
    TIME_DECAY_ENABLED,
    TIME_DECAY_HALF_LIFE_DAYS,
    LexicalIndex,
    looks_like_identifier,
    merge_search_results,
    time_adjusted_score,
)
from memory.config.settings import TimeDecayConfig

WORDS = st.lists(st.sampled_from(["pump", "valve", "tbl_orders_001", "Zürich", "x"]), max_size=5)


def test_the_share_of_words():
    index = LexicalIndex()
    index.add("a", "The quick brown fox")
    index.add("b", "A quick, brown DOG")
    index.add("c", "tbl_orders_001")
    assert index.search("quick fox") == [("a", 1.0), ("b", 0.5)]
    assert index.search("Quick-brown", k=1) == [("a", 1.0)]
    assert index.search("TBL_ORDERS_001") == [("c", 1.0)]
    assert index.search("orders") == index.search("") == index.search("?!") == []
    assert index.search("quick", k=0) == index.search("quick", k=-1) == []
    assert (len(index), "a" in index, "z" in index) == (3, True, False)


class _ByLetters(LexicalIndex):
    def _tokenize(self, text: str) -> list[str]:
        return list(text)


def test_a_subclass_may_divide_texts_otherwise():
    index = _ByLetters()
    index.add("a", "xy")
    assert index.search("yz") == [("a", 0.5)]


def test_a_text_that_is_replaced_or_removed_is_not_found():
    index = LexicalIndex()
    index.add("a", "pump valve")
    index.add("a", "valve handle")
    assert index.search("pump") == []
    assert index.search("handle valve") == [("a", 1.0)]
    assert index.remove("a")
    assert not index.remove("a")
    assert (index.search("valve"), index.documents, index.tokens) == ([], {}, {})


@given(st.lists(st.tuples(st.sampled_from("abc"), WORDS), max_size=8), WORDS)
def test_it_finds_what_looking_at_every_text_finds(adds, asked):
    index, texts = LexicalIndex(), {}
    for name, words in adds:
        index.add(name, " ".join(words))
        texts.pop(name, None)
        texts[name] = {word.lower() for word in words}
    wanted = {word.lower() for word in asked}
    shares = [
        (name, len(wanted & has) / len(wanted)) for name, has in texts.items() if wanted & has
    ]
    assert index.search(" ".join(asked), k=9) == sorted(shares, key=lambda item: -item[1])


def test_merging_two_lists():
    merged = merge_search_results([("a", 0.9), ("b", 0.5)], [("b", 1.0), ("c", 1.0)])
    assert [name for name, _ in merged] == ["b", "a", "c"]
    assert dict(merged) == pytest.approx({"a": 0.63, "b": 0.65, "c": 0.3})
    assert merge_search_results([("a", 0.5)], [("b", 0.5)], alpha=0.5) == [("a", 0.25), ("b", 0.25)]
    assert merge_search_results([], []) == []


@pytest.mark.parametrize(
    "days, share", [(0, 1), (7, 0.8955), (30, 0.65), (60, 0.475), (90, 0.3875), (-3, 1)]
)
@pytest.mark.parametrize("zone", [UTC, None], ids=["utc", "naive"])
def test_the_published_curve(days, share, zone):
    then = datetime.now(UTC) - timedelta(days=days, hours=1)
    written = then.replace(tzinfo=zone).isoformat()
    assert time_adjusted_score(0.8, written) == pytest.approx(0.8 * share, abs=5e-5)


def test_half_life_and_floor():
    old = (datetime.now(UTC) - timedelta(days=10, hours=1)).isoformat()
    assert time_adjusted_score(1.0, old, half_life_days=10, alpha=0) == pytest.approx(0.5)
    assert time_adjusted_score(0.8, "1970-01-01") == pytest.approx(0.24)
    assert time_adjusted_score(0.8, None) == time_adjusted_score(0.8, "") == 0.8
    with pytest.raises(InputError, match="'last week' is not a time"):
        time_adjusted_score(0.8, "last week")
    for no_text in (datetime(2026, 3, 4, tzinfo=UTC), 5):
        with pytest.raises(InputError, match=r"is not a time.*give one like 2026"):
            time_adjusted_score(0.8, no_text)
    for half_life in (0, -1, float("nan")):
        with pytest.raises(InputError, match=r"half_life_days is .*give a number above 0"):
            time_adjusted_score(0.8, old, half_life_days=half_life)


def test_the_defaults_are_those_of_the_settings():
    known = (TIME_DECAY_ENABLED, TIME_DECAY_HALF_LIFE_DAYS, TIME_DECAY_ALPHA)
    settings = TimeDecayConfig()
    assert known == (settings.enabled, settings.half_life_days, settings.alpha) == (True, 30, 0.3)


def test_the_examples_of_identifiers():
    asked = ["tbl_orders_001", "my-config.json", "getUserById", "what is X?"]
    assert list(map(looks_like_identifier, asked)) == [True, True, True, False]
