"""Clauses of a sentence: how each is said, of whom, and the part that says what is to be done.

A clause is read in plain words ("i'm gonna" is "i am going to") after the words that only connect
it. Its mood comes from a short table of frames: auxiliaries, verbs of promising, and headings of
notes. A clause in no frame has no mood, and a coordinated one ("and send you my comments") has that
of the clause before it.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.distillation.due_dates import WHEN
from ingest.distillation.sentences import Segment, Sentence, is_hedged
from ingest.distillation.verbs import ERRANDS, TELLING, base_of, base_of_gerund
from ingest.extractor.words.patterns import any_of, lines_of

Mood: TypeAlias = Literal[
    "promise", "reminder", "note", "debt", "obligation", "intention", "undone", "due", "none"
]
"""A way to be bound: by a word given, by asking to be reminded, by a note to oneself, by owing, by
"have to", by "will", by what is not done yet, by a day on which
something is due.
"""

_DAY_OF: Final = {
    "mon": "monday", "tue": "tuesday", "wed": "wednesday", "thu": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
}  # fmt: skip
_PLAIN: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(rf"(?i)\b{pattern}"), plain)
    for pattern, plain in (
        (r"(?:gonna|gunna)\b", "going to"),
        (r"gotta\b", "have got to"),
        (r"wanna\b", "want to"),
        (r"oughta\b", "ought to"),
        (r"hafta\b", "have to"),
        (r"(?:prolly|prob|probs)\b", "probably"),
        (
            r"(?P<aux>need|have|had|got|going|want|supposed|meant|forgot|note|due) ?2 (?=[a-z])",
            r"\g<aux> to ",
        ),
        (r"needa\b", "need to"),
        (r"gtta\b|gota\b", "have got to"),
        (r"(?:imma|ima)\b", "i am going to"),
        (r"lemme\b", "let me"),
        (r"gimme\b", "give me"),
        (r"(?:tmrw|tmr|tmw|tomoz|tomo|2moro|2morrow|tmmrw|tomrw|tommorow|tomorow)\b", "tomorrow"),
        (r"(?:2nite|2night|tonite|tn)\b", "tonight"),
        (r"(?:abt|bout)\b", "about"),
        (r"wi?th?/? (?=[a-z])", "with "),
        (r"appt\b", "appointment"),
        (
            r"(?P<day>mon|tues?|weds?|thurs?|thu|fri|sat|sun)(?=$|[ ,.!?;]*(?:$|morning|night|pm|am|by|at|to\b|\d|latest|n\b|and\b|so\b|lol))",
            lambda match: _DAY_OF[match["day"][:3].lower()],
        ),
        (r"im\b", "i am"),
        (r"ive\b", "i have"),
        (r"u\b(?!\.)", "you"),
        (r"ur\b", "your"),
        (r"won'?t\b", "will not"),
        (r"(?:can'?t|cannot)\b", "can not"),
        (r"shan'?t\b", "shall not"),
        (
            r"(?P<aux>do|does|did|have|has|is|are|was|were|would|should|could|must|need)n'?t\b",
            r"\g<aux> not",
        ),
        (r"(?P<who>i|we|you|he|she|they|it|that|there)'ll\b", r"\g<who> will"),
        (r"(?P<who>i|we|you|they)'ve\b", r"\g<who> have"),
        (r"i'm\b", "i am"),
        (r"(?P<who>we|you|they)'re\b", r"\g<who> are"),
        (r"(?P<who>i|we|you|he|she|they|it)'d better\b", r"\g<who> had better"),
        (r"(?P<who>i|we|you|he|she|they|it)'d\b", r"\g<who> would"),
        (r"(?P<who>it|that|there|he|she|what|who|here)'s\b", r"\g<who> is"),
        (r"ill (?=[a-z]+ )", "i will "),
        (r"id (?=[a-z]+ )", "i would "),
    )
)
_MARKERS: Final = lines_of("""
    ok, okay, k, and, also, oh, so, then, yes, yeah, yep, yup, right, well, hey, hi, hello, ugh, shit, damn, btw, anyway, anyways, actually, honestly, unrelated, now, ah, hmm, um, omg, god, lol, haha, tbh, fine,
    apparently, annoyingly, plus, but, sure, alright, cool, good, great, sorry, thanks, just, because, that reminds me, reminds me, speaking of which, by the way, oh well, of course, basically, meanwhile, afterwards,
    first, next, second, secondly, last thing, one more thing, before that, after that, at some point, this time, in the end, at least, at last, finally, already, still, either way, in any case, anyhow, otherwise, well then,
    first thing, after lunch, after work, later, earlier, just now, unfortunately, luckily, sadly, obviously, literally, seriously, ironically, update, good news, fyi, psst, morning, listen, look, heads up, small update, quick update, done, phew, today, yesterday, last night, this morning, this afternoon, this evening, tonight, tomorrow, reminder, mind you, truth is, fact is, thing is, i think, i guess, i know, i swear, you see, you know, love, dear, mate, man, bro, dude, even
