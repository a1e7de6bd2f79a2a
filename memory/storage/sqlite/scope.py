"""SQL conditions on the chunks table for a `Scope`."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from contracts import Scope

LONGEST_GLOB = 12_500
"""The most characters of a pattern; SQLite refuses patterns of more than 50,000 bytes."""

_BY_SOURCE = "c.source IN (SELECT value FROM json_each(:scope_sources))"
_BY_NO_SOURCE = "c.source NOT IN (SELECT value FROM json_each(:scope_without_sources))"
_STILL_SHOWN = "(c.hidden_from IS NULL OR c.hidden_from > :scope_shown_after)"
_BY_SPEAKER = """(c.source = 'turn'
    AND coalesce(c.metadata ->> '$.speaker', c.metadata ->> '$.role') = :scope_speaker)"""
_BELOW = """SELECT f.id FROM files AS f, json_each(:{folders}) AS p
    WHERE f.path = p.value OR (f.path >= p.value || '/' AND f.path < p.value || '0')"""
_WITHIN = f"c.source = 'file' AND c.owner_id IN ({_BELOW.format(folders='scope_within')})"
_FILES = f"""
    {_BELOW.format(folders="scope_paths")}
    UNION ALL
    SELECT f.id FROM files AS f, json_each(:scope_globs) AS g WHERE f.path GLOB g.value
"""
_BY_PATH = f"c.source = 'file' AND c.owner_id IN ({_FILES})"
_BY_TAGS = """NOT EXISTS (
    SELECT 1 FROM json_each(:scope_tags) AS wanted
    WHERE wanted.value NOT IN (SELECT value FROM json_each(coalesce(c.tags, '[]')))
)"""
_BY_NO_TAG = """(c.tags IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(c.tags) AS own
    WHERE own.value IN (SELECT value FROM json_each(:scope_without_tags))
))"""

_RULES: tuple[tuple[Callable[[Scope], Any], str], ...] = (
    (lambda scope: scope.sources, _BY_SOURCE),
    (lambda scope: scope.paths or scope.globs, _BY_PATH),
    (lambda scope: scope.within, _WITHIN),
    (lambda scope: scope.session_id is not None, "c.session_id = :scope_session_id"),
    (lambda scope: scope.since is not None, "c.occurred_at >= :scope_since"),
    (lambda scope: scope.until is not None, "c.occurred_at <= :scope_until"),
    (lambda scope: scope.tags, _BY_TAGS),
    (lambda scope: scope.without_tags, _BY_NO_TAG),
    (lambda scope: scope.without_sources, _BY_NO_SOURCE),
    (lambda scope: scope.shown_after is not None, _STILL_SHOWN),
    (lambda scope: scope.speaker is not None, _BY_SPEAKER),
)


def scope_sql(scope: Scope, generation: str | None = None) -> tuple[list[str], dict[str, Any]]:
    """Return conditions on `chunks AS c` and their parameters; both empty for everything."""
    conditions = [sql for present, sql in _RULES if present(scope)]
    if generation is not None:
        conditions.append("c.generation IN (:scope_generation, '')")
    parameters = {
        "scope_sources": json.dumps(scope.sources),
        "scope_paths": _folders(scope.paths),
        "scope_within": _folders(scope.within),
        "scope_globs": json.dumps([_glob(pattern) for pattern in scope.globs]),
        "scope_session_id": scope.session_id,
        "scope_since": scope.since,
        "scope_until": scope.until,
        "scope_tags": json.dumps(scope.tags),
        "scope_without_tags": json.dumps(scope.without_tags),
        "scope_without_sources": json.dumps(scope.without_sources),
        "scope_shown_after": scope.shown_after,
        "scope_speaker": scope.speaker,
        "scope_generation": generation,
    }
    return conditions, parameters if conditions else {}


def has_files_sql(scope: Scope) -> tuple[str, dict[str, Any]]:
    """Return the statement that tells whether the scope's paths and patterns name any file."""
    return f"SELECT EXISTS ({_FILES})", scope_sql(scope)[1]


def _folders(paths: Iterable[str]) -> str:
    return json.dumps([path.rstrip("/") for path in paths if path])


def _glob(pattern: str) -> str:
    """Convert a shell pattern to SQLite's syntax; one longer than SQLite takes matches no path."""
    return pattern.replace("[!", "[^") if len(pattern) <= LONGEST_GLOB else ""
