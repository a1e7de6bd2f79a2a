"""MCP on stdio for a server that runs already: each message is one request to its /mcp.

The process loads neither the SDK nor a model, and opens no database. What it may do is what the
token may do.
"""

import json
import re
import socket
import stat
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from contracts import ConfigError, ForbiddenError
from memory.mcp.request_ids import id_of

URL: Final = "MEM_SERVER_URL"
TOKEN: Final = "MEM_SERVER_TOKEN"  # noqa: S105  # the name of the variable
TOKEN_FILE: Final = "MEM_SERVER_TOKEN_FILE"  # noqa: S105  # the name of the variable

AT_ONCE: Final = 8
TIMEOUT_S: Final = 300.0
_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_UNREACHABLE: Final = -32000
_PLAIN: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


def forward(environ: Mapping[str, str]) -> None:
    """Forward stdin to the server that the environment names, until it ends.

    Raises ConfigError for an address that is not a URL, and as `token_in`.
    """
    token = environ.get(TOKEN, "")
    if not token and (file := environ.get(TOKEN_FILE)):
        token = token_in(Path(file))
    Forwarder(environ[URL], token).run(sys.stdin.buffer)


def server_parts(url: str) -> SplitResult:
    """Return the parts of a server's address. Raises ConfigError for one that is not a URL."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"{URL} is {url!r}", hint="write it as mem serve prints it: http://127.0.0.1:8787"
        )
    return parts


def token_in(path: Path) -> str:
    """Return the token in a file that only its owner may read.

    Raises ConfigError for a file that cannot be read or holds no token, ForbiddenError for one
    that others may read.
    """
    try:
        mode, text = path.stat().st_mode, path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"the file with the token, {path}, cannot be read",
            hint="write the output of mem token create into it",
        ) from error
    if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ForbiddenError(f"{path} is not yours alone", hint=f"chmod 600 {path}")
    if not _PLAIN.fullmatch(text):
        raise ConfigError(
            f"{path} does not hold one token", hint="write the output of mem token create into it"
        )
    return text


class Forwarder:
    """The requests that are under way, with their ids, and the version that was agreed on.

    Ids may come again: a client may count from 1 twice, and messages without one have the same.
    """

    def __init__(self, url: str, token: str) -> None:
        parts = server_parts(url)
        self._url = url
        self._connection = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._address = str(parts.hostname), parts.port
        self._path = f"{parts.path.rstrip('/').removesuffix('/mcp')}/mcp"
        self._token = token
        self._version = ""
        self._running: dict[HTTPConnection, str] = {}
        self._lock = Lock()

    def run(self, lines: Iterable[bytes]) -> None:
        """Send every line, several at once, and wait for the answers."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for line in lines:
                message = _parsed(line)
                if message.get("method") == "notifications/cancelled":
                    self._cancel(message)
                elif message.get("method") == "initialize":
                    self._send(line, message)  # the version that it agrees on is for all others
                elif line.strip():
                    threads.submit(self._send, line, message)

    def _cancel(self, message: Mapping[str, Any]) -> None:
        """End the request that a message names; nobody waits for its answer any more."""
        params = message.get("params")
        named = json.dumps(params.get("requestId")) if isinstance(params, dict) else ""
        with self._lock:
            ended = [connection for connection, number in self._running.items() if number == named]
            for connection in ended:
                del self._running[connection]
        for connection in ended:
            if isinstance(connection.sock, socket.socket):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def _send(self, line: bytes, message: Mapping[str, Any]) -> None:
        connection = self._connection(*self._address, timeout=TIMEOUT_S)
        with self._lock:
            self._running[connection] = json.dumps(message.get("id"))
        try:
            connection.request("POST", self._path, line, self._headers(message))
            for answer in _answers(connection.getresponse(), id_of(message)):
                self._write(connection, answer)
        except (OSError, HTTPException) as error:
            why = f"{self._url} does not answer ({error}); start it: mem serve"
            if "id" in message:  # a notification has no answer
                self._write(connection, _failed(id_of(message), why))
        finally:
            connection.close()
            with self._lock:
                self._running.pop(connection, None)

    def _headers(self, message: Mapping[str, Any]) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        stated = meta.get(_VERSION) if isinstance(meta, dict) else None
        if isinstance(stated, str):
            method = str(message.get("method"))
            headers["Mcp-Method"] = _header(method)
            name = params.get(_NAMED_BY.get(method, "")) if isinstance(params, dict) else None
            if isinstance(name, str):
                headers["Mcp-Name"] = _header(name)
        version = stated if isinstance(stated, str) else self._version
        return {**headers, "MCP-Protocol-Version": _header(version)} if version else headers

    def _write(self, connection: HTTPConnection, answer: Mapping[str, Any]) -> None:
        """Write a message, unless its request has been cancelled."""
        with self._lock:
            if connection not in self._running:
                return
            result = answer.get("result")
            if isinstance(result, dict) and isinstance(result.get("protocolVersion"), str):
                self._version = result["protocolVersion"]
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def _parsed(line: bytes) -> Mapping[str, Any]:
    """Return the message of a line; an empty one where the server has to say what is wrong."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _answers(response: HTTPResponse, number: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of a response: events as they come, or one body."""
    if response.headers.get_content_type() == "text/event-stream":
        for line in response:
            if line.startswith(b"data:") and (message := _parsed(line[len(b"data:") :])):
                yield message
        return
    body = _parsed(response.read())
    if "jsonrpc" in body:  # an error that names no request is about this one
        yield {**body, "id": number} if body.get("id") is None else body
    elif response.status != 202:  # a notification was taken
        said = body.get("detail", response.reason), body.get("hint", "")
        yield _failed(number, f"{response.status}: {' - '.join(map(str, filter(None, said)))}")


def _failed(number: Any, why: str) -> Mapping[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": _UNREACHABLE, "message": why}}


def _header(value: str) -> str:
    """Return a value as the protocol writes it into a header: in base64 unless it is plain."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{b64encode(value.encode('utf-8', 'replace')).decode()}?="
