"""`memory.episodic` and `memory.segmentation`: episodes under their first names."""

from pathlib import Path

from memory import episodic, segmentation
from memory.index.embedding.built_in import built_in_model
from tests.memory.databases import opened
from tests.memory.episodes.said import BOAT, CAKE, LATER, say


def test_episodes_are_formed_scored_and_managed(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, (*BOAT, *CAKE), session="7")
        assert episodic.form_episodes(memory, now=LATER).formed == 2
        latest, first = episodic.list_episodes(memory).episodes
        assert 0 < first.importance_score < 1
        assert 0 <= latest.surprise_score <= 1
        assert first.stability > 0
        assert episodic.note_used(memory, ["episode 1"]).reinforced == ["episode 1"]
        assert episodic.read_episode(memory, 1).retrievability == 1


def test_messages_are_divided() -> None:
    messages = [segmentation.Spoken(text, number) for number, text in enumerate((*BOAT, *CAKE))]
    limits = segmentation.Limits()
    far = float("inf")
    found = segmentation.ends(
        messages,
        lambda texts: segmentation.prepared(texts, built_in_model()),
        until_s=far,
        limits=limits,
    )
    assert found == [8, 16]
    windows = segmentation.window_ends(messages, until_s=far, size=10, limits=limits)
    assert windows == [10, 16]
