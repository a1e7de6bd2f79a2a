"""Run the benchmarks: `python -m benchmarks --help`."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.extraction import extraction
from benchmarks.harness.bench import Bench, Benchmark, work_folder
from benchmarks.harness.machine import machine, occasion
from benchmarks.harness.processes import ROOT
from benchmarks.harness.report import (
    as_json,
    figures_of,
    line,
    markdown,
    put_between_marks,
    table,
    write_json,
)
from benchmarks.harness.values import FULL, QUICK
from benchmarks.inputs.trees import trees
from benchmarks.measures.answering import answering
from benchmarks.measures.capturing import capturing
from benchmarks.measures.consolidation import absorbing
from benchmarks.measures.conversations import conversations
from benchmarks.measures.exactness import identifiers, recall
from benchmarks.measures.gc import collecting
from benchmarks.measures.histories import histories
from benchmarks.measures.indexing import indexing, unchanged
from benchmarks.measures.large_file import one_large_file
from benchmarks.measures.records import records
from benchmarks.measures.reindexing import reindexing
from benchmarks.measures.starting import cold_search, help_page
from benchmarks.measures.watching import watching

BENCHMARKS: dict[str, Benchmark] = {
    "help": help_page,
    "indexing": indexing,
    "unchanged": unchanged,
    "cold-search": cold_search,
    "server": answering,
    "identifiers": identifiers,
    "recall": recall,
    "reindex": reindexing,
    "large-file": one_large_file,
    "watching": watching,
    "trees": trees,
    "extraction": extraction,
    "conversations": conversations,
    "absorbing": absorbing,
    "collecting": collecting,
    "records": records,
    "import": histories,
    "capture": capturing,
}
"""Every benchmark by its name, in the order in which they run."""

SIZES = (10_000, 100_000)
QUICK_SIZES = (2_000,)
RESULTS = Path(__file__).parent / "results"
PAGE = ROOT / "docs" / "benchmarks.md"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, metavar="N,M", help="chunks, such as 10000,100000")
    parser.add_argument(
        "--only",
        action="append",
        choices=BENCHMARKS,
        metavar="NAME",
        help=f"run only this one (repeatable): {', '.join(BENCHMARKS)}",
    )
    parser.add_argument("--quick", action="store_true", help="2,000 chunks and few repetitions")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep texts and databases there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--from",
        type=Path,
        metavar="FILE",
        dest="earlier",
        help="show the figures of an earlier run without measuring",
    )
    parser.add_argument(
        "--markdown", action="store_true", help="also put the table into docs/benchmarks.md"
    )
    return parser.parse_args(given)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run the chosen benchmarks; return the document to write out."""
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    effort = QUICK if options.quick else FULL
    started = time.monotonic()
    document = {**occasion(), "machine": machine(), "sizes": sizes, "quick": options.quick}
    figures = []
    with work_folder(options.work, "mem-bench-") as work:
        bench = Bench(work, sizes, effort)
        for name in options.only or BENCHMARKS:
            for figure in BENCHMARKS[name](bench):
                print(line(figure), file=sys.stderr, flush=True)
                figures.append(as_json(figure))
    return {**document, "seconds": round(time.monotonic() - started, 1), "figures": figures}


def main(given: Sequence[str]) -> None:
    """Measure or read figures, and show them."""
    options = arguments(given)
    if options.earlier:
        document = json.loads(options.earlier.read_text(encoding="utf-8"))
    else:
        document = measure(options)
        stamp = document["date"][:19].replace(":", "")
        path = options.json or RESULTS / f"{stamp}-{document['commit']}.json"
        write_json(path, document)
        print(f"\n{path}  ({document['seconds']:.0f} s)\n", file=sys.stderr)
    print(table(figures_of(document)))
    if options.markdown:
        put_between_marks(PAGE, markdown(document))


if __name__ == "__main__":
    main(sys.argv[1:])
