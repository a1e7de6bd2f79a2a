"""One pass over the turns that wait for a language model, in whatever process.

What a turn said stays safe whatever the model does: it is asked again later, given up after some
tries, and the memories that rules found stand. Where the model alone was to look, the rules do as
soon as it fails.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from contracts import ConfigError
from ingest.extractor import extract
from memory.conversations.extraction_metrics import configured_model, extraction_counters_of
from memory.conversations.llm_extraction.queue import EnrichmentQueue, Waiting
from memory.conversations.llm_extraction.request import Answered, Asker, Failed, kept_back
from memory.conversations.memories.consolidation import consolidate_turns
from memory.conversations.memories.values import ExtractedMemory
from memory.conversations.turns.utterances import utterance_of
from memory.conversations.turns.values import Extraction
from memory.storage import utc_now, utc_text
from memory.storage.sync_lock import reading_lock
from memory.values.backoff import Backoff
from memory.workspace import Workspace

MOST_TRIES: Final = 3
"""How often a model may fail on a turn, where the turn itself may be the cause."""

RETRY_S: Final = 60.0
"""How long a turn is left alone after its first failure; four times as long after the next."""

FIRST_PAUSE_S: Final = 1.0
LAST_PAUSE_S: Final = 300.0
"""The first and the longest pause after the server could not be used, unless it asks for more."""

LONGEST_WISH_S: Final = 3600.0
"""Of what a server asks for, at most so much is granted."""


@dataclass(frozen=True, slots=True)
class ModelExtractionReport:
    """What a pass did.

    `turns` were answered, `skipped` not asked about, `failed` not answered; `extracted_memories`
    is what became of the answers. `waiting` turns are left, some of them for later. `error` says
    why the pass ended early, if it did, `hint` what to do, `retry_in_s` when it may go on.
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
    """One pass now; `again`: also over the turns that the model was given up on.

    Raises ConfigError when no model is configured and no turn waits for one; else as
    `Enricher.run`.
    """
    queue = EnrichmentQueue(workspace.storage.database)
    if configured_model(workspace.config) is None and not queue.number():
        raise ConfigError(
            "no language model is configured to look at turns",
            hint="set memory.llm.endpoint and memory.llm.model with mem config set",
        )
    if again:
        queue.reopen()
    return Enricher(workspace).run()


