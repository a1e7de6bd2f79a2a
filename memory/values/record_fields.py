"""Checks of the metadata and tags that callers give with a record, and of the sizes of lists."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from contracts import InputError
from memory.values.text_checks import NAME_LIMIT, check_texts, checked_text


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata as it will be read back. Raises InputError when JSON cannot hold it."""
    if not isinstance(metadata, Mapping):
        raise InputError(f"the metadata is {metadata!r}", hint="give a dict")
    try:
        text = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
        copied: dict[str, Any] = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"the metadata cannot be stored: {error}",
            hint="use text, numbers, true, false, null, lists and objects only",
        ) from error
    check_texts(copied, "the metadata")
    return copied


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the tags as they will be read back, each once. Raises InputError unless a list of
    texts.
    """
    is_list = isinstance(tags, Sequence) and not isinstance(tags, str)
    if not is_list or not all(isinstance(tag, str) for tag in tags):
        raise InputError(f"the tags are {tags!r}", hint="give a list of texts")
    return tuple(dict.fromkeys(checked_text(tag, "a tag", most=NAME_LIMIT) for tag in tags))


def check_limit(limit: int, most: int) -> None:
    """Raise InputError unless a list may be asked for so many entries, 1 to `most`."""
    if type(limit) is not int or not 1 <= limit <= most:
        raise InputError(f"the limit is {limit!r:.80}", hint=f"give a number from 1 to {most}")


def clean(text: str) -> str:
    """Replace halves of surrogate pairs in what another program wrote."""
    return text.encode("utf-8", "replace").decode()
