"""Judge from patterns whether a conversation is worth remembering: no model, no database.

The patterns, the weights and the names are those of sem-mem. A thread is a list of messages with
`role` and `content`, as chat APIs have them; only the user's messages count.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from contracts.errors import InputError
from contracts.named_tuple import NamedTuple

Message = Mapping[str, object]

QUESTION_PATTERNS: Final = (
    r"\?$",
    r"^how\s+(do|can|should)\s+i\b",
    r"^why\s+(is|does|did|are)\b",
    r"^can\s+you\s+help\b",
    r"^what\s+(is|are|does)\b",
)

COMPLETION_PATTERNS: Final = (
    r"\bthanks?\b",
    r"\bthank\s+you\b",
    r"\bthat\s+worked\b",
    r"\bgot\s+it\b",
    r"\bperfect\b",
    r"\bresolved\b",
    r"\bfixed\s+it\b",
)

REFINEMENT_PATTERNS: Final = (
    r"^actually\b",
    r"^instead\b",
    r"^what\s+about\b",
    r"^wait\b",
    r"^let\s+me\s+clarify\b",
)

META_NOISE_PATTERNS: Final = (
    r"^hi$",
    r"^hello$",
    r"^test$",
    r"^ok$",
    r"^you\s+there\??$",
    r"^thanks$",
)

SAVE_FROM, REVIEW_FROM = 0.6, 0.3
"""Least scores of threads to save and of threads to review; others are skipped."""

_BASE, _RESOLVED, _PER_TURN, _REFINED, _NOISE = 0.3, 0.3, 0.1, 0.15, 0.4
_TURNS_FROM, _MOST_TURNS = 2, 3
_DIGITS = 6
"""Digits to which sums of the weights are rounded: .3 + .3 + .1 - .4 is .3, which is still a
review.
"""


class HeuristicSignals(NamedTuple):
    """The patterns found in a thread. `turn_count` counts the user's messages."""

    is_qa_like: bool
    has_completion_token: bool
    turn_count: int
    has_refinements: bool
    is_meta_noise: bool


class ThreadAnalysis(TypedDict):
    """The signals by name, the score in [0, 1], and `save`, `review` or `skip`."""

    signals: dict[str, bool | int]
    score: float
    is_completed: bool
    recommendation: str


def compute_thread_heuristics(messages: Sequence[Message]) -> HeuristicSignals:
    """The signals of a whole thread.

    A question counts unless it is the last of several messages of the user, a word of completion
    only in the last one. A thread is noise if all messages of the user are; so is one without any.
    Raises InputError for invalid messages.
    """
    said = user_texts(messages)
    asked = said[:-1] if len(said) > 1 else said
    return HeuristicSignals(
        is_qa_like=any(_matches(text, QUESTION_PATTERNS) for text in asked),
        has_completion_token=bool(said) and _matches(said[-1], COMPLETION_PATTERNS),
        turn_count=len(said),
        has_refinements=any(_matches(text, REFINEMENT_PATTERNS) for text in said),
        is_meta_noise=all(_matches(text, META_NOISE_PATTERNS) for text in said),
    )


def compute_thread_heuristic_score(signals: HeuristicSignals) -> float:
    """The score of a thread with these signals, in [0, 1]."""
    score = _BASE
    if signals.is_qa_like and signals.has_completion_token:
        score += _RESOLVED
    score += _PER_TURN * max(0, min(signals.turn_count - _TURNS_FROM, _MOST_TURNS))
    if signals.has_refinements:
        score += _REFINED
    if signals.is_meta_noise:
        score -= _NOISE
    return max(0.0, min(1.0, round(score, _DIGITS)))


heuristic_score = compute_thread_heuristic_score
"""The same under the name in sem-mem's first plan."""


def is_thread_completed(messages: Sequence[Message]) -> bool:
    """Return whether a question was asked, and the user's last message says that it is answered."""
    return _is_completed(compute_thread_heuristics(messages))


def get_thread_memory_score(messages: Sequence[Message]) -> float:
    """The score of a thread, in [0, 1]."""
    return compute_thread_heuristic_score(compute_thread_heuristics(messages))


def analyze_thread(messages: Sequence[Message]) -> ThreadAnalysis:
    """Signals, score and recommendation of a thread. Raises InputError for invalid messages."""
    signals = compute_thread_heuristics(messages)
    score = compute_thread_heuristic_score(signals)
    return {
        "signals": signals._asdict(),
        "score": score,
        "is_completed": _is_completed(signals),
        "recommendation": _recommendation(score),
    }


def user_texts(messages: object) -> list[str]:
    """The user's texts, in order; of a message in parts its texts.

    Raises InputError for an invalid list of messages.
    """
    return [text for _, text in said_texts(messages, roles=("user",))]


def said_texts(messages: object, *, roles: Sequence[str]) -> list[tuple[str, str]]:
    """The role and the text of each message of these roles, in order; as `user_texts`."""
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise InputError("the messages are not a list", hint=_EXPECTED)
    texts = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise InputError(f"message {number} is not an object", hint=_EXPECTED)
        role = message.get("role")
        if isinstance(role, str) and role in roles:
            text = _text_of(message.get("content", message.get("text")), number)
            texts.append((role, text))
    return texts


_EXPECTED = 'give a list of objects like {"role": "user", "content": "..."}'


def _text_of(content: object, number: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and not isinstance(content, bytes):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    raise InputError(f"the content of message {number} is not text", hint=_EXPECTED)


def _is_completed(signals: HeuristicSignals) -> bool:
    # One message can ask how to say thanks; it is not answered yet.
    is_resolved = signals.is_qa_like and signals.has_completion_token
    return is_resolved and signals.turn_count > 1


def _recommendation(score: float) -> str:
    if score >= SAVE_FROM:
        return "save"
    return "review" if score >= REVIEW_FROM else "skip"


def _matches(text: str, patterns: Sequence[str]) -> bool:
    text = text.strip()
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
