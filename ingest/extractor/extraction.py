"""The way from an utterance to candidates: its statements, each read by a rule."""

import re
from collections.abc import Iterator
from functools import cache

from ingest.extractor.asides import asides
from ingest.extractor.clauses import Clause, statements
from ingest.extractor.languages import in_other_languages
from ingest.extractor.lexicon import HE, PETS, SHE
from ingest.extractor.mentions import mentions
from ingest.extractor.normal import plain
from ingest.extractor.own_words import own_words
from ingest.extractor.presupposed import presupposed
from ingest.extractor.reading import read, read_whole
from ingest.extractor.remembering import asked_to_remember, whole_statement
from ingest.extractor.subjects import Statement, refers_to, statement
from ingest.extractor.values import Candidate, Utterance
from ingest.extractor.wording import Told

_LONGEST = 20_000
"""Characters of a turn that are read: longer ones are documents, and nobody tells of themselves
past their first pages."""

_PRONOUN = re.compile(r"^(she|he|they)(?: is|'s)? (?=\w)", re.IGNORECASE)
_MOST = 50


def extract(utterance: Utterance) -> list[Candidate]:
    """Give what the rules find, in the order of the text; equal sentences once. It never raises."""
    if utterance.role != "user":
        return []
    speaker = (utterance.speaker or "").strip()
    told = Told(speaker or "User", utterance.said_at)
    text = own_words(utterance.text[:_LONGEST], speaker or None)
    found: dict[tuple[str, str], Candidate] = {}
    for candidate in _found(text, told):
        found.setdefault((candidate.content.casefold(), candidate.action), candidate)
        if len(found) >= _MOST:
            break
    return [each for each in found.values() if not _says_nothing(each, told)]


def _found(text: str, told: Told) -> Iterator[Candidate]:
    last: Statement | None = None
    newcomer: Statement | None = None
    unclear = False
    if _TALE.search(text) and _FANTASY.search(text):
        return
    bought = _BOUGHT.search(text) is not None or _TRACE.search(text) is not None
    names, at = "", 0
    for clause in statements(text):
        last = _spoken_of(text[at : clause.start], told) or last
        at = clause.end
        said, important = asked_to_remember(plain(clause.text))
        said = plain(said) if important else said
        about = (
            (None if unclear else _named(said, newcomer or last))
            or statement(said, told.subject)
            or _resumed(said, last)
        )
        found = list(_of_clause(said, about, told))
        if important and not found:
            found = whole_statement(said, told)
        yield from (
            _placed(each, clause, important=important)
            for each in found
            if important or not _passing(each, clause, bought=bought)
        )
        spoken_of = about if about is not None and about.relation else _spoken_of(said, told)
        last = spoken_of or last
        if spoken_of is not None or _YOURS.search(said):
            newcomer = None
            unclear = _a_pet().search(said) is not None
        taken = _taken_in(said, told) if found else None
        newcomer, unclear = taken or newcomer, unclear and taken is None
        names = f"{names} {' '.join(each.content for each in found)}"
    for each in mentions(text, told):
        if each.content not in names and each.content.rpartition(" ")[2] not in names:
            names = f"{names} {each.content}"
            yield each
    for each in presupposed(text, told, names):
        if not (bought and each.tags[0] == "possession"):
            yield each


def _of_clause(said: str, about: Statement | None, told: Told) -> Iterator[Candidate]:
    found = read_whole(said, told)
    if not found and about is not None:
        found = read(about, told)
    elif not found:
        found = in_other_languages(said, told)
    yield from found
    couple = f"{told.subject} and "
    names = " ".join(each.content for each in found if not each.content.startswith(couple))
    yield from (each for each in asides(said, told) if each.content.rpartition(" ")[2] not in names)


def _resumed(said: str, last: Statement | None) -> Statement | None:
    """Let "she" be the one of whom the sentence before spoke."""
    if last is None or last.relation in ("we", "name"):
        return None
    match = _PRONOUN.match(said)
    if match is None or not refers_to(match[1], last.relation):
        return None
    resumed = statement(f"my {last.relation} {said[match.end(1) :].strip()}", "")
    return None if resumed is None else resumed._replace(subject=last.subject, given=last.given)


_YOURS = re.compile(r"\b(?:your?|their)\b", re.IGNORECASE)
_GIVEN_NAME = re.compile(
    r"^(?:(his|her|its|their) name is|(?:I|we) (?:have )?(?:named|called) (him|her|it)|"
    r"(he|she) is (?:called|named)) (?P<name>(?-i:[A-Z]).+)",
    re.IGNORECASE,
)
_POSSESSING = {"his": "he", "him": "he", "her": "she"}


