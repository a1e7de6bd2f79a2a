"""The migration of an older configuration file to the present form; comments and layout are kept.

The older forms are those of the Leader-Toolbox, whose constitution this file extends, and names
that people know from similar programs. A table maps each old name; an unknown one is left alone and
listed.
"""

from collections.abc import Mapping
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.config.commented_json import Node, parse, skip_blank
from memory.config.editing import set_value
from memory.config.keys import ConfigProblem, sections
from memory.config.validation import read_config

_EMBEDDINGS = "memory.embeddings"

MOVED: Final[Mapping[str, str]] = {
    "memory.db_path": "memory.storage_path",
    "memory.database": "memory.storage_path",
    "memory.database_path": "memory.storage_path",
    "memory.path": "memory.storage_path",
    "memory.storage.path": "memory.storage_path",
    "memory.storage.backend": "memory.backend",
    "memory.storage_backend": "memory.backend",
    "memory.type": "memory.backend",
    "embedding_model": f"{_EMBEDDINGS}.model",
    "embedding_provider": f"{_EMBEDDINGS}.provider",
    "memory.embedding_model": f"{_EMBEDDINGS}.model",
    "memory.embedding_provider": f"{_EMBEDDINGS}.provider",
    "memory.embedding.model": f"{_EMBEDDINGS}.model",
    "memory.embedding.model_name": f"{_EMBEDDINGS}.model",
    "memory.embedding.provider": f"{_EMBEDDINGS}.provider",
    "memory.embedding.batch_size": f"{_EMBEDDINGS}.batch_size",
    f"{_EMBEDDINGS}.model_name": f"{_EMBEDDINGS}.model",
    f"{_EMBEDDINGS}.backend": f"{_EMBEDDINGS}.provider",
    f"{_EMBEDDINGS}.fallback": f"{_EMBEDDINGS}.fallback_provider",
    f"{_EMBEDDINGS}.cache": f"{_EMBEDDINGS}.cache_embeddings",
    f"{_EMBEDDINGS}.api_key": f"{_EMBEDDINGS}.openai.api_key",
    f"{_EMBEDDINGS}.base_url": f"{_EMBEDDINGS}.openai.base_url",
    f"{_EMBEDDINGS}.google.api_key": f"{_EMBEDDINGS}.gemini.api_key",
    f"{_EMBEDDINGS}.google.model": f"{_EMBEDDINGS}.gemini.model",
    f"{_EMBEDDINGS}.voyageai.api_key": f"{_EMBEDDINGS}.voyage.api_key",
    f"{_EMBEDDINGS}.voyageai.model": f"{_EMBEDDINGS}.voyage.model",
    "memory.top_k": "memory.search.max_results",
    "memory.search.top_k": "memory.search.max_results",
    "memory.search.k": "memory.search.max_results",
    "memory.search.limit": "memory.search.max_results",
    "memory.search.threshold": "memory.search.min_score",
    "memory.search.score_threshold": "memory.search.min_score",
    "memory.search.similarity_threshold": "memory.search.min_score",
    "memory.search.hybrid": "memory.search.hybrid_enabled",
    "memory.search.semantic_weight": "memory.search.vector_weight",
    "memory.search.bm25_weight": "memory.search.keyword_weight",
    "memory.chunk_size": "memory.chunking.chunk_size_chars",
    "memory.chunk_overlap": "memory.chunking.chunk_overlap_chars",
    "memory.chunking.chunk_size": "memory.chunking.chunk_size_chars",
    "memory.chunking.size": "memory.chunking.chunk_size_chars",
    "memory.chunking.chunk_overlap": "memory.chunking.chunk_overlap_chars",
    "memory.chunking.overlap": "memory.chunking.chunk_overlap_chars",
    "memory.watch_directories": "memory.files.watch_directories",
    "memory.files.directories": "memory.files.watch_directories",
    "memory.files.paths": "memory.files.watch_directories",
    "memory.files.patterns": "memory.files.file_patterns",
    "memory.files.watch": "memory.files.auto_sync",
    "memory.files.sync_interval": "memory.files.sync_interval_seconds",
    "memory.retention_hours": "memory.session_retention_hours",
    "memory.opt_in": "memory.long_term_opt_in",
    "privacy.retention_days": "privacy.log_retention_days",
    "privacy.pii_redaction": "privacy.auto_pii_redaction",
}
"""New names of settings by their old names."""

_OF_SYMBIOSIS: Final[Mapping[str, tuple[str, ...]]] = {
    "short_term": ("size",),
    "mid": ("capacity", "promote_hits", "demote_age_days"),
    "scoring": ("w_freq", "w_recency", "w_importance", "lambda"),
    "extractor": ("mode",),
    "llm": ("provider", "endpoint", "model", "api_key_env", "timeout_s"),
    "fts": ("enabled",),
}
"""The sections of a `config.json` of Symbiosis-Memory, which stand at the top of the file there."""

