"""One pass of the language model over the turns that wait for it, in any process.

A turn stays stored whatever the model does: a failed turn is retried later and given up after some
tries, and the memories found by rules remain. Where the model alone extracts, the rules run as soon
as it fails.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from contracts import ConfigError
from memory.conversations.extraction_metrics import configured_model, extraction_counters_of
from memory.conversations.llm_extraction.queue import ExtractionQueue, Waiting
from memory.conversations.llm_extraction.request import (
    Answered,
    ExtractionModel,
    Failed,
    withheld_reason,
)
from memory.conversations.memories.consolidation import consolidate_turns
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.pipeline import rule_candidates
from memory.conversations.turns.captured import CAPTURED, is_held_back
from memory.conversations.turns.values import Extraction
from memory.storage import utc_now, utc_text
from memory.storage.process_locks import reading_lock
from memory.values.backoff import Backoff
from memory.workspace import Workspace

MOST_TRIES: Final = 3
"""The most failures of a model on a turn, where the turn itself may be the cause."""

RETRY_S: Final = 60.0
"""The time before a turn is retried after its first failure; four times as long after the next."""

FIRST_PAUSE_S: Final = 1.0
LAST_PAUSE_S: Final = 300.0
"""The first and the longest pause after the server was unavailable, unless it asks for more."""

LONGEST_WISH_S: Final = 3600.0
"""The longest pause granted when a server asks for one."""


@dataclass(frozen=True, slots=True)
class ModelExtractionReport:
    """The result of a pass.

    `turns` were answered, `skipped` not sent, `failed` not answered; `extracted_memories` are the
    outcomes of the answers. `waiting` turns remain, some of them for a later retry. `error` is the
    reason that ended the pass early, if any, `hint` the remedy, `retry_in_s` the pause before the
    next pass.
    """

    turns: int = 0
    skipped: int = 0
    failed: int = 0
    extracted_memories: list[ExtractedMemory] = field(default_factory=list)
    waiting: int = 0
    error: str | None = None
    hint: str | None = None
    retry_in_s: float | None = None


def extract_with_model(workspace: Workspace, *, again: bool = False) -> ModelExtractionReport:
    """Run one pass now; `again` includes the turns that the model has failed on for good.

    Raises ConfigError when no model is configured and no turn waits for one; otherwise as
    `ModelExtractor.run`.
    """
    queue = ExtractionQueue(workspace.storage.database)
    if configured_model(workspace.config) is None and not queue.number():
        raise ConfigError(
            "no language model is configured to extract memories from turns",
            hint="set memory.llm.endpoint and memory.llm.model with mem config set",
        )
    if again:
        queue.reopen()
    return ModelExtractor(workspace).run()


class ModelExtractor:
    """Processes waiting turns; one object per process, which remembers recent failures."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._queue = ExtractionQueue(workspace.storage.database)
        self._backoff = Backoff(FIRST_PAUSE_S, LAST_PAUSE_S)
        self._model: ExtractionModel | None = None

    def is_due(self) -> bool:
        """Return whether a waiting turn can be processed now; costs one index lookup."""
        return self._queue.next(now=utc_now()) is not None

    def run(self, *, should_stop: Callable[[], bool] = lambda: False) -> ModelExtractionReport:
        """Process all turns that are due, one after the other.

        Raises BusyError while another process does, ConfigError for unusable settings, and the
        errors of storing memories.
        """
        if not self.is_due():
            return ModelExtractionReport(waiting=self._queue.number())
        with reading_lock(self._workspace.storage.database, self._workspace.path):
            done = _Pass(self._workspace, self._queue, self._current_model())
            failure = done.run(should_stop)
        pause_s = self._pause(failure)
        return ModelExtractionReport(
            turns=done.turns,
            skipped=done.skipped,
            failed=done.failed,
            extracted_memories=done.extracted,
            waiting=self._queue.number(),
            error=failure.said if failure else None,
            hint=failure.hint if failure else None,
            retry_in_s=pause_s,
        )

    def _current_model(self) -> ExtractionModel | None:
        """Return the model as configured now; None without one."""
        config = self._workspace.config
        if configured_model(config) is None:
            return None
        if self._model is None or self._model.settings != config.llm:
            self._model = ExtractionModel(config.llm)
        return self._model

    def _pause(self, failure: Failed | None) -> float | None:
        if failure is None:
            self._backoff.succeeded()
            return None
        return max(self._backoff.failed(), min(failure.after_s or 0.0, LONGEST_WISH_S))


