"""YAML front matter as plain values: no tags, no aliases, bounded in depth and number.

The events of the parser are read one by one, without recursion, so that no text can make it build
more than is written, or anything but texts, numbers, truth values, lists and mappings.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

from ingest.loaders.notes.values import FrontMatterError

MOST_VALUES: Final = 2_000
MOST_DEPTH: Final = 12

_NUMBER: Final = re.compile(r"[-+]?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?")
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}


def read_yaml(text: str) -> Any:
    """The value of a YAML document. Raises FrontMatterError for one that is not read."""
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    builder = _Builder()
    try:
        for event in _events(yaml.parse(text, Loader=loader)):
            builder.take(event, type(event).__name__)
    except (yaml.YAMLError, ValueError, UnicodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 2}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it is not valid YAML"
        raise FrontMatterError(f"{problem}{line}") from error
    return builder.value


def _events(events: Iterable[Any]) -> Iterable[Any]:
    for number, event in enumerate(events):
        if number > MOST_VALUES:
            raise FrontMatterError(f"it has more than {MOST_VALUES:,} values")
        yield event


class _Builder:
    """Builds one value of the events of its parts."""

    def __init__(self) -> None:
        self.value: Any = None
        self._open: list[list[Any] | dict[str, Any]] = []
        self._keys: list[str | None] = []

    def take(self, event: Any, name: str) -> None:
        if name == "AliasEvent":
            raise FrontMatterError("it has an alias, which is not followed")
        if name == "ScalarEvent":
            self._add(_scalar(event), event)
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            made: list[Any] | dict[str, Any] = {} if name.startswith("Mapping") else []
            self._add(made, event)
            self._open.append(made)
            self._keys.append(None)
            if len(self._open) > MOST_DEPTH:
                raise FrontMatterError(f"it is nested more than {MOST_DEPTH} deep")
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._open.pop()
            self._keys.pop()

    def _add(self, value: Any, event: Any) -> None:
        if not self._open:
            self.value = value
            return
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self._keys[-1] is None:
            self._keys[-1] = self._key(value, event, holder)
        else:
            holder[self._keys[-1]] = value
            self._keys[-1] = None

    def _key(self, value: Any, event: Any, holder: dict[str, Any]) -> str:
        key = getattr(event, "value", None)
        if not isinstance(key, str) or isinstance(value, list | dict):
            raise FrontMatterError("a key of it is not a text")
        if key in holder:
            raise FrontMatterError(f"a key occurs twice, again in line {event.start_mark.line + 2}")
        return key


def _scalar(event: Any) -> Any:
    """A plain scalar as JSON reads it, anything else as text: `no` and `012` are texts."""
    written: str = event.value
    if event.style not in (None, ""):
        return written
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    if _NUMBER.fullmatch(written):
        return float(written) if "." in written else int(written)
    return written
