"""The statements of `memory.storage.database` as PostgreSQL understands them.

Values are put into the text of a statement as literals without a type, as SQLite sees them: the
column or the function beside a value gives it its type.
"""

import functools
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from memory.storage.values import Parameters

ESCAPE = "\ufffe"
"""Begins the escape of a character that PostgreSQL's text cannot hold: NUL, and itself."""

SMALLEST, LARGEST = -(2**63), 2**63 - 1

_NUL: Final = r"'\u0000', '\ufffe0'"
_ESCAPE: Final = r"'\ufffe', '\ufffe1'"
_BACKSLASHES: Final = r"'\\', chr(65535)"
_HALVES: Final = (
    r"'\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]..', '\ufffd', 'g'"  # no pair
)
_NUMBERS: Final = r"'([:,[] ?)(?:NaN|-?Infinity)', '\1null', 'g'"

_VALUE: Final = (
    r'("([^"\\\x01-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
    r"|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null)"
)
_INNER: Final = rf"\[\s*({_VALUE}\s*(,\s*{_VALUE}\s*)*)?\]"
_ITEM: Final = rf"({_VALUE}|{_INNER})"
_LIST: Final = rf"'^\s*\[\s*({_ITEM}\s*(,\s*{_ITEM}\s*)*)?\]\s*$'"
"""A JSON list of plain values and of lists of them. Another program may have left anything in a
column, and a server of version 15 cannot tell what it would refuse.
"""

_INSERT = re.compile(r"\s*INSERT\s+INTO\s+(?P<table>\w+)\s*\(\s*id\b", re.IGNORECASE)

_PART = re.compile(
    r"""
    '(?:[^']|'')*'                              # a text, which stays as it is
    | (?P<percent>%)
    | list_holds\((?P<list>[\w.]+),\s*:(?P<held>\w+)\)
    | (?P<fold>lower|upper)\(:(?P<folded>\w+)\)
    | (?P<not>NOT\s+)?IN\s*\(:(?P<values>\w+)\)
    | (?<!:):(?P<name>[a-z_]\w*)
    | (?P<like>\bLIKE\b)
    | (?P<integer>\bAS\s+INTEGER\))
    """,
    re.VERBOSE | re.IGNORECASE,
)


def escaped(text: str) -> str:
    """Return a text as a column holds it: without NUL."""
    if "\0" in text or ESCAPE in text:
        return text.replace(ESCAPE, f"{ESCAPE}1").replace("\0", f"{ESCAPE}0")
    return text


def unescaped(text: str) -> str:
    """Return the text that a column holds."""
    if ESCAPE in text:
        return text.replace(f"{ESCAPE}0", "\0").replace(f"{ESCAPE}1", ESCAPE)
    return text


def tags_sql(tags: str) -> str:
    """Return SQL of the type `jsonb` for a list of tags as JSON text, with its escapes replaced.

    PostgreSQL refuses some of them, such as NUL. Two lists have a tag in common in this form if
    they have it in theirs.
    """
    for escape, name in ((r"\\", "b"), (r"\"", "q"), ("\\", "e")):
        tags = f"replace({tags}, '{escape}', chr(65535) || '{name}')"
    return f"(({tags})::jsonb)"


def json_sql(column: str) -> str:
    """Return SQL of the type `json` for a column of JSON text, whatever Python wrote into it.

    Its texts are as `escaped` returns them. What PostgreSQL refuses is replaced: a half of a
    surrogate pair by U+FFFD, NaN and the infinite numbers by null.
    """
    # A pair of backslashes is one character meanwhile, so that `\\u0000` is not a NUL.
    whole = f"replace({column}, {_BACKSLASHES})"
    whole = f"replace(replace({whole}, {_ESCAPE}), {_NUL})"
    whole = f"regexp_replace(regexp_replace({whole}, {_HALVES}), {_NUMBERS})"
    whole = rf"replace({whole}, chr(65535), '\\')"
    return rf"(CASE WHEN {column} ~ '\\u|NaN|Infinity' THEN {whole} ELSE {column} END)::json"


def in_postgres(sql: str, parameters: Parameters | None = None) -> tuple[str, dict[str, Any]]:
    """A statement of `memory.storage.database` as psycopg takes it, and its parameters.

    A list is one array. LIKE, `lower` and `upper` fold ASCII alone as SQLite's do: every column has
    the collation "C".
    """
    values = dict(parameters or {})
    lists = {name for name, value in values.items() if type(value) in (list, tuple)}
    for name in lists:
        # Numbers beyond 64 bits are in no column.
        values[name] = [one for one in values[name] if not _is_too_large(one)]
    translated, held = _translated(sql, frozenset(lists))
    if values.get("id", 0) is None and _INSERT.match(sql):
        translated = translated.replace("%(id)s", "DEFAULT")  # the next number
    for name in held:
        values[f"{name}_as_json"] = json.dumps(values[name])
    return translated, values


def numbered_table(sql: str, values: Mapping[str, Any]) -> str | None:
    """Return the table in which a statement inserts a row with a number that it chose itself."""
    if type(values.get("id")) is not int:
        return None
    found = _INSERT.match(sql)
    return found["table"] if found else None


def _is_too_large(value: Any) -> bool:
    return type(value) is int and not SMALLEST <= value <= LARGEST


@functools.lru_cache(maxsize=1024)
def _translated(sql: str, lists: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    held = []

    def written(found: re.Match[str]) -> str:
        part = found.group()
        if found["percent"] or part.startswith("'"):
            return part.replace("%", "%%")
        if found["list"]:
            held.append(found["held"])
            # The elements of an array in JSON are compared as they are written there, escapes
            # included, since a text with a NUL has no other form.
            tags, held_json = found["list"], f"%({found['held']}_as_json)s"
            return (
                f"CASE WHEN strpos({tags}, {held_json}) > 0 AND {tags} ~ {_LIST} THEN EXISTS ("
                f"SELECT 1 FROM json_array_elements({tags}::json) AS element "
                f"WHERE element::text = {held_json}) ELSE false END"
            )
        if found["values"]:
            if found["values"] not in lists:
                return f"{found['not'] or ''}IN (%({found['values']})s)"
            operator = "<> ALL" if found["not"] else "= ANY"
            return f"{operator} (%({found['values']})s)"
        if found["fold"]:
            return f'{found["fold"]}(%({found["folded"]})s::text COLLATE "C")'
        if found["like"]:
            return "ILIKE"
        return "AS BIGINT)" if found["integer"] else f"%({found['name']})s"

    return _PART.sub(written, sql), tuple(dict.fromkeys(held))
