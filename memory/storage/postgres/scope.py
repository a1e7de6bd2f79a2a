"""SQL conditions of PostgreSQL on the chunks table for a `Scope`."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Any, Final

from contracts import Scope
from memory.storage.postgres.statements import json_sql, tags_sql

LONGEST_GLOB: Final = 12_500
"""The most characters of a pattern; a longer one matches no path, as in SQLite."""

_PART: Final = re.compile(r"\*+|\?|\[(?P<not>[!^]?+)(?P<class>\][^\]]*|[^\]]+)\]|.", re.DOTALL)
"""A part of a shell pattern."""

_LITERAL: Final = re.compile(r"[*?\[]")
"""Ends the part of a pattern that paths begin with as it is."""

_NOTHING: Final = "(?!)"
"""A regular expression that matches nothing."""

_BELOW: Final = """SELECT f.id FROM files AS f, unnest(:{folders}::text[]) AS p
    WHERE f.path = p OR (f.path >= p || '/' AND f.path < p || '0')"""
_WITHIN: Final = f"c.source = 'file' AND c.owner_id IN ({_BELOW.format(folders='scope_within')})"
_FILES: Final = f"""{_BELOW.format(folders="scope_paths")}
    UNION ALL SELECT f.id FROM files AS f
    WHERE (:scope_folder = '' OR f.path >= :scope_folder || '/' AND f.path < :scope_folder || '0')
        AND f.path ~~ ANY (:scope_likes::text[]) AND f.path ~ ANY (:scope_globs::text[])"""
"""The folder of all patterns is a part of an index, and LIKE excludes nearly all other paths in a
third of the time of a regular expression.
"""
_BY_PATH: Final = f"c.source = 'file' AND c.owner_id IN ({_FILES})"
_OWN_TAGS: Final = "SELECT tag::text FROM json_array_elements(coalesce(c.tags, '[]')::json) AS tag"
_BY_TAGS: Final = f"(c.tags IS NOT NULL AND {tags_sql('c.tags')} @> {tags_sql(':scope_tags')})"
_BY_NO_TAG: Final = f"(c.tags IS NULL OR NOT :scope_without_tags::text[] && ARRAY({_OWN_TAGS}))"
_STILL_SHOWN: Final = "(c.hidden_from IS NULL OR c.hidden_from > :scope_shown_after)"
_METADATA: Final = json_sql("c.metadata")
_BY_SPEAKER: Final = f"""(c.source = 'turn'
    AND coalesce({_METADATA} ->> 'speaker', {_METADATA} ->> 'role') = :scope_speaker)"""

_RULES: Final[tuple[tuple[Callable[[Scope], Any], str], ...]] = (
    (lambda scope: scope.sources, "c.source = ANY (:scope_sources::text[])"),
    (lambda scope: scope.paths or scope.globs, _BY_PATH),
    (lambda scope: scope.within, _WITHIN),
    (lambda scope: scope.session_id is not None, "c.session_id = :scope_session_id"),
    (lambda scope: scope.since is not None, "c.occurred_at >= :scope_since"),
    (lambda scope: scope.until is not None, "c.occurred_at <= :scope_until"),
    (lambda scope: scope.tags, _BY_TAGS),
    (lambda scope: scope.without_tags, _BY_NO_TAG),
    (lambda scope: scope.without_sources, "c.source <> ALL (:scope_without_sources::text[])"),
    (lambda scope: scope.shown_after is not None, _STILL_SHOWN),
    (lambda scope: scope.speaker is not None, _BY_SPEAKER),
)


def scope_sql(scope: Scope, generation: str | None = None) -> tuple[list[str], dict[str, Any]]:
    """Return conditions on `chunks AS c` and their parameters; both empty for everything."""
    conditions = [sql for present, sql in _RULES if present(scope)]
    if generation is not None:
        conditions.append("c.generation IN (:scope_generation, '')")
    parameters = {
        "scope_sources": _storable(scope.sources),
        "scope_paths": _folders(scope.paths),
        "scope_within": _folders(scope.within),
        "scope_globs": [_regular(glob) for glob in _storable(scope.globs)],
        "scope_folder": _folder(_storable(scope.globs)),
        "scope_likes": [_like(glob) for glob in _storable(scope.globs)],
        "scope_session_id": scope.session_id,
        "scope_since": scope.since,
        "scope_until": scope.until,
        # As a column of tags has them, see `statements`.
        "scope_tags": json.dumps(scope.tags),
        "scope_without_tags": [json.dumps(tag) for tag in scope.without_tags],
        "scope_without_sources": _storable(scope.without_sources),
        "scope_shown_after": scope.shown_after,
        "scope_speaker": None if scope.speaker is None else _storable([scope.speaker])[0],
        "scope_generation": generation,
    }
    return conditions, parameters if conditions else {}


def has_files_sql(scope: Scope) -> tuple[str, dict[str, Any]]:
    """Return the statement that tells whether the scope's paths and patterns name any file."""
    return f"SELECT EXISTS ({_FILES})", scope_sql(scope)[1]


def _storable(texts: Iterable[str]) -> list[str]:
    """Return the texts with surrogate halves, which no stored text can hold, replaced."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def _folders(paths: Iterable[str]) -> list[str]:
    return _storable(path.rstrip("/") for path in paths if path)


def _folder(globs: Sequence[str]) -> str:
    """Return the folder of all paths that may match one of these shell patterns; empty: any."""
    folders = [_LITERAL.split(glob)[0].split("/")[:-1] for glob in globs]
    common = takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))
    return "/".join(parts[0] for parts in common)


def _regular(glob: str) -> str:
    """Convert a shell pattern to a regular expression of PostgreSQL that matches whole paths."""
    if len(glob) > LONGEST_GLOB:
        return _NOTHING
    return f"^(?:{''.join(map(_regular_part, _PART.finditer(glob)))})$"


def _like(glob: str) -> str:
    """Convert a shell pattern to one of LIKE that matches at least the same paths."""
    return "".join(map(_like_part, _PART.finditer(glob)))


def _like_part(part: re.Match[str]) -> str:
    if part[0].startswith("*"):
        return "%"
    if part["class"] is not None or part[0] == "?":
        return "_"
    return rf"\{part[0]}" if part[0] in r"\%_" else part[0]


def _regular_part(part: re.Match[str]) -> str:
    if part["class"] is not None:
        return f"[{'^' if part['not'] else ''}{_members(part['class'])}]"
    if part[0] == "[":
        return _NOTHING  # a class without an end
    if part[0].startswith("*"):
        return ".*"
    if part[0] == "?":
        return "."
    return re.sub(r"[^\w\s/]", r"\\\g<0>", part[0]) if part[0].isascii() else part[0]


def _members(of_class: str) -> str:
    """Return the characters of a class, as SQLite reads them: a range that falls is its first."""
    first = of_class.startswith("]")
    found, before, place = ["\\]"] * first, "", int(first)
    while place < len(of_class):
        char, after = of_class[place], of_class[place + 1 : place + 2]
        if char == "-" and before and after:
            if before <= after:
                found.append(f"{_escaped(before)}-{_escaped(after)}")
            before, place = "", place + 2
        else:
            found.append(_escaped(char))
            before, place = char, place + 1
    return "".join(found)


def _escaped(char: str) -> str:
    return f"\\{char}" if char in r"\[]^-" else char
