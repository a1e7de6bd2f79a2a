"""Words that tell what a number is, looked for shortly before it in the same sentence."""

import re

_REACH = 48
_BREAK = re.compile(r"[.!?;\n](?=\s|$)")


def said_before(pattern: re.Pattern[str], text: str, start: int) -> bool:
    """Return whether `pattern` occurs within a few words before `start`, in the same sentence."""
    before = text[max(0, start - _REACH) : start]
    breaks = [found.end() for found in _BREAK.finditer(before)]
    return pattern.search(before, breaks[-1] if breaks else 0) is not None
