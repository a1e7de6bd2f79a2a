"""A dry run says what embedding would take, and where text would go, and asks nobody."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from contracts import UnavailableError
from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import sync_files
from memory.index.embedding.costs import PUBLISHED_PRICES, estimated_cost
from memory.index.embedding.model_choice import ChosenModel
from memory.index.spaces.reindex import reindex, reindex_cost
from memory.values.reports import EmbeddingCost
from memory.workspace import Workspace
from providers import ModelCard
from providers.base import Kind
from providers.batching import estimated_tokens
from providers.fake import FakeProvider
from providers.settings import ProviderSettings
from tests.memory.databases import FAKE, PARAGRAPHS, document, fake, opened, use, write
from tests.memory.remote import RemoteFake
from tests.repository import ROOT

PAGE = ROOT / "docs" / "costs.md"


class Elsewhere(FakeProvider):
    """A model of which nothing can be had but its host."""

    def __init__(self, host: str | None) -> None:
        super().__init__()
        self._host = host

    @property
    def host(self) -> str | None:
        return self._host

    @property
    def card(self) -> ModelCard:
        raise AssertionError("a dry run asks nobody")

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        raise AssertionError("a dry run sends nothing")


def chosen(host: str | None, model: str | None) -> ChosenModel:
    found = ChosenModel("vendor", ProviderSettings(model=model))
    found.__dict__["provider"] = Elsewhere(host)
    return found


@pytest.mark.parametrize(
    "host, model, prices, dollars",
    [
        pytest.param(None, "any", {}, 0.0, id="here"),
        pytest.param(None, "any", {"any": 9.0}, 0.0, id="here, whatever the table says"),
        pytest.param("api.openai.com", "text-embedding-3-small", {}, 0.02, id="published"),
        pytest.param("api.voyageai.com", "voyage-4", {"voyage-4": 0.5}, 0.5, id="own"),
        pytest.param("localhost:11434", "text-embedding-3-small", {}, None, id="another's host"),
        pytest.param("localhost:11434", "nomic", {"nomic": 0.0}, 0.0, id="own for any host"),
        pytest.param("api.openai.com", "new", {}, None, id="nobody knows"),
        pytest.param("plugin.example", None, {}, None, id="a plugin's default model"),
    ],
)
def test_the_price_of_a_million_tokens(
    host: str | None, model: str | None, prices: dict[str, float], dollars: float | None
) -> None:
    cost = estimated_cost(chosen(host, model), texts=7, tokens=1_000_000, prices=prices)
    assert cost == EmbeddingCost("vendor", model, host, 7, 1_000_000, dollars)


def test_the_page_shows_the_published_prices() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| ([\d.]+) \|$", PAGE.read_text(), re.MULTILINE)
    assert {(host, model): float(price) for host, model, price in rows} == {
        (host, model): price
        for host, models in PUBLISHED_PRICES.items()
        for model, price in models.items()
    }


def test_a_dry_run_counts_what_the_sync_then_embeds(tmp_path: Path, docs: Path) -> None:
    with opened(tmp_path, embeddings=replace(FAKE, prices={"fake": 1000.0})) as memory:
        write(docs, {"a.md": document(0, 1), "copy.md": document(1), "b.md": document(3)})
        use(memory, provider := RemoteFake())
        cost = sync_files(memory, [docs], dry_run=True).cost
        assert provider.calls == 0
        stats = sync_files(memory, [docs])
        assert (stats.cost, provider.texts_embedded) == (None, 3)
        sql = "SELECT heading, text, body_offset FROM chunks"
        rows = memory.storage.database.read(sql)
        embedded = {f"{heading}\n\n{text[offset:]}" for heading, text, offset in rows}
        tokens = sum(map(estimated_tokens, embedded))
        assert cost == EmbeddingCost("fake", None, "embeddings.example:443", 3, tokens, None)
        again = sync_files(memory, force=True, dry_run=True).cost
        assert again is not None
        assert (again.texts, again.tokens) == (0, 0)


def test_chunks_that_lack_a_vector_are_counted(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    with opened(tmp_path) as memory:
        fake(memory).fail_times = 9
        sync_files(memory, [docs])
        foretold = sync_files(memory, dry_run=True)
        assert (foretold.embedded, foretold.chunks) == (3, 0)
        fake(memory).fail_times = 0
        sync_files(memory)
        write(docs, {"b.md": document(3, 4)})
        fake(memory).fail_times = 9
        sync_files(memory)
        foretold = sync_files(memory, dry_run=True)
        assert foretold.embedded == 2
        assert foretold.cost is not None
        assert foretold.cost.tokens > 2 * len(PARAGRAPHS[3]) / 4
        fake(memory).fail_times = 0
        assert sync_files(memory).embedded == 2


class Nowhere(RemoteFake):
    """Not even the card can be had before somebody answers."""

    @property
    def card(self) -> ModelCard:
        raise UnavailableError("nobody answers", hint="wait")


def test_so_are_those_of_a_database_without_a_space(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2)})
    use(memory, Nowhere())
    sync_files(memory, [docs])
    assert memory.storage.active_space() is None
    assert sync_files(memory, dry_run=True).embedded == 3


def test_the_built_in_model_sends_nothing_anywhere(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0)})
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="static")) as memory:
        cost = sync_files(memory, [docs], dry_run=True).cost
        assert cost is not None
        assert (cost.provider, cost.host, cost.texts, cost.dollars) == ("static", None, 1, 0.0)


def test_a_reindex_costs_what_it_then_embeds(tmp_path: Path, docs: Path) -> None:
    write(docs, {"a.md": document(0, 1, 2), "copy.md": document(1)})
    with opened(tmp_path) as memory:
        sync_files(memory, [docs])
    other = EmbeddingsConfig(provider="fake", model="fake-96", batch_size=4)
    with opened(tmp_path, embeddings=other) as memory:
        before = memory.storage.revision()
        cost = reindex_cost(memory)
        assert memory.storage.revision() == before
        assert (cost.provider, cost.model, cost.texts) == ("fake", "fake-96", 3)
        assert cost.tokens > 3
        assert reindex(memory).embedded == 3
        assert reindex_cost(memory).texts == 0
        assert reindex_cost(memory, provider="fake", model="fake").texts == 0  # known still
