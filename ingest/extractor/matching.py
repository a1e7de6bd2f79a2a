"""A statement meets the rules: the first whose pattern fits and whose readings believe it wins."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from contracts.named_tuple import NamedTuple
from ingest.extractor.readings import READINGS
from ingest.extractor.rules import Rule, rules_for
from ingest.extractor.rules.rule import compiled
from ingest.extractor.subjects import Statement
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, sentence, third_person
from ingest.extractor.words.events import ANYTHING, PARTNERS
from ingest.extractor.words.lexicon import PETS
from ingest.extractor.words.rule_names import GO_ON, OF_PARTS

_LONGEST = 400
"""Characters of a statement; a longer one is a story and no single fact."""


class Found(NamedTuple):
    """A rule that fits a statement, with the values of its groups."""

    rule: Rule
    about: Statement
    values: Mapping[str, str]

    def sentence(self, predicate: str, told: Told) -> str:
        """Return a predicate with the values and the subject of the statement."""
        filled = " ".join(predicate.format_map(self.values).split())
        subject = told.subject if self.about.relation in ("we", "clause") else self.about.subject
        return sentence(subject, filled, told, plural=self.about.plural)

    def _ends(self, predicate: str) -> bool:
        """Return whether a predicate is over: with an empty group, or without a name, it is too much."""
        is_one = self.about.given != "" and self.about.relation in PARTNERS | PETS
        return (predicate != ANYTHING or is_one) and all(
            self.values.get(name) for name in re.findall(r"{(\w+)}", predicate)
        )

    def candidate(self, told: Told) -> Candidate:
        """Return the sentence of the rule, with what it ends."""
        kind = self.rule.kind
        return Candidate(
            self.sentence(self.rule.content, told) if self.rule.content else "",
            importance=kind.importance,
            tags=kind.tags,
            rule=self.rule.name,
            ends=tuple(self.sentence(one, told) for one in self.rule.ends if self._ends(one)),
            certain=self.rule.certain,
        )


_PART = re.compile(r"\s*,\s*(?:and |but )?(?:i am |now )?|(?<!born)\s+(?:and|but) (?:i am )?(?=\w)|(?<!back)(?<!home)(?<!away)(?<!far)\s+(?=from [A-Z])|\s+(?=(?:living|working|based|studying|married) (?:in|as|at|for|to|with)\b)")  # fmt: skip
_MOST_PARTS = 6
_AGED = re.compile(r"an? \d{1,3}[- ]years?[- ]old (?:(?:male|female|man|woman|guy|girl)\b )?")
_FURTHER = (
    ("works at", re.compile(r" as (an? .+)$"), "work as"),
    ("new employer", re.compile(r" as (an? .+)$"), "work as"),
    ("born on", re.compile(r" in ([A-Z].+)$"), "was born in"),
    ("has one by name", re.compile(r" and ((?:an?|two|three|four|five|six|\d) .+)$"), "have"),
)
"""The rest of a statement that a rule reads in part, and the verb that it goes on with."""

_STILL = re.compile(r"have been .* (?:for|since) ")
_COUNTED = re.compile(r"(?:two|three|four|five|\d) [a-z]+s\b")


def read(about: Statement, told: Told) -> list[Found]:
    """Return what a statement says about the speaker or one of theirs."""
    predicate = about.predicate
    if len(predicate) > _LONGEST:
        return []
    rules = rules_for(about.relation)
    found = _first(rules, about, predicate, told)
    if not found and _STILL.match(predicate):
        return read(about._replace(predicate=predicate.replace("have been", "am", 1)), told)
    first = found[0].rule.name if found else ""
    for name, pattern, verb in _FURTHER:
        more = pattern.search(predicate) if first == name else None
        found += _first(rules, about, f"{verb} {more[1]}", told) if more else []
    if first in GO_ON and predicate.startswith("am ") and about.relation != "clause":
        found += _further(about, {one.rule.name for one in found}, told)
    return found


def _further(about: Statement, names: set[str], told: Told) -> Iterator[Found]:
    """Yield what the further parts say of what somebody is, up to the first that says nothing."""
    for part in _parts(about.predicate[3:]):
        verb = "was" if part.startswith("born ") else "have" if _COUNTED.match(part) else "am"
        rules = rules_for(about.relation)
        some = [rule for rule in rules if verb != "am" or rule.name in OF_PARTS - names]
        found = _first(some, about, f"{verb} {part}", told)
        if not found:
            return
        yield from found
        names = names | {one.rule.name for one in found}


def _parts(predicate: str) -> Iterator[str]:
    """Yield the further parts of what somebody is."""
    first, *parts = [part for part in _PART.split(predicate)[:_MOST_PARTS] if part]
    if aged := _AGED.match(first):
        yield f"a {first[aged.end() :]}"
    for part in parts:
        if re.match(r"(?:i|my|we|it|that|this|you|not|the|who|which)\b", part, re.IGNORECASE):
            return
        yield part


def _first(rules: Iterable[Rule], about: Statement, text: str, told: Told) -> list[Found]:
    for rule in rules:
        if about.given and rule.name == "named":
            continue
        match = compiled(rule.pattern).fullmatch(text)
        if match is not None:
            values = values_of(match.groupdict(), told)
            if values:
                return [Found(rule, about, each) for each in values]
    return []


def values_of(groups: Mapping[str, str | None], told: Told) -> list[dict[str, str]]:
    """Return the values of a pattern's groups, once for each item of a list; none if one is bad."""
    names = list(groups)
    readings = [_value(name, groups[name], told) for name in names]
    return [dict(zip(names, values, strict=True)) for values in product(*readings)]


def _value(name: str, text: str | None, told: Told) -> list[str]:
    if text is None:
        return [""]
    if name == "verb":
        return [third_person(text)]
    reading = READINGS.get(name)
    return [text] if reading is None else reading(text.strip(), told)
