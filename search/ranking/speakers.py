"""Prefer turns of the speaker whom a question asks about, and turns that mention a time.

Words cannot do it: the name of a speaker is in half of the turns of a conversation, and "I" is in
most. A turn gains only against other turns, so that a conversation does not push documents out of
an answer: the best turn keeps the score of the best.
"""

import re
import unicodedata
from collections.abc import Mapping

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from contracts.values import ChunkRow
from search.analysis.letter_folding import fold_letters
from search.analysis.query import QueryAnalysis, split_words
from search.analysis.stopwords import STOP_WORDS
from search.ranking.fusion import Fused

SPEAKER_BONUS = 0.4
"""The bonus of a turn whose speaker the question asks about. Chosen on either half of LoCoMo's
conversations, and better on the other.
"""

TIME_BONUS = 0.2
"""The bonus of a turn that mentions a time, if the question asks for one; chosen in the same way.
"""

_MYSELF = deferred(r"(?<![\w/.])(?:i|me|my|mine|myself)(?!\.?\w|/)", re.IGNORECASE)
_YOURSELF = deferred(
    r"\b(?:did|had|have|were|was)\s+you\b(?!\s+(?:know|hear))"
    r"|\byou(?:\s+have|\s+had|['’]ve|['’]d)?\s+(?:\w+ed|said|told|gave|wrote|made|found|thought)\b"
    r"|\byour\s+(?:advice|answer|explanation|opinion|recommendation|suggestion)s?\b",
    re.IGNORECASE,
)
_ASKS_TIME = deferred(
    r"^\W*(?:\w+\W+){0,2}when\b(?!ever)"
    r"|\b(?:since|until|till|by|and|know|remember|tell\s+me)\s+when\b|\bhow\s+(?:long|recently)\b"
    r"|\bhow\s+many\s+(?:minute|hour|day|night|week|month|year)s\b"
    r"|\b(?:what|which)\s+(?:date|day|month|season|time|week|weekend|year)s?\b",
    re.IGNORECASE,
)
_UNIT = r"(?:second|minute|hour|day|night|week|weekend|month|year|decade)"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_TELLS_TIME = deferred(
    r"\b(?:(?:19|20)\d\d|jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|march\s+\d+|\d\s+march|may\s+\d+"
    rf"|\d[a-z]*\s+(?:of\s+)?may|(?:in|on|last|this|next|since)\s+(?:march|may)|in\s+{_SEASON}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:last|this|next|on)\s+(?:mon|tues?|wed|thurs?|fri|sat|sun)"
    r"|yesterday|today|tonight|tomorrow|recently|since\s+(?:i\s+was\s+)?\d+"
    r"|(?:last|past|next|this|previous|coming|following|few|couple\s+of|other)"
    rf"\s+(?:{_UNIT}s?|{_SEASON}|morning|afternoon|evening)"
    r"|(?:an?(?!\s+second)|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
    rf"\s+{_UNIT}s?|{_UNIT}s?\s+ago"
    r"|\d{1,2}:\d\d|\d{1,2}\s?[ap]\.?m|\d{1,2}\s+o['’]clock"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d\d-\d\d)\b"
)
_SMALL_WORD = deferred(r"[a-z]+")
_DIGIT = deferred(r"\d")
_WORDS = """
    jan january feb february march apr april may jun june jul july aug august sep sept september oct
    october nov november dec december monday mondays tuesday tuesdays wednesday wednesdays thursday
    thursdays friday fridays saturday saturdays sunday sundays mon tue tues wed thu thur thurs fri
    sat sun second seconds minute minutes hour hours day days night nights week weeks weekend
    weekends month months year years decade decades spring summer autumn fall winter morning
    afternoon evening yesterday today tonight tomorrow recently
"""
_TIME_WORDS = frozenset(_WORDS.split())
"""Words of which every expression of a time has one, unless it has a digit."""


