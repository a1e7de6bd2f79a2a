"""`memory.semantic` and `memory.retrieval`: facts and their selection under their first names."""

import subprocess
import sys
from pathlib import Path

import pytest

import memory.retrieval as retrieval
from contracts import InputError
from memory import semantic
from memory.config.sections.conversations import SemanticConfig
from memory.episodic import form_episodes
from tests.memory.databases import opened
from tests.memory.episodes.facts import HERS, HOME, MOVED, SISTER, WORK, learn, tell


def test_facts_are_extracted_merged_and_read(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        tell(memory, HOME, WORK, session="7")
        form_episodes(memory)
        assert semantic.extract_facts(memory) == semantic.ExtractionReport(1, 2, 2)
        assert semantic.read_triple(memory, 1).text == "User lives in Berlin"
        assert semantic.note_used(memory, ["triple 1"]).reinforced == ["triple 1"]
    said = [
        semantic.Statement(key, is_by_model=False, is_certain=True, is_edited=False)
        for key in (1, 2)
    ]
    assert semantic.confidence(said, SemanticConfig(most_confidence=1)) == pytest.approx(0.99)
    assert semantic.noisy_or({1: 0.5, 2: 0.5}) == 0.75
    fact = semantic.fact_of("User speaks German", slot=None, value=None, tags=())
    assert fact == ("User", "speaks", "German")


def test_episodes_and_current_facts_are_selected(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        tell(memory, HOME, WORK, HERS, SISTER)
        tell(memory, MOVED, "I like sushi a lot.", day=3, session="s2")
        learn(memory)
        found = retrieval.select(memory, "where do I live, in which city")
        assert found.facts[0].text == "User lives in Madrid"
        assert "User lives in Berlin" not in [hit.text for hit in found.facts]
        assert {hit.source for hit in found.episodes} == {"episode"}
        assert found.matched
        scores = [hit.score for hit in found.facts]
        assert scores == sorted(scores, reverse=True)
        assert len(retrieval.select_episodes(memory, "sushi", 1)) == 1
        (sushi,) = retrieval.select_facts(memory, "sushi", 1)
        assert (sushi.text, sushi.metadata["confidence"]) == ("User likes sushi", 0.9)
        assert retrieval.select(memory, "sushi", episodes=0, facts=0) == retrieval.Selected()
        with pytest.raises(InputError, match="the number of results is -1"):
            retrieval.select_facts(memory, "sushi", -1)


def test_the_package_loads_nothing_by_itself() -> None:
    code = "import sys, memory.retrieval; print('memory.retrieval.searching' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
