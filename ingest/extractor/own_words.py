"""What of a text are the user's own words, said in earnest; the rest is covered from the rules.

A turn is full of other words: quoted mail, code, logs, lyrics, a letter to be proofread, a part in
a game. Covering keeps every character in its place, so that a fact still knows where it stands.
"""

import re

COVER = "\x00"
"""No rule's pattern matches it, and a sentence ends where it begins."""

_PASTED = re.compile(
    r"""(?:(?<!before\ you\ )\b(?:translat\w+|proof-?read\w*|proof|correct|fix|edit|rewrite|"
    r"rephrase|paraphrase|"
    r"improve|
    polish|summari[sz]\w*|tl;?dr|shorten|spell-?check|review|critique|check|analy[sz]\w*|explain|reply|
    respond|answer|convert|parse|format|classify|label|continue|complete|transcri\w+|grammar|caption|
    example|examples|template|prompt|lyrics|poem|song|quote|sentence|sentences|phrase|text|texts|
    paragraph|passage|excerpt|letter|e-?mail|message|mail|essay|article|draft|story|script|dialogue|
    dialog|transcript|chat|log|logs|bio|resume|cv|statement|post|tweet|comment|ad|advert|profile|
    tagline|slogan|monologue|speech|testimonial|review|input|output|says|said|wrote|writes|reads|
    reading|goes|starts|begins|sings|translation|means?|meaning|following|this|it|below|abstract|
    übersetze?|traduis|traduce|traduci|korrigiere)
    \b[^\n:.?!]{0,80}:\s*(?=\S))""",
    re.IGNORECASE | re.VERBOSE,
)
"""A request about words that follow its colon: what follows is somebody's text."""

