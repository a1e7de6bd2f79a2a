"""Read the labelled turns. They were written for this purpose, without looking at the rules.

`core`, `dev` and `taken_back` are for people who work on the rules; they never read what is held
out, which is similar, nor more than the first `READ` turns of another language.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from benchmarks.harness.processes import ROOT
from ingest import Utterance

FOLDER = ROOT / "tests" / "ingest" / "extractor" / "labelled"
FILES = ("core", "core_held_out", "dev", "held_out")
PAIRS = ("taken_back", "taken_back_held_out")
"""Turns with the one before, which they take back or only seem to."""

LANGUAGES = tuple(path.stem for path in sorted(FOLDER.glob("??.jsonl")))
READ = 50

SAID_AT = datetime(2026, 3, 10, 9, tzinfo=UTC)
"""The time of a turn without one of its own: a Tuesday."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a careful person would write down. It may be told in the words of `content` or of
    one of `accept`; where something ended, also as a new fact in those of `or_create`. Every one of
    `needs` must occur, `a/b` being either. An optional fact counts neither way.
    """

    kind: str
    content: str
    needs: tuple[str, ...]
    accept: tuple[str, ...] = ()
    or_create: tuple[str, ...] = ()
    action: str = "create"
    dates: tuple[str, ...] = ()
    optional: bool = False

    def forms(self, action: str) -> tuple[str, ...]:
        """The sentences that tell it by that action."""
        same = (self.content, *self.accept) if action == self.action else ()
        return same + (self.or_create if action == "create" else ())


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with all facts to be remembered from it; `why` is the reason if there are none."""

    utterance: Utterance
    facts: tuple[Fact, ...]
    language: str
    why: str

    @property
    def required(self) -> list[Fact]:
        return [fact for fact in self.facts if not fact.optional]


def read_labelled(name: str) -> list[Turn]:
    """The turns of one of the files, in their order."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_turn(json.loads(line)) for line in lines]


def _turn(row: Mapping[str, Any]) -> Turn:
    return Turn(
        Utterance(
            text=row["text"],
            role=row.get("role", "user"),
            speaker=row.get("speaker"),
            before=row.get("before", ""),
            own=row.get("own", True),
            said_at=said_at_of(row),
        ),
        tuple(_fact(fact) for fact in row["facts"]),
        row.get("lang", "en"),
        row.get("why", ""),
    )


def said_at_of(row: Mapping[str, Any]) -> datetime:
    """When a labelled turn was said."""
    return datetime.fromisoformat(row["said_at"]) if "said_at" in row else SAID_AT


def _fact(row: Mapping[str, Any]) -> Fact:
    return Fact(**{key: _frozen(value) for key, value in row.items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
