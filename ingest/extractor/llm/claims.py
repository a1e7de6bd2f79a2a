"""Whether a turn supports a sentence about its speaker, or why it does not."""

import re
from typing import Final, TypeAlias

from ingest.extractor.llm.grounding import (
    Source,
    Span,
    content_words,
    evidence,
    is_grounded,
    stem,
    words_of,
)

Fault: TypeAlias = str
"""Why an item is dropped, as it is counted."""

_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|me|my|mine|myself)\b", re.IGNORECASE)
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|follow)\b.{0,40}\b(?:instructions?|rules?|prompts?|"
    r"previous|above|everything)\b|\bsystem (?:prompt|message)\b|\bjailbreak|"
    r"\b(?:as an ai|developer mode|delete all)\b",
    re.IGNORECASE,
)
"""Orders to a model; a sentence that holds one supports nothing."""

_DUTY: Final = re.compile(
    r"\b(?:assistant|ai|model|chatbot|you)\b.{0,20}"
    r"\b(?:must|should|shall|has to|have to|will always|always|never)\b|"
    r"\b(?:respond|reply|answer|output) (?:only|with)\b",
    re.IGNORECASE,
)
"""What an assistant is to do, which is nothing about its user."""

_DICTATED: Final = re.compile(r"\b(?:User|the user)(?:'s|\u2019s)? \w")
"""Nobody speaks of themselves so."""

_UNREAL: Final = re.compile(
    r"\b(?:if (?:i|we) (?:were|was|had|could|lived|worked|owned)|imagine|suppos(?:e|ing)|pretend|"
    r"hypothetically|i wish|what if|let's say|role-?play|"
    r"(?:like|as if|as though|assumes?(?: that)?|thinks?(?: that)?) (?:i'?m|i am|my))\b",
    re.IGNORECASE,
)
_JOKE: Final = re.compile(
    r"\b(?:ha(?:ha)+|lmao|rofl|jk|obviously|apparently)\b|\U0001f602|/s\b", re.I
)
_NOT_STATED: Final = {"not stated": _UNREAL, "joke": _JOKE}
"""What a clause holds that says nothing for true, by the reason."""

_PASSING: Final = re.compile(
    r"\b(?:right now|rn|just now|at the moment|tonight|this (?:morning|afternoon|evening)|"
    r"in (?:a|\w+|\d+) (?:minutes?|seconds?|hours?))\b",
    re.IGNORECASE,
)
_ADDRESSED: Final = re.compile(r"\b(?:you|your|yours|you're|you've)\b", re.IGNORECASE)
"""A memory is for somebody else to read, who is not whom the turn spoke to."""

_NO: Final = re.compile(
    r"n['\u2019]t$|^(?:not|never|no|nor|neither|without|hardly|cannot)$|^(?:do|does|did|is|wo|ca)nt$"
)
_DENYING: Final = re.compile(
    r"\b(?:no|not|never|neither|without|dislikes?|hates?|avoids?|stopped|quit|gave|former|"
    r"used|unable|cannot|left|allergic|refuses?|lacks?)\b|n['\u2019]t\b|free\b|\b(?:do|does|did|is|wo|ca)nt\b",
    re.IGNORECASE,
)
_LOSS: Final = re.compile(
    r"\b(?:stop|quit|give up|giving up|avoid|hate|dislike|can ?not|detest|loathe|lost|ex|against|"
    r"despise|divorced?|retired?|sold|over|ended|moved|awful|terrible|worst|disgust\w*)\b",
    re.IGNORECASE,
)
"""Further ways in which a turn says no."""

_CHANGE: Final = re.compile(
    r"\b(?:any ?more|former(?:ly)?|previous(?:ly)?|old|once|until|changed?|switched|replaced|"
    r"instead|finished|fired|laid off|resigned|broke up|separated|died|passed away|"
    r"cancel\w*|gone|done)\b",
    re.IGNORECASE,
)
"""Further ways in which a turn says that something is over."""

_ENGLISH: Final = re.compile(r"\b(?:i|i'm|my|we|the|and)\b", re.IGNORECASE)
"""Only of English is it known how it denies something."""

_REACH: Final = 3
"""Words from a `not` to what it denies."""


def support_of(content: str, source: Source, all_said: Source, *, is_over: bool) -> Span | Fault:
    """The words of the turn that say so, or why none do.

    `source` is what the turn states, `all_said` the whole of it. `is_over`: the sentence is said to
    be no longer true, for which every word has to be there, and an end.
    """
    if _ORDER.search(content) or _DUTY.search(content):
        return "instruction"
    about = re.compile(rf"(?<!\w){re.escape(source.subject)}(?!\w)", re.IGNORECASE)
    rest = about.sub("", content)
    if rest == content or _FIRST_PERSON.search(rest) or _ADDRESSED.search(rest):
        return "not about the user"
    if _PASSING.search(content):
        return "passing"
    words = content_words(content, source.subject)
    if not is_grounded(words, source, whole=is_over):
        is_there = is_grounded(words, all_said, whole=is_over)
        return "not stated" if is_there else "ungrounded"
    span = evidence(words, source.text)
    sentence = source.text[span.start : span.end]
    dictated = _DICTATED.search(sentence) and not _FIRST_PERSON.search(sentence)
    if dictated or _ORDER.search(sentence):
        return "instruction"
    for reason, sign in _NOT_STATED.items():
        if sign.search(sentence):
            return reason
    if is_over:
        return span if _is_ended(sentence) else "not over"
    if _is_turned_round(content, words, sentence):
        return "negated"
    return span


def _is_ended(sentence: str) -> bool:
    """Whether something ends or is denied in it, as far as its language is known."""
    ends = _DENYING.search(sentence) or _LOSS.search(sentence) or _CHANGE.search(sentence)
    return ends is not None or _ENGLISH.search(sentence) is None


def _is_turned_round(content: str, words: list[str], sentence: str) -> bool:
    """Whether one of both denies what the other one says."""
    if _DENYING.search(content):
        denied = _DENYING.search(sentence) or _LOSS.search(sentence)
        return _ENGLISH.search(sentence) is not None and denied is None
    return _is_denied(words, sentence)


def _is_denied(words: list[str], sentence: str) -> bool:
    """Whether a `not` stands shortly before the first of the words, in the same clause."""
    wanted = {stem(word) for word in words}
    said = words_of(sentence)
    for place, word in enumerate(said):
        if stem(word.text) not in wanted:
            continue
        for earlier in said[max(0, place - _REACH) : place]:
            between = sentence[earlier.end : word.start]
            if _NO.search(earlier.text.casefold()) and not re.search(r"[,;:.()]|\bbut\b", between):
                return True
        return False
    return False
