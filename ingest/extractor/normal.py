"""One plain way to write a clause: contractions in full, no fillers, no adverbs before the verb.

Rules then need one form of each sentence: "im not rly into opera lol" is "I am not into opera".
"""

import re

from ingest.extractor.lexicon import DIETS, HEALTH_STATES, MARITAL, NATIONALITIES
from ingest.extractor.own_words import COVER

_QUALITIES = "|".join(
    sorted(
        (word for word in NATIONALITIES | DIETS | HEALTH_STATES | MARITAL if word.isalpha()),
        key=len,
        reverse=True,
    )
)

_SHORT: tuple[tuple[str, str], ...] = (
    (r"\b(?:i'm|im|i m|i'm)\b", "I am"),
    (r"\b(?:i've|ive)\b", "I have"),
    (r"\b(?:i'll)\b", "I will"),
    (r"\b(?:i'd)\b", "I would"),
    (r"\b(we(?=')|they|you)'?re\b(?!')", r"\1 are"),
    (r"\b(we|they|you)'ve\b", r"\1 have"),
    (r"\b(we|they|you|she|he|it)'ll\b", r"\1 will"),
    (r"\b(we|they|you|she|he)'d\b", r"\1 would"),
    (r"(?<=[a-z])'s got (?=(?:an?|two|three|four|no|his|her|its)\b)", " has "),
    (r"'s (?=(?:next|this) \w+$|tomorrow\b)", " is "),
    (r"\b(she|he|it|that|there|here|name|what|who)'s\b", r"\1 is"),
    (rf"(?<=\w)'s (?=(?:{_QUALITIES})\b)", " is "),
    (
        r"'s (?=(?:a|an|the|called|named|from|allergic|married|pregnant|in|on|at|not|turning|"
        r"getting|going|moving|living|working|studying|due|\d+)\b)",
        " is ",
    ),
    (r"\b(?:can't|cant|can not|cannot)\b", "cannot"),
    (r"\b(?:won't|wont)\b", "will not"),
    (r"\b(?:shan't)\b", "shall not"),
    (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t\b", r"\1 not"),
    (r"\bain'?t\b", "am not"),
    (
        r"\b(have|has) got (?!married|divorced|engaged|promoted|laid|fired|hired|accepted|"
        r"pregnant|back|used|stuck|lost|"
        r"into|to\b|sober|better|worse|rid|over)",
        r"\1 ",
    ),
    (r"\bw/? (?=(?:my|a|the|two|our|his|her)\b)", "with "),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"\b(?:luv|lurve|looove+|lo+ve{2,}|loo+ve)\b", "love"),
    (r"\b(love|really|so|very|hate) (?:\1 )+", r"\1 "),
    (
        r"\bI (?:tend to|have come to|have grown to|grew to|learned to|came to) (?=love|like|"
        r"hate|prefer|avoid|dislike|enjoy)",
        "I ",
    ),
    (r"\bh8\b", "hate"),
    (r"\b(?:fav|fave|favs|faves)\b", "favourite"),
    (r"\bu\b", "you"),
    (r"\b(?:rly|realy|rlly)\b", "really"),
    (r"\b(?:bday|b-day)\b", "birthday"),
    (r"\bmarrid\b", "married"),
    (r"(?<=\d)[ -]?(?:yrs?|y\.?o\.?|y/o)(?: old)?(?=\W|$)", " years old"),
    (r"\b(any ?more|any longer|nowadays)\b", r"\1"),
    (r"\s{2,}", " "),
)
_SHORT_FORMS = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _SHORT)

_SHORTENED = re.compile(
    r"'|\s\s|\b(?:im|i m|ive|(?:do|does|did|is|are|was|were|has|have|had|would|could|should)nt|"
    r"youre|theyre|cant|can|"
    r"wont|aint|gonna|wanna|gotta|lu?r?ve?|loo+v?e*|lo+ve{2,}|h8|favs?|faves?|u|rl?ly|realy|bday|"
    r"b-day|marrid|w|got|"
    r"tend|come|grown|grew|learned|came|(?:love|really|so|very|hate) (?:love|really|so|very|"
    r"hate))\b|"
    r"\d[ -]?(?:yrs?|y)\b|\by\.?/?o",
    re.IGNORECASE,
)
"""What any of the short forms has: most clauses have none."""

