"""Habits of the speaker, as they state them: "I go running every morning".

A sentence states one where it has nothing but a deed with at most an object and two places or
companions, its frequency, and a time. What is missed costs less than what is invented.
"""

import re
from collections.abc import Iterator
from typing import Final

from ingest.distillation.sentences import Sentence, is_hedged, is_past, is_question
from ingest.distillation.values import Habit
from ingest.extractor.quoted_spans import COVER

_DEED: Final = (
    r"(?:bake|bike|brush|call|clean|coach|commute|cook|cycle|dance|drink|drive|eat|exercise|fast|fish|garden|get up|"
    r"go(?: (?:out|home|(?:\w+ )?\w+ing)|(?= to | for ))|have(?= (?:breakfast|lunch|dinner|coffee|tea))|jog|journal|listen|meditate|meet|"
    r"paint|phone|play|practi[cs]e|ride|row|run|sew|shop|sing|skate|ski|sleep|stretch|study|surf|swim|teach|train|visit|"
    r"volunteer|wake up|walk|wash|watch|water|work)"
)
"""Verbs of deeds that recur; none of a state or a wish, and none that reports what others do."""

_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_OFTEN: Final = (
    rf"(?:(?:every|each) (?:single |other |second )?(?P<unit>{_DAY}|day|morning|afternoon|evening|night|week|weekend|"
    rf"weekday|month)|on (?P<days>{_DAY}s(?:(?:,|,? and) {_DAY}s)*|weekends|weekdays)|daily|"
    r"(?:once|twice|(?:two|three|four|five|six|2|3|4|5|6) times) (?:a|per) (?:day|week|month))"
)
_WORD: Final = (
    r"(?!(?:an?|and|are|at|because|but|by|daily|each|every|for|from|he|her|his|i|in|is|it|my|of|on|one|only|or|our|she|so|than|"
    r"that|the|their|they|this|to|was|we|what|when|where|which|while|who|with|you|your|bought|taught|\w{3,}ed|"
    r"better|fast|faster|hard|harder|less|longer|more)\b)[\w'’-]+"
)
_NAMED: Final = rf"(?:the|my|our|an?) (?!(?:day|week|month|year|while)\b){_WORD}"
_OBJECT: Final = rf"(?: (?:{_NAMED}|\d+ \w+|{_WORD})(?: and {_WORD})?)?"
_PLACES: Final = rf"(?: (?:to|at|in|for|from|with) (?:{_NAMED}|{_WORD})){{0,2}}"
_COMPANY: Final = rf"(?: with (?:{_NAMED}|friends|(?-i:[A-Z])\w+))?"
_TIME: Final = (
    r"(?:,? (?:(?:at|around) (?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m)?|noon|six|seven|eight|nine|ten)|"
    r"(?:before|after) (?:bed|breakfast|dinner|lunch|school|work)))?"
)
_BEGIN: Final = r"(?i)^\W*(?:(?:and|so|well|also|actually|btw|hi|hey)\W+)*"
_I: Final = r"i (?:(?:also|always|usually|normally|generally|typically|mostly|still) )?"
_STATED: Final = (
    re.compile(
        rf"{_BEGIN}{_I}(?P<what>{_DEED}{_OBJECT}{_PLACES}{_TIME} {_OFTEN}){_TIME}{_COMPANY}{_TIME}(?:\.|!+)?$"
    ),
    re.compile(
        rf"{_BEGIN}(?P<when>{_OFTEN}),? {_I}(?P<what>{_DEED}(?: {_NAMED}| breakfast| lunch| dinner)?{_PLACES}){_TIME}(?:\.|!+)?$"
    ),
)
_NEXT: Final = re.compile(r"[.!\s]*(?P<next>[^.!?\n]*)")
_FEWEST_WORDS: Final = 4
"""Fewer words of a next sentence may take it all back: "Not.", "In my dreams.", a smile."""


def habits(text: str, told: Sentence) -> Iterator[Habit]:
    """Yield the habit of a sentence that states one and nothing else, in the words of its speaker.

    It is a `schedule` where days of the week are named.
    """
    if COVER in told.text or told.is_asked or told.is_tale or is_question(told.text):
        return
    if is_past(told.text) or is_hedged(told.text) or ".." in told.ended:
        return
    if _may_be_taken_back(text[told.end :]):
        return
    match = next((found for each in _STATED if (found := each.match(told.text))), None)
    if match is not None:
        days = match["days"] or match["unit"] or ""
        when = match.groupdict().get("when", "")
        what = f"{match['what']} {when[:1].lower()}{when[1:]}".strip()
        kind = "schedule" if re.match(rf"(?i){_DAY}", days) else "habit"
        yield Habit(kind, what, told.start, told.end)


def _may_be_taken_back(rest: str) -> bool:
    match = _NEXT.match(rest)
    return bool(rest.strip(" .!\n")) and len(match["next"].split() if match else ()) < _FEWEST_WORDS
