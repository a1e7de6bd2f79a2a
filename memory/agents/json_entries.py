"""Entries in JSON with comments that others own: put in, replaced, and taken out again.

Everything outside an entry stays byte for byte, and taking an entry out restores the text from
before it was put in. Which objects and arrays were made for an entry is seen by their layout: such
a container begins a line for its first item and ends beside its last one.

    "mcpServers": {
      "symbiosis-memory": {"command": "/home/ana/.local/bin/mem", "args": ["mcp"]}}
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from contracts import ConfigError
from contracts.named_tuple import NamedTuple
from memory.config.commented_json import Node, parse, place, skip_blank
from memory.config.editing import indent_of, last_item, newline_of, place_last, step_of

Path: TypeAlias = tuple[str | int, ...]
"""The way from the root to a value: names of members and numbers of items."""

Handler: TypeAlias = "dict[str, Any]"

_HANDLERS: Final = "hooks"
"""The list of commands in a group of hooks."""


class _Step(NamedTuple):
    """A container on the way to a value, and the number of its item that leads there."""

    container: Node
    number: int


def plain_of(text: str, *, name: str) -> dict[str, Any]:
    """Return the content of a file, an empty one for a blank text.

    Raises ConfigError, with the line, for a text that is not an object in JSON with comments.
    """
    if _is_blank(text):
        return {}
    content = parse(text, name=name).plain()
    if not isinstance(content, dict):
        raise _unfit(name, "its content", "object")
    return content


def with_member(text: str, path: Sequence[str], value: Any, *, name: str) -> str:
    """Return `text` with `value` at a path of member names, put in or replaced.

    Raises ConfigError when a value on the way is not an object.
    """
    return _with(text, tuple(path), value, name=name, appends=False)


def with_item(text: str, path: Sequence[str], item: Any, *, name: str) -> str:
    """Return `text` with one more item in the array at a path of member names.

    Raises ConfigError when the array, or an object on the way, is something else.
    """
    return _with(text, tuple(path), item, name=name, appends=True)


def without(text: str, path: Path, *, name: str) -> str:
    """Return `text` without the value at `path`, and without containers made for it.

    A text that held nothing else is empty afterwards.
    """
    steps = _steps(parse(text, name=name), path)
    for step in reversed(steps):
        if not _was_made_for(text, step):
            return _without_item(text, step)
    root = steps[0].container
    after = text[root.end :]
    return text[: root.start] + ("" if after.strip() == "" else after)


def replaced(text: str, path: Path, value: Any, *, name: str) -> str:
    """Return `text` with another value at a path that exists."""
    node = _at(parse(text, name=name), path)
    return text[: node.start] + _json(value) + text[node.end :]


def handlers(content: dict[str, Any], path: Sequence[str]) -> Iterator[tuple[Path, Handler]]:
    """Yield the commands of an event's hooks with their paths, grouped in `hooks` or not."""
    listed: Any = content
    for part in path:
        listed = listed.get(part) if isinstance(listed, dict) else None
    for number, group in enumerate(listed if isinstance(listed, list) else ()):
        whole: Path = (*path, number)
        inner = group.get(_HANDLERS) if isinstance(group, dict) else None
        if isinstance(inner, list):
            for index, handler in enumerate(inner):
                if isinstance(handler, dict):
                    yield (whole if len(inner) == 1 else (*whole, _HANDLERS, index)), handler
        elif isinstance(group, dict):
            yield whole, group


def _with(text: str, path: tuple[str, ...], value: Any, *, name: str, appends: bool) -> str:
    if _is_blank(text):
        item = _rendered(path, value, indent="", newline=newline_of(text), appends=appends)
        return f"{text}{item}"
    node = parse(text, name=name)
    for depth, part in enumerate(path):
        members = node.content
        if not isinstance(members, dict):
            raise _unfit(
                name, ".".join(path[:depth]) or "its content", "object", text=text, at=node
            )
        if part not in members:
            inner = _inner_indent(text, node)
            rest = _rendered(
                path[depth + 1 :], value, indent=inner, newline=newline_of(text), appends=appends
            )
            return _placed(text, node, f"{_json(part)}: {rest}")
        node = members[part]
    if not appends:
        return text[: node.start] + _json(value) + text[node.end :]
    if not isinstance(node.content, list):
        raise _unfit(name, ".".join(path), "array", text=text, at=node)
    return _placed(text, node, _json(value))


