"""Make typos: one letter or digit too many, too few, wrong, or swapped."""

import string
from collections.abc import Callable
from random import Random

_TRIES = 50
_SAFE = 4
"""Names with fewer letters and digits become another name after one typo."""


def mistyped(random: Random, name: str, occurs: Callable[[str], bool]) -> str:
    """The name with one typo, such that the result occurs nowhere; empty if impossible."""
    places = [place for place, character in enumerate(name) if character.isalnum()]
    if len(places) < _SAFE:
        return ""
    for _ in range(_TRIES):
        slip = random.choice((_inserted, _deleted, _replaced, _swapped))
        typo = slip(random, name, random.choice(places))
        if typo != name and not occurs(typo):
            return typo
    return ""


def _like(random: Random, character: str, name: str) -> str:
    """A character of the same sort; hexadecimal numbers stay hexadecimal."""
    if character.isdigit():
        return random.choice(string.digits)
    is_hexadecimal = all(letter in string.hexdigits + "-:" for letter in name)
    letter = random.choice("abcdef" if is_hexadecimal else string.ascii_lowercase)
    return letter.upper() if character.isupper() else letter


def _inserted(random: Random, name: str, place: int) -> str:
    return name[:place] + _like(random, name[place], name) + name[place:]


def _deleted(_random: Random, name: str, place: int) -> str:
    return name[:place] + name[place + 1 :]


def _replaced(random: Random, name: str, place: int) -> str:
    return name[:place] + _like(random, name[place], name) + name[place + 1 :]


def _swapped(_random: Random, name: str, place: int) -> str:
    if not name[place + 1 : place + 2].isalnum():
        return name
    return name[:place] + name[place + 1] + name[place] + name[place + 2 :]
