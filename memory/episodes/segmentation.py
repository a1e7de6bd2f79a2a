"""Division of a conversation into episodes: where one ends and the next one begins.

A pause ends an episode, and so does a change of topic, unless the episode would be too short; one
that is too long is divided where its topic changes most. The decision about a place looks at no
more than `SEEN_AFTER` messages after it, so that it can be made while the conversation goes on, and
is the same however the messages arrive. Measured by `python -m benchmarks.segmentation`.
"""

from collections.abc import Callable, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.episodes import cohesion

TOPIC_DEPTH: Final = 0.12
"""Least depth, see `cohesion.depths`, of a change of topic."""

LONG_PAUSE_S: Final = 12 * 3600.0
"""A pause that ends an episode however short it is."""

SEEN_BEFORE: Final = cohesion.SEEN_BEFORE
"""Messages before an episode, of the same conversation, that its end depends on."""


class Spoken(NamedTuple):
    """A message: its text, and when it was said in seconds."""

    text: str
    at_s: float


class Limits(NamedTuple):
    """The bounds of an episode.

    A change of topic ends none of fewer than `least` messages, and no episode has more than `most`.
    A silence of more than `pause_s` seconds ends it; one of fewer than `least` messages is ended by
    a `LONG_PAUSE_S`.
    """

    least: int = 5
    most: int = 40
    pause_s: float = 3600.0

    @property
    def seen_after(self) -> int:
        """The most messages after a place that the decision about it depends on."""
        return cohesion.SEEN_AFTER + self.least


Prepare = Callable[[Sequence[str]], cohesion.Messages]
"""Prepares texts for `cohesion.depths`."""


def ends(
    messages: Sequence[Spoken],
    prepare: Prepare,
    *,
    begin: int = 0,
    until_s: float,
    limits: Limits,
) -> list[int]:
    """Return the ends of the complete episodes from `begin` on, each the number of the message
    after its last one.

    `messages` are of one session, in order; those before `begin` belong to episodes already, and
    `SEEN_BEFORE` of them are enough. `until_s` is the present, or when the next message was said
    that belongs to an episode already (infinite: nothing can follow): a silence until then ends the
    last episode. What comes after the last end is not complete.
    """
    found: list[int] = []
    for first, last, is_ended in _runs(messages, limits, until_s):
        if last <= begin:
            continue
        run = _Run(messages[first:last], prepare, limits, is_ended=is_ended)
        found += [first + end for end in run.ends(max(begin - first, 0))]
    return found


def window_ends(
    messages: Sequence[Spoken], *, begin: int = 0, until_s: float, size: int, limits: Limits
) -> list[int]:
    """Return the same for episodes of a fixed number of messages, wherever a pause or topic is."""
    found = list(range(begin + size, len(messages) + 1, size))
    last = found[-1] if found else begin
    if last < len(messages) and _is_pause(len(messages) - last, messages[-1], until_s, limits):
        found.append(len(messages))
    return found


def _is_pause(length: int, last: Spoken, until_s: float, limits: Limits) -> bool:
    """Return whether a silence after a message ends an episode of that length."""
    least_s = limits.pause_s if length >= limits.least else max(LONG_PAUSE_S, limits.pause_s)
    return until_s - last.at_s > least_s


def _runs(
    messages: Sequence[Spoken], limits: Limits, until_s: float
) -> list[tuple[int, int, bool]]:
    """Return the stretches between pauses: first message, end, and whether a pause follows."""
    found, first = [], 0
    for place in range(1, len(messages) + 1):
        next_s = messages[place].at_s if place < len(messages) else until_s
        if _is_pause(place - first, messages[place - 1], next_s, limits):
            found.append((first, place, True))
            first = place
    if first < len(messages):
        found.append((first, len(messages), False))
    return found


class _Run:
    """Messages without a pause between them."""

    def __init__(
        self, messages: Sequence[Spoken], prepare: Prepare, limits: Limits, *, is_ended: bool
    ) -> None:
        self._count, self._limits, self._is_ended = len(messages), limits, is_ended
        texts = [message.text for message in messages]
        divisible = self._count >= 2 * limits.least
        self._depths = cohesion.depths(prepare(texts)) if divisible else []

    def ends(self, begin: int) -> list[int]:
        """Return the ends of the complete episodes from a message on."""
        found: list[int] = []
        while (end := self._next_end(begin)) is not None:
            found.append(end)
            begin = end
        if self._is_ended and begin < self._count:
            found.append(self._count)
        return found

    def _next_end(self, begin: int) -> int | None:
        """Return the next change of topic; None: there is none, or it cannot be known yet."""
        least, most = self._limits.least, self._limits.most
        past = min(begin + most, self._count - least) + 1
        places = range(begin + least, past)
        for place in places:
            if not self._is_ended and place + self._limits.seen_after > self._count:
                return None
            around = self._depths[max(begin + 1, place - least) : place + least + 1]
            if self._depths[place] >= max(TOPIC_DEPTH, *around):
                return place
        if self._count - begin <= most or not places:
            return None
        return max(places, key=lambda place: (self._depths[place], -place))
