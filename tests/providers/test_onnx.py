"""Models in ONNX: pooled, cut, named and refused as their own files say."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from contracts import ConfigError, MemError, UnavailableError, install_hint
from providers import ModelCard, OnnxProvider, ProviderSettings, create
from providers.onnx.graph_choice import choose_graph, features_of
from providers.onnx.minilm import DATA, MinilmProvider
from tests.providers.python import run_python
from tests.providers.tiny_graphs import TABLE, hidden_of, write_graph, write_json, write_model
from tests.providers.wire.hub import Hub, settings_for

CAT_SAT = [2, 7, 9, 3]
"""The tokens of `cat sat`."""


def provider_of(folder: Path, **settings: Any) -> OnnxProvider:
    return OnnxProvider(ProviderSettings(model=str(folder), **settings))


def unit(row: NDArray[np.float32]) -> NDArray[np.float32]:
    return row / np.linalg.norm(row)


POOLED = {
    "mean": hidden_of(CAT_SAT).mean(axis=0),
    "cls": hidden_of(CAT_SAT)[0],
    "last": hidden_of(CAT_SAT)[-1],
    "max": hidden_of(CAT_SAT).max(axis=0),
}


@pytest.mark.parametrize("pooling", POOLED)
def test_tokens_are_pooled_as_the_model_declares(tmp_path: Path, pooling: str) -> None:
    """Alone, and beside a longer text, whose length it is filled up to."""
    provider = provider_of(write_model(tmp_path, pooling=pooling))
    rows = provider.embed(["cat sat", "dog " * 7, "cat sat"], kind="query")
    (alone,) = provider.embed(["cat sat"], kind="query")
    for row in (rows[0], rows[2], alone):
        np.testing.assert_allclose(row, unit(POOLED[pooling]), atol=1e-6)
    assert provider.card.revision.endswith(f"-{pooling}")


def test_a_configured_pooling_counts_more_than_the_declared_one(tmp_path: Path) -> None:
    folder = write_model(tmp_path, pooling="mean")
    provider = provider_of(folder, options={"pooling": "cls"})
    np.testing.assert_allclose(
        provider.embed(["cat sat"], kind="query")[0], unit(POOLED["cls"]), atol=1e-6
    )
    assert provider.card.revision != provider_of(folder).card.revision
    with pytest.raises(ConfigError, match="cannot be pooled by 'sum'") as caught:
        provider_of(folder, options={"pooling": "sum"})
    assert "memory.embeddings.onnx.pooling to one of mean, cls, last, max" in caught.value.hint


@pytest.mark.parametrize(
    "content, pooling",
    [
        pytest.param({"pooling_mode": "lasttoken"}, "last", id="by name"),
        pytest.param({"pooling_mode": ["cls"]}, "cls", id="a list of names"),
        pytest.param({"pooling_mode_mean_sqrt_len_tokens": True}, "mean", id="of the same kind"),
        pytest.param({"pooling_mode_weightedmean_tokens": True}, None, id="not known here"),
        pytest.param(
            {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}, None, id="two"
        ),
        pytest.param(
            {"pooling_mode_mean_tokens": True, "include_prompt": False}, None, id="without prompt"
        ),
    ],
)
def test_other_forms_of_the_declaration(
    tmp_path: Path, content: dict[str, object], pooling: str | None
) -> None:
    folder = write_model(tmp_path)
    write_json(folder / "1_Pooling/config.json", content)
    if pooling:
        assert provider_of(folder).card.revision.endswith(f"-{pooling}")
        return
    with pytest.raises(UnavailableError, match="declares is not one of mean, cls, last, max"):
        assert provider_of(folder).card


def test_a_graphs_own_sentence_embedding_counts(tmp_path: Path) -> None:
    """Not so a vector of another name, if the tokens have theirs."""
    folder = write_model(tmp_path, pooling="cls", outputs=["pooler_output", "last_hidden_state"])
    (row,) = provider_of(folder).embed(["cat sat"], kind="query")
    np.testing.assert_allclose(row, unit(POOLED["cls"]), atol=1e-6)
    outputs = ["last_hidden_state", "sentence_embedding"]
    write_graph(folder / "onnx/model.onnx", outputs=outputs)
    provider = provider_of(folder)
    np.testing.assert_allclose(
        provider.embed(["cat sat"], kind="query")[0], unit(POOLED["max"]), atol=1e-6
    )
    assert "-" not in provider.card.revision
    write_graph(folder / "onnx/model.onnx", outputs=["pooler_output"])
    (row,) = provider_of(folder).embed(["cat sat"], kind="query")
    np.testing.assert_allclose(row, unit(hidden_of(CAT_SAT).min(axis=0)), atol=1e-6)


def test_the_card_is_what_the_files_say(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "tiny")
    prompts = {"prompts": {"query": "query: ", "passage": "passage: "}}
    write_json(folder / "config_sentence_transformers.json", prompts)
    graph = (folder / "onnx/model.onnx").read_bytes()
    provider = provider_of(folder, batch_size=7)
    assert provider.card == ModelCard(
        provider="onnx",
        model="tiny",
        revision=f"{hashlib.sha256(graph).hexdigest()[:12]}-mean",
        dimensions=8,
        query_prompt="query: ",
        document_prompt="passage: ",
        max_tokens=12,
        batch_size=7,
    )
    asked = provider_of(folder, options={"query_prompt": ""}).embed(["query: cat"], kind="query")
    np.testing.assert_allclose(provider.embed(["cat"], kind="query"), asked, atol=1e-6)
    assert not provider.embed(["", "\0", " "], kind="query").any()


def test_a_text_is_cut_and_lowered_as_declared(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    provider = provider_of(folder)
    full, longer, other = provider.embed(
        ["cat " * 10, "cat " * 10 + "dog", "cat " * 9 + "dog"], kind="document"
    )
    np.testing.assert_allclose(full, longer, atol=1e-6)
    assert np.abs(full - other).max() > 1e-3
    (folder / "sentence_bert_config.json").write_text('{"do_lower_case": true}')
    write_json(folder / "tokenizer_config.json", {"model_max_length": 20})
    assert provider_of(folder).card.max_tokens == 20
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["normalizer"] = None
    write_json(folder / "tokenizer.json", tokenizer)
    write_json(folder / "tokenizer_config.json", {"model_max_length": 1e30})
    rows = provider_of(folder).embed(["CAT sat", "cat sat"], kind="query")
    np.testing.assert_array_equal(rows[0], rows[1])
    assert provider_of(folder).card.max_tokens == 512


def test_a_rounded_text_does_not_depend_on_those_beside_it(tmp_path: Path) -> None:
    table = TABLE.copy()
    table[8] *= 50  # dog
    provider = provider_of(write_model(tmp_path, table=table, rounded=True))
    together = provider.embed(["cat sat", "dog sat"], kind="query")
    (alone,) = provider.embed(["cat sat"], kind="query")
    np.testing.assert_array_equal(together[0], alone)


@pytest.mark.parametrize("inputs", [["input_ids"], ["input_ids", "position_ids"]])
def test_a_graph_gets_the_inputs_that_it_wants(tmp_path: Path, inputs: list[str]) -> None:
    rows = provider_of(write_model(tmp_path, inputs=inputs)).embed(["cat sat"], kind="query")
    np.testing.assert_allclose(rows[0], unit(POOLED["mean"]), atol=1e-6)


def refused(folder: Path, **settings: Any) -> MemError:
    with pytest.raises((UnavailableError, ConfigError)) as caught:
        assert provider_of(folder, **settings).embed(["cat"], kind="query").any()
    return caught.value


def test_no_model_is_an_error_with_the_setting() -> None:
    with pytest.raises(ConfigError, match="the embedding provider onnx has no model") as caught:
        assert create("onnx", ProviderSettings()).card
    assert "memory.embeddings.provider to minilm" in caught.value.hint
    with pytest.raises(ConfigError, match="there is no model 'a b'"):
        assert create("onnx", ProviderSettings(model="a b")).card


def test_a_folder_without_a_usable_graph_is_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    error = refused(folder, options={"graph": "onnx/other.onnx"})
    assert error.message == f"{folder} has no graph onnx/other.onnx"
    assert error.hint == "set memory.embeddings.onnx.graph to one of onnx/model.onnx"
    (folder / "onnx/model.onnx").rename(folder / "a.onnx")
    assert provider_of(folder).dimensions == 8
    shutil.copy(folder / "a.onnx", folder / "b.onnx")
    assert "several graphs" in refused(folder).message
    assert provider_of(folder, options={"graph": "b.onnx"}).dimensions == 8
    for name in ("a.onnx", "b.onnx"):
        (folder / name).unlink()
    assert refused(folder).message == f"{folder} has no graph in ONNX"


def test_broken_files_are_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    graph = (folder / "onnx/model.onnx").read_bytes()
    (folder / "onnx/model.onnx").write_bytes(graph[:100])
    assert "ONNX Runtime cannot open" in refused(folder).message
    (folder / "onnx/model.onnx").write_bytes(graph)
    (folder / "modules.json").write_text("[")
    assert f"the file {folder / 'modules.json'} is broken" in refused(folder).message
    (folder / "modules.json").write_text("{}")
    assert "it holds no list" in refused(folder).message
    (folder / "modules.json").unlink()
    (folder / "tokenizer.json").write_text("{}")
    error = refused(folder)
    assert f"{folder / 'tokenizer.json'} is not a tokenizer" in error.message
    assert "put the tokenizer.json of the model there" in error.hint


def test_a_graph_that_lacks_the_models_last_part_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    kinds = ("Transformer", "Pooling", "Dense", "Normalize")
    modules = [{"path": "", "type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    modules[1]["path"] = "1_Pooling"
    write_json(folder / "modules.json", modules)
    error = refused(folder)
    assert error.message.endswith("lacks the last part of its model: Dense")
    write_graph(folder / "onnx/model.onnx", outputs=["sentence_embedding"])
    assert provider_of(folder).dimensions == 8


def test_a_graph_of_something_else_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path, inputs=["input_ids", "pixel_values"])
    assert "it wants the input pixel_values" in refused(folder).message


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    table = TABLE.copy()
    table[7] = np.nan  # cat
    error = refused(write_model(tmp_path / "nan", table=table))
    assert error.message == "the model nan computed numbers that are not finite"
    small = refused(write_model(tmp_path / "small", table=TABLE[:5]))
    assert "the model small could not embed 1 texts" in small.message


def test_a_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    assert provider_of(folder, device="cpu", options={"threads": 1}).dimensions == 8
    error = refused(folder, device="toaster")
    assert "cannot use the device 'toaster' here" in error.message
    assert "memory.embeddings.onnx.device to null" in error.hint


@pytest.mark.usefixtures("online")
def test_only_the_chosen_graph_is_downloaded(hub: Hub) -> None:
    folder = write_model(hub.files, pooling="max")
    for other in ("onnx/model_fp16.onnx", "onnx/decoder.onnx", "model.safetensors"):
        (folder / other).write_text("not needed")
    (folder / "onnx/model.onnx_data").write_text("weights of a large graph")
    (row,) = OnnxProvider(settings_for(hub)).embed(["cat sat"], kind="query")
    np.testing.assert_allclose(row, unit(POOLED["max"]), atol=1e-6)
    assert hub.downloaded() == {
        *("onnx/model.onnx", "onnx/model.onnx_data", "tokenizer.json"),
        *("1_Pooling/config.json", "sentence_bert_config.json"),
    }
    asked = len(hub.asked)
    assert OnnxProvider(settings_for(hub)).card.model == "acme/tiny"
    assert len(hub.asked) == asked, "what is on this disk needs no network"


@pytest.mark.usefixtures("online")
def test_a_model_of_the_hub_without_a_graph_is_refused(hub: Hub) -> None:
    folder = write_model(hub.files)
    with pytest.raises(UnavailableError, match=r"acme/tiny has no graph onnx/a\.onnx") as caught:
        assert OnnxProvider(settings_for(hub, graph="onnx/a.onnx")).card
    assert caught.value.hint.endswith("to one of onnx/model.onnx")
    (folder / "onnx/model.onnx").unlink()
    with pytest.raises(UnavailableError, match="the hub's model acme/tiny has no graph in ONNX"):
        assert OnnxProvider(settings_for(hub)).card


def test_a_hub_that_may_not_be_asked_is_not(hub: Hub) -> None:
    with pytest.raises(UnavailableError, match="HF_HUB_OFFLINE forbids") as caught:
        assert OnnxProvider(settings_for(hub)).card
    assert "memory.embeddings.provider to minilm, which needs no hub" in caught.value.hint
    assert hub.asked == []


INTEL = frozenset({"any", "cpu", "avx2", "avx512f", "avx512_vnni"})
PUBLISHED = [
    *("onnx/model.onnx", "onnx/model_O4.onnx", "onnx/model_O3.onnx", "onnx/model_qint8_arm64.onnx"),
    *("onnx/model_quint8_avx2.onnx", "onnx/model_qint8_avx512_vnni.onnx", "openvino/model.xml"),
]


@pytest.mark.parametrize(
    "names, features, chosen",
    [
        pytest.param(PUBLISHED, INTEL, "onnx/model_qint8_avx512_vnni.onnx", id="the fastest"),
        pytest.param(
            PUBLISHED, {"any", "cpu", "avx2"}, "onnx/model_quint8_avx2.onnx", id="an older one"
        ),
        pytest.param(
            PUBLISHED, {"any", "cpu", "arm64"}, "onnx/model_qint8_arm64.onnx", id="another kind"
        ),
        pytest.param(PUBLISHED, {"any", "cpu"}, "onnx/model_O3.onnx", id="an unknown kind"),
        pytest.param(PUBLISHED, {"any", "gpu"}, "onnx/model_O4.onnx", id="a GPU"),
        pytest.param(
            ["onnx/model.onnx", "onnx/model_quantized.onnx"],
            INTEL,
            "onnx/model_quantized.onnx",
            id="for any processor",
        ),
        pytest.param(["model.onnx", "tokenizer.json"], INTEL, "model.onnx", id="at the top"),
        pytest.param(["encoder.onnx"], INTEL, "encoder.onnx", id="the only one"),
        pytest.param(["a.onnx", "b.onnx"], INTEL, None, id="none is known"),
        pytest.param(["config.json"], INTEL, None, id="none"),
    ],
)
def test_the_graph_for_a_machine(names: list[str], features: set[str], chosen: str | None) -> None:
    assert choose_graph(names, features) == chosen


def test_a_machine_has_the_features_of_its_kind() -> None:
    assert {"any", "cpu"} <= features_of(gpu=False)
    assert features_of(gpu=True) == {"any", "gpu"}


def test_the_shipped_model_is_the_one_that_was_measured() -> None:
    from tools.minilm.__main__ import GRAPH_SHA256

    assert hashlib.sha256((DATA / "model.onnx").read_bytes()).hexdigest() == GRAPH_SHA256
    assert GRAPH_SHA256 in (DATA / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert MinilmProvider().card == ModelCard(
        provider="minilm",
        model="all-MiniLM-L6-v2",
        revision=GRAPH_SHA256[:12],
        dimensions=384,
        max_tokens=256,
        batch_size=32,
        fusion_weight=0.53,
        turn_weight=0.45,
        code_weight=0.75,
        unrelated=0.5,
        latin_only=True,
    )


def test_the_shipped_model_is_the_only_one_of_its_name() -> None:
    assert MinilmProvider(ProviderSettings(model="all-MiniLM-L6-v2")).dimensions == 384
    with pytest.raises(ConfigError, match="the embedding provider minilm has no model 'x'"):
        MinilmProvider(ProviderSettings(model="x"))
    with pytest.raises(ConfigError, match="named 'pooling'"):
        MinilmProvider(ProviderSettings(options={"pooling": "cls"}))


@pytest.mark.torch
def test_the_shipped_model_is_near_to_the_original() -> None:
    from tools.minilm.__main__ import LEAST_COSINE, cosines

    assert cosines(100).min() >= LEAST_COSINE


def test_the_libraries_are_loaded_at_the_first_use() -> None:
    code = """
