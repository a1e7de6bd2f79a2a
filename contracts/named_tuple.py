"""Named tuples with a low cost at the start of a process.

The standard library checks and compiles each of them when its module is imported, 0.1 ms a class,
and a search imports 65. Here they share their methods, and a class gets a constructor of its own
only when it is called often. To a type checker they are `typing.NamedTuple`.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 14):  # which evaluates annotations later
    from typing import NamedTuple
else:
    from collections import _tuplegetter  # the fields of the standard library's own

    _COMPILED_FROM = 16
    """The number of calls from which a compiled constructor saves more than it costs."""

    class _Record(tuple):
        """The methods of all named tuples; see `collections.namedtuple`."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012  # the name and the type of the standard library's
        _calls = [0]  # noqa: RUF012  # one of its own in each class

        def __new__(cls, *values: Any, **named: Any) -> "_Record":
            cls._calls[0] += 1
            if cls._calls[0] >= _COMPILED_FROM:
                _compile_constructor(cls)
            if named or len(values) != len(cls._fields):
                values = _completed(cls, values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _make(cls, iterable: Any) -> "_Record":
            made = tuple.__new__(cls, iterable)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, not {len(made)}")
            return made

        def _replace(self, /, **named: Any) -> "_Record":
            made = tuple.__new__(type(self), map(named.pop, self._fields, self))
            if named:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(named)}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = zip(self._fields, self, strict=True)
            values = ", ".join(f"{name}={value!r}" for name, value in fields)
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _Maker(type):
        def __new__(
            cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]
        ) -> type[_Record]:
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            for number, field in enumerate(fields):
                namespace[field] = _tuplegetter(number, None)
            namespace |= {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "_calls": [0],
            }
            return type(name, (_Record, *bases[1:]), namespace)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (_Record,), {"__slots__": ()})

    def _completed(cls: type[_Record], values: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        """Return all values in order. Raises TypeError for those that do not fit."""
        fields, defaults = cls._fields, cls._field_defaults
        if len(values) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, not {len(values)}")
        rest = fields[len(values) :]
        if wrong := named.keys() - set(rest):
            raise TypeError(f"{cls.__name__} cannot take {', '.join(sorted(wrong))}")
        given = defaults | named
        if missing := [field for field in rest if field not in given]:
            raise TypeError(f"{cls.__name__} needs values for {', '.join(missing)}")
        return [*values, *map(given.__getitem__, rest)]

    def _compile_constructor(cls: type[_Record]) -> None:
        """Give the class that has the fields the constructor that the standard library gives it."""
        owner = next(one for one in cls.__mro__ if "_fields" in one.__dict__)
        names = "".join(f"{field}, " for field in owner._fields)
        code = f"lambda _cls, {names}: _tuple_new(_cls, ({names}))"
        made = eval(code, {"_tuple_new": tuple.__new__, "__builtins__": {}})  # noqa: S307  # names of fields, which a class statement has checked
        made.__name__, made.__qualname__ = "__new__", f"{owner.__qualname__}.__new__"
        made.__defaults__ = tuple(owner._field_defaults.values())
        owner.__new__ = made


__all__ = ["NamedTuple"]
