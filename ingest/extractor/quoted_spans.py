"""The spans of a text that are not the speaker's own words, said in earnest: covered from the rules.

A turn is full of other words: quoted mail, code, logs, lyrics, a letter to be proofread, a part in
a game. Covering keeps every character in its place, so that a fact still knows where it was said.
"""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.readings.names import is_word
from ingest.extractor.words import phrases as words
from ingest.extractor.words.boundaries import MONTHS
from ingest.extractor.words.lexicon import FIRST_NAMES, KIN, LANGUAGES, MANY_KIN, NO_NAMES, ROLES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import PLACES
from ingest.extractor.words.statements import (
    EDITS,
    FICTIONS,
    HELPERS_OF_ANOTHER,
    JOKE_MARKS,
    PLAYS,
    PRAISE,
    STORIES,
    TASKS,
)

COVER = "\x00"
"""No rule's pattern matches it, and a sentence ends where it begins."""

_TASKS = f"(?:{any_of(TASKS)})"
_TEXTS = f"(?:{any_of(words.WORKED_ON)})"
_MINE = r"(?:i|i'm|im|i've|ive|my|we|we're|our)\b"
_BREAK = r"(?:[.!?:]\s+|[^\n.!?:]{0,80}(?::\s+|[.!?]?[ \t]*\n\s*))(?=\S)"
"""The end of a sentence that introduces a text: at once, or later with a colon or line break."""

_PASTED = tuple(
    deferred(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!before you )(?<!remember )(?<!note )(?<!save )(?<!\bas i )(?<!\bas i just )(?<!\bas i already )\b(?!(?:(?<=long )story short|(?<!\w )(?:tl;?dr|(?-i:E(?:dit|DIT))(?: \d)?)) ?:|this (?:week|month|year|morning|afternoon|evening|weekend|spring|summer|autumn|fall|winter)\b)(?:{_TASKS}|{_TEXTS})\b(?! (?:that|it|this) wrong)[^\n:.?!]{{0,80}}[:：]\s*(?=\S)",
        r"\b(?:is this(?= (?:right|correct)\?(?![^\n]{0,200}\b(?:so|because|since|but)\b))|make (?:this|it|the \w+|my \w+)|is (?:this|the|my) \w+|are these|which (?:one |sentence )?is)\b[^\n.?!:]{0,40}\b(?:correct|right|better|shorter|longer|formal|professional)\b[^\n.?!:,]{0,30}(?:[.?!:,]\s+|\n+)(?=\S)",
        r"\A(?=[\x00\s]{0,99}[^\n]{0,60}[\u0370-\u1fff\u3040-\ud7af])[\x00\s]*[^\n]*\n+(?=\S)",
        r"(?:翻译|润色|修改|改写|改成|纠正|直して|翻訳|添削|訳して)[^\n:：]{0,40}[:：]\s*(?=\S)",
        rf"\b{_TASKS} (?:\w+ ){{0,3}}?(?:this|the following|below|these|my {_TEXTS})\b[^\n.?!:]{{0,60}}[.?!:]\s+(?=\S)",
        rf"(?:^|[.!?,] |\b(?:please|you|me|to|and|then|i|we) ){_TASKS}\b[^\n]{{0,160}}\n\s*(?=\S)",
        r"\b(?:reply to|respond to|answer|(?:this|these|the|following|my|a|an|of|is|here's|(?<![^\n])\w+'s(?=[ \w-]+\n)) (?:\w+ )?(?:lyrics|draft|e-?mail|letter|essay|cv|resume|transcript)|"
        r"below|(?<!\bas )(?<!\bwho )follows|following)\b[^\n]{0,160}\n\s*(?=\S)",
        rf"\b(?:(?:this is|here(?:'s| is| are)) what (?!i\b|we\b)[^\n.!?:]{{0,60}}\b(?:said|says|wrote|writes|sent|texted|posted|shared|told)\b|here(?:'s| is| are) (?:the|an?|his|her|their)\b[^\n.!?:]{{0,60}}(?<!\bi )(?<!\bwe )\b{_TEXTS}\b){_BREAK}",
        rf"(?<!\bi )(?<!\bwe )(?:wrote|sent|texted|posted|shared)(?: me| us)? (?:this|the following)\b{_BREAK}|(?<!\bas )\b(?!(?:i|we|you)\b)\w+ (?:told (?:me|us)|said|wrote|texted(?: me| us)?)[ \t]*\n\s*(?={_MINE})",
    )
)
"""A request about the words that follow it: they are somebody's text."""

