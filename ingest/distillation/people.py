"""People of the speaker's, by name and relation: "my flatmate Dev", "Frau Lindner (our landlady)"."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from ingest.distillation.sentences import is_text_work
from ingest.distillation.values import Acquaintance
from ingest.distillation.words import BRANDS, NAMES, NEVER_NAMES, RELATIONS, TITLES
from ingest.extractor.subjects import WITH
from ingest.extractor.words.lexicon import NO_NAMES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import PLACES
from ingest.temporal.words import WEEKDAYS

_PART: Final = r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?:[-'][A-ZÀ-ÖØ-Þ][^\W\d_]+)*"
_NAME: Final = (
    rf"(?:{TITLES}\.? )?{_PART}(?: (?:{_PART}|de|van|von|da|del|der)(?= {_PART}|\b)){{0,2}}"
)
_AGENT: Final = (
    r"(?!(?:number|letter|order|paper|power|water|computer|charger|printer|counter|dinner|summer|winter|weather|offer|corner|cover|monitor|motor|mirror|sweater|color|flavor|favor|answer|character|other|another|ever|never|after|"
    r"over|under|user|server|browser|router|folder|laser|trailer|chapter|quarter|semester|career|beer|border|finger|shoulder|freezer|cooker|scooter|tractor|calendar|want|plant|restaurant|list|wrist|twist|grandmaster|folder)s?\b)[a-z]{3,}(?:er|or|ist|ant)\b"
)
"""Nouns of those who do something, by their endings: "editor", "drummer"; not those of things."""

_TITLED: Final = frozenset(
    (
        "doctor",
        "dr",
        "prof",
        "professor",
        "coach",
        "teacher",
        "captain",
        "agent",
        "pastor",
        "rabbi",
        "imam",
        "priest",
        "sister",
        "brother",
        "father",
        "mother",
        "editor",
        "student",
        "client",
        "builder",
        "sponsor",
        "publisher",
    )
)
"""Relations that need "my": alone they are titles, or say what somebody is."""

_DOUBT: Final = re.compile(
    r"(?i)\b(?:if|imagine|suppose|wish|pretend|would|my character|dream\w*|story|stories|novel|movie|film|poem|song|lyrics|"
    r"write|roleplay|role-play|game|fictional|named after)\b"
)
_FORMER: Final = re.compile(r"(?i)\bex[ -]$")
_REACH: Final = 60
_SMALL: Final = re.compile(r"^(?:de|van|von|da|del|der)$")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    relation = rf"(?P<who>{WITH}(?i:{any_of(RELATIONS)}|(?:mother|father|sister|brother|daughter|son)[ -]in[ -]law|(?:co-)?{_AGENT}))"
    bare = rf"(?P<who>(?i:{any_of(RELATIONS - _TITLED)}))"
    mine = r"\b(?:[Mm]y|MY|[Oo]ur)(?: (?:new|old|dear|good|close|then|lovely|poor|crazy|amazing|wonderful))?(?: (?!(?i:mum|mom|dad|mother|father|sister|brother)\b)[a-z-]+){0,2}?"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"{mine} {relation},? (?:(?:is |was )?(?:called |named )|(?:'s )?name is |(?:old|little|poor|dear) )?(?P<name>{_NAME})\b",
            rf"{mine} {relation}(?:'s name is|(?:'s| is) called|(?:'s| is) named) (?P<name>{_NAME})",
            rf"\b(?:[Tt]he|[Oo]ur) (?:[a-z]+ )?(?P<who>{_AGENT}), (?P<name>{_NAME}),",
            rf"{mine} {relation} is (?P<name>{_NAME})(?=[,.!;)]|$)",
            rf"{mine} {relation} ?\((?P<name>{_NAME})\)",
            rf"\b(?:[Aa]|[Oo]ne|[Tt]his|[Aa]nother) (?:old |good |dear |close )?{relation} of (?:mine|ours),? (?:called |named )?(?P<name>{_NAME})",
            rf"\bI(?:'ve got| have|'ve) (?:a|an|one) (?:\w+ )?{relation} (?:called|named) (?P<name>{_NAME})",
            rf"{mine} {relation}\b[^.!?]{{0,40}}?\b(?:[Hh]er|[Hh]is|[Tt]heir) name(?:'s| is) (?P<name>{_NAME})",
            rf"(?P<name>{_NAME})(?:'s| is) (?:my|our) (?:new )?{relation}(?=[,.!?;]|$| and )",
            rf"(?P<name>{_NAME})\s?(?:,|\() ?(?:[Mm]y|[Oo]ur) (?:[a-z]+ ){{0,2}}?{relation}(?=[,).!?;]|$| who| and (?!I\b)| at | in | from )",
            rf"(?P<name>{_NAME}) (?:is|was) (?:my|our) {relation}(?=[,.!?;]|$| and | who| from| at| in)",
            rf"(?i:\b(?:my|our)) (?:(?:older|younger|little|big|old|new|dear|best|good|close|other|twin|baby|step|ex) ){{0,2}}{relation},? (?:(?:is )?(?:called |named )|'?s name is )?(?P<name>{any_of(NAMES)})\b",
            rf"(?P<name>{_NAME}|\b{any_of(NAMES)}) ?\((?:(?:my|our) )?(?:(?:new|old|best|line|older|younger) )?{bare}\)",
            rf"(?:^|[.!?,;] ?|\b(?:w|with|and|told|asked|for|from|to|met|called|rang|texted|saw|see) ){bare},? (?P<name>{any_of(NAMES)})\b",
            rf"\b{bare} \((?P<name>{_NAME}|{any_of(NAMES)})\)",
            rf"\b(?P<name>{any_of(NAMES)}),? (?:is |\()?(?:my|our) (?:(?:older|younger|little|big|old|new|best|good|other) )?{relation}\b(?! and\b)",
        )
    )


def people(text: str) -> Iterator[Acquaintance]:
    """Yield the people whom a covered text names with their relation to the speaker, each once."""
    seen: set[str] = set()
    if is_text_work(text):
        return
    for pattern in _patterns():
        for match in pattern.finditer(text):
            name = _name_of(match["name"])
            if not name or name.casefold() in seen:
                continue
            if not _is_related(match["who"]) and name.split()[0].casefold() not in NAMES:
                continue
            if _DOUBT.search(text, max(0, match.start() - _REACH), match.end()):
                continue
            seen.add(name.casefold())
            former = "ex-" if _FORMER.search(text, match.start(), match.start("who")) else ""
            yield Acquaintance(
                name, former + match["who"].lower().removeprefix("own "), match.start(), match.end()
            )


def _is_related(who: str) -> bool:
    """Return whether a word is a relation by itself, and not one of a trade: "editor"."""
    return who.lower() in RELATIONS or who.lower().split()[-1] in RELATIONS or "law" in who.lower()


def _name_of(found: str) -> str:
    """Return a name without what follows it, empty without one."""
    kept: list[str] = []
    if any(word.lower() in WEEKDAYS for word in found.split()) or (
        found.isupper() and len(found) > 3
    ):
        return ""
    for word in found.split():
        plain = re.sub(r"'s$|'$", "", word)
        is_title = re.fullmatch(rf"{TITLES}\.?", word) is not None
        small = plain.casefold()
        if not is_title and small in NEVER_NAMES:
            break
        if (
            not kept
            and not is_title
            and small not in NAMES
            and (small in NO_NAMES or small in PLACES)
        ):
            return ""
        kept.append(plain)
        if plain != word:
            break
    while kept and (_SMALL.match(kept[-1]) or re.fullmatch(rf"{TITLES}\.?", kept[-1])):
        kept.pop()
    name = " ".join(kept)
    if name.casefold() in BRANDS:
        return ""
    return name if name[:1].isupper() else name.capitalize()
