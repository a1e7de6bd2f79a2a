"""Retractions: the findings of a turn that a later one takes back: "just kidding", "forget what I
said about Bruno".

The words that take back are those of the extractor, so that a memory and a record of one statement
go together.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ingest.distillation.sentences import sentences
from ingest.distillation.values import (
    Acquaintance,
    Closing,
    Commitment,
    Done,
    Findings,
    Habit,
    State,
    StatedFact,
)
from ingest.extractor import Candidate
from ingest.extractor.corrections import over, taken_back
from ingest.extractor.quoted_spans import COVER

Finding: TypeAlias = Commitment | Closing | Acquaintance | State | StatedFact | Habit | Done
_KINDS: Final = ("commitments", "closings", "people", "states", "facts", "habits", "done")


class Retraction:
    """The words of a turn that take back what the same person said before, and what else it says.

    `has_topic` tells that they name what is over, which may have been said long before.
    """

    def __init__(self, match: re.Match[str], now: Findings) -> None:
        self._match = match
        self._now = [_statement(one) for one in _all(now)]
        self.has_topic = bool(match["topic"])

    def over(self, said: Collection[Finding], before: str) -> list[Finding]:
        """Return those of these findings in an earlier turn, with that text, that are taken back.

        Where a turn goes on, that is what it says in another way: "jk, I slept 8 hours".
        """
        told = [_statement(one) for one in said]
        gone = over(self._match, told, self._now, before)
        if not gone and not (self.has_topic or self._match["denied"]):
            again = {one.rule for one in self._now} if self._match["rest"] else set()
            stated = {one.content for one in self._now}
            gone = [one.content for one in told if one.rule in again and one.content not in stated]
        return [one for one, statement in zip(said, told, strict=True) if statement.content in gone]

    def without(self, found: Findings, before: str) -> Findings:
        """Return the findings in an earlier turn, with that text, that stay.

        The facts of the rules are those of their memories.
        """
        kinds = [kind for kind in _KINDS if kind != "facts" or found.by == "llm"]
        gone = self.over([one for kind in kinds for one in getattr(found, kind)], before)
        stays: Mapping[str, Any] = {
            kind: tuple(one for one in getattr(found, kind) if one not in gone) for kind in kinds
        }
        return found._replace(**stays)


def retraction_in(text: str, now: Callable[[], Findings]) -> Retraction | None:
    """Return how a turn takes back what was said before; None if it does not.

    `now` returns its own findings.
    """
    match = taken_back(text)
    return Retraction(match, now()) if match else None


def without_retracted(text: str) -> str:
    """Cover what a sentence takes back of the same turn: the sentence before it, or those with the
    word that it names.
    """
    told = list(sentences(text))
    for number, one in enumerate(told):
        match = taken_back(one.text.strip()) if number else None
        if match is None or not (match["topic"] or _is_all(match)):
            continue
        topic = re.compile(rf"(?i)\b{re.escape(match['topic'] or '')}\b")
        before = told[:number] if match["topic"] else told[number - 1 : number]
        for gone in before:
            if topic.search(gone.text):
                cover = COVER * (gone.end - gone.start)
                text = f"{text[: gone.start]}{cover}{text[gone.end :]}"
    return text


def _is_all(match: re.Match[str]) -> bool:
    """Return whether a sentence says nothing but that it takes back what was said before."""
    return not any(match[name] for name in ("rest", "denied", "excused", "stated"))


def _all(found: Findings) -> list[Finding]:
    return [one for kind in _KINDS for one in getattr(found, kind)]


def _statement(found: Finding) -> Candidate:
    """Return a finding as the extractor has it: the words that may name it, and what it is about."""
    about, words = _described(found)
    content = f"User {about} {' '.join(words)}"
    return Candidate(content, rule=about, start=found.start, end=found.end)


def _described(found: Finding) -> tuple[str, Sequence[str]]:
    match found:
        case Commitment():
            return "loop", (found.topic, found.to)
        case Closing():
            return "closing", sorted(found.words)
        case Done():
            return "closing", (found.topic,)
        case Acquaintance():
            return found.relation, (found.name,)
        case State():
            return found.series, (found.value,)
        case Habit():
            return "pattern", (found.description,)
        case StatedFact():
            return found.key.replace("_", " "), (found.value,)
