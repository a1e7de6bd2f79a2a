"""Signs for and against a claim: each is a number, mostly 0 or 1, that `weights` weighs."""

import re
from typing import Final, TypeAlias

from ingest.extractor.llm.case import Case
from ingest.extractor.llm.contents import Item, people_in
from ingest.extractor.llm.languages import GERMAN
from ingest.extractor.llm.languages.all_languages import (
    AGE_TOLD,
    ALSO,
    DATED,
    DETERMINER,
    EXCEPT,
    FEELING,
    HOME_CLAIM,
    HOME_TOLD,
    ORIGIN_TOLD,
    PAST_EVENT,
    PERFECT,
    SARCASM,
    SUBORDINATE,
    UNITS,
)
from ingest.extractor.llm.languages.relations import PEOPLE, RELATIONS
from ingest.extractor.llm.names_and_numbers import names, numbers, plain_words

Signs: TypeAlias = dict[str, float]

_MOODS: Final = ("told", "offered", "wished", "feared")


def signs_of(case: Case) -> Signs:
    """Every sign that is not 0."""
    about = _others if case.names_other else _own
    groups = (_shape, about, _presupposed, _mood, _time, _end, _polarity, _relation, _values_told)
    return {name: float(value) for group in groups for name, value in group(case).items() if value}


def _shape(case: Case) -> Signs:
    """How much the quote has: a few words torn out of a clause prove less."""
    passage = case.passage
    quote = passage.quote
    length = len(quote.split()) if case.language.is_spaced else len(quote) / 2
    is_free = not case.is_presupposed
    return {
        "always": 1,
        "two words": length <= 2 and is_free and not case.said("speaker", quote),
        "four words": 2 < length <= 4 and is_free,
        "seven words": length >= 7,
        "end left out": is_free and bool(re.search(r"\w", passage.tail)),
        "sentence begins": passage.is_beginning,
    }


def _own(case: Case) -> Signs:
    """Whose fact a claim about the person themselves is told as."""
    passage, said = case.passage, case.said
    quote, clause, owner = passage.quote, passage.clause, passage.quote_owner
    has_speaker = said("speaker", quote)
    signs: Signs = {
        "I": has_speaker,
        "my": said("me", quote) and not has_speaker,
        "nobody's": owner == "nobody",
        "they": owner not in ("speaker", "own")
        and said("third", clause)
        and not said("speaker", clause),
        "other people": not case.people and bool(people_in(clause)),
    }
    if passage.owner not in (owner, "nobody"):
        signs[f"{passage.owner} clause"] = 1
    if not case.is_presupposed:
        signs |= _left_out(case)
        signs["a thing"] = bool(DETERMINER.match(quote)) and not has_speaker
        is_relative = passage.owner == "own" and _begins_with_a_relative(case)
        signs["relative"] = is_relative and not (case.people and case.is_of_having)
    return signs


def _left_out(case: Case) -> Signs:
    """What stands before the quote in its clause and may be its subject."""
    said, lead = case.said, case.passage.lead
    words = re.findall(r"\w+", case.language.find("joint").sub("", lead))
    if not words:
        return {}
    if case.passage.quote_owner in ("speaker", "own"):
        return {"lead": 1, "governed": _is_governed(case)}
    if case.passage.owner == "speaker":
        return {"I left out": 1, "governed": _is_governed(case)}
    is_named = any(word[0].isupper() for word in words[1:])
    return {
        "subject left out": 1,
        "my left out": said("own", lead),
        "others left out": is_named or said("third", lead) or said("others", lead),
        "person left out": said("person", lead),
    }


def _is_governed(case: Case) -> bool:
    """Whether what stands before the quote makes it no statement: "if", "he says"."""
    cells = ("supposed", "told", "wished", "asked", "denied", "third")
    return any(case.said(cell, case.passage.lead) for cell in cells)


def _begins_with_a_relative(case: Case) -> bool:
    language, scope = case.language, case.passage.scope
    end = r"(?!\w)" if language.is_spaced else ""
    owned = rf".{{0,3}}?(?<!\w)(?:{language.own})\W*(?:[\w'-]{{1,30}}\s+){{0,2}}?(?:{language.person}){end}"
    return bool(re.match(owned, scope, re.IGNORECASE))