def _named(said: str, last: Statement | None) -> Statement | None:
    """Let "her name is Olive" be of the puppy of which the sentence before spoke."""
    match = _GIVEN_NAME.match(said) if last is not None else None
    if match is None or last is None or last.relation in ("we", "name") or last.given:
        return None
    pronoun = (match[1] or match[2] or match[3]).lower()
    if pronoun in ("it", "its"):
        fits = last.relation in PETS
    else:
        fits = refers_to(_POSSESSING.get(pronoun, pronoun), last.relation)
    return last._replace(predicate=f"am called {match['name']}") if fits else None


@cache
def _newcomer() -> re.Pattern[str]:
    nouns = "|".join(sorted(PETS | SHE | HE, key=len, reverse=True))
    return re.compile(
        r"^(?:I|we)(?: have)? (?:got|adopted|have|rescued|welcomed|bought|own) "
        r"(?:an?|another|this|our first|my first) "
        rf"(?:[\w-]+ ){{0,3}}?({nouns})\b(?! (?:toy|food|bed|show|video|park))",
        re.IGNORECASE,
    )


@cache
def _a_pet() -> re.Pattern[str]:
    return re.compile(rf"\b(?:an?|your|another) (?:[\w-]+ ){{0,2}}(?:{'|'.join(PETS)})\b", re.I)


def _taken_in(said: str, told: Told) -> Statement | None:
    """Give who "he" is after "we got a puppy"."""
    match = _newcomer().match(said)
    if match is None:
        return None
    return Statement(f"{told.subject}'s {match[1].lower()}", "", match[1].lower())


@cache
def _one_of_theirs() -> re.Pattern[str]:
    nouns = "|".join(sorted(SHE | HE | {"boss", "partner", "spouse"}, key=len, reverse=True))
    return re.compile(
        rf"\b(?:my|our) ((?:(?:older|younger|little|big|twin|oldest|youngest) )?({nouns}))"
        r"(?!'s? (?!graduation|wedding|birthday|party|recital|exam|retirement|surgery|school))\b",
        re.IGNORECASE,
    )


def _spoken_of(said: str, told: Told) -> Statement | None:
    """Give who "he" is in the next clause: "I am proud of my son, he got in"."""
    found = _one_of_theirs().findall(said)
    if len(found) != 1:
        return None
    return Statement(f"{told.subject}'s {found[0][0].lower()}", "", found[0][1].lower())


_BOUGHT = re.compile(
    r"\b(?:refund\w*|my order|order (?:number|no|#)|tracking|warranty|invoice|customer "
    r"(?:service|support)|cancel my|"
    r"your (?:store|shop|website|site|products?|service|company|app|hotel|team|support|agency|"
    r"listing|ad|course|platform)|"
    r"my (?:account|subscription|booking|reservation|package|parcel|delivery)|booking reference|"
    r"still available|in stock|"
    r"return (?:it|them|the)|was charged|got charged|speak to a (?:human|manager)|ticket number|"
    r"case number)\b",
    re.IGNORECASE,
)
"""Words of customers, whose purchases and dates are business and no memories."""

_TRACE = re.compile(r"\b[A-Z]\w*(?:Error|Exception): |\bTraceback\b")
"""What a program said: what is liked beside it is of the program."""

_TALE = re.compile(
    r"\bI (?:draw|cast|enter|attack|roll|wield|swing|loot|raise|bow|kneel|unsheathe|approach|"
    r"sneak|summon|charge)\b",
    re.IGNORECASE,
)
_FANTASY = re.compile(
    r"\b(?:elf|elven|orc|dwarf|dwarven|wizard|sorcerer|sorceress|paladin|vampire|werewolf|"
    r"dragons?|kingdom|quest|tavern|"
    r"goblin|mage|necromancer|starship|spaceship|warlock|hobbit|castle|potion|sword|throne|wand|"
    r"realm|galactic|alien planet|"
    r"mars|moon base|time travell?er|superpowers?|immortal|centuries|zombies?|pirate|your "
    r"majesty|m'lord|peasant|knight)\b",
    re.IGNORECASE,
)


def _passing(candidate: Candidate, clause: Clause, *, bought: bool) -> bool:
    """Tell whether it is the matter of a purchase, or of a tale."""
    kind = candidate.tags[0]
    if bought and (
        kind in ("event", "possession", "plan", "state") or candidate.rule in ("into", "likes")
    ):
        return True
    return kind not in ("preference", "event") and _FANTASY.search(clause.text) is not None


def _placed(candidate: Candidate, clause: Clause, *, important: bool) -> Candidate:
    importance = 1 if important else candidate.importance
    return candidate._replace(start=clause.start, end=clause.end, importance=importance)


def _says_nothing(candidate: Candidate, told: Told) -> bool:
    """A speaker who is known by name need not be told so."""
    return candidate.content.casefold() == f"{told.subject}'s name is {told.subject}".casefold()
