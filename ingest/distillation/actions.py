"""The action in a clause: its verb and object, and the errand that it is, if it can be finished.

An errand has a verb and a thing of the lists ("sign the lease"), a word to somebody ("call the
bank"), or something for a person ("lend Tom my tent"). All else that people do is left alone.
"""

import re
from collections.abc import Set
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.distillation.due_dates import WHEN
from ingest.distillation.verbs import ERRANDS, SURE, TELLING
from ingest.distillation.words import NEVER_NAMES, OFFICES, SOMEBODY, THINGS
from ingest.extractor.words.patterns import any_of, lines_of

MOST_WORDS: Final = 16
_LONGEST: Final = 120
_ADVERBS: Final = re.compile(
    r"(?i)^(?:(?:also|really|definitely|finally|just|actually|still|now|then|quickly|properly|please|all|go and|go|come and|come|try to|try and|get round to|get around to|start by|sit down and|make sure (?:to|i|that i)|remember to) )+(?=[a-z]+\b)"
)
_CUT: Final = re.compile(
    r"(?i)\s+(?:so that|in order|(?:be)?fore (?:i|my|she|he|they|it|we|the|you|work|school)|after (?:i|work|payday|lunch|dinner|that|this|the|school)|until|till|which|who|when|once|while|if|unless|as soon as|or (?:i|my|she|he|they|it|else|so)|and (?:i|then|see|also|that)|"
    r"that (?:i|was|is|we|she|he|they)|that'?s|speaking of|because|cause|lol|haha\w*|tbh|though|anyway|please|pls|thanks|somehow|too|as well|instead|no matter|or something|at some point|some day|asap|yet|so far|god help me|first|at last|no excuses|without fail)\b.*$"
)
_PARTICLE: Final = r"(?:up|off|out|back|in|over|down|on|through|round|around|away)"
_VERB: Final = re.compile(
    rf"(?is)^(?P<verb>[a-z][a-z-]*)(?P<particle> {_PARTICLE}(?! (?:mon|tues|wednes|thurs|fri|satur|sun)day))?(?P<link> (?:to|with|for|about|at|after|into|from))?(?:\s+(?P<object>\S.*))?$"
)
_FUNCTION_WORDS: Final = lines_of(
    "the, a, an, my, your, his, her, their, our, i, you, he, she, it, we, they, me, him, them, us, that, this, these, those, and, or, but, if, not, no, never, to, of, in, on, at, by, for, with, from, as, so, "
    "well, yes, very, more, most, all, both, some, any, every, just, also, only, too, out, up, off, what, who, how, why, when, where, there, here, than, then, about, one, is, are, was, were, been, am, being"
)
DEFINITE: Final = re.compile(
    r"(?<![\w'])(?:(?i:the|my|his|her|their|our|your|mum|mom|dad|\d+(?:st|nd|rd|th)?|two|three|four|five|six|seven|eight|nine|ten|both|this|that|those|these)(?= \S)|(?i:mum|mom|dad|gran|nan|grandma|grandpa)\b|[^\W\d_][\w-]*'s|(?!I\b)[A-ZÀ-Þ][\w'-]+)"
)
_PRONOUN: Final = re.compile(
    r"(?i)^(?:my own|one|something|anything|everything|stuff|things|anyone|anybody|nobody|someone)\b|^(?:it|(?:that|this)(?=$| (?:to|for|by|in|on|at|with|back|up|out|off|over|time|again|now|done|tonight)\b))\b|^(?:it|that|this) (?:\w+ed|\w+en|done|redone)\b|^(?:(?:to|for|about|with|at) )?(?:it|this|that|them|em|him|her|you|something|anything|everything|stuff|things?|someone|somebody|one|us|me|myself|some|more|so|that one|this one|the same|the rest|all)?(?:\s+(?:all|again|back|too|now|then|better|right|for you|with you|to you))*$"
)
_LOOSE_END: Final = re.compile(
    r"(?i)(?:\s+(?:by|before|on|at|in|for|to|and|the|of|n|&|from|with|around|about|like|every|each|so|but|this|real quick|\d{1,2}(?::\d\d)?(?: ?[ap]m)?))+$"
)
_TALK_TO: Final = re.compile(r"(?i)\w+ (?:to|with) (?!you\b(?!.* about\b))")
_DECIDE: Final = re.compile(
    r"(?i)(?:decide|choose) (?:whether|if|on|between|by|what (?:i|we)|which)\b"
)
Errand: TypeAlias = Literal["errand", "word", "hand"]
"""Kinds of errands: with a thing, a word to somebody, something for a person."""

