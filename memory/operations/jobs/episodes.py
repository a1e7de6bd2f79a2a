"""The jobs of episodes: forming them, their facts, their forgetting; `registry` says when."""

from threading import Event

from contracts import UnavailableError
from memory.episodes.forming import form_episodes, is_due
from memory.episodes.model_summaries import has_work, summarise_by_model
from memory.episodes.reinforcement import maintain_retrievability
from memory.episodes.triples.extraction import extract_facts
from memory.episodes.triples.extraction import is_due as has_unread
from memory.operations.jobs.job import JobOutcome, Work
from memory.operations.jobs.registry import FSRS, SEGMENTATION, SEMANTIC
from memory.workspace import Workspace


class SegmentationWork(Work):
    """Forms episodes, then has a configured model summarise them; stops between two of them."""

    job = SEGMENTATION

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._left = 0

    def is_due(self) -> bool:
        return is_due(self.workspace, left=self._left) or has_work(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        done = form_episodes(self.workspace, is_ended=stopping.is_set)
        self._left = done.waiting
        told = (
            f"episodes formed: {done.formed:,}, joined by late turns: {done.joined:,}, "
            f"turns waiting: {done.waiting:,}"
        )
        if not has_work(self.workspace):
            return JobOutcome(told)
        asked = summarise_by_model(self.workspace, is_ended=stopping.is_set)
        if asked.error is not None:
            error = UnavailableError(asked.error.message, hint=asked.error.hint)
            return JobOutcome(error=error, retry_in_s=asked.error.after_s)
        return JobOutcome(f"{told}, summarised by the model: {asked.written:,}")


class SemanticWork(Work):
    """Makes facts of episodes; stops between two of them."""

    job = SEMANTIC

    def is_due(self) -> bool:
        return has_unread(self.workspace)

    def run(self, stopping: Event) -> JobOutcome:
        done = extract_facts(self.workspace, is_ended=stopping.is_set)
        return JobOutcome(
            f"episodes read: {done.episodes:,}, facts: {done.facts:,}, current: {done.current:,}"
        )


class ForgettingCurveWork(Work):
    """Computes the probabilities of recall again; stops between two transactions."""

    job = FSRS

    def run(self, stopping: Event) -> JobOutcome:
        done = maintain_retrievability(self.workspace, is_ended=stopping.is_set)
        return JobOutcome(
            f"episodes: {done.episodes:,}, facts: {done.facts:,}, changed: {done.changed:,}"
        )
