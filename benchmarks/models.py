"""The speed and size of the local embedding models: `python -m benchmarks.models`.

Each measurement is a separate process. Rates on one core use processor time, which other work on
the machine disturbs less than the clock.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.harness.machine import machine, occasion
from benchmarks.harness.model_child import Worked
from benchmarks.harness.processes import ROOT, Finished, run
from benchmarks.harness.report import as_json, line, markdown, put_between_marks, table, write_json
from benchmarks.harness.values import Figure, spread
from benchmarks.inputs.writing import Writer

NAME = "models"
"""The name of the marks between which the documentation has the results."""

PAGE = ROOT / "docs" / "benchmarks.md"
TEXTS = {"static": 8192, "minilm": 512, "sentence_transformers": 192}
"""The local providers, and the default number of documents for each."""

_CHARS = 800
_QUESTIONS = 40
_STARTS = 3
_SEED = 20_240_229
_START = """
import sys
sys.path.insert(0, {root!r})
from benchmarks.harness.model_child import main
main({given!r})
"""
"""The path of this package, whatever else is installed under its name."""


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument(
        "--provider", action="append", choices=TEXTS, help="only this one (repeatable)"
    )
    parser.add_argument("--texts", type=int, metavar="N", help="documents for each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--markdown", action="store_true", help="also put the table into docs/benchmarks.md"
    )
    return parser.parse_args(given)


def documents(count: int) -> list[str]:
    """Different texts of exactly 800 characters, the same ones every time."""
    writer = Writer(_SEED)
    texts = []
    for _ in range(count):
        topic = writer.topic()
        text = writer.paragraph(topic)
        while len(text) < _CHARS:
            text = f"{text} {writer.sentence(topic)}"
        texts.append(text[:_CHARS])
    return texts


def questions(count: int) -> list[str]:
    """Different questions of about five words."""
    writer = Writer(_SEED + 1)
    return [writer.question(writer.paragraph(writer.topic())) for _ in range(count)]


def measure(provider: str, work: Path, *, texts: int) -> Iterator[Figure]:
    """All figures of one provider's default model."""
    asked = questions(_QUESTIONS)
    starts = [_one(provider, work, asked=asked, one_core=True) for _ in range(_STARTS + 1)][1:]
    yield from _starting(provider, starts)
    written = documents(texts)
    finished, worked = _one(provider, work, written=written, one_core=True)
    spent = worked.documents
    yield Figure(
        NAME,
        f"{provider}, documents, one core",
        texts / spent.cpu_s,
        "texts/s",
        beside=f"by time on a processor; by the clock {_rate(texts / spent.wall_s)}",
    )
    finished, worked = _one(provider, work, written=written)
    spent = worked.documents
    yield Figure(
        NAME,
        f"{provider}, documents, all cores",
        texts / spent.wall_s,
        "texts/s",
        beside=f"by the clock; a text takes {spent.cpu_s / texts * 1000:.3g} ms on processors",
    )
    yield _memory(f"{provider}, memory, {texts:,} documents", [finished])


def _starting(provider: str, starts: Sequence[tuple[Finished, Worked]]) -> Iterator[Figure]:
    """The cost of a process that only asks: loading, a question, memory."""
    loads = tuple(worked.load.wall_s * 1000 for _, worked in starts)
    busy = median(tuple(worked.load.cpu_s * 1000 for _, worked in starts))
    beside = f"{spread(loads, unit='ms')}; on a processor {busy:,.0f} ms"
    yield Figure(NAME, f"{provider}, loading", median(loads), "ms", beside=beside, raw=loads)
    asked = [one for _, worked in starts for one in worked.questions]
    times = tuple(one.cpu_s * 1000 for one in asked)
    clock = median(tuple(one.wall_s * 1000 for one in asked))
    beside = f"by time on a processor, median of {len(times)}; by the clock {clock:.3g}"
    yield Figure(NAME, f"{provider}, one question", median(times), "ms", beside=beside, raw=times)
    yield _memory(f"{provider}, memory, questions", [finished for finished, _ in starts])


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _memory(what: str, finished: Sequence[Finished]) -> Figure:
    peaks = tuple(one.peak_bytes / 1e6 for one in finished)
    return Figure(NAME, what, median(peaks), "MB", beside="peak, resident", raw=peaks)


def _one(
    provider: str,
    work: Path,
    *,
    asked: Sequence[str] = (),
    written: Sequence[str] = (),
    one_core: bool = False,
) -> tuple[Finished, Worked]:
    """One process, given these questions and documents."""
    given = work / "work.json"
    told = {"provider": provider, "questions": asked, "documents": written}
    given.write_text(json.dumps(told), encoding="utf-8")
    code = _START.format(root=str(ROOT), given=[str(given)])
    finished = run([sys.executable, "-c", code], home=work, one_core=one_core)
    return finished, Worked.from_json(finished.output.splitlines()[-1])


def main(given: Sequence[str]) -> None:
    """Run the requested measurements, and show them."""
    options = arguments(given)
    document = {**occasion(), "machine": machine()}
    figures = []
    with tempfile.TemporaryDirectory(prefix="mem-models-") as folder:
        for provider in options.provider or TEXTS:
            texts = options.texts or TEXTS[provider]
            for figure in measure(provider, Path(folder), texts=texts):
                print(line(figure), file=sys.stderr, flush=True)
                figures.append(figure)
    document["figures"] = [as_json(figure) for figure in figures]
    if options.json:
        write_json(options.json, document)
    print(table(figures))
    if options.markdown:
        put_between_marks(PAGE, markdown(document), name=NAME)


if __name__ == "__main__":
    main(sys.argv[1:])
