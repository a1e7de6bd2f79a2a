"""One run of distillation: the new turns in batches, each batch ended by moving the cursor.

A turn is read by the rules, and by a language model where one is configured, which adds to them.
What a killed run has written stays, and the next run goes on at the cursor and writes it no second
time.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from contracts import NotFoundError
from ingest.distillation import Findings, Habit, Listener, Retraction, StatedFact, findings
from ingest.extractor import Utterance
from ingest.threads.signals import analyze_thread
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.turns.captured import is_held_back
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.utterances import in_session
from memory.conversations.turns.values import Turn
from memory.records.decay import is_renewal_due, renew_moments
from memory.records.distillation.cursor import REJECTED, TAKEN_BACK, WRITTEN, Cursor
from memory.records.distillation.model import Asked, DistillationModel
from memory.records.distillation.slot_facts import facts_of_memories, withdrawn
from memory.records.distillation.taking_back import TakingBack
from memory.records.distillation.values import DistillationReport, Distilled
from memory.records.distillation.writing import Writer
from memory.storage.process_locks import work_lock
from memory.workspace import Workspace
from providers.chat import ChatError

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
    extract_unprocessed(workspace)  # facts are made of the memories of a turn
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
        self._taking_back = TakingBack(workspace, is_dry=is_dry)
        self._model = DistillationModel(workspace)
        self._written: list[Distilled] = []
        self._undone: list[Distilled] = []
        self._counts: Counter[str] = Counter()

    def done(self, is_ended: Callable[[], bool]) -> DistillationReport:
        place, total = self._cursor.place(), Counter[str]()
        failure: ChatError | None = None
        # A model's answer is paid for: its turn is done as soon as it is read.
        at_once = (
            1 if self._model.is_configured else self._workspace.config.distillation.batch_turns
        )
        while failure is None and not is_ended():
            batch = self._cursor.after(place, limit=at_once)
            if not batch:
                break
            self._counts = Counter(turns=len(batch))
            try:
                for turn in batch:
                    self._read_present(turn)
            except ChatError as error:
                failure = error
                continue
            place = batch[-1].id
            if not self._is_dry:
                self._cursor.move(place, self._counts)
            total += self._counts
        return DistillationReport(
            turns=total["turns"],
            skipped=total["skipped"],
            waiting=self._cursor.waiting(place),
            written=self._written,
            taken_back=self._undone,
            rejected={
                name.removeprefix(REJECTED): number
                for name, number in sorted(total.items())
                if name.startswith(REJECTED)
            },
            dry_run=self._is_dry,
            error=failure.message if failure else None,
            hint=failure.hint if failure else None,
            retry_in_s=failure.after_s if failure else None,
        )

    def _read_present(self, turn: Turn) -> None:
        try:
            self._read(turn)
        except NotFoundError:  # the turn, or a loop that it speaks of, was forgotten meanwhile
            self._writer = Writer(self._workspace, is_dry=self._is_dry)
            if self._turns.get(turn.id) is not None:
                self._read(turn)

    def _read(self, turn: Turn) -> None:
        if turn.role != "user" or (turn.extraction == "off" and not self._facts_of(turn)):
            return
        self._take_back(turn)
        before = self._turns.before(turn.session_id, turn.ts, turn.id, limit=_REACH)
        if not is_worth_it([*before, turn]):
            self._counts["skipped"] += 1
            return
        # Asked before anything of the turn is written, so that it can be asked about again.
        utterance = in_session(self._turns, turn)
        asked = self._asked(turn, utterance, before)
        backs = self._taking_back.of(turn)
        by_model = _without(asked.findings if asked else Findings(), backs, turn)
        by_rules = _without(self._by_rules(turn, utterance, before, by_model), backs, turn)
        for found in (by_rules, by_model):
            made = self._writer.write(turn, found, before)
            self._written += made
            self._counts.update(f"{WRITTEN}{one.action}" for one in made)
        if asked:
            self._counts.update({f"{REJECTED}{why}": n for why, n in asked.rejected.items()})

    def _take_back(self, turn: Turn) -> None:
        """Undo what earlier runs made of what a turn takes back."""
        undone = self._taking_back.undone_by(turn)
        self._undone += undone
        self._counts[TAKEN_BACK] += len(undone)
        if undone and not self._is_dry:
            self._writer = Writer(self._workspace, is_dry=False)  # it knows the loops

    def _by_rules(
        self, turn: Turn, utterance: Utterance, before: Sequence[Turn], by_model: Findings
    ) -> Findings:
        """Return what the rules find, without the facts and habits that a model states; of a turn
        of which something was forgotten the facts of the memories that stay.
        """
        facts = self._facts_of(turn)
        if turn.extraction == "off":
            return Findings(facts=tuple(facts))
        found = findings(utterance, listener_of(turn, before))
        return found._replace(
            facts=tuple(one for one in facts if is_apart(one, by_model.facts)),
            habits=tuple(one for one in found.habits if is_apart(one, by_model.habits)),
        )

    def _facts_of(self, turn: Turn) -> list[StatedFact]:
        return list(facts_of_memories(self._workspace.storage.database, turn))

    def _asked(self, turn: Turn, utterance: Utterance, before: Sequence[Turn]) -> Asked | None:
        """Return what a model finds, without the facts that were forgotten by name."""
        config = self._workspace.config
        endpoint = config.distillation.llm.endpoint
        is_wanted = self._model.is_configured and turn.extraction != "off"
        if not is_wanted or is_held_back(turn, config, endpoint):
            return None
        last = before[-1] if before else None
        if last is not None and is_held_back(last, config, endpoint):
            last = None
        asked = self._model.ask(turn, utterance, last, self._writer.open_topics())
        # Read after the answer, for which a turn may have waited for minutes.
        told = asked.findings.facts
        gone = list(withdrawn(self._workspace.storage.database, turn.id, told))
        facts = [one for one in told if one not in gone]
        return asked._replace(findings=asked.findings._replace(facts=tuple(facts)))


def _without(found: Findings, backs: Sequence[Retraction], turn: Turn) -> Findings:
    for back in backs:
        found = back.without(found, turn.text)
    return found


def is_apart(one: StatedFact | Habit, others: Sequence[StatedFact | Habit]) -> bool:
    """Return whether no other finding is of the same words of a turn."""
    return all(one.end <= other.start or other.end <= one.start for other in others)


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
