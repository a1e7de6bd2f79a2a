"""Parse the rows of an answer in the format of OpenAI, which Voyage AI also uses.

`data` is a list of objects with an `index` and an `embedding`, which is little-endian float32 in
base64, or a list of numbers.
"""

import base64
import json
import struct
from collections.abc import Sequence
from typing import Any

from providers.remote.service_errors import Service


def rows_of_json(body: str, count: int, service: Service) -> list[Sequence[float]]:
    """`rows_in_order` of an undecoded answer."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise service.garbage(f"no embeddings: {body}") from None
    return rows_in_order(answer, count, service)


def rows_in_order(answer: Any, count: int, service: Service) -> list[Sequence[float]]:
    """The rows of a decoded answer in the order of the texts, whatever its own order.

    Raises UnavailableError unless there is one for each of `count` texts.
    """
    try:
        entries = list(answer["data"])
        by_index = {entry["index"]: _decoded(entry["embedding"]) for entry in entries}
    except (ValueError, LookupError, TypeError, struct.error):
        raise service.garbage(f"no embeddings: {answer}") from None
    if len(entries) != count:
        raise service.garbage(f"{len(entries)} embeddings for {count} texts")
    if by_index.keys() != set(range(count)):
        raise service.garbage(f"indexes that are not those of {count} texts")
    return [by_index[index] for index in range(count)]


def _decoded(embedding: str | list[float]) -> Sequence[float]:
    if isinstance(embedding, list):
        return embedding
    packed = base64.b64decode(embedding, validate=True)
    return struct.unpack(f"<{len(packed) // 4}f", packed)
