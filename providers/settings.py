"""What a provider is told about itself: the part of the configuration that reaches it.

`memory` makes one from a provider's section of the configuration, so that no provider reads a
configuration file or the environment for a key.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contracts import ConfigError, did_you_mean


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Settings of one embedding provider; None leaves the choice to the provider.

    model         name of the model; for local models its folder, if it begins as a path does
    api_key       secret of a remote provider; never part of a repr
    key_variable  of the environment, from which the secret was to come and did not
    base_url      where the provider's server is, if not where the vendor has it
    device        where a local model computes: `cpu`, `cuda`, `mps`
    batch_size    texts in one call, at least 1
    options       what only this provider knows; it refuses names it does not know
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
                f"an embedding batch of {self.batch_size} texts is no batch",
                hint="set memory.embeddings.batch_size to 1 or more",
            )

    @property
    def model_folder(self) -> Path | None:
        """The folder that `model` is, None when it is a name."""
        if self.model is None or not names_folder(self.model):
            return None
        return Path(self.model).expanduser()

    def refuse_unknown_options(self, provider: str, known: Collection[str]) -> None:
        """Raise ConfigError for the first option that is not in `known`."""
        for name in self.options:
            if name not in known:
                raise unknown_name(f"option of the embedding provider {provider}", name, known)


def names_folder(model: str) -> bool:
    """Whether a model's name is a folder's: it begins with `./`, `../`, `~` or a root.

    `models/small` is a name. So no folder that happens to lie in the working directory can stand
    in for a model of its name.
    """
    return model.startswith(("./", "../", "~")) or Path(model).is_absolute()


def unknown_name(what: str, name: str, known: Collection[str]) -> ConfigError:
    """The error for a `name` that is none of `known`, with the nearest that exists."""
    hint = did_you_mean(name, sorted(known))
    return ConfigError(f"there is no {what} named {name!r}", hint=hint)
