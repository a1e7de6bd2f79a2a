"""The common needs of sentence-transformers models: reading one, silence and a device.

Nothing heavy is imported before a function is called.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final, TypeVar

from contracts import UnavailableError, install_hint
from providers.model_files import first_line
from providers.sentence_transformers.model_folder import find_model
from providers.settings import ProviderSettings

M = TypeVar("M")

UNREADABLE: Final = (
    ImportError,
    OSError,
    ValueError,
    RuntimeError,
    LookupError,
    TypeError,
    AttributeError,
)
"""The library's errors for files that are not a model, in addition to those of safetensors."""

_CHATTY: Final = ("sentence_transformers", "transformers", "huggingface_hub")


def require_device(device: str | None, *, section: str) -> None:
    """Raise UnavailableError if torch has no such device; `section` is where it was set."""
    import torch

    if device is None:
        return
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UnavailableError(
            f"torch cannot use the device {device!r} here: {first_line(error)}",
            hint=f"set {section}.device to cpu, or to null to let torch choose",
        ) from error


def read_model(
    settings: ProviderSettings, read: Callable[[Path, ProviderSettings], M], *, key: str
) -> tuple[Path, M]:
    """Find the folder of a model, which the setting `key` names, and have `read` load it.

    Raises what both do, and UnavailableError when the library itself does not load.
    """
    # OpenMP reads this when torch loads it. Otherwise its threads spin while they wait for one
    # another, and on busy cores that makes a query up to 40 times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        with quiet():
            folder = find_model(settings, key=key)
            return folder, read(folder, settings)
    except ImportError as error:
        raise UnavailableError(
            f"the library sentence-transformers does not load: {first_line(error)}",
            hint=f"install it again: {install_hint('sentence-transformers')}",
        ) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' progress bars, notices and warnings off the user's terminal."""
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()


class _Silence:
    """Process-wide settings, so they last from the first thread that needs them to the last.

    If each thread undid its own, the second would leave the first one's in place.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._undo = ExitStack()

    def begin(self) -> None:
        with self._lock:
            if not self._users:
                self._undo.enter_context(_silenced())
            self._users += 1

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._undo.close()


_SILENCE: Final = _Silence()


@contextmanager
def _silenced() -> Iterator[None]:
    import warnings

    transformers_logging = import_module("transformers.utils.logging")
    loggers = [logging.getLogger(name) for name in _CHATTY]
    levels = [logger.level for logger in loggers]
    had_bars = transformers_logging.is_progress_bar_enabled()
    try:
        transformers_logging.disable_progress_bar()
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if had_bars:
            transformers_logging.enable_progress_bar()
