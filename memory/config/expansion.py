"""The expansion of values as written: `${VAR}` is replaced, paths become absolute."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memory.config.field_types import accept
from memory.config.keys import ConfigProblem, Key, all_keys, value_of, with_values
from memory.config.settings import Config

_VARIABLE = r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}"
_MODEL_KEYS = (
    "memory.embeddings.model",
    "memory.embeddings.onnx.model",
    "memory.embeddings.sentence_transformers.model",
    "memory.search.rerank.model",
)


def reads_environment(value: object) -> bool:
    """Return whether a value as written holds a `${VAR}`."""
    return any("${" in text for text in _texts(value))


def unset_variable(value: object, environ: Mapping[str, str]) -> str | None:
    """Return the first variable of a value as written that is unset or empty; None without one."""
    names = (name for text in _texts(value) for name in re.findall(_VARIABLE, text))
    return next((name for name in names if not environ.get(name)), None)


def expanded_text(text: str, environ: Mapping[str, str]) -> tuple[str, str | None]:
    """Return a text with every `${VAR}` replaced, and the first variable that is unset."""
    return _replace(text, environ), unset_variable(text, environ)


def expand(config: Config, environ: Mapping[str, str]) -> tuple[Config, list[ConfigProblem]]:
    """Return `config` with every `${VAR}` replaced, and the problems of doing so.

    In the section of a provider that is neither chosen nor the fallback, a value with an unset
    variable stays as written. So does any provider's key: keyword search needs none, and code that
    needs one says so.
    """
    idle = _idle_sections(config)
    changes: list[tuple[str, Any]] = []
    problems: list[ConfigProblem] = []
    for key in all_keys():
        value = value_of(config, key.name)
        if not reads_environment(value):
            continue
        found = list(_problems_of(key, value, environ))
        if not found:
            changes.append((key.name, _map_texts(value, lambda text: _replace(text, environ))))
        elif key.section not in idle and not (_is_key(key) and unset_variable(value, environ)):
            problems += found
    return with_values(config, changes), problems


def resolve_paths(config: Config, base_dir: Path) -> Config:
    """Return `config` with absolute paths; relative ones start at `base_dir`, `~` at the home
    folder.
    """

    def absolute(text: str) -> str:
        return resolve(text, base_dir)

    paths = [(key.name, value_of(config, key.name)) for key in all_keys() if key.setting.path]
    models = [(name, value_of(config, name)) for name in _MODEL_KEYS]
    paths += [(name, model) for name, model in models if model and _is_folder(model)]
    return with_values(config, ((name, _map_texts(value, absolute)) for name, value in paths))


def resolve(text: str, base_dir: Path) -> str:
    """Return one path as absolute; symbolic links in it are kept."""
    # Not pathlib's: its expanduser raises for an unknown `~name`, and it keeps "..".
    return os.path.abspath(base_dir / os.path.expanduser(text))  # noqa: PTH100, PTH111


def _is_folder(model: str) -> bool:
    """Return whether a model name is a folder.

    The same rule as `providers.settings.names_folder`, whose package takes long to import.
    """
    return model.startswith(("./", "../", "~")) or Path(model).is_absolute()


def _idle_sections(config: Config) -> set[str]:
    embeddings = config.memory.embeddings
    used = {embeddings.provider, embeddings.fallback_provider}
    sections = {key.section for key in all_keys() if key.section.count(".") == 2}
    providers = {name for name in sections if name.startswith("memory.embeddings.")}
    return {name for name in providers if name.rpartition(".")[2] not in used}


def _is_key(key: Key) -> bool:
    return key.name.endswith(".api_key")


def _problems_of(key: Key, value: object, environ: Mapping[str, str]) -> Iterator[ConfigProblem]:
    if any("${" in re.sub(_VARIABLE, "", text) for text in _texts(value)):
        yield ConfigProblem(
            key.name,
            f"{key.name} has a ${{ that does not begin a variable",
            "write ${NAME}, with letters, digits and underscores",
        )
    names = [name for text in _texts(value) for name in re.findall(_VARIABLE, text)]
    missing = [name for name in names if name not in environ]
    for name in missing:
        yield ConfigProblem(
            key.name,
            f"{key.name} reads ${{{name}}}, and {name} is not set in the environment",
            f"set it: export {name}=...",
        )
    if not missing and not _is_allowed(
        key, _map_texts(value, lambda text: _replace(text, environ))
    ):
        listed = ", ".join(names)
        yield ConfigProblem(
            key.name,
            f"{key.name} is empty or not a text after replacing {listed}",
            f"set {listed} to the value you want",
        )


def _is_allowed(key: Key, value: object) -> bool:
    try:
        accept(key.kind, list(value) if isinstance(value, tuple) else value)
    except ValueError:
        return False
    return True


def _replace(text: str, environ: Mapping[str, str]) -> str:
    return re.sub(_VARIABLE, lambda match: environ.get(match[1], match[0]), text)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, tuple) else ()


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, tuple):
        return tuple(change(text) for text in value)
    return change(value)
