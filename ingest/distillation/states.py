"""The speaker's own mood, energy, stress and sleep, as they state them of now.

Scores of mood, energy and stress are on a scale from 0 to 10: as a number that is said, else by
`feelings`. Those of sleep are hours.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from ingest.distillation.clauses import is_of_other, plain
from ingest.distillation.feelings import BARE, DEGREE, SCORES, WEAK, WITH_REASON
from ingest.distillation.sentences import Sentence, is_hedged, is_past, is_question
from ingest.distillation.values import SERIES, Series, State
from ingest.extractor.quoted_spans import COVER
from ingest.extractor.words.patterns import any_of

_NOW: Final = r"(?:today|tonight|now|right now|rn|this (?:morning|evening|afternoon|week)|at the moment|atm|tbh|ngl|lately|again|already|actually|lowkey|ngl|haha|recently|all day|all week|all morning|tho|as hell|as heck|as fuck|asf|af|fr|man|lol|now|after work|from work|for once|though|honestly|after\b.*|and\b.*|since\b.*)"
_DRAWN: Final = re.compile(r"([a-z])\1{2,}", re.IGNORECASE)
"""Letters that are drawn out: "so happyyy"."""

_TONE: Final = re.compile(
    r"[\U0001f602\U0001f923\U0001f644]|\b(?:lmf?ao|rofl)\b|/s\b", re.IGNORECASE
)


@cache
def _felt() -> tuple[re.Pattern[str], re.Pattern[str]]:
    word = rf"(?P<word>{any_of(SCORES)})"
    lead = r"^\W*(?:(?:ok|okay|well|and|but|so|oh|ugh|honestly|today|yeah|yes|now|god|omg|lol|tbh|right now|this morning|hi|hey|anyway|because|tonight|also|sorry)\W+){0,4}"
    rest = rf"(?P<rest>(?: {_NOW})*)"
    return (
        re.compile(
            rf"(?i){lead}(?P<head>i'm|i am|im|i feel|i'm feeling|im feeling|i am feeling|i've been feeling|i'?m getting|im getting|i am getting|getting|feelin|im feelin|feel|feels|felt|feeling|woke up|i woke up)\s+(?:{DEGREE}\s+){{0,3}}{word}"
            rf"(?P<tail>\b.*)$"
        ),
        re.compile(
            rf"(?i){lead}(?P<degree>(?:{DEGREE}\s+){{0,3}}){word}(?:{rest}|(?P<reason> (?:about|by|after|from) .*))\W*$"
        ),
    )


_AFTER: Final = re.compile(rf"(?i)^\W*(?:{_NOW}\W*)*$")
_ABOUT: Final = re.compile(
    r"(?i)^ (?:abt|bout|w/?|over|out of my mind|about|of myself|from|by|after|for once|that|at|with myself|because|since|and|today|rn|right now|lol|tbh|as)\b"
)
_HOURS: Final = r"(?P<hours>\d{1,2}(?:[.,]\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?P<half> and a half|\.5|½)?(?: and a half)?\s*(?:hours?|hrs?|h)\b"
_ABOUT_NUMBER: Final = r"(?:(?:for|about|around|like|maybe|only|just|barely|almost|nearly|roughly|a solid|a full|approximately|at most|at least|another|good|full|solid|measly|whole)\s+){0,3}"
_LEAD_I: Final = r"^\W*(?:(?:morning|good morning|ok|well|and|but|so|oh|ugh|honestly|yeah|yes|finally|because|god|hey|hi|i|i've|i only|last night|only|just|barely|actually|also|still|have|tonight|today)\W+){0,5}"
_SLEPT: Final = (
    re.compile(
        rf"(?i){_LEAD_I}(?:slept|got|had|managed|clocked)\s+{_ABOUT_NUMBER}{_HOURS}(?P<tail>.*)$"
    ),
    re.compile(
        rf"(?i){_LEAD_I}(?:sleep(?: last night)?\W+)?{_ABOUT_NUMBER}{_HOURS}\s*(?:of |')?\s?(?:sleep\b|last night\b)(?! (?:is|isn|are|was|a night|per|each))(?P<tail>.*)$"
    ),
)
_ABOUT_HOURS: Final = re.compile(
    r"(?i)\b(?:maybe|probably|possibly|perhaps)(?= (?:a |an |about |around )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten))"
)
_NUMBERS: Final = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve".split(),
        range(1, 13),
        strict=True,
    )
)
_SLEEPLESS: Final = re.compile(
    rf"(?i){_LEAD_I}(?:didn'?t|did not|haven'?t|couldn'?t|could not) (?:sleep|slept|get any sleep)(?: (?:at all|a wink|a minute|last night|one bit))+\W*"
)
_SLEPT_HOW: Final = re.compile(
    rf"(?i){_LEAD_I}(?:slept (?:really |so |very |pretty |quite |super )?(?P<how>badly|poorly|terribly|horribly|awfully|like (?:garbage|crap|shit|rubbish|hell)|well|great|good|amazing|wonderfully|like a (?:baby|log|rock|stone))|"
    rf"(?P<not>can'?t sleep|cannot sleep|couldn'?t sleep)(?! (?:in|on|with|without|through|over|if|when|under|that|this)\b))(?P<tail>.*)$"
)
_NIGHT: Final = re.compile(
    rf"(?i){_LEAD_I}(?:(?:had|got)(?: a| an| some)?(?: really| pretty| very| fairly)? (?P<kind>good|great|decent|bad|rough|terrible|lousy|awful|poor|horrible|crap|shit|restless|rubbish|proper)(?: night'?s)? (?:sleep|night of sleep|night's rest)|"
    rf"(?P<none>(?:barely|hardly|scarcely) slept|(?:didn'?t|didnt|haven'?t|havent) (?:really )?(?:sleep|slept) (?:much|well|great|good|properly|a lot|enough)|(?:got )?(?:no|zero|barely any|hardly any) sleep)(?= (?:last night|again|at all|lol|because|thanks|this|so|today|tonight|ugh|for)\b|\W*$))"
)
_RATED: Final = re.compile(
    r"(?i)\b(?P<series>mood|energy|stress)(?: levels?)?(?: today| tonight| right now)?\W{0,3}(?:(?:is|was|at|now|about|around|like|maybe|a|an|of|meh|ok|good|low|high|still|roughly|'s)\W{1,3}){0,4}(?P<score>\d{1,2}(?:[.,]\d)?)\b(?!\s?(?:%|hours?|h\b|years?|days?))(?:\s?(?:/|out of)\s?(?P<of>10|5))?"
)
_LEVELS: Final = {
    "none": 1,
    "no": 1,
    "zero": 1,
    "gone": 1,
    "shot": 1,
    "rubbish": 2,
    "terrible": 2,
    "awful": 2,
    "crap": 2,
    "shit": 2,
    "bad": 3,
    "low": 3,
    "meh": 5,
    "ok": 5,
    "okay": 5,
    "fine": 6,
    "decent": 6,
    "good": 7,
    "great": 8,
    "high": 8,
}
_ANY_LEVEL: Final = re.compile(rf"(?i)\b(?:{any_of(_LEVELS)})\b")
_LEVEL: Final = re.compile(
    rf"(?i)^\W*(?:(?:my|and|but|ugh|so|today|still|i have|i've got|got|also)\W+){{0,3}}(?:(?P<series>mood|energy|stress)(?: levels?)?(?: today| tonight| this morning| rn)?(?:\s*[:=]\s*|'s | is | are | )(?:(?:a bit|kinda|pretty|really|so|very|just|still|super|at) )*(?P<level>{any_of(_LEVELS)})|(?P<before>no|zero|low) (?P<of>energy))(?:[ ,.!]+{_NOW})*\W*$"
)
"""A state in one word: "energy: low", "no energy today"."""

_TEN: Final = r"(?P<score>\d{1,2}(?:[.,]\d)?)\s?(?:/|out of)\s?(?P<of>10)\b"
_OUT_OF_TEN: Final = re.compile(rf"\b{_TEN}")
_NAMED: Final = re.compile(
    rf"(?i)\b(?P<series>mood|energy|stress)\b(?:(?!\b(?:mood|energy|stress|and|but|though)\b)[^.!?]){{0,40}}?\b{_TEN}"
)
_OF_THE_WORD: Final = re.compile(
    rf"(?i)(?: (?:today|tonight|now|right now|rn|atm|tbh|lately|again|this (?:morning|evening|afternoon|week)))*\W{{1,3}}"
    rf"(?:(?:about|around|like|maybe|i'd say|at|a|an|is|probably|say|solid|roughly)\W{{1,2}}){{0,3}}{_TEN}(?=\W*$|\W*[,.;!)]| (?:today|tonight|now|rn|atm|tbh|lately)\b)"
)
"""The number behind a feeling: "low today, 4 out of 10"."""

_BEFORE_THE_WORD: Final = re.compile(rf"(?i)\b{_TEN}\W{{1,3}}(?:{DEGREE} )*$")
_MIDDLE: Final = 5.0


def score_of(series: Series, text: str) -> float | None:
    """Return the number that a text gives a state: hours of sleep, else on the scale to 10."""
    if series == "sleep":
        hours = re.search(rf"(?i){_HOURS}", text)
        return _hours(hours) if hours else None
    named = dict(_numbers(text))
    if series in named:
        return named[series]
    words = (word for word in sorted(SCORES, key=len, reverse=True) if SCORES[word][0] == series)
    found = next((word for word in words if re.search(rf"(?i)\b{word}\b", text)), None)
    if found is not None:
        return _score(found, text)
    alone = _OUT_OF_TEN.search(text)
    is_of_other = named or any(re.search(rf"(?i)\b{word}\b", text) for word in SCORES)
    return None if alone is None or is_of_other else _number(alone)


def _number(match: re.Match[str]) -> float | None:
    """Return a number of ten, or of five twice; None for one beyond them."""
    score = float(match["score"].replace(",", ".")) * (2 if match["of"] == "5" else 1)
    return score if score <= 10 else None


def _numbers(text: str) -> Iterator[tuple[Series, float]]:
    """Yield the numbers of the states that are named with them: "stress 8/10"."""
    for match in (*_NAMED.finditer(text), *_RATED.finditer(text)):
        score = _number(match)
        level = _ANY_LEVEL.search(match[0])
        if score is not None and (level is None or _agree(score, _LEVELS[level[0].lower()])):
            yield SERIES[match["series"].lower()], score


def _score(word: str, text: str) -> float:
    """Return the score of a feeling: the number that a text says it with, else by the scale.

    A number on the other side of the middle tells how strong the feeling is: "anxious, 8/10".
    """
    usual = float(SCORES[word][1])
    for place in re.finditer(rf"(?i)\b{word}\b", text):
        behind = _OF_THE_WORD.match(text, place.end())
        rated = behind or _BEFORE_THE_WORD.search(text, 0, place.start())
        said = _number(rated) if rated else None
        if said is not None and _agree(said, usual):
            return said
    return usual


def _agree(said: float, usual: float) -> bool:
    return (said - _MIDDLE) * (usual - _MIDDLE) >= 0


def states(text: str, told: Sentence) -> Iterator[State]:
    """Yield the states that a sentence of a covered text tells of its speaker, of each series one."""
    if COVER in told.text or told.is_asked or told.is_tale or _TONE.search(told.text + told.ended):
        return
    if is_past(told.text) or is_hedged(_ABOUT_HOURS.sub("", told.text)):
        return
    seen: set[str] = set()
    for found in (*_rated(told), *_levels(told), *_slept(told), *_felt_in(told)):
        if found.series not in seen:
            seen.add(found.series)
            yield found


def _rated(told: Sentence) -> Iterator[State]:
    for match in (*_RATED.finditer(told.text), *_NAMED.finditer(told.text)):
        for series, score in _numbers(match[0]):
            yield State(series, match[0].strip(), score, told.start, told.end)


def _levels(told: Sentence) -> Iterator[State]:
    for number, one in enumerate(told.segments):
        said = (
            f"{told.segments[number - 1].text}: {one.text}"
            if one.joint == ":" and number
            else one.text
        )
        match = _LEVEL.match(said)
        if match and not told.is_supposed(number):
            series: Literal["mood", "energy", "stress"] = (match["series"] or match["of"]).lower()  # type: ignore[assignment]
            level = (match["level"] or match["before"]).lower()
            yield State(series, f"{level} {series}", float(_LEVELS[level]), told.start, one.end)


def _slept(told: Sentence) -> Iterator[State]:
    for number, one in enumerate(told.segments):
        if (
            told.is_supposed(number)
            or is_question(one.text)
            or (number and is_of_other(plain(told.segments[0].text)))
        ):
            continue
        said = one.text
        if _SLEEPLESS.match(said):
            yield State("sleep", said.strip(), 0.0, one.start, one.end)
            continue
        joined = (
            f"{one.text} {told.segments[number + 1].text}"
            if number + 1 < len(told.segments)
            else one.text
        )
        for pattern in _SLEPT:
            match = pattern.match(said)
            if (
                match
                and " if " not in f"{one.text} "
                and (pattern is not _SLEPT[0] or _is_of_sleep(match))
            ):
                yield State("sleep", f"{_hours(match):g} hours", _hours(match), one.start, one.end)
        if night := _NIGHT.match(said):
            yield State(
                "sleep", night["none"] or f"{night['kind']} sleep", None, one.start, one.end
            )
        how = _SLEPT_HOW.match(said)
        if how:
            after = re.match(rf"(?i)^.*?\b{_ABOUT_NUMBER}{_HOURS}", joined[len(said) :])
            hours = _hours(after) if after else None
            word = (how["how"] or how["not"]).lower()
            value = (
                f"{hours:g} hours" if hours is not None else f"slept {word}" if how["how"] else word
            )
            yield State("sleep", value, hours, one.start, one.end)


def _is_of_sleep(match: re.Match[str]) -> bool:
    return "slept" in match[0].lower() or bool(
        re.match(r"(?i)\s*(?:of |')?\s?sleep\b", match["tail"])
    )


def _hours(match: re.Match[str]) -> float:
    said = match["hours"].lower().replace(",", ".")
    number = float(_NUMBERS.get(said, 0) or said)
    return number + (0.5 if match["half"] else 0.0)


def _felt_in(told: Sentence) -> Iterator[State]:
    full, bare = _felt()
    for number, one in enumerate(told.segments):
        if told.is_supposed(number) or is_question(one.text):
            continue
        text = _DRAWN.sub(r"\1", one.text)
        match = full.match(text)
        if match and _is_felt(match):
            yield _state(match["word"], told, one.start, one.end)
            continue
        match = bare.match(text)
        is_energy = match is not None and SCORES[match["word"].lower()][0] == "energy"
        is_alone = match is not None and (
            (number == 0 and (is_energy or len(told.segments) > 1)) or _is_of_degree(match)
        )
        is_reason = match is None or not match["reason"] or match["word"].lower() in WITH_REASON
        is_bare = match is not None and (match["word"].lower() in BARE or _is_a_bit_low(match))
        if match and is_alone and is_reason and is_bare:
            yield _state(match["word"], told, one.start, one.end)


def _is_a_bit_low(match: re.Match[str]) -> bool:
    """Return whether "low" or "down" is a mood of today: "bit low today"."""
    return (
        match["word"].lower() in ("low", "down") and bool(match["degree"]) and bool(match["rest"])
    )


def _is_of_degree(match: re.Match[str]) -> bool:
    """Return whether a word of degree or of the day is with a feeling: "so relieved"."""
    before = match.string[: match.start("word")]
    return bool(match["rest"] or match["reason"] or re.search(rf"(?i){DEGREE}\W*$", before))


def _state(word: str, told: Sentence, start: int, end: int) -> State:
    series, _ = SCORES[word.lower()]
    said = told.text[start - told.start :]
    return State(series, word.lower(), _score(word.lower(), said), start, end)


def _is_felt(match: re.Match[str]) -> bool:
    """Return whether the feeling is the speaker's state: not "happy to help", "good at it"."""
    word, tail, head = match["word"].lower(), match["tail"], match["head"].lower()
    if head in ("feel", "feeling") and match["word"][0].isupper() and not match["word"].isupper():
        return False  # a title: Feeling Good
    if (
        head in ("feel", "feeling", "feels")
        and word in ("good", "great", "better")
        and tail.strip(" !")
    ):
        return bool(_AFTER.match(tail) or re.match(r"(?i)^ about (?:it|that|this)\W*$", tail))
    is_feel = "feel" in head or "woke" in head
    if word in WEAK and not is_feel:
        is_of_now = re.match(r"(?i)^ (?:today|tonight|this|right now|rn)\b", tail)
        return word in ("low", "down") and bool(is_of_now)
    if _AFTER.match(tail):
        return True
    return word in WITH_REASON and bool(_ABOUT.match(tail))
