"""The value of the option --metadata."""

import json
from typing import Any

from contracts import InputError


def metadata_of(metadata: str | None) -> dict[str, Any] | None:
    """The JSON object, if given. Raises InputError for anything else."""
    if metadata is None:
        return None
    hint = """write an object: --metadata '{"author": "Ada"}'"""
    try:
        value = json.loads(metadata)
    except ValueError as error:
        raise InputError(f"--metadata is not JSON: {error}", hint=hint) from error
    if not isinstance(value, dict):
        raise InputError("--metadata is not a JSON object", hint=hint)
    return value
