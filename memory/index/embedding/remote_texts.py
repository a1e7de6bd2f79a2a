"""Texts that a model on another machine does not get: conversations captured from agents.

They have no vector and are found by words. `memory.capture.remote_models` allows it; the texts are
then embedded like those that were stored while the model could not be reached.
"""

import ipaddress
import json
from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from ingest.histories.agents.places import AGENTS
from memory.storage import Database
from memory.storage.action_log import IMPORTED
from memory.storage.meta import VECTORS_MISSING, read_meta, write_meta
from memory.workspace import Workspace

HELD_BACK: Final = (
    "captured from an agent, and not sent to a model on another machine: "
    "memory.capture.remote_models allows it"
)
"""The reason that such a text is listed with among those that have no vector."""

_SAME_TEXT_SQL: Final = """
SELECT hash, source, owner_id, session_id, metadata FROM chunks WHERE hash IN (:hashes)
"""
_SOURCES_SQL: Final = "SELECT turn_id FROM memory_links WHERE memory_id = :memory_id"
_TURNS_SQL: Final = """
SELECT metadata FROM chunks WHERE source = 'turn' AND owner_id IN (:turn_ids)
"""
_TURN_SQL: Final = """
SELECT metadata FROM chunks WHERE session_id = :session_id AND source = 'turn' LIMIT 1
"""
_HELD_SQL: Final = "SELECT 1 FROM refused_texts WHERE reason = :reason LIMIT 1"
_RELEASE_SQL: Final = "DELETE FROM refused_texts WHERE reason = :reason"


def is_this_machine(address: str) -> bool:
    """Return whether a host, `host:port` or URL is a loopback address of this machine."""
    host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_captured(metadata: Mapping[str, Any]) -> bool:
    """Return whether the metadata of a turn, or of its chunk, say that it was captured."""
    return metadata.get(IMPORTED) in AGENTS


def held_back(database: Database, contents: Collection[bytes]) -> dict[bytes, str]:
    """Return those of the contents that only captured turns have, and what was made of them alone.

    That is their episodes, and the memories without another source. Each with the reason.
    """
    if not contents:
        return {}
    held: set[bytes] = set()
    others: set[bytes] = set()
    for content, *row in database.read(_SAME_TEXT_SQL, {"hashes": list(contents)}):
        (held if _is_of_capture(database, *row) else others).add(bytes(content))
    return dict.fromkeys(held - others, HELD_BACK)


def _is_of_capture(
    database: Database, source: str, owner_id: str, session_id: str | None, metadata: str | None
) -> bool:
    if source == "turn":
        return is_captured(_object(metadata))
    if source == "episode":
        turns = database.read(_TURN_SQL, {"session_id": session_id})
    elif source == "memory":
        ids = [str(row[0]) for row in database.read(_SOURCES_SQL, {"memory_id": int(owner_id)})]
        turns = database.read(_TURNS_SQL, {"turn_ids": ids})
    else:
        return False
    return bool(turns) and all(is_captured(_object(row[0])) for row in turns)


def lacks_vectors(workspace: Workspace) -> bool:
    """Return whether chunks wait for a vector; what is no longer held back waits again."""
    database = workspace.storage.database
    if workspace.config.capture.remote_models:
        reason = {"reason": HELD_BACK}
        if database.read(_HELD_SQL, reason):
            with database.transaction() as tx:
                tx.run(_RELEASE_SQL, reason)
                write_meta(tx, VECTORS_MISSING, True)
    return bool(read_meta(database, VECTORS_MISSING))


def _object(text: str | None) -> dict[str, Any]:
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}
