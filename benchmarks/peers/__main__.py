"""Compare with peers on this machine: `python -m benchmarks.peers --help`."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness.bench import Bench, work_folder
from benchmarks.harness.machine import machine, occasion
from benchmarks.harness.processes import ROOT
from benchmarks.harness.report import put_between_marks, write_json
from benchmarks.harness.values import FULL, QUICK
from benchmarks.peers.chart import picture
from benchmarks.peers.environments import PACKAGES
from benchmarks.peers.material import make_material
from benchmarks.peers.measuring import OURS, measure, modes_of
from benchmarks.peers.ours import measure_ours, sync_cost
from benchmarks.peers.outcome import PeerOutcome
from benchmarks.peers.report import NAME, markdown, outcomes_of, table

CHUNKS = 100_000
OURS_ALONE = 1_000_000
QUICK_CHUNKS = 5_000
ENGINES = (OURS, *PACKAGES)
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "images" / "peers.svg"
RESULTS = ROOT / "benchmarks" / "results"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep everything there")
    parser.add_argument("--chunks", type=int, metavar="N", help=f"for all engines ({CHUNKS:,})")
    parser.add_argument(
        "--ours-alone", type=int, metavar="N", help=f"more for ours ({OURS_ALONE:,}; 0: none)"
    )
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_CHUNKS:,} chunks, few runs")
    parser.add_argument(
        "--only",
        action="append",
        choices=("mem", *ENGINES),
        metavar="NAME",
        help=f"only this engine (repeatable): mem, {', '.join(ENGINES)}",
    )
    parser.add_argument("--fresh", action="store_true", help="sync into new databases again")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--from", type=Path, metavar="FILE", dest="earlier", help="show an earlier run again"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="put tables and picture into docs/benchmarks.md"
    )
    return parser.parse_args(given)


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Run the chosen engines; return the document to write out."""
    chunks = options.chunks or (QUICK_CHUNKS if options.quick else CHUNKS)
    alone = options.ours_alone
    if alone is None:
        alone = 0 if options.quick or options.chunks else OURS_ALONE
    effort = QUICK if options.quick else FULL
    started = time.monotonic()
    document = {**occasion(), "machine": machine(), "quick": options.quick}
    outcomes = []
    with work_folder(options.work, "mem-peers-") as work:
        bench = Bench(work, (chunks,), effort)
        for one in _outcomes(bench, options, chunks=chunks, alone=alone):
            print(table([one]).splitlines()[-1], file=sys.stderr, flush=True)
            outcomes.append(one.as_json())
    return {**document, "seconds": round(time.monotonic() - started, 1), "outcomes": outcomes}


def _outcomes(
    bench: Bench, options: argparse.Namespace, *, chunks: int, alone: int
) -> Iterator[PeerOutcome]:
    engines = options.only or ("mem", *ENGINES)
    cost = sync_cost(bench, chunks=chunks, fresh=options.fresh)
    material = make_material(bench, chunks=chunks, for_peers=set(engines) != {"mem"})
    if "mem" in engines:
        yield from measure_ours(bench, material, cost)
    for name in ENGINES:
        for mode, settings in modes_of(name).items() if name in engines else ():
            yield measure(bench, material, name=name, mode=mode, settings=settings)
    if alone and "mem" in engines:
        cost = sync_cost(bench, chunks=alone, fresh=options.fresh)
        yield from measure_ours(bench, make_material(bench, chunks=alone, for_peers=False), cost)


def main(given: Sequence[str]) -> None:
    """Measure or read a comparison, and show it."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False"}
    options = arguments(given)
    if options.earlier:
        document = json.loads(options.earlier.read_text(encoding="utf-8"))
    else:
        document = compare(options)
        stamp = document["date"][:19].replace(":", "")
        path = options.json or RESULTS / f"peers-{stamp}-{document['commit']}.json"
        write_json(path, document)
        print(f"\n{path}  ({document['seconds']:.0f} s)\n", file=sys.stderr)
    shown = markdown(document)
    print(shown)
    if options.markdown:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(picture(outcomes_of(document)), encoding="utf-8")
        put_between_marks(PAGE, shown, name=NAME)


if __name__ == "__main__":
    main(sys.argv[1:])
