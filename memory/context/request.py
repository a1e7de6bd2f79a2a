"""A request for a context, checked."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from contracts import InputError
from memory.conversations.turns.adding import session_name
from memory.values.record_fields import checked_tags
from memory.values.text_checks import checked_text, query_text

USUAL_TOKENS: Final = 2000
MOST_TOKENS: Final = 1_000_000
USUAL_K: Final = 20
MOST_K: Final = 300
MOST_SEEN: Final = 10_000
INCLUDED: Final = ("episodes", "triples")
"""The parts that a context has on request."""

SECRET: Final = ("secret",)
"""The tags of what a context leaves out unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """The session that needs a context, and for what; an invalid value raises InputError.

    session_id     the session; one that has not begun has no turns yet
    query          the question; None: the session's last user turn
    system         a system message, which comes first and is within the budget
    max_tokens     1 to 1,000,000: the most tokens of `parts`, `messages` and `markdown`
    seen_turn_ids  turns that the caller has already; neither they nor facts from them are shown
    k              1 to 300 memories in `mid_term`
    without_tags   turns, memories and files with one of these tags are left out
    include        `episodes`, `triples`: further parts that are shown for the question
    without_own    the caller has the session's own turns already: none of them is shown
    """

    session_id: str | int
    query: str | None = None
    system: str | None = None
    max_tokens: int = USUAL_TOKENS
    seen_turn_ids: Collection[int] = ()
    k: int = USUAL_K
    without_tags: Sequence[str] = SECRET
    include: Collection[str] = ()
    without_own: bool = False

    def __post_init__(self) -> None:
        checked = {
            "session_id": session_name(self.session_id),
            "query": _text(self.query, "the query", check=query_text),
            "system": _text(self.system, "the system message"),
            "seen_turn_ids": _ids(self.seen_turn_ids),
            "without_tags": checked_tags(self.without_tags),
            "include": _included(self.include),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _check_whole("max_tokens", self.max_tokens, MOST_TOKENS)
        _check_whole("k", self.k, MOST_K)


class ContextKeywords(TypedDict, total=False):
    """The optional fields of a `ContextRequest`."""

    system: str | None
    max_tokens: int
    seen_turn_ids: Collection[int]
    k: int
    without_tags: Sequence[str]
    include: Collection[str]
    without_own: bool


def _text(
    text: object, what: str, *, check: Callable[[str, str], str] = checked_text
) -> str | None:
    """Return a text, None for one without words. Raises InputError for anything else."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(f"{what} is {text!r:.80}", hint="give a text, or None")
    checked = check(text, what)
    return checked if checked.strip() else None


def _included(names: object) -> frozenset[str]:
    is_list = isinstance(names, Iterable) and not isinstance(names, str | bytes)
    given = list(names) if is_list and isinstance(names, Iterable) else [None]
    if not all(name in INCLUDED for name in given):
        raise InputError(
            f"include is {names!r:.80}", hint=f"give a list of {' and '.join(INCLUDED)}"
        )
    return frozenset(map(str, given))


def _ids(ids: object) -> frozenset[int]:
    is_list = isinstance(ids, Iterable) and not isinstance(ids, str | bytes)
    given = list(ids) if is_list and isinstance(ids, Iterable) else [None]
    numbers = frozenset(one for one in given if type(one) is int)
    if len(given) > MOST_SEEN or len(numbers) < len(set(map(repr, given))):
        raise InputError(
            f"seen_turn_ids is {ids!r:.80}", hint=f"give a list of at most {MOST_SEEN:,} numbers"
        )
    return numbers


def _check_whole(name: str, number: object, most: int) -> None:
    if type(number) is not int or not 1 <= number <= most:
        raise InputError(f"{name} is {number!r:.80}", hint=f"give a whole number from 1 to {most}")