_PASTED_AFTER = re.compile(
    r"\b(?:summari[sz]e|translate|proof-?read|correct|fix|edit|rewrite|rephrase|paraphrase|"
    r"improve|polish|shorten|check|"
    r"review|make|turn|convert|grade) (?:\w+ ){0,3}?(?:this|the following|below|"
    r"these)\b[^\n.?!:]{0,60}[.?!:]\s+(?=\S)",
    re.IGNORECASE,
)
_PASTED_BELOW = re.compile(
    r"\b(?:translate|proof-?read|correct|fix|edit|rewrite|rephrase|paraphrase|improve|polish|"
    r"summari[sz]e|shorten|review|critique|reply to|respond to|answer|lyrics|draft|e-?mail|letter|"
    r"essay|cv|resume|transcript|below|following)\b[^\n]{0,160}\n\s*\n?(?=\S)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:role-?play\w*|rp:|ooc\b|act as|acting as|pretend (?:to be|that|you|i|we)|you are "
    r"(?:now )?"
    r"(?:a|an|the|my)\b|you're (?:now )?(?:a|an|the) |imagine (?:that )?(?:you|i|we)|let's say|"
    r"let us say|suppose(?!d\b)|my character|in (?:the|my|this|our) (?:game|story|novel|book|"
    r"movie|dream|"
    r"campaign|scene)|dungeons (?:and|&) dragons|play the (?:role|part) of|be my (?:dungeon|game)|"
    r"speak(?:ing)? as|from the (?:perspective|point of view) of|as if (?:you|i) were|"
    r"(?:you(?:'re| are) playing|you (?:be|play) (?:the|a|my|(?-i:[A-Z])\w+)|interview "
    r"practi[cs]e|mock interview|let's practi[cs]e|your (?:character|role) is|dungeon master|"
    r"game ?master|let's (?:play|do a)|"
    r"in (?:this|the) (?:scenario|scene|simulation|roleplay|rp)|captain's log|choose your own "
    r"adventure|text adventure)\b|"
    r"(?:(?<=^)|(?<=[.!?]\s))you(?: are|'re) (?-i:[A-Z])\w+[.,!]|\(as (?-i:[A-Z])\w+\)|"
    r"greetings,? (?:mortals?|earthlings?)|"
    r"(?:pathfinder|d&d|dnd|rpg|larp|character) (?:character|sheet|name|backstory)?:|character "
    r"(?:sheet|backstory)\b|"
    r"stay in character|i(?:'ll| will) (?:be|play) the|you(?:'ll| will) (?:be|play) the|"
    r"first[- ]person|fan ?fic\w*|once upon a time|say after me|repeat after me|spiel(?:e)? die "
    r"rolle)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|above|"
    r"earlier|preceding|system|former) (?:\w+ )?(?:instructions?|prompts?|messages?|rules?|"
    r"context)|"
    r"\bsystem prompt\b|<\|?\w*(?:system|im_start|inst)\w*\|?>|\[/?INST\]|^[ \t]*(?:system|"
    r"assistant)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
"""Text that wants to be obeyed: nothing beside it is believed."""

_JOKE = re.compile(
    r"(?:(?<=\s)/s\b|\b(?:jk|j/k|just kidding|just joking|only joking|only kidding|i'?m kidding|"
    r"i'?m joking|not really|kidding|lol no|sarcasm|joking aside|not!|psych!|as a joke|"
    r"nur spaß|war nur ein witz|je plaisante|es broma|es una broma)(?=\W|$))",
    re.IGNORECASE,
)
_EARNEST = re.compile(
    r"\b(?:no|not|without|never|i'?m not|stop) (?:just )?(?:kidding|joking|sarcas\w+)", re.I
)

_BLOCKS = (
    re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL),
    re.compile(
        r"<(script|style|pre|code|blockquote|quote|q|document|context|email|"
        r"text)\b[^>]*>.*?(?:</\1>|\Z)",
        re.DOTALL | re.I,
    ),
    re.compile(r"\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)", re.DOTALL),
    re.compile(
        r"<(p|div|span|li|h\d|b|i|em|strong|td|body|html|a|u|label)\b[^<>]{0,200}>.{0,5000}?</\1>",
        re.DOTALL | re.I,
    ),
    re.compile(r"`[^`\n]{0,300}`"),
    re.compile(r"\b(?:https?://|www\.)\S+|\b[\w.+-]+@[\w-]+\.\w[\w.-]*"),
    re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>"),
    re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE),
    re.compile(r"^(?:\t| {4,}).*$", re.MULTILINE),
    re.compile(
        r"^[ \t]*(?:\$ |# |>>> |\.\.\. |[+-]{3} |@@ |\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|"
        r"\[?\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|Traceback|File \"|at "
        r"\w[\w.$]*\().*$",
        re.MULTILINE,
    ),
    re.compile(r"^.*(?:[{};]|=>|->|\(\)|==|!=|&&|\|\||\w\(.{0,80}\)\s*:?)\s*$", re.MULTILINE),
    re.compile(r"(?<=[?:])[ \t]*\n(?:[ \t]*(?:\d{1,2}[.)]|[a-dA-D][.)])[ \t][^\n]*(?:\n|\Z))+"),
    re.compile(r"^.*[♪♫🎵🎶].*$", re.MULTILINE),
    re.compile(r"(?<![\w*])\*(?!\*)[^*\n]*\s[^*\n]*\s[^*\n]*\*(?!\*)"),
    re.compile(r"\[[^\[\]\n]{1,300}\]"),
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|„[^“”\n]{1,2000}[“”]|«[^»\n]{1,2000}»|"
    r"「[^」\n]{1,2000}」|(?<![\w])'(?=\w)[^'\n]{2,300}[^'\ns]'(?!\w)|(?<!\w)‘[^’\n]{2,300}’(?!\w)"
)
_SPEECH = re.compile(
    r"\b(?:i|i'm|im|my|me|we|our|you|ich|je|yo|io|eu|ik)\b|[!?.]|我|私|я", re.IGNORECASE
)
_TITLE_WORDS = 6
_LINE_OF = re.compile(
    r"^[ \t]*(?:\*\*)?([^\W\d][\w .'-]{0,30}?)(?:\*\*)?(?: "
    r"?[\[(][^\])\n]{1,30}[\])])?:(?:\*\*)?[ \t]+\S.*$",
    re.MULTILINE,
)
_GREETING = re.compile(
    r"\A\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to "
    r"whom)\b[^\n]{0,60}[,:!]?\s*\n",
    re.I,
)
_SIGNED = re.compile(
    r"\n[ \t]*(?:(?:best|kind|warm|with)?[ ]*(?:regards|wishes)|sincerely|yours (?:truly|sincerely|"
    r"faithfully)|cheers|best|thanks|thank you|respectfully|love)\s*,?\s*\n\s*\S",
    re.I,
)
_LETTER = re.compile(
    r"^[ \t]*(?:dear (?:sir|madam|hiring|mr|ms|mrs|dr|team|customer|all|prof|\w+[ ,])|subject:|"
    r"betreff:|sehr geehrte|to whom it may)",
    re.I | re.M,
)