_PASTED_BEFORE = deferred(rf"(?is)\A.*(?:\n(?=[^.!?\n]*\b(?:this|these|above|it|them|grammar|sentences?|more|sound|better)\b)(?![^.!?\n]*\b(?:below|following|next)\b)(?=[^.!?\n\x00]{{0,60}}\b(?:{any_of(EDITS)})\b[^.!?\n\x00]{{0,80}}[.!?\s]*\Z)|(?=\bis (?:it|this|that) (?:correct|right)\?\s*\Z))")  # fmt: skip
"""A request about the words before it, at the end of a turn."""

_NO_REAL_PLACE = rf"(?!(?i:{any_of(PLACES | LANGUAGES | MONTHS | NO_NAMES)})\b)[A-Z]"
_IN_ANOTHER_WORLD = rf"in (?:(?<![^.!?\n] in )|(?<=\bso in )|(?<=\band in )|(?<=\bbut in ))(?:(?-i:(?:The )?{_NO_REAL_PLACE})[^,.!?\n]{{1,30}}, (?:i(?= live in\b)|my(?= name\b))|(?-i:The {_NO_REAL_PLACE}|{_NO_REAL_PLACE}[\w-]+'s [A-Z])[^,.!?\n]{{1,30}}, (?:i(?= (?:am|have|own|work|was born)\b)|i'?m|my(?= (?:{any_of(KIN)})\b)))"
"""A world with a name that no place has, and where somebody lives in it: "In Skyrim, I live in ..."."""

_PLAYED = deferred(
    rf"(?i)\b(?:{any_of(PLAYS)}|rp\b:?|you (?:are|'re) (?:now |playing )?(?:an?|the|my)\b(?! (?:[\w-]+ )?(?:{any_of(PRAISE)})\b)|(?<!i )(?<!we )suppose (?:that )?(?:i|we|you|my)\b|"
    rf"my (?:[a-z]+ )?character|in (?:the|my|this|our) (?:{any_of(STORIES)}|play(?=,? (?:i|my)\b))|(?:fictional|fictitious|made-up) (?:{any_of(FICTIONS)})|{_IN_ANOTHER_WORLD}|"
    r"(?:write|create|compose|generate|continue|make)(?: me| us)? (?:an? |the |some |another )?(?:[\w-]+ ){0,3}?(?:story|stories|songs?|lyrics|rap|screenplay|sitcom|scene|dialogue|monologue)\b|"
    r"speak(?:ing)? as(?! an?\b)|(?:i|you)(?:'ll| will) (?:be|play) (?:the|an?(?= [a-z]+[,.]| [a-z]+ and)|your|(?-i:[A-Z])\w+))\b|"
    r"(?:^|(?<=[.!?]\s))you(?: are|'re) (?-i:[A-Z])\w+[.,!]|^chapter (?:\d+|one|[ivx]+)(?=[.:\n])|\bplay(?:ed|ing)? (?-i:[A-Z])[^!?\n]{0,40} in (?:the|a|my|our) play\b|\(as (?-i:[A-Z])\w+\)|"
    r"\bI (?:draw|cast|wield|unsheathe|swing|summon|loot)\b(?=[^.!?]{0,40}\b(?:sword|spell|dagger|axe|staff|potion|wand|bow|dragon|goblin)\b)"
)
"""A part in a game begins: what follows from that line on is played."""