def _others(case: Case) -> Signs:
    """Whose fact a claim about a relative, friend or pet is told as."""
    scope = case.passage.scope
    near = people_in(scope)
    is_near = bool(case.people & near)
    named = _other_names(case)
    is_said = is_near or any(name in scope for name in named)
    before = f"{case.before} {case.text.partition(case.passage.quote)[0]}"
    last = max(
        ((one.start(), kind) for kind, words in PEOPLE.items() for one in words.finditer(before)),
        default=(0, ""),
    )[1]
    owner = case.passage.quote_owner
    return {
        "their kind": is_near,
        "another kind": bool(case.people and near) and not is_near,
        "another kind's name": bool(named) and _is_name_of_another(case, named[0]),
        "another's relative": len(case.people) < 2 and _is_anothers(case),
        "mine": owner == "own",
        "something else": owner == "other",
        "I, not they": case.said("speaker", case.passage.quote),
        "nobody before": not is_said and last not in case.people,
    }


def _is_anothers(case: Case) -> bool:
    """Whether the clause is about "the wife of my colleague", "my neighbour's sister"."""
    person, scope = case.language.person, case.passage.scope
    if not case.language.is_spaced:
        return bool(re.search(rf"(?:{person})[的の].{{0,3}}?(?:{person})", scope))
    own = rf"(?:{case.language.own})\s+(?:[\w'-]+\s+)?"
    joint = rf"\s+(?:(?:of|von|van|de|del|di|do|da|du)\s+)?(?:{own})"
    return bool(
        re.search(
            rf"(?<!\w)(?:{person}){joint}(?:{person})(?!\w)|(?<!\w)(?:{person})'s?\s+(?:{person})(?!\w)",
            scope,
            re.IGNORECASE,
        )
    )


def _other_names(case: Case) -> list[str]:
    claim = case.claim
    told = names(f"{claim.content} {claim.whose}") + claim.whose.split()[:1]
    own = {*claim.subject.split(), "User", "User's", f"{claim.subject}'s"}
    return [name for name in told if name[0].isupper() and name not in own]


def _is_name_of_another(case: Case, name: str) -> bool:
    """Whether the turn calls a name a cousin, and the claim a brother."""
    text = f"{case.before} {case.text}"
    kinds = [
        people_in(
            re.split(r"[.!?。]", text[max(0, one.start() - 30) : one.start()])[-1]
            + " "
            + re.split(r"[.!?。]", text[one.end() : one.end() + 25])[0]
        )
        for one in re.finditer(re.escape(name), text)
    ]
    return bool(case.people and any(kinds)) and not any(case.people & kind for kind in kinds)


def _presupposed(case: Case) -> Signs:
    return {
        "presupposed": case.is_presupposed,
        "having": case.is_of_having and not case.is_presupposed,
    }


def _mood(case: Case) -> Signs:
    """What the clause does not state, unless the claim says it in the same mood."""
    passage = case.passage
    signs: Signs = {
        "sarcasm": bool(SARCASM.search(passage.whole) or SARCASM.search(case.text))
        and bool(FEELING.search(case.contents.text)),
        "except": bool(EXCEPT.search(passage.whole)) and not EXCEPT.search(case.contents.text),
    }
    if case.is_presupposed:
        return signs
    is_unreal = case.told("supposed") or case.told("wished")
    signs["supposed"] = case.said("supposed", passage.scope) and not is_unreal
    for cell in _MOODS:
        is_told = is_unreal if cell == "wished" else case.told(cell)
        signs[cell] = case.said(cell, passage.scope) and not is_told
    signs["wish told"] = is_unreal and case.said("wished", passage.scope)
    return signs | {
        "asked": passage.is_asked,
        "in a question": passage.is_question,
        "question mark": bool(re.search(r"[?？]\W*$", passage.clause)),
    }


def _time(case: Case) -> Signs:
    """A future or a past told as present, a plan told as done."""
    if case.is_presupposed:
        return {}
    passage, content = case.passage, case.contents.text
    is_present = _is_present(case)
    is_planned = (
        any(map(case.told, ("coming", "wished")))
        or bool(RELATIONS["habit"].search(content))
        or bool(DATED.search(case.claim.content))
    )
    is_coming = case.said("coming", passage.scope) and not is_planned
    is_plain = not any(map(case.told, ("past", "denied", "ended"))) and not case.claim.is_over
    main = passage.clause
    if case.language.is_spaced:
        main = SUBORDINATE.sub("", main)
    is_event = case.is_english and bool(PAST_EVENT.match(content))
    return {
        "coming": is_coming,
        "coming, told as present": is_coming and is_present,
        "past, told as present": is_plain and is_present and case.said("past", main),
        "not done": is_event and not PERFECT.search(passage.clause),
    }


