"""The settings as a flat list of dotted keys, access to one by its key, and problems of a key.

Code that walks all settings (trust, `${VAR}`, `mem config get`, the documentation) walks this list,
so that none of it knows a setting by name twice.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.config.field_types import Needs, Setting, fields_of, setting_of
from memory.config.settings import Config

_NO_MODEL: Final = frozenset({"memory.embeddings.upgrade", "memory.embeddings.prices"})
"""The settings of embeddings that do not belong to a model."""


class Key:
    """One setting: its dotted name, declared type, default and meaning."""

    __slots__ = ("default", "kind", "name", "setting")

    def __init__(self, name: str, kind: Any, default: Any, setting: Setting) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.setting = setting

    @property
    def section(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def waits_for_restart(self) -> bool:
        """Return whether a running server takes a change over only at its next start."""
        is_of_model = self.name.startswith("memory.embeddings.") and self.name not in _NO_MODEL
        return self.setting.needs == "restart" or is_of_model

    @property
    def needs(self) -> Needs | None:
        """Return what a change needs beside the change of the file, None for nothing."""
        return self.setting.needs or ("restart" if self.waits_for_restart else None)

    def __repr__(self) -> str:
        return f"Key({self.name})"


class ConfigProblem(NamedTuple):
    """A problem in a configuration.

    `key` is the dotted name, `offset` its character in the text (None: not in the text).
    """

    key: str
    fact: str
    hint: str
    offset: int | None = None


NO_ADDRESS: Final = ConfigProblem(
    "memory.dsn",
    'memory.backend is "postgres", and memory.dsn names no database',
    'write memory.dsn like "postgresql://user:${PASSWORD}@host:5432/database"',
)


@cache
def all_keys() -> tuple[Key, ...]:
    """Return every setting, in the order of the configuration file."""
    return tuple(_keys_in(Config(), ""))


def _keys_in(section: Any, prefix: str) -> Iterator[Key]:
    for item in fields_of(section).values():
        value = getattr(section, item.name)
        setting = setting_of(item.type)
        if setting is None:
            yield from _keys_in(value, f"{prefix}{item.name}.")
        else:
            yield Key(prefix + item.name, item.type, value, setting)


def sections() -> tuple[str, ...]:
    """Return the dotted name of every section, each before those inside it."""
    return tuple(_sections_in(Config(), ""))


def _sections_in(section: Any, prefix: str) -> Iterator[str]:
    for item in fields_of(section).values():
        if setting_of(item.type) is None:
            yield prefix + item.name
            yield from _sections_in(getattr(section, item.name), f"{prefix}{item.name}.")


def value_of(config: Config, name: str) -> Any:
    """Return the value at a dotted name, a setting or a section."""
    value: Any = config
    for part in name.split("."):
        value = getattr(value, part)
    return value


def with_values(config: Config, values: Iterable[tuple[str, Any]]) -> Config:
    """Return a copy of `config` in which the settings at these dotted names are changed."""
    for name, value in values:
        config = _with_value(config, name.split("."), value)
    return config


def _with_value(section: Any, parts: list[str], value: Any) -> Any:
    first, *rest = parts
    inner = _with_value(getattr(section, first), rest, value) if rest else value
    return replace(section, **{first: inner})


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `name` most likely means, None when nothing is near.

    The last parts of dotted names are compared: first for equality anywhere, since a setting is put
    into the wrong section more often than it is misspelled, then for likeness in the same section,
    then for more of it anywhere: among so many names some are always a little like another.
    """
    from difflib import get_close_matches

    known = list(candidates)
    section, _, last = name.rpartition(".")
    siblings = [other for other in known if other.rpartition(".")[0] == section]
    for pool, cutoff in ((known, 1.0), (siblings, 0.6), (known, 0.75)):
        ends = {other.rpartition(".")[2]: other for other in reversed(pool)}
        if near := get_close_matches(last, ends, n=1, cutoff=cutoff):
            return ends[near[0]]
    return None
