"""The speed of importing a chat history, and the memory that a large one needs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.processes import run
from benchmarks.harness.values import Figure, Goal
from benchmarks.inputs.talking import TURNS_A_SESSION, Talk

PER_BYTE = Goal(4)
"""The most bytes of memory for each byte of an export; a small one is less than the program."""

_MB = 1_000_000
_LONG = 20
"""The factor by which an assistant's answers are longer in a large export."""

_BEGINNING = 1_600_000_000
_SECONDS_BETWEEN = 60


def histories(bench: Bench) -> Iterator[Figure]:
    """Read a large export of ChatGPT without storing it; import one, twice."""
    yield _memory(bench)
    turns = bench.effort.history_turns
    path = bench.work / f"history-{turns}.json"
    write_export(path, turns=turns)
    database = bench.work / "history.db"
    remove_database(database)
    command = [*bench.mem, "--db", str(database), "--json", "import", str(path)]
    for what in ("import", "the same again"):
        finished = run(command, home=bench.work)
        report = json.loads(finished.output.splitlines()[-1])
        done = report["added"] or report["known"]
        beside = f"{finished.seconds:.1f} s, {sum(report['memories'].values()):,} facts"
        name = f"{turns:,} turns of ChatGPT, {what}"
        yield Figure("import", name, done / finished.seconds, "turns/s", None, beside)


def _memory(bench: Bench) -> Figure:
    megabytes = bench.effort.history_mb
    path = bench.work / f"history-{megabytes}mb.json"
    write_export(path, n_bytes=megabytes * _MB, times=_LONG)
    command = [*bench.mem, "--db", str(bench.work / "none.db"), "--json", "import", str(path)]
    finished = run([*command, "--dry-run"], home=bench.work)
    turns = json.loads(finished.output.splitlines()[-1])["turns"]
    size, peak = path.stat().st_size, finished.peak_bytes
    beside = f"{peak / _MB:.0f} MB, {turns / finished.seconds:,.0f} turns/s"
    name = f"reading an export of {megabytes} MB, peak memory per byte"
    return Figure("import", name, peak / size, "bytes", PER_BYTE if size > peak else None, beside)


def write_export(path: Path, *, turns: int = 0, n_bytes: int = 0, times: int = 1) -> None:
    """A `conversations.json` with this many turns, or of this many bytes."""
    talk, written, at = Talk(), 0, 0
    with path.open("w", encoding="utf-8") as file:
        written += file.write("[")
        while at < turns or written < n_bytes:
            number = TURNS_A_SESSION if n_bytes else min(TURNS_A_SESSION, turns - at)
            said = list(talk.turns(number))
            comma = ",\n" if at else ""
            written += file.write(comma + json.dumps(_conversation(said, at, times=times)))
            at += number
        file.write("]")


def _conversation(said: list[dict[str, Any]], first: int, *, times: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    parent = "root"
    for number, turn in enumerate(said, first):
        key, role = f"message-{number}", turn["role"]
        text = " ".join([turn["text"]] * (times if role == "assistant" else 1))
        message = {
            "id": key,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": _BEGINNING + number * _SECONDS_BETWEEN,
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {"model_slug": "gpt-4o"},
        }
        mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        parent = key
    name = f"conversation-{first}"
    return {"conversation_id": name, "title": name, "mapping": mapping, "current_node": parent}