_HIRED = deferred(r"(?i)act(?:ing)? as|you(?: are|'re)|play the|pretend to be")
_MENTIONED = deferred(
    r"(?i)d&d|dnd|npc|protagonist|narrator|scenario|backstory|in (?:the|my|our|(?-i:[A-Z]))"
)
_WRAPPED = deferred(r"(?i)\b(?:an?|the|my|our|his|her|of|in|on|at|to|from|for|with|by|and|or|than|is|am|are) ?\n(?=[^\W\d_])|(?<=[\w,'\")-])\n(?=(?-i:[a-z]))(?!(?:(?:and|but|so) )*(?:i'?m?|i'?ve|my|we|s?he|they|it|you|the)\b)")  # fmt: skip
"""A line break in a sentence: after a word that needs another, or before one that begins none."""

_TALE = deferred(r"\bI (?:draw|cast|enter|attack|roll|wield|swing|loot|raise|bow|kneel|unsheathe|approach|sneak|summon|charge)\b")  # fmt: skip
FANTASY = deferred(rf"(?i)\b(?:{any_of(words.FANTASIES)})\b")
"""What somebody is or has in tales."""

_IN_LAW = deferred(r"(?i)\b(?:(?:mother|father|sister|brother|son|daughter|parent)s? in law(?! (?:school|firm|enforcement|practice))|step (?=(?:mother|father|mom|mum|dad|sister|brother|son|daughter)\b))")  # fmt: skip
_ORDERS = deferred(r"(?im)\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|above|earlier|preceding|system|former) (?:\w+ )?(?:instructions?|prompts?|messages?|rules?|context)|\bsystem prompt\b|\byou must obey\b|\b(?:ignore|disregard|override) [^.!?\n]{0,30}\b(?:instructions?|prompts?|rules?) above\b|<\|?\w*(?:system|im_start|inst)\w*\|?>|\[/?INST\]|^[ \t]*(?:system|assistant)\s*:")  # fmt: skip
"""Text that wants to be obeyed: nothing beside it is believed."""

_WHOSE = rf"(?:(?:his|her|their|(?-i:[A-Z])\w+'s|my [\w-]+'s) (?:\w+ )?(?:{any_of(KIN | HELPERS_OF_ANOTHER)})\b(?!'))"
_ANOTHER = deferred(rf"(?i)\A\W*(?:(?:{any_of(words.GREETINGS)})\W+)*(?:(?:(?:this is|it'?s|it is)(?: me,)?|(?:i'?m|i am|my name is)(?! (?:[\w-]+,? )?(?:(?:and )?(?:i'?m|i am) )?(?:my\b|\w+'s)))(?: (?:(?-i:[A-Z])[\w-]+(?:\.? (?-i:[A-Z])[\w-]+)?,?|[\w-]+,))?(?:(?: and)? (?:i'?m|i am))? {_WHOSE}|{_WHOSE} (?:here|speaking|typing|writing)\b)|\b(?:i'?m|i am|we'?re) (?:\w+ )?(?:on|using|borrowing) (?:his|her|their|my [\w-]+'s) (?:\w+ )?(?:account|login|profile)\b")  # fmt: skip
"""Somebody else at the keyboard: "this is Ida, I'm his wife", "her son here"."""

_JOKE = deferred(rf"(?im)(?:(?<=\s)/s\b|[,.…] ?not(?: *[.!][.! ]*$|(?=\s*\Z|[ \t]*\n(?:[ \t]*\n|[^\w\n]*(?-i:[A-Z]))))|\b(?:{any_of(JOKE_MARKS)})(?=\W|$))")  # fmt: skip
_EARNEST = deferred(r"(?i)\b(?:no|not|without|never|stop) (?:just )?(?:kidding|joking|sarcas\w+)")

