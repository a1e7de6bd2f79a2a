"""Frozen dataclasses without generated methods against those of the standard library."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from memory.values.fast_dataclass import Frozen, frozen


@frozen
class Place(Frozen):
    """A value with all that a field can have."""

    kind: ClassVar[str] = "place"

    name: str
    line: int = 1
    tags: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Oracle:
    """The same by the standard library."""

    kind: ClassVar[str] = "place"

    name: str
    line: int = 1
    tags: tuple[str, ...] = field(default_factory=tuple)


@frozen
class Other(Frozen):
    """Another class with a field of that name."""

    name: str


MADE: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "by position": (("a", 2, ("x",)), {}),
    "by name": ((), {"tags": (), "name": "a"}),
    "by both": (("a",), {"line": 3}),
    "with defaults": (("a",), {}),
}


@pytest.mark.parametrize("values, named", MADE.values(), ids=MADE)
def test_a_value_is_what_the_standard_library_makes(
    values: tuple[Any, ...], named: dict[str, Any]
) -> None:
    made, oracle = Place(*values, **named), Oracle(*values, **named)
    assert asdict(made) == asdict(oracle)
    assert repr(made) == repr(oracle).replace("Oracle", "Place")
    assert hash(made) == hash(oracle)
    assert made == Place(*values, **named)
    assert made != replace(made, line=99)
    assert asdict(replace(made, line=99)) == asdict(replace(oracle, line=99))
    assert [item.name for item in fields(made)] == [item.name for item in fields(oracle)]
    assert is_dataclass(made)


WRONG: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "missing": ((), {"line": 1}, "Place needs a value for 'name'"),
    "unknown": (("a",), {"lines": 1, "b": 2}, "Place has no field 'b', 'lines'"),
    "twice": (("a",), {"name": "b"}, "Place got two values for 'name'"),
    "too many": (("a", 1, (), 4), {}, "Place takes 3 values, not 4"),
}


@pytest.mark.parametrize("values, named, message", WRONG.values(), ids=WRONG)
def test_values_that_do_not_fit_are_refused(
    values: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Place(*values, **named)
    with pytest.raises(TypeError):
        Oracle(*values, **named)


def test_nothing_changes_a_value() -> None:
    made = Place("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'line'"):
        setattr(made, "line", 2)  # noqa: B010  # mypy refuses the assignment
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'line'"):
        delattr(made, "line")
    assert not hasattr(made, "__dict__")
    assert made == Place("a")


def test_values_of_two_classes_differ() -> None:
    assert Other("a") != Place("a")
    assert Place("a") != Oracle("a")


def test_copies_are_equal() -> None:
    made = Place("a", 2, ("x", "y"))
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made
