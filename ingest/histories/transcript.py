"""Transcripts: Markdown or plain text with a name before each turn.

There are many forms. A line begins a turn if it has one of the forms below and its name is a role,
or is repeated in the text, or has a time beside it; `Note: ...` does not. Days come from headings
and from lines with nothing else.

    **User:** ...      ### Assistant      Ann: ...      [2024-05-01 10:22] Ann: ...
    1/5/2024, 10:22 - Ann: ...            Ann (10:22): ...
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.histories.clock import moment
from ingest.histories.values import ContentIds, HistoryTurn, Item, Omitted, role_of

FORM: Final = "transcript"
_MOST_NAME_WORDS: Final = 4

_DAY = r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
_ZONE = r"Z|[+-]\d{2}:?\d{2}"
_CLOCK = rf"\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?(?:\s?[APap]\.?[Mm]\.?|{_ZONE})?"
_TIME: Final = deferred(
    rf"(\d{{1,2}}):(\d{{2}})(?::(\d{{2}})(?:[.,]\d+)?)?(?:\s?([APap])|({_ZONE}))?"
)
_WHEN = rf"(?:(?P<day>{_DAY})(?:,?[ T]\s*|\s*$)?)?(?P<clock>{_CLOCK})?"
_SIGN = r"(?:[^\w\s*#\[\]()<>|`\"':.,-]{1,4}\s+)?"
_ANY_NAME = r"(?P<name>[^\n:\[\]]{1,60}?)"
_NAME = r"(?P<name>[^\W\d_][^\n:*#\[\]()<>|`\"]{0,39}?)"
_SHAPES: Final = tuple(
    deferred(shape)
    for shape in (
        rf"[\[(]{_WHEN}[\])]\s*(?:-\s*)?\*{{0,2}}{_ANY_NAME}\*{{0,2}}:\*{{0,2}}(?:\s+|$)",
        rf"{_WHEN}\s+[-–]\s+{_ANY_NAME}:(?:\s+|$)",
        rf"\*\*{_SIGN}{_NAME}\*\*\s*[\[(]{_WHEN}[\])]\s*:?(?:\s+|$)",
        rf"\*\*{_SIGN}{_NAME}(?:\s*[\[(]{_WHEN}[\])])?\s*:?\*\*\s*:?(?:\s+|$)",
        rf"#{{1,6}}\s+\*{{0,2}}{_SIGN}{_NAME}(?:\s+(?:said|wrote))?(?:\s*[\[(]{_WHEN}[\])])?\*{{0,2}}:?\s*$",
        rf"{_NAME}(?:\s*[\[(]{_WHEN}[\])])?\s*:(?:\s+|$)",
    )
)
_DAY_LINE: Final = deferred(
    r"(?:#{1,6}\s.*?|\*{1,2}.*?|[-=–—\s]*|(?:[Dd]ate|[Ss]tarted|[Cc]reated|[Ee]xported on)\s*:\s*)"
    rf"\(?(?P<day>{_DAY})(?:,?[ T]\s*(?P<clock>{_CLOCK}))?[\s)*=–—-]*$"
)
_MODELS: Final = deferred(
    r"(?:chatgpt|gpt|claude|gemini|copilot|llama|mistral|grok|deepseek)\b", re.IGNORECASE
)
_HEADING: Final = 4
_STAMPED: Final = 2
"""Shapes of a smaller number begin with a time, and in such a text a line with a time and no name
is a note of the program: somebody has left, calls are encrypted.
"""

_NOTE: Final = deferred(rf"\u200e?\[?(?:{_DAY}),?[ T]\s*{_CLOCK}\]?\s")
_RULE: Final = deferred(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
"""A horizontal rule; at the end of a turn it only separates it from the next."""

_FENCE: Final = deferred(r"\s*(```|~~~)")
_SAID = deferred(r"\s+(?:said|wrote)$")


_When = tuple[str | None, str | None]
"""A day and a time of day, as written."""


class _Line(NamedTuple):
    """A line that may begin a turn: who, when, the text on it, and its shape."""

    name: str
    day: str | None
    clock: str | None
    rest: str
    shape: int


def transcript_items(text: str, session_id: str, *, place: str) -> Iterator[Item]:
    """The turns of a transcript; the part before the first one gives only the day."""
    lines = text.splitlines()
    begins = speaker_lines(lines)
    if not begins:
        yield Omitted("broken", place, "no line names a speaker")
        return
    roles = roles_of(begins)
    notes = _notes(lines, begins)
    if notes:
        yield Omitted("hidden", place, "notes of the program", len(notes))
    lines = [content for number, content in enumerate(lines) if number not in notes]
    begins = speaker_lines(lines)
    ids = ContentIds(FORM)
    for line, said, ts in _spoken(lines, begins):
        while said and (not said[-1].strip() or _RULE.fullmatch(said[-1])):
            said.pop()
        whole = "\n".join(said).strip()
        if not whole:
            yield Omitted("empty", f"{place}, a turn of {line.name}")
            continue
        role = roles.get(line.name)
        speaker = None if role else line.name
        client_id = ids(session_id, line.name, whole)
        known = {"format": FORM}
        yield HistoryTurn(
            session_id, whole, role or "user", ts, client_id, speaker=speaker, metadata=known
        )


def speaker_lines(lines: list[str]) -> dict[int, _Line]:
    """The lines that begin a turn, by their number from 0; all are of one shape.

    If a user and an assistant speak, nobody else does: other names are part of the text. Empty
    unless two speak, or one in a role: a page with one `Note:` is not a conversation.
    """
    found = dict(_candidates(lines))
    names = Counter((line.name, line.shape) for line in found.values())
    roles = roles_of(found)
    if {"user", "assistant"} <= set(roles.values()):
        kept = {number: line for number, line in found.items() if line.name in roles}
    else:
        kept = {
            number: line
            for number, line in found.items()
            if line.name in roles
            or line.clock
            or (names[line.name, line.shape] > 1 and line.shape != _HEADING)
        }
    shapes = Counter(line.shape for line in kept.values())
    usual = shapes.most_common(1)[0][0] if shapes else 0
    kept = {number: line for number, line in kept.items() if line.shape == usual}
    speakers = {line.name for line in kept.values()}
    return kept if len(speakers) > 1 or speakers & roles.keys() else {}


def _notes(lines: list[str], begins: Mapping[int, _Line]) -> set[int]:
    """The numbers of lines that no speaker said."""
    if min(line.shape for line in begins.values()) >= _STAMPED:
        return set()
    return {
        number
        for number, content in enumerate(lines)
        if number not in begins and _NOTE.match(content)
    }


def roles_of(begins: Mapping[int, _Line]) -> dict[str, str]:
    """The roles of speakers by their names; beside a user, a model's name is an assistant's."""
    names = {line.name for line in begins.values()}
    roles = {name: role for name in names if (role := role_of(name))}
    if "user" in roles.values():
        roles |= {name: "assistant" for name in names if _MODELS.match(name)}
    return roles


def _spoken(
    lines: list[str], begins: Mapping[int, _Line]
) -> Iterator[tuple[_Line, list[str], str | None]]:
    """Each turn: its first line, its text, and its time."""
    day_first = _day_first([line.day for line in begins.values() if line.day])
    day: date | None = None
    ts: str | None = None
    turn: tuple[_Line, list[str], str | None] | None = None
    for number, content in enumerate(lines):
        begun = begins.get(number)
        dated = (begun.day, begun.clock) if begun else _heading(lines, number, begins)
        if dated is None:
            if turn is not None:
                turn[1].append(content)
            continue
        if turn is not None:
            yield turn
        written, clock = dated
        if written or clock:
            day = (_day(written, day_first=day_first) if written else None) or day
            ts = _moment(day, clock)
        turn = (begun, [begun.rest], ts) if begun else None
    if turn is not None:
        yield turn


def _heading(lines: list[str], number: int, begins: Mapping[int, _Line]) -> _When | None:
    """The day and the time of a line that dates the turns after it.

    Such a line comes before the first turn, or is followed only by blank lines before the next one.
    """
    found = _DAY_LINE.match(lines[number])
    if found is None:
        return None
    after = number + 1
    while after < len(lines) and not lines[after].strip():
        after += 1
    is_one = after in begins or next(iter(begins)) > number  # in their order
    return (found["day"], found["clock"]) if is_one else None


def _candidates(lines: list[str]) -> Iterator[tuple[int, _Line]]:
    fence = ""
    for number, content in enumerate(lines):
        if mark := _FENCE.match(content):
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (line := _line(content)) is not None:
            yield number, line


def _line(content: str) -> _Line | None:
    content = content.lstrip("\ufeff\u200e\u200f ").removeprefix("> ")
    for number, shape in enumerate(_SHAPES):
        if found := shape.match(content):
            name = _SAID.sub("", found["name"].strip(" *_"))
            is_stamped = bool(found["day"] or found["clock"])
            if not name or not (is_stamped or _is_name(name)):
                return None
            return _Line(name, found["day"], found["clock"], content[found.end() :], number)
    return None


def _is_name(name: str) -> bool:
    """Return whether it is a role, or a few words: capitalised in scripts with capitals."""
    is_short = len(name.split()) <= _MOST_NAME_WORDS
    return role_of(name) is not None or (is_short and not name[0].islower())


def _day_first(days: list[str]) -> bool:
    """Return whether days precede months, by the first unambiguous date; by default they do."""
    for written in days:
        parts = re.split(r"[./]", written)
        if len(parts) == 3 and int(parts[0]) != int(parts[1]):
            if int(parts[0]) > 12:
                return True
            if int(parts[1]) > 12:
                return False
    return True


def _day(written: str, *, day_first: bool) -> date | None:
    parts = [int(part) for part in re.split(r"[-./]", written)]
    try:
        if parts[0] > 999:
            return date(*parts)
        first, second, year = parts
        year += 2000 if year < 100 else 0
        return date(year, second, first) if day_first else date(year, first, second)
    except ValueError:
        return None


def _moment(day: date | None, clock: str | None) -> str | None:
    """The day at that time, else at its beginning; none without a day."""
    if day is None:
        return None
    found = _TIME.match(clock or "")
    if found is None:
        return moment(day.isoformat())
    hour, minute, second = (int(part or 0) for part in found.groups()[:3])
    if found[4]:
        hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
    return moment(f"{day}T{hour:02}:{minute:02}:{second:02}{found[5] or ''}")