_FIGURE: Final = re.compile(
    r"(?i)\b(?:(?:a|the|my|your|some) (?:smile|favou?r|love|vibes|prayers|hint|clue|explanation|rundown|deal|certain look|look|data|opinion|thoughts|words|trip|goal|shit|ass|heart|soul|hug|kiss|mind|life|secret|joke|lesson|break|chance|way|time|best|sleep|nap|shower|bath|seat|truth|world|future|body|head|eyes?|hair|look|question|different question|fair share|ultimatum|go|try|shot|most|point|picture of (?:it|me))|you how|you what|you why|sense|sure|shit|attention|advantage|fun|fuck\w*|hell|credit|time for|page on|note of)\b|^(?:call (?:you|him|her|them) (?:an?|worse|the|my)\b(?! (?:ring|call|bell))|pay for (?:rent|tuition|my own|all|everything|food|college|school)|return again|get (?!back\b)\S+ to (?!you\b|me\b)|make (?:you|him|her|them|me|people) (?!the|an?\b|some|dinner|lunch|breakfast)|settle for|check out|call it|change to|switch to|take notes|take (?:an?|this|that|my) (?:phone )?(?:call|test|exam|class|quiz|final)|get going|to become|sign off|open up|pull up|move on)\b|\bto become\b"
)
"""Figures of speech: nothing is handed over or made."""

_HANDS: Final = lines_of(
    "send, give, bring, lend, show, forward, make, get, return, pay, repay, buy, hand, drop, email, post, mail, text, cook, bake, order, print"
)
_PHRASE: Final = re.compile(
    r"(?i)(?:get back to(?! (?:work|it|sleep|bed|school|studying|my)\b)|check in with|check with|follow up with|touch base with|have a word with|get in touch with|go back to|book in with|chase up|sign up|sign (?:\S+ ){1,2}up|make an? (?:\w+ )?(?:appointment|reservation)|set up an?|"
    r"pick (?:\S+ ){1,3}up|pick up|drop (?:\S+ ){1,3}off|drop off|hand in|fill (?:in|out)|look after|top up|back up|take (?:\S+ ){1,4}(?:back|in for)|put (?:\S+ ){1,4}up|help (?:\S+ ){1,2}(?:move|paint|pack)|give (?:\S+ ){1,3}a (?:ring|call|bell|lift|ride)|put in (?:for|my)|send off|sort out|have (?:\S+ ){1,4}(?:done|ready|finished|to you|with you|over to \S+)|get (?:\S+ ){1,4}(?:[a-z]{3,}ed|done|sent|cut|redone))\b"
)
_TOLD: Final = re.compile(
    r"(?i)(?:get back to|check with|check in with|follow up with|touch base with|have a word with|get in touch with|go back to|book in with|give (?=(?:\S+ ){1,3}a (?:ring|call|bell)))"
)
_PERSON: Final = re.compile(
    rf"(?:(?i:to|with) )?(?:(?i:you|him|her|them|everyone|both of them)\b|(?i:(?:(?:my|the|our|his|her|their|your|that|an?) )?(?:(?!the\b|my\b)[\w'-]+ )??(?:{any_of(SOMEBODY)}))(?:'s)?\b|(?P<name>[A-ZÀ-Þ][\w'-]+)|(?i:mr|mrs|ms|dr|prof)\b)"
)
_GIFT: Final = re.compile(
    r"(?i)\s+(?:the|an?|some|my|your|his|her|their|our|that|those|these|back|both|\d+|two|three)\b(?! (?:visit|favou?r|call back))"
)
"""The gift to somebody."""
_CARRIED: Final = lines_of(
    "bring, lend, send, forward, return, drop, post, deliver, collect, fetch, order, buy, sign, print, upload, transfer, confirm"
)
"""Verbs that hand over or fetch: any definite object will do."""
_CHORES: Final = frozenset(
    (
        "do",
        "get",
        "make",
        "take",
        "put",
        "find",
        "check",
        "read",
        "pull",
        "open",
        "close",
        "change",
        "move",
        "finish",
    )
)
"""Verbs that need "the", "my" and the like before their thing, or a day."""

