"""`mem bench`: how well the index answers questions whose answers are known."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import counted, note, print_json, shown, table, warn
from contracts import InputError
from memory.operations.question_sets.measuring import CUTOFFS, DEPTH, Measurement, measure
from memory.operations.question_sets.reading import read_questions
from search.options import MODES, Mode

_MOST_SHOWN = 10


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--mode",
    "modes",
    multiple=True,
    type=click.Choice(MODES),
    help="Only by words, by meaning, or both; repeatable (all three by default).",
)
@click.option(
    "--before",
    type=click.Path(path_type=Path),
    metavar="JSON",
    help="Compare with an earlier answer of `mem bench FILE --json`.",
)
@pass_context
def bench(context: CliContext, *, file: Path, modes: tuple[Mode, ...], before: Path | None) -> None:
    """Count how many of your own questions find their answers.

    FILE has a question a line, then a tab and the path, folder or citation of the answer, or
    several with tabs between them. Relative paths start at the working directory. Recall at k is
    the share of the places among the first k results, MRR the mean of 1 / rank of the first.
    To see what a setting changes: mem bench FILE --json > before.json, change it, then mem bench
    FILE --before before.json.
    """
    questions = read_questions(file)
    former = None if before is None else _read_figures(before)
    with context.open_workspace() as workspace:
        found = measure(workspace, questions, list(dict.fromkeys(modes or MODES)))
    figures = _figures(found)
    if context.json:
        print_json(figures)
    else:
        _print(found, figures, former)
    for line, place in found.unknown[:_MOST_SHOWN]:
        warn(f"line {line}: nothing indexed is called {place!r}, so that it cannot be found")
    if len(found.unknown) > _MOST_SHOWN:
        warn(f"{len(found.unknown) - _MOST_SHOWN:,} more places name nothing indexed")
    for warning in found.warnings:
        warn(warning)


def _figures(found: Measurement) -> dict[str, Any]:
    """The measurement as JSON, which `--before` reads again."""
    modes = {
        mode: {
            "recall": {str(k): round(share, 4) for k, share in one.recall.items()},
            "mrr": round(one.mrr, 4),
            "median_ms": one.median_ms,
        }
        for mode, one in found.modes.items()
    }
    questions = [
        {
            "line": question.line,
            "question": question.text,
            "places": list(question.places),
            "ranks": {mode: one.ranks[index] for mode, one in found.modes.items()},
        }
        for index, question in enumerate(found.questions)
    ]
    return {"model": found.model, "modes": modes, "questions": questions}


def _read_figures(path: Path) -> Mapping[str, Any]:
    hint = "name a file that `mem bench FILE --json` printed"
    try:
        figures = json.loads(path.read_text("utf-8"))
        _rows(figures, "before")
        _first_ranks(figures)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", hint=hint) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path} is not an answer of mem bench", hint=hint) from error
    return figures  # type: ignore[no-any-return]


def _print(
    found: Measurement, figures: Mapping[str, Any], former: Mapping[str, Any] | None
) -> None:
    head = ("mode", "model", *(f"recall@{k}" for k in CUTOFFS), "MRR", "median")
    rows = _rows(figures, "")
    if former is not None:
        rows = [*_rows(former, "before"), *_rows(figures, "now")]
    first, *lines = table(
        [head, *(tuple(map(shown, row)) for row in rows)], right=frozenset(range(2, len(head)))
    )
    click.echo("\n".join([click.style(first, dim=True), *lines]))
    if former is not None:
        _print_changes(figures, former)
    _print_missed(found)
    note(counted(len(found.questions), "question"))


def _rows(figures: Mapping[str, Any], when: str) -> list[tuple[str, ...]]:
    return [
        (
            f"{mode}, {when}" if when else mode,
            "-" if mode == "keyword" else str(figures["model"] or "-"),
            *(f"{one['recall'][str(k)]:.3f}" for k in CUTOFFS),
            f"{one['mrr']:.3f}",
            f"{one['median_ms']:.1f} ms",
        )
        for mode, one in figures["modes"].items()
    ]


def _first_ranks(figures: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """The rank of the first place by mode and question, past the last where there is none."""
    return {
        (mode, one["question"]): min((rank for rank in ranks if rank), default=DEPTH + 1)
        for one in figures["questions"]
        for mode, ranks in one["ranks"].items()
    }


def _print_changes(figures: Mapping[str, Any], former: Mapping[str, Any]) -> None:
    now, then = _first_ranks(figures), _first_ranks(former)
    for mode in figures["modes"]:
        both = [key for key in now if key[0] == mode and key in then]
        worse = [key for key in both if now[key] > then[key]]
        better = sum(now[key] < then[key] for key in both)
        click.echo(f"{mode}: {better:,} better, {len(worse):,} worse of {len(both):,}")
        for key in worse[:_MOST_SHOWN]:
            click.echo(f"    {_rank(then[key])} -> {_rank(now[key])}  {shown(key[1])}")


def _rank(rank: int) -> str:
    return f"{rank:>2}" if rank <= DEPTH else " -"


def _print_missed(found: Measurement) -> None:
    """Print the questions whose answer no mode has among the first results."""
    missed = [
        question
        for index, question in enumerate(found.questions)
        if not any(any(one.ranks[index]) for one in found.modes.values())
    ]
    if missed:
        click.echo(f"not among the first {DEPTH}:")
    for question in missed[:_MOST_SHOWN]:
        click.echo(f"    line {question.line}: {shown(question.text)}")
    if len(missed) > _MOST_SHOWN:
        click.echo(f"    and {len(missed) - _MOST_SHOWN:,} more (--json has all)")
