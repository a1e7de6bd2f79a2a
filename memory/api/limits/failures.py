"""Failed attempts with a token, counted by the client's address."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from memory.api.limits.shared_failures import SharedFailures

MOST_FAILURES: Final = 10
"""Wrong tokens of one address within the window."""

WINDOW_S: Final = 60.0
MOST_ADDRESSES: Final = 4096
"""Addresses remembered; one more replaces the one whose window began first."""

_IPV6_NETWORK_BYTES: Final = 8


@dataclass(slots=True)
class _Window:
    begun: float
    failures: int


class FailureLimit:
    """Counts failures in windows that begin with the first one. Used on the event loop alone."""

    def __init__(
        self,
        *,
        most: int = MOST_FAILURES,
        window_s: float = WINDOW_S,
        addresses: int = MOST_ADDRESSES,
        clock: Callable[[], float] = time.monotonic,
        shared: SharedFailures | None = None,
    ) -> None:
        """`shared` has the failures that other processes of the server met, by the same clock."""
        self._most = most
        self._window_s = window_s
        self._addresses = addresses
        self._clock = clock
        self._shared = shared
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    def retry_after_s(self, address: str) -> int:
        """Return how long an address has to wait, 0 if it need not."""
        self._hear()
        window = self._windows.get(_network(address))
        if window is None or window.failures < self._most:
            return 0
        return max(0, ceil(window.begun + self._window_s - self._clock()))

    def note(self, address: str) -> None:
        """Count a failure of an address."""
        self._hear()
        network, now = _network(address), self._clock()
        self._count(network, now)
        if self._shared is not None:
            self._shared.add(network, now)

    def _hear(self) -> None:
        """Count what other processes met."""
        for network, at_s in self._shared.new() if self._shared is not None else ():
            self._count(network, at_s)

    def _count(self, network: str, now: float) -> None:
        window = self._windows.get(network)
        if window is not None and now - window.begun < self._window_s:
            window.failures += 1
            return
        self._windows.pop(network, None)
        self._windows[network] = _Window(now, 1)
        if len(self._windows) > self._addresses:
            self._windows.popitem(last=False)

    def __len__(self) -> int:
        return len(self._windows)


def _network(address: str) -> str:
    """Return the address, of IPv6 its network: a client has all addresses of one.

    A proxy may send anything in place of an address; all of that counts as one.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if found.version == 6:
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else found.packed[:_IPV6_NETWORK_BYTES].hex()
    return str(found)
