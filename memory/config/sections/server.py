"""Settings of the server."""

from typing import Annotated

from memory.config.field_types import Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen


@frozen
class ServerConfig(Section):
    """The server of `mem serve`: its address and its access."""

    host: Annotated[
        Text,
        Setting(
            "Address to listen on; one that other machines reach needs a token.",
            needs="restart",
            guard="chooses the address that the server listens on",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int, Range(0, 65535), Setting("Port to listen on; 0 takes a free one.", needs="restart")
    ] = 8787
    tokens: Annotated[
        tuple[Text, ...],
        Setting(
            "Bearer tokens that give access; as soon as there is one, every request needs one.",
            needs="restart",
            secret=True,
            guard="decides who has access",
        ),
    ] = ()
    proxies: Annotated[
        tuple[Text, ...],
        Setting(
            "Addresses or networks of proxies, whose X-Forwarded-For and X-Forwarded-Proto tell "
            "where a request comes from.",
            needs="restart",
            guard="decides which addresses count as those of clients",
        ),
    ] = ()
    tenants: Annotated[
        int,
        Range(0, 10_000),
        Setting(
            "The most memories of tenants that a server over PostgreSQL keeps open at the same "
            "time; 0: it serves no tenants.",
            needs="restart",
        ),
    ] = 32
