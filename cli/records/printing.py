"""Records as tables and one by one, for people."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from cli.invocation import CliContext
from cli.output import ago, counted, note, print_json, shown, table
from cli.searching.past_statements import no_longer_so
from memory.records.topics import FoundText, Profile
from memory.records.values import ShownFact, ShownOpenLoop, ShownPattern, ShownPerson, ShownSignal

_DAY: Final = len("2026-03-04")
_MINUTE: Final = len("2026-03-04T10:30")
_MOST_MENTIONS: Final = 5


def print_list(
    context: CliContext,
    found: Sequence[Any],
    *,
    head: tuple[str, ...],
    row: Callable[[Any], tuple[str, ...]],
    none: str,
) -> None:
    """Print records as a table, or as JSON; `none` says that there are none."""
    if context.json:
        print_json(list(found))
        return
    if not found:
        note(none)
        return
    first, *lines = table([head, *(tuple(map(shown, row(one))) for one in found)])
    click.echo("\n".join([click.style(first, dim=True), *lines]))


def print_one(context: CliContext, found: Any) -> None:
    """Print a record with all its fields."""
    if context.json:
        print_json(found)
        return
    text, fields = _TEXTS[type(found)](found), _FIELDS[type(found)](found)
    first, *others = text.splitlines()
    click.echo(f"{click.style(shown(found.citation), bold=True)}  {shown(first)}".rstrip())
    for line in others:
        click.echo(f"  {shown(line)}")
    common = {
        "by": found.source,
        "stated": found.updated_at,
        "first": found.created_at if found.created_at != found.updated_at else "",
        "tags": ", ".join(found.tags),
        "evidence": ", ".join(one.citation for one in found.evidence),
    }
    rows = [(name, shown(value)) for name, value in {**fields, **common}.items() if value]
    for line in table(rows):
        click.echo(f"  {line}")
    for line in _beside(found):
        click.echo(line)


def moment(text: str) -> str:
    """A time to the minute, UTC."""
    return text[:_MINUTE].replace("T", " ")


def fact_row(fact: ShownFact) -> tuple[str, ...]:
    """A fact as a row of a table."""
    state = "" if fact.state == "current" else f"  ({fact.state})"
    confidence = f"{fact.effective_confidence:.2f}"
    return f"{fact.category}/{fact.key}", confidence, ago(fact.updated_at), f"{fact.value}{state}"


def loop_row(loop: ShownOpenLoop) -> tuple[str, ...]:
    """A loop as a row of a table."""
    done = f"  (resolved {loop.resolved_at[:_DAY]})" if loop.resolved_at else ""
    numbers = str(loop.id), str(loop.priority), str(loop.mention_count)
    return *numbers, ago(loop.last_mentioned), f"{loop.topic}{done}"


def _of_fact(fact: ShownFact) -> dict[str, str]:
    now = f"{fact.effective_confidence:.2f}"
    stored = "" if fact.effective_confidence == fact.confidence else f", {fact.confidence:.2f} then"
    state = "" if fact.state == "current" else fact.state
    return {"confidence": now + stored, "state": state, "until": fact.expires_at or ""}


def _of_person(person: ShownPerson) -> dict[str, str]:
    return {
        "also": ", ".join(person.aliases),
        "sentiment": person.sentiment,
        "last contact": person.last_contact or "",
    }


def _of_profile(profile: Profile) -> dict[str, str]:
    return {**_of_person(profile), "last named": profile.last_contact_at or ""}


def _of_pattern(pattern: ShownPattern) -> dict[str, str]:
    return {
        "type": pattern.pattern_type,
        "observed": f"{counted(pattern.frequency, 'time')}, last {pattern.last_observed}",
        "confidence": f"{pattern.confidence:.2f}",
    }


def _of_loop(loop: ShownOpenLoop) -> dict[str, str]:
    return {
        "priority": str(loop.priority),
        "mentioned": f"{counted(loop.mention_count, 'time')}, last {loop.last_mentioned}",
        "to": str(loop.metadata.get("to", "")),
        "due": str(loop.metadata.get("due", "")),
        "resolved": loop.resolved_at or "",
        "by what": loop.resolution,
        "closed in": ", ".join(one.citation for one in loop.evidence if one.reason == "resolution"),
    }


def _of_signal(signal: ShownSignal) -> dict[str, str]:
    return {"series": signal.signal_type, "observed": signal.observed_at}


def _about(person: ShownPerson) -> str:
    return f"{person.relationship}\n{person.notes}"


_TEXTS: Final[dict[type, Callable[[Any], str]]] = {
    ShownFact: lambda fact: fact.value,
    ShownPerson: _about,
    Profile: _about,
    ShownPattern: lambda pattern: pattern.description,
    ShownOpenLoop: lambda loop: loop.topic,
    ShownSignal: lambda signal: signal.value,
}
_FIELDS: Final[dict[type, Callable[[Any], dict[str, str]]]] = {
    ShownFact: _of_fact,
    ShownPerson: _of_person,
    Profile: _of_profile,
    ShownPattern: _of_pattern,
    ShownOpenLoop: _of_loop,
    ShownSignal: _of_signal,
}
SHOWN: Final = tuple(_FIELDS)
"""The classes of records that `print_one` prints."""


def _beside(found: Any) -> list[str]:
    """The lines after the fields: what replaced a fact, its former values, what names a person."""
    if isinstance(found, ShownFact):
        over = [f"  {no_longer_so(found.superseded)}"] if found.superseded else []
        return over + [
            f"  until {moment(old.replaced_at)}  {shown(old.value)}  "
            f"({old.confidence:.2f} by {shown(old.source)})"
            for old in found.history
        ]
    if not isinstance(found, Profile):
        return []
    lines = [f"  {shown(one.citation)}  {shown(one.value)}" for one in found.facts]
    lines += [f"  {shown(one.citation)}  {shown(one.topic)}" for one in found.open_loops]
    lines += [f"  {shown(one.citation)}  {shown(one.description)}" for one in found.patterns]
    lines += [f"  {shown(one.citation)}  {shown(one.value)}" for one in found.signals]
    return lines + [_mention(one) for one in found.mentions[:_MOST_MENTIONS]]


def _mention(found: FoundText) -> str:
    return f"  {shown(found.citation)}  {shown(' '.join(found.text.split())[:80])}"
