"""A parser of JSON with comments that keeps the position of every value in the text.

The standard parser knows neither comments nor positions. An error needs positions to name a line,
and `mem config set` needs them to change one value and nothing else. Beyond JSON, `//` and `/* */`
comments and a comma after the last item are allowed; a duplicate key is an error.
"""

import json
import re
from typing import Any, NoReturn, TypeAlias

from contracts import ConfigError

MAX_DEPTH = 64

_BLANK = re.compile(r"(?:[ \t\r\n]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?(?![\w.])", re.ASCII)
_WORD = re.compile(r"\w+")
_CONSTANTS = {"true": True, "false": False, "null": None}

Content: TypeAlias = "dict[str, Node] | list[Node] | str | int | float | bool | None"


class Node:
    """A value and its position: `text[start:end]`."""

    __slots__ = ("content", "end", "start")

    def __init__(self, content: Content, start: int, end: int) -> None:
        self.content = content
        self.start = start
        self.end = end

    def at(self, name: str) -> "Node | None":
        """Return the value of a dotted name below this one, or None."""
        node = self
        for part in name.split("."):
            if not isinstance(node.content, dict) or part not in node.content:
                return None
            node = node.content[part]
        return node

    def plain(self) -> Any:
        """The value as `json.loads` would give it."""
        if isinstance(self.content, dict):
            return {key: node.plain() for key, node in self.content.items()}
        if isinstance(self.content, list):
            return [node.plain() for node in self.content]
        return self.content


def parse(text: str, *, name: str) -> Node:
    """Parse the whole of `text` as one value. Error messages call the text `name`.

    Raises ConfigError with line and column when the text is not JSON with comments.
    """
    return _Parser(text, name).document()


def place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of a character, both from 1."""
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


def skip_blank(text: str, offset: int) -> int:
    """Return the offset of the first character from `offset` on that is not blank or a comment."""
    match = _BLANK.match(text, offset)
    return match.end() if match else offset


class _Parser:
    """One pass over one text; `self.at` is the next character to read."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 1 if text.startswith("\ufeff") else 0  # skip a byte order mark

    def document(self) -> Node:
        node = self.value(0)
        if self.peek():
            self.fail("there is more text after the end of the configuration")
        return node

    def peek(self) -> str:
        """Return the next character that counts, empty at the end."""
        self.at = skip_blank(self.text, self.at)
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Node:
        first = self.peek()
        start = self.at
        if depth > MAX_DEPTH:
            self.fail(f"values are nested more than {MAX_DEPTH} deep")
        content: Content
        if first == "{":
            content = self.members(depth)
        elif first == "[":
            content = self.items(depth)
        elif first == '"':
            content = self.string()
        elif match := _NUMBER.match(self.text, start):
            content = self.number(match)
        else:
            content = self.constant()
        return Node(content, start, self.at)

    def members(self, depth: int) -> dict[str, Node]:
        members: dict[str, Node] = {}
        self.at += 1
        while self.peek() != "}":
            start = self.at
            if self.peek() != '"':
                self.fail('a key in double quotes, or "}", is missing')
            key = self.string()
            if key in members:
                self.at = start
                self.fail(f"the key {json.dumps(key)} is a duplicate")
            if self.peek() != ":":
                self.fail(f'":" is missing after the key {json.dumps(key)}')
            self.at += 1
            members[key] = self.value(depth + 1)
            self.separator("}")
        self.at += 1
        return members

    def items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        self.at += 1
        while self.peek() != "]":
            items.append(self.value(depth + 1))
            self.separator("]")
        self.at += 1
        return items

    def separator(self, closing: str) -> None:
        after = self.peek()
        if after == ",":
            self.at += 1
        elif after != closing:
            self.fail(f'"," or "{closing}" is missing')

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if not match:
            self.fail("a text in double quotes does not end on its line")
        try:
            content: str = json.loads(match.group())
        except ValueError:
            self.fail("a text has a backslash escape that JSON does not know")
        self.at = match.end()
        return content

    def number(self, match: re.Match[str]) -> int | float:
        try:
            number: int | float = json.loads(match.group())
        except ValueError:  # Python refuses whole numbers of more than 4300 digits
            self.fail("a number is too long")
        self.at = match.end()
        return number

    def constant(self) -> bool | None:
        word = _WORD.match(self.text, self.at)
        if not word or word.group() not in _CONSTANTS:
            self.fail(self._value_error())
        self.at = word.end()
        return _CONSTANTS[word.group()]

    def _value_error(self) -> str:
        if self.text.startswith("/*", self.at):
            return "a comment that begins here is never closed"
        if self.at >= len(self.text):
            return "the text ends where a value is missing"
        return "a value is missing: a text in double quotes, a number, true, false, null, { or ["

    def fail(self, fact: str) -> NoReturn:
        line, column = place(self.text, self.at)
        raise ConfigError(
            f"{self.name}:{line}:{column}: {fact}",
            hint="correct this place; the file is JSON, and comments are allowed",
        )