_PROVIDERS = {
    **dict.fromkeys(
        ("sentence-transformers", "huggingface", "hf", "local"), "sentence_transformers"
    ),
    **dict.fromkeys(
        ("google", "google-generativeai", "google_generativeai", "google-genai"), "gemini"
    ),
    **dict.fromkeys(("voyageai", "voyage-ai"), "voyage"),
    **dict.fromkeys(("default", "builtin", "built-in"), "static"),
}
RENAMED_VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "memory.backend": {
        **dict.fromkeys(("in_memory", "in-memory", "inmemory", "ram", "faiss"), "memory"),
        **dict.fromkeys(("sqlite3", "persistent", "file"), "sqlite"),
        **dict.fromkeys(("postgresql", "pgvector", "pg"), "postgres"),
    },
    f"{_EMBEDDINGS}.provider": _PROVIDERS,
    f"{_EMBEDDINGS}.fallback_provider": _PROVIDERS,
}
"""New names of values by old ones, for each setting."""


class Step(NamedTuple):
    """One change: the setting's old and new name, and its value before and after."""

    before: str
    after: str
    old: Any
    new: Any


class Migration(NamedTuple):
    """The result of a migration: the new text of a file, the steps, and the remaining problems."""

    text: str
    steps: list[Step]
    problems: list[ConfigProblem]


def migrate_config(text: str, *, name: str) -> Migration:
    """Migrate the text of a file to the present form; messages call it `name`.

    A setting that is there in both forms keeps the value of the present one, and the older one is
    removed. Raises ConfigError for a text that is not JSON with comments.
    """
    steps: list[Step] = []
    for before, after in _moves(parse(text, name=name)).items():
        root = parse(text, name=name)
        node = root.at(before)
        if node is None or isinstance(node.content, dict):
            continue
        old = node.plain()
        present = root.at(after)
        new = _renamed(after, old) if present is None else present.plain()
        if present is None:
            text = set_value(text, root, name=after, value=new)
        text = _without(text, parse(text, name=name), before)
        text = _without_empty(text, before.rpartition(".")[0], name=name)
        steps.append(Step(before, after, old, new))
    for key in RENAMED_VALUES:
        root = parse(text, name=name)
        node = root.at(key)
        if node is not None and (new := _renamed(key, node.plain())) != node.plain():
            text = set_value(text, root, name=key, value=new)
            steps.append(Step(key, key, node.plain(), new))
    _, problems = read_config(parse(text, name=name))
    return Migration(text, steps, problems)


def _moves(root: Node) -> Mapping[str, str]:
    """Return the new names by the old ones, for the form of a file.

    Sections beside `memory` are another program's, so those of Symbiosis-Memory count only where
    the file has no `memory` and has the two that nothing else has.
    """
    if root.at("memory") or not (root.at("short_term.size") and root.at("scoring.w_freq")):
        return MOVED
    names = [f"{section}.{key}" for section, keys in _OF_SYMBIOSIS.items() for key in keys]
    return {**MOVED, **{name: f"memory.{name}" for name in names}}


def _renamed(key: str, value: Any) -> Any:
    names = RENAMED_VALUES.get(key, {})
    return names.get(value.lower(), value) if isinstance(value, str) else value


def _without(text: str, root: Node, name: str) -> str:
    """Return `text` without a member, its comma, and its line if nothing else is on it."""
    inside, _, key = name.rpartition(".")
    section = root.at(inside) if inside else root
    if section is None or not isinstance(section.content, dict):
        return text
    members = list(section.content.items())
    index = [each for each, _ in members].index(key)
    node = members[index][1]
    at = section.start + 1
    if index:
        at = skip_blank(text, members[index - 1][1].end) + 1  # past the comma
    start, end = skip_blank(text, at), node.end
    after = skip_blank(text, end)
    if text[after] == ",":
        end = after + 1
    elif index:  # the last member: remove the comma before it
        text = text[: at - 1] + text[at:]
        start, end = start - 1, end - 1
        if not text[at - 1 : start].strip():  # and the blanks between them, except a line break
            start = start if "\n" in text[at - 1 : start] else at - 1
    return _cut_line(text, start, end)


def _cut_line(text: str, start: int, end: int) -> str:
    line = text.rfind("\n", 0, start) + 1
    rest = text.find("\n", end)
    if rest < 0 or text[line:start].strip() or text[end:rest].strip():
        return text[:start] + text[end:].lstrip(" \t")
    return text[:line] + text[rest + 1 :]


def _without_empty(text: str, section: str, *, name: str) -> str:
    """Return `text` without a section that is now empty, unless the new form has that section."""
    while section and section != "memory":
        root = parse(text, name=name)
        node = root.at(section)
        if node is None or node.content != {} or section in sections():
            break
        text = _without(text, root, section)
        section = section.rpartition(".")[0]
    return text
