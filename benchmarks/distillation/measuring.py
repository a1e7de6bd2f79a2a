"""Distil labelled conversations into a database, and compare its records with the labels.

A record is right where its turn has a label of its kind for it: a loop shares a word, the person
or the day with its label, a closing ends the same loop in the same turn, a person has the name, a
signal the series and the number. Optional labels count neither way, nor does a loop that is
mentioned again.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.distillation.labelled import LabelledTurn
from ingest.distillation import stems
from ingest.distillation.clauses import clauses
from ingest.distillation.sentences import sentences, spoken
from memory.config.expansion import resolve_paths
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, MemoryConfig
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.records.distillation.running import distil
from memory.records.open_loops import list_open_loops
from memory.records.people import list_people
from memory.records.signals import list_signals
from memory.workspace import Workspace

KINDS: Final = ("open_loop", "close", "person", "signal")
SERIES: Final = ("mood", "energy", "stress", "sleep")
"""Series of signals that the rules look for; the labels have others."""

_FEELINGS: Final = frozenset(("mood", "energy", "stress"))


@dataclass(slots=True)
class Measured:
    """Counts of a file by kind, and what was wrong and missed, in words.

    `lost` counts the missed loops and closings by the step that lost them; `read`
    the turns, and those that thread analysis skipped.
    """

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    due: Counter[bool] = field(default_factory=Counter)
    to: Counter[bool] = field(default_factory=Counter)
    trapped: Counter[bool] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def precision(self, *kinds: str) -> float:
        """Return the share of what was written that is right."""
        right, wrong = _sum(self.right, kinds), _sum(self.wrong, kinds)
        return right / (right + wrong) if right + wrong else 1.0

    def recall(self, *kinds: str) -> float:
        """Return the share of the labels that was written."""
        right, missed = _sum(self.right, kinds), _sum(self.missed, kinds)
        return right / (right + missed) if right + missed else 1.0


def _sum(counts: Counter[str], kinds: Sequence[str]) -> int:
    return sum(counts[kind] for kind in kinds or counts)


@dataclass(frozen=True, slots=True)
class _Found:
    """A record of a turn: its `text`, and what is compared."""

    kind: str
    turn: int
    text: str
    loop: int = 0
    opened: int = 0
    to: str = ""
    due: str | None = None
    series: str = ""
    score: float | None = None


def measure(owners: Mapping[str, Sequence[LabelledTurn]]) -> Measured:
    """Distil the conversations of each owner into their own database, and compare."""
    done = Measured()
    with tempfile.TemporaryDirectory() as folder:
        for owner, turns in owners.items():
            with _opened(Path(folder) / owner) as workspace:
                made = add_turns(
                    workspace,
                    [
                        NewTurn(one.session_id, one.text, one.role, one.ts, one.speaker)
                        for one in turns
                    ],
                )
                report = distil(workspace)
                done.read.update(read=report.turns - report.skipped, skipped=report.skipped)
                place = {one.turn.id: number for number, one in enumerate(made)}
                _compare(turns, list(_records(workspace, place)), done)
    return done


def _opened(base: Path) -> Workspace:
    base.mkdir()
    config = Config(memory=MemoryConfig(storage_path=str(base / "memory.db")))
    return Workspace(LoadedConfig(resolve_paths(config, base), config, None, base, "argument"))


def _records(workspace: Workspace, place: dict[int, int]) -> Iterator[_Found]:
    for loop in list_open_loops(workspace, resolved=True):
        turns: dict[str, list[int]] = {"source": [], "resolution": []}
        for one in loop.evidence:
            turns[one.reason].append(place[one.turn_id])
        opened = min(turns["source"])
        to, due = str(loop.metadata.get("to", "")), loop.metadata.get("due")
        yield _Found("open_loop", opened, loop.topic, loop.id, opened, to, due)
        for turn in turns["resolution"]:
            yield _Found("close", turn, loop.topic, loop.id, opened)
    for person in list_people(workspace):
        for one in person.evidence[:1]:
            yield _Found("person", place[one.turn_id], person.name)
    for signal in list_signals(workspace, limit=10_000):
        score = signal.metadata.get("score")
        for one in signal.evidence:
            turn = place[one.turn_id]
            yield _Found("signal", turn, signal.value, series=signal.signal_type, score=score)


def _compare(turns: Sequence[LabelledTurn], found: list[_Found], done: Measured) -> None:
    open_labels: dict[int, str] = {}
    written: set[int] = set()
    order = {kind: number for number, kind in enumerate(KINDS)}
    waiting = [list(turn.labels) for turn in turns]
    for one in sorted(found, key=lambda each: (order[each.kind], each.turn)):
        label = next((x for x in waiting[one.turn] if _is_same(one, x, open_labels)), None)
        if label is None:
            done.wrong[one.kind] += 1
            written.add(one.turn)
            done.failures.append(f"wrong {one.kind} {one.text!r}: {turns[one.turn].text!r}")
            continue
        waiting[one.turn].remove(label)
        if one.kind == "open_loop":
            open_labels[one.loop] = label["id"]
        if not label.get("optional"):
            done.right[one.kind] += 1
            _note_details(one, label, done)
    opened = set(open_labels.values())
    for number, (turn, labels) in enumerate(zip(turns, waiting, strict=True)):
        for label in labels:
            if not label.get("optional"):
                done.missed[_kind(label)] += 1
                done.lost[_lost_at(turn, label, opened)] += 1
                done.failures.append(f"missed {label}: {turn.text!r}")
        if turn.trap and not any(not label.get("optional") for label in turn.labels):
            done.trapped[number in written] += 1


def _lost_at(turn: LabelledTurn, label: Mapping[str, Any], opened: Set[str]) -> str:
    """Return the step at which a loop or a closing that was missed got lost."""
    if label["kind"] not in ("open_loop", "close"):
        return "other kinds"
    if label["kind"] == "close" and label["loop"] not in opened:
        return "closing of a loop that was not opened"
    text = spoken(turn.text, turn.speaker, is_to_model=False)
    told = list(sentences(text))
    step = "not told as the speaker's own words now"
    if told and not all(one.is_tale for one in told):
        step = "in no frame" if label["kind"] == "open_loop" else "not recognised"
        if any(clause.mood != "none" for one in told for clause in clauses(one)):
            step = "in a frame, not plain enough"
    return f"{label['kind']}: {step}"


def _kind(label: dict[str, Any]) -> str:
    is_other = label["kind"] == "signal" and label["type"] not in SERIES
    return "other signal" if is_other else str(label["kind"])


def _is_same(one: _Found, label: dict[str, Any], open_labels: dict[int, str]) -> bool:
    if one.kind != label["kind"]:
        return False
    if one.kind == "open_loop":
        words = stems(label["topic"]) | stems(label["to"] or "")
        return bool(stems(f"{one.text} {one.to}") & words) or (
            one.due is not None and one.due in _days(label)
        )
    if one.kind == "close":
        return bool(open_labels.get(one.loop) == label["loop"])
    if one.kind == "person":
        names = one.text.casefold(), label["name"].casefold()
        return bool(names[0] in names[1] or names[1] in names[0])
    is_series = one.series == label["type"] or {one.series, label["type"]} <= _FEELINGS
    return bool(is_series and (None in (one.score, label["value"]) or one.score == label["value"]))


def _days(label: dict[str, Any]) -> list[str | None]:
    return [label["due"], *label.get("due_alt", ())]


def _note_details(one: _Found, label: dict[str, Any], done: Measured) -> None:
    if one.kind == "open_loop":
        done.due[one.due in _days(label)] += 1
        expected = stems(label["to"] or "")
        done.to[bool(stems(one.to) & expected) if expected else not one.to] += 1
