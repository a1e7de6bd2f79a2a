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


def write_file(path: Path, text: str) -> None:
    """Write `text` to `path` atomically: to a temporary file that is synced and renamed.

    A new file is readable by its owner only (0600); an existing one keeps its permissions, and a
    link to it stays a link. Raises StorageError when the disk refuses.
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
            Path(aside).replace(target)
        finally:
            Path(aside).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror}",
            hint="make the folder writable for you, or name another file with --config",
        ) from error


def _is_among(problem: ConfigProblem, known: tuple[ConfigProblem, ...]) -> bool:
    return any((problem.key, problem.fact) == (other.key, other.fact) for other in known)


def _insert(text: str, section: Node, *, parts: list[str], value: Any) -> str:
    """Return `text` with a member added at the end of a section, formatted like its neighbours."""
    members = section.content
    if not isinstance(members, dict) or not members:
        return _insert_first(text, section, parts=parts, value=value)
    last = list(members.values())[-1]
    inner = _indent_of(text, last.start)
    member = _member(text, parts, value=value, indent=inner)
    after = skip_blank(text, last.end)
    has_comma = text[after] == ","
    at = after + 1 if has_comma else last.end
    comma = "" if has_comma else ","
    line_end = _COMMENT_ON_LINE.match(text, at)
    if not line_end:  # the line goes on
        return f"{text[:at]}{comma} {member}{text[at:]}"
    comment = line_end.group().rstrip()
    member = f"{_newline(text)}{inner}{member}{',' if has_comma else ''}"
    return text[:at] + comma + comment + member + text[at + len(comment) :]


def _insert_first(text: str, section: Node, *, parts: list[str], value: Any) -> str:
    outer = _indent_of(text, section.start)
    inner = outer + _step(outer)
    member = _newline(text) + inner + _member(text, parts, value=value, indent=inner)
    if "\n" not in text[section.start : section.end]:
        member += _newline(text) + outer
    at = section.start + 1
    return text[:at] + member + text[at:]


def _member(text: str, parts: list[str], *, value: Any, indent: str) -> str:
    """Format the parts a and b as `"a": {"b": value}`, on lines of their own."""
    first, *rest = parts
    if not rest:
        return f"{_json(first)}: {_json(value)}"
    inner = indent + _step(indent)
    member = _member(text, rest, value=value, indent=inner)
    newline = _newline(text)
    return f"{_json(first)}: {{{newline}{inner}{member}{newline}{indent}}}"


def _indent_of(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip())]


def _step(indent: str) -> str:
    return "\t" if "\t" in indent else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
