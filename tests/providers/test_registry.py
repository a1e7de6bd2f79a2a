"""Providers are found by name: built in, or installed by somebody else; and cheaply."""

from pathlib import Path
from textwrap import dedent

import pytest

from contracts import ConfigError, UnavailableError, install_hint
from providers import ProviderSettings, create, known_providers
from providers.fake import FakeProvider
from tests.providers.python import run_python

PLUGIN = """
    from providers import EmbeddingProvider, ModelCard


    class LengthProvider(EmbeddingProvider):
        def __init__(self, settings):
            self.settings = settings

        @property
        def card(self):
            model = self.settings.model or "length"
            return ModelCard(provider="{name}", model=model, revision="1", dimensions=1)

        def embed(self, texts, *, kind):
            return [[1.0 if text else 0.0] for text in texts]


    def not_a_provider(settings):
        return settings
"""


def install_plugin(site: Path, name: str, *, target: str, source: str = PLUGIN) -> None:
    """Writes what pip would: a module and its distribution's folder with the entry point."""
    module = target.partition(":")[0]
    (site / f"{module}.py").write_text(dedent(source).format(name=name))
    distribution = site / f"{module}-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (distribution / "entry_points.txt").write_text(
        f"[symbiosis_memory.providers]\n{name} = {target}\n"
    )


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_name_is_made_with_its_settings() -> None:
    provider = create("fake", ProviderSettings(model="mine", options={"dimensions": 8}))
    assert isinstance(provider, FakeProvider)
    assert (provider.model_name, provider.dimensions) == ("mine", 8)


def test_the_built_in_names_are_known() -> None:
    local = {"fake", "minilm", "onnx", "sentence_transformers", "static"}
    assert {*local, "gemini", "openai", "voyage"} <= set(known_providers())
    assert list(known_providers()) == sorted(known_providers())


def test_an_unknown_name_is_offered_the_nearest() -> None:
    with pytest.raises(
        ConfigError, match="no embedding provider named 'sentence-transformer'"
    ) as e:
        create("sentence-transformer", ProviderSettings())
    assert e.value.hint.startswith("did you mean 'sentence_transformers'? there are: fake, ")
    assert "static" in e.value.hint


def test_a_name_like_no_other_is_offered_them_all() -> None:
    with pytest.raises(ConfigError, match="named 'q'") as caught:
        create("q", ProviderSettings())
    assert caught.value.hint.startswith("there are: fake, ")


def test_the_built_in_model_knows_its_names() -> None:
    default = create("static", ProviderSettings())
    named = create("static", ProviderSettings(model=default.model_name))
    assert named.card == default.card


def test_the_built_in_model_is_read_from_another_folder(tmp_path: Path) -> None:
    elsewhere = create("static", ProviderSettings(model=str(tmp_path)))
    with pytest.raises(UnavailableError, match=str(tmp_path)):
        assert elsewhere.card


def test_the_built_in_model_is_no_other_model() -> None:
    with pytest.raises(ConfigError, match="static has no model 'all-MiniLM-L6-v2'") as caught:
        create("static", ProviderSettings(model="all-MiniLM-L6-v2"))
    assert "memory.embeddings.model to null" in caught.value.hint


def test_an_installed_plugin_is_used(tmp_path: Path) -> None:
    install_plugin(tmp_path, "length", target="plugin_by_path:LengthProvider")
    printed, _ = run_python(
        """
        from providers import ProviderSettings, create, known_providers
        provider = create("length", ProviderSettings(model="long"))
        print("length" in known_providers(), provider.card.provider, provider.model_name)
        print(provider.embed(["a", ""], kind="query"))
        """,
        path=tmp_path,
    )
    assert printed == "True length long\n[[1.0], [0.0]]\n"


def test_a_plugin_is_known_and_offered(site: Path) -> None:
    install_plugin(site, "length", target="plugin_known:LengthProvider")
    assert "length" in known_providers()
    assert create("length", ProviderSettings()).dimensions == 1
    with pytest.raises(ConfigError) as caught:
        create("lenght", ProviderSettings())
    assert caught.value.hint.startswith("did you mean 'length'?")


def test_a_plugin_does_not_replace_what_is_built_in(site: Path) -> None:
    install_plugin(site, "fake", target="plugin_impostor:LengthProvider")
    assert isinstance(create("fake", ProviderSettings()), FakeProvider)