""")
_LEAD: Final = re.compile(
    rf"(?i)^\W*(?:(?:{any_of(_MARKERS)}|(?:{WHEN.pattern[4:]}))\b\W*){{0,6}}(?:(?:in|on|at|after|before|during|with|as for|for|from)(?: [\w'-]+){{1,5}} (?=i |we ))?"
)
"""Words that only connect a clause, or say when: they come before the subject."""

_ADVERBS: Final = r"(?:(?:really|still|also|just|now|then|definitely|totally|urgently|finally|desperately|actually|only|absolutely|certainly|seriously|probably|both|all|again|eventually|always|do|so|too) )*"
_WHO: Final = r"(?:you|him|her|them|everyone|(?:my |the |our )(?:(?!that\b|i\b|to\b)[\w'-]+ ){1,2}(?!that\b|i\b|to\b)[\w'-]+|(?:my |the |our |old |wee )*[^\W\d_][\w'-]*(?: (?-i:[A-ZÀ-Þ])[\w'-]+){0,2}(?: (?:from|at|of|next) [\w' -]+?)?)"
_I: Final = rf"(?:(?P<we>we)|i) {_ADVERBS}"
_MAYBE_I: Final = rf"(?:{_I})?{_ADVERBS}"
_WOULD: Final = r"(?:(?:i|we) )(?:would|will|shall|am going to|could)(?: (?:definitely|also|try to|try and|come and|go and))*"
_SAYING: Final = r"(?:said|told|promised|promise|agreed|swore|sworn|mentioned|assured|vowed|texted|replied|telling|promising|answered|offered)"
_AGREEING: Final = r"(?:promised|promise|agreed|agree|offered|volunteered|committed|undertook|undertaken|swore|vowed|pledged|signed up|said yes|been asked|put myself down|put my hand up|got roped in|roped in|let myself be talked in|been roped in)"
_MUST: Final = (
    r"(?:need to|have to|have got to|must|had better|better(?= [a-z]+ (?:the|my|them|em|him|her|it|an?|some|to|that|those|this)\b)|(?:am )?supposed to|was supposed to(?= .*\b(?:still|not)\b)|(?:am )?meant to|am due to|am down to|am on to|am to|am obliged to|have yet to|have still to|"
    r"have been meaning to|keep forgetting to|keep meaning to|keep putting off|have been putting off|have (?:the task|the job) of|have (?:got )?until .{3,20}? to)"
)
_WILL: Final = r"(?:will|shall|am going to|going to|plan to|am planning to|planning to|intend to|aim to|mean to|am hoping to get to)"
_FRAME_PATTERNS: Final[tuple[tuple[Mood, str], ...]] = (
    (
        "note",
        r"(?:(?:quick |small |a )?(?:note to self|reminder to self|reminder to myself|note to myself)|reminder|to-?do(?: list)?(?: this week| today| tomorrow)?|(?:things )?to do(?: this week| today| tomorrow)?|(?:still )?on my (?:to-?do )?(?:list|plate|pile)(?: is| are)?(?: today| this week)?|(?:add|put) (?:this |that |it )?(?:on|to) my (?:to-?do )?list|(?:i )?(?:still )?(?:need to|have to)(?=\Z)|(?:my |the )?(?:errands|chores|jobs|tasks)(?: for [\w ]+| today| this week| tomorrow)?)(?:[:,-]+|\Z|\s+(?=to\b)|\s+(?=\w+ing\b))\s*(?:to )?(?P<rest>.*)$",
    ),
    (
        "reminder",
        r"(?:(?:please|pls|can you|could you|would you|will you|you should|do|ever|maybe) )*remind me(?: (?:again|please|pls|later))*(?: (?:on|at|by|in|next|this|tomorrow|tonight|when|before|after|[a-z]+day)\b(?! me)[^.]{0,30}?)? (?P<how>to|about|that i (?:need|have|am|want) to)\b (?P<rest>\S.*)$",
    ),
    (
        "reminder",
        r"(?:please )?(?:do not|never) let me forget (?:(?P<how>to|about|the|my) )(?P<rest>\S.*)$",
    ),
    (
        "reminder",
        rf"(?:{_I})?(?:must|shall|had better|better) not forget (?:to |about )?(?P<rest>\S.*)$",
    ),
    (
        "promise",
        rf"{_MAYBE_I}(?:have |am after |went and |already )?{_SAYING},? (?:(?:to )?(?!i\b|that\b|you will|yes\b)(?P<who>{_WHO}),? )?(?:yes,? )?(?:that )?{_WOULD} (?P<rest>\S.*)$",
    ),
    (
        "promise",
        rf"{_MAYBE_I}(?:have |am |already )?{_AGREEING} (?:(?P<who>(?!to\b|not\b){_WHO}) )?(?:to|into|on) (?P<rest>(?!not\b|do that\b|it\b)\S.*)$",
    ),
    (
        "debt",
        rf"{_MAYBE_I}owe (?P<who>{_WHO}) (?P<rest>(?:ten|twenty|thirty|forty|fifty|sixty|a hundred|two|three|four|five|an?|the|some|my|his|her|about|like|around|[£$€]\s?\d+|\d+|money|rent)\b ?.*|[£$€]\s?\d.*)$",
    ),
    (
        "reminder",
        rf"{_MAYBE_I}(?:must|need to|have to|have got to|should|had better|better|got to) remember to (?P<rest>\S.*)$",
    ),
    ("obligation", r"got to (?P<rest>\S.*)$"),
    (
        "obligation",
        rf"{_MAYBE_I}{_MUST}(?: (?:really|also|definitely|finally|still|now|actually|just|remember to|get round to|get around to|try to|try and|go and|go|probably))* (?P<rest>\S.*)$",
    ),
    (
        "obligation",
        r"(?:what i (?:still |really )?(?:do have on my list is|need to do is|have to do is|have left is)|all that is left is|first on my list is|it is pending) (?:to )?(?P<rest>\S.*)$",
    ),
    (
        "intention",
        rf"{_MAYBE_I}(?:should(?! have)|ought to)(?: (?:really|also|definitely|finally|still|probably|just|try to|go and|go))* (?P<rest>\S.*)$",
    ),
    (
        "undone",
        rf"{_MAYBE_I}(?:still |have )?not(?: (?:even|yet|still|actually|really))?(?: got(?:ten)? (?:round|around) to)? (?P<done>[a-z]+)\b ?(?P<rest>.*)$",
    ),
    (
        "intention",
        rf"{_MAYBE_I}{_WILL}(?: (?:definitely|just|also|still|then|now|finally|certainly|probably|go and|try to|try and|go|come and|have to|need to))* (?P<rest>\S.*)$",
    ),
    (
        "due",
        r"(?P<rest>(?!(?:i|he|she|they|we|you|it|that|this|who|what|all|there)\b)(?:[\w'-]+ ){0,4}?[\w'-]+),? (?:(?:is|are) )?(?:still )?due(?! (?:to|date)\b)\b.*$",
    ),
    ("intention", r"let me (?P<rest>(?:get back to|check with|find out)\b.*)$"),
)
_FRAMES: Final = tuple((mood, re.compile(rf"(?is){pattern}")) for mood, pattern in _FRAME_PATTERNS)


class Clause(NamedTuple):
    """A segment as it is read.

    `said` is the segment in plain words, `action` the part that says what is to be done, from the
    verb on; `who` the person whom its frame names; `is_shared`: by us, not by me alone.
    """

    segment: Segment
    said: str
    mood: Mood = "none"
    action: str = ""
    who: str = ""
    is_shared: bool = False
    is_bare: bool = False
    is_plan: bool = False


def plain(text: str) -> str:
    """Return a text with its contractions and short forms in full."""
    for pattern, full in _PLAIN:
        text = pattern.sub(full, text)
    return text


_BARE_VERB: Final = re.compile(
    r"(?i)^\W*(?:(?:and|then|or|also|to) )*(?P<rest>(?!(?:the|my|an?|and|to|for|with|from|in|on|at|by|it|i|we|he|she|they|you|is|was|are)\b)[a-z]+"
    r"(?: (?:up|off|out|back|in|over|down|to|with|about|for))*"
    r" (?:the|my|an?|you|him|her|them|his|their|our|your|some|it|(?-i:[A-Z])[\w']+|\d+)\b.*)$"
)


_ERRAND: Final = re.compile(rf"(?i)^\W*(?P<rest>(?:{any_of(ERRANDS | TELLING)})\b .*)$")
_OTHER: Final = re.compile(
    r"(?i)(?:he|she|they|you|it|who)\b|(?!i\b|we\b|my (?:head|back|legs?)\b)(?:(?:the|my|your|our|an?|that|this|these) )?[\w'-]+ (?:[\w'-]+ ){0,3}?(?:is|are|was|were|has|had|have|will|would|can|does|do|did|must|should|[a-z]+ed|[a-z]+s)\b"
)
"""A clause whose subject is somebody or something else: a bare "will send it" after it is theirs."""


_NAME_ALONE: Final = re.compile(r"\W*(?:[Mm]y )?(?:[\w'-]+ ){0,2}[A-Z][\w'-]+(?: \w+)?\W*")


def after_lead(said: str) -> str:
    """Return a clause without the words before it that only connect it or say when."""
    return re.sub(r"^\W+", "", said[_LEAD.match(said).end() :])  # type: ignore[union-attr]  # it matches nothing too


def is_of_other(said: str) -> bool:
    """Return whether the subject of a clause is somebody or something else than the speaker."""
    return _OTHER.match(after_lead(said)) is not None


def clauses(told: Sentence) -> Iterator[Clause]:
    """Yield the clauses of a sentence in their order."""
    carried: Mood = "none"
    who, is_own, is_shared = "", True, False
    for segment in told.segments:
        said = plain(segment.text)
        clause = _framed(segment, said)
        if clause is not None and clause.is_bare and not is_own:
            clause = None
        bare = _BARE_VERB.match(said) or (_ERRAND.match(said) if carried == "note" else None)
        if clause is None and carried != "none" and bare:
            is_past = base_of(bare["rest"].split()[0]) is not None
            if not is_past and carried == "note":
                clause = Clause(segment, said, carried, bare["rest"], who, is_shared)
        if clause is None:
            clause = Clause(segment, said)
        if clause.mood != "none" or carried != "note":
            carried, who = clause.mood, clause.who
        is_own = clause.mood != "none" or not (
            is_of_other(said) or _NAME_ALONE.fullmatch(segment.text)
        )
        is_shared = clause.is_shared
        if is_hedged(segment.text):
            carried = "none"
        yield clause


_OWN: Final = re.compile(r"(?i)\b(?:i|we|me|my|self|better|need to|not forget|to-?do)\b")


_PLAN: Final = re.compile(r"(?i)\b(?:going|plan|planning|intend|aim|mean|hoping|should|ought)\b")
"""Words of a plan, which binds less than "I'll"."""


def _framed(segment: Segment, said: str) -> Clause | None:
    begun = dict.fromkeys((after_lead(said), said.lstrip(" \t-*•")))
    for begin, (mood, frame) in product(begun, _FRAMES):
        match = frame.match(begin)
        if match is None:
            continue
        parts = match.groupdict()
        action = _action(mood, parts)
        if action is None:
            continue
        head = begin[: len(begin) - len(parts["rest"] or "")]
        is_bare = not _OWN.search(head)
        return Clause(
            segment,
            said,
            mood,
            action,
            parts.get("who") or "",
            bool(parts.get("we")),
            is_bare,
            bool(mood == "intention" and _PLAN.search(head)),
        )
    return None


def _action(mood: Mood, parts: dict[str, str | None]) -> str | None:
    """Return the part of a clause that says what is to be done, None if its frame does not fit."""
    rest = (parts["rest"] or "").strip()
    if mood == "undone":
        base = base_of(parts["done"] or "")
        return f"{base} {rest}" if base and base not in ("be", "have") else None
    if mood == "reminder" and re.match(r"(?i)(?:the|my|that|\w+'s)\b", rest):
        return f"remember {rest}"
    if (
        mood == "reminder"
        and (parts.get("how") or "to").lower() not in ("to",)
        and "to" not in (parts.get("how") or "").split()
    ):
        article = parts["how"] if (parts["how"] or "").lower() in ("the", "my") else ""
        return f"remember {article} {rest}".replace("  ", " ")
    first, _, more = rest.removeprefix("be ").partition(" ")
    base = base_of_gerund(first)
    return f"{base} {more}" if base else rest
