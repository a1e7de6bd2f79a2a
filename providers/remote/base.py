"""The common part of all remote providers: clean texts, retries, checked rows.

A vendor's module only defines how its library is called and what its errors mean.
"""

import threading
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from math import hypot, isfinite
from typing import Final

from providers.base import EmbeddingProvider, Kind
from providers.remote.retry import RETRY_LIMITS, Clock, retried, within
from providers.remote.service_errors import Service
from providers.settings import ProviderSettings
from providers.text import well_formed

_TIMEOUT_S: Final = 60.0
_CONCURRENCY: Final = 4
_UNIT: Final = 1e-6
"""The largest difference of a norm from 1 by rounding alone."""


class RemoteProvider(EmbeddingProvider):
    """An embedding model computed by another machine, or by another program on this one.

    A blank text is not sent, since servers refuse it: its row is zero. Rows are normalised here,
    whatever the model returns, so that a card may call them normalised.
    """

    def __init__(
        self, service: Service, settings: ProviderSettings, *, clock: Clock | None = None
    ) -> None:
        """Of the settings' options it reads `timeout_seconds` and `concurrency`."""
        self._service = service
        self._settings = settings  # its repr shows no key
        self._timeout_s: float = settings.options.get("timeout_seconds") or _TIMEOUT_S
        self._concurrency: int = settings.options.get("concurrency") or _CONCURRENCY
        self._clock = clock or Clock()
        self._dimensions_seen: int | None = None
        self._card_lock = threading.Lock()

    @property
    def host(self) -> str:
        return self._service.host

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        """One unit row per text, zero for a blank one. Any thread may call it.

        A question is tried at most twice within seconds, documents several times within minutes.
        """
        worded = [position for position, text in enumerate(texts) if text and not text.isspace()]
        if not worded:
            return [self._zero_row() for _ in texts]
        sent = [well_formed(texts[position]) for position in worded]
        rows = self._checked(self._ask(sent, kind=kind), len(sent))
        if len(worded) == len(texts):
            return rows
        answer = [[0.0] * len(rows[0]) for _ in texts]
        for position, row in zip(worded, rows, strict=True):
            answer[position] = row
        return answer

    def prepare(self) -> None:
        """Load the vendor's library, outside any call's time.

        Raises UnavailableError without a usable key.
        """

    @abstractmethod
    def request(
        self, texts: Sequence[str], *, kind: Kind, timeout_s: float
    ) -> Sequence[Sequence[float]]:
        """One call of the vendor's library, without its retries; rows in the order of the texts.

        Raises TransientError for failures that may pass, RefusedTexts for texts that never will,
        and UnavailableError for everything else: all of them made by the `Service`.
        """

    def dimensions_expected(self) -> int | None:
        """The expected length of rows, None if unknown; makes no request."""
        return None

    def _ask_for_dimensions(self) -> int:
        """The length of a row for a short text, requested once."""
        with self._card_lock:
            if self._dimensions_seen is None:
                (row,) = self._checked(self._ask(["dimensions"], kind="query"), 1)
                self._dimensions_seen = len(row)
            return self._dimensions_seen

    def _ask(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Sequence[float]]:
        def call(left_s: float) -> Sequence[Sequence[float]]:
            limit_s = min(self._timeout_s, left_s)
            with suppress(TimeoutError):
                return within(limit_s, lambda: self.request(texts, kind=kind, timeout_s=limit_s))
            raise self._service.silent(limit_s)

        self.prepare()
        return retried(call, RETRY_LIMITS[kind], clock=self._clock)

    def _checked(self, rows: Sequence[Sequence[float]], count: int) -> list[list[float]]:
        """The rows as unit vectors. Raises UnavailableError if they do not fit the request."""
        if len(rows) != count:
            raise self._service.garbage(f"{len(rows)} embeddings for {count} texts")
        expected = self.dimensions_expected() or self._dimensions_seen or len(rows[0])
        for row in rows:
            if len(row) != expected or not row:
                raise self._service.garbage(f"{len(row)} dimensions in place of {expected}")
        try:
            norms = [hypot(*row) for row in rows]
        except TypeError:
            raise self._service.garbage("embeddings that are not numbers") from None
        if not all(map(isfinite, norms)):
            raise self._service.garbage("numbers that are not finite")
        return [_unit(row, norm) for row, norm in zip(rows, norms, strict=True)]

    def _zero_row(self) -> list[float]:
        return [0.0] * self.card.dimensions


def _unit(row: Sequence[float], norm: float) -> list[float]:
    if norm == 0 or abs(norm - 1) < _UNIT:
        return list(row)
    return [value / norm for value in row]
