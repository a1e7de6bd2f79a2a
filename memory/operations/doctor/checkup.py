"""The checks in their order, and how they are run: one look at all, repairs, and another look.

Without repairs nothing is written, and everything is read as of one moment while others write.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from contracts import MemError, StorageError
from memory.operations.doctor import (
    conversations,
    database_file,
    disk,
    environment,
    keywords,
    records,
    spaces,
)
from memory.operations.doctor.reports import CheckResult, DoctorReport, Finding, Outcome
from memory.operations.doctor.values import DoctorContext, Problem
from memory.storage.sync_lock import reindex_lock
from memory.workspace import Workspace


class Check(NamedTuple):
    """One check: its name, what it finds, and whether it reads the files on disk."""

    name: str
    find: Callable[[DoctorContext], Iterator[Problem]]
    of_disk: bool = False

    @property
    def meaning(self) -> str:
        """What holds when it finds nothing."""
        return (self.find.__doc__ or "").split("\n", 1)[0]


CHECKS = (
    Check("pages", database_file.pages),
    Check("tables", database_file.tables),
    Check("references", database_file.references),
    Check("counters", database_file.counters),
    Check("owners", records.owners),
    Check("documents", records.documents),
    Check("texts", records.texts),
    Check("records", conversations.records),
    Check("keywords", keywords.entries),
    Check("words", keywords.contents),
    Check("vectors", spaces.vectors),
    Check("missing-vectors", spaces.missing),
    Check("model", spaces.model),
    Check("spaces", spaces.beside),
    Check("cache", spaces.cache),
    Check("permissions", environment.permissions),
    Check("room", environment.room),
    Check("leftovers", environment.beside),
    Check("locks", environment.locks),
    Check("extras", environment.extras),
    Check("settings", environment.settings),
    Check("files", disk.files, of_disk=True),
)


class _Look(NamedTuple):
    """What one round of all checks found."""

    found: list[tuple[Check, Problem]]
    results: list[CheckResult]


def checkup(workspace: Workspace, *, files: bool = False, fix: bool = False) -> DoctorReport:
    """Examine a database; with `files` also compare it with the disk, with `fix` mend it.

    Repairs, if there are any, wait for a sync or a reindex to end, and raise BusyError when it does
    not.
    """
    started = time.monotonic()
    context = DoctorContext(workspace, files=files)
    fixed: list[Finding] = []
    look = _look(context)
    if fix and any(problem.fix for _, problem in look.found):
        database, path = workspace.storage.database, workspace.path
        with workspace.sync_lock(), reindex_lock(database, path):
            look, tried = _look(context), set[str]()
            while mended := _mend(context, look, tried):
                fixed += mended
                look = _look(context)
    problems = [_finding(check, item) for check, item in look.found if not item.is_note]
    return DoctorReport(
        database=str(workspace.path or ":memory:"),
        healthy=not problems,
        problems=problems,
        notes=[_finding(check, item) for check, item in look.found if item.is_note],
        fixed=[item for item in fixed if item not in problems],
        marked=sorted(context.marked),
        checks=look.results,
        seconds=round(time.monotonic() - started, 3),
    )


def _look(context: DoctorContext) -> _Look:
    look = _Look([], [])
    with contextlib.ExitStack() as stack:
        stack.enter_context(context.storage.database.snapshot())
        is_sound = True
        for check in CHECKS:
            if check.of_disk and not context.files:
                continue
            if not is_sound:
                look.results.append(CheckResult(check.name, "not checked", 0.0))
                continue
            started = time.monotonic()
            problems = _found(check, context)
            look.found.extend((check, problem) for problem in problems)
            is_sound = not any(problem.blocks for problem in problems)
            seconds = round(time.monotonic() - started, 3)
            look.results.append(CheckResult(check.name, _outcome(problems), seconds))
    return look


def _found(check: Check, context: DoctorContext) -> list[Problem]:
    """What a check finds; also that a damaged file does not let it look."""
    problems = []
    try:
        for problem in check.find(context):
            problems.append(problem)  # noqa: PERF402  # what was found before an error counts
    except StorageError as error:
        problems.append(Problem(error.message, error.hint))
    except _errors(context) as error:
        problems.append(Problem(f"it could not be checked: {error}", database_file.RESTORE))
    return problems


def _errors(context: DoctorContext) -> tuple[type[Exception], ...]:
    """What a check or a repair of a damaged database may raise."""
    return (*context.storage.health.errors, MemError, OSError)


def _outcome(problems: list[Problem]) -> Outcome:
    if not problems:
        return "fine"
    return "note" if all(problem.is_note for problem in problems) else "problem"


def _mend(context: DoctorContext, look: _Look, tried: set[str]) -> list[Finding]:
    """Do the repairs there are, each once; what those that worked were for.

    What one mends may show what another has to.
    """
    mended = []
    for check, problem in look.found:
        if problem.fix is None or problem.fact in tried:
            continue
        tried.add(problem.fact)
        try:
            problem.fix()
        except _errors(context):
            continue  # the next look finds it again
        mended.append(_finding(check, problem))
    return mended


def _finding(check: Check, problem: Problem) -> Finding:
    return Finding(check.name, problem.fact, problem.count, problem.repair, problem.fix is not None)
