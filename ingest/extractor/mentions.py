"""What is taken for granted, also in a question: "Theo, my husband", "as a dad, can I".

Whatever the sentence around them says or asks, these are true of the speaker.
"""

import re
from collections.abc import Iterator
from functools import cache

from ingest.extractor.lexicon import NATIONALITIES, PEOPLE
from ingest.extractor.normal import plain
from ingest.extractor.reading import read
from ingest.extractor.rules.rule import RELATION
from ingest.extractor.subjects import Statement, statement
from ingest.extractor.values import Candidate
from ingest.extractor.wording import POINTING, Told, base_form

_PRESUPPOSED = frozenset(
    ("habit", "identity", "health", "relation", "work", "state", "preference", "place")
)
_SAID = frozenset(("bare name", "member"))
"""Rules that need an "I am": "being part of a choir is fun" says it of anybody."""
_NO_NAME = (
    r"(?:I|Last|Next|In|On|At|Today|Yesterday|Tomorrow|Every|So|And|But|Yes|Yeah|No|Well|Also|Thanks|Thank|Hey|Hi|Hello|"
    r"Oh|Ok|Okay|Wow|Sorry|Mom|Dad|Mum|God|Now|Then|Here|Sure|Like|Plus|Anyway|Actually|Honestly|This|That|He|She|They|It|"
    r"We|You|Please|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b"
)


@cache
def _apposed() -> re.Pattern[str]:
    nouns = "|".join(sorted(PEOPLE, key=len, reverse=True))
    return re.compile(
        rf"(?<![.!?:'])(?<=[a-z,] )(?P<name>(?!{_NO_NAME})[A-Z][\w-]+), my "
        rf"(?P<x>(?:[a-z-]+ )?(?:{nouns}))(?=,|\)|[.!?]|$)"
    )


@cache
def _described() -> re.Pattern[str]:
    nouns = "|".join(sorted(PEOPLE, key=len, reverse=True))
    return re.compile(
        rf"\b(?:my|My|our|Our) (?P<x>(?:[a-z-]+ )?(?:{nouns})),? who(?P<verb>'s|'re| [a-z]+) "
        rf"(?P<rest>[^,.;:!?\x00\n]{{2,80}})"
    )


_ROLE = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n)|(?<=, ))(?:[Aa]s|[Bb]eing|[Ss]peaking as) (?P<x>(?:an? |"
    r"some(?:one|body) (?:with|who)|"
    r"[a-z]+-[a-z]+|[a-z]+)[^,.?!\n\x00]{0,60}?),? (?=(?:I|I'm|I've|i|my|we|can|should|what|how|"
    r"which|is|are|do)\b)",
)


def mentions(text: str, told: Told) -> Iterator[Candidate]:
    """Give the names, the qualities and the callings that a turn takes for granted."""
    for match in _apposed().finditer(text):
        yield Candidate(
            f"{told.subject}'s {match['x']} is named {match['name']}",
            tags=RELATION.tags,
            rule="apposed name",
            start=match.start(),
            end=match.end(),
        )
    for match in _described().finditer(text):
        verb = {"'s": "is", "'re": "are"}.get(match["verb"], match["verb"].strip())
        about = statement(f"my {match['x']} {verb} {match['rest']}", told.subject)
        yield from _read(about, match, told, rule="described")
    for match in _AGED.finditer(text):
        aged = Statement(told.subject, f"am {match[1] or match[2]}")
        yield from _read(aged, match, told, rule="age in brackets")
    for match in _WHO_I_AM.finditer(text):
        who = Statement(told.subject, f"{base_form(match['verb'])} {match['rest']}")
        yield from _read(who, match, told, rule="who does")
    yield from _nations(text, told)
    for match in _GREW_UP.finditer(text):
        yield from _read(
            Statement(told.subject, f"grew up {match['x']}"), match, told, rule="growing up"
        )
    for match in _ROLE.finditer(text):
        said = match["x"]
        if POINTING.search(said.removeprefix("someone")) or "role model" in said:
            continue
        someone = re.match(r"some(?:one|body) (with|who) (.+)", said)
        if someone is None:
            predicate = plain(f"I am {said}").removeprefix("I ")
        elif someone[1] == "with":
            predicate = f"have {someone[2]}"
        else:
            verb, _, rest = someone[2].partition(" ")
            predicate = f"{base_form(verb)} {rest}"
        yield from _read(Statement(told.subject, predicate), match, told, rule="speaking as")


_WHO_I_AM = re.compile(
    r"\b(?:I'm|I am|i'm|"
    r"im) an? [a-z][^,.;:!?\x00\n]{2,60}? who (?P<verb>[a-z]+s) (?P<rest>[^,.;:!?\x00\n]{2,60})"
)


def _nations(text: str, told: Told) -> Iterator[Candidate]:
    """Give where those of one's own are from: "my American mother-in-law"."""
    for match in _of_a_nation().finditer(text):
        nation = match["nation"].title()
        yield Candidate(
            f"{told.subject}'s {match['x'].lower()} is {nation}",
            tags=RELATION.tags,
            rule="of a nation",
            start=match.start(),
            end=match.end(),
        )


@cache
def _of_a_nation() -> re.Pattern[str]:
    nations = "|".join(sorted(NATIONALITIES, key=len, reverse=True))
    nouns = "|".join(sorted(PEOPLE - {"teacher", "ex"}, key=len, reverse=True))
    return re.compile(rf"\bmy (?P<nation>{nations}) (?P<x>{nouns})\b(?!'|-|’)", re.IGNORECASE)


_AGED = re.compile(r"\b(?:I|me|i) ?\((?:(\d\d) ?[MFmf]|[MFmf] ?(\d\d))\)")
_GREW_UP = re.compile(
    r"(?:^|(?<=[.!?\n] ))(?:[Gg]rowing up|[Hh]aving grown up|[Bb]orn and raised|[Rr]aised) "
    r"(?P<x>(?:in|on|near|with) [^,.?!\n\x00]{2,40}), (?=(?:I|I'm|I've|i|my|we)\b)"
)


def _read(
    about: Statement | None, match: re.Match[str], told: Told, *, rule: str
) -> Iterator[Candidate]:
    for each in read(about, told) if about is not None else ():
        if each.tags[0] in _PRESUPPOSED and each.action == "create" and each.rule not in _SAID:
            yield each._replace(rule=rule, start=match.start(), end=match.end())
