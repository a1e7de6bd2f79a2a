"""The export lines of records other than documents, and of actions on them.

    {"type": "session", ...}   a conversation, before its turns
    {"type": "turn", ...}      a turn, with its vectors by the hash of their text
    {"type": "memory", ...}    with its links to turns in `links`, and its vectors
    {"type": "action", ...}    an action on a record

Each kind writes and reads its own lines; they come in the order of the kinds, actions last. Records
keep their numbers where those are free, so that an empty database gives equal lines again.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from memory.index.record_exchange import Line
from memory.index.record_hooks import all_hooks
from memory.storage import Space
from memory.values.line_values import checked, checked_moment
from memory.workspace import Workspace

ACTION: Final = "action"
ACTION_FIELDS: Final = ("at", "actor", "action", "source", "record_id", "code", "numbers")


def record_lines(workspace: Workspace, space: Space | None) -> Iterator[Line]:
    """Yield the type and the values of every line, in a snapshot; vectors of that space."""
    for hooks in all_hooks(workspace):
        yield from hooks.lines(space)
    sql = f"SELECT {', '.join(ACTION_FIELDS)} FROM actions ORDER BY id"
    for row in workspace.storage.database.read(sql):
        values = dict(zip(ACTION_FIELDS, row, strict=True))
        yield ACTION, {**values, "numbers": json.loads(values["numbers"])}


def action_of_line(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an action. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in ACTION_FIELDS}
    for name in ("actor", "action", "source"):
        checked(given, name, str)
    if given["code"] is not None:
        checked(given, "code", str)
    checked_moment(given, "at")
    checked(given, "record_id", int)
    checked(given, "numbers", dict)
    return given
