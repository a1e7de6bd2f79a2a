"""Make the test set and ask its questions: `python -m benchmarks.identifiers --help`."""

import argparse
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.harness.bench import Bench
from benchmarks.harness.values import FULL
from benchmarks.identifiers.asking import Asked, ask_all, shares
from benchmarks.identifiers.questions import FORMS, TestSet, make_test_set
from benchmarks.identifiers.writing import digest, write

_OF_A_KIND = 30


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.identifiers", description=__doc__)
    parser.add_argument(
        "--of-a-kind", type=int, default=_OF_A_KIND, metavar="N", help="names of every kind"
    )
    parser.add_argument(
        "--one-of", type=int, default=1, metavar="N", help="take one of N documents of the library"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the test set and index there")
    parser.add_argument("--only-write", action="store_true", help="ask nothing")
    parser.add_argument("--missed", action="store_true", help="list what was not found")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> None:
    """Make the test set, write it, ask its questions, and print the table."""
    options = arguments(given)
    test_set = make_test_set(of_a_kind=options.of_a_kind, one_of=options.one_of)
    print(
        f"{len(test_set.documents)} documents, {len(test_set.questions)} questions, "
        f"digest {digest(test_set)}, Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory(prefix="mem-identifiers-") as scratch:
        folder = (options.out or Path(scratch)).resolve()
        files = write(test_set, folder)
        if not options.only_write:
            outcome = list(ask_all(Bench(folder, (), FULL), test_set.questions, files))
            print(table(test_set, outcome))
            if options.missed:
                print(missed(outcome))


def table(test_set: TestSet, outcome: Sequence[Asked]) -> str:
    """The share found of every kind in every form, and of all."""
    found = shares(outcome, lambda question: (question.kind, question.form))
    kinds = dict.fromkeys(question.kind for question in test_set.questions)
    lines = ["  ".join((f"{'kind':22}", *(f"{form:>21}" for form in FORMS)))]
    lines += [_line(kind, {form: found.get((kind, form)) for form in FORMS}) for kind in kinds]
    in_all = shares(outcome, lambda question: ("", question.form))
    lines.append(_line("all", {form: in_all.get(("", form)) for form in FORMS}))
    return "\n".join(lines)


def _line(kind: str, found: Mapping[str, tuple[int, int] | None]) -> str:
    cells = (
        f"{counts[0] / counts[1]:.3f} of {counts[1]}" if counts else "" for counts in found.values()
    )
    return "  ".join((f"{kind:22}", *(f"{cell:>21}" for cell in cells))).rstrip()


def missed(outcome: Sequence[Asked]) -> str:
    """The questions whose name was not found, with the name."""
    return "\n".join(
        f"{item.question.form}: {item.question.query!r} ({item.question.names[0]})"
        for item in outcome
        if not item.is_found
    )


if __name__ == "__main__":
    main(sys.argv[1:])
