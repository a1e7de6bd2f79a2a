"""Failures that need a person's attention, each with a button or with the command that helps."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from contracts.installation import checkout
from memory.files.problem_hints import UNREADABLE_FORMS, next_command, next_step, reason_code
from memory.values.reports import FileProblem
from memory.values.status_reports import ExtractorMetrics, JobStatus, MemoryStatus

_SYNC: Final = "/page/health/sync"
_RETRY: Final = "/page/health/retry"
_JOB: Final = "/page/health/job"

_FOLLOWS: Final = frozenset({"watching", "syncing", "waiting"})
_INSTALL: Final = re.compile(r"(?P<why>.*) \((?P<command>[^()]+) \((?P<place>in .*)\)\)")
"""A message with the hint of `contracts.install_hint`."""


@dataclass(frozen=True)
class Button:
    """A form of one button: its words, the address that it sends to, and its hidden fields."""

    words: str
    address: str
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trouble:
    """Something that failed, why, and what helps: in words, as a command for a shell, or a button.

    A command is shown where the server must not do it itself, such as installing a library.
    """

    what: str
    why: str
    advice: str | None = None
    command: str | None = None
    button: Button | None = None


def troubles_of(status: MemoryStatus) -> list[Trouble]:
    """Return what failed, the most severe first: the program, its work, then single files."""
    return [*_program(status), *_work(status), *map(_job, _failed(status)), *_files(status)]


def _program(status: MemoryStatus) -> Iterator[Trouble]:
    """Yield what is not installed, not running, or cannot be reached."""
    for error in status.errors:
        yield _missing("A library is missing", error)
    asked = status.queries_without_vectors
    if asked.asked_again_in_s is not None:
        why = f"{asked.last_reason}; questions are answered by words alone"
        yield Trouble("The embedding model cannot be reached", why, command="mem doctor")
    if status.fallback is not None and not status.fallback.stands_by:
        why = status.fallback.refused_because or ""
        yield Trouble(
            f"{status.fallback.provider} cannot be the fallback", why, command="mem doctor"
        )
    if status.reranker.state == "failed":
        why = status.reranker.reason or ""
        yield Trouble(f"The reranker {status.reranker.model} failed", why, command="mem doctor")
    if status.upgrade is not None and status.upgrade.state == "unavailable":
        what = f"The better model {status.upgrade.provider} waits"
        yield _missing(what, status.upgrade.reason or "")


def _missing(what: str, reason: str) -> Trouble:
    """Return the trouble of something that is not installed, with the command that installs it."""
    found = _INSTALL.fullmatch(reason)
    if found is None:
        return Trouble(what, reason)
    advice = f"install it {found['place']}, then start the server again"
    return Trouble(what, found["why"], advice, found["command"])


def _work(status: MemoryStatus) -> Iterator[Trouble]:
    """Yield what goes on in the background and does not."""
    watcher = status.watcher
    if watcher is not None and watcher.state not in _FOLLOWS:
        why = f"the process that did, {watcher.holder}, is {watcher.state}"
        button = Button("Sync now", _SYNC)
        yield Trouble("Nothing follows changes of files", why, None, "mem watch", button)
    if watcher is not None and watcher.last_error:
        yield Trouble("The last sync failed", watcher.last_error, button=Button("Sync now", _SYNC))
    for source in status.chats:
        for told in source.troubles:
            yield Trouble(
                f"A transcript of {source.agent} is not read", told, command="mem chats list"
            )
    if (llm := status.extraction.llm) and _fails(llm):
        why = str(llm.last_error)
        advice = "the rules read the turns meanwhile"
        yield Trouble("The language model fails", why, advice, "mem maintain extraction")
    if status.retention.last_error:
        button = Button("Run retention now", _JOB, {"name": "retention"})
        yield Trouble("Old turns are not removed", status.retention.last_error, button=button)
    if status.refused_chunks:
        first = status.refused[0] if status.refused else None
        why = f"for example {first.path}: {first.reason}" if first else ""
        advice = "they are found by their words; another model may take them"
        what = f"The embedding provider refuses {status.refused_chunks:,} texts"
        yield Trouble(what, why, advice, "mem reindex --help")


def _fails(metrics: ExtractorMetrics) -> bool:
    """Return whether the last call failed."""
    return (metrics.last_error_at or "") > (metrics.last_success_at or "")


def _failed(status: MemoryStatus) -> list[JobStatus]:
    return [job for job in status.jobs if job.state == "failed"]


def _job(job: JobStatus) -> Trouble:
    button = Button(f"Run {job.name} now", _JOB, {"name": job.name})
    what = f"The job {job.name} failed"
    return Trouble(what, job.message or "", job.hint, f"mem maintain {job.name}", button)


def _files(status: MemoryStatus) -> Iterator[Trouble]:
    for one in sorted(status.problems, key=lambda problem: problem.state):
        button = Button("Try again", _RETRY, {"path": one.path})
        yield Trouble(
            one.path, f"{one.state}: {one.reason}", _advice(one), next_command(one), button
        )


def _advice(problem: FileProblem) -> str | None:
    code = reason_code(problem.reason)
    if code in UNREADABLE_FORMS:
        return f"{next_step(code) or 'save it as text'}, or leave it out"
    return next_step(code) if code != "missing-extra" else f"install it in {checkout()}"
