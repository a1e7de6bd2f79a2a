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
    rf"weekday|month)|on (?P<days>{_DAY}s(?:(?:,|,? and) {_DAY}s)*|weekends|weekdays)|daily|"
    r"(?:once|twice|(?:two|three|four|five|six|2|3|4|5|6) times) (?:a|per) (?P<per>day|week|month))"
)
_LEAD: Final = r"^\W*(?:(?:and|so|well|also|actually|btw|hi|hey)\W+)*"
_USUALLY: Final = r"(?:(?:also|always|usually|normally|generally|typically|mostly|still) )?"
_MORE: Final = r"(?P<more>(?: [\w'’&-]+(?:[:.]\d+)?){0,6}?)"
_TAIL: Final = (
    r"(?:,? (?:(?:at|from|around) (?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m)?|noon|six|seven|eight|nine|ten|eleven|home|work|"
    r"the gym)|(?:before|after) (?:bed|breakfast|dawn|dinner|lunch|school|sunrise|work)|in the (?:morning|afternoon|evening)|"
    r"with (?:(?:my|our|the) \w+|friends|(?-i:[A-Z])\w+)))?[ ,.!]*$"
)
"""The little that may follow, which takes nothing back."""

_STATED: Final = (
    re.compile(rf"(?i){_LEAD}i {_USUALLY}(?P<what>(?P<verb>{_VERB}){_MORE} {_OFTEN}){_TAIL}"),
    re.compile(
        rf"(?i){_LEAD}{_OFTEN}(?P<comma>,?) i {_USUALLY}(?P<what>(?P<verb>{_VERB}){_MORE}{_TAIL})"
    ),
)
_OTHER_CLAUSE: Final = re.compile(
    r"(?i)\b(?:that|these|those|who|whom|whose|which|what|whatever|where|when|whenever|why|how|because|cause|while|but|or|so|"
    r"then|than|though|although|i|i'm|he|she|it|they|them|him|his|her|hers|their|we|you|your|one|everyone|everybody|someone|"
    r"is|are|was|were|am|be|been|has|had|do|does|did|can|could|should|must|would|will|may|gets|goes|"
    r"every|each|daily|open|closed|available|due|less|more|fewer|better|worse|harder|faster|slower|longer|further|earlier|"
    r"later|rarely|seldom|hardly|barely|only|now|currently|temporarily|lately|theory|dreams?|"
    r"for (?:a|an|\d+|one|two|three|four|a few) (?:days?|weeks?|months?))\b|"
    r"\band\b(?! \w+$)|\bpeople (?!at|from|in|on|with)\w|\b(?:an?|the|my|our) [\w'’-]+ (?:(?:an?|the|my|our)\b|(?-i:[A-Z])\w+ \w+s$)"
)
"""Words of a second subject or verb, or of what is not done again and again."""

_OPEN_END: Final = re.compile(
    r"(?i)\b(?:an?|the|my|our|to|at|of|for|from|in|into|with|by|and|about)$|\w{2,}ed$|\b(?:taught|bought|sent|held|given|shown|sold|made|written)$|"
    r"^(?!go (?!to |for )\w+ \w+ing$)\w+ .*\w \w+ing$"
)
"""The frequency behind it tells of something else: "the daily bus", "a page updated daily"."""

_NEEDED: Final = {
    "attend": r"\w",
    "brush": r"\w",
    "go": r"(?:to|for|out|home|back|there|\w+ing|\w+ \w+ing)\b|$",
    "make": r"\w",
    "pray": r"(?:(?:to|for|with|at|in) )?(?:(?:the|my) )?\S*$",
    "read": r"(?:(?:to|in) )?(?:(?:an?|the|my) )?\S*$",
    "take": r"\w",
    "weigh": r"\w",
    "write": r"(?:(?:to|in|for) )?(?:(?:an?|the|my) )?\S*$",
}
"""The only words after verbs that may else be no deeds, or report what others do."""

_RELATIVE: Final = re.compile(
    r"(?i)(?<!\bmy )(?<!\bour )(?<!\bthe )(?<!\bto )(?<!\bwith )(?<!\bfor )(?<!\bin )(?<!\bof )(?<!\bat )\b\w+[^\Ws]s\b(?!')"
)
"""Words one of which may be the verb of "every day I work costs me money"."""

_ENDED: Final = re.compile(r"(?:\.|!+|\n+)?")
_TAKEN_BACK: Final = re.compile(
    r"(?i)[\s.,!*—–-]*(?:/s\b|[\U0001f300-\U0001faff\u2600-\u27bf:;(]|(?:not|no|nope|nah|jk|just kidding|kidding|just joking|joking|lol|"
    r"(?:ha){1,9}h?|as if|yeah|in (?:my|your) dreams|in theory|i wish|or|well|at least|until|if|but|except|unless|only|"
    r"starting|from|that (?:was|is)|that['’]s)\b)"
)
_NOT_SO: Final = re.compile(
    r"(?i)\b(?:no|not|never|without|except|if|unless|until|till|anymore|any more|last|next|this|since|when i was|"
    r"tomorrow|yesterday|today|tonight)\b|n't\b"
)
_LONGEST: Final = 120


def habits(text: str, told: Sentence) -> Iterator[Habit]:
    """Yield the habit of a sentence that states one and nothing else, in the words of its speaker.

    It is a `schedule` where days of the week are named.
    """
    if len(told.text) > _LONGEST or not _ENDED.fullmatch(told.ended):
        return
    if COVER in told.text or told.is_asked or told.is_tale or is_question(told.text):
        return
    if is_past(told.text) or is_hedged(told.text) or _NOT_SO.search(told.text):
        return
    match = next((found for each in _STATED if (found := each.match(told.text))), None)
    if match is None or not _is_one_deed(match) or _TAKEN_BACK.match(text, told.end):
        return
    days = match["days"] or match["unit"] or ""
    what = match["what"].strip(" ,.!")
    if match.re is _STATED[1]:
        what = f"{what} {_time_of(match)}"
    kind = "schedule" if re.match(rf"(?i){_DAY}", days) else "habit"
    yield Habit(kind, what, told.start, told.end)


def _is_one_deed(match: re.Match[str]) -> bool:
    """Return whether the words after the verb belong to it, and the frequency to both."""
    verb, more = match["verb"].casefold(), match["more"].strip()
    if _OTHER_CLAUSE.search(more) or not re.match(_NEEDED.get(verb, ""), more, re.IGNORECASE):
        return False
    if match.re is _STATED[0]:
        return not _OPEN_END.search(f"{verb} {more}".strip())
    return bool(match["comma"]) or not _RELATIVE.search(more)


def _time_of(match: re.Match[str]) -> str:
    """Return when it is done, of a sentence that begins with it."""
    text = match.string[: match.start("what")]
    when = re.sub(rf"(?i){_LEAD}", "", text[: text.casefold().rindex("i ")]).strip(" ,")
    return when[:1].lower() + when[1:]
