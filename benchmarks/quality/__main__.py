"""Judge the answers: `python -m benchmarks.quality DATA... --work DIR`.

Each DATA is a folder in BEIR layout. Results are kept in DIR beside the databases, so that
collections and models can be measured one after the other; the table shows all of them.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.harness.machine import occasion
from benchmarks.harness.processes import ROOT
from benchmarks.harness.report import put_between_marks, write_json
from benchmarks.quality.baselines import bm25_rankings, tokeniser
from benchmarks.quality.beir import Judged, read_judged
from benchmarks.quality.measures import mean, score
from benchmarks.quality.ours import Indexed
from benchmarks.quality.report import NAME, Result, markdown, results_of
from contracts import install_hint

BM25 = "BM25"
DENSE = "model alone"
PROVIDERS = ("static", "minilm", "sentence_transformers")
PAGE = ROOT / "docs" / "benchmarks.md"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("data", nargs="*", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument(
        "--provider", action="append", choices=PROVIDERS, help="embedding model (repeatable)"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="also put the table into docs/benchmarks.md"
    )
    return parser.parse_args(given)


def judge(judged: Judged, work: Path, *, provider: str) -> Iterator[Result]:
    """All measurements of one collection with one model."""
    about = tokeniser(judged)
    if find_spec("bm25s") is None:
        print(f"BM25 is left out: {install_hint('bench')}", file=sys.stderr)
    else:
        yield _result(judged, BM25, about, bm25_rankings(judged))
    folder = work / judged.name / provider
    folder.mkdir(parents=True, exist_ok=True)
    indexed = Indexed(judged, folder, provider=provider)
    try:
        yield _result(judged, DENSE, indexed.model, indexed.dense_rankings())
        yield _result(judged, "keyword", "", indexed.rankings("keyword"))
        yield _result(judged, "vector", indexed.model, indexed.rankings("vector"))
        yield _result(judged, "hybrid", indexed.model, indexed.rankings("hybrid"))
    finally:
        indexed.close()


def _result(judged: Judged, system: str, about: str, rankings: Iterator[list[str]]) -> Result:
    asked = zip(judged.questions, rankings, strict=True)
    found = mean([score(ranked, question.relevant) for question, ranked in asked])
    sizes = (len(judged.documents), len(judged.questions))
    result = Result(judged.name, system, about, *sizes, found.ndcg, found.recall, found.mrr)
    print(f"{judged.name} {system} {about}: {found.ndcg:.4f}", file=sys.stderr, flush=True)
    return result


def main(given: Sequence[str]) -> None:
    """Run the requested measurements, and show all results so far."""
    options = arguments(given)
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "results.json"
    for folder in options.data:
        judged = read_judged(folder)
        for provider in options.provider or PROVIDERS[:1]:
            results = list(judge(judged, options.work.resolve(), provider=provider))
            known = results_of(kept) if kept.exists() else []
            places = {one.place for one in results}
            merged = [*(one for one in known if one.place not in places), *results]
            written = [one.as_json() for one in merged]
            write_json(kept, {**occasion(), "results": written})
    document = json.loads(kept.read_text(encoding="utf-8"))
    shown = markdown(document, results_of(kept))
    print(shown)
    if options.markdown:
        put_between_marks(PAGE, shown, name=NAME)


if __name__ == "__main__":
    main(sys.argv[1:])
