"""Comparison of the names that a question asks for with qualified names of definitions."""

from collections.abc import Iterable


def name_endings(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the endings of dotted names at their dots, each after the last part of its name."""
    found = []
    for name in names:
        parts = name.split(".")
        found += [(parts[-1], ".".join(parts[start:])) for start in range(len(parts))]
    return found
