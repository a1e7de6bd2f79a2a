"""Real cross-encoders, tiny and made here: their own numbers, and what goes wrong in words."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from contracts import ConfigError, UnavailableError, install_hint
from providers.rerankers.base import create_reranker
from providers.rerankers.cross_encoder import CrossEncoderReranker
from providers.settings import ProviderSettings
from tests.providers.python import run_python

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog", "sat", "ran", "the", "mat")
TEXTS = ["the cat sat", "dog", "the dog ran the mat", "cat cat", "ran", "the mat sat the dog"]

torch_test = pytest.mark.torch


def make_model(folder: Path, *, labels: int = 1, activation: str | None = None) -> Path:
    """A two-layer model of random weights, far enough apart that its scores differ."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(3)
    model = BertForSequenceClassification(
        BertConfig(
            vocab_size=len(WORDS),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
            num_labels=labels,
        )
    )
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(0.4 * torch.randn_like(weights))
    model.save_pretrained(folder)
    if activation:
        config = json.loads((folder / "config.json").read_text())
        config["sentence_transformers"] = {"activation_fn": activation}
        (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that gives probabilities, as the library has it without another word."""
    return make_model(tmp_path_factory.mktemp("rerankers") / "tiny")


@pytest.fixture
def own_copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy"))


def reranker(folder: Path, **settings: Any) -> CrossEncoderReranker:
    return CrossEncoderReranker(ProviderSettings(model=str(folder), **settings))


def logits(folder: Path, query: str, texts: list[str]) -> list[float]:
    """The model's result for each pair alone, by transformers."""
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        return [
            float(model(**tokenizer(query, text, return_tensors="pt")).logits[0, 0])
            for text in texts
        ]


@torch_test
@pytest.mark.parametrize("activation", [None, "torch.nn.modules.linear.Identity"])
def test_scores_are_the_models_own(tmp_path: Path, activation: str | None) -> None:
    folder = make_model(tmp_path / "m", activation=activation)
    ours = reranker(folder).score("the cat", TEXTS)
    expected = [1 / (1 + math.exp(-value)) for value in logits(folder, "the cat", TEXTS)]
    assert ours == pytest.approx(expected, abs=1e-5)
    assert len(set(ours)) > 3, "this model tells texts apart"


@torch_test
def test_any_text_can_be_read(model: Path) -> None:
    texts = ["", "\0", "\ud800 cat", "cat " * 5000, "東京"]
    scores = reranker(model).score("the \udfff cat " * 100, texts)
    assert len(scores) == 5
    assert all(0 <= score <= 1 for score in scores)
    assert reranker(model).score("cat", []) == []


@torch_test
def test_it_is_loaded_once(own_copy: Path) -> None:
    ours = reranker(own_copy)
    assert ours.model_name == "copy"
    ours.load()
    first = ours.score("cat", TEXTS)
    shutil.rmtree(own_copy)
    ours.load()
    assert ours.score("cat", TEXTS) == pytest.approx(first)


@torch_test
def test_a_model_of_classes_is_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "nli", labels=3)
    with pytest.raises(UnavailableError, match="nli has 3 classes") as caught:
        reranker(folder).load()
    assert "memory.search.rerank.model" in caught.value.hint


@torch_test
@pytest.mark.parametrize(
    "file, content",
    [("model.safetensors", b"no tensors"), ("config.json", b"{"), ("config.json", b"{}")],
)
def test_a_damaged_folder_is_named(own_copy: Path, file: str, content: bytes) -> None:
    (own_copy / file).write_bytes(content)
    with pytest.raises(UnavailableError, match="copy do not make a cross-encoder"):
        reranker(own_copy).load()


@torch_test
def test_a_missing_folder_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no model") as caught:
        reranker(tmp_path / "none").load()
    assert caught.value.hint.startswith("set memory.search.rerank.model to a folder")


@torch_test
def test_a_model_that_is_nowhere_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cross-encoder/nobody-has-it is not on") as caught:
        CrossEncoderReranker(ProviderSettings(model="cross-encoder/nobody-has-it")).load()
    assert caught.value.hint == (
        "try again with access to the hub, or set memory.search.rerank.model to a folder"
    )


@torch_test
def test_a_device_that_is_not_there_is_refused(model: Path) -> None:
    with pytest.raises(UnavailableError, match="torch cannot use the device 'toaster'") as caught:
        reranker(model, device="toaster").load()
    assert "memory.search.rerank.device to cpu" in caught.value.hint


