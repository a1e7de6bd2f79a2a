"""The limit of one body, and of all bodies together."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory.api.limits.receiving import Body, Receiving

MAX_BODY_BYTES = 70_000_000
"""Room for a text of `memory.files.ingestion.MAX_TEXT_BYTES` and its JSON."""

MAX_IGNORED_BYTES = 4 * MAX_BODY_BYTES
"""The bytes of a refused body that are still read, unless it is known to be larger: otherwise a
sending client would find its connection broken and never see the reason.
"""

THREADS = 8
"""The most requests processed at once; more wait."""

SCANS = 2
"""The most requests that scan folders at once, in threads of their own; more wait."""

SYNC_WAIT_S = 3.0
"""The time a request waits for another sync: a waiting thread serves no other request."""


class BodyLimit:
    """Refuses a body that is larger than allowed, announced or not, too slow, or one too many."""

    def __init__(
        self, app: ASGIApp, *, receiving: Receiving, most_bytes: int = MAX_BODY_BYTES
    ) -> None:
        self._app = app
        self._receiving = receiving
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = self._receiving.begin()
        try:
            await self._app(scope, self._counted(scope, receive, body), send)
        finally:
            self._receiving.end(body)

    def _counted(self, scope: Scope, receive: Receive, body: Body) -> Receive:
        headers = Headers(scope=scope)
        announced = headers.get("content-length", "")
        waits = "expect" in headers  # such a client waits for permission to send
        received = 0

        async def counted() -> Message:
            nonlocal received
            if received == 0 and announced.isdecimal() and int(announced) > self._most_bytes:
                if int(announced) <= MAX_IGNORED_BYTES and not waits:
                    await _ignore(receive, body)
                raise self._refusal(f"{announced} bytes")
            message = await body.receive(receive)
            received += len(message.get("body", b""))
            if received > self._most_bytes:
                if message.get("more_body"):
                    await _ignore(receive, body)
                raise self._refusal("more")
            return message

        return counted

    def _refusal(self, size: str) -> HTTPException:
        return HTTPException(413, f"the limit is {self._most_bytes} bytes, and the body has {size}")


async def _ignore(receive: Receive, body: Body) -> None:
    """Read a body to its end, up to a limit."""
    ignored = 0
    while ignored <= MAX_IGNORED_BYTES:
        message = await body.receive(receive, keep=False)
        ignored += len(message.get("body", b""))
        if not message.get("more_body"):  # ends also when the client has disconnected
            return
