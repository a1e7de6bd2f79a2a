"""Recognition of questions about the subject of a statement, by a few words for each slot."""

import re
from collections.abc import Collection
from typing import Final

from contracts.lazy_regex import deferred

_ASKED_BY: Final = {
    "home": "live lives living home reside based moved city town",
    "address": "address live lives living",
    "job/employer": "work works working job employer company",
    "job/role": "work works job profession occupation living",
    "school": "study studies studying school university college",
    "name": "name called",
    "last name": "name surname",
    "nickname": "name nickname called",
    "birthday": "birthday born birth",
    "year of birth": "birthday born birth old age",
    "age": "age old",
    "diet": "diet eat eats food vegan vegetarian",
    "relationship": "relationship married single partner wife husband engaged divorced spouse",
    "children": "children kids child",
    "phone": "phone number",
    "e-mail": "mail email e-mail",
}
"""Words of questions by slot, without its subject; other slots are asked for by their own words."""

_KIN: Final = frozenset(
    (
        *(
            "wife",
            "husband",
            "partner",
            "girlfriend",
            "boyfriend",
            "spouse",
            "mother",
            "mom",
            "mum",
        ),
        *("father", "dad", "parents", "sister", "brother", "sibling", "son", "daughter", "kid"),
        *("child", "uncle", "aunt", "cousin", "nephew", "niece", "grandmother", "grandfather"),
        *("grandma", "grandpa", "friend", "boss", "colleague", "neighbour", "neighbor"),
        *("dog", "cat"),
    )
)
_WORD: Final = deferred(r"[^\W_]+(?:[-'’][^\W_]+)*")
_FORMALITIES: Final = frozenset(
    (
        *("user", "users", "user's", "is", "are", "was", "has", "have", "does", "not", "no"),
        *("a", "an", "the"),
    )
)


def asks_about(query: str, slot: str | None, statement: str) -> bool:
    """Return whether a query asks for what a statement told, which fills `slot` if that is given.

    A slot of somebody else is asked for by naming them; a question about somebody else is not about
    the user. A statement without a slot is asked for with half of its words.
    """
    words = {word.lower().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(query)}
    if slot is None:
        return _holds_half(words, statement)
    parts = slot.split("/")
    for start in range(1, len(parts)):
        asked = _ASKED_BY.get("/".join(parts[start:])) or _ASKED_BY.get(parts[start])
        if asked is not None:
            return _is_of(words, parts[:start], asked) and not words.isdisjoint(asked.split())
    last = re.split(r"[ |]+", parts[-1])
    return _is_of(words, parts[:1], "") and words.issuperset(last)


def _is_of(words: Collection[str], subject: Collection[str], asked: str) -> bool:
    named = {word for part in subject for word in part.split()} - {"user"}
    others = _KIN - set(asked.split()) - named
    return named.issubset(words) and others.isdisjoint(words)


def _holds_half(words: Collection[str], statement: str) -> bool:
    told = {word.lower() for word in _WORD.findall(statement)} - _FORMALITIES
    held = {word for word in told if word in words or word.removesuffix("s") in words}
    return bool(told) and 2 * len(held) >= len(told)