def _rendered(
    path: tuple[str, ...], value: Any, *, indent: str, newline: str, appends: bool
) -> str:
    """Return the containers of a path and the value, laid out as made for it."""
    inner = indent + step_of(indent)
    if path:
        first, *rest = path
        member = _rendered(tuple(rest), value, indent=inner, newline=newline, appends=appends)
        return f"{{{newline}{inner}{_json(first)}: {member}}}"
    return f"[{newline}{inner}{_json(value)}]" if appends else _json(value)


def _placed(text: str, container: Node, item: str) -> str:
    if last_item(container) is not None:
        return place_last(text, container, item)
    newline, at = newline_of(text), container.start + 1
    outer = indent_of(text, container.start)
    return f"{text[:at]}{newline}{_inner_indent(text, container)}{item}{newline}{outer}{text[at:]}"


def _inner_indent(text: str, container: Node) -> str:
    last = last_item(container)
    if last is not None:
        return indent_of(text, last.start)
    outer = indent_of(text, container.start)
    return outer + step_of(outer)


def _steps(root: Node, path: Path) -> list[_Step]:
    steps, node = [], root
    for part in path:
        content: Any = node.content
        index = list(content).index(part) if isinstance(content, dict) else int(part)
        steps.append(_Step(node, index))
        node = content[part]
    return steps


def _at(root: Node, path: Path) -> Node:
    node = root
    for part in path:
        content: Any = node.content
        node = content[part]
    return node


def _values(container: Node) -> list[Node]:
    content: Any = container.content
    return list(content.values()) if isinstance(content, dict) else content


def _was_made_for(text: str, step: _Step) -> bool:
    """Return whether a container holds this item alone, in the layout of those made here."""
    values = _values(step.container)
    if len(values) != 1:
        return False
    before = text[step.container.start + 1 : _start(text, step)]
    is_beside = values[0].end == step.container.end - 1
    return is_beside and before.startswith(newline_of(text)) and not before.strip()


def _without_item(text: str, step: _Step) -> str:
    values, start = _values(step.container), _start(text, step)
    end = values[step.number].end
    after = skip_blank(text, end)
    if text[after] == ",":  # what is between the item and its comma stays
        text = text[:after] + text[after + 1 :]
    elif step.number:
        comma = skip_blank(text, values[step.number - 1].end)
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    if len(values) == 1:
        return _emptied(text, step.container.start + 1, start, end)
    return text[: _line_start(text, start)] + text[end:]


def _emptied(text: str, opened: int, start: int, end: int) -> str:
    """Return `text` without the only item of a container, and without the lines made for it."""
    outer = newline_of(text) + indent_of(text, opened - 1)
    before = text[:start].rstrip(" \t")
    made = before.endswith(newline_of(text)) and text.startswith(outer, end)
    if made and before.removesuffix(newline_of(text)).endswith(text[opened - 1]):
        return text[:opened] + text[end + len(outer) :]
    return text[: _line_start(text, start)] + text[end:]


def _line_start(text: str, start: int) -> int:
    """Return the offset before the white space, and one line end, before an item."""
    before = text[:start].rstrip(" \t")
    return len(before.removesuffix("\n").removesuffix("\r") if before.endswith("\n") else before)


def _start(text: str, step: _Step) -> int:
    """Return the offset at which an item, with its name in an object, begins."""
    values = _values(step.container)
    if not step.number:
        return skip_blank(text, step.container.start + 1)
    return skip_blank(text, skip_blank(text, values[step.number - 1].end) + 1)


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unfit(
    name: str, what: str, wanted: str, *, text: str = "", at: Node | None = None
) -> ConfigError:
    where = "" if at is None else ":{}:{}".format(*place(text, at.start))
    return ConfigError(
        f"{name}{where}: {what} is not an {wanted}",
        hint="nothing was changed; correct the file, or put the entry in by hand: --print shows it",
    )
