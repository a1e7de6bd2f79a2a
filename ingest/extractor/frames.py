"""What earlier messages to an assistant make of this one: a part that is played, a pasted text.

"Let's play" and "proofread my letters" hold for the messages that follow, which do not say so.
"""

import re
from functools import lru_cache

from contracts.lazy_regex import deferred
from ingest.extractor.quoted_spans import LETTER, is_for_work
from ingest.extractor.values import MOST_CHARS, Utterance
from ingest.extractor.words import statements as words
from ingest.extractor.words.patterns import any_of

_PART = deferred(rf"(?i)\b(?!let'?s play (?:(?:a|another) (?:quick )?(?:game|round) of |some )?(?:{any_of(words.REAL_GAMES)})\b)(?:{any_of(words.PARTS)}|(?:^|(?<=[.!?]\s))you are (?:now )?(?:an?|the|my)\b(?! (?:[\w-]+ )?(?:{any_of(words.PRAISE)})\b)|I(?:'ll| will) (?:be|play) (?:the|an?|your)\b|I(?:'ll| will| am going to|'m going to) (?:now )?(?:write|give|send|paste|provide|share|type|show|post|feed)\b[^.?!\n]{{0,60}}\b(?:{any_of(words.WRITINGS)})\b)")  # fmt: skip
_PLAYED_OUT = deferred(rf"(?i)\b(?:{any_of(words.PLAYED_OUT)})\b")
_STOPPED = deferred(rf"(?i)\b(?:{any_of(words.PLAYED_OUT)})(?: (?:of|with|in|playing|doing|being|the|this|that|our|your|my|all|any|more|silly|whole))* (?:{any_of(words.PARTS)})\b|\b(?:{any_of(words.PARTS)})(?: (?:game|now|thing))?(?: is|'s)? (?:over|finished|done|ended)\b")  # fmt: skip
"""The end of a part by its name: "stop the roleplay"."""

_SUPPOSED = deferred(r"(?i)pretend (?:i|we|that)\b(?!.*\b(?:you(?:'re| are)|let's|let us)\b)")
_ASKED = deferred(rf"(?i)\?|[:,.;] *(?:{any_of(words.QUESTION_OPENINGS)})\b")
_WORKED_ON = deferred(rf"(?i)\b(?:{any_of(words.TASKS)})\b[^\n.?!]{{0,80}}\b(?:{any_of(words.WRITINGS)})\b")  # fmt: skip
_LONG = 300
"""Characters from which a message may be a text to work on, and is no end of a part."""


def is_framed(utterance: Utterance) -> bool:
    """Return whether an utterance belongs to a part or is a text, by what was said before it."""
    before = () if utterance.speaker else (utterance.before,)
    if not (before or utterance.earlier) or "over" in _frame(utterance.text[:MOST_CHARS]):
        return False
    for text in reversed((*utterance.earlier, *before)):
        frame = _frame(text[:MOST_CHARS])
        if frame == "part" or ("text" in frame and len(utterance.text) > _LONG):
            return True
        if "over" in frame:
            return False
    return False


@lru_cache(maxsize=4_000)
def _frame(text: str) -> str:
    """Return whether a "part" or a "text" begins for the messages after this one, or is "over"."""
    rest = _STOPPED.sub("", text) if len(text) < _LONG else text
    if any(_is_begun(rest, part) for part in _PART.finditer(rest)):
        return "part"
    is_over = rest != text or (len(text) < _LONG and _PLAYED_OUT.search(text))
    begun = "text" if _WORKED_ON.search(text) or LETTER.search(text) else ""
    return f"{begun} over" if is_over else begun


def _is_begun(text: str, part: re.Match[str]) -> bool:
    """Return whether a part lasts: not what is supposed for one question, nor work for the user."""
    is_for_now = _SUPPOSED.match(text, part.start()) and _ASKED.search(text, part.end())
    return not is_for_now and not is_for_work(text, part)
