"""What earlier messages to an assistant make of this one: a part that is played, a pasted text.

"Let's play" and "proofread my letters" hold for the messages that follow, which do not say so.
"""

from functools import lru_cache

from contracts.lazy_regex import deferred
from ingest.extractor.quoted_spans import LETTER, is_for_work
from ingest.extractor.values import MOST_CHARS, Utterance
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.statements import PARTS, PLAYED_OUT, TASKS, WRITINGS

_PART = deferred(
    rf"(?i)\b(?:{any_of(PARTS)}|(?:^|(?<=[.!?]\s))you are (?:now )?(?:an?|the|my)\b|I(?:'ll| will) (?:be|play) (?:the|an?|your)\b|I(?:'ll| will| am going to|'m going to) (?:now )?(?:write|give|send|paste|provide|share|type|show|post|feed)\b[^.?!\n]{{0,60}}\b(?:{any_of(WRITINGS)})\b)"
)
_PLAYED_OUT = deferred(rf"(?i)\b(?:{any_of(PLAYED_OUT)})\b")
_WORKED_ON = deferred(rf"(?i)\b(?:{any_of(TASKS)})\b[^\n.?!]{{0,80}}\b(?:{any_of(WRITINGS)})\b")
_LONG = 300
"""Characters from which a message may be a text to work on, and is no end of a part."""


def is_framed(utterance: Utterance) -> bool:
    """Return whether an utterance belongs to a part or is a text, by what was said before it."""
    if utterance.speaker or _is_played_out(utterance.text):
        return False
    for text in (utterance.before, *reversed(utterance.earlier)):
        begun = _begins(text[:MOST_CHARS])
        if begun == "part" or (begun == "text" and len(utterance.text) > _LONG):
            return True
        if _is_played_out(text):
            return False
    return False


def _is_played_out(text: str) -> bool:
    return len(text) < _LONG and _PLAYED_OUT.search(text) is not None


@lru_cache(maxsize=1_000)
def _begins(text: str) -> str:
    """Return whether a "part" or a "text" begins for the messages after this one."""
    if any(not is_for_work(text, part) for part in _PART.finditer(text)):
        return "part"
    return "text" if _WORKED_ON.search(text) or LETTER.search(text) else ""
