"""The types of settings: declarations of type, range and meaning.

One declaration in `settings` serves three readers: the light loader (`accept`), the messages and
the documentation (`describe`), and pydantic, which makes the JSON schema. `Range` and `NotEmpty`
are groups in the sense of annotated-types, so pydantic understands them, and that package (9 ms) is
imported only when pydantic asks.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from memory.values.fast_dataclass import Frozen
from memory.values.text_checks import NAME_LIMIT, text_fault

Needs = Literal["restart", "reindex"]
"""Steps that a changed setting needs before it takes effect everywhere."""


class Range:
    """Inclusive bounds of a number."""

    __is_annotated_types_grouped_metadata__ = True

    def __init__(self, least: float, most: float) -> None:
        self.least = least
        self.most = most

    def __iter__(self) -> Iterator[object]:
        from annotated_types import Ge, Le

        yield Ge(self.least)
        yield Le(self.most)

    def admits(self, value: Any) -> bool:
        return bool(self.least <= value <= self.most)

    def __str__(self) -> str:
        return f"from {self.least} to {self.most}"


class NotEmpty:
    """A constraint: at least one character, also after `${VAR}` has been replaced."""

    __is_annotated_types_grouped_metadata__ = True

    def __iter__(self) -> Iterator[object]:
        from annotated_types import MinLen

        yield MinLen(1)

    def admits(self, value: Any) -> bool:
        return bool(value)

    def __str__(self) -> str:
        return "that is not empty"


DELETES = "decides what is deleted from databases outside its folder"
"""The guard of a setting that an untrusted file may choose, but only for its own database."""


class Setting:
    """The meaning of a setting to its user.

    meaning     one or two sentences for the documentation and the JSON schema
    needs       the step that a change needs, None when the next command simply follows it
    secret      never printed: not in a repr, a message or `mem config get`
    path        relative to the configuration file, `~` is the home folder
    guard       the effect of setting it, forbidden to an untrusted file; None: it may
    harmless    values that even an untrusted file may set, in addition to the default
    """

    def __init__(
        self,
        meaning: str,
        *,
        needs: Needs | None = None,
        secret: bool = False,
        path: bool = False,
        guard: str | None = None,
        harmless: tuple[str | None, ...] = (),
    ) -> None:
        self.meaning = meaning
        self.needs = needs
        self.secret = secret
        self.path = path
        self.guard = guard
        self.harmless = harmless

    def __get_pydantic_json_schema__(
        self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        """Put the meaning into the JSON schema as the description; called by pydantic."""
        return {**handler(core_schema), "description": self.meaning}


Text = Annotated[str, NotEmpty()]


class Section(Frozen):
    """The base of all groups of settings: a repr that shows no secret, and a hash with tables."""

    __slots__ = ()
    # pydantic reads this for the JSON schema; the light loader refuses unknown keys by itself.
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    def __hash__(self) -> int:
        return hash(tuple(_hashable(getattr(self, name)) for name in fields_of(self)))

    def __repr__(self) -> str:
        items = fields_of(self).values()
        shown = (f"{item.name}={_shown(item.type, getattr(self, item.name))}" for item in items)
        return f"{type(self).__name__}({', '.join(shown)})"


def _hashable(value: object) -> object:
    return frozenset(value.items()) if isinstance(value, dict) else value


def fields_of(section: Section) -> dict[str, Field[Any]]:
    """Return the settings and sections inside a section, by name, in the order of the file."""
    return {item.name: item for item in fields(section)}


def setting_of(kind: Any) -> Setting | None:
    """Return the `Setting` of the declared type of a field; None for a section."""
    marks = (mark for mark in getattr(kind, "__metadata__", ()) if isinstance(mark, Setting))
    return next(marks, None)


def _shown(kind: Any, value: object) -> str:
    setting = setting_of(kind)
    return "***" if setting and setting.secret and value else repr(value)


_SIMPLE = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def accept(kind: Any, value: object) -> Any:
    """Return `value`, as it came from JSON, as an instance of the declared type `kind`.

    A whole number is accepted as a float and a list as a tuple; nothing else is converted. Raises
    ValueError when the value is not allowed; `describe(kind)` says what is.
    """
    origin = get_origin(kind)
    if origin is Annotated:
        return _within_bounds(kind, accept(kind.__origin__, value))
    if origin is Literal:
        return _one_of(get_args(kind), value)
    if origin is Union or origin is UnionType:
        return _first_accepting(get_args(kind), value)
    if origin is tuple:
        return _each(get_args(kind)[0], value)
    if origin is dict:
        return _each_named(get_args(kind)[1], value)
    return _simple(kind, value)


def describe(kind: Any) -> str:
    """Describe the values that `accept` takes: `a whole number from 1 to 1000`."""
    origin = get_origin(kind)
    if origin is Annotated:
        bounds = [str(mark) for mark in kind.__metadata__ if isinstance(mark, Range | NotEmpty)]
        return " ".join([describe(kind.__origin__), *bounds])
    if origin is Literal:
        return " or ".join(f'"{choice}"' for choice in get_args(kind))
    if origin is Union or origin is UnionType:
        return ", or ".join(describe(choice) for choice in get_args(kind))
    if origin is tuple:
        return f"a list, each item {describe(get_args(kind)[0])}"
    if origin is dict:
        return f"an object, each value {describe(get_args(kind)[1])}"
    return "null" if kind is NoneType else _SIMPLE[kind]


def _within_bounds(kind: Any, value: object) -> object:
    for mark in kind.__metadata__:
        if isinstance(mark, Range | NotEmpty) and not mark.admits(value):
            raise ValueError(describe(kind))
    return value


def _one_of(choices: tuple[Any, ...], value: object) -> object:
    if isinstance(value, str) and value in choices:
        return value
    raise ValueError(" or ".join(f'"{choice}"' for choice in choices))


def _first_accepting(kinds: tuple[Any, ...], value: object) -> object:
    for kind in kinds:
        try:
            return accept(kind, value)
        except ValueError:
            continue
    raise ValueError(", or ".join(describe(kind) for kind in kinds))


def _each(kind: Any, value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise ValueError("a list")  # one error for "not allowed", as pydantic does
    return tuple(accept(kind, item) for item in value)


def _each_named(kind: Any, value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not all(map(_is_name, value)):
        raise ValueError("an object")
    return {name: accept(kind, item) for name, item in value.items()}


def _is_name(key: object) -> bool:
    return isinstance(key, str) and not text_fault(key, most=NAME_LIMIT)


def _simple(kind: Any, value: object) -> object:
    if kind is NoneType and value is None:
        return None
    if kind is float and type(value) is int:
        return _as_float(value)
    if type(value) is not kind:
        raise ValueError(_SIMPLE.get(kind, "null"))
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a finite number")
    if isinstance(value, str) and text_fault(value, most=NAME_LIMIT):
        raise ValueError("a text without NUL and lone surrogates")
    return value


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError("a number") from error