@pytest.mark.parametrize(
    "target, source, reason",
    [
        pytest.param(
            "plugin_needs:make", "import no_such_library", "No module named", id="library"
        ),
        pytest.param("plugin_lacks:make", "", "no attribute 'make'", id="attribute"),
    ],
)
def test_a_plugin_that_does_not_load_is_named(
    site: Path, target: str, source: str, reason: str
) -> None:
    install_plugin(site, "broken", target=target, source=source)
    with pytest.raises(UnavailableError, match=rf"broken \({target}\) does not load: .*{reason}"):
        create("broken", ProviderSettings())


def test_a_plugin_that_makes_something_else_is_refused(site: Path) -> None:
    install_plugin(site, "odd", target="plugin_odd:not_a_provider")
    with pytest.raises(
        ConfigError, match="made a ProviderSettings, which is not an EmbeddingProvider"
    ):
        create("odd", ProviderSettings())


def test_two_plugins_of_one_name_are_refused(site: Path) -> None:
    install_plugin(site, "twin", target="plugin_first:LengthProvider")
    install_plugin(site, "twin", target="plugin_second:LengthProvider")
    with pytest.raises(
        ConfigError, match="twin: plugin_first:LengthProvider, plugin_second:LengthProvider"
    ):
        create("twin", ProviderSettings())


def test_a_built_in_name_costs_no_library() -> None:
    loaded, _ = run_python(
        """
        from providers import ProviderSettings, create
        create("fake", ProviderSettings()).embed(["a"], kind="query")
        print(*sys.modules)
        """
    )
    assert "providers.fake" in loaded.split()
    heavy = {
        "numpy",
        "importlib.metadata",
        "difflib",
        "torch",
        "providers.sentence_transformers.provider",
    }
    assert not heavy & set(loaded.split())


def test_providers_are_exported_and_loaded_when_they_are_used() -> None:
    printed, _ = run_python(
        """
        import sys
        import providers
        before = set(sys.modules)
        from providers import GeminiProvider, OpenAIProvider, VoyageProvider
        from providers import ProviderSettings, SentenceTransformersProvider
        print(OpenAIProvider(ProviderSettings(base_url="http://127.0.0.1:1/v1")).host)
        print(*(name for name in before if name.startswith("providers.")))
        print(*({name.partition(".")[0] for name in sys.modules} & {"numpy", "torch", "openai"}))
        """
    )
    host, before, heavy = printed.split("\n")[:3]
    assert host == "127.0.0.1:1"
    loaded = {"base", "registry", "settings"}
    assert set(before.split()) == {f"providers.{name}" for name in loaded}
    assert heavy == ""


def test_other_names_are_not_exported() -> None:
    with pytest.raises(ImportError, match="cannot import name 'MistralProvider'"):
        exec("from providers import MistralProvider")


@pytest.mark.parametrize(
    "name, library, extra",
    [
        ("gemini", "google.genai", "gemini"),
        ("minilm", "onnxruntime", "onnx"),
        ("onnx", "onnxruntime", "onnx"),
        ("openai", "openai", "openai"),
        ("sentence_transformers", "sentence_transformers", "sentence-transformers"),
        ("voyage", "voyageai", "voyage"),
    ],
)
def test_a_missing_library_is_an_extra_to_install(name: str, library: str, extra: str) -> None:
    # -I -S: the standard library alone, as if nothing had been installed.
    printed, _ = run_python(
        f"""
        from contracts import UnavailableError
        from providers import ProviderSettings, create
        try:
            create("{name}", ProviderSettings())
        except UnavailableError as error:
            print(error.message, error.hint, sep="\\n")
        """,
        "-I",
        "-S",
    )
    assert printed.splitlines() == [
        f"the embedding provider {name} needs the library {library}, which is not installed",
        install_hint(extra),
    ]


@pytest.mark.parametrize("name", ["gemini", "openai", "voyage"])
def test_a_vendors_library_waits_for_the_first_request(name: str) -> None:
    loaded, _ = run_python(
        f"""
        from providers import ProviderSettings, create
        print(create("{name}", ProviderSettings(api_key="k")).card.dimensions)
        print(*sys.modules)
        """
    )
    assert f"providers.remote.{name}" in loaded.split()
    heavy = {"google.genai", "voyageai", "openai", "httpx", "requests", "pydantic", "numpy"}
    assert not heavy & set(loaded.split())