_FILLER = re.compile(
    r"(?:(?:well|so+|oh+|ok(?:ay)?|yea+h?|yes|yep|yup|no(?=\s*[,.!])|nope|nah|hey+|hi+|hello|"
    r"haha\w*|lol|"
    r"lmao|hmm+|"
    r"um+|uh+|ah+|aw+|wow|ooh|sure|thanks(?: (?:so much|a lot|for \w+(?: \w+)?))?|thank you(?: "
    r"so much)?|"
    r"anyway|anyways|actually|honestly|frankly|basically|btw|by the way|fyi|also|plus|and|but|then|"
    r"because|cause|cuz|bc|since|although|though|while|besides|personally|tbh|to be (?:honest|"
    r"fair|clear|precise)|"
    r"(?:background|context|about me|intro|info)(?: (?:for|to|on) my \w+)?:|in fact|as for me|as "
    r"a matter of fact|for (?:the record|context|reference|background|info|"
    r"what it's worth)|"
    r"just so you know|just (?:fyi|for context|to clarify)|as you (?:know|may know|can see)|"
    r"(?:some |quick |a bit of )?(?:context|background|about me|info|note|update|intro)\s*:|"
    r"(?:also|first|second|third)ly|first of all|"
    r"the thing is|the truth is|you know(?: what)?|you see|i mean|i must (?:say|admit)|i have to "
    r"(?:say|admit|confess)|"
    r"i (?:should|need to|might|can|want to) (?:add|mention|say|note|tell you)(?: that)?|let me "
    r"(?:tell you|add|introduce myself)|"
    r"i (?:just )?(?:wanted to|want to) (?:say|tell you|mention|let you know)(?: that)?|"
    r"i (?:already )?(?:told you|said|mentioned)(?: that)?(?: (?:already|before|earlier))?|"
    r"(?:good|great|nice) (?:morning|evening|afternoon|question|to (?:meet|see|hear from) you)|"
    r"before you (?:answer|ask|start)|(?:it )?turns out(?: that)?|(?:just a |quick |small "
    r")?reminder(?: that|:)|(?:so )?guess "
    r"who|no (?=thx|thanks|thank you)|(?:no )?thx|ty|whereas|"
    r"bro|dude|ugh|yay|woohoo|yo+|sup|omg|alas|happily|thankfully|weirdly|funnily enough|big day|"
    r"small world|ew+|yuck|seeing as|seeing that|given that|(?:what a |it's a )?(?:shame|pity)|"
    r"good thing|no wonder|(?:can you |please )?help me (?:word|plan|choose|decide|pick|find|"
    r"prepare) [\w ]{2,30}?(?=:)|"
    r"(?:on a (?:brighter|happier|lighter|side|personal|positive) note)|my big news|"
    r"(?:i am|we are) (?:so |very |really |super )?(?:happy|proud|excited|thrilled|pleased|glad|"
    r"delighted|sad|sorry) to (?:say|announce|share|report|tell you)(?: that)?|"
    r"i (?:still )?cannot believe(?: that)?(?= i (?:have|got|just|finally|actually|passed|won)\b)|"
    r"fun fact|update|news|good news|bad news|great news|big news|guess what|correction|sorry|"
    r"oops|wait|"
    r"for me|in my case|these days|nowadays|currently|right now|at the moment|lately|recently|as "
    r"always|"
    r"as of (?:today|now)|from now on|yesterday's|luckily|fortunately|unfortunately|sadly|finally|"
    r"today|yesterday|tomorrow|tonight|last (?:week|month|year|night|summer|winter|spring|fall|"
    r"autumn)|"
    r"on the (?:other|plus|bright) (?:hand|side)|usually|normally|generally|growing up|obviously|"
    r"clearly|"
    r"apparently|of course|certainly|indeed|absolutely|exactly|same here|me too|right|true|again|"
    r"still|now|"
    r"there|everyone(?! calls?)|all(?! (?:my|i))|guys|folks|mate|man|dude|bro|team)"
    r"(?=[\s,.!:;…~-]|$)[\s,.!:;…~-]*)",
    re.IGNORECASE,
)
_UNIT = (
    r"(?:week|month|year|night|summer|winter|spring|fall|autumn|weekend|\w+day|"
    r"(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b)"
)
_TIMES = re.compile(rf"^(?:today|yesterday|tomorrow|tonight|last {_UNIT})$", re.IGNORECASE)
_LEADING_TIME = re.compile(
    rf"^((?:(?:on |at )?(?:the )?weekends?|in the (?:mornings?|evenings?)|every (?:(?:other|"
    rf"second|third|few|two|three) "
    rf")?(?:day|week|month|year|summer|winter|spring|autumn|fall|morning|evening|night|weekend|"
    rf"\w+day|christmas|easter)s?|"
    rf"most (?:mornings|days|evenings|nights|weekends)|(?:last|next|this|every|each) "
    rf"(?:{_UNIT}|morning|evening|january|february|march|april|"
    r"may|june|july|august|september|october|november|december)|"
    r"(?:on|in|at|by|since|from|starting|until|around|back in|early|late|about)? ?(?:[^\s,]+ "
    r"){0,3}?(?:\d{4}|"
    r"\w+days?|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)(?: \d+\w*)?|"
    r"(?:days?|weeks?|months?|years?) (?:ago|later|from now)|(?:days|weeks|months))"
    r"(?: (?:morning|evening|night|afternoon))?)),? (?=(?:i|we|my)\b)",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|christmas|"
    r"easter)",
    re.IGNORECASE,
)
"""What is written with a capital wherever it stands."""
_GREETED = re.compile(
    r"^(?:hey|hi|hello|thanks|yeah|wow|oh|thank you),? (?-i:[A-Z])[\w'-]+(?: "
    r"(?-i:[A-Z])[\w'-]+)?[,!.]\s*",
    re.I,
)
_ADVERBS = (
    r"(?:really|just|actually|also|still|currently|now|absolutely|totally|honestly|simply|truly|"
    r"definitely|kinda|kind of|sort of|sorta|pretty much|especially|particularly|"
    r"recently|finally|even|already|basically|literally|personally|secretly|genuinely|quite|"
    r"rather|so|much|very much|very|deeply|dearly|"
    r"obviously|certainly|too|both|all|(?:do|does)(?= (?:like|love|enjoy|have|hate|prefer|"
    r"want|live|work|own|play))|fucking|freaking|super|originally|officially|"
    r"proudly|"
    r"happily|unfortunately|sadly|luckily|fortunately|apparently|clearly|strongly|fully|completely|"
    r"myself|therefore|thus|eventually|newly|severely|extremely|deathly|highly|mildly|slightly|"
    r"badly|terribly)"
)
_BEFORE_VERB = re.compile(
    rf"^(I|we)((?: (?:am|are|have|will))?)(?: {_ADVERBS}(?=\s))+(?! not\b)", re.IGNORECASE
)
_AFTER_BE = re.compile(rf"^((?:I am|we are)(?: not)?)(?: {_ADVERBS}(?=\s))+", re.IGNORECASE)
_WE_ARE = re.compile(r"^we are\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:[\s,]+(?:lol|lmao|haha\w*|hehe\w*|tbh|imo|imho|btw|too|as well|also|though|tho|a lot|so "
    r"much|very much|"
    r"the most|you know|and stuff|and such|etc\.?|please|pls|thanks|thank you|xd|rn|right now|at "
    r"the moment|atm|"
    r"these days|nowadays|now|currently|lately|actually|honestly|really|by the way|for sure|"
    r"indeed|of course|"
    r"in fact|i guess|i think|i suppose|fyi|to be honest|if you must know|if that helps|in case "
    r"it matters|again|"
    r"nice to meet you|pleased to meet you|so far|finally|no joke|no kidding|for real|seriously|"
    r"i swear|"
    r"believe it or not|already|personally|instead|anyway|or so|"
    r"dude|man|bro|mate|"
    r"in general|more than anything|with all my heart|like crazy|to death|to bits|unfortunately|"
    r"sadly|"
    r"for (?:context|reference|the record)|and you|everyone|guys|yay|woohoo)|\s*[:;=]-?[)(DPp]+|"
    r"\s*<3)+$",
    re.IGNORECASE,
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d\U000e0020-\U000e007f]+"
)
_EDGES = " \t\r\n,.!;:-–—…*_~()\"“”«»'•·#" + COVER


