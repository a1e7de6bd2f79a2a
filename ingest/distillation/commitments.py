"""Commitments and questions left open: clauses in which a speaker is bound to something to come.

A clause counts where the frame binds ("I promised", "I need to", "I'll") and the action is an errand
of the kind that the frame needs; see `_binds`. Wishes, habits, conditions, jokes, what is done at
once, other people's duties and work for an assistant do not count.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.distillation.actions import (
    DEFINITE,
    Action,
    action,
    errand_of,
    has_thing,
    is_definite,
)
from ingest.distillation.clauses import Clause, Mood, clauses
from ingest.distillation.due_dates import WHEN, due_date
from ingest.distillation.sentences import Sentence, is_hedged, is_past, is_question, is_usual
from ingest.distillation.values import Binding, Commitment, Listener
from ingest.distillation.verbs import ERRANDS, NO_TASKS
from ingest.distillation.words import NEVER_NAMES
from ingest.extractor.quoted_spans import COVER

_BINDING: Final[dict[Mood, Binding]] = {
    "promise": "promise", "intention": "promise", "reminder": "reminder", "debt": "debt",
}  # fmt: skip
_NEGATED: Final = re.compile(
    r"(?i)^\W*(?:(?:really|even|just|probably) )*(?:not|never|no longer)\b"
)
_CONTENT: Final = re.compile(r"(?i)\b(?:if|whether|what|when|which|how)\b.*$")
"""The content to be told or decided: "whether I renew the lease"."""

_IDLE: Final = re.compile(
    r"(?i)\b(?:until|till|unless|if|the day|forever|eventually|some ?day|one day|another time|i guess|maybe|hopefully|to be (?:honest|fair)|first of all)\b"
)
_AT_ONCE: Final = re.compile(
    r"(?i)\b(?:right now|rn|brb|below|above|real (?:quick|fast)|hold on|hang on|wait|in (?:a|my|the|your) (?:next|following|future|later) \w+|now|(?:(?:in|for|just) |\b(?=\d))(?:(?:like|about|around|maybe) )?(?:an?|a few|few|some|\d+|five|ten|two)? *(?:secs?|seconds?|mins?|minutes?|moments?|bit|while|few))\b"
)
"""Words of acts that are done at once and leave nothing open."""

_TO_SAY: Final = re.compile(
    r"(?i)(?:decide|choose|tell|answer|ask|find out|let \S+ (?:\S+ )?know|think about)\b"
)
_TALK: Final = re.compile(
    r"(?i)(?:(?:talk|speak|chat)(?:ing)? (?:to|with) you\b|let (?!.*\bknow\b)|let \w+ know$|(?:tell|ask) you\b|(?:answer|give|show) you(?! (?:the|back|my|an answer|a call|a ring)\b)|let you know (?:(?:how|what) (?:it|that|things|everything|they|he|she|happens|i (?:think|thought|find))\b|my thoughts|what happens|i\b))"
)
"""Words of the conversation itself, unless a day is named."""

_CONTENTS: Final = re.compile(
    r"(?i)\b(?:about|for|with|the|my|your|his|her|their|our|that|those|if|whether|when|what|which|how|an? \w+|some \w+|to (?!you\b)\w+|\d+)\b|\b(?-i:[A-Z][a-z]+)"
)
"""The content of a word to somebody: without it "I'll call you" binds to nothing."""

_EMPTY: Final = re.compile(
    r"(?i)(?:(?:tell|ask|show|answer|let) \w+(?: know)?|(?:talk|speak|chat) (?:to|with) you\b(?!.* about\b).*)"
)
"""Words to somebody of which nothing is said."""

_VAGUE_DAYS: Final = frozenset(("soon", "later", "asap", "first thing", "then"))
_OTHERS: Final = re.compile(r"(?i)\b(?:your|his|her|their|baby|[a-z]+'s)\b")
_TAKEN_BACK: Final = re.compile(
    r"(?i)\b(?:don't think|not gonna|won't|not going to|probably not|can't be bothered|don't want|didn't|i did|already did|and did|and have|i have(?=$|[ .!]*$)|did (?:it|that|so)|did just that|just did|which i did|couldn't)\b"
)
_YOU: Final = re.compile(r"(?i)\b(?:you|ya|your|yours)\b")
_NO_NAME: Final = r"(?!The\b|I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)"
_WHOM: Final = re.compile(
    r"(?i)\b(?:him|them|her(?= (?:an?|the|my|our|that|some|know|back|about|to|for|on|\d)\b|$))\b"
)
_JEST: Final = re.compile(
    r"(?i)[;:]-?[)P]|\b(?:lo+l|haha\w*|hehe|lmao)\b|[\U0001f602\U0001f923\U0001f609\U0001f61c]"
)
_NOBODY: Final = re.compile(
    r"(?i)^\w+(?: (?:to|with|back to))? (?:him|her|them|em|it|that|this|anyone|anybody|nobody|everyone|people)$"
)
"""A task for somebody or on something that is not named."""

_HER: Final = re.compile(r"(?i)\b(?:his|her|their)\b")
_NAME_BEFORE: Final = re.compile(
    r"(?:\b(?:[Ww]ith|[Ff]rom|[Tt]o|[Ff]or|[Mm]y \w+)\s|^|[.!?,]\s+)(?:Frau |Herr |Mrs?\.? |Ms\.? |Dr\.? )?(?P<name>[A-ZÀ-Þ][\w'-]+)(?= (?:asked|told|wants?|wanted|needs|pinged|wrote|called|said|sent|is|was|has|had|messaged|"
    r"invited|keeps|lent|gave|[a-z]+ed|\()|,)"
)
_NAME: Final = r"[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)?"
_TO_WHOM: Final = re.compile(
    rf"(?:\b(?:to|for|with)(?: the)? |^)(?P<to>(?:[Mm]y (?:\w+ ){{0,2}}?)?{_NO_NAME}[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)?)"
)
_TOLD_WHOM: Final = re.compile(
    r"(?i)(?:to )?(?:the |my |our )?(?P<to>(?!(?:him|her|them|it|you|back|bill|bills|rent|fees?|invoice|tax\w*|fine|money|question|email|letter|message)\b)[\w'-]+(?: (?!about|for|on|to|before|by|that|and|at|in|with|whether|back|the|a|an|my|his|her)[\w'-]+){0,2})"
    r"(?=$| (?:about|for|on|to|before|by|that|and|at|in|with|whether|back|the|a|an|my)\b)"
)
_MONEY: Final = re.compile(
    r"(?i)[£$€]|\d|\b(?:tenner|fiver|pint|coffee|money|rent|quid|bucks|answer|reply|response|call|e-?mail|letter|visit|refund|late|shift|report|draft|invoice|decision|text|drink|dinner|lunch|beer|book)\b"
)


def commitments(
    text: str, told: Sentence, *, said_at: datetime, listener: Listener
) -> Iterator[Commitment]:
    """Yield the commitments of a sentence of the covered `text`."""
    if told.is_tale or COVER in told.text:
        return
    follows = text[: told.start].endswith(COVER)
    read = list(clauses(told))
    for number, clause in enumerate(read):
        if clause.mood == "none" or (clause.is_bare and follows):
            continue
        if not clause.action or not _is_meant(told, number, clause):
            continue
        dated = _with_day(clause, [one.said for one in read[number + 1 :] if one.mood == "none"])
        after = told.segments[number + 1 : number + 2]
        case = _Case(
            clause,
            dated,
            said_at,
            listener,
            text[: clause.segment.start],
            after[0].text if after else "",
            told.ended,
        )
        found = case.commitment()
        if found is not None:
            yield found


def _is_meant(told: Sentence, number: int, clause: Clause) -> bool:
    """Return whether a clause is said of now and in earnest: not asked, supposed, usual or past."""
    said = clause.segment.text
    if told.is_supposed(number) or is_hedged(said) or is_past(said):
        return False
    if any(_TAKEN_BACK.search(one.text) for one in told.segments[number + 1 :]):
        return False
    if clause.mood == "reminder":
        return True
    is_asked = told.is_asked and not any(
        is_question(one.text) for one in told.segments[number + 1 :]
    )
    return not (is_asked or is_question(said) or is_usual(said))


def _with_day(clause: Clause, later: list[str]) -> str:
    """Return a clause with the day that the next one names, if it names none itself."""
    if WHEN.search(clause.said):
        return clause.said
    day = next((one for one in later if WHEN.search(one)), "")
    return f"{clause.said}, {day}" if day else clause.said


class _Case(NamedTuple):
    """A clause that may bind, what is said of its day, when, to whom, and the text before it."""

    clause: Clause
    dated: str
    said_at: datetime
    listener: Listener
    before: str
    after: str = ""
    ended: str = ""

    def commitment(self) -> Commitment | None:
        """Return what the clause binds its speaker to, None if it is not plain enough."""
        mood, rest = self.clause.mood, self.clause.action
        if _NEGATED.match(rest) or _IDLE.search(
            _CONTENT.sub("", rest) if _TO_SAY.match(rest) else rest
        ):
            return None
        if mood == "debt":
            return self._debt()
        if mood == "due":
            return self._due()
        task = action(rest)
        if task is None or _EMPTY.fullmatch(task.topic):
            return None
        if not (mood == "reminder" or self._binds(task)):
            return None
        return self._made(task.topic, self._addressee(task))

    def _binds(self, task: Action) -> bool:
        """Return whether an action is an errand of the kind that its frame needs."""
        mood, has_day = self.clause.mood, self._has_day()
        if not has_day and self._is_of_the_moment(task):
            return False
        kind = errand_of(task, to_model=self.listener.is_model, has_day=has_day)
        if mood in ("promise", "note"):
            return kind is not None or (has_day and task.verb not in NO_TASKS | {"do"})
        if self.clause.is_shared and (not has_day or self.clause.is_plan):
            return False
        if mood == "undone" and not self._is_waiting():
            return False
        if mood == "undone" and task.is_telling and _YOU.search(task.object):
            return False
        if kind is None:
            is_set = self.due() is not None and is_definite(task)
            return is_set and not self.clause.is_plan and task.verb in ERRANDS - {"do", "make"}
        if mood in ("obligation", "undone") or has_day:
            return True
        return mood == "intention" and self._is_given(task, kind)

    def _is_of_the_moment(self, task: Action) -> bool:
        """Return whether words without a day are done as they are said, or said in jest."""
        said = self.clause.segment.text + self.ended
        if _AT_ONCE.search(f"{self.dated} {self.after}") or _JEST.search(said):
            return True
        is_to_you = is_person(task) and bool(_YOU.search(task.object))
        return (is_to_you and self.listener.is_model) or bool(_TALK.match(self.clause.action))

    def _is_given(self, task: Action, kind: str) -> bool:
        """Return whether "I'll" without a day gives a word: to the listener, or about a known thing."""
        if re.search(r"(?i)\bi think\b", self.clause.segment.text):
            return False
        if (
            self.clause.is_plan
            or (task.verb == "get" and kind == "errand")
            or (self.listener.is_model and kind == "errand")
        ):
            return False
        if _YOU.search(task.object) or kind == "word":
            return _CONTENTS.search(task.topic) is not None
        return bool(DEFINITE.search(task.object))

    def _has_day(self) -> bool:
        return self.due() is not None or any(
            found[0].lower() not in _VAGUE_DAYS for found in WHEN.finditer(self.dated)
        )

    def _is_waiting(self) -> bool:
        return re.search(r"(?i)\b(?:yet|still|even|deadline|so far)\b", self.dated) is not None

    def _due(self) -> Commitment | None:
        """Return a thing that is due on a day: "my essay is due on Friday"."""
        thing = self.clause.action.strip()
        if self.due() is None or not has_thing(thing) or _OTHERS.search(thing):
            return None
        return self._made(re.sub(r"(?i)^(?:so|and|also|got|have) ", "", thing), "")

    def _debt(self) -> Commitment | None:
        who, what = (
            self.clause.who,
            re.sub(r"(?i)\s+(?:because|so|for ages|from|since)\b.*$", "", self.clause.action),
        )
        if who.lower() in ("it", "everyone", "them") or (
            who.lower() == "you" and self.listener.is_model
        ):
            return None
        if not _MONEY.search(what):
            return None
        what = re.sub(r"\s{2,}", " ", WHEN.sub(" ", what)).strip(" ,.!?")
        whom = _named(who, self.listener)
        return self._made(f"owe {whom or who} {what}", whom)

    def due(self) -> date | None:
        days = " ".join(found[0] for found in WHEN.finditer(self.dated))
        return due_date(days, self.said_at) or due_date(self.dated, self.said_at)

    def _made(self, topic: str, to: str) -> Commitment | None:
        segment = self.clause.segment
        if not to and _WHOM.search(topic):
            to = _named_before(self.before)
        if to:
            topic = _HER.sub(f"{to}'s", _WHOM.sub(to, topic, count=1), count=1)
        if _NOBODY.search(topic) and self.clause.mood != "reminder":
            return None
        binding = _BINDING.get(self.clause.mood, "task")
        return Commitment(topic, binding, to, self.due(), segment.start, segment.end)

    def _addressee(self, task: Action) -> str:
        """Return who waits for a task."""
        if self.clause.who and self.clause.who.lower() not in (
            "me",
            "myself",
            "us",
            "everyone",
            "people",
        ):
            return _named(self.clause.who, self.listener)
        if is_person(task) and (whom := _TO_WHOM.search(task.object)):
            return whom["to"].removesuffix("'s")
        if task.is_telling and (whom := _TOLD_WHOM.match(task.object)):
            return self.after if re.fullmatch(_NAME, self.after) else whom["to"]
        return _named("you", self.listener) if _YOU.search(task.object) else ""


def is_person(task: Action) -> bool:
    """Return whether the verb of a task has a person for whom it is done."""
    return (
        task.is_telling
        or task.verb in ERRANDS
        or task.verb in ("get", "show", "make", "help", "do")
    )


def _named_before(text: str) -> str:
    """Return the person whom "him" or "her" means: the last one named, if it is surely a name."""
    names = [match["name"] for match in _NAME_BEFORE.finditer(text)]
    fit = [one for one in names if one.casefold() not in NEVER_NAMES]
    return fit[-1] if fit else ""


def _named(who: str, listener: Listener) -> str:
    small = who.lower()
    if small == "you":
        return listener.name
    if small in ("him", "her", "them", "it"):
        return ""
    who = re.sub(r" (?:next|from|at|of) .*$", "", who)
    return (
        who
        if who.startswith(("my ", "the ", "our ")) or not who or who[0].isupper()
        else who.capitalize()
    )
