"""Measure distillation by rules: `python -m benchmarks.distillation --help`."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.distillation.labelled import FILES, read_labelled
from benchmarks.distillation.measuring import KINDS, Measured, measure


def main(given: Sequence[str]) -> None:
    """Print precision and recall of each file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distillation", description=__doc__)
    parser.add_argument(
        "--failures",
        action="store_true",
        help="list what was wrong and what was missed; nothing is shown of typed",
    )
    options = parser.parse_args(given)
    for name in FILES:
        measured = measure(read_labelled(name))
        print(table(name, measured), end="\n\n")
        if options.failures and name != "typed":
            print(*measured.failures, sep="\n", end="\n\n")


def table(name: str, done: Measured) -> str:
    """Return the figures of a file as a table of Markdown."""
    rows = [
        f"| {name} | right | wrong | missed | precision | recall |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for title, kinds in (*((kind, (kind,)) for kind in KINDS), ("all", KINDS)):
        counts = (sum(each[kind] for kind in kinds) for each in (done.right, done.wrong))
        right, wrong = counts
        missed = sum(done.missed[kind] for kind in kinds)
        shares = f"{done.precision(*kinds):.3f} | {done.recall(*kinds):.3f}"
        rows.append(f"| {title} | {right} | {wrong} | {missed} | {shares} |")
    details = (
        ("day right", done.due),
        ("person right", done.to),
        ("traps left alone", done.trapped),
    )
    rows += [f"{title}: {_share(counts, title)}" for title, counts in details]
    rows.append(f"turns read: {done.read['read']}, skipped: {done.read['skipped']}")
    rows += [f"lost, {step}: {number}" for step, number in sorted(done.lost.items())]
    rows.append(f"signals of other series, not looked for: {done.missed['other signal']}")
    return "\n".join(rows)


def _share(counts: Counter[bool], title: str) -> str:
    good = counts[False] if title.startswith("traps") else counts[True]
    return f"{good} of {counts.total()}"


if __name__ == "__main__":
    main(sys.argv[1:])
