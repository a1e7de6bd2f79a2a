"""Checks of the values in a line of an export, with an error for the report."""

import struct
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any, Final, TypeVar

from memory.storage.vectors import decoded, is_unit

MOST_INTEGER: Final = 2**63 - 1

T = TypeVar("T")


class LineError(Exception):
    """An unusable line; the message is the reason for the report."""


def checked(values: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Return the value of that name. Raises LineError when it is missing or of another type."""
    value = values.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise LineError(f"its {name} is {value!r:.80}")
    if isinstance(value, int) and not -MOST_INTEGER <= value <= MOST_INTEGER:
        raise LineError(f"its {name} is {value}, more than a column can hold")
    return value


def checked_moment(values: Mapping[str, Any], name: str) -> str:
    """Return the ISO 8601 text of that name. Raises LineError for an invalid time."""
    moment = checked(values, name, str)
    try:
        datetime.fromisoformat(moment)
    except ValueError as error:
        raise LineError(f"its {name} is {moment!r:.80}") from error
    return moment


def texts_of(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the texts of a list of that name. Raises LineError."""
    texts = checked(values, name, list)
    if not all(isinstance(text, str) for text in texts):
        raise LineError(f"its {name} is {texts!r:.40}")
    return tuple(texts)


def integers_of(values: Mapping[str, Any], name: str) -> list[int]:
    """Return the integers of a list of that name. Raises LineError."""
    found = checked(values, name, list)
    if not all(type(one) is int for one in found):
        raise LineError(f"its {name} are {found!r:.40}")
    return found


def check_ranges(values: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raise LineError unless each named value is a number from the first to the second."""
    for name, (low, high) in ranges.items():
        value = values[name]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            raise LineError(f"its {name} is {value!r:.40}")


def one_of(values: Mapping[str, Any], name: str, known: Sequence[object]) -> None:
    """Raise LineError unless the value of that name is a known one."""
    value = values[name]
    if isinstance(value, bool) or value not in known:
        raise LineError(f"its {name} is {value!r:.40}")


def hexadecimal(text: str) -> bytes:
    """Return the bytes of a hexadecimal text. Raises LineError."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise LineError(f"{text!r:.40} is not a hexadecimal number") from error


def vector_text(v: bytes) -> str:
    """Return a float16 row as text for JSON."""
    return b64encode(v).decode("ascii")


def row_of(vector: Any) -> bytes | None:
    """Return the float16 row of a line. Raises LineError for an invalid vector."""
    if vector is None:
        return None
    try:
        row = b64decode(vector, validate=True)
        is_finite = isfinite(sum(decoded(row)))
    except (TypeError, ValueError, struct.error) as error:
        raise LineError("its vector is not base64 of 16-bit floats") from error
    if not is_finite:
        raise LineError("its vector is not finite")
    return row


def check_row(row: bytes, dimensions: int) -> None:
    """Raise LineError unless a float16 row is a unit vector of that many dimensions."""
    if len(row) != 2 * dimensions:
        raise LineError(f"its vector has {len(row) // 2} dimensions")
    if not is_unit(row):
        raise LineError("the length of its vector is not 1")
