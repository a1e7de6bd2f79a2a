"""Make the static model: `python -m tools.static_model --pairs PAIRS --work DIR --out DIR`.

Needs the extra `distil` and about ten minutes on one core. `--work` keeps the exported teacher and
its answers, so that a second run takes two to four minutes.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from providers.static_model.table import REVISION, SCALES, TABLE, VOCABULARY
from providers.static_model.vocabulary import format_vocabulary
from providers.static_model.wordpiece import UNKNOWN, WordPiece
from tools.static_model.fit import basis, mean_matrix, ridge, start
from tools.static_model.quantise import pack, quantise, revision_of
from tools.static_model.teacher import Teacher
from tools.static_model.texts import Pair, cut_pieces, load_pairs
from tools.static_model.tune import Texts, tune
from tools.static_model.vocabulary import reachable

Floats = NDArray[np.float32]

DIMENSIONS = 256
SEED = 4
PIECES = 115_000
LONGEST_TEXT = 256
"""Tokens of a pair's text that are used; the teacher reads no more either."""


def main() -> None:
    """Run the steps: texts, teacher, basis, ridge regression, fine-tuning, four bits, files."""
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    report = _reporter()
    pairs = load_pairs(options.pairs)
    pieces = cut_pieces(pairs, count=options.pieces, seed=options.seed)
    report(f"{len(pairs)} pairs, {len(pieces)} pieces")
    teacher = Teacher(options.work)
    entries = teacher.vocabulary()
    kept = reachable(entries)
    vocabulary = [entries[index] for index in kept]
    stamp = f"{options.pieces}-{options.seed}"
    targets = _kept(options.work / f"teacher-{stamp}.npy", lambda: teacher.embed(pieces, report))
    raw = _kept(options.work / f"raw-{len(kept)}.npy", lambda: teacher.token_rows(kept, report))
    projection = _kept(options.work / f"basis-{stamp}.npy", lambda: basis(targets, DIMENSIONS))
    table = _learn(
        WordPiece({entry: index for index, entry in enumerate(vocabulary)}),
        initial=start(raw, projection, np.array(kept)),
        pieces=(pieces, np.ascontiguousarray(targets @ projection)),
        pairs=pairs,
        seed=options.seed,
        report=report,
    )
    np.save(options.work / "table.npy", table)
    table[vocabulary.index(UNKNOWN)] = 0
    _write(options.out, table, vocabulary)
    report(f"written to {options.out}")


def _learn(
    tokenizer: WordPiece,
    *,
    initial: Floats,
    pieces: tuple[list[str], Floats],
    pairs: list[Pair],
    seed: int,
    report: Callable[[str], None],
) -> Floats:
    texts, targets = pieces
    ids = [tokenizer.ids(text) for text in texts]
    filled = [index for index, one in enumerate(ids) if one]
    ids, targets = [ids[index] for index in filled], targets[filled]
    table = ridge(mean_matrix(ids, len(initial)), targets, initial)
    report("ridge regression done")
    sides = [
        (tokenizer.ids(left)[:LONGEST_TEXT], tokenizer.ids(right)[:LONGEST_TEXT])
        for left, right in pairs
    ]
    sides = [(left, right) for left, right in sides if left and right]
    report("pairs tokenised")
    return tune(
        table,
        (Texts.of([left for left, _ in sides]), Texts.of([right for _, right in sides])),
        (Texts.of(ids), targets),
        seed=seed,
        report=report,
    )


def _write(folder: Path, table: Floats, vocabulary: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    nibbles, scales = quantise(table)
    (folder / TABLE).write_bytes(pack(nibbles))
    (folder / SCALES).write_bytes(scales.astype("<f2").tobytes())
    (folder / VOCABULARY).write_bytes(format_vocabulary(vocabulary))
    (folder / REVISION).write_text(revision_of(folder) + "\n", encoding="utf-8", newline="\n")


def _kept(path: Path, make: Callable[[], Floats]) -> Floats:
    """The array of an earlier run, or a new one that is kept for the next."""
    if not path.exists():
        np.save(path, make())
    array: Floats = np.load(path)
    return array


def _reporter() -> Callable[[str], None]:
    begun = time.monotonic()
    return lambda line: print(f"{time.monotonic() - begun:6.0f} s  {line}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.static_model", description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="JSON lines, xz-compressed")
    parser.add_argument("--work", type=Path, required=True, help="folder for intermediate arrays")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--pieces", type=int, default=PIECES, help="texts the teacher embeds")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser.parse_args()


if __name__ == "__main__":
    main()
