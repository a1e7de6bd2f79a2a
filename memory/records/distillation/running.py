"""One run of distillation: the new turns in batches, each batch ended by moving the cursor.

A turn is read by the rules, and by a language model where one is configured. What a killed run has
written stays, and the next run goes on at the cursor without writing it again.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from ingest.distillation import Findings, Listener, findings
from ingest.threads.signals import analyze_thread
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import utterance_of
from memory.conversations.turns.values import Turn
from memory.records.decay import is_renewal_due, renew_moments
from memory.records.distillation.cursor import Cursor
from memory.records.distillation.values import DistillationReport, Distilled
from memory.records.distillation.writing import Writer
from memory.storage.process_locks import work_lock
from memory.workspace import Workspace

LOCK: Final = "distillation"
"""The name of the lock that a run holds."""

_REACH: Final = 20
"""Turns of a session before a turn that tell who listens and whether the thread is worth it."""


def is_due(workspace: Workspace) -> bool:
    """Return whether turns wait to be distilled."""
    if not workspace.config.distillation.enabled:
        return False
    cursor = Cursor(workspace.storage.database)
    return bool(cursor.after(cursor.place(), limit=1))


def distil(
    workspace: Workspace, *, dry_run: bool = False, is_ended: Callable[[], bool] = lambda: False
) -> DistillationReport:
    """Make records of the turns since the last run, then bring the decay of facts in step.

    `dry_run` writes nothing. `is_ended` stops it between two batches; the next run does the rest.
    Raises BusyError, with the name of the process, while another one distils.
    """
    if dry_run:
        return _Run(workspace, is_dry=True).done(is_ended)
    with work_lock(LOCK, workspace.storage.database, workspace.path):
        report = _Run(workspace, is_dry=False).done(is_ended)
    if is_renewal_due(workspace):
        renew_moments(workspace, is_ended=is_ended)
    return report


class _Run:
    def __init__(self, workspace: Workspace, *, is_dry: bool) -> None:
        self._workspace = workspace
        self._is_dry = is_dry
        self._cursor = Cursor(workspace.storage.database)
        self._turns = TurnStore(workspace.storage.database)
        self._writer = Writer(workspace, is_dry=is_dry)
        self._written: list[Distilled] = []
        self._counts: Counter[str] = Counter()

    def done(self, is_ended: Callable[[], bool]) -> DistillationReport:
        place, total = self._cursor.place(), Counter[str]()
        at_once = self._workspace.config.distillation.batch_turns
        while not is_ended():
            batch = self._cursor.after(place, limit=at_once)
            if not batch:
                break
            self._counts = Counter(turns=len(batch))
            for turn in batch:
                self._read(turn)
            place = batch[-1].id
            if not self._is_dry:
                self._cursor.move(place, self._counts)
            total += self._counts
        return DistillationReport(
            turns=total["turns"],
            skipped=total["skipped"],
            waiting=self._cursor.waiting(place),
            written=self._written,
            rejected={},
            dry_run=self._is_dry,
        )

    def _read(self, turn: Turn) -> None:
        if turn.role != "user" or turn.extraction == "off":
            return
        before = self._turns.before(turn.session_id, turn.ts, turn.id, limit=_REACH)
        if not is_worth_it([*before, turn]):
            self._counts["skipped"] += 1
            return
        made = self._writer.write(turn, self._found(turn, before), before)
        self._written += made
        self._counts.update(f"written: {one.action}" for one in made)

    def _found(self, turn: Turn, before: Sequence[Turn]) -> Findings:
        return findings(utterance_of(turn), listener_of(turn, before))


def is_worth_it(turns: Sequence[Turn]) -> bool:
    """Return whether thread analysis finds more than noise in turns of one session."""
    thread = [{"role": turn.role, "content": turn.text} for turn in turns]
    return analyze_thread(thread)["recommendation"] != "skip"


def listener_of(turn: Turn, before: Sequence[Turn]) -> Listener:
    """Return who a turn is said to, by who else speaks in its session."""
    others = [
        one for one in before if one.role in ("user", "assistant") and _who(one) != _who(turn)
    ]
    names = {one.speaker for one in others if one.speaker}
    is_model = any(one.role == "assistant" and not one.speaker for one in others)
    return Listener(names.pop() if len(names) == 1 else "", is_model)


def _who(turn: Turn) -> tuple[str, str | None]:
    return turn.role, turn.speaker