_BLOCKS = tuple(
    deferred(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"```(?s:.*?)(?:```|\Z)|~~~(?s:.*?)(?:~~~|\Z)|\"\"\"(?s:.*?)(?:\"\"\"|\Z)",
        r"`{1,3}[^`\n]{1,300}`{1,3}|(?:\[|^[=*~#-]{2,} ?)(?:quote|begin)\b[^\]\n]{0,100}[\]\n](?s:.*?)(?:(?:\[|^[=*~#-]{2,} ?)(?:/|end\b)[^\]\n]{0,100}[\]\n]|\Z)|^(?-i:BEGIN [A-Z ]+)$(?s:.*?)(?:^(?-i:END [A-Z ]+)$|\Z)|\b(?:https?://|www\.)\S+",
        r"^[ \t]*(?:>|\||\t| {4}|<[^<>\n]{1,40}> ?\w).*$",
        r"^[ \t]*(?:\$ |# |>>> |\.\.\. |[+-]{3} |@@ |\[?(?:\d{1,4}[-./]\d\d?[-./]\d{2,4},?[T ]+)?\d?\d:\d\d|"
        r"(?-i:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b|Traceback|File \"|at \w[\w.$]*\().*$",
        r"^[^\n]*(?:[{};]|=>|->|\(\)|==|!=|&&|\|\||\w\([^\n()]{0,80}\)[ \t]*:?)[ \t]*$",
        r"(?<=[?:])[ \t]*\n(?:[ \t]*(?:\d{1,2}[.)]|[a-d][.)])[ \t][^\n]*(?:\n|\Z))+",
        r"^[^\n]*[♪♫🎵🎶][^\n]*$|^(?:(?![ \t]*[-*•\d])[^\n:]{2,70}\n){7,}[^\n]*$",
        r"\[[^\[\]\n]{1,300}\]|^[^\n]*\b(?:writing|excited|thrilled|eager|pleased|delighted) to (?:apply|express my)\b(?s:.*)",
        r"<[a-z][^<>\n]{0,200}>(?s:.*)<[^<>\n]{1,200}>",
        r"(?<![\w*])\*(?![\s*])[^*\n]{0,100} [^*\n]{0,100} [^*\n]{1,200}\*(?!\*)",
        rf"(?-i:\bRT) @\w+.*$|^[ \t*-]*(?:{any_of(words.SPEAKER_LABELS)}):[ \t]+(?:{any_of(FIRST_NAMES)})\b(?: (?-i:[A-Z])\w+){{0,2}}[ \t]*\n(?s:.*)",
    )
)
_QUOTED = deferred(r"\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|„[^“”\n]{1,2000}[“”]|«[^»\n]{1,2000}»|「[^」\n]{1,2000}」|(?<![\w])'(?=\w)[^'\n]{2,300}[^'\ns]'(?!\w)|(?<!\w)‘[^’\n]{2,300}’(?!\w)")  # fmt: skip
_SPEECH = deferred(r"(?i)\b(?:i|i'm|im|my|me|we|our|you|ich|je|yo|io|eu|ik|always|never|from now on|answer|reply|respond)\b|[!?.]|我|私|я|です|ます|僕|喜欢|很|是")  # fmt: skip
_TITLE_WORDS = 6
_STRANGERS = ROLES | FIRST_NAMES | words.OTHERS | words.SPEAKER_LABELS | words.WORKED_ON
_STRANGERS = (_STRANGERS | words.HELPERS) - words.OWN_LABELS
_PEOPLE = _STRANGERS | KIN | MANY_KIN
_OWN = words.OWN_LABELS | MONTHS | {""}
_EDGES = f" \t*_•-–—.,()[]#{COVER}"
_LABEL = deferred(r"(?m)(?:^|(?<=[.!?] ))((?:[^\n:.!?]|\.(?=[\w:])|(?<=\d):(?=\d\d)){1,60}):(?:\*\*)?[ \t]+(?=(\S[^\n]{0,300}))")  # fmt: skip
"""What stands before a colon at the beginning of a line or sentence, and what stands behind it."""

_SPEAKERS = FIRST_NAMES - PLACES - words.OWN_LABELS - {"christian", "julia", "victoria"}
_BRACKETED = deferred(rf"(?im)^\[(([^\W\d_]+)(?: (?-i:[A-Z])\w+(?=\]:))?)\](?! [^\n]*\b\2\b):?(?=[ \t]+{_MINE})")  # fmt: skip
"""A speaker or a topic in brackets; who is named again in the same line is a topic."""