@torch_test
def test_a_failing_computation_is_the_rerankers_error(model: Path) -> None:
    # torch's device without memory: it takes a model, and has no numbers to give back.
    with pytest.raises(UnavailableError, match="the reranker tiny could not compute"):
        reranker(model, device="meta").score("cat", ["dog"])


@torch_test
def test_numbers_that_are_none_come_out(own_copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(own_copy / "model.safetensors")
    weights["classifier.bias"][:] = float("nan")
    save_file(weights, own_copy / "model.safetensors", metadata={"format": "pt"})
    assert math.isnan(reranker(own_copy).score("cat", ["dog"])[0])


@pytest.mark.slow
@torch_test
def test_a_whole_search_in_the_models_order(model: Path, tmp_path: Path) -> None:
    """A command of its own: it waits for the model, prints nothing else, and asks no network."""
    code = f"""
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        print(event, arguments)
sys.addaudithook(refuse)
from memory.config.settings import MemoryConfig, RerankConfig, SearchConfig
from memory.config.loading import LoadedConfig
from memory.files.ingestion import ingest_text
from memory.manager import MemoryManager
from memory.retrieval.searching import search
from search import SearchOptions
import json
rerank = RerankConfig(model={str(model)!r}, deadline_ms=60_000)
manager = MemoryManager(MemoryConfig(backend="memory", search=SearchConfig(rerank=rerank)))
for text in {TEXTS!r}:
    ingest_text(manager.workspace, text)
assert "torch" not in sys.modules
def asked(**more):
    options = SearchOptions(mode="keyword", rerank_deadline_ms=60_000, **more)
    answer = search(manager.workspace, "the cat dog ran mat sat", options)
    return [(hit.text, hit.score) for hit in answer.results], answer.warnings
plain, _ = asked()
assert "torch" not in sys.modules
found, warnings = asked(rerank=True)
assert len(plain) == len(found)
print(json.dumps([found, warnings]))
manager.close()
"""
    printed, told = run_python(code)
    assert told == ""
    found, warnings = json.loads(printed)
    assert warnings == []
    texts = [text for text, _ in found]
    assert sorted(texts) == sorted(TEXTS)
    own = reranker(model).score("the cat dog ran mat sat", texts)
    assert [score for _, score in found] == pytest.approx(own, abs=1e-5)
    assert own == sorted(own, reverse=True)


@torch_test
def test_a_library_that_does_not_load_is_named(tmp_path: Path) -> None:
    (tmp_path / "sentence_transformers.py").write_text("raise ImportError('libgpu.so is too old')")
    code = """
from contracts import UnavailableError
from providers.rerankers.cross_encoder import CrossEncoderReranker
from providers.settings import ProviderSettings
try:
    CrossEncoderReranker(ProviderSettings(model=".")).load()
except UnavailableError as error:
    print(error.message, error.hint, sep=chr(10))
"""
    (tmp_path / "config.json").write_text("{}")
    code = code.replace('"."', repr(str(tmp_path)))
    printed, _ = run_python(code, path=tmp_path)
    assert printed.splitlines() == [
        "the library sentence-transformers does not load: libgpu.so is too old",
        f"install it again: {install_hint('sentence-transformers')}",
    ]


def test_a_library_that_is_not_there_is_named() -> None:
    code = """
import importlib.abc
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "sentence_transformers":
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is self]
        return None
sys.meta_path.insert(0, Hidden())
from contracts import UnavailableError
from providers.rerankers.base import create_reranker
from providers.settings import ProviderSettings
try:
    create_reranker("sentence_transformers", ProviderSettings(model="m"))
except UnavailableError as error:
    print(error)
"""
    printed, _ = run_python(code)
    assert printed == (
        "reranking needs the library sentence_transformers, which is not installed "
        f"({install_hint('sentence-transformers')})\n"
    )


def test_it_knows_no_options() -> None:
    with pytest.raises(ConfigError, match="named 'dtype'"):
        CrossEncoderReranker(ProviderSettings(model="m", options={"dtype": "x"}))


@torch_test
def test_it_is_made_by_its_name(model: Path) -> None:
    made = create_reranker("sentence_transformers", ProviderSettings(model=str(model)))
    assert isinstance(made, CrossEncoderReranker)
    assert made.model_name == "tiny"