class Bonus(NamedTuple):
    """The bonus of a turn, and the factor that then applies to all turns and memories."""

    speaker: float = 0.0
    time: float = 0.0
    scale: float = 1.0

    def applied_to(self, fused: Fused) -> Fused:
        return fused._replace(score=(fused.score + self.speaker + self.time) * self.scale)


NO_BONUS = Bonus()


def bonuses(
    analysis: QueryAnalysis, fused: Mapping[int, Fused], said: Mapping[int, ChunkRow]
) -> dict[int, Bonus]:
    """The bonus of each turn for what the question asks for.

    Scores stay in [0, 1]: they are scaled until the best is as high as the best was, and what is
    remembered of turns, also in `said`, with them. Empty if the question makes no difference
    between turns.
    """
    turns = {key: row for key, row in said.items() if row.source == "turn"}
    spoken = _asked_for(analysis, turns)
    timed = _telling_time(turns) if _ASKS_TIME.search(analysis.plain) else frozenset()
    if not spoken and not timed:
        return {}
    gained = {
        key: Bonus(SPEAKER_BONUS * (key in spoken), TIME_BONUS * (key in timed)) for key in turns
    }
    best = max(gained[key].applied_to(fused[key]).score for key in turns)
    scale = max(fused[key].score for key in turns) / best if best else 1.0
    return {key: gained.get(key, NO_BONUS)._replace(scale=scale) for key in said}


def _asked_for(analysis: QueryAnalysis, turns: Mapping[int, ChunkRow]) -> frozenset[int]:
    """The turns of the speakers whom the question asks about; empty if those are all or none."""
    names = _speakers(turns)
    named = _named(analysis.plain, set(names.values()))
    asked = {key for key, name in names.items() if name in named}
    mine = {names.get(key) for key, row in turns.items() if _role(row) == "user"}
    if _MYSELF.search(analysis.plain) and len(mine) == 1 and not named & mine:
        asked |= {key for key, row in turns.items() if _role(row) == "user"}
    if _YOURSELF.search(analysis.plain):
        asked |= {key for key, row in turns.items() if _role(row) == "assistant"}
    return frozenset(asked) if len(asked) < len(turns) else frozenset()


def _speakers(turns: Mapping[int, ChunkRow]) -> dict[int, str]:
    """The speaker of each turn, as given by the turn, or by a known speaker's name before it."""
    names = {key: str(name) for key, row in turns.items() if (name := row.metadata.get("speaker"))}
    known = set(names.values())
    before = {key: row.text.partition(":")[0].strip() for key, row in turns.items()}
    return {key: name for key, name in before.items() if name in known} | names


def _named(query: str, names: set[str]) -> set[str]:
    """The names with a word in the query, ignoring case and accents.

    A name that is also a common word ("Will") needs its capital, and not at the beginning.
    """
    words = split_words(query)
    asked = {_folded(word) for word in words if word.lower() not in STOP_WORDS}
    asked |= {_folded(word) for word in words[1:] if word.lower() in STOP_WORDS and word.istitle()}
    return {name for name in names if not asked.isdisjoint(map(_folded, _words_of(name)))}


def _role(row: ChunkRow) -> str:
    return str(row.metadata.get("role", "user"))


def _words_of(name: str) -> list[str]:
    words = split_words(name)
    return [word for word in words if len(word) > 1] or words


def _folded(word: str) -> str:
    bare = unicodedata.normalize("NFD", fold_letters(word))
    return "".join(char for char in bare if not unicodedata.combining(char)).casefold()


def _telling_time(turns: Mapping[int, ChunkRow]) -> frozenset[int]:
    return frozenset(key for key, row in turns.items() if _tells_time(row.text.lower()))


def _tells_time(text: str) -> bool:
    """Return whether a lower-cased text mentions a time; most have no word for it, which is quickly
    seen.
    """
    if _DIGIT.search(text) is None and _TIME_WORDS.isdisjoint(_SMALL_WORD.findall(text)):
        return False
    return _TELLS_TIME.search(text) is not None
