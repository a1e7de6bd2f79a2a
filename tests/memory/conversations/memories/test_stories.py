"""Whole conversations end with what is true: nothing true is archived, nothing over is current."""

import json
from pathlib import Path

import pytest

from benchmarks.extraction.stories import STORIES, lines, main, read_stories, tell

MOST_MISSED_ENDINGS = 0.1
"""The share of endings that the rules may miss; archiving what is true is never right."""

MOST_OTHER_ANSWERS = 0.1
"""The share of questions that something else may answer first."""


def told(tmp_path: Path, *turns: str, **wanted: object) -> Path:
    path = tmp_path / "stories.jsonl"
    story = {"turns": [{"text": text} for text in turns], "current": [], "over": [], **wanted}
    path.write_text(json.dumps(story), encoding="utf-8")
    return path


def test_faults_are_found(tmp_path: Path) -> None:
    path = told(
        tmp_path,
        "I live in Antwerp.",
        "I live in Ghent now.",
        current=["User lives in Antwerp", ["User lives in Oslo", "User moved to Oslo"]],
        over=["User lives in Ghent", "User lives in Rome"],
        asks=[{"query": "where do I live", "first": "Antwerp"}],
    )

    (outcome,) = [tell(story) for story in read_stories(path)]

    assert outcome.lost == ["User lives in Antwerp"]
    assert outcome.unknown == ["User lives in Oslo"]
    assert outcome.kept == ["User lives in Ghent"]
    ((ask, text),) = outcome.asks
    assert (ask.first, "Ghent" in text) == ("Antwerp", True)


def test_the_totals_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = told(tmp_path, "I live in Rome.", current=["User lives in Rome"], over=["User is 9"])
    main([str(path)])
    totals = "1 stories: 0 wrong archivings and 0 never remembered of 1; 0 missed endings of 1"
    assert capsys.readouterr().out.startswith(totals)


@pytest.mark.skipif(not STORIES.exists(), reason="the labelled stories are not here")
def test_labelled_stories_end_with_what_is_true() -> None:
    outcomes = [tell(story) for story in read_stories()]

    shown = "\n".join(lines(outcomes, failures=True))
    assert [said for one in outcomes for said in one.lost] == [], shown
    over = sum(len(one.story.over) for one in outcomes)
    assert sum(len(one.kept) for one in outcomes) <= MOST_MISSED_ENDINGS * over, shown
    asks = sum(len(one.story.asks) for one in outcomes)
    assert sum(len(one.asks) for one in outcomes) <= MOST_OTHER_ANSWERS * asks, shown
