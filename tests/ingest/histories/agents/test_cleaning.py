"""Injected context and long diffs are left out of what is stored, and secrets before all else."""

import pytest

from ingest.histories.agents.cleaning import (
    CONTEXT_MARK,
    MOST_CHARS,
    MOST_DIFF_LINES,
    RECALLED,
    cleaned,
)
from memory.agents.hook_payloads import FENCE
from memory.mcp import instructions

ECHO = "User lives in Oslo."


def test_the_marks_are_those_of_the_hooks_and_of_the_tools() -> None:
    assert RECALLED == instructions.RECALLED
    assert CONTEXT_MARK == FENCE


@pytest.mark.parametrize(
    "text, kept",
    [
        (f"<{CONTEXT_MARK}>\n{ECHO}\n</{CONTEXT_MARK}>\nWhy?", "Why?"),
        (f'Hi\n<{CONTEXT_MARK} query="why" day="1">{ECHO}</{CONTEXT_MARK}>', "Hi"),
        (
            f"A <{CONTEXT_MARK}>{ECHO} <{CONTEXT_MARK}>x</{CONTEXT_MARK}> y</{CONTEXT_MARK}> B",
            "A  B",
        ),
        (f"before <{CONTEXT_MARK} a=1>{ECHO} and it never ends", "before"),
        (f"{RECALLED}\n```\n{ECHO}\n```\nSo?", "So?"),
        (f"{RECALLED}\n````\n```\n{ECHO}\n```\n````\nSo?", "So?"),
        (f"<system-reminder>{ECHO}</system-reminder>Go on", "Go on"),
        ("What is <environment_context>?", "What is <environment_context>?"),
        ("```\ncode stays\n```", "```\ncode stays\n```"),
    ],
    ids=["whole", "attributes", "nested", "open", "tool", "long fence", "reminder", "word", "code"],
)
def test_what_was_injected_is_no_echo(text: str, kept: str) -> None:
    assert cleaned(text) == kept


@pytest.mark.parametrize(
    "start, end",
    [
        ("```diff\n", "```\n"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n", ""),
        ("--- a/x\n+++ b/x\n", ""),
        ("```python\n<<<<<<< SEARCH\n", "=======\n>>>>>>> REPLACE\n```\n"),
        ("*** Begin Patch\n", "*** End Patch\n"),
    ],
    ids=["fence", "git", "unified", "search and replace", "patch"],
)
def test_a_diff_is_kept_short(start: str, end: str) -> None:
    body = "".join(f"+line {number}\n" for number in range(200))
    found = cleaned(f"Look:\n{start}{body}{end}\nDone.")
    assert found.startswith("Look:\n")
    assert found.endswith("Done.")
    assert "more lines of this diff]" in found
    assert found.count("+line") <= MOST_DIFF_LINES + 1


def test_a_key_is_masked_before_its_text_is_cut() -> None:
    key = "sk-" + "ant-" + "a1B2" * 10
    diff = "```diff\n" + "+x\n" * MOST_DIFF_LINES + f"+{key}\n" * 3 + "```"
    assert key[:12] not in cleaned(diff)
    long = "word " * ((MOST_CHARS - 10) // 5) + key + " end" * 100
    assert key[:12] not in cleaned(long)
    assert len(cleaned(long)) < MOST_CHARS + 100
