"""The action in a clause: its verb and object, and how plainly it is a task that can be finished."""

import re
from typing import Final, NamedTuple

from ingest.distillation.due_dates import WHEN
from ingest.distillation.verbs import ERRANDS, NO_TASKS, TELLING
from ingest.extractor.words.patterns import lines_of

MOST_WORDS: Final = 16
_LONGEST: Final = 120
_ADVERBS: Final = re.compile(
    r"(?i)^(?:(?:also|really|definitely|finally|just|actually|still|now|then|quickly|properly|please|all|go and|go|come and|come|try to|try and|get round to|get around to|be able to|start by|sit down and|make sure (?:to|i|that i)|remember to) )+(?=[a-z]+\b)"
)
_CUT: Final = re.compile(
    r"(?i)\s+(?:so that|in order|(?:be)?fore (?:i|my|she|he|they|it|we|the|you|work|school)|after (?:i|work|payday|lunch|dinner|that|this|the|school)|until|till|which|who|when|once|while|if|unless|as soon as|or (?:i|my|she|he|they|it|else|so)|and (?:i|then|see|also|that)|"
    r"that (?:i|was|is|we|she|he|they)|because|cause|lol|haha\w*|tbh|though|anyway|please|pls|thanks|somehow|too|as well|instead|no matter|or something|at some point|some day|asap|yet|so far|god help me|first|at last|no excuses|without fail)\b.*$"
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
_INDEFINITE: Final = re.compile(r"(?i)\b(?:an?|some|another|new)\b")
_PRONOUN: Final = re.compile(
    r"(?i)^(?:something|anything|everything|stuff|things|anyone|anybody|nobody|someone)\b|^(?:it|(?:that|this)(?=$| (?:to|for|by|in|on|at|with|back|up|out|off|over|time|again|now|done|tonight)\b))\b|^(?:it|that|this) (?:\w+ed|\w+en|done|redone)\b|^(?:(?:to|for|about|with|at) )?(?:it|this|that|them|em|him|her|you|something|anything|everything|stuff|things?|someone|somebody|one|us|me|myself|some|more|so|that one|this one|the same|the rest|all)?(?:\s+(?:all|again|back|too|now|then|better|right|for you|with you|to you))*$"
)
_FIGURE: Final = re.compile(
    r"(?i)\b(?:(?:a|the|my|your) (?:smile|clue|shit|ass|heart|soul|hug|kiss|mind|life|secret|joke|lesson|break|chance|way|time|best|sleep|nap|shower|bath|seat|truth|world|future|body|head|eyes?|hair|look|question|different question|fair share|ultimatum|best|go|try|shot|most)|you how|you what|you why|sense|sure|shit|attention|advantage|care of myself|fun|fuck\w*|hell|sex|some love|some time)\b"
)
_PROGRAM: Final = lines_of("""
    function, functions, code, script, query, table, column, api, regex, class, method, variable, array, string, json, html, css, sql, database, loop, error, errors, endpoint, request, component, module,
    server, prompt, prompts, output, input, command, example, examples, question, questions, information, data, dataset, paragraph, sentence, sentences, character, characters, story, scenario, topic, item, items,
    article, summary, transcript, context, content, following, below, above, response, answers, value, values, parameter, row, rows, cell, url, title, keyword, keywords, product, model, python, javascript, excel, formula,
    user, users, file, app, website, page, button, image, list, number, numbers, text, word, words, method, account, project, system
""")
"""What an assistant at a screen is asked to work on."""

_TEXT_WORK: Final = lines_of(
    "write, draft, edit, proofread, translate, prepare, revise, update, review, make, create, generate, add, compare, design, calculate, solve, build, implement, define, plan, develop, summarise, summarize, present, insert"
)


_ERRAND: Final = re.compile(
    r"(?i)(?:get back to(?! (?:work|it|sleep|bed|school|studying|my)\b)|check (?:in )?with|make (?:an?|the) (?:\w+ )?(?:appointment|reservation|call|payment|transfer|list)|set up|take (?:\S+ ){1,4}(?:back|to|in|out)|drive (?:\S+ ){1,4}to|pick (?:\S+ ){1,4}up|give back|put (?:\S+ ){1,4}(?:up|in|on)|fill|sort|look after|go through|"
    r"clear|write|have a look at|get (?:\S+ ){1,5}?(?:back|out to|to (?:my|the|him|her|them|(?-i:[A-Z])\w+)|fixed|redone|booked|signed|tickets)\b|get (?:you|him|her|them|(?-i:[A-Z])\w+) (?:the|that|an?|some|those|your|his|her)|get (?:an?|the|some) \S+ for|get (?:\S+ ){1,4}?(?:fixed|redone|booked|signed|serviced|sorted|checked|cleaned|repaired|printed|renewed)|have (?:\S+ ){1,5}(?:with|to|ready for|done for) (?:you|him|her|them|(?-i:[A-Z])\w+)|find out|top up|back up|go (?:over|through)|help (?:\S+ ){1,2}(?:move|with|paint|pack)|hang|cook|do (?:the|my)|make (?:him|her|them|you) (?:the|an?|some)|show (?:him|her|them))\b"
)
"""Verbs that only with their particle or object are an errand."""


_TO: Final = re.compile(r"\b(?:to|for|with) (?:the|my|our|[A-Z])")


class Action(NamedTuple):
    """A task in the speaker's words: "send you the slides" has the verb "send"."""

    topic: str
    verb: str
    object: str

    @property
    def is_telling(self) -> bool:
        return self.verb in TELLING or self.topic.startswith(("get back to", "check with"))


def action(rest: str) -> Action | None:
    """Return the action that words begin with; None if they name no verb with an object."""
    rest = _ADVERBS.sub("", rest.strip())
    kept = _CUT.sub("", rest)
    topic = re.sub(r"\s{2,}", " ", WHEN.sub(" ", kept)).strip(" ,.!?:;-*\"'")
    topic = re.sub(
        r"(?i)(?:\s+(?:by|before|on|at|in|for|to|and|the|of|n|&|from|with|around|about|like|every|each|\d{1,2}(?::\d\d)?(?: ?[ap]m)?))+$", "", topic
    ).strip(" ,.!-")
    match = _VERB.match(topic)
    if match is None or match["verb"].lower() in _FUNCTION_WORDS or len(topic) > _LONGEST:
        return None
    is_whole = match["verb"].lower() in ("decide", "choose", "reply", "answer")
    if not 2 - is_whole <= len(topic.split()) <= MOST_WORDS:
        return None
    return Action(topic, match["verb"].lower(), (match["object"] or "").strip())


def plainness(done: Action, *, to_model: bool, has_day: bool) -> int:
    """Return how plainly an action is a task: 2 for an errand with a thing, below 0 if it is none."""
    phrase = f"{done.verb} {done.object}".lower()
    is_set = bool(_ERRAND.match(done.topic))
    points = int(done.verb in TELLING or done.verb in ERRANDS or is_set)
    if (done.verb in NO_TASKS and not is_set) or _FIGURE.search(phrase) or "<" in phrase:
        points -= 3
    if to_model and not has_day and (_words(done) & _PROGRAM or (done.verb in _TEXT_WORK and not _TO.search(done.topic))):
        points -= 3
    if _PRONOUN.match(done.object):
        points -= 2 * (done.verb not in TELLING)
    elif DEFINITE.search(done.object):
        points += 1
    elif _INDEFINITE.search(done.object):
        points += has_day or not to_model
    return points


def _words(done: Action) -> set[str]:
    return set(re.findall(r"[\w'-]+", done.object.lower()))
