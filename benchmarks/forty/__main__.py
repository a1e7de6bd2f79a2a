"""Ask forty questions: `python -m benchmarks.forty SDIST... --python-docs DIR --work DIR`.

The archives are those that `pip download --no-deps --no-binary :all: django flask requests rich`
fetches; DIR has the HTML pages of Python's documentation. `--mem` names the `mem` of another
version; with several, each gets a column.
"""

import argparse
import csv
import fnmatch
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.forty.material import make_folder
from benchmarks.harness.processes import mem_command, run
from benchmarks.harness.report import markdown_rows

DEPTH = 10
NOTHING = "-"
"""The place of a question without an answer: every hit must be weak."""

QUESTIONS = Path(__file__).parent / "questions.tsv"
"""The forty. `forms.tsv` beside it has those for `search.ranking.question_form`, and
`forms_held_out.tsv` those that were asked after its weights were set.
"""


class FortyQuestion(NamedTuple):
    """A question: its kind, the patterns of the files that answer it, and words of the answer."""

    kind: str
    text: str
    places: tuple[str, ...]
    words: str


class Answered(NamedTuple):
    """The rank of the answer, 0 without one; the word of the first hit; processor time in ms."""

    rank: int
    word: str
    cpu_ms: float


def questions(file: Path = QUESTIONS) -> list[FortyQuestion]:
    """The written questions, in order."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            FortyQuestion(
                row["kind"], row["question"], tuple(row["places"].split("|")), row["words"]
            )
            for row in rows
        ]


def judge(question: FortyQuestion, answer: dict[str, Any], folder: Path) -> tuple[int, str]:
    """The rank of the first hit that answers, and the confidence in the first hit.

    A hit answers if it is from one of the files and holds the words. Where there is nothing to
    find, an answer whose hits are all weak is right, and has rank 1.
    """
    hits = answer["results"]
    words = [str(hit.get("confidence", "")) for hit in hits]
    is_weak = answer["weak"] or all(word == "weak" for word in words)
    first = "nothing" if not hits else "weak" if answer["weak"] else words[0]
    if NOTHING in question.places and is_weak:
        return 1, first
    for rank, hit in enumerate(hits, start=1):
        path = Path(hit["file_path"] or "")
        place = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""
        is_place = any(fnmatch.fnmatchcase(place, pattern) for pattern in question.places)
        if is_place and question.words.lower() in hit["text"].lower():
            return rank, first
    return 0, first


def asked(
    mem: Sequence[str],
    work: Path,
    folder: Path,
    *,
    number: int,
    asking: Sequence[FortyQuestion],
) -> Iterator[Answered]:
    """Index the folder with this program and ask it everything."""
    database = work / f"forty-{number}.db"
    if not database.exists():
        run([*mem, "--db", str(database), "sync", str(folder)], home=work)
    for question in asking:
        command = [*mem, "--db", str(database), "--json", "search", "-k", str(DEPTH)]
        finished = run([*command, "--", question.text], home=work)
        answer = json.loads(finished.output.splitlines()[-1])
        rank, word = judge(question, answer, folder)
        yield Answered(rank, word, finished.cpu_seconds * 1000)


def table(
    asking: Sequence[FortyQuestion], found: Sequence[Sequence[Answered]]
) -> Iterator[tuple[str, ...]]:
    """A row for each question, with the ranks by each program and the word of the last."""
    programs = range(1, len(found) + 1)
    yield ("kind", "question", *(f"rank {number}" for number in programs), "first hit", "ms")
    yield ("---", "---", *["---:"] * len(found), "---", "---:")
    for question, answers in zip(asking, zip(*found, strict=True), strict=True):
        ranks = [str(one.rank or NOTHING) for one in answers]
        last = answers[-1]
        yield (question.kind, question.text, *ranks, last.word, f"{last.cpu_ms:.0f}")


def totals(answers: Sequence[Answered]) -> str:
    """The number of answers at rank 1, in three and in ten."""
    counts = [sum(0 < one.rank <= most for one in answers) for most in (1, 3, DEPTH)]
    return "{} at rank 1, {} in three, {} in ten, of {}".format(*counts, len(answers))


def main(given: Sequence[str]) -> None:
    """Make the folder, ask every program, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forty", description=__doc__)
    parser.add_argument("sdist", nargs="+", type=Path, metavar="SDIST", help="archives (.tar.gz)")
    parser.add_argument("--python-docs", type=Path, metavar="DIR", help="Python's documentation")
    parser.add_argument("--mem", action="append", metavar="CMD", help="another mem; repeatable")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument(
        "--questions", type=Path, default=QUESTIONS, metavar="FILE", help="instead of the forty"
    )
    options = parser.parse_args(given)
    work = options.work.resolve()
    folder = work / "folder"
    if not folder.exists():
        make_folder(folder, options.sdist, options.python_docs)
    programs = [shlex.split(one) for one in options.mem or ()] or [mem_command()]
    asking = questions(options.questions)
    found = [
        list(asked(program, work, folder, number=number, asking=asking))
        for number, program in enumerate(programs, start=1)
    ]
    print(markdown_rows(table(asking, found)))
    for number, answers in enumerate(found, start=1):
        print(f"\n{number}: {totals(answers)}")
        for kind in dict.fromkeys(question.kind for question in asking):
            of_kind = zip(asking, answers, strict=True)
            print(f"   {kind}: {totals([one for each, one in of_kind if each.kind == kind])}")


if __name__ == "__main__":
    main(sys.argv[1:])