_NUMBER = deferred(r"[\[(#]*\b\d[\d./:-]*(?:st|nd|rd|th|am|pm)?\b[\])]*")
_TOLD = r"(?<=\w )(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bas )(?<!\bhere )(?<!\bbe )(?:(?:say|tell|writ|ask|claim|stat|explain)(?:s|es|e|ed|ing)?|said|told|wrote|replie[sd]|answered|texted|posted|sent|shared|goes|went|reads|(?:is|was|'s|were) (?:all |just )?like)(?: (?:me|us|him|her|them))?$"
"""The end of a label after which somebody else speaks: "and then Rosa goes"."""

_SENTENCE = deferred(rf"(?i)(?!.*{_TOLD})(?:(?:^|.*[ ,])(?:(?:i(?:'\w+)?|we|it|mind|memory|forget|remember)(?: |$)|(?:is|are|was|were|has|have|had|will) )|(?:hi|hey|hello|dear|sorry|thanks)\b)")  # fmt: skip
"""A label in which the speaker talks or greets: "the boss is new"."""

_OF_ANOTHER = deferred(rf"(?i){_TOLD}|^(?!(?:{any_of(words.FILLERS)}|{any_of(words.OWN_LABELS)})\b)\S+ (?:from|at) |\b(?:s?he|they|him|his|hers?|them|theirs?|your(?! info)|some(?:one|body)|\w*(?:mate|man|men|lady|guy)s?|(?!(?:here|there|that|what|it|let|today|tonight|tomorrow|\w+day|year|week|month)')\w+'s(?!.* thing$))(?!\w)")  # fmt: skip
_TOPIC = deferred(rf"(?i)(?:{any_of(words.FILLERS)}|{any_of(words.OWN_LABELS)}|\w+day|for|in|about|as|to|by|on|at|with|what|where|when|why|how|here's)\b|(?!(?:the|an?) )(?:(?:my|our) |[^ :]+ [^ :]+ )(?!.*: (?:always|never|from now on)\b)")  # fmt: skip
"""The beginning of one's own words, three words or more, or one's own: "change of plan: I ..."."""

_FIRST_PERSON = deferred(rf"(?i)(?:(?:hi|hello|hey|dear)\b[^,.\n]{{0,20}}, )?(?:{_MINE}|always\b|never\b|from now on\b)")  # fmt: skip
_OF_THE_LABEL = deferred(r"(?i)(?:i|we)\b(?:'\w+)?(?: (?!(?:my|our)\b)[\w'-]+){0,5}? (?:both|him|his|hers?|them|s?he(?! sa))\b")  # fmt: skip
"""What is said of who stands before the colon: "my boss: I like her"."""

_STAMP = r"[\[(]?\d?\d:\d\d(?::\d\d)?(?: ?[ap]m)?[\])]?"
_TURN = deferred(rf"(?m)^[ \t]*([^\W\d_]\w{{1,20}})(?: [A-Z]\w{{1,20}})?(?:(?P<stamp>,?[ \t]+{_STAMP})?(?: ?\([^()\n]{{1,40}}\))?[ \t]*\n(?=[ \t]*\S)|(?P<dash> [-–—] (?=(?i:{_MINE})))|[ \t]+(?=(?:I|I'm|me|my|we)\b))")  # fmt: skip
"""The beginning of a turn in a pasted chat or play without colons: a name, alone or before "I"."""

_GREETING = deferred(r"(?i)\A\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to whom)\b[^\n]{0,60}\n")  # fmt: skip
_SIGNED = deferred(r"(?i)\n[ \t]*(?:(?:best|kind|warm|with)?[ ]*(?:regards|wishes)|sincerely|yours (?:truly|sincerely|faithfully)|cheers|best|thanks|thank you|respectfully|love),?[ \t]*\n\s*\S")  # fmt: skip
LETTER = deferred(
    r"(?im)^[ \t]*(?:dear (?:sir|madam|hiring|mr|ms|mrs|dr|team|customer|all|prof|\w+[ ,])|subject:|"
    r"betreff:|sehr geehrte|to whom it may|(?:asunto|assunto|oggetto|objet|onderwerp|fwd?):|-{2,} ?(?:original|forwarded) message\b|begin forwarded message\b|"
    rf"(?:from|von|van|de|da) ?: (?=[^\n]{{1,200}}\n[ \t]*[^\W\d_][\w-]{{0,11}} ?: )(?=(?:{any_of(FIRST_NAMES)})\b|(?:[^\n]{{1,200}}\n[ \t]*[^\W\d_][\w-]{{0,11}} ?: ){{0,6}}?(?:[^\n]{{0,200}}[@<]|[^\n]{{1,200}}\n[ \t]*(?:subject|re|sent|date|betreff|gesendet|datum|asunto|assunto|enviado|fecha|data|oggetto|inviato|objet|envoyé|onderwerp|verzonden) ?: ))|(?![^\n]{{0,200}}\bI(?:'ve|'d)?(?: (?:have|had|already|just|also|once|last \w+|yesterday|earlier|before|recently|previously)){{0,3}} wrote\b)[^\n]{{0,200}}\b(?:wrote|schrieb(?! ich\b)|a écrit|escribió|escreveu|ha scritto|schreef(?! ik\b))\b[^\n]{{0,80}}:[ \t]*$)"
)
"""A letter or a mail, with its headings or the line that is above one when it is answered."""


