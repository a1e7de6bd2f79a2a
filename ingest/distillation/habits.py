"""Habits of the speaker, as they state them: "I go running every morning"."""

import re
from collections.abc import Iterator
from typing import Final

from ingest.distillation.sentences import Sentence, is_hedged, is_past, is_question
from ingest.distillation.values import Habit
from ingest.extractor.quoted_spans import COVER

_VERB: Final = (
    r"(?:attend|bake|bike|brush|call|clean|coach|commute|cook|cycle|dance|drink|drive|eat|exercise|fast|fish|"
    r"garden|get up|go|have (?:breakfast|lunch|dinner|coffee|tea)|jog|journal|lift|listen|make|meditate|meet|"
    r"paint|phone|play|practi[cs]e|pray|read|ride|ring|row|run|sew|shop|sing|skate|ski|sleep|start work|stretch|"
    r"study|surf|swim|take|teach|train|tutor|visit|volunteer|wake up|walk|wash|watch|water|weigh|work|write)"
)
"""Deeds, which can be done again and again; no states and no wishes."""

_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_OFTEN: Final = (
    rf"(?:(?:every|each) (?:single |other |second )?(?P<unit>{_DAY}|day|morning|afternoon|evening|night|week|weekend|"
    rf"weekday|month)|on (?P<days>{_DAY}s(?:,? and {_DAY}s)?|weekends|weekdays)|daily|"
    r"(?:once|twice|(?:two|three|four|five|six|2|3|4|5|6) times) (?:a|per) (?P<per>day|week|month))"
)
_LEAD: Final = r"^\W*(?:(?:and|so|well|also|actually|btw|hi|hey)\W+)*"
_USUALLY: Final = r"(?:(?:also|always|usually|normally|generally|typically|mostly|still) )?"
_STATED: Final = (
    re.compile(rf"(?i){_LEAD}i {_USUALLY}(?P<what>{_VERB}\b.*?\b{_OFTEN})\b(?P<rest>.*)$"),
    re.compile(rf"(?i){_LEAD}{_OFTEN},? i {_USUALLY}(?P<what>{_VERB}\b.*)$"),
)
_NOT_SO: Final = re.compile(
    r"(?i)\b(?:no|not|never|without|except|if|unless|until|till|anymore|any more|last|next|this|since|when i was|"
    r"tomorrow|yesterday|today|tonight)\b|n't\b"
)
_LONGEST: Final = 120


def habits(told: Sentence) -> Iterator[Habit]:
    """Yield the habit of a sentence that states one, in the words of its speaker.

    It is a `schedule` where days of the week are named.
    """
    if COVER in told.text or told.is_asked or told.is_tale or is_question(told.text):
        return
    if is_past(told.text) or is_hedged(told.text) or _NOT_SO.search(told.text):
        return
    match = next((found for each in _STATED if (found := each.match(told.text))), None)
    if match is None or len(told.text) > _LONGEST:
        return
    days = match["days"] or match["unit"] or ""
    what = match["what"] if match.re is _STATED[0] else f"{match['what']} {_time_of(match)}"
    kind = "schedule" if re.match(rf"(?i){_DAY}", days) else "habit"
    yield Habit(kind, what.strip(" ,.!"), told.start, told.end)


def _time_of(match: re.Match[str]) -> str:
    """Return when it is done, of a sentence that begins with it."""
    text = match.string[: match.start("what")]
    when = re.sub(rf"(?i){_LEAD}", "", text[: text.casefold().rindex("i ")]).strip(" ,")
    return when[:1].lower() + when[1:]
