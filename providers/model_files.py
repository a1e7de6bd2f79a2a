"""The files of local models: those on the hub, the hash that names weights, declared prompts.

A model on this disk is used as it is, without network access: asking the hub for updates would
change the vectors of an index, and reveal when the program runs.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from contracts import ConfigError, UnavailableError
from providers.base import Kind
from providers.settings import ProviderSettings

EMBEDDING_MODEL: Final = "memory.embeddings.model"
"""The setting that names the model, unless the caller passes another."""

CONFIGURATION: Final = ("*.json", "*.txt", "*.model")
"""The files of a model in the hub that are neither weights nor code."""

PROMPT_NAMES: Final[Mapping[Kind, tuple[str, ...]]] = {
    "query": ("query",),
    "document": ("document", "passage", "corpus"),
}
"""The names that models use for the prompts of a kind, as looked up by `encode_query` and
`encode_document` of sentence-transformers.
"""

_ORGANISATION: Final = "sentence-transformers"
"""The organisation whose models the hub's users call by their bare name."""

_HUB_NAME: Final = re.compile(r"\w[\w.-]*(/[\w.-]+)?", re.ASCII)


def short_name(model: str, folder: Path | None) -> str:
    """The model's name on its card: a folder's last part, or a name without the usual owner."""
    return folder.resolve().name if folder else model.removeprefix(f"{_ORGANISATION}/")


def is_hub_name(model: str) -> bool:
    """Return whether the hub could have a model of this name."""
    return _HUB_NAME.fullmatch(model) is not None


def no_such_model(model: str, key: str) -> ConfigError:
    """The error for a `model` that is neither a folder of one nor a valid name."""
    return ConfigError(
        f"there is no model {model!r}",
        hint=f"set {key} to a folder with a config.json (./, ../, ~ or / first)"
        " or to a name on the hub",
    )


def digest(files: Sequence[Path]) -> str:
    """A short hash of weights: equal weights have equal hashes, whatever their source.

    The first 12 hexadecimal digits of the file's SHA-256, which the hub shows beside it; of several
    files, those of the SHA-256 of their digests in the given order.
    """
    digests = [_sha256(file) for file in files]
    if len(digests) != 1:
        digests = [hashlib.sha256("".join(digests).encode()).hexdigest()]
    return digests[0][:12]


def prompt_for(
    kind: Kind, settings: ProviderSettings, prompts: Mapping[str, str | None], default: str | None
) -> str:
    """The configured prompt, the model's first non-empty one, or its default one."""
    configured: str | None = settings.options.get(f"{kind}_prompt")
    if configured is not None:
        return configured
    names = (*PROMPT_NAMES[kind], default or "")
    return next((prompt for name in names if (prompt := prompts.get(name))), "")


def first_line(error: BaseException) -> str:
    """The first line of a library's error, without the advice after it."""
    return str(error).strip().partition("\n")[0]


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model on the hub, with `api_key` as the user's token and `base_url` as the hub's address if
    it is not the public one; the option `revision` is a commit or branch.

    `key` is the setting that names the model.
    """

    name: str
    settings: ProviderSettings
    key: str = EMBEDDING_MODEL

    @property
    def repository(self) -> str:
        return self.name if "/" in self.name else f"{_ORGANISATION}/{self.name}"

    def cached(self, *, ignored: Sequence[str] = ()) -> Path | None:
        """The folder of the model in the hub's cache; None if it is not there."""
        from huggingface_hub.errors import LocalEntryNotFoundError

        try:
            return self._snapshot(
                CONFIGURATION, self.settings.options.get("revision"), ignored, local=True
            )
        except LocalEntryNotFoundError:
            return None

    def fetch(
        self, patterns: Sequence[str], *, commit: str | None = None, ignored: Sequence[str] = ()
    ) -> Path:
        """The folder of one commit in the hub's cache, after downloading the files that match."""
        revision = commit or self.settings.options.get("revision")
        return self._snapshot(patterns, revision, ignored, local=False)

    def file_names(self, commit: str) -> list[str]:
        """The paths of all files of one commit, as the hub lists them."""
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.settings.base_url, token=self.settings.api_key)
        names: list[str] = api.list_repo_files(self.repository, revision=commit)
        return names

    @contextmanager
    def online(self) -> Iterator[None]:
        """Translate what the hub's client raises in the block to UnavailableError."""
        # The base error of the HTTP library that the hub's client uses in this version.
        http_error: type[Exception] = import_module("huggingface_hub.errors").HTTPError
        try:
            yield
        except (OSError, http_error) as error:
            raise self._unreachable(error) from error

    def _snapshot(
        self,
        patterns: Sequence[str],
        revision: str | None,
        ignored: Sequence[str],
        *,
        local: bool,
    ) -> Path:
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.settings.base_url, token=self.settings.api_key)
        return Path(
            api.snapshot_download(
                self.repository,
                revision=revision,
                allow_patterns=list(patterns),
                ignore_patterns=list(ignored),
                local_files_only=local,
            )
        )

    def _unreachable(self, error: Exception) -> UnavailableError:
        from huggingface_hub.constants import HF_HUB_OFFLINE
        from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

        if isinstance(error, GatedRepoError):
            return UnavailableError(
                f"the hub gives {self.repository} only to those who accepted its terms",
                hint="accept them on the model's page and put your token into HF_TOKEN",
            )
        if isinstance(error, RepositoryNotFoundError):
            return UnavailableError(
                f"the hub shows no model {self.repository} to this user",
                hint=f"check {self.key}; for a private model put your token into HF_TOKEN",
            )
        reason = first_line(error.__cause__ or error)
        if HF_HUB_OFFLINE:
            reason = "HF_HUB_OFFLINE forbids asking the hub"
        return UnavailableError(
            f"the model {self.repository} is not on this disk and was not downloaded: {reason}",
            hint=self._without_the_hub(),
        )

    def _without_the_hub(self) -> str:
        folder = f"set {self.key} to a folder"
        if self.key == EMBEDDING_MODEL:
            return f"set memory.embeddings.provider to minilm, which needs no hub; or {folder}"
        return f"try again with access to the hub, or {folder}"


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
