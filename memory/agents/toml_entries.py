"""A table in a TOML file that others own: put in at the end, replaced, and taken out again.

Everything outside the table stays byte for byte. Every result is parsed and compared with what it
should hold, so a layout that is not understood here is refused and never damaged.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from contracts import ConfigError

_HEADER: Final = re.compile(r"^[ \t]*\[[^\n]*$", re.MULTILINE)
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def toml_content(text: str, *, name: str) -> dict[str, Any]:
    """Return the content of a file. Raises ConfigError, with the line, when it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{name}: {error}", hint="nothing was changed; correct this place; the file is TOML"
        ) from error


def with_table(text: str, path: Sequence[str], table: Mapping[str, Any], *, name: str) -> str:
    """Return `text` with a table at a path of names, replaced or put in at the end.

    The values are texts, arrays of texts, and one level of tables of texts.
    """
    content = toml_content(text, name=name)
    if _value(content, path) is not None:
        text = without_table(text, path, name=name)
    newline = "\r\n" if "\r\n" in text else "\n"
    ends_line = text.endswith("\n")
    block = newline.join(_lines(path, table)) + (newline if ends_line else "")
    gap = "" if not text else newline if ends_line else newline * 2
    after = f"{text}{gap}{block}"
    return _checked(after, _with_value(content, path, table), name=name)


def without_table(text: str, path: Sequence[str], *, name: str) -> str:
    """Return `text` without the table at a path of names, which exists, and those below it."""
    content = toml_content(text, name=name)
    after = text
    for start, end in reversed(list(_spans(text, path))):
        before = after[:start]
        blank = re.search(r"(?:\A|(?<=\n))\r?\n\Z", before)
        before = before[: blank.start()] if blank else before
        if end == len(after) and not text.endswith("\n"):  # the end as it was before the table
            before = before.removesuffix("\n").removesuffix("\r")
        after = before + after[end:]
    expected = deepcopy(content)
    parent = _value(expected, path[:-1])
    parent.pop(path[-1])
    if not parent and len(path) > 1 and _loaded(after) != expected:  # it was not a separate table
        _value(expected, path[:-2]).pop(path[-2])
    return _checked(after, expected, name=name)


def _spans(text: str, path: Sequence[str]) -> list[tuple[int, int]]:
    """Return the tables below `path` from their header to the end of their last value."""
    headers = [match for match in _HEADER.finditer(text) if _names(match[0]) is not None]
    spans = []
    for number, match in enumerate(headers):
        names = _names(match[0]) or []
        if names[: len(path)] == list(path):
            stop = headers[number + 1].start() if number + 1 < len(headers) else len(text)
            spans.append((match.start(), _last_value(text, match.start(), stop)))
    return spans


def _names(header: str) -> list[str] | None:
    """Return the names in a table's header; None for a line that is not one."""
    try:
        node: Any = tomllib.loads(header.strip())
    except tomllib.TOMLDecodeError:
        return None
    names = []
    while isinstance(node, dict) and node:
        ((key, node),) = node.items()
        names.append(key)
    return names or None


def _last_value(text: str, start: int, stop: int) -> int:
    """Return the end of the last line of a table that is not blank or a comment."""
    lines = text[start:stop].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start + len("".join(lines))


def _lines(path: Sequence[str], table: Mapping[str, Any]) -> list[str]:
    lines = [f"[{'.'.join(map(_key, path))}]"]
    for key, value in table.items():
        lines.append(f"{_key(key)} = {_toml(value)}")
    return lines


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _toml(name)


def _toml(value: Any) -> str:
    """Return a value as TOML; its basic strings have the escapes of JSON."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_toml(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(content: Any, path: Sequence[str]) -> Any:
    for part in path:
        content = content.get(part) if isinstance(content, dict) else None
    return content


def _with_value(
    content: dict[str, Any], path: Sequence[str], table: Mapping[str, Any]
) -> dict[str, Any]:
    changed = deepcopy(content)
    node: Any = changed
    for part in path[:-1]:
        node = node.setdefault(part, {}) if isinstance(node, dict) else {}
    if isinstance(node, dict):
        node[path[-1]] = dict(table)
    return changed


def _checked(text: str, expected: dict[str, Any], *, name: str) -> str:
    """Return `text` if it holds what it should. Raises ConfigError if not."""
    if _loaded(text) != expected:
        raise ConfigError(
            f"{name}: its layout leaves no way to change the entry alone",
            hint="nothing was changed; edit it by hand: mem setup with --print shows the entry",
        )
    return text


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
