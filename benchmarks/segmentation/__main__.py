"""Measure where episodes end: `python -m benchmarks.segmentation --help`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from math import fsum, inf
from pathlib import Path

from benchmarks.segmentation.agreement import Agreement, agreement
from benchmarks.segmentation.joined import Joined, halves, in_order, read_sessions, shuffled
from memory.episodes.cohesion import Messages, prepared
from memory.episodes.segmentation import Limits, Spoken, ends, window_ends
from providers import ProviderSettings, create

Divide = Callable[[Sequence[Spoken]], list[int]]


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.segmentation",
        description="Compare where episodes end with the known boundaries of joined conversations.",
    )
    parser.add_argument(
        "folder", type=Path, help="a collection: corpus.jsonl with groups and sessions"
    )
    parser.add_argument("--seeds", type=int, default=4, help="random orders of the pieces")
    parser.add_argument("--window", type=int, default=18, help="messages of a fixed window")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> None:
    """Measure both halves of a collection, and print a row for each."""
    options = arguments(given)
    model = create("static", ProviderSettings())

    def prepare(texts: Sequence[str]) -> Messages:
        return prepared(texts, model)

    limits = Limits()
    ways: dict[str, Divide] = {
        f"window of {options.window}": lambda messages: window_ends(
            messages, until_s=inf, size=options.window, limits=limits
        ),
        "topics": lambda messages: ends(messages, prepare, until_s=inf, limits=limits),
    }
    print("pieces            half  division          Pk    WindowDiff  boundaries")
    for half, conversations in enumerate(halves(read_sessions(options.folder)), start=1):
        pieces = {
            "shuffled": [shuffled(conversations, seed) for seed in range(options.seeds)],
            "sessions in order": list(in_order(conversations)),
        }
        for name, joined in pieces.items():
            for way, divide in ways.items():
                mean = mean_agreement(joined, divide)
                print(
                    f"{name:17} {half:5}  {way:15} {mean.pk:5.3f}  {mean.window_diff:10.3f}  "
                    f"{mean.boundaries:10.2f}"
                )


def mean_agreement(joined: Sequence[Joined], divide: Divide) -> Agreement:
    """Return the mean agreement over several joined conversations, said without a pause."""
    found = []
    for texts, boundaries in joined:
        messages = [Spoken(text, float(number)) for number, text in enumerate(texts)]
        inner = [end for end in divide(messages) if end < len(texts)]
        found.append(agreement(boundaries, inner, messages=len(texts)))
    return Agreement(*(fsum(column) / len(found) for column in zip(*found, strict=True)))


if __name__ == "__main__":
    main(sys.argv[1:])
