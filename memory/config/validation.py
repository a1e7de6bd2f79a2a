"""The light loader from a parsed file to a `Config`, which collects every problem."""

import json
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from types import NoneType
from typing import Any, Final

from contracts import ConfigError, did_you_mean
from memory.config.commented_json import Node
from memory.config.expansion import reads_environment
from memory.config.field_types import accept, describe, fields_of, setting_of
from memory.config.keys import ConfigProblem, all_keys, nearest, sections
from memory.config.sections.embeddings import DEFAULT_MODELS
from memory.config.settings import Config

PROVIDERS = ("static", *DEFAULT_MODELS, "auto")
"""Values of `embeddings.provider` that are valid without asking which plugins are installed."""


def read_config(root: Node) -> tuple[Config, list[ConfigProblem]]:
    """Read the settings that `root` holds, with defaults for the rest; return them and all
    problems.

    A setting with a problem gets its default, so the `Config` is only of use for finding more
    problems. Values are as written: `${VAR}` and relative paths are left alone.
    """
    problems: list[ConfigProblem] = []
    config: Config = _read_section(Config(), root, name="", problems=problems)
    if not problems:
        problems += _contradictions(config, root)
    return config, problems


_KINDS: Final[Mapping[type, str]] = {
    NoneType: "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
}


def checked_config(config: Config) -> tuple[Config, list[ConfigProblem]]:
    """Return settings that were made in Python, with lists as tuples and paths as texts, and all
    problems: there any value can be given. A name of a model is looked up when it is needed.
    """
    problems: list[ConfigProblem] = []
    checked: Config = _checked_section(config, name="", problems=problems)
    return checked, problems or [problem for problem in _combinations(checked) if problem]


def _checked_section(section: Any, *, name: str, problems: list[ConfigProblem]) -> Any:
    values = {}
    for key, item in fields_of(section).items():
        path = f"{name}.{key}" if name else key
        value, default = getattr(section, key), getattr(type(section)(), key)
        try:
            if setting_of(item.type) is not None:
                values[key] = accept(item.type, _plain(value))
            elif isinstance(value, type(default)):
                values[key] = _checked_section(value, name=path, problems=problems)
            else:
                fact = f"{path} is of the type {type(value).__name__}"  # it may hold secrets
                hint = f"give it as {type(default).__name__}"
                problems.append(ConfigProblem(path, fact, hint))
        except ValueError:
            problems.append(refused(path, item.type, value=_plain(value)))
    return type(section)(**values)


def _plain(value: Any, *, within: frozenset[int] = frozenset()) -> Any:
    """Return a value as JSON would have it, numbers of numpy too; what contains itself as `...`."""
    if id(value) in within:
        return ...
    deeper = within | {id(value)}
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(item, within=deeper) for item in value]
    if isinstance(value, dict):
        return {key: _plain(one, within=deeper) for key, one in value.items()}
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


def shown(value: object, *, secret: bool = False) -> str:
    """Format a value for a message: as JSON, shortened, no secret."""
    if secret:
        return "a value of the wrong kind"
    is_json = not _has_odd_names(value)
    text = json.dumps(value, ensure_ascii=False, default=repr) if is_json else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _has_odd_names(value: object) -> bool:
    """Return whether an object in a value has names that are not texts, as only Python can give."""
    if isinstance(value, dict):
        return any(not isinstance(key, str) or _has_odd_names(value[key]) for key in value)
    return isinstance(value, list) and any(map(_has_odd_names, value))


def unknown_key(name: str, offset: int | None = None) -> ConfigProblem:
    """Return the problem of an unknown key, with the nearest known one."""
    known = [*(key.name for key in all_keys()), *sections()]
    near = nearest(name, known)
    if near is None:
        inside = name.rpartition(".")[0]
        siblings = [other for other in known if other.rpartition(".")[0] == inside]
        hint = f"there are: {', '.join(siblings)}" if siblings else "mem config get lists all"
    else:
        hint = f"did you mean {near}?"
    return ConfigProblem(name, f"{name} is an unknown setting", hint, offset)


def _read_section(section: Any, node: Node, *, name: str, problems: list[ConfigProblem]) -> Any:
    if not isinstance(node.content, dict):
        fact = (
            f"{name or 'the configuration'} is {_KINDS[type(node.plain())]}"  # it may be a secret
        )
        problems.append(ConfigProblem(name, fact, "it must be a section: { ... }", node.start))
        return section
    known = fields_of(section)
    values = {}
    for key, member in node.content.items():
        path = f"{name}.{key}" if name else key
        if key in known:
            kind = known[key].type
            default = getattr(section, key)
            if setting_of(kind) is None:
                values[key] = _read_section(default, member, name=path, problems=problems)
            else:
                values[key] = _read_value(kind, member, name=path, problems=problems)
        elif name:  # apart from `memory` and `privacy`, the host application keeps its own sections
            problems.append(unknown_key(path, member.start))
    accepted = {key: value for key, value in values.items() if value is not _REFUSED}
    return type(section)(**accepted)


