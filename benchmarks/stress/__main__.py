"""Run the stress test and print its summary; the exit code is 1 if anything went wrong."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.stress.crew import Crew, Record
from benchmarks.stress.tree import ChangingTree
from benchmarks.stress.values import SERVER_AWAY, Base
from benchmarks.stress.verdict import wrongs

CREW = [
    *("sync1", "sync2", "server", "client1", "client2", "search1", "search2"),
    *("text1", "text2", "reindex1", "doctor1", "backup1", "watch"),
    *("talk1", "talk2", "gc1", "import1"),
]
_HARMLESS = (SERVER_AWAY, "409 ", "watches already", "gc: BusyError")
"""Errors that are right answers: of a server that was killed, of one where another sync runs for
longer than a request may wait, of a second watcher, and of a second collection.
"""


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stress", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long they work")
    parser.add_argument("--seed", type=int, default=1, help="another one, other changes and kills")
    parser.add_argument("--files", type=int, default=150, help="files at the beginning")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two kills")
    parser.add_argument("--keep", type=Path, help="work in this new folder, and leave it there")
    parser.add_argument("--operations", type=int, help="end after this many successes")
    parser.add_argument("--crew", type=lambda told: told.split(","), default=CREW)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stress-") as passing:
        base = Base(given.keep or Path(passing) / "base")
        base.lay_out()
        tree = ChangingTree(base.docs, seed=given.seed, files=given.files)
        crew = Crew(given.crew, base, given.seed)
        started = time.monotonic()
        tree.start()
        crew.work(60 * given.minutes, pause_s=given.pause, operations=given.operations)
        tree.stop()
        crew.end()
        worked_s = time.monotonic() - started
        found = [*crew.failures, *_unexpected(crew.record), *wrongs(base, crew.record)]
        _print(crew.record, changes=tree.changes, worked_s=worked_s)
    for wrong in found:
        print(f"WRONG: {wrong}")
    print("all is well" if not found else f"{len(found)} wrong")
    return int(bool(found))


def _unexpected(record: Record) -> list[str]:
    found = [
        f"{number} x {error}"
        for error, number in record.errors.items()
        if not any(harmless in error for harmless in _HARMLESS)
    ]
    return [*found, f"locked: {record.locked}"] if record.locked else found


def _print(record: Record, *, changes: int, worked_s: float) -> None:
    total = sum(map(len, record.seconds.values()))
    print(f"{total:,} operations and {changes:,} changes of files in {worked_s:.0f} s")
    print("| operation | times | median s | longest s |\n|---|---|---|---|")
    for op, seconds in sorted(record.seconds.items()):
        ordered = sorted(seconds)
        median = ordered[len(ordered) // 2]
        print(f"| {op} | {len(ordered):,} | {median:.3f} | {ordered[-1]:.3f} |")
    kills = ", ".join(f"{role} {number}" for role, number in sorted(record.kills.items()))
    print(f"kill -9: {sum(record.kills.values())} ({kills})")
    states = list(record.texts.values())
    sure = ", ".join(f"{states.count(state)} {state}" for state in ("there", "gone", "unknown"))
    print(f"texts: {sure}; database is locked: {record.locked}")
    for error, number in sorted(record.errors.items()):
        print(f"error: {number} x {error}")


if __name__ == "__main__":
    sys.exit(main())
