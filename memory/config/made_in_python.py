"""Settings that a program makes in Python, checked as those of a file are."""

import os
from pathlib import Path

from contracts import ConfigError
from memory.config.expansion import expand, resolve_paths
from memory.config.loading import LoadedConfig, load_config
from memory.config.settings import Config, MemoryConfig


def loaded_config(config: MemoryConfig | LoadedConfig | None) -> LoadedConfig:
    """Return the configuration of a program: one that it has loaded, its own settings, or, for
    None, the one that applies in the working directory. Raises ConfigError for invalid settings.
    """
    if config is None:
        return load_config()
    if isinstance(config, LoadedConfig):
        return config
    if not isinstance(config, MemoryConfig):
        raise ConfigError(
            f"the configuration is {config!r}", hint="give a MemoryConfig or a LoadedConfig"
        )
    return _given(Config(memory=config))


def _given(config: Config) -> LoadedConfig:
    """Return settings made in Python as if a file in the working directory had them."""
    from memory.config.validation import checked_config  # those of a file are checked already

    checked, problems = checked_config(config)
    expanded, unset = expand(checked, os.environ)
    problems += unset
    if problems:
        raise ConfigError(problems[0].fact, hint=problems[0].hint)
    here = Path.cwd()
    return LoadedConfig(resolve_paths(expanded, here), checked, None, here, "argument")
