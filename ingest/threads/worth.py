"""Decide whether asking a language model about a conversation could be worth its price.

It errs on the side of asking: only pure small talk is left out.
"""

import re
from collections.abc import Iterable
from typing import Final

from ingest.threads.signals import analyze_thread

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_MOST_WORDS: Final = 8
_WORDS = """
    a again ah aha ahoy all alright am and awesome bye check cheers cool continue day done evening
    excellent fine fixed glad go good goodbye got great haha hehe hello hey hi hmm how interesting
    it it's its just kk later lol lot makes me more morning much never mind next nice night nope no
    now of oh ok okay on one oops perfect please ping proceed really resolved right see sense so
    sorry sounds stop super sure tell test testing thank thanks that that's the there thing
    this thx time to try ty understood very wait welcome well what what's whoa worked works wow
    yay yeah yep yes you you're your yup
"""
_SMALL_TALK: Final = frozenset(_WORDS.split())


def worth_a_model(texts: Iterable[str]) -> bool:
    """Return whether one of these texts of a user holds more than small talk.

    Also False if the thread that they form would be skipped, see `analyze_thread`.
    """
    said = list(texts)
    thread = [{"role": "user", "content": text} for text in said]
    return analyze_thread(thread)["recommendation"] != "skip" and not all(map(is_noise, said))


def is_noise(text: str) -> bool:
    """Return whether a turn only greets, thanks, agrees or tests the line."""
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and _SMALL_TALK.issuperset(words)
