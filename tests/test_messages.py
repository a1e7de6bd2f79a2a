"""Every message to the user: how it begins, and that what it tells to type exists."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cli.commands import COMMANDS
from memory.config.keys import all_keys, sections
from tests.repository import SOURCES, module_name

SETTINGS = {key.name for key in all_keys()} | set(sections())
BELOW_MEMORY = {name.split(".")[1] for name in SETTINGS if name.startswith("memory.")}
SETTING = re.compile(rf"\bmemory\.(?:{'|'.join(sorted(BELOW_MEMORY))})\b[\w.]*(?<!\.)(?!\.?\{{)")
COMMAND = re.compile(r"(?:`mem |\bmem )(?:--\w+ (?:\w+|\{\}) )?([a-z]+)")


def text_of(node: ast.expr, module: Any) -> str | None:
    """A literal, what is put into it standing as `{}` unless it is a constant of the module."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = []
    for part in node.values:
        value = part.value if isinstance(part, ast.Constant | ast.FormattedValue) else None
        name = value.id if isinstance(value, ast.Name) else ""
        known = getattr(module, name, None) if name else value
        parts.append(known if isinstance(known, str) else "{}")
    return "".join(parts)


@cache
def calls(path: Path) -> list[ast.Call]:
    """The calls that are given a hint."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call) and any(item.arg == "hint" for item in node.keywords)
    ]


def hints() -> Iterator[tuple[str, str]]:
    """Every hint, with the name of its module."""
    for path in SOURCES:
        name = module_name(path)
        for keyword in (item for call in calls(path) for item in call.keywords):
            text = text_of(keyword.value, importlib.import_module(name))
            if keyword.arg == "hint" and text:
                yield name, text


def messages() -> Iterator[tuple[str, str]]:
    """The first argument of every error with a hint, with the name of its module."""
    for path in SOURCES:
        name = module_name(path)
        for call in calls(path):
            text = text_of(call.args[0], importlib.import_module(name)) if call.args else None
            if text:
                yield name, text


def test_messages_and_hints_are_parts_of_a_sentence() -> None:
    """They stand after `mem: ` and `hint: `, and after a colon in other messages."""
    found = [*messages(), *hints()]
    assert [(name, text) for name, text in found if re.match(r"[A-Z][a-z]* ", text)] == []
    assert [(name, text) for name, text in found if text.endswith(".")] == []


def test_hints_name_settings_that_exist() -> None:
    named = {(name, key) for name, hint in hints() for key in SETTING.findall(hint)}
    assert [(name, key) for name, key in named if key not in SETTINGS] == []


def test_hints_name_commands_that_exist() -> None:
    named = {(name, command) for name, hint in hints() for command in COMMAND.findall(hint)}
    assert [(name, command) for name, command in named if command not in COMMANDS] == []


def test_the_patterns_find_what_they_look_for() -> None:
    """Or else the tests above would hold nothing."""
    found = [hint for _, hint in hints()]
    assert "memory.embeddings.sentence_transformers.device" in SETTING.findall(" ".join(found))
    assert {"sync", "init", "status"} <= set(COMMAND.findall(" ".join(found)))
