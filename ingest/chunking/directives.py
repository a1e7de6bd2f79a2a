"""The names that reStructuredText documents: `.. function:: dumps(obj)` below `.. module:: json`.

A page of reference defines them as source code does, so that a question for a name finds its entry.
"""

import re
from collections.abc import Iterator
from typing import Final

from ingest.chunking.grammars.syntax import DefinedName

_CONTAINERS: Final = frozenset({"class", "enum", "exception", "interface", "struct", "union"})
_MEMBERS: Final = frozenset(
    {
        *("abstractmethod", "attribute", "classmethod", "coroutinefunction", "coroutinemethod"),
        *("data", "decorator", "decoratormethod", "function", "macro", "member", "method"),
        *("property", "staticmethod", "type", "var"),
    }
)
_ALONE: Final = frozenset({"confval", "envvar", "setting", "templatefilter", "templatetag"})
"""They belong to no module."""

_DIRECTIVE: Final = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ ]+(?:(?P<domain>py|c|cpp|js|std):)?(?P<kind>[a-z]+)::[ \t]+"
    r"(?P<signature>\S[^\n]*(?:\n(?P=indent)[ \t]+[^\s:][^\n]*)*)",
    re.MULTILINE,
)
_NAME: Final = re.compile(r"[^\W\d][\w.]*(?<!\.)")
_BRACKET: Final = re.compile(r"[(\[]|:(?!:)|=")


def documented_names(text: str) -> list[DefinedName]:
    """The offsets of the directives that document a name, and the names, below their module and
    class.
    """
    return list(_documented(text))


def _documented(text: str) -> Iterator[DefinedName]:
    module = ""
    above: list[tuple[int, str]] = []
    for found in _DIRECTIVE.finditer(text):
        kind, is_c = found["kind"], found["domain"] in ("c", "cpp")
        is_last = is_c or kind in _ALONE
        names = [_name(each, last=is_last) for each in _signatures(found["signature"])]
        if kind in ("module", "currentmodule"):
            module, above = names[0], []
            if kind == "module" and module:
                yield found.start(), module
            continue
        if kind not in _CONTAINERS | _MEMBERS | _ALONE:
            continue
        indent = len(found["indent"].expandtabs())
        while above and above[-1][0] >= indent:
            above.pop()
        outer = above[-1][1] if above else "" if is_c or kind in _ALONE else module
        whole = [_below(outer, name) for name in names if name]
        yield from ((found.start(), name) for name in whole)
        if kind in _CONTAINERS and whole:
            above.append((indent, whole[0]))


def _signatures(text: str) -> Iterator[str]:
    """The signatures of a directive, one a line; one with an open bracket goes on."""
    held = ""
    for line in text.split("\n"):
        held += line
        if held.count("(") <= held.count(")") and not held.endswith("\\"):
            yield held
            held = ""
    if held:
        yield held


def _name(signature: str, *, last: bool) -> str:
    """The name in a signature, before its bracket: the first, or the last, as in C after the type
    and in a setting after the one that it is part of.
    """
    found = _NAME.findall(_BRACKET.split(signature, maxsplit=1)[0])
    return str(found[-1 if last or "(" in signature else 0]) if found else ""


def _below(outer: str, name: str) -> str:
    """The name below its class or module, unless it begins with that, or with its last part."""
    last = outer.rpartition(".")[2]
    if not outer or name.startswith(f"{outer}."):
        return name
    if name.startswith(f"{last}."):
        return f"{outer}{name[len(last) :]}"
    return f"{outer}.{name}"