_ME_AND = re.compile(r"^me and (my [\w-]+)", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"^(?:just |finally |also |recently |officially |still |now |already )?(?:took|got|ran|moved|"
    r"went|visited|bought|adopted|"
    r"joined|graduated|quit|lost|had|met|"
    r"signed up|attended|travell?ed|flew|hiked|saw|won|became|broke|lived|worked|grew up|used to|"
    r"started|finished|began|"
    r"opened|retired|turned|passed|stopped|gave up|sold|been(?= (?:\w+ing|an?|to|vegan|"
    r"vegetarian|married|living))|"
    r"trying to(?= (?:lose|quit|get|learn|save|move))|looking for(?= an? (?:new )?(?:job|flat|"
    r"apartment|house))|"
    r"(?:love|hate|enjoy|adore|dislike)(?= (?!to (?:see|hear)|and|is\b|him|her|them|u\b|how|what|"
    r"when|me\b|life|the|my|letters?|songs?|story|stories|island))|"
    r"can't stand|cannot stand|don't(?= (?:like|eat|drink))|do not(?= (?:like|eat|drink))|"
    r"start(?= (?:on |next |this )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|in))|"
    r"switched(?= to )|cancel+ed(?= (?-i:[A-Z]))|have not(?= (?:eaten|smoked|drunk|touched|"
    r"had))|going to be(?= in )|"
    r"(?:off|going) to(?= (?-i:[A-Z])\w+ )|type [12] diabetic|diagnosed(?= with)|pregnant(?= with)|"
    r"(?:driving|heading|travell?ing|off|cycling|sailing) to|visiting(?= .*\b(?:on|in|next|this|"
    r"tomorrow|tmrw)\b)|have to be out(?= (?:by|of))|"
    r"called off|"
    r"allergic to|born(?= (?:in|on|and))|"
    r"living in|working(?= (?:as|at))|married(?= (?:to|with|for|my|two|three|and))|moving to|"
    r"flying to|getting married|"
    r"no longer|not(?= (?:an? (?:big |huge )?fan of|into|keen on|fond of|an? .+ any ?more))|"
    r"(?:big|huge) fan of|vegetarian|vegan)"
    r"(?! (?:you|it|this|that|these|those|error|stuck)\b)(?= \w|$)",
    re.IGNORECASE,
)
"""Words that begin a sentence whose "I" goes without saying."""
_WITHOUT_BE = re.compile(
    r"^I (?:just |finally |also |officially |still |now |already )?(?=trying|looking|allergic|"
    r"living|working|married|moving|"
    r"flying|getting|vegetarian|vegan|not\b|big fan|huge fan|off to|going to|type [12]|pregnant|"
    r"driving|heading|travell?ing|cycling|sailing|visiting|diagnosed)"
)


