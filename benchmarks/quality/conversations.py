"""Judge searches in conversations: `python -m benchmarks.quality.conversations DATA...`.

Each DATA is a collection in BEIR layout whose rows carry a `group`, one conversation each. Every
conversation becomes a database in memory; its rows are stored as turns, with role, speaker and time
if the row has them, and its questions are asked of that database: of its turns in each mode, in the
row `mixed` of everything, after the rules have made memories of it, and in the row `records` of all
of that and of records that agents state of every tenth turn of it and of another one. Beside the
mean over all questions are those over the first and the second half of the conversations, for
checking chosen constants.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, NamedTuple, TypeAlias

from benchmarks.harness.machine import occasion
from benchmarks.quality.beir import Question, read_judgements, rows
from benchmarks.quality.making import database_in_memory
from benchmarks.quality.measures import AT, Score, mean, score
from contracts import Scope
from memory.conversations.pipeline import extract_unprocessed
from memory.conversations.turns.adding import MOST_TURNS, add_turns
from memory.conversations.turns.kind import TURN
from memory.conversations.turns.values import ROLES, NewTurn
from memory.index.indexing import embed_missing
from memory.records.facts import NewFact, write_fact
from memory.records.open_loops import NewOpenLoop, write_open_loop
from memory.records.patterns import NewPattern, write_pattern
from memory.records.signals import NewSignal, write_signal
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResult
from memory.workspace import Workspace
from search.options import MODES, Mode

_DEPTH = 4 * AT
_FIRST = 5
"""The results that a reader looks at."""

Row: TypeAlias = Mode | Literal["mixed", "records"]
"""A mode, asked of turns alone, or a hybrid search of everything without and with records."""

ROWS: tuple[Row, ...] = (*MODES, "mixed", "records")
_STATED_EVERY = 10
"""The turns, here and in another conversation, of which records are stated."""

_STATED_WORDS = 12


class Answered(NamedTuple):
    """The scores of one question; `is_shown`: a turn that answers it is among the first results, as
    a result or named in one.
    """

    score: Score
    is_shown: bool


def judge(data: Path, *, provider: str, modes: Sequence[Row]) -> dict[Row, list[list[Answered]]]:
    """The scores of every question, by row and conversation."""
    said: dict[str, list[dict[str, Any]]] = {}
    for row in rows(data / "corpus.jsonl"):
        said.setdefault(row["group"], []).append(row)
    asked: dict[str, list[Question]] = {}
    relevant = read_judgements(data)
    for row in rows(data / "queries.jsonl"):
        if row["_id"] in relevant:
            question = Question(row["text"], relevant[row["_id"]], row["_id"])
            asked.setdefault(row["group"], []).append(question)
    found: dict[Row, list[list[Answered]]] = {mode: [] for mode in modes}
    others = dict(zip(sorted(asked), [*sorted(asked)[1:], min(asked)], strict=True))
    for group in sorted(asked):
        with database_in_memory(provider) as workspace:
            names = _told(workspace, said[group])
            for mode in sorted(modes, key=ROWS.index):  # memories come last
                if mode not in MODES:
                    extract_unprocessed(workspace)
                if mode == "records":
                    for each in (group, others[group]):
                        _state(workspace, said[each])
                embed_missing(workspace)
                found[mode].append(_answered(workspace, asked[group], names, mode))
    return found


def _told(workspace: Workspace, said: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Store a conversation; return the id of each row by that of its turn."""
    names: dict[int, str] = {}
    for start in range(0, len(said), MOST_TURNS):
        part = said[start : start + MOST_TURNS]
        added = add_turns(workspace, [_turn(row) for row in part])
        names |= {item.turn.id: row["_id"] for item, row in zip(added, part, strict=True)}
    embed_missing(workspace)
    return names


def _state(workspace: Workspace, said: Sequence[Mapping[str, Any]]) -> None:
    """State the beginnings of turns as records of four kinds, without evidence."""
    for number, row in enumerate(said[::_STATED_EVERY]):
        text = " ".join(row["text"].split()[:_STATED_WORDS])
        kind = number % 4
        if kind == 0:
            write_fact(workspace, NewFact(category=row["group"], key=f"k{number}", value=text))
        elif kind == 1:
            write_pattern(workspace, NewPattern(pattern_type="habit", description=text))
        elif kind == 2:
            write_open_loop(workspace, NewOpenLoop(topic=text))
        else:
            write_signal(workspace, NewSignal(signal_type="talk", value=text))


def _turn(row: Mapping[str, Any]) -> NewTurn:
    about = row.get("metadata") or {}
    return NewTurn(
        f"{row['group']}/{about.get('session', 1)}",
        row["text"],
        role=about["role"] if about.get("role") in ROLES else "user",
        ts=about.get("ts"),
        speaker=about.get("speaker"),
    )


def _answered(
    workspace: Workspace, asked: Sequence[Question], names: Mapping[int, str], row: Row
) -> list[Answered]:
    defaults = default_options(workspace.config.search)
    options = replace(defaults, max_results=_DEPTH, min_score=0.0)
    if row in MODES:
        options = replace(options, mode=row, scope=Scope(sources=("turn",)))
    answers = []
    for question in asked:
        results = search(workspace, question.text, options).results
        shown = [[names[turn_id] for turn_id in _turns_of(hit)] for hit in results]
        ranked = list(dict.fromkeys(first for first, *_ in filter(None, shown)))
        is_shown = any(name in question.relevant for held in shown[:_FIRST] for name in held)
        answers.append(Answered(score(ranked, question.relevant), is_shown))
    return answers


def _turns_of(hit: SearchResult) -> list[int]:
    """The turn that a result is or names, best first."""
    cited = [hit.citation] if hit.source == "turn" else []
    cited += [part.citation for part in hit.also if part.source == "turn"]
    return [int(turn_id) for one in cited if (turn_id := TURN.read(one)) is not None]


def table(name: str, found: Mapping[Row, list[list[Answered]]]) -> list[str]:
    """A row for each mode, as Markdown; the evidence is the share of questions with a turn that
    answers them in the first results.
    """
    lines = [
        f"| {name} | nDCG@{AT} | first half | second half | recall@{AT} | MRR@{AT} "
        f"| evidence in the first {_FIRST} | first half | second half |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for mode, groups in found.items():
        middle = len(groups) // 2
        parts = (groups, groups[:middle], groups[middle:])
        every = [[one for group in part for one in group] for part in parts]
        scores = [mean([one.score for one in part]) if part else None for part in every]
        ndcg = [f"{one.ndcg:.3f}" if one else "-" for one in scores]
        shown = [f"{fmean(one.is_shown for one in part):.3f}" if part else "-" for part in every]
        whole = mean([one.score for one in every[0]])
        rest = [f"{whole.recall:.3f}", f"{whole.mrr:.3f}"]
        lines.append(f"| {mode} | {' | '.join((*ndcg, *rest, *shown))} |")
    return lines


def main(given: Sequence[str]) -> int:
    """Print the table of each collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--provider", default="static", help="embedding model")
    parser.add_argument("--mode", action="append", choices=ROWS, help="repeatable; all")
    options = parser.parse_args(given)
    for data in options.data:
        found = judge(data, provider=options.provider, modes=options.mode or ROWS)
        print("\n".join(table(f"{data.name}, {options.provider}", found)))
    about = occasion()
    print(f"measured at commit {about['commit']}, {about['date']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
