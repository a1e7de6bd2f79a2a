"""The listening socket of the server: the address is checked and bound before anything else."""

import errno
import ipaddress
import socket
from collections.abc import Callable

from contracts import BusyError, ConfigError, ForbiddenError, MemError
from memory.api.auth import is_loopback_name

BACKLOG = 128


def listen(host: str, port: int, *, has_token: Callable[[], bool]) -> socket.socket:
    """Return a listening socket at `host` and `port` (0: a free one).

    `has_token` is asked only about an address that other machines can reach. Raises ForbiddenError
    for such a one without a token, BusyError for a port in use, ConfigError for an address that
    this machine does not have.
    """
    family, address = _resolve(host, port)
    if not is_loopback_name(address[0]) and not has_token():
        raise ForbiddenError(
            f"{host} can be reached from other machines, and there is no token",
            hint="create one: mem token create NAME --scope write, or listen on 127.0.0.1",
        )
    # asyncio turns off Nagle's delay only for a named protocol: it costs 40 ms a request.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise explained(error, host, port) from error
    return listener


def is_local(listener: socket.socket) -> bool:
    """Return whether only this machine can reach a listening socket."""
    return is_loopback_name(listener.getsockname()[0])


def url_of(listener: socket.socket) -> str:
    """Return the address to type: `http://127.0.0.1:8787`."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    """Return the first address of a name, IPv4 before IPv6."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            f"the host {host!r} has no address: {error}",
            hint="listen on 127.0.0.1, or on an address of this machine",
        ) from error
    family, _, _, _, address = min(found, key=lambda item: item[0] != socket.AF_INET)
    return family, (str(ipaddress.ip_address(address[0])), port)


def explained(error: OSError, host: str, port: int) -> MemError:
    """Return an error that says why the address could not be bound, with a hint."""
    if error.errno == errno.EADDRINUSE:
        return BusyError(
            f"port {port} of {host} is in use",
            hint="stop the process that listens there, or use another port: mem serve --port 0",
        )
    if error.errno == errno.EACCES:
        return ForbiddenError(
            f"port {port} of {host} is not permitted for this user",
            hint="use one above 1023: mem serve --port 8787",
        )
    return ConfigError(
        f"{host} port {port} cannot be listened on: {error.strerror}",
        hint="listen on 127.0.0.1, or on an address of this machine",
    )
