"""Measure the rules on the labelled turns: `python -m benchmarks.extraction --help`."""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.extraction.believing import failures as wrongly_judged
from benchmarks.extraction.believing import table as table_of_claims
from benchmarks.extraction.judging import Judged
from benchmarks.extraction.labelled import FILES, LANGUAGES, PAIRS, READ, read_labelled
from benchmarks.extraction.measuring import Measured, measure


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__)
    parser.add_argument(
        "--failures",
        choices=["core", "dev", "taken_back", *LANGUAGES],
        metavar="FILE",
        help="list what was wrong and what was missed in core, dev, taken_back, or the first turns "
        "of a language; of the turns held out nothing is shown",
    )
    return parser.parse_args(given)


def main(given: Sequence[str]) -> None:
    """Measure each file and the claims, and print their tables; of a language, also that of the
    turns that nobody read.
    """
    options = arguments(given)
    for name in (*FILES, *PAIRS, *LANGUAGES):
        turns = read_labelled(name)
        measured = measure(turns)
        print(table(name, measured), end="\n\n")
        if name in LANGUAGES:
            print(table(f"{name}, unread", measure(turns[READ:])), end="\n\n")
        if options.failures == name:
            shown = measured.judged[: READ if name in LANGUAGES else None]
            print(*(failure(one) for one in shown if one.wrong or one.missed), sep="\n")
    print(table_of_claims())
    if options.failures:
        print(*wrongly_judged(), sep="\n")


def table(name: str, measured: Measured) -> str:
    """Totals, then by language, by kind of fact, and wrong ones by the reason of an empty label."""
    counts = measured.counts
    lines = [
        f"{name}: precision {counts.precision:.3f} ({counts.right} of {counts.told}), "
        f"recall {counts.recall:.3f} ({counts.found} of {counts.required}), "
        f"{measured.wrong_ends} wrong ends, "
        f"{measured.false_positives:.1f} wrong per 100 turns without a fact, "
        f"{measured.turns_per_s:,.0f} turns/s"
    ]
    lines += [
        f"  {language:10} precision {of.precision:.2f} of {of.told:3}, "
        f"recall {of.recall:.2f} of {of.required:3}"
        for language, of in measured.by_language().items()
    ]
    lines += [
        f"  {kind:10} recall {found / required:.2f} of {required}"
        for kind, (found, required) in measured.recall_by_kind().items()
    ]
    reasons = measured.wrong_by(lambda one: one.turn.why or "a turn with facts")
    lines += [f"  wrong, {reason}: {wrong}" for reason, wrong in reasons.items()]
    return "\n".join(lines)


def failure(judged: Judged) -> str:
    """A turn with its errors."""
    utterance = judged.turn.utterance
    who = f"{utterance.speaker}: " if utterance.speaker else ""
    return "\n".join(
        (
            f"{who}{utterance.text}",
            *(f"    wrong {one.action} {one.content!r} ({one.rule})" for one in judged.wrong),
            *(f"    missed {fact.action} {fact.content!r}" for fact in judged.missed),
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