_BARE_DAY = re.compile(
    r"\b(start|starting|starts|fly|flying|flies|leave|leaving|leaves|arrive|arriving|arrives|move|"
    r"moving|land|landing|return|returning|begin|begins) (?=(?:mon|tues|wednes|thurs|fri|satur|sun)"
    r"day\b(?! (?:morning|evening|afternoon|night)))",
    re.IGNORECASE,
)
_DATED_THINGS = (
    r"(?:driving test|passport|visa|lease|work permit|green card|tenancy|due date|wedding|exams?|"
    r"finals|dentist appointment|doctor's appointment|(?:first|next|last) (?:gig|show|concert|"
    r"game|match|exam|class|lesson|appointment|shift|session|chemo)|surgery|flight|job interview|"
    r"checkup|viva)"
)
_NO_OWNER_OF = re.compile(
    rf"^(?={_DATED_THINGS} (?:is|are|expires?|ends?|runs out|starts?|begins?) )", re.IGNORECASE
)
_NO_OWNER = re.compile(
    rf"^({_DATED_THINGS})(?!.*\b(?:is|are|was|tv)\b)(?= (?:(?:at|in) (?:the )?(?:\w+ ){{1,3}})?"
    r"(?:on (?:the \d|\d|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|"
    r"nov|"
    r"dec)[a-z]*\b)|next |tomorrow\b)(?: ?\S+){0,4}$)",
    re.IGNORECASE,
)
"""What has a day of its own, and whose "my" goes without saying."""

_OPEN_BRACKET = re.compile(r"(?<=\w)\s*\([^()]*$")
"""An aside, of which the clause has the beginning alone."""


