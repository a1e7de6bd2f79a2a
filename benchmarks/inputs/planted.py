"""Generate identifiers of many kinds, each with look-alikes that must not be confused with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from uuid import UUID

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name, its kind, and the names most easily mistaken for it."""

    kind: str
    name: str
    look_alikes: tuple[str, ...]


QUESTIONS = (
    "where is {} used",
    "why does {} fail after the last update",
    "what has changed in {} and who wrote it",
    "how do I get rid of {} in the log",
    "{} stopped working when the connection was closed",
)
"""The sentences in which an identifier is asked for."""


def make_identifiers(random: Random, words: Words, *, of_a_kind: int) -> list[Identifier]:
    """`of_a_kind` identifiers of every kind; no name, including look-alikes, occurs twice."""
    made: list[Identifier] = []
    taken: set[str] = set()
    for kind, make in _KINDS.items():
        found = 0
        while found < of_a_kind:
            name, *look_alikes = make(random, words)
            names = {name.lower(), *(other.lower() for other in look_alikes)}
            if taken.isdisjoint(names):
                taken |= names
                made.append(Identifier(kind, name, tuple(look_alikes)))
                found += 1
    return made


def _some(random: Random, words: Words, count: int) -> list[str]:
    return random.sample(words, count)


def _camel(random: Random, words: Words) -> list[str]:
    first, second, third, other = (word.capitalize() for word in _some(random, words, 4))
    name = first + second + third
    return [name, first + second + other, name + other]


def _lower_camel(random: Random, words: Words) -> list[str]:
    first, *rest = _camel(random, words)
    return [name[0].lower() + name[1:] for name in (first, *rest)]


def _snake(random: Random, words: Words) -> list[str]:
    first, second, third, other = _some(random, words, 4)
    name = f"{first}_{second}_{third}"
    return [name, f"{first}_{second}_{other}", f"{name}_{other}"]


def _numbered(random: Random, words: Words) -> list[str]:
    first, second = _some(random, words, 2)
    number = random.randint(1, 9)
    name = f"{first}_{second}_{number}"
    return [name, f"{name}0", f"{first}_{second}_{number + 1}"]


def _constant(random: Random, words: Words) -> list[str]:
    return [name.upper() for name in _snake(random, words)]


def _dotted(random: Random, words: Words) -> list[str]:
    package, module, name, other = _some(random, words, 4)
    return [
        f"{package}.{module}.{name}",
        f"{package}.{module}.{other}",
        f"{package}.{other}.{name}",
    ]


def _path(random: Random, words: Words) -> list[str]:
    folder, inner, name, other = _some(random, words, 4)
    return [
        f"{folder}/{inner}/{name}.py",
        f"{folder}/{other}/{name}.py",
        f"{folder}/{inner}/{name}.pyi",
    ]


def _version(random: Random, _words: Words) -> list[str]:
    major, minor, patch = random.randint(1, 40), random.randint(0, 40), random.randint(0, 40)
    return [f"v{major}.{minor}.{patch}", f"v{major}.{minor}.{patch}7", f"v{major}.{minor + 1}.0"]


def _uuid(random: Random, _words: Words) -> list[str]:
    number = random.getrandbits(128)
    return [str(UUID(int=number)), str(UUID(int=number ^ 0xF)), str(UUID(int=number ^ (0xF << 96)))]


def _sha(random: Random, _words: Words) -> list[str]:
    number = random.getrandbits(160) | 0xA << 156
    return [f"{number:040x}", f"{number ^ 0xF:040x}", f"{number ^ 0xFF << 64:040x}"]


def _ticket(random: Random, words: Words) -> list[str]:
    project, number = random.choice(words)[:4].upper(), random.randint(100, 9999)
    return [f"{project}-{number}", f"{project}-{number}0", f"{project}-{number + 1}"]


def _error_code(random: Random, _words: Words) -> list[str]:
    letter, number = random.choice("EFWX"), random.randint(1000, 9000)
    return [f"{letter}{number}", f"{letter}{number + 1}", f"{letter}{number}9"]


def _setting(random: Random, words: Words) -> list[str]:
    first, second, third, other = _some(random, words, 4)
    name = f"{first}-{second}-{third}"
    return [name, f"{first}-{second}-{other}", f"{name}-{other}"]


_KINDS: dict[str, Callable[[Random, Words], list[str]]] = {
    "CamelCase": _camel,
    "camelCase": _lower_camel,
    "snake_case": _snake,
    "numbered": _numbered,
    "CONSTANT": _constant,
    "dotted": _dotted,
    "path": _path,
    "version": _version,
    "UUID": _uuid,
    "SHA": _sha,
    "ticket": _ticket,
    "error code": _error_code,
    "setting": _setting,
}
