"""What is told of extraction: exact counts over all processes, and never a word of a turn."""

import re
from pathlib import Path

from cli.conversations.extraction_lines import extraction_lines
from memory.config.sections.conversations import ExtractorConfig
from memory.config.settings import LLMConfig
from memory.conversations.extraction_metrics import extraction_counters_of, extraction_metrics
from memory.operations.status import read_status
from tests.memory.databases import opened

MODEL = LLMConfig(endpoint="http://localhost:11434/v1", model="llama3.2")


def test_nothing_is_told_before_the_first_turn(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        found = extraction_metrics(memory)
    assert (found.mode, found.model, found.waiting, found.given_up) == ("hybrid", None, 0, 0)
    assert (found.llm.turns, found.llm.success_rate, found.llm.last_error) == (0, None, None)
    assert extraction_lines(found) == []


def test_counts_add_up_over_processes(tmp_path: Path) -> None:
    for _ in range(2):
        with opened(tmp_path, llm=MODEL) as memory:
            book = extraction_counters_of(memory)
            book.note_rules(turns=4, candidates=3, seconds=0.004)
            book.note_answer(candidates=1, dropped=["ungrounded", "too long"], seconds=0.5)
            book.note_answer(candidates=0, dropped=["ungrounded"], seconds=0.5)
            book.note_failure("timeout", said="h did not answer", seconds=8)
            book.note_skipped("secret")
            book.note_given_up()
            before = extraction_metrics(memory)
    with opened(tmp_path, llm=MODEL) as memory:
        found = extraction_metrics(memory)
        assert found == before, "what is not written down yet is told too"
        assert read_status(memory).extraction == found
        assert extraction_counters_of(memory).durations("llm").seconds == 18
    assert found.model == "llama3.2 at localhost:11434"
    assert found.given_up == 2
    assert (found.heuristic.turns, found.heuristic.candidates) == (8, 6)
    assert (found.heuristic.success_rate, found.heuristic.dropped) == (1.0, {})
    assert 0.8 < found.heuristic.p50_ms < 1.3
    llm = found.llm
    assert (llm.turns, llm.succeeded, llm.success_rate, llm.candidates) == (6, 4, 0.667, 2)
    assert llm.dropped == {"too long": 2, "ungrounded": 4}
    assert (llm.failures, llm.skipped) == ({"timeout": 2}, {"secret": 2})
    assert 400 < llm.p50_ms < 520
    assert llm.mean_ms == 3000
    assert llm.last_error == "h did not answer"
    assert llm.last_error_at is not None
    *lines, last = extraction_lines(found)
    assert lines == [
        "hybrid, llama3.2 at localhost:11434",
        "rules: 6 facts in 8 turns",
        f"model: 2 facts, 4 of 6 questions answered (p50 0.5 s, p95 {llm.p95_ms / 1000:.1f} s)",
        "not believed: 2 too long, 4 ungrounded",
        "not asked about: 2 secret",
        "failed: 2 timeout",
        "given up: 2 turns, which keep the facts found by the rules",
    ]
    assert re.fullmatch(r"last failure .* ago: h did not answer", last)


def test_a_model_that_is_not_to_be_used_is_not_named(tmp_path: Path) -> None:
    with opened(tmp_path, llm=MODEL, extractor=ExtractorConfig(mode="heuristic")) as memory:
        assert extraction_metrics(memory).model is None
        extraction_counters_of(memory).note_rules(turns=1, candidates=0, seconds=0.001)
        assert extraction_lines(extraction_metrics(memory)) == [
            "by rules",
            "rules: 0 facts in 1 turn",
        ]
