"""Find the files of a model in ONNX: a folder, or the hub's cache."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from contracts import ConfigError, UnavailableError
from contracts.named_tuple import NamedTuple
from providers.model_files import (
    CONFIGURATION,
    EMBEDDING_MODEL,
    HubModel,
    is_hub_name,
    no_such_model,
)
from providers.onnx.graph_choice import FOLDERS, choose_graph, graph_files
from providers.settings import ProviderSettings

SECTION: Final = "memory.embeddings.onnx"
"""The section of these settings in the configuration."""


class ModelPaths(NamedTuple):
    """The folder with a model's declarations and tokenizer.json, and the file of its graph."""

    folder: Path
    graph: Path


def find_model(settings: ProviderSettings, features: Collection[str]) -> ModelPaths:
    """The files of `settings.model`, downloaded if they are not on this disk.

    A folder, or a name on the hub. The option `graph` names the file in it; without, the best one
    for a machine with these `features` is chosen. Raises ConfigError when no model or an invalid
    one is named, UnavailableError when its files are unavailable.
    """
    model, folder, graph = settings.model, settings.model_folder, settings.options.get("graph")
    if model is None:
        raise ConfigError(
            "the embedding provider onnx has no model",
            hint=f"set {SECTION}.model to a folder or to a name on the hub,"
            " or memory.embeddings.provider to minilm",
        )
    if folder is None and is_hub_name(model):
        return _in_the_hub(HubModel(model, settings), graph, features)
    if folder is None or not folder.is_dir():
        raise no_such_model(model, EMBEDDING_MODEL)
    here = _graphs_in(folder)
    chosen = graph if graph in here else None if graph else choose_graph(here, features)
    if chosen is None:
        raise _no_graph(str(folder), graph, here)
    return ModelPaths(folder, folder / chosen)


def weight_files(graph: Path) -> list[Path]:
    """The files that hold a graph and its weights."""
    paths = [graph.with_name(name) for name in graph_files(graph.name)]
    return [path for path in paths if path.is_file()]


def _in_the_hub(model: HubModel, graph: str | None, features: Collection[str]) -> ModelPaths:
    """A graph of the hub's cache if there is one, else the best one of the hub."""
    cached = model.cached()
    if cached is not None:
        here = _graphs_in(cached)
        chosen = graph if graph in here else None if graph else choose_graph(here, features)
        if chosen is not None and _is_complete(cached):
            return ModelPaths(cached, cached / chosen)
    with model.online():
        folder = model.fetch(CONFIGURATION)
        names = model.file_names(folder.name)
        chosen = graph if graph in names else None if graph else choose_graph(names, features)
        if chosen is None:
            raise _no_graph(f"the hub's model {model.repository}", graph, names)
        # The graph comes last: a download cut short leaves a folder without it.
        *_, first = files = [name for name in reversed(graph_files(chosen)) if name in names]
        for name in files:
            model.fetch((name,), commit=folder.name)
    return ModelPaths(folder, folder / first)


def _is_complete(folder: Path) -> bool:
    return (folder / "tokenizer.json").is_file()


def _graphs_in(folder: Path) -> list[str]:
    found = (path for name in FOLDERS for path in (folder / name).glob("*.onnx"))
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _no_graph(place: str, graph: str | None, names: Collection[str]) -> UnavailableError:
    graphs = sorted(name for name in names if name.endswith(".onnx"))
    what = f"no graph {graph}" if graph else "no graph in ONNX"
    if graphs:
        return UnavailableError(
            f"{place} has {what if graph else 'several graphs, none with a usual name'}",
            hint=f"set {SECTION}.graph to one of {', '.join(graphs)}",
        )
    return UnavailableError(
        f"{place} has {what}",
        hint="export one (optimum-cli export onnx), set memory.embeddings.model to another model,"
        " or memory.embeddings.provider to sentence_transformers",
    )