def own_words(text: str, speaker: str | None) -> str:
    """Cover with `COVER` what is not the speaker's own; the length stays."""
    text = _IN_LAW.sub(lambda match: match[0].replace(" ", "-"), text.translate(_STRAIGHT))
    if speaker and text[: len(speaker) + 1].casefold() == f"{speaker.casefold()}:":
        text = _cover(text, 0, len(speaker) + 1)
    if _ORDERS.search(text) or (not speaker and _ANOTHER.search(text)):
        return COVER * len(text)
    mine = (speaker or "").casefold().split()[:1]
    for label in filter(_is_speaker, _BRACKETED.finditer(text)):
        said_by = COVER if label[2].casefold() in mine else f"{label[1]}:"
        text = f"{text[: label.start()]}{said_by.ljust(len(label[0]))}{text[label.end() :]}"
    for block in _BLOCKS:
        text = block.sub(_covered, text)
    text = _QUOTED.sub(_cover_speech, text)
    text = _cover_dialogue(_cover_letters(text), (speaker or "").casefold())
    for cue in _PASTED:
        if match := cue.search(text):
            text = _cover(text, match.end(), len(text))
    text = _PASTED_BEFORE.sub(_covered, text)
    if _TALE.search(text) and FANTASY.search(text):
        return COVER * len(text)
    return _unwrapped(_cover_jokes(_cover_played(text)))


_STRAIGHT = str.maketrans(
    {**dict.fromkeys("’ʼ‛＇´′", "'"), **dict.fromkeys("\xa0\u2009\u202f\u3000", " ")}
)


