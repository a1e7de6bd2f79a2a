"""Extractive summaries: telling sentences, in order, within their length, the same each time."""

from typing import Any

import pytest

from contracts import InputError
from ingest.threads.summary import extractive_summary

HEATING = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": "The radiator in the kitchen stays cold. The boiler shows E4."},
    {"role": "system", "content": "The radiator boiler kitchen."},
    {"role": "assistant", "content": "E4 on a boiler is low pressure. Fill it to 1.5 bar."},
    {"role": "user", "content": [{"type": "text", "text": "The radiator is warm. Thanks!"}]},
]


def test_a_short_conversation_is_there_without_its_small_talk() -> None:
    assert extractive_summary(HEATING, max_chars=1000) == (
        "User: The radiator in the kitchen stays cold. The boiler shows E4.\n"
        "Assistant: E4 on a boiler is low pressure. Fill it to 1.5 bar.\n"
        "User: The radiator is warm."
    )


@pytest.mark.parametrize("max_chars", [100, 120, 150, 200, 500])
def test_a_long_one_keeps_to_its_length(max_chars: int) -> None:
    filler = [
        {"role": "assistant", "content": f"Remark {n} touches subject{n}. {'word ' * 300}{n}."}
        for n in range(40)
    ]
    thread = [*HEATING, *filler, *HEATING]
    summary = extractive_summary(thread, max_chars=max_chars)
    assert 0 < len(summary) <= max_chars
    assert summary == extractive_summary(thread, max_chars=max_chars)
    assert len(set(summary.splitlines())) == len(summary.splitlines())


def test_what_is_spoken_of_most_is_chosen_first_and_once() -> None:
    thread = [
        {"role": "user", "content": "My violin lesson moved to Tuesday. Rain fell."},
        {
            "role": "user",
            "content": "The violin lesson on Tuesday costs more. A cat slept outside.",
        },
        {"role": "user", "content": "My violin lesson moved to Tuesday."},
    ]
    summary = extractive_summary(thread, max_chars=110)
    assert summary.count("My violin lesson moved to Tuesday.") == 1
    assert summary.startswith("User: My violin lesson moved to Tuesday.")


@pytest.mark.parametrize("thread", [[], [{"role": "user", "content": "ok"}], [{"role": "tool"}]])
def test_nothing_said_is_no_summary(thread: list[dict[str, Any]]) -> None:
    assert extractive_summary(thread, max_chars=100) == ""


@pytest.mark.parametrize("thread", ["text", [1], [{"role": "user", "content": 5}], None])
def test_what_is_no_thread(thread: Any) -> None:
    with pytest.raises(InputError, match="message"):
        extractive_summary(thread, max_chars=100)
