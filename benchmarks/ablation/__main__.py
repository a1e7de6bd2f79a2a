"""Switch off one part after another: `python -m benchmarks.ablation DATA... --work DIR`.

Each DATA is a folder in BEIR layout. Results and databases are kept in DIR, so that collections and
models can be measured one after the other; the tables show all of them.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from benchmarks.ablation.measuring import Subject
from benchmarks.ablation.report import NAME, Result, confidence, markdown, results_of
from benchmarks.ablation.variants import VARIANTS, Variant
from benchmarks.harness.machine import occasion
from benchmarks.harness.processes import ROOT
from benchmarks.harness.report import put_between_marks, write_json
from benchmarks.quality.beir import read_judged

PROVIDERS = ("static", "minilm", "sentence_transformers")
PAGE = ROOT / "docs" / "ablation.md"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("data", nargs="*", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keep all there")
    parser.add_argument("--provider", choices=PROVIDERS, default=PROVIDERS[0])
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="a variant beside the default (repeatable)"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="also put the tables into docs/ablation.md"
    )
    return parser.parse_args(given)


def ablate(
    folder: Path, work: Path, *, provider: str, variants: Sequence[Variant]
) -> Iterator[Result]:
    """Every variant's result on one collection; the first variant is the one compared with.

    Other sizes of chunks are left out for a model that takes hours to embed a collection.
    """
    judged = read_judged(folder)
    below = work / judged.name / provider
    below.mkdir(parents=True, exist_ok=True)
    subject = Subject(judged, below, provider=provider)
    default: list[float] = []
    for variant in variants:
        if variant.chunk_size is not None and provider != PROVIDERS[0]:
            continue
        gains = subject.gains(variant)
        default = default or gains
        low, high = confidence(gains, default)
        ndcg, difference = fmean(gains), fmean(gains) - fmean(default)
        place = (judged.name, subject.model, variant.name)
        print(*place, f"{ndcg:.4f} {difference:+.4f}", file=sys.stderr, flush=True)
        yield Result(*place, len(gains), ndcg, difference, low, high)
    subject.close()


def main(given: Sequence[str]) -> None:
    """Run the requested measurements, and show all results so far."""
    options = arguments(given)
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "ablation.json"
    chosen = [
        variant
        for variant in VARIANTS
        if variant is VARIANTS[0] or options.only is None or variant.name in options.only
    ]
    for folder in options.data:
        results = list(
            ablate(folder, options.work.resolve(), provider=options.provider, variants=chosen)
        )
        known = results_of(kept) if kept.exists() else []
        places = {one.place for one in results}
        merged = [*(one for one in known if one.place not in places), *results]
        write_json(kept, {**occasion(), "results": [one.as_json() for one in merged]})
    shown = markdown(json.loads(kept.read_text(encoding="utf-8")), results_of(kept))
    print(shown)
    if options.markdown:
        put_between_marks(PAGE, shown, name=NAME)


if __name__ == "__main__":
    main(sys.argv[1:])
