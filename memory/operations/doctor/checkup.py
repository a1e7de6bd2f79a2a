"""The list of checks, and a checkup: a round of checks, repairs, and another round.

Without repairs nothing is written, and everything is read from one snapshot while others write.
"""

import contextlib
import time
from collections.abc import Callable, Iterator

from contracts import MemError, StorageError
from contracts.named_tuple import NamedTuple
from memory.operations.doctor import (
    database_file,
    disk,
    documents,
    environment,
    keywords,
    numbered_records,
    vectors,
)
from memory.operations.doctor.reports import CheckOutcome, CheckResult, DoctorReport, Finding
from memory.operations.doctor.values import DoctorContext, DoctorProblem
from memory.storage.process_locks import reindex_lock
from memory.workspace import Workspace


class Check(NamedTuple):
    """One check: its name, its function, and whether it reads the files on disk."""

    name: str
    find: Callable[[DoctorContext], Iterator[DoctorProblem]]
    of_disk: bool = False

    @property
    def meaning(self) -> str:
        """Return the condition that holds when the check finds nothing."""
        return (self.find.__doc__ or "").split("\n", 1)[0]


CHECKS = (
    Check("pages", database_file.pages),
    Check("tables", database_file.tables),
    Check("values", database_file.values),
    Check("references", database_file.references),
    Check("counters", database_file.counters),
    Check("owners", documents.owners),
    Check("documents", documents.documents),
    Check("texts", documents.texts),
    Check("records", numbered_records.records),
    Check("keywords", keywords.entries),
    Check("words", keywords.contents),
    Check("vectors", vectors.vectors),
    Check("missing-vectors", vectors.missing),
    Check("model", vectors.model),
    Check("spaces", vectors.beside),
    Check("cache", vectors.cache),
    Check("permissions", environment.permissions),
    Check("room", environment.room),
    Check("leftovers", environment.beside),
    Check("locks", environment.locks),
    Check("extras", environment.extras),
    Check("settings", environment.settings),
    Check("files", disk.files, of_disk=True),
)


class _Round(NamedTuple):
    """The findings of one round of all checks."""

    found: list[tuple[Check, DoctorProblem]]
    results: list[CheckResult]


def checkup(workspace: Workspace, *, files: bool = False, fix: bool = False) -> DoctorReport:
    """Check a database; with `files` also compare it with the disk, with `fix` repair it.

    Repairs, if there are any, wait for a sync or a reindex to end, and raise BusyError when it does
    not.
    """
    started = time.monotonic()
    context = DoctorContext(workspace, files=files)
    fixed: list[Finding] = []
    latest = _run_checks(context)
    if fix and any(problem.fix for _, problem in latest.found):
        database, path = workspace.storage.database, workspace.path
        with workspace.sync_lock(), reindex_lock(database, path):
            latest, tried = _run_checks(context), set[str]()
            while repaired := _repair(context, latest, tried):
                fixed += repaired
                latest = _run_checks(context)
    problems = [_finding(check, item) for check, item in latest.found if not item.is_note]
    return DoctorReport(
        database=workspace.loaded.database_name,
        healthy=not problems,
        problems=problems,
        notes=[_finding(check, item) for check, item in latest.found if item.is_note],
        fixed=[item for item in fixed if item not in problems],
        marked=sorted(context.marked),
        checks=latest.results,
        seconds=round(time.monotonic() - started, 3),
    )


def _run_checks(context: DoctorContext) -> _Round:
    latest = _Round([], [])
    with contextlib.ExitStack() as stack:
        stack.enter_context(context.storage.database.snapshot())
        is_sound = True
        for check in CHECKS:
            if check.of_disk and not context.files:
                continue
            if not is_sound:
                latest.results.append(CheckResult(check.name, "not checked", 0.0))
                continue
            started = time.monotonic()
            problems = _found(check, context)
            latest.found.extend((check, problem) for problem in problems)
            is_sound = not any(problem.blocks for problem in problems)
            seconds = round(time.monotonic() - started, 3)
            latest.results.append(CheckResult(check.name, _outcome(problems), seconds))
    return latest


def _found(check: Check, context: DoctorContext) -> list[DoctorProblem]:
    """Return the findings of a check; a damaged file that prevents it is one, too."""
    problems = []
    try:
        for problem in check.find(context):
            problems.append(problem)  # noqa: PERF402  # keep findings made before an error
    except StorageError as error:
        problems.append(DoctorProblem(error.message, error.hint))
    except _errors(context) as error:
        problems.append(DoctorProblem(f"it could not be checked: {error}", database_file.RESTORE))
    return problems


def _errors(context: DoctorContext) -> tuple[type[Exception], ...]:
    """Return the errors that a check or a repair of a damaged database may raise."""
    return (*context.storage.health.errors, MemError, OSError)


def _outcome(problems: list[DoctorProblem]) -> CheckOutcome:
    if not problems:
        return "fine"
    return "note" if all(problem.is_note for problem in problems) else "problem"


def _repair(context: DoctorContext, latest: _Round, tried: set[str]) -> list[Finding]:
    """Run each available repair once and return the findings fixed by those that succeeded.

    One repair may reveal work for another.
    """
    repaired = []
    for check, problem in latest.found:
        if problem.fix is None or problem.fact in tried:
            continue
        tried.add(problem.fact)
        try:
            problem.fix()
        except _errors(context):
            continue  # the next round finds it again
        repaired.append(_finding(check, problem))
    return repaired


def _finding(check: Check, problem: DoctorProblem) -> Finding:
    return Finding(check.name, problem.fact, problem.count, problem.repair, problem.fix is not None)
