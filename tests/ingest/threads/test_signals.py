"""Thread analysis: the seed's example, each signal, each weight, and what is not a thread."""

import pytest

import memory
from contracts import InputError
from ingest.threads.signals import (
    COMPLETION_PATTERNS,
    META_NOISE_PATTERNS,
    QUESTION_PATTERNS,
    REFINEMENT_PATTERNS,
    HeuristicSignals,
    analyze_thread,
    compute_thread_heuristic_score,
    compute_thread_heuristics,
    get_thread_memory_score,
    heuristic_score,
    is_thread_completed,
)
from ingest.threads.worth import is_noise, worth_a_model

SOLVED = [
    {"role": "user", "content": "How do I configure SSL?"},
    {"role": "assistant", "content": "Here's how..."},
    {"role": "user", "content": "Thanks, that worked!"},
]


def said(*texts):
    """A thread in which an assistant answers each of the user's messages."""
    pairs = ((("user", text), ("assistant", "Why is that? Thanks!")) for text in texts)
    return [{"role": role, "content": text} for pair in pairs for role, text in pair]


def test_the_published_example():
    assert is_thread_completed(SOLVED)
    assert get_thread_memory_score(SOLVED) == 0.6
    assert analyze_thread(SOLVED) == {
        "signals": {
            "is_qa_like": True,
            "has_completion_token": True,
            "turn_count": 2,
            "has_refinements": False,
            "is_meta_noise": False,
        },
        "score": 0.6,
        "is_completed": True,
        "recommendation": "save",
    }


@pytest.mark.parametrize(
    "patterns, texts, others",
    [
        (
            QUESTION_PATTERNS,
            [
                "and then? ",
                "How should I cut it",
                "why did it stop",
                "can you help me",
                "What is X",
            ],
            ["I wonder how", "Somehow I can", "tell me why", "? no", "what a day"],
        ),
        (
            COMPLETION_PATTERNS,
            ["Thanks!", "ok thank  you", "THAT WORKED", "ah, got it.", "perfect", "I fixed it"],
            ["thankful", "imperfection", "unresolvedly", "that works", "gotit"],
        ),
        (
            REFINEMENT_PATTERNS,
            [" Actually, no", "instead use tar", "What about zip", "wait", "Let me clarify: a"],
            ["I actually like it", "waiting", "so what about it"],
        ),
        (
            META_NOISE_PATTERNS,
            ["hi", "Hello ", "TEST", "ok", "you there", "you there?", "thanks"],
            ["hi all", "hello world", "tests", "okay then", "thanks a lot"],
        ),
    ],
    ids=["question", "completion", "refinement", "noise"],
)
def test_what_each_list_of_patterns_knows(patterns, texts, others):
    def is_known(text):
        signals = compute_thread_heuristics(said(text))
        return {
            QUESTION_PATTERNS: signals.is_qa_like,
            COMPLETION_PATTERNS: signals.has_completion_token,
            REFINEMENT_PATTERNS: signals.has_refinements,
            META_NOISE_PATTERNS: signals.is_meta_noise,
        }[patterns]

    assert [text for text in texts if not is_known(text)] == []
    assert [text for text in others if is_known(text)] == []


@pytest.mark.parametrize(
    "signals, score, recommendation",
    [
        ((False, False, 1, False, False), 0.3, "review"),
        ((True, False, 2, False, False), 0.3, "review"),
        ((False, True, 2, False, False), 0.3, "review"),
        ((True, True, 2, False, False), 0.6, "save"),
        ((False, False, 3, False, False), 0.4, "review"),
        ((False, False, 5, False, False), 0.6, "save"),
        ((False, False, 99, False, False), 0.6, "save"),
        ((False, False, 2, True, False), 0.45, "review"),
        ((True, True, 5, True, False), 1.0, "save"),
        ((True, True, 3, False, True), 0.3, "review"),
        ((False, False, 2, False, True), 0.0, "skip"),
        ((False, False, 4, False, True), 0.1, "skip"),
        ((False, False, 0, False, True), 0.0, "skip"),
    ],
)
def test_the_weights(signals, score, recommendation):
    found = HeuristicSignals(*signals)
    assert compute_thread_heuristic_score(found) == score
    texts = ["hi" if found.is_meta_noise else "the pump is blue"] * found.turn_count
    if not (found.is_qa_like or found.has_completion_token or found.has_refinements):
        assert analyze_thread(said(*texts))["recommendation"] == recommendation


def test_both_names_of_the_score_are_one():
    assert heuristic_score is compute_thread_heuristic_score


@pytest.mark.parametrize(
    "texts, is_completed",
    [
        (["How do I bleed it?", "Got it"], True),
        (["The pump hums.", "Why does it hum", "perfect"], True),
        (["The pump hums.", "Thanks, is that bad?"], False),
        (["How do I bleed it?", "And the other one?"], False),
        (["How do I say thanks?"], False),
        (["thanks"], False),
        ([], False),
    ],
)
def test_what_is_completed(texts, is_completed):
    assert is_thread_completed(said(*texts)) is is_completed


def test_only_the_user_counts():
    thread = [
        {"role": "system", "content": "What is this?"},
        {"role": "assistant", "content": "Actually, how do I help?"},
        {"role": "tool", "content": "perfect"},
    ]
    assert compute_thread_heuristics(thread) == (False, False, 0, False, True)


def test_messages_in_parts():
    parts = [{"type": "text", "text": "How do I"}, {"type": "image_url"}, "bleed it?"]
    thread = [
        {"role": "user", "content": parts},
        {"role": "user", "content": None},
        {"role": "user"},
    ]
    signals = compute_thread_heuristics(thread)
    assert (signals.is_qa_like, signals.turn_count) == (True, 3)
    assert compute_thread_heuristics([{"role": "user", "text": "why is it?"}]).is_qa_like


@pytest.mark.parametrize(
    "messages, fact",
    [
        ("hello", "the messages are not a list"),
        ({"role": "user"}, "the messages are not a list"),
        (None, "the messages are not a list"),
        (["hello"], "message 1 is not an object"),
        ([*SOLVED, 7], "message 4 is not an object"),
        ([{"role": "user", "content": 7}], "the content of message 1 is not text"),
    ],
)
def test_what_is_no_thread(messages, fact):
    with pytest.raises(InputError, match=fact):
        analyze_thread(messages)


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["hi"],
        ["Hello!", "thanks"],
        ["ok, thank you so much!!"],
        ["👍"],
        ["  "],
        ["that worked, perfect :)"],
        ["Sounds good, please continue"],
        ["that’s great"],
    ],
    ids=str,
)
def test_small_talk_is_not_worth_a_model(texts):
    assert not worth_a_model(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["I live in Bergen"],
        ["hi", "my sister is called Ann"],
        ["ok, but I sold the car"],
        ["ich heiße Jörg"],
        ["私は東京に住んでいます"],
        ["thanks, Bob"],
        ["no no no no no no no no no"],
    ],
    ids=str,
)
def test_anything_else_may_be(texts):
    assert worth_a_model(texts)
    assert not all(map(is_noise, texts))


def test_every_name_comes_from_memory():
    for name in ("analyze_thread", "HeuristicSignals", "QUESTION_PATTERNS", "heuristic_score"):
        assert getattr(memory, name) is globals()[name]
    for name in memory.__all__:
        assert getattr(memory, name) is not None
