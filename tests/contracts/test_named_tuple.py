"""Named tuples without compiled constructors against those of the standard library."""

import copy
import pickle
import re
import sys
import typing
from pathlib import Path
from typing import Any, Generic, TypeVar

import pytest

from contracts.named_tuple import NamedTuple
from tests.repository import PACKAGES, ROOT

T = TypeVar("T")

OWN = sys.version_info < (3, 14)
CALLS = 40
"""More than are made before a constructor is compiled."""


class Place(NamedTuple):
    """A value with all that a field can have."""

    name: str
    line: "int" = 1
    tags: tuple[str, ...] = ()

    @property
    def is_first(self) -> bool:
        return self.line == 1

    @classmethod
    def first(cls, name: str) -> "Place":
        return cls(name)


class Oracle(typing.NamedTuple):
    """The same by the standard library."""

    name: str
    line: "int" = 1
    tags: tuple[str, ...] = ()


class Pair(NamedTuple, Generic[T]):
    """One of a generic type."""

    left: T
    right: T


class Sub(Place):
    """A subclass with a constructor of its own."""

    __slots__ = ()

    def __new__(cls, name: str) -> "Sub":
        return super().__new__(cls, name.upper(), 7)


MADE: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "by position": (("a", 2, ("x",)), {}),
    "by name": ((), {"tags": (), "name": "a"}),
    "by both": (("a",), {"line": 3}),
    "with defaults": (("a",), {}),
}
WRONG: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "missing": ((), {"line": 1}),
    "unknown": (("a",), {"lines": 1}),
    "twice": (("a",), {"name": "b"}),
    "too many": (("a", 1, (), 4), {}),
}


@pytest.fixture(params=["first calls", "compiled"])
def place(request: pytest.FixtureRequest) -> type[Place]:
    """A class that has not been called yet, or often."""

    class Fresh(NamedTuple):
        name: str
        line: "int" = 1
        tags: tuple[str, ...] = ()

    if request.param == "compiled":
        for _ in range(CALLS):
            Fresh("a")
    return typing.cast("type[Place]", Fresh)


@pytest.mark.parametrize("values, named", MADE.values(), ids=MADE)
def test_a_value_is_what_the_standard_library_makes(
    values: tuple[Any, ...], named: dict[str, Any], place: type[Place]
) -> None:
    made, oracle = place(*values, **named), Oracle(*values, **named)
    assert made == oracle
    assert (made.name, made.line, made.tags) == tuple(oracle)
    assert made._asdict() == oracle._asdict()
    assert repr(made).partition("(")[2] == repr(oracle).partition("(")[2]
    assert made._replace(line=9) == oracle._replace(line=9)
    assert place._make(oracle) == oracle
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("values, named", WRONG.values(), ids=WRONG)
def test_values_that_do_not_fit_are_refused(
    values: tuple[Any, ...], named: dict[str, Any], place: type[Place]
) -> None:
    with pytest.raises(TypeError):
        place(*values, **named)
    with pytest.raises(TypeError):
        Oracle(*values, **named)


def test_the_class_is_described_as_the_standard_librarys() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__"):
        assert getattr(Place, name) == getattr(Oracle, name)
    assert typing.get_type_hints(Place) == typing.get_type_hints(Oracle)
    assert Place.first("a").is_first
    assert Pair[int](1, 2) == (1, 2)


def test_wrong_fields_are_refused() -> None:
    with pytest.raises(ValueError, match="lines"):
        Place("a")._replace(**{"lines": 2})
    with pytest.raises(TypeError):
        Place._make(("a", 2))


def test_a_subclass_has_its_own_constructor_however_often_it_is_called() -> None:
    assert {Sub("a") for _ in range(CALLS)} == {("A", 7, ())}
    assert type(Sub("a")) is Sub
    assert type(Place("a")) is Place


def test_copies_are_equal() -> None:
    made = Place("a", 2, ("x", "y"))
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert other == made
        assert type(other) is Place


@pytest.mark.skipif(not OWN, reason="Python 3.14 evaluates annotations later")
def test_a_constructor_is_compiled_for_many_calls_only() -> None:
    class Rare(NamedTuple):
        name: str

    Rare("a")
    assert "__new__" not in vars(Rare)
    for _ in range(CALLS):
        Rare("a")
    assert "__new__" in vars(Rare)


def test_every_named_tuple_of_ours_is_such_a_one() -> None:
    by_typing = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in Path(ROOT, package).rglob("*.py")
        if re.search(r"^from typing import ([^(\n]*|\([^)]*)\bNamedTuple\b", path.read_text(), re.M)
    ]
    assert by_typing == []