from providers import ProviderSettings, create
provider = create("minilm", ProviderSettings())
assert not {"numpy", "onnxruntime", "tokenizers"} & sys.modules.keys()
print(len(provider.embed(["cat"], kind="query")[0]))
"""
    assert run_python(code) == ("384\n", "")


def test_the_core_works_without_the_extra(tmp_path: Path) -> None:
    code = f"""
sys.modules.update({{name: None for name in ("onnxruntime", "tokenizers", "huggingface_hub")}})
from contracts import UnavailableError
from memory import MemoryConfig, MemoryManager
from providers import ProviderSettings, create
with MemoryManager.open_sync(MemoryConfig(storage_path={str(tmp_path / "m.db")!r})) as memory:
    memory.sync_files(["docs/decisions"])
    print(memory.search("why is a static model built in", max_results=1)[0].citation)
try:
    create("minilm", ProviderSettings())
except UnavailableError as error:
    print(error)
"""
    printed, _ = run_python(code)
    citation, refusal = printed.splitlines()
    assert citation.startswith("docs/decisions/0005")
    assert "minilm needs the library onnxruntime, which is not installed" in refusal
    assert install_hint("onnx") in refusal


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_missing_library_is_named_with_its_extra(library: str, tmp_path: Path) -> None:
    (tmp_path / f"{library}.py").write_text(f"raise ImportError('no {library} here')")
    code = """
from contracts import UnavailableError
from providers import ProviderSettings, create
try:
    create("minilm", ProviderSettings()).embed(["cat"], kind="query")
except UnavailableError as error:
    print(error.message)
    print(error.hint)
"""
    printed, _ = run_python(code, path=tmp_path)
    assert printed.splitlines() == [
        f"a library of the embedding provider minilm does not load: no {library} here",
        f"install it again: {install_hint('onnx')}",
    ]
