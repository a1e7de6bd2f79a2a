"""Statements that something is over: "I no longer eat meat", "I quit smoking", "I used to live in Rome".

Whatever the rules would read in the statement without its "no longer" is what ends.
"""

import re

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.matching import Found, read
from ingest.extractor.rules.rule import END
from ingest.extractor.subjects import Statement
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, base_form, cut, from_gerund, sentence, third_person
from ingest.extractor.words.events import ABSTRACT, ANYTHING, DEEDS, GIVEN_UP, WHOLE_DEEDS
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.rule_names import USED_TO
from ingest.temporal import resolve

_ANY_MORE = r"(?: (?P<rest>.+?))? (?:any ?more|any longer|no more|these days)"
_OVER = tuple(
    deferred(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:am|have) no longer (?P<be>)(?P<rest>.+)",
        r"(?:do )?no longer (?P<verb>[a-z]+)(?: (?P<rest>.+))?",
        rf"do not (?P<verb>[a-z]+){_ANY_MORE}",
        rf"am not(?P<be>){_ANY_MORE}",
        r"(?:have )?(?:quit|stopped|given up|gave up|ceased)(?: on)? (?P<gerund>[a-z]+ing)(?: (?P<rest>.+))?",
        r"(?:have )?(?:gave up|given up|cut out|quit) (?P<eaten>(?:[\w-]+ )??[\w-]+)(?=$|[,.]| (?:in|since|last|this|for|on|two|three|a|\d+)\b)",
        r"(?P<used>used to) (?P<verb>[a-z]+)(?: (?P<rest>.+))?",
        r"am not(?P<be>) (?P<rest>.+?) after all",
    )
)
_ASIDE = deferred(r", (?:my |the )?\w+ (?:said|says|told|agreed)\b.*$")
_SHORT = deferred(r"(?:[\w'-]+(?: |$)){1,3}")
_ABSTRACT = deferred(rf"(?i)\b(?:{any_of(ABSTRACT)})\b")


class _Deed(NamedTuple):
    """The verb and the rest of what is over."""

    verb: str
    rest: str
    used: bool = False


def ended(about: Statement, told: Told) -> list[Candidate]:
    """Return the new state and what it ends; none if the statement ends nothing."""
    deed = _deed(about.predicate)
    if deed is None:
        return []
    predicate = f"{deed.verb} {deed.rest}".strip()
    found = read(about._replace(predicate=predicate), told)
    if deed.used:
        found = [one for one in found if one.rule.name in USED_TO]
    if found:
        return [_over(one, told, used=deed.used) for one in found]
    rest = _undated(_ASIDE.sub("", cut(deed.rest)), told)
    is_plain = deed.verb in DEEDS and (not rest or _SHORT.fullmatch(rest)) and not deed.used
    if not is_plain or _ABSTRACT.search(rest) or about.relation == "clause":
        return []
    positive = f"{third_person(deed.verb)} {rest}".strip()
    over = sentence(about.subject, positive, told, plural=about.plural)
    content = sentence(about.subject, f"no longer {positive}", told)
    ends = (over, f"{over} {ANYTHING}") if deed.verb in WHOLE_DEEDS and not rest else (over,)
    return [Candidate(content, tags=END.tags, rule="no longer", ends=ends)]


def _undated(text: str, told: Told) -> str:
    """Return a text without the day: when it ended is no part of what ended."""
    for moment in reversed(resolve(f"was {text}", told.said_at)):
        text = f"{text[: max(0, moment.start - 4)]} {text[moment.end - 4 :]}"
    return re.sub(r"(?:^|\s)(?:in|on|since|about|years?|months?|ago)\s*$", "", text.strip())


def _deed(predicate: str) -> _Deed | None:
    for pattern in _OVER:
        match = pattern.match(predicate)
        if match is None:
            continue
        groups = match.groupdict()
        rest = groups.get("rest") or ""
        if "be" in groups:
            return _Deed("have" if predicate.startswith("have") else "am", rest)
        if eaten := groups.get("eaten"):
            return _Deed("eat", eaten) if eaten.lower() in GIVEN_UP else None
        verb = groups.get("verb") or from_gerund(groups.get("gerund") or "")
        verb = {"be": "am"}.get(verb.lower(), verb.lower())
        return _Deed(verb, rest, bool(groups.get("used")))
    return None


def _over(found: Found, told: Told, *, used: bool) -> Candidate:
    made = found.candidate(told)
    verb, _, rest = found.rule.content.partition(" ")
    if used:
        base = {"is": "be", "has": "have", "{verb}": "like"}.get(verb, base_form(verb))
        content = found.sentence(f"used to {base} {rest}", told)
    elif verb == "is":
        content = found.sentence(f"is no longer {rest}", told)
    else:
        content = found.sentence(f"no longer {verb} {rest}", told)
    form = made.content.replace(" works at ", f" works as {ANYTHING} at ", 1)
    ends = tuple(dict.fromkeys((made.content, form)))
    return made._replace(content=content, tags=END.tags, rule="no longer", ends=ends)