_REFUSED = object()


def _read_value(kind: Any, node: Node, *, name: str, problems: list[ConfigProblem]) -> Any:
    try:
        return accept(kind, node.plain())
    except ValueError:
        problems.append(refused(name, kind, value=node.plain(), offset=node.start))
        return _REFUSED


def refused(name: str, kind: Any, *, value: object, offset: int | None = None) -> ConfigProblem:
    """Return the problem of a value that its setting does not allow."""
    setting = setting_of(kind)
    is_secret = setting is not None and setting.secret
    fact = f"{name} is {shown(value, secret=is_secret)}"
    allowed = describe(kind)
    if allowed.startswith("an object") and _has_odd_names(value):
        allowed += ", each name a text"
    return ConfigProblem(name, fact, f"it must be {allowed}", offset)


def _contradictions(config: Config, root: Node) -> list[ConfigProblem]:
    """Return the problems of combinations, where every value is allowed by itself, and of names."""
    found = [*_combinations(config), _reranker(config)]
    found += [_provider(config, key) for key in ("provider", "fallback_provider")]
    return [
        ConfigProblem(problem.key, problem.fact, problem.hint, offset_of(root, problem.key))
        for problem in found
        if problem
    ]


def _combinations(config: Config) -> list[ConfigProblem | None]:
    return [_overlap(config), _weights(config), _proxies(config)]


def _overlap(config: Config) -> ConfigProblem | None:
    size = config.memory.chunking.chunk_size_chars
    overlap = config.memory.chunking.chunk_overlap_chars
    if overlap < size:
        return None
    return ConfigProblem(
        "memory.chunking.chunk_overlap_chars",
        f"memory.chunking.chunk_overlap_chars is {overlap}",
        f"it must be less than memory.chunking.chunk_size_chars, which is {size}",
    )


def _weights(config: Config) -> ConfigProblem | None:
    search = config.memory.search
    if (search.vector_weight, search.keyword_weight) != (0, 0):
        return None
    return ConfigProblem(
        "memory.search.vector_weight",
        "memory.search.vector_weight and memory.search.keyword_weight are both 0",
        'at least one of them must be more than 0, or "auto"',
    )


def _reranker(config: Config) -> ConfigProblem | None:
    name = config.memory.search.rerank.provider
    if name == type(config.memory.search.rerank)().provider:
        return None
    from providers.rerankers.base import known_rerankers  # few name another than the default

    if name in known_rerankers():
        return None
    return ConfigProblem(
        "memory.search.rerank.provider",
        f"memory.search.rerank.provider is {shown(name)}, and there is no such reranker",
        did_you_mean(name, known_rerankers()),
    )


def _proxies(config: Config) -> ConfigProblem | None:
    written = [one for one in config.memory.server.proxies if not reads_environment(one)]
    try:
        networks_of(written)
    except ConfigError as error:
        return ConfigProblem("memory.server.proxies", error.message, error.hint)
    return None


def networks_of(proxies: Iterable[str]) -> list[str]:
    """Return the networks of configured proxies. Raises ConfigError for an invalid one.

    An IPv4 network comes as one of IPv6, too: so its clients reach a server that listens on `::`.
    """
    found = []
    for proxy in proxies:
        import ipaddress  # few have one

        try:
            network = ipaddress.ip_network(proxy, strict=False)
        except ValueError as error:
            raise ConfigError(
                f"an entry of memory.server.proxies is not an address: {proxy!r:.100}",
                hint='write it like "192.0.2.7", "192.0.2.0/24" or "2001:db8::7"',
            ) from error
        found.append(str(network))
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found


def _provider(config: Config, key: str) -> ConfigProblem | None:
    name = getattr(config.memory.embeddings, key)
    if name is None or name in PROVIDERS:
        return None
    from providers.registry import known_providers  # slow: it reads which packages are installed

    known = sorted({*PROVIDERS, *known_providers()})
    if name in known:
        return None
    return ConfigProblem(
        f"memory.embeddings.{key}",
        f"memory.embeddings.{key} is {shown(name)}, and no such provider is installed",
        did_you_mean(name, known),
    )


def offset_of(root: Node, name: str) -> int | None:
    """Return the offset of the value of a dotted name, None when it is not in the text."""
    node = root.at(name)
    return None if node is None else node.start
