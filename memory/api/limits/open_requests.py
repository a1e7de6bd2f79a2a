"""The count of requests whose answer has not begun, for which background work makes room."""

from contextlib import ExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory.index.spaces.pausing import OpenRequests


class CountRequests:
    """Counts each request until its answer begins: a stream of changes may stay open for days."""

    def __init__(self, app: ASGIApp, *, requests: OpenRequests) -> None:
        self._app = app
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with ExitStack() as counted:
            counted.enter_context(self._requests)

            async def send_uncounted(message: Message) -> None:
                counted.close()
                await send(message)

            await self._app(scope, receive, send_uncounted)
