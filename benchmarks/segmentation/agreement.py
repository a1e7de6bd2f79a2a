"""Agreement of two divisions of one text: Pk (Beeferman et al., 1999) and WindowDiff (Pevzner and
Hearst, 2002); 0 is agreement everywhere, and chance is about .5.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    """`pk`, `window_diff`, and the number of boundaries for each true one."""

    pk: float
    window_diff: float
    boundaries: float


def agreement(true: Sequence[int], found: Sequence[int], *, messages: int) -> Agreement:
    """Compare boundaries, each the number of the message that it is before.

    A window of half the mean length of a true segment moves over the messages. Pk is the share of
    its places where only one division has a boundary in it, WindowDiff that where the numbers of
    boundaries in it differ. Raises ValueError unless there are true boundaries.
    """
    if not true:
        raise ValueError("there is no true boundary")
    size = max(2, round(messages / (len(true) + 1) / 2))
    counts = [_counts(boundaries, messages, size) for boundaries in (true, found)]
    pairs = list(zip(*counts, strict=True))
    either = sum((one > 0) != (other > 0) for one, other in pairs)
    differing = sum(one != other for one, other in pairs)
    return Agreement(either / len(pairs), differing / len(pairs), len(found) / len(true))


def _counts(boundaries: Sequence[int], messages: int, size: int) -> list[int]:
    """Return the number of boundaries after each message and up to `size` messages later."""
    is_before = [0] * (messages + 1)
    for boundary in boundaries:
        is_before[boundary] = 1
    return [sum(is_before[start + 1 : start + size + 1]) for start in range(messages - size)]