def _cover(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{COVER * (end - start)}{text[end:]}"


def _covered(match: re.Match[str]) -> str:
    return COVER * len(match[0])


def _cover_speech(match: re.Match[str]) -> str:
    """Leave short titles and names: my favourite film is "Alien"."""
    inner = match[0][1:-1]
    is_title = len(inner.split()) <= _TITLE_WORDS and not _SPEECH.search(inner)
    return match[0] if is_title else COVER * len(match[0])


def _cover_dialogue(text: str, mine: str) -> str:
    """Cover the lines of a pasted conversation and what others say behind a label."""
    turns = [one for one in _TURN.finditer(text) if not _is_own_label(one[1])]
    names = [one[1].casefold() for one in turns]
    is_stamped = any(one["stamp"] for one in turns) and len(set(names)) < len(names)
    is_dashed = any(one["dash"] and one[1].casefold() in FIRST_NAMES for one in turns)
    if is_dashed or (len(turns) > 1 and (is_stamped or FIRST_NAMES.intersection(names))):
        return _cover(text, turns[0].start(), len(text))
    labels = [
        (line, _NUMBER.sub("", line[1]).strip(_EDGES).casefold()) for line in _LABEL.finditer(text)
    ]
    others = {name: line for line, name in labels if not _is_own_label(line[1], line[2])}
    others.pop(mine, None)
    is_chat = sum(f"\n{text}"[line.start()] == "\n" for line in others.values()) > 1
    for line, name in labels:
        is_named = is_chat or name in FIRST_NAMES | words.SPEAKER_LABELS
        is_new = name in others and text[line.end()] != COVER
        if is_new and (is_named or _is_said_by(name, line[2])):
            text = _cover(text, line.start(), f"{text}\n".index("\n", line.end()))
    return text


def _is_speaker(label: re.Match[str]) -> bool:
    """Return whether a word in brackets names somebody, and no place, language, faith or topic."""
    name, small = label[2], label[2].casefold()
    is_topic = small in FIRST_NAMES | words.OWN_LABELS or is_word(small)
    return small in _SPEAKERS or (name.istitle() and not is_topic)


def _is_own_label(label: str, said: str = "") -> bool:
    """Return whether a label begins the speaker's own words: it names a topic and nobody."""
    plain = _NUMBER.sub("", label).strip(_EDGES)
    topic = re.sub(r"^(?:the|my|our) | (?:is|are|was)$", "", plain.casefold())
    parts = ["", *re.findall(r"[^\W\d_](?:[^\s(),]*\w)?", topic)]
    named = {*parts, *(part.removesuffix("s") for part in parts)}
    if plain.casefold() in _OWN | words.FILLERS or _SENTENCE.match(plain):
        return True
    if _OF_ANOTHER.search(plain) or named & _STRANGERS - {"a"}:
        return False
    if parts[-1] in _OWN or parts[-1].endswith("day"):
        return True
    is_name = re.search(r" [A-Z][a-z]+$", plain) is not None and parts[-1] not in PLACES
    is_nobody = plain == label.strip(_EDGES) and not is_name and named.isdisjoint(_PEOPLE)
    return is_nobody and _TOPIC.match(f"{plain}: {said}") is not None


def _is_said_by(label: str, said: str) -> bool:
    """Return whether a label's words speak of their writer, and not of whom or what it names."""
    last = re.escape(label.rpartition(" ")[2])
    of_the_label = re.match(rf"[^.,;!?]*\b{last}s?\b", said.casefold()) or _OF_THE_LABEL.match(said)
    return _FIRST_PERSON.match(said) is not None and of_the_label is None


def _cover_played(text: str) -> str:
    """Cover what is played: all from the line on, or from the sentence that only mentions a game."""
    for match in _PLAYED.finditer(text):
        if is_for_work(text, match):
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        if _MENTIONED.match(match[0]):
            start = max(start, *(text.rfind(mark, 0, match.start()) + 1 for mark in ".!?"))
        return _cover(text, start, len(text))
    return text


def is_for_work(text: str, part: re.Match[str]) -> bool:
    """Return whether the assistant is to be a copywriter, not a pirate: the user is still themselves."""
    if not _HIRED.match(text, part.start()):
        return False
    role = text[part.end() : part.end() + 60]
    named = re.split(r"[.,;:!?\n]| (?:who|that|and|with|in|for|at|of) ", role, maxsplit=1)[0]
    is_trade = not (ROLES | words.HELPERS).isdisjoint(named.casefold().split())
    return is_trade and not FANTASY.search(role)


def _unwrapped(text: str) -> str:
    """Join the lines of a wrapped sentence; a list, a heading and a chat keep their lines."""
    return _WRAPPED.sub(lambda match: f"{match[0][:-1]} ", text)


def _cover_letters(text: str) -> str:
    """Cover a letter with its greeting and signature: its writer is unknown."""
    if "\n" not in text:
        return text
    if _GREETING.search(text) and _SIGNED.search(text):
        return COVER * len(text)
    letter = LETTER.search(text)
    return text if letter is None else _cover(text, letter.start(), len(text))


def _cover_jokes(text: str) -> str:
    """Cover each line up to its mark of a joke; a mark of its own line covers the one before."""
    parts, at = [], 0
    for mark in _JOKE.finditer(text):
        if _EARNEST.search(text, max(0, mark.start() - 12), mark.end()):
            continue
        begin = max(at, text.rfind("\n", at, len(text[: mark.start()].rstrip(" \n,.ahlo"))) + 1)
        parts += [text[at:begin], COVER * (mark.end() - begin)]
        at = mark.end()
    return "".join((*parts, text[at:]))
