"""Checks of what callers give with a record; most raise InputError for what cannot be stored."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

from contracts import InputError, NotFoundError, did_you_mean
from memory.records.store import known_turns
from memory.records.values import API, DISTILLATION, USER, agent_source
from memory.storage import Database, utc_text
from memory.storage.action_log import calling_agent, require_owner
from memory.values.record_fields import check_limit
from memory.values.scope_parsing import read_time
from memory.values.text_checks import caseless, checked_text
from memory.workspace import Workspace

MOST_NAME_CHARS: Final = 200
MOST_TEXT_CHARS: Final = 10_000
MOST_PRIORITY: Final = 5
MOST_EVIDENCE: Final = 1_000
MOST_LISTED: Final = 10_000
USUAL_LIMIT: Final = 100
CONFIDENCES: Final = {USER: 0.9, API: 0.6, DISTILLATION: 0.5}
"""The confidence of a statement that names none, by its source; another source counts as `api`."""

_DAY: Final = len("2026-03-04")
T = TypeVar("T", bound=str)


def checked_name(text: str, what: str) -> str:
    """Return a name on one line, with single blanks."""
    return " ".join(_checked(text, what, most=MOST_NAME_CHARS).split())


def checked_body(text: str, what: str) -> str:
    """Return a text without blanks around it."""
    return _checked(text, what, most=MOST_TEXT_CHARS).strip()


def _checked(text: str, what: str, *, most: int) -> str:
    if not isinstance(text, str):
        raise InputError(f"the {what} is {text!r:.80}", hint="give a text")
    checked_text(text, f"the {what}", most=most)
    if not any(sign.isprintable() and not sign.isspace() for sign in text):
        raise InputError(f"the {what} is empty", hint=f"give the {what}")
    return text


def optional_body(text: str | None, what: str) -> str | None:
    """Return a text, which may be empty; None stays None."""
    return text if text is None or not text.strip() else checked_body(text, what)


def same_words(text: str) -> str:
    """Return a text in the form in which two that differ in case, spacing and the form of
    accents only are equal.
    """
    return " ".join(caseless(text).split()).rstrip(" .!?") or caseless(text).strip()


def identifier(text: str, what: str) -> str:
    """Return a category, a key or a type as it is stored: lower case, blanks as `_`."""
    return "_".join(caseless(checked_name(text, what)).split())


def checked_confidence(value: float | None, source: str) -> float:
    """Return a confidence in [0, 1]; None: the usual one of its source."""
    if value is None:
        return CONFIDENCES.get(source, CONFIDENCES[API])
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"the confidence is {value!r:.80}", hint="give a number from 0 to 1")
    return float(value)


def checked_priority(value: int) -> int:
    """Return a priority from 0 to 5."""
    if type(value) is not int or not 0 <= value <= MOST_PRIORITY:
        raise InputError(
            f"the priority is {value!r:.80}",
            hint=f"give a whole number from 0 to {MOST_PRIORITY}, higher is more urgent",
        )
    return value


def checked_limit(value: int | None) -> str:
    """Return the SQL that limits a list to so many records, 1 to 10,000; None: no limit."""
    if value is None:
        return ""
    check_limit(value, MOST_LISTED)
    return f" LIMIT {value}"


def checked_choice(value: str, what: str, known: Sequence[T]) -> T:
    """Return one of the known values."""
    for each in known:
        if each == value:
            return each
    raise InputError(f"there is no {what} {value!r:.80}", hint=did_you_mean(str(value), known))


def checked_source(source: str | None) -> str:
    """Return who states it: an agent by the name of its token, others as given or `api`.

    Raises ForbiddenError where an agent would speak for the person.
    """
    agent = calling_agent()
    if agent is None:
        return API if source is None else checked_name(source, "source")
    if source is not None and checked_name(source, "source") == USER:
        require_owner(
            f"the source {USER} is the person",
            hint="leave source out, or use a token of the owner: "
            "mem token create NAME --owner --scope write",
        )
    return agent_source(agent) if agent in CONFIDENCES else agent


def checked_time(text: str | None, what: str, *, now: datetime) -> str:
    """Return a time of ISO 8601 as it is stored, `now` for None."""
    return utc_text(now) if text is None else _moment(text, what, end=False)


def checked_expiry(text: str | None) -> str | None:
    """Return when something ends; a date alone means the end of that day."""
    return None if text is None else _moment(text, "expires_at", end=True)


def _moment(text: str, what: str, *, end: bool) -> str:
    stripped = _checked(text, what, most=MOST_NAME_CHARS).strip()
    try:
        moment = datetime.fromisoformat(stripped)
        if end and len(stripped) <= _DAY:
            moment = read_time(moment.date().isoformat(), end=True)
        aware = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        return utc_text(aware)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"the {what} {text!r:.80} is not a time", hint="write it as 2026-03-04T12:30:00Z"
        ) from error


def evidence_turns(workspace: Workspace, evidence: Sequence[str | int]) -> list[int]:
    """Return the turns of a record's evidence: citations such as `turn:42`, or numbers.

    Raises NotFoundError for a turn that does not exist.
    """
    if isinstance(evidence, str) or not isinstance(evidence, Sequence):
        raise InputError(f"the evidence is {evidence!r:.80}", hint="give a list of turns")
    if len(evidence) > MOST_EVIDENCE:
        raise InputError(
            f"the evidence has {len(evidence):,} turns", hint=f"give {MOST_EVIDENCE:,} at most"
        )
    numbers = list(dict.fromkeys(_turn(workspace, each) for each in evidence))
    require_turns(workspace.storage.database, numbers)
    return numbers


def require_turns(database: Database, numbers: Collection[int]) -> None:
    """Raise NotFoundError for the first turn that does not exist."""
    known = known_turns(database, numbers)
    for number in numbers:
        if number not in known:
            raise NotFoundError(
                f"there is no turn {number}",
                hint="find what was said: mem search WORDS --source turn",
            )


def _turn(workspace: Workspace, named: str | int) -> int:
    citation = f"turn:{named}" if type(named) is int else named
    if isinstance(citation, str):
        number = workspace.kinds["turn"].read(citation)
        if number is not None:
            return int(number)
    raise InputError(
        f"{named!r:.80} names no turn", hint="cite it as 'turn:42' or 'session S turn 42'"
    )
