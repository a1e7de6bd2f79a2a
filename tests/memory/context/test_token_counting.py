"""Tokens are counted by the model's own tokenizer if it is on the disk, else estimated."""

from pathlib import Path

import pytest

from memory.config.sections.conversations import LLMConfig
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.context.token_counting import counter_for, estimated_tokens, whole_tokens
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from tests.memory.databases import opened


@pytest.mark.parametrize(
    "text, tokens",
    [("", 0), ("four", 1), ("fours", 2), ("да", 1), ("你好吗呀", 3), ("🙂", 1)],
    ids=["nothing", "four", "five", "russian", "chinese", "emoji"],
)
def test_the_estimate(text: str, tokens: int) -> None:
    assert whole_tokens(estimated_tokens(text)) == tokens


@pytest.mark.parametrize("model", ["", "gpt-4o", "someone/unknown", "../../etc/passwd", "a/../b"])
def test_unknown_models_are_estimated(model: str) -> None:
    assert counter_for(model) is estimated_tokens


def test_the_tokenizer_of_a_model_binds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One token a character here, so that a quarter of the characters have room."""
    tokenizers = pytest.importorskip("tokenizers")
    letters = {chr(code): code for code in range(32, 127)} | {"\n": 1, "[UNK]": 0}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex("."), "isolated")
    folder = tmp_path / "hub" / "models--maker--letters" / "snapshots" / "1"
    folder.mkdir(parents=True)
    made.save(str(folder / "tokenizer.json"))
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    counter_for.cache_clear()
    assert counter_for("maker/letters")("thirteen more") == 13
    with opened(tmp_path / "db", llm=LLMConfig(model="maker/letters")) as workspace:
        add_turns(workspace, [NewTurn("s1", f"the boat number {n} is red") for n in range(30)])
        found = build_context(workspace, ContextRequest("s2", "which boat is red?", max_tokens=400))
    assert 200 < len(found.markdown) <= 400