class _Pass:
    """The state of one pass."""

    def __init__(
        self, workspace: Workspace, queue: ExtractionQueue, model: ExtractionModel | None
    ) -> None:
        self._workspace = workspace
        self._queue = queue
        self._model = model
        self._model_only = workspace.config.extractor.mode == "llm"
        self.turns = self.skipped = self.failed = 0
        self.extracted: list[ExtractedMemory] = []

    def run(self, should_stop: Callable[[], bool]) -> Failed | None:
        """Process the turns and return the failure that ended the pass, if any."""
        last = 0
        while not should_stop():
            waiting = self._queue.next(now=utc_now(), after=last)
            if waiting is None:
                break
            last = waiting.turn.id
            failure = self._process(waiting, should_stop)
            if failure is not None and not failure.passing:
                if self._model_only:
                    self._run_rules_on_waiting(should_stop)
                return failure
        return None

    def _process(self, waiting: Waiting, should_stop: Callable[[], bool]) -> Failed | None:
        """Ask about one turn, unless there is a reason not to."""
        turn = waiting.turn
        if self._model is None:  # a model was configured when the turn was stored
            self._close(waiting, "done")
            return None
        config = self._workspace.config
        held = is_held_back(turn, config, config.llm.endpoint)
        reason = CAPTURED if held else withheld_reason(turn)
        if reason is not None:
            self.skipped += 1
            extraction_counters_of(self._workspace).note_skipped(reason)
            self._close(waiting, "done")
            return None
        before = self._queue.before(turn)
        if before is not None and is_held_back(before, config, config.llm.endpoint):
            before = None
        answer = self._model.ask(turn, before)
        if should_stop():  # the database is being closed; the turn still waits
            return None
        if isinstance(answer, Answered):
            self._store(waiting, answer)
            return None
        self._fail(waiting, answer)
        return answer

    def _store(self, waiting: Waiting, answer: Answered) -> None:
        found = [(waiting.turn, answer.candidates)]
        self.extracted += consolidate_turns(self._workspace, found, origin="llm")[0]
        self._queue.close(waiting.turn.id, "done")
        extraction_counters_of(self._workspace).note_answer(
            candidates=len(answer.candidates), dropped=answer.dropped, seconds=answer.seconds
        )
        self.turns += 1

    def _fail(self, waiting: Waiting, failure: Failed) -> None:
        """Postpone the turn, or give it up; without an answer the rules' memories remain."""
        self.failed += 1
        counters = extraction_counters_of(self._workspace)
        counters.note_failure(failure.reason, said=failure.said, seconds=failure.seconds)
        tries = waiting.tries + failure.of_turn
        if tries >= MOST_TRIES:
            counters.note_given_up()
            self._close(waiting, "failed")
            return
        by_rules = self._run_rules(waiting)
        pause_s = RETRY_S * 4.0**waiting.tries if failure.of_turn else 0.0
        later = utc_text(datetime.now(UTC) + timedelta(seconds=pause_s))
        postponed = Waiting(waiting.turn, tries, by_rules)
        self._queue.postpone(postponed, not_before=later if failure.of_turn else "")

    def _close(self, waiting: Waiting, state: Extraction) -> None:
        """End the model's part in a turn after the rules have run."""
        self._run_rules(waiting, force=self._model is None)
        self._queue.close(waiting.turn.id, state)

    def _run_rules_on_waiting(self, should_stop: Callable[[], bool]) -> None:
        """Run the rules on waiting turns while the model is unavailable."""
        last = 0
        while not should_stop() and (waiting := self._queue.next(now=utc_now(), after=last)):
            last = waiting.turn.id
            if not waiting.by_rules:
                self._run_rules(waiting)
                self._queue.postpone(waiting._replace(by_rules=True), not_before="")

    def _run_rules(self, waiting: Waiting, *, force: bool = False) -> bool:
        """Run the rules where the model alone was to extract; return whether they have run by now.

        They may have run on the turn before, under other settings: a repetition changes nothing.
        """
        if waiting.by_rules or not (self._model_only or force):
            return waiting.by_rules
        found = rule_candidates(self._workspace, [waiting.turn])
        if found[0][1]:
            self.extracted += consolidate_turns(self._workspace, found, origin="rules")[0]
        return True
