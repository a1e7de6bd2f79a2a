"""Every message to the user: how it begins, and that what it tells to type exists."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS
from memory.config.keys import all_keys, sections
from tests.repository import PACKAGES, ROOT

SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SETTINGS = {key.name for key in all_keys()} | set(sections())
BELOW_MEMORY = {name.split(".")[1] for name in SETTINGS if name.startswith("memory.")}
SETTING = re.compile(rf"\bmemory\.(?:{'|'.join(sorted(BELOW_MEMORY))})\b[\w.]*(?<!\.)(?!\.?\{{)")
COMMAND = re.compile(r"(?:`mem |\bmem )(?:--\w+ (?:\w+|\{\}) )?([a-z]+)")


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


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


def hints(path: Path) -> Iterator[str]:
    module = importlib.import_module(module_name(path))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg == "hint" and (text := text_of(keyword.value, module)):
                yield text


def messages(path: Path) -> Iterator[str]:
    """The first argument of every error with a hint."""
    module = importlib.import_module(module_name(path))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and any(item.arg == "hint" for item in node.keywords):
            text = text_of(node.args[0], module) if node.args else None
            if text:
                yield text


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_messages_and_hints_are_parts_of_a_sentence(path: Path) -> None:
    """They stand after `mem: ` and `hint: `, and after a colon in other messages."""
    texts = [*messages(path), *hints(path)]
    assert [text for text in texts if re.match(r"[A-Z][a-z]* ", text)] == []
    assert [text for text in texts if text.endswith(".")] == []


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_hints_name_settings_that_exist(path: Path) -> None:
    named = {name for hint in hints(path) for name in SETTING.findall(hint)}
    assert named - SETTINGS == set()


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_hints_name_commands_that_exist(path: Path) -> None:
    named = {name for hint in hints(path) for name in COMMAND.findall(hint)}
    assert named - set(COMMANDS) == set()


def test_the_patterns_find_what_they_look_for() -> None:
    """Or else the tests above would hold nothing."""
    found = [hint for path in SOURCES for hint in hints(path)]
    assert "memory.embeddings.sentence_transformers.device" in SETTING.findall(" ".join(found))
    assert {"sync", "init", "status"} <= set(COMMAND.findall(" ".join(found)))
