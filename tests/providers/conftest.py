"""Models that several modules share, since torch takes seconds to start; servers of vendors."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers import EmbeddingProvider, ProviderSettings, create
from tests.providers.vendors.vendor import Making, Vendor
from tests.providers.wire.hub import Hub, serving_hub
from tests.providers.wire.server import WireServer, serving
from tests.providers.wire.sleeper import Sleeper

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "query", "passage", ":", "cat", "dog", "sat")


@pytest.fixture(scope="session")
def torch_minilm() -> EmbeddingProvider:
    return create("sentence_transformers", ProviderSettings())


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 8 dimensions and no training, with prompts, that does not normalise."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny"
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(1)
    BertModel(
        BertConfig(
            vocab_size=len(WORDS),
            hidden_size=8,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=24,
        )
    ).save_pretrained(folder)
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {
            "idx": 1,
            "name": "1",
            "path": "1_Pooling",
            "type": "sentence_transformers.models.Pooling",
        },
    ]
    pooling = {"word_embedding_dimension": 8, "pooling_mode_mean_tokens": True}
    prompts = {"query": "query: ", "passage": "passage: "}
    files = {
        "modules.json": modules,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": 16},
        "config_sentence_transformers.json": {"prompts": prompts},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return folder


@pytest.fixture
def server(vendor: Vendor) -> Iterator[WireServer]:
    """A server that speaks the protocol of the module's vendor."""
    with serving(vendor.answer) as server:
        yield server


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


@pytest.fixture
def make(vendor: Vendor, server: WireServer, sleeper: Sleeper) -> Making:
    return vendor.making(server, sleeper)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with serving_hub(tmp_path / "served") as hub:
        yield hub


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's client with an empty cache and leave to connect.

    It reads both from the environment once, when it is imported, and keeps them here.
    """
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
