"""The settings of a provider: the part of the configuration that reaches it.

`memory` makes one from a provider's section of the configuration, so that no provider reads a
configuration file or the environment for a key.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from contracts import ConfigError, did_you_mean

TEST_NAME: Final = "fake"
"""The name of each part that is for tests only."""

TEST_VARIABLE: Final = "SYMBIOSIS_MEMORY_TESTS"
"""The environment variable that admits them when it is `1`."""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Settings of one embedding provider; None leaves the choice to the provider.

    model         name of the model; for local models its folder, if it begins like a path
    api_key       secret of a remote provider; never part of a repr
    key_variable  environment variable of the secret, if it is not set
    base_url      the server's address, if not the vendor's
    device        device of a local model: `cpu`, `cuda`, `mps`
    batch_size    texts in one call, at least 1
    options       options of this provider alone; it refuses unknown names
    """

    model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    key_variable: str | None = None
    base_url: str | None = field(default=None, repr=False)
    device: str | None = None
    batch_size: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.batch_size is not None and self.batch_size < 1:
            raise ConfigError(
                f"an embedding batch cannot have {self.batch_size} texts",
                hint="set memory.embeddings.batch_size to 1 or more",
            )

    @property
    def model_folder(self) -> Path | None:
        """The folder that `model` names, None if it is a model name."""
        if self.model is None or not names_folder(self.model):
            return None
        return Path(self.model).expanduser()

    def refuse_unknown_options(self, provider: str, known: Collection[str]) -> None:
        """Raise ConfigError for the first option that is not in `known`."""
        for name in self.options:
            if name not in known:
                raise unknown_name(f"option of the embedding provider {provider}", name, known)


def names_folder(model: str) -> bool:
    """Return whether a model's name is a folder: it begins with `./`, `../`, `~` or a root.

    `models/small` is a name. So a folder in the working directory never replaces a model of the
    same name.
    """
    return model.startswith(("./", "../", "~")) or Path(model).is_absolute()


def is_usable(name: str) -> bool:
    """Return whether this process may use a part of that name, which is not so for tests' own."""
    return name != TEST_NAME or os.environ.get(TEST_VARIABLE) == "1"


def unknown_name(what: str, name: str, known: Collection[str]) -> ConfigError:
    """The error for a `name` that is not in `known`, with the nearest one that is."""
    hint = did_you_mean(name, sorted(known))
    return ConfigError(f"there is no {what} named {name!r}", hint=hint)