_TEXTS: Final = lines_of("""
    code, script, function, prompt, story, poem, song, essay about, summary of, paragraph, sentence, table, list, email, letter, report, speech, presentation, proposal, resume, cv, cover letter, review, essay, article, query, file, program, document, menu, survey, quiz, template
""")
"""Texts that an assistant is asked for."""
_TEXT_WORK: Final = lines_of(
    "write, draft, edit, proofread, translate, prepare, revise, update, review, make, create, generate, compare, design, present, outline, rewrite, correct, do, get, find, check, finish, type, build, compile, organise, organize, sort, read, design, test, deploy, merge, redo"
)


class Action(NamedTuple):
    """A task in the speaker's words: "send you the slides" has the verb "send"."""

    topic: str
    verb: str
    object: str

    @property
    def is_telling(self) -> bool:
        return self.verb in TELLING or _TOLD.match(self.topic) is not None


def action(rest: str) -> Action | None:
    """Return the action that words begin with; None if they name no verb with an object."""
    rest = _ADVERBS.sub("", rest.strip())
    kept = _CUT.sub("", rest)
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", kept)).strip(" ,.!?:;-*\"'")
    topic = _LOOSE_END.sub("", topic).strip(" ,.!-")
    match = _VERB.match(topic)
    if match is None or match["verb"].lower() in _FUNCTION_WORDS or len(topic) > _LONGEST:
        return None
    is_whole = match["verb"].lower() in ("decide", "choose", "reply", "answer")
    if not 2 - is_whole <= len(topic.split()) <= MOST_WORDS:
        return None
    return Action(topic, match["verb"].lower(), (match["object"] or "").strip())


def errand_of(done: Action, *, to_model: bool, has_day: bool) -> Errand | None:
    """Return the kind of errand that an action is, None if it fails to be one or nothing to finish.

    `to_model`: an assistant listens, so that texts are its work; `has_day`: a day is named.
    """
    if _is_talk(done) or (to_model and not has_day and _is_text_work(done)):
        return None
    person = _person(done)
    if done.is_telling:
        return "word" if person or has_thing(done.object) else None
    if _PRONOUN.match(done.object):
        return None
    rest = done.object[len(person) :]
    if done.verb in _HANDS and person and (has_thing(done.object) or _GIFT.match(rest)):
        return "hand"
    return "errand" if _is_errand(done, is_certain=has_day or is_definite(done)) else None


def _is_talk(done: Action) -> bool:
    """Return whether words are a figure of speech, code, or talk with nobody in particular."""
    is_vague = done.verb in ("talk", "speak", "chat") and not _TALK_TO.match(done.topic)
    return is_vague or bool(_FIGURE.search(done.topic) or re.search(r"[<>{}|]", done.topic))


def _is_text_work(done: Action) -> bool:
    return done.verb in _TEXT_WORK and _has(done.object, _TEXTS)


def _is_errand(done: Action, *, is_certain: bool) -> bool:
    """Return whether a verb and its object are on the lists; `is_certain`: the object is a known one."""
    if done.verb in SURE or _DECIDE.match(done.topic):
        return True
    if done.verb in _CARRIED and DEFINITE.search(done.object):
        return True
    to_office = _has(done.object.partition(" to ")[2], OFFICES)
    if done.verb in ("take", "drive") and is_definite(done) and to_office:
        return True
    if _PHRASE.match(done.topic):
        return is_certain or has_thing(done.object) or bool(_person(done))
    is_fit = has_thing(done.object) and (is_certain or done.verb not in _CHORES)
    return done.verb in ERRANDS and is_fit


def _person(done: Action) -> str:
    """Return the words of a person or an office that an object begins with, "" for others."""
    said = _TOLD.sub("", done.topic).lstrip() if _TOLD.match(done.topic) else done.object
    match = _PERSON.match(said)
    if match is None or (match["name"] and match["name"].casefold() in NEVER_NAMES):
        return ""
    return match[0]


def is_definite(done: Action) -> bool:
    """Return whether the object of an action is a certain one: "the form", "Tom's bike"."""
    return bool(DEFINITE.search(done.object)) and not _PRONOUN.match(done.object)


def has_thing(text: str) -> bool:
    """Return whether a text names a thing that errands are about."""
    return _has(text, THINGS)


def _has(text: str, words: Set[str]) -> bool:
    """Return whether one of some words, or of two of them together, is in a text."""
    said = re.findall(r"[\w-]+", re.sub(r"['’]s\b", "", text.lower()))
    ones = {
        form for word in said for form in (word, word.removesuffix("s"), word.removesuffix("es"))
    }
    return not ones.isdisjoint(words) or any(f"{a} {b}" in words for a, b in pairwise(said))