def own_words(text: str, speaker: str | None) -> str:
    """Cover with `COVER` what is not the speaker's own; the length stays."""
    text = _straight(text)
    if speaker and text[: len(speaker) + 1].casefold() == f"{speaker.casefold()}:":
        text = COVER * (len(speaker) + 1) + text[len(speaker) + 1 :]
    for block in _BLOCKS:
        text = block.sub(_covered, text)
    text = _QUOTED.sub(_cover_speech, text)
    text = _cover_dialogue(text, speaker)
    text = _cover_letters(text)
    for cue in (_PASTED, _PASTED_AFTER, _PASTED_BELOW):
        match = cue.search(text)
        if match:
            text = text[: match.end()] + COVER * (len(text) - match.end())
    match = _PART.search(text)
    if match:
        begin = _line_start(text, match.start())
        text = text[:begin] + COVER * (len(text) - begin)
    if _ORDERS.search(text):
        return COVER * len(text)
    return _cover_jokes(text)


def _straight(text: str) -> str:
    """Write the many apostrophes and blanks as one; each is one character, as before."""
    return text.translate(_STRAIGHT)


_STRAIGHT = str.maketrans(
    {**dict.fromkeys("’ʼ‛＇´`′", "'"), **dict.fromkeys("\xa0\u2009\u202f\u3000", " ")}
)
_STRAIGHT.pop(ord("`"))


def _covered(match: re.Match[str]) -> str:
    return COVER * len(match.group())


def _cover_speech(match: re.Match[str]) -> str:
    """Leave short titles and names: my favourite film is "Alien"."""
    inner = match.group()[1:-1]
    if len(inner.split()) <= _TITLE_WORDS and not _SPEECH.search(inner):
        return match.group()
    return COVER * len(match.group())


def _cover_dialogue(text: str, speaker: str | None) -> str:
    """Cover the lines of a pasted conversation, but those of the speaker."""
    lines = list(_LINE_OF.finditer(text))
    names = {line[1].strip().casefold() for line in lines}
    if len(lines) < 2 or len(names) < 2:
        return text
    for line in lines:
        if not speaker or line[1].strip().casefold() != speaker.casefold():
            text = text[: line.start()] + COVER * len(line.group()) + text[line.end() :]
    return text


def _cover_letters(text: str) -> str:
    """Cover a letter with its greeting and signature: whose it is cannot be known."""
    if "\n" not in text:
        return text
    if _GREETING.search(text) and _SIGNED.search(text):
        return COVER * len(text)
    letter = _LETTER.search(text)
    return text if letter is None else text[: letter.start()] + COVER * (len(text) - letter.start())


def _cover_jokes(text: str) -> str:
    """Cover from the line's start to the mark of a joke."""
    for mark in _JOKE.finditer(text):
        if not _EARNEST.search(text, max(0, mark.start() - 12), mark.end()):
            begin = _line_start(text, mark.start())
            text = text[:begin] + COVER * (mark.end() - begin) + text[mark.end() :]
    return text


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
