"""Edits of one value in a configuration file that leave everything else as its owner wrote it."""

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from contracts import ConfigError, InputError, StorageError
from memory.config.commented_json import Node, parse, skip_blank
from memory.config.field_types import accept
from memory.config.keys import ConfigProblem, Key, all_keys, sections
from memory.config.parsing import ParsedConfig
from memory.config.validation import read_config, refused, unknown_key

_COMMENT_ON_LINE = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/)?[ \t\r]*(?=\n)")


def find_key(name: str) -> Key:
    """Return the setting of a dotted name. Raises InputError for a section or an unknown name."""
    for key in all_keys():
        if key.name == name:
            return key
    if name in sections():
        inside = [key.name for key in all_keys() if key.section == name]
        raise InputError(
            f"{name} is a section", hint=f"name one of its settings: {', '.join(inside) or 'none'}"
        )
    problem = unknown_key(name)
    raise InputError(problem.fact, hint=problem.hint)


def read_value(key: Key, text: str) -> Any:
    """Read a value as a user typed it: as JSON where the setting allows that, else as text.

    Raises InputError when the setting allows neither.
    """
    try:
        typed = json.loads(text)
    except ValueError:
        typed = text
    for value in (typed, text):
        try:
            accept(key.kind, value)
        except ValueError:
            continue
        return value
    problem = refused(key.name, key.kind, value=typed)
    raise InputError(problem.fact.replace(" is ", " cannot be ", 1), hint=problem.hint)


def change(parsed: ParsedConfig, key: Key, value: Any) -> str:
    """Return the text of the file with one setting changed.

    Raises ConfigError when the change would add a problem to the file.
    """
    text = set_value(parsed.text, parsed.root, name=key.name, value=value)
    _, problems = read_config(parse(text, name=str(parsed.path)))
    for problem in problems:
        if not _is_among(problem, parsed.problems):
            raise ConfigError(f"with that, {problem.fact}", hint=problem.hint)
    return text


def set_value(text: str, root: Node, *, name: str, value: Any) -> str:
    """Return `text` with a new value at a dotted name, added with the sections it needs."""
    parts = name.split(".")
    node = root
    for depth, part in enumerate(parts):
        if not isinstance(node.content, dict):
            where = ".".join(parts[:depth]) or "the configuration"
            raise ConfigError(f"{where} is not a section", hint="it must be one: { ... }")
        if part not in node.content:
            return _insert(text, node, parts=parts[depth:], value=value)
        node = node.content[part]
    return text[: node.start] + _json(value) + text[node.end :]


def write_file(
    path: Path,
    text: str,
    *,
    elsewhere: str = "name another file with --config",
    is_new: bool = False,
) -> None:
    """Write `text` to `path` atomically: to a temporary file that is synced and renamed.

    A new file is readable by its owner only (0600); an existing one keeps its permissions, and a
    link to it stays a link. Raises StorageError when the disk refuses; its hint ends `elsewhere`.
    With `is_new` it raises FileExistsError where another process has made the file meanwhile.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        handle, aside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(mode)
            if not is_new or not _is_linked(Path(aside), target):
                Path(aside).replace(target)
        finally:
            Path(aside).unlink(missing_ok=True)
    except OSError as error:
        if is_new and isinstance(error, FileExistsError) and target.is_file():
            raise
        raise StorageError(
            f"{path} cannot be written: {error.strerror}",
            hint=f"make the folder writable for you, or {elsewhere}",
        ) from error


def _is_linked(file: Path, target: Path) -> bool:
    """Give a file a second name that nothing has; return whether the file system allows that.

    Raises FileExistsError where something has the name.
    """
    try:
        target.hardlink_to(file)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _is_among(problem: ConfigProblem, known: tuple[ConfigProblem, ...]) -> bool:
    return any((problem.key, problem.fact) == (other.key, other.fact) for other in known)


def _insert(text: str, section: Node, *, parts: list[str], value: Any) -> str:
    """Return `text` with a member added at the end of a section, formatted like its neighbours."""
    last = last_item(section)
    if last is None:
        return _insert_first(text, section, parts=parts, value=value)
    member = _member(text, parts, value=value, indent=indent_of(text, last.start))
    return place_last(text, section, member)


def last_item(container: Node) -> Node | None:
    """Return the last value of an object or array, None for an empty one."""
    content = container.content
    items = list(content.values()) if isinstance(content, dict) else content
    return items[-1] if isinstance(items, list) and items else None


def place_last(text: str, container: Node, item: str) -> str:
    """Return `text` with a member or item after the last of an object or array that has one.

    It gets its own line where the others have one; a trailing comma stays a trailing comma.
    """
    last = last_item(container)
    if last is None:
        raise ValueError("the container is empty")
    after = skip_blank(text, last.end)
    has_comma = text[after] == ","
    at = after + 1 if has_comma else last.end
    comma, trailing = ("", ",") if has_comma else (",", "")
    line_end = _COMMENT_ON_LINE.match(text, at)
    if not line_end and "\n" not in text[container.start : last.start]:  # all in one line
        return f"{text[:at]}{comma} {item}{trailing}{text[at:]}"
    comment = line_end.group().rstrip() if line_end else ""
    item = f"{newline_of(text)}{indent_of(text, last.start)}{item}{trailing}"
    return text[:at] + comma + comment + item + text[at + len(comment) :]


def _insert_first(text: str, section: Node, *, parts: list[str], value: Any) -> str:
    outer = indent_of(text, section.start)
    inner = outer + step_of(outer)
    member = newline_of(text) + inner + _member(text, parts, value=value, indent=inner)
    if "\n" not in text[section.start : section.end]:
        member += newline_of(text) + outer
    at = section.start + 1
    return text[:at] + member + text[at:]


def _member(text: str, parts: list[str], *, value: Any, indent: str) -> str:
    """Format the parts a and b as `"a": {"b": value}`, on lines of their own."""
    first, *rest = parts
    if not rest:
        return f"{_json(first)}: {_json(value)}"
    inner = indent + step_of(indent)
    member = _member(text, rest, value=value, indent=inner)
    newline = newline_of(text)
    return f"{_json(first)}: {{{newline}{inner}{member}{newline}{indent}}}"


def indent_of(text: str, offset: int) -> str:
    """Return the white space at the beginning of the line of a character."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip())]


def step_of(indent: str) -> str:
    """Return the white space that one more level of nesting adds."""
    return "\t" if "\t" in indent else "  "


def newline_of(text: str) -> str:
    """Return the end of a line as this text has it."""
    return "\r\n" if "\r\n" in text else "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