class Enricher:
    """Works on what waits; one object for a process, which remembers how the model was lately."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._queue = EnrichmentQueue(workspace.storage.database)
        self._backoff = Backoff(FIRST_PAUSE_S, LAST_PAUSE_S)
        self._asker: Asker | None = None

    def is_due(self) -> bool:
        """Whether a turn waits that may be looked at now; costs a look at an index."""
        return self._queue.next(now=utc_now()) is not None

    def run(self, *, should_stop: Callable[[], bool] = lambda: False) -> ModelExtractionReport:
        """Look at all turns that are due, one after the other.

        Raises BusyError while another process does, ConfigError for settings that cannot be used,
        and what storing memories raises.
        """
        if not self.is_due():
            return ModelExtractionReport(waiting=self._queue.number())
        with reading_lock(self._workspace.storage.database, self._workspace.path):
            done = _Pass(self._workspace, self._queue, self._current_asker())
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

    def _current_asker(self) -> Asker | None:
        """The model as it is configured now; None when none is to be asked."""
        config = self._workspace.config
        if configured_model(config) is None:
            return None
        if self._asker is None or self._asker.settings != config.llm:
            self._asker = Asker(config.llm)
        return self._asker

    def _pause(self, failure: Failed | None) -> float | None:
        if failure is None:
            self._backoff.succeeded()
            return None
        return max(self._backoff.failed(), min(failure.after_s or 0.0, LONGEST_WISH_S))


class _Pass:
    """The state of one pass."""

    def __init__(self, workspace: Workspace, queue: EnrichmentQueue, asker: Asker | None) -> None:
        self._workspace = workspace
        self._queue = queue
        self._asker = asker
        self._alone = workspace.config.extractor.mode == "llm"
        self.turns = self.skipped = self.failed = 0
        self.extracted: list[ExtractedMemory] = []

    def run(self, should_stop: Callable[[], bool]) -> Failed | None:
        """The failure that ended it, if one did."""
        last = 0
        while not should_stop():
            waiting = self._queue.next(now=utc_now(), after=last)
            if waiting is None:
                break
            last = waiting.turn.id
            failure = self._look(waiting, should_stop)
            if failure is not None and not failure.passing:
                if self._alone:
                    self._have_rules_look(should_stop)
                return failure
        return None

    def _look(self, waiting: Waiting, should_stop: Callable[[], bool]) -> Failed | None:
        """Ask about one turn, unless there is a reason not to."""
        turn = waiting.turn
        if self._asker is None:  # there was a model when the turn was said
            self._close(waiting, "done")
            return None
        reason = kept_back(turn)
        if reason is not None:
            self.skipped += 1
            extraction_counters_of(self._workspace).note_skipped(reason)
            self._close(waiting, "done")
            return None
        answer = self._asker.ask(turn, self._queue.before(turn))
        if should_stop():  # the database is being closed; the turn still waits
            return None
        if isinstance(answer, Answered):
            self._take(waiting, answer)
            return None
        self._fail(waiting, answer)
        return answer

    def _take(self, waiting: Waiting, answer: Answered) -> None:
        told = [(waiting.turn, answer.candidates)]
        self.extracted += consolidate_turns(self._workspace, told, origin="llm")[0]
        self._queue.close(waiting.turn.id, "done")
        extraction_counters_of(self._workspace).note_answer(
            candidates=len(answer.candidates), dropped=answer.dropped, seconds=answer.seconds
        )
        self.turns += 1

    def _fail(self, waiting: Waiting, failure: Failed) -> None:
        """Leave the turn for later, or give it up; without an answer the rules' memories stand."""
        self.failed += 1
        book = extraction_counters_of(self._workspace)
        book.note_failure(failure.reason, said=failure.said, seconds=failure.seconds)
        tries = waiting.tries + failure.of_turn
        if tries >= MOST_TRIES:
            book.note_given_up()
            self._close(waiting, "failed")
            return
        by_rules = self._look_by_rules(waiting)
        pause_s = RETRY_S * 4.0**waiting.tries if failure.of_turn else 0.0
        later = utc_text(datetime.now(UTC) + timedelta(seconds=pause_s))
        postponed = Waiting(waiting.turn, tries, by_rules)
        self._queue.postpone(postponed, not_before=later if failure.of_turn else "")

    def _close(self, waiting: Waiting, state: Extraction) -> None:
        """Nothing of the model is to come, so the rules have the last word."""
        self._look_by_rules(waiting, also_again=self._asker is None)
        self._queue.close(waiting.turn.id, state)

    def _have_rules_look(self, should_stop: Callable[[], bool]) -> None:
        """Let no turn that waits go without memories while the model cannot be used."""
        last = 0
        while not should_stop() and (waiting := self._queue.next(now=utc_now(), after=last)):
            last = waiting.turn.id
            if not waiting.by_rules:
                self._look_by_rules(waiting)
                self._queue.postpone(waiting._replace(by_rules=True), not_before="")

    def _look_by_rules(self, waiting: Waiting, *, also_again: bool = False) -> bool:
        """Have the rules look where the model alone was to; whether they have by now.

        A turn that was taken in under other settings may have met them already: what it has told
        once changes nothing.
        """
        if waiting.by_rules or not (self._alone or also_again):
            return waiting.by_rules
        started = time.perf_counter()
        candidates = extract(utterance_of(waiting.turn))
        extraction_counters_of(self._workspace).note_rules(
            turns=1, candidates=len(candidates), seconds=time.perf_counter() - started
        )
        if candidates:
            told = [(waiting.turn, candidates)]
            self.extracted += consolidate_turns(self._workspace, told, origin="rules")[0]
        return True