def _is_present(case: Case) -> bool:
    """Whether the claim is told in the present tense."""
    content = case.contents.text
    if not case.is_english:
        return bool(case.language.find("now").search(content))
    verb = re.match(r"\W*(?:'s (?:[\w-]+ ){1,3}?(?:[A-Z]\w+ )?)?(?!was\b)\w*s\b", content)
    return bool(verb)


def _end(case: Case) -> Signs:
    """Whether a clause says that something is over."""
    scope = case.passage.scope
    if not case.claim.is_over:
        return {"end told": case.told("ended") and case.said("ended", scope)}
    return {
        "over": case.said("ended", scope),
        "also": bool(ALSO.search(scope)),
    }


def _polarity(case: Case) -> Signs:
    """A denial told as true; a denial told as one."""
    if case.claim.is_over or case.is_presupposed:
        return {}
    clause, scope = case.passage.clause, case.passage.scope
    is_negative = any(map(case.told, ("denied", "ended", "feared")))
    is_denied = case.said("denied", clause) and not is_negative
    return {
        "denied": is_denied,
        "itself denied": is_denied and bool(case.contents.said_in(clause)),
        "denial told": case.told("denied") and case.said("denied", scope),
        "denial turned round": _is_turned_round(case),
    }


def _is_turned_round(case: Case) -> bool:
    """Whether a claim denies what the clause tells."""
    contents = case.contents
    if not case.told("denied"):
        return False
    if any(case.said(cell, case.passage.scope) for cell in ("denied", "ended", "feared")):
        return False
    words = {word for word in contents.words if not case.language.find("denied").fullmatch(word)}
    said = {item for item in contents.said_in(case.passage.quote) if item[0] == "word"}
    return 2 * len(said) >= len(words) > 0


def _relation(case: Case) -> Signs:
    """Whether the clause is of the same kind of fact: a birthplace is no home."""
    scope, content = case.passage.scope, case.contents.text
    same = {kind for kind in case.contents.kinds - set(PEOPLE) if RELATIONS[kind].search(scope)}
    signs: Signs = {"same relation": bool(same)}
    is_negative = case.claim.is_over or any(map(case.told, ("denied", "ended", "past")))
    if HOME_CLAIM.search(content) and not is_negative and not HOME_TOLD.search(scope):
        signs["origin, not home" if ORIGIN_TOLD.search(scope) else "no home"] = 1
    if case.contents.numbers and RELATIONS["age"].search(content):
        is_age = AGE_TOLD.search(case.passage.clause) and not case.said("past", case.passage.clause)
        signs["no age"] = not is_age
    signs["another unit"] = any(_differ(units, content, case.passage.clause) for units in UNITS)
    return signs


def _differ(units: tuple[re.Pattern[str], ...], told: str, said: str) -> bool:
    """Whether a claim and its clause have different words of a kind: "morning", "evening"."""
    mine = {unit for unit in units if unit.search(told)}
    theirs = {unit for unit in units if unit.search(said)}
    return bool(mine and theirs) and not mine & theirs


def _values_told(case: Case) -> Signs:
    """Whether the values of the claim are of this clause, and not of the one beside it."""
    told = case.contents.numbers
    return {
        "number": bool(told) and told <= numbers(case.passage.quote),
        "another's value": _is_of_another(case),
    }


def _is_of_another(case: Case) -> bool:
    """Whether a value of the claim is of another clause than the rest, which has its own value."""
    said = [case.contents.said_in(part.quoted) for part in case.passage.parts]
    told = _values(f"{case.contents.text} {case.claim.whose}", case)
    values = [_values(part.clause, case) for part in case.passage.parts]
    return any(
        said[here] - said[there]
        and any(
            value not in values[here]
            and any(kind == value[0] and (kind, own) not in told for kind, own in values[here])
            for value in values[there] & told
        )
        for here in range(len(said))
        for there in range(len(said))
        if here != there
    )


def _values(text: str, case: Case) -> set[Item]:
    """The numbers, names and kinds of people in a text."""
    if case.language is GERMAN:  # whose nouns are in capitals
        named = re.findall(r"\b(?:in|aus|nach|bei|von)\s+([A-ZÄÖÜ]\w+)", text)
    else:
        named = [name for name in names(text) if not case.language.is_grammatical(name)]
    found: set[Item] = {("number", number) for number in numbers(text)}
    found |= {("person", kind) for kind in people_in(text)}
    return found | {("name", word) for name in named for word in plain_words(name)}