def _owned(match: re.Match[str]) -> str:
    return f"my {match[1].lower()} is"


def plain(clause: str) -> str:
    """Give the clause as the rules expect it: "Well, I'm rly into it!" is "I am into it"."""
    text = _OPEN_BRACKET.sub("", _EMOJI.sub(" ", clause)).strip(_EDGES)
    if _SHORTENED.search(text):
        for pattern, replacement in _SHORT_FORMS:
            text = pattern.sub(replacement, text)
    text = _ME_AND.sub(r"\1 and I", _without_head(text))
    text = _BARE_DAY.sub(r"\1 on ", text)
    if _NO_OWNER_OF.match(text):
        text = f"my {text[0].lower()}{text[1:]}"
    text = _NO_OWNER.sub(_owned, text)
    if _NO_SUBJECT.match(text):
        text = f"I {text[0].lower()}{text[1:]}"
        text = _WITHOUT_BE.sub("I am ", text).replace("I been ", "I have been ", 1)
        text = text.replace("I born ", "I was born ", 1)
    return _without_tail(_without_adverbs(text)).strip(_EDGES)


_HEARD = r"(?=(?:I|I'm|I am|I've|I have|we|we're|we've|we have)\b)"
_FRONT = re.compile(
    r"^(?=(?:and |but |so )?(?:ever|since|after|before|during|throughout|as of|unlike|like|besides|"
    r"apart|aside|other|despite|because|thanks|due|in|together|with|between)\b)"
    rf"(?!(?:[^,]* )?(?:bug|version|update|errors?|code|api|app|call|meeting|answer|reply|"
    rf"question|"
    rf"game|story|dreams?|movie|book|film|novel|character|teacher|luck|quote|song)\b)"
    rf"(?:and |but |so )?(?:(?:(?:ever )?since|after|before|during|throughout|as of) "
    rf"(?!(?:this|that|these|it|all|you|then|reading|reviewing|looking|trying|running|work|school|"
    rf"dinner|lunch|breakfast|bed)\b)(?:(?!\b(?:I|we|you)\b)[^,]){{3,60}}(?:,|(?=(?<!I) I\b)) ?"
    r"|(?:(?:unlike|like)(?= (?:my|most|many|all my) )|besides|apart from|aside from|other than|"
    r"despite|because of|thanks to|due to|"
    r"in addition to|together with|with (?:two|three|four|five|six|a|my|our|the)|in my (?:family|"
    r"culture|country|house|household|town|city|village|job|spare time|free time)|between) "
    r"(?!(?:this|that|these|it|you|your)\b)(?:(?!\b(?:I|we|you|your)\b)[^,]){2,60}, )"
    rf"{_HEARD}",
    re.IGNORECASE,
)
"""What stands before the main clause and neither doubts nor dates it."""


def _without_front(text: str) -> str:
    return text if _LEADING_TIME.match(text) else _FRONT.sub("", text)


def _without_head(text: str) -> str:
    text, when = _without_front(_GREETED.sub("", text)), ""
    leading = _LEADING_TIME.match(text)
    if leading:
        text, when = text[leading.end() :], leading[1]
    for _ in range(6):
        match = _FILLER.match(text)
        if match is None or match.end() == len(text):
            break
        word = match.group().strip(_EDGES)
        when = word if _TIMES.match(word) else when
        text = _GREETED.sub("", text[match.end() :])
        leading = _LEADING_TIME.match(text)
        if leading:
            text, when = text[leading.end() :], leading[1]
    when = re.sub(r"^(?:just|only) ", "", when, flags=re.IGNORECASE)
    when = when if _CALENDAR.match(when) else when[:1].lower() + when[1:]
    return f"{text} {when}" if when and not text.lower().endswith(when.lower()) else text


def _without_adverbs(text: str) -> str:
    text = _AFTER_BE.sub(r"\1", _BEFORE_VERB.sub(r"\1\2", text))
    return re.sub(
        rf"^(I (?:do not|cannot|will not))(?: {_ADVERBS}(?=\s))+", r"\1", text, flags=re.I
    )


def _without_tail(text: str) -> str:
    shorter = _TAIL.sub("", text.rstrip(_EDGES))
    return shorter if shorter.strip() else text
