"""The number of examples of a property: fewer each day than in `make test-all`."""

from hypothesis import settings


def examples(thorough: int) -> int:
    """This number where the profile of conftest.py is the thorough one, else its share of it."""
    return max(1, thorough * settings.default.max_examples // 100)
