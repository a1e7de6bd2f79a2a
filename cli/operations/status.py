"""`mem status`: what the database holds, how fresh it is, and what is wrong."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cli.conversations.extraction_lines import extraction_lines
from cli.files.reindex import described
from cli.files.sync import problem_lines
from cli.invocation import CliContext, pass_context
from cli.operations.maintain import job_lines
from cli.output import ago, counted, error_lines, labelled, print_json, shown, size, table, warn
from cli.records.distillation import distillation_lines
from memory.operations.status import read_status
from memory.storage.capabilities.server import ReplicaStatus
from memory.values.citations import cite_lines
from memory.values.reports import RefusedChunk
from memory.values.space_reports import about_minutes
from memory.values.status_reports import DayGrowth, MemoryStatus, WatcherStatus

TOLD_FROM = 0.1
"""Shares of a database above which the size of its log and its free pages is shown."""

_TOLD_ABOVE = ("watch", "reindex", "upgrade")
_MOST_BAR = 40
_BESIDE_BAR = 52
"""Columns of a day, its figures and the space between them."""

_EIGHTHS = " ▏▎▍▌▋▊▉"
_STATES = ("indexed", "pending", "failed", "skipped")


@click.command()
@click.option("--stats", is_flag=True, help="Also show growth by day.")
@pass_context
def status(context: CliContext, *, stats: bool) -> None:
    """Show what the database holds and how fresh it is.

    It only reads. With --stats: how much was added on each day. A running server shows how long
    searches take, see GET /memory/status and GET /metrics.
    """
    with context.open_workspace() as workspace:
        found = read_status(workspace, statistics=stats)
    if context.json:
        print_json(found)
        return
    for line in table(_rows(found)):
        click.echo(line)
    for line in error_lines(found.errors):
        click.echo(line)
    for line in problem_lines(found.problems, cwd=Path.cwd()):
        click.echo(line)
    for line in _refused_lines(found, cwd=Path.cwd()):
        click.echo(line)
    if found.statistics is not None:
        for line in growth_lines(found.statistics.growth):
            click.echo(line)
    for warning in found.warnings:
        warn(warning)


def _rows(found: MemoryStatus) -> list[tuple[str, str]]:
    synced = found.freshness.indexed_at
    files = [f"{found.files[state]:,} {state}" for state in _STATES if found.files.get(state)]
    chunks = [f"{number:,} {source}" for source, number in sorted(found.chunks.items())]
    database = f"{shown(found.database)} ({found.backend}, {_sizes(found)}){_owner(found)}"
    parts = {
        "database": [database],
        "server": _server(found),
        "settings": [shown(found.config_path) if found.config_path else "defaults, no file"],
        "folders": [_root(root) for root in found.roots] or ["none yet: mem sync PATH"],
        "files": [", ".join(files) or "none"],
        "chunks": [", ".join(chunks) or "none"],
        "vectors": [f"{_vectors(found)}{_model(found)}"],
        **_conversations(found),
        "kept": _embedding_cache(found),
        "no model": _without_vectors(found),
        "fallback": _fallback(found),
        "reranker": _reranker(found),
        "extraction": extraction_lines(found.extraction),
        "distillation": distillation_lines(found.distillation),
        "retention": _retention(found),
        "synced": [f"{synced} ({ago(synced)})" if synced else "never"],
        "upgrade": _upgrade(found),
        "beside": [described(space) for space in found.spaces],
        "running": [_running(found)],
        "chats": _chats(found),
        "watcher": _watcher(found),
        "jobs": _jobs(found),
    }
    return [row for label, lines in parts.items() for row in labelled(label, lines)]


def _server(found: MemoryStatus) -> list[str]:
    """The server of the database; empty where a file keeps it."""
    server = found.server
    if server is None:
        return []
    told = f"PostgreSQL {server.version}, pgvector {server.vector_version}"
    told += f", {server.connections} of {server.most_connections} connections"
    if server.dead_rows > TOLD_FROM * server.live_rows:
        told += f", {server.dead_rows:,} dead rows beside {server.live_rows:,}"
    if server.invalid_indexes:
        told += f", not valid: {', '.join(server.invalid_indexes)} (mem doctor --fix)"
    if server.replicas:
        told += f", replicas: {', '.join(map(_replica, server.replicas))}"
    return [shown(told)]


def _replica(replica: ReplicaStatus) -> str:
    if replica.state != "behind":
        return f"{replica.number} {replica.state}"
    seconds = "" if replica.behind_s is None else f", {replica.behind_s:.1f} s"
    return f"{replica.number} behind by {counted(replica.behind_changes or 0, 'change')}{seconds}"


def _jobs(found: MemoryStatus) -> list[str]:
    """Jobs that run or have run; the watcher and a reindex at work have lines of their own."""
    told = (job for job in found.jobs if job.last_at or job.holder)
    return job_lines(job for job in told if not (job.holder and job.name in _TOLD_ABOVE))


def _conversations(found: MemoryStatus) -> dict[str, list[str]]:
    """Turns, memories and episodes; empty if there are no turns."""
    kept = found.conversations
    if not kept.turns and not any(kept.memories.values()):
        return {}
    counts = {"mid-term": "mid", "long-term": "long", "archived": "archived", "deleted": "deleted"}
    memories = [
        f"{kept.memories[name]:,} {what}" for what, name in counts.items() if kept.memories[name]
    ]
    cleaned = f"; cleaned up {ago(kept.last_gc)}" if kept.last_gc else ""
    facts = f"{counted(kept.triples, 'fact')}, {kept.current_triples:,} current"
    return {
        "turns": [f"{kept.turns:,} in {counted(kept.sessions, 'session')}"],
        "memories": [f"{', '.join(memories) or 'none'}{cleaned}"],
        "episodes": [f"{kept.episodes:,}; {facts}"] if kept.episodes else [],
    }


def _upgrade(found: MemoryStatus) -> list[str]:
    """The change to a better model: how far it is, or what it would need."""
    upgrade = found.upgrade
    if upgrade is None:
        return []
    if upgrade.state == "unavailable":
        line = f"to {upgrade.provider}, for better answers: {upgrade.reason}"
    elif upgrade.state == "done":
        line = f"changed to {upgrade.provider}; the static vectors go at {upgrade.removal_at}"
    else:
        done = f"{upgrade.chunks_done:,} of {counted(upgrade.chunks_total, 'chunk')}"
        left = f", {about_minutes(upgrade.seconds_left)} left" if upgrade.seconds_left else ""
        by = "mem serve or mem watch does it while nobody is waiting"
        holder = f"by {upgrade.holder}" if upgrade.holder else by
        line = f"to {upgrade.provider}, {done} embedded{left}; {holder}"
    return [shown(line)]


def _chats(found: MemoryStatus) -> list[str]:
    """The watched conversations, and what could not be read of them."""
    lines = []
    for source in found.chats:
        last = f", last {ago(source.last_read_at)}" if source.last_read_at else ", not read yet"
        of = f"{counted(source.turns, 'turn')} of {counted(source.transcripts, 'transcript')}"
        lines.append(f"{source.agent}: {shown(source.path)}, {of}{last}")
        lines += [f"  not read: {shown(trouble)}" for trouble in source.troubles]
    return lines


def _watcher(found: MemoryStatus) -> list[str]:
    """The watcher for changes, its method, and its problems."""
    watcher = found.watcher
    if watcher is None:
        return ["no watcher: mem watch"]
    holder = f"{shown(watcher.holder)}, since {watcher.since} ({ago(watcher.since)})"
    if watcher.state == "ended":
        lines = [f"ended unexpectedly {ago(watcher.heartbeat)}: {holder}"]
    elif watcher.state == "not answering":
        lines = [f"not answering, last seen {ago(watcher.heartbeat)}: {holder}"]
    else:
        lines = [f"{watcher.state}: {holder}", _watched(watcher)]
    if watcher.last_error and watcher.last_error_at:
        lines.append(f"error {ago(watcher.last_error_at)}: {shown(watcher.last_error)}")
    return lines


def _watched(watcher: WatcherStatus) -> str:
    """`312 folders by inotify, 2 paths waiting; last event 3 s ago, complete scan 2 min ago`."""
    reason = f" ({shown(watcher.reason)})" if watcher.reason else ""
    by = f" by {watcher.method}{reason}" if watcher.method else ""
    happened = [
        f"{what} {ago(moment)}"
        for what, moment in (("event", watcher.last_event), ("complete scan", watcher.last_scan))
        if moment
    ]
    queue = f", {counted(watcher.queue, 'path')} waiting" if watcher.queue else ""
    last = f"; last {', '.join(happened)}" if happened else ""
    return f"{counted(watcher.folders, 'folder')}{by}{queue}{last}"


def _owner(found: MemoryStatus) -> str:
    return ", your own, shared by all folders" if found.is_own else ", not your own"


def _sizes(found: MemoryStatus) -> str:
    parts = {"log": found.log_bytes, "free": found.free_bytes}
    large = [f"{size(n)} {name}" for name, n in parts.items() if n > TOLD_FROM * found.size_bytes]
    return size(found.size_bytes) + (f", {' and '.join(large)} of it" if large else "")


def _running(found: MemoryStatus) -> str:
    is_upgrade = found.upgrade is not None and found.upgrade.holder is not None
    running = {"a sync": found.sync, "a reindex": None if is_upgrade else found.reindex}
    named = [f"{what}, {shown(holder)}" for what, holder in running.items() if holder]
    return "; ".join(named) or "nothing"


def _refused_lines(found: MemoryStatus, *, cwd: Path) -> list[str]:
    """The chunks that the embedding provider refuses, by place, with the reason."""
    rows = [("", "no vector", _place(chunk, cwd), shown(chunk.reason)) for chunk in found.refused]
    lines = table(rows)
    if more := found.refused_chunks - len(lines):
        lines.append(f"  and {more:,} more without a vector")
    return lines


def _place(chunk: RefusedChunk, cwd: Path) -> str:
    if chunk.start_line is None or chunk.end_line is None:
        return shown(chunk.path)
    return shown(cite_lines(chunk.path, chunk.start_line, chunk.end_line, cwd=cwd))


def _root(root: str) -> str:
    return shown(root) if Path(root).exists() else f"{shown(root)} (cannot be reached)"


def _embedding_cache(found: MemoryStatus) -> list[str]:
    """The embedding cache; empty for a model faster than reading the cache."""
    cache = found.embedding_cache
    asked = [
        f"{count.hits:,} of {count.hits + count.misses:,} {name} already known"
        for name, count in (("texts", cache.documents), ("queries", cache.queries))
        if count.hits + count.misses
    ]
    if not asked:
        return []
    kept = f"{cache.entries:,} embeddings, {size(cache.size_bytes)} of {size(cache.most_bytes)}"
    return [f"{kept} ({', '.join(asked)})"]


def _without_vectors(found: MemoryStatus) -> list[str]:
    failed = found.queries_without_vectors
    if not failed.number:
        return []
    queries = f"{failed.number:,} answered"
    last = f", the last {ago(failed.last_at)}" if failed.last_at else ""
    return [shown(f"{queries} by words only{last}: {failed.last_reason}")]


def _fallback(found: MemoryStatus) -> list[str]:
    fallback = found.fallback
    if fallback is None:
        return []
    state = (
        "stands by" if fallback.stands_by else f"cannot be the fallback: {fallback.refused_because}"
    )
    used = f", has answered {fallback.queries:,}" if fallback.queries else ""
    return [shown(f"{fallback.provider} {state}{used}")]


def _retention(found: MemoryStatus) -> list[str]:
    """The retention of turns; empty while everything is kept."""
    kept = found.retention
    lines = []
    if kept.sessions:
        last = f"; {kept.last_turns:,} deleted {ago(kept.last_at)}" if kept.last_at else ""
        turns = (
            f"turns of {counted(kept.sessions, 'session')} are deleted after {kept.session_hours} h"
        )
        lines.append(f"{turns}, {kept.due:,} due{last}")
    if kept.last_error:
        lines.append(shown(f"nothing deleted, {kept.last_error}"))
    return lines


def _reranker(found: MemoryStatus) -> list[str]:
    reranker = found.reranker
    if reranker.state == "off":
        return []
    reason = f": {reranker.reason}" if reranker.reason else ""
    return [shown(f"{reranker.model} ({reranker.state}{reason})")]


def _vectors(found: MemoryStatus) -> str:
    chunks = sum(found.chunks.values())
    lacking = f" of {counted(chunks, 'chunk')}" if found.vectors < chunks else ""
    return f"{found.vectors:,}{lacking}"


def _model(found: MemoryStatus) -> str:
    model = found.model
    if model is None:
        return ""
    other = "" if model.configured else ", not the configured model"
    weight = f", weight {model.measured_weight} measured here" if model.measured_weight else ""
    name = shown(f"{model.provider}/{model.model}")
    revision = shown(model.revision)
    return f" by {name} ({model.dimensions} dimensions, revision {revision}{other}{weight})"


def growth_lines(growth: Sequence[DayGrowth]) -> list[str]:
    """A table with a bar for each day, the last day at the bottom."""
    most = max((day.chunks for day in growth), default=0)
    columns = shutil.get_terminal_size().columns
    room = max(1, min(_MOST_BAR, columns - _BESIDE_BAR))
    rows = [
        (day.day, bar(day.chunks / most, room), counted(day.chunks, "chunk"), _chars(day.chars))
        for day in reversed(growth)
    ]
    return table(rows, right=frozenset({2, 3}))


def bar(share: float, room: int) -> str:
    """A bar of that share of `room` columns, to an eighth of one; never empty."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    if not encoding.lower().startswith("utf"):
        return "#" * max(1, round(share * room))
    whole, eighths = divmod(max(1, round(share * room * 8)), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


def _chars(number: int) -> str:
    return f"{number / 1e6:,.1f} M characters" if number >= 1e6 else f"{number:,} characters"
