"""Where episodes end: pauses, topics, lengths, and the same however the messages arrive."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.episodes.cohesion import Messages, depths, prepared, words_of
from memory.episodes.segmentation import (
    LONG_PAUSE_S,
    SEEN_BEFORE,
    Limits,
    Spoken,
    ends,
    window_ends,
)
from providers import ProviderSettings, create
from tests.memory.episodes.said import BOAT, CAKE

INF = float("inf")
MODEL = create("static", ProviderSettings())
LIMITS = Limits()


def prepare(texts: Sequence[str]) -> Messages:
    return prepared(texts, MODEL)


def said(texts: Sequence[str], *, from_s: float = 0.0, every_s: float = 30.0) -> list[Spoken]:
    return [Spoken(text, from_s + number * every_s) for number, text in enumerate(texts)]


def test_a_change_of_topic_ends_an_episode() -> None:
    messages = said((*BOAT, *CAKE))
    assert ends(messages, prepare, until_s=INF, limits=LIMITS) == [8, 16]
    assert max(range(16), key=depths(prepare([text for text, _ in messages])).__getitem__) == 8


def test_one_topic_is_one_episode() -> None:
    assert ends(said(BOAT), prepare, until_s=INF, limits=LIMITS) == [8]


def test_a_topic_in_words_that_the_model_does_not_know_is_told_by_its_words() -> None:
    fish = ["今天我们去海边钓鱼", "海边的鱼很大", "钓鱼需要新的鱼竿", "鱼竿在海边的商店"] * 3
    bread = ["面包需要面粉和酵母", "酵母在厨房", "面粉要新鲜的面粉", "烤面包的厨房很热"] * 3
    assert not prepare(fish).vectors.any()
    assert ends(said([*fish, *bread]), prepare, until_s=INF, limits=LIMITS) == [12, 24]


def test_a_pause_ends_an_episode() -> None:
    before, after = said(BOAT[:5]), said(BOAT[5:], from_s=4 * 30 + 3601)
    assert ends([*before, *after], prepare, until_s=INF, limits=LIMITS) == [5, 8]
    no_pause = said(BOAT[5:], from_s=4 * 30 + 3600)
    assert ends([*before, *no_pause], prepare, until_s=INF, limits=LIMITS) == [8]


def test_a_few_messages_wait_for_a_long_pause() -> None:
    slow = said(BOAT[:3], every_s=7200)
    assert ends(slow, prepare, until_s=INF, limits=LIMITS) == [3]
    rare = said(BOAT[:3], every_s=LONG_PAUSE_S + 1)
    assert ends(rare, prepare, until_s=INF, limits=LIMITS) == [1, 2, 3]


def test_a_long_pause_is_never_shorter_than_the_pause() -> None:
    limits = Limits(pause_s=3 * LONG_PAUSE_S)
    rare = said(BOAT[:3], every_s=2 * LONG_PAUSE_S)
    assert ends(rare, prepare, until_s=INF, limits=limits) == [3]


@pytest.mark.parametrize(
    "silence_s, expected", [(3600.0, []), (3601.0, [8])], ids=["going on", "over"]
)
def test_the_last_episode_is_open_until_a_pause(silence_s: float, expected: list[int]) -> None:
    messages = said(BOAT)
    until_s = messages[-1].at_s + silence_s
    assert ends(messages, prepare, until_s=until_s, limits=LIMITS) == expected


def test_no_episode_is_too_long_or_too_short() -> None:
    limits = Limits(least=5, most=12)
    found = [0, *ends(said(BOAT * 8), prepare, until_s=INF, limits=limits)]
    lengths = [end - begin for begin, end in itertools.pairwise(found)]
    assert found[-1] == 64
    assert min(lengths) >= 5
    assert max(lengths) <= 12


def test_a_fixed_window_counts_messages_alone() -> None:
    messages = said((*BOAT, *CAKE))
    assert window_ends(messages, until_s=INF, size=6, limits=LIMITS) == [6, 12, 16]
    open_s = messages[-1].at_s
    assert window_ends(messages, begin=4, until_s=open_s, size=6, limits=LIMITS) == [10, 16]
    assert window_ends(messages, begin=8, until_s=open_s, size=6, limits=LIMITS) == [14]


def test_words_of_a_topic() -> None:
    assert words_of("We are repairing the repaired BOAT, ok?") == {"repair", "boat"}


def test_messages_without_words_have_no_topic() -> None:
    assert depths(prepare(["?"] * 12)) == [0.0] * 12
    assert depths(Messages([], np.zeros((0, 4)))) == [0.0]


TOPICS = [(*BOAT[start : start + 6],) for start in range(3)] + [
    (*CAKE[start : start + 6],) for start in range(3)
]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(TOPICS), min_size=1, max_size=18),
    st.lists(st.integers(1, 30), min_size=1, max_size=40),
    st.dictionaries(st.integers(0, 107), st.sampled_from([4000.0, 50_000.0]), max_size=3),
)
def test_it_does_not_matter_how_messages_arrive(
    topics: list[tuple[str, ...]], batches: list[int], pauses: dict[int, float]
) -> None:
    """Batches of any size, with the context that callers give, end where all at once do."""
    texts = [text for topic in topics for text in topic]
    messages, now = [], 0.0
    for number, text in enumerate(texts):
        now += pauses.get(number, 30.0)
        messages.append(Spoken(text, now))
    limits = Limits(least=3, most=9)
    whole = ends(messages, prepare, until_s=INF, limits=limits)
    assert whole[-1] == len(messages)
    found: list[int] = []
    arrived = 0
    for size in (*batches, len(messages)):
        arrived = min(arrived + size, len(messages))
        begin = found[-1] if found else 0
        first = max(0, begin - SEEN_BEFORE)
        is_last = arrived == len(messages)
        until_s = INF if is_last else messages[arrived].at_s
        part = messages[first:arrived]
        new = ends(part, prepare, begin=begin - first, until_s=until_s, limits=limits)
        found += [first + end for end in new]
        if is_last:
            break
    assert found == whole
