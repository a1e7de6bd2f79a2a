"""A provider of embeddings over the network, with answers of its protocol and what each means."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from _pytest.mark import ParameterSet

from providers import ProviderSettings
from providers.remote.base import RemoteProvider
from tests.providers.wire.server import Answer, Service, WireServer
from tests.providers.wire.sleeper import Sleeper

Making: TypeAlias = Callable[..., Any]
"""Makes the provider of a vendor, of any of its classes, that asks a server of the test."""


@dataclass(frozen=True)
class Vendor:
    """One of them. The cases are parameters of a test.

    `for_good`: an answer, and what the message and the hint then say. `refused`: an answer, and the
    reason. `passing`: an answer, and the seconds that are slept before the next call. `soon`: an
    answer to a question, and what the message then says. `quoting` are answers that quote the key.
    """

    name: str
    provider: Callable[..., RemoteProvider]
    answer: Service
    key: str
    path: str
    row: Callable[[str], list[float]]
    for_good: Sequence[ParameterSet]
    refused: Sequence[ParameterSet]
    passing: Sequence[ParameterSet]
    soon: Sequence[ParameterSet]
    quoting: Sequence[Answer]

    def making(self, server: WireServer, sleeper: Sleeper) -> Making:
        def made(
            *,
            model: str | None = None,
            api_key: str | None = self.key,
            path: str = self.path,
            batch_size: int | None = None,
            **options: Any,
        ) -> RemoteProvider:
            settings = ProviderSettings(
                model=model,
                api_key=api_key,
                base_url=server.url + path,
                batch_size=batch_size,
                options=options,
            )
            return self.provider(settings, clock=sleeper.clock)

        return made
