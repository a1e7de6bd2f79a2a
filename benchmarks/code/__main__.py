"""Judge the search of source code: `python -m benchmarks.code SDIST... --work DIR`.

The archives are source distributions, as `pip download --no-deps --no-binary :all: requests rich
flask` fetches them. They and the standard library of this Python are copied without docstrings,
indexed, and asked.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.code.material import Defined, copy_library, copy_sdist, definitions
from benchmarks.code.questions import CodeQuestion, named, paraphrased, places
from benchmarks.harness.report import markdown_rows
from benchmarks.quality.making import open_database, sync_all
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResult
from memory.workspace import Workspace

DEPTH = 10


def rank(hits: Sequence[SearchResult], answers: Sequence[Defined], *, whole: bool) -> int:
    """The place, from 1, of the first hit in which one of these definitions begins; 0: none.

    With `whole`, a hit anywhere in the definition counts.
    """
    for place, hit in enumerate(hits, start=1):
        for item in answers:
            first, last = hit.start_line or 0, hit.end_line or 0
            end = item.last_line if whole else item.first_line
            if hit.file_path == str(item.path) and first <= end and item.first_line <= last:
                return place
    return 0


def is_test(hit: SearchResult) -> bool:
    """Return whether a hit is from a test of one of the packages."""
    parts = Path(hit.file_path or "").parts
    return "tests" in parts or parts[-1].startswith(("test_", "conftest"))


def asked(workspace: Workspace, text: str) -> list[SearchResult]:
    """The hits of a question with default settings."""
    options = default_options(workspace.config.search)
    return search(workspace, text, replace(options, max_results=DEPTH)).results


def judged(
    workspace: Workspace, questions: Sequence[CodeQuestion], *, whole: bool, shown: bool
) -> list[int]:
    """The rank of the answer to each question; those not first are shown on request."""
    ranks = []
    for question in questions:
        hits = asked(workspace, question.text)
        ranks.append(rank(hits, question.answers, whole=whole))
        if shown and ranks[-1] != 1:
            print(ranks[-1], question.text, file=sys.stderr)
    return ranks


def row(name: str, ranks: Sequence[int]) -> tuple[str, ...]:
    """A row of the table: the shares of answers at rank 1, in three and in ten."""
    shares = [sum(0 < rank <= most for rank in ranks) / len(ranks) for most in (1, 3, DEPTH)]
    return (name, str(len(ranks)), *(f"{share:.3f}" for share in shares))


def main(given: Sequence[str]) -> None:
    """Copy, index, ask, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code", description=__doc__)
    parser.add_argument("sdist", nargs="+", type=Path, metavar="SDIST", help="archives (.tar.gz)")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument("--provider", default="static", help="embedding model")
    parser.add_argument("--misses", action="store_true", help="show what is not first")
    options = parser.parse_args(given)
    work = options.work.resolve()
    sources, packages = work / "all", work / "packages"
    if not sources.exists():
        copy_library(sources)
        for archive in options.sdist:
            copy_sdist(archive, sources)
            copy_sdist(archive, packages)
    rows = [("questions", "number", "rank 1", "in 3", "in 10"), ("---", *["---:"] * 4)]
    found = definitions(sources)
    with open_database(work / f"all-{options.provider}.db", provider=options.provider) as opened:
        sync_all(opened, sources)
        by_name = judged(opened, named(found), whole=False, shown=options.misses)
        by_purpose = judged(opened, paraphrased(found), whole=True, shown=options.misses)
        rows += [row("names", by_name), row("what functions do", by_purpose)]
    with open_database(work / f"some-{options.provider}.db", provider=options.provider) as opened:
        sync_all(opened, packages)
        firsts = [asked(opened, text)[:1] for text in places()]
        source = sum(1 for hits in firsts if hits and not is_test(hits[0])) / len(firsts)
    print(markdown_rows(rows))
    print(f"\nfirst hit of {len(firsts)} questions for a place is not a test: {source:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
