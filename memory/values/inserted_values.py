"""Values of rows that another program inserted, read as this program would have written them."""

import json
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from contracts.lazy_regex import deferred
from memory.storage.values import utc_text

_STORED = deferred(r"[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z")
UNKNOWN_TIME: Final = "1970-01-01T00:00:00.000Z"


def moment_of(value: object) -> datetime | None:
    """Return a time of ISO 8601 in any spelling, in UTC where it names no zone, else None."""
    try:
        moment = datetime.fromisoformat(str(value).strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def time_of(value: object, *, otherwise: str) -> str:
    """Return a time as it is stored, `otherwise` for another value."""
    if isinstance(value, str) and _is_stored(value):  # as nearly all are
        return value
    moment = moment_of(value)
    return otherwise if moment is None else utc_text(moment)


def expiry_of(value: object) -> str | None:
    """Return until when a record holds; None, as for one that always does, for another value."""
    return time_of(value, otherwise="") or None


@lru_cache(4096)
def _is_stored(text: str) -> bool:
    """Return whether it is a time as it is stored; rows beside each other often have the same."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return _STORED.fullmatch(text) is not None


def text_of(value: object) -> str:
    """Return a text; bytes that are not UTF-8 become U+FFFD."""
    if isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a JSON list, none for anything else."""
    if value in (None, "[]"):
        return ()
    found = _json(value)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def object_of(value: object) -> dict[str, Any]:
    """Return a JSON object, an empty one for anything else."""
    if value in (None, "{}"):
        return {}
    found = _json(value)
    return found if isinstance(found, dict) else {}


def _json(value: object) -> Any:
    try:
        return json.loads(text_of(value))
    except (ValueError, RecursionError):
        return None
