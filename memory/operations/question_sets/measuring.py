"""Ask every question of a set in some modes, and find the ranks of the places that answer them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, median

from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from ingest.loaders.reading import printable
from memory.files.documents.reading import documents_page, show_document
from memory.files.roots import real_path
from memory.operations.question_sets.reading import Question
from memory.retrieval.searching import default_options, search
from memory.values.record_kinds import RecordName
from memory.values.results import SearchResult
from memory.workspace import Workspace
from search.options import Mode

CUTOFFS = (1, 3, 5, 10)
"""The numbers of first results that recall is counted for."""

DEPTH = CUTOFFS[-1]


class Target(NamedTuple):
    """The meaning of a place: lines of a document, another record, or any file of a folder."""

    document_id: str | None = None
    lines: tuple[int, int] = (0, 0)
    record: RecordName | None = None
    folder: str | None = None


@dataclass(frozen=True)
class ModeFigures:
    """The places that one mode found.

    `ranks` has, for each question, the ranks of its places in the first DEPTH results, from 1;
    None for a place that is not among them. `median_ms` is the time of a search in milliseconds.
    """

    ranks: list[list[int | None]]
    median_ms: float

    @property
    def recall(self) -> dict[int, float]:
        """The mean share of a question's places among the first k results, by k, in [0, 1]."""
        return {
            k: fmean(
                sum(rank is not None and rank <= k for rank in places) / len(places)
                for places in self.ranks
            )
            for k in CUTOFFS
        }

    @property
    def mrr(self) -> float:
        """The mean of 1 / rank of each question's first place, 0 where there is none."""
        return fmean(
            max((1 / rank for rank in places if rank is not None), default=0.0)
            for places in self.ranks
        )


@dataclass(frozen=True)
class Measurement:
    """The figures of every mode.

    `model` made the vectors, None before there are any. `unknown` are the places that name nothing
    in the index, with their line in the file: they cannot be found.
    """

    model: str | None
    questions: list[Question]
    modes: dict[Mode, ModeFigures]
    unknown: list[tuple[int, str]]
    warnings: list[str]


def measure(
    workspace: Workspace, questions: Sequence[Question], modes: Sequence[Mode]
) -> Measurement:
    """Ask the questions as `mem search` does, with the configured options except the mode."""
    asked = _Asked(workspace, list(questions))
    figures = {mode: asked.in_mode(mode) for mode in modes}
    space = workspace.storage.active_space()
    return Measurement(
        model=None if space is None else space.model,
        questions=asked.questions,
        modes=figures,
        unknown=asked.unknown,
        warnings=list(asked.warnings),
    )


class _Asked:
    def __init__(self, workspace: Workspace, questions: list[Question]) -> None:
        self.workspace, self.questions = workspace, questions
        self.warnings: dict[str, None] = {}

    @cached_property
    def targets(self) -> dict[str, Target | None]:
        places = dict.fromkeys(place for question in self.questions for place in question.places)
        return {place: _target(self.workspace, place) for place in places}

    @property
    def unknown(self) -> list[tuple[int, str]]:
        return [
            (question.line, place)
            for question in self.questions
            for place in question.places
            if self.targets[place] is None
        ]

    def in_mode(self, mode: Mode) -> ModeFigures:
        options = replace(
            default_options(self.workspace.config.search), mode=mode, max_results=DEPTH
        )
        ranks, times = [], []
        for question in self.questions:
            answer = search(self.workspace, question.text, options)
            self.warnings.update(dict.fromkeys(answer.warnings))
            times.append(answer.search_time_ms)
            ranks.append([self._rank(place, answer.results) for place in question.places])
        return ModeFigures(ranks, round(median(times), 3))

    def _rank(self, place: str, results: Sequence[SearchResult]) -> int | None:
        target = self.targets[place]
        if target is None:
            return None
        return next(
            (rank for rank, hit in enumerate(results, start=1) if self._answers(hit, target)), None
        )

    def _answers(self, hit: SearchResult, target: Target) -> bool:
        if target.record is not None:
            cited = (hit.citation, *(part.citation for part in hit.also))
            return any(self.workspace.kinds.named(each) == target.record for each in cited)
        if target.folder is not None:
            return (hit.file_path or "").startswith(f"{target.folder.rstrip('/')}/")
        first, last = target.lines
        is_apart = (hit.end_line or last) < first or (hit.start_line or first) > last
        return hit.file_id == target.document_id and not is_apart


def _target(workspace: Workspace, place: str) -> Target | None:
    try:
        if (document := show_document(workspace, place)) is not None:
            return Target(document.id, (document.start_line, document.end_line))
    except NotFoundError:
        return None
    name = workspace.kinds.named(place)
    if name is not None and not workspace.kinds[name.source].is_document:
        return Target(record=name)
    below = documents_page(workspace, source="file", path=place, limit=1, cursor=None).records
    return Target(folder=printable(str(real_path(place)))) if below else None
