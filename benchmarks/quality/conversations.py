"""Judge searches in conversations: `python -m benchmarks.quality.conversations DATA...`.

Each DATA is a collection in BEIR layout whose rows carry a `group`, one conversation each. Every
conversation becomes a database in memory; its rows are stored as turns, with role, speaker and time
if the row has them, and its questions are asked of that database. Beside the mean over all
questions are those over the first and the second half of the conversations, for checking chosen
constants.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness.machine import occasion
from benchmarks.quality.beir import Question, read_judgements, rows
from benchmarks.quality.making import open_database
from benchmarks.quality.measures import AT, Score, mean, score
from contracts import Scope
from memory.conversations.turns.adding import MOST_TURNS, add_turns
from memory.conversations.turns.values import ROLES, NewTurn
from memory.index.indexing_settings import embed_missing
from memory.retrieval.searching import default_options, search
from memory.workspace import Workspace
from search.options import MODES, Mode

_DEPTH = 4 * AT


def judge(data: Path, *, provider: str, modes: Sequence[Mode]) -> dict[Mode, list[list[Score]]]:
    """The scores of every question, by mode and conversation."""
    said: dict[str, list[dict[str, Any]]] = {}
    for row in rows(data / "corpus.jsonl"):
        said.setdefault(row["group"], []).append(row)
    asked: dict[str, list[Question]] = {}
    relevant = read_judgements(data)
    for row in rows(data / "queries.jsonl"):
        if row["_id"] in relevant:
            question = Question(row["text"], relevant[row["_id"]], row["_id"])
            asked.setdefault(row["group"], []).append(question)
    found: dict[Mode, list[list[Score]]] = {mode: [] for mode in modes}
    for group in sorted(asked):
        with TemporaryDirectory() as folder:
            settings = {"backend": "memory"}
            path = Path(folder, "bench.db")
            with open_database(path, provider=provider, settings=settings) as workspace:
                names = _told(workspace, said[group])
                for mode in modes:
                    ranked = _rankings(workspace, asked[group], names, mode)
                    scores = [
                        score(ranking, question.relevant)
                        for ranking, question in zip(ranked, asked[group], strict=True)
                    ]
                    found[mode].append(scores)
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


def _turn(row: Mapping[str, Any]) -> NewTurn:
    about = row.get("metadata") or {}
    return NewTurn(
        f"{row['group']}/{about.get('session', 1)}",
        row["text"],
        role=about["role"] if about.get("role") in ROLES else "user",
        ts=about.get("ts"),
        speaker=about.get("speaker"),
        auto_extract=False,
    )


def _rankings(
    workspace: Workspace, asked: Sequence[Question], names: Mapping[int, str], mode: Mode
) -> Iterator[list[str]]:
    defaults = default_options(workspace.config.search)
    options = replace(
        defaults, mode=mode, max_results=_DEPTH, min_score=0.0, scope=Scope(sources=("turn",))
    )
    for question in asked:
        results = search(workspace, question.text, options).results
        yield list(dict.fromkeys(names[hit.metadata["turn_id"]] for hit in results))


def table(name: str, found: Mapping[Mode, list[list[Score]]]) -> list[str]:
    """A row for each mode, as Markdown."""
    lines = [
        f"| {name} | nDCG@{AT} | first half | second half | recall@{AT} | MRR@{AT} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for mode, groups in found.items():
        middle = len(groups) // 2
        every = mean([one for group in groups for one in group])
        halves = [groups[:middle], groups[middle:]]
        parts = [
            f"{mean([one for group in half for one in group]).ndcg:.3f}" if half else "-"
            for half in halves
        ]
        rest = f"{every.recall:.3f} | {every.mrr:.3f}"
        lines.append(f"| {mode} | {every.ndcg:.3f} | {' | '.join(parts)} | {rest} |")
    return lines


def main(given: Sequence[str]) -> int:
    """Print the table of each collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders to judge")
    parser.add_argument("--provider", default="static", help="embedding model")
    parser.add_argument("--mode", action="append", choices=MODES, help="repeatable; all")
    options = parser.parse_args(given)
    for data in options.data:
        found = judge(data, provider=options.provider, modes=options.mode or MODES)
        print("\n".join(table(f"{data.name}, {options.provider}", found)))
    about = occasion()
    print(f"measured at commit {about['commit']}, {about['date']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
