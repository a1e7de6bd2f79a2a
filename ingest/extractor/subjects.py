"""Who a clause is about: the one who speaks, both of a couple, or one of their people and pets."""

import re
from functools import cache
from typing import NamedTuple

from ingest.extractor.lexicon import HE, MANY_PEOPLE, MANY_PETS, PEOPLE, PETS, SHE
from ingest.extractor.wording import base_form


class Statement(NamedTuple):
    """`predicate` in the first person, "love opera", of `subject`, "User's sister".

    `relation` is what the subject is to the speaker, "" for the speaker; `plural` asks for "are".
    """

    subject: str
    predicate: str
    relation: str = ""
    given: str = ""
    plural: bool = False


_AUX = re.compile(
    r"^(is|are|was|were|has|have|does|do) (?:(?:also|just|really|still|now|currently|actually|"
    r"already|recently|always|finally|both|all) )*",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:(?:also|just|really|still|now|currently|actually|recently|always|finally|both|all|"
    r"absolutely|usually|too|never really) )+",
    re.IGNORECASE,
)


@cache
def _somebody() -> re.Pattern[str]:
    nouns = sorted(PEOPLE | MANY_PEOPLE | PETS | MANY_PETS, key=len, reverse=True)
    kin = "|".join(sorted(SHE | HE | {"partner", "spouse", "cousin"}, key=len, reverse=True))
    return re.compile(
        rf"^(?:my|our|the(?= (?:kids|wife|husband|dogs?|cats?|twins|in-laws)\b)) "
        rf"(?P<of>(?:(?:older|younger|little|big|late|ex|best) )?(?:{kin})(?: (?-i:[A-Z])\w+)?'s )?"
        rf"(?P<adjective>(?:(?!name|favou?rite|friend's|life)[\w-]+ "
        rf"){{0,2}}?)(?P<noun>{'|'.join(nouns)})"
        r"(?P<given>,? (?-i:(?!I\b)[A-Z])[\w'-]*(?<!'s)(?:,| and "
        r"(?-i:(?!I\b)[A-Z])\w+)?)?(?P<own>'s)?(?P<both> and (?:i|me|myself))? (?P<rest>.+)$",
        re.IGNORECASE,
    )


def statement(clause: str, speaker: str) -> Statement | None:
    """Take a plain clause apart; None when it is about somebody or something else."""
    head, _, rest = clause.partition(" ")
    lower = head.lower()
    if lower == "i" and rest:
        return Statement(speaker, rest)
    if lower == "we" and rest:
        verb, _, more = rest.partition(" ")
        return Statement(
            speaker,
            f"{base_form(verb) if verb.lower() in ('are', 'were') else verb} {more}".strip(),
            "we",
        )
    if lower not in ("my", "our", "the"):
        return None
    match = _somebody().match(clause)
    return None if match is None else _of(match, speaker)


def _of(match: re.Match[str], speaker: str) -> Statement | None:
    noun = match["noun"].lower()
    given = (match["given"] or "").strip(" ,")
    who = f"{speaker}'s {(match['of'] or '').lower()}{match['adjective'] or ''}{noun}"
    rest = match["rest"].strip()
    if match["own"]:
        return _owned(who, rest)
    if given:
        who = f"{who} {given}"
    if match["both"]:
        return Statement(f"{speaker} and {who}", _first_person(rest), "we", given, plural=True)
    return Statement(
        who,
        _first_person(rest),
        noun,
        given,
        plural=noun in MANY_PEOPLE | MANY_PETS or " and " in given,
    )


def _owned(who: str, rest: str) -> Statement | None:
    match = re.match(r"(?:name is|called) (?P<name>.+)", rest, re.IGNORECASE)
    return None if match is None else Statement(who, f"am called {match['name']}", "name")


def _first_person(rest: str) -> str:
    rest = _ADVERB.sub("", rest)
    match = _AUX.match(rest)
    if match:
        return f"{base_form(match[1])} {rest[match.end() :]}"
    verb, _, more = rest.partition(" ")
    return f"{base_form(verb)} {more}".strip()


def refers_to(pronoun: str, relation: str) -> bool:
    """Tell whether she or he can be the wife or the brother of whom the last sentence spoke."""
    if pronoun.lower() == "she":
        return relation in SHE or relation in PETS or relation in PEOPLE - HE
    if pronoun.lower() == "he":
        return relation in HE or relation in PETS or relation in PEOPLE - SHE
    return pronoun.lower() == "they" and relation in MANY_PEOPLE | MANY_PETS
