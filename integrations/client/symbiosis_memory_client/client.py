"""Requests to a server of Symbiosis Memory, and what it answers."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from typing import Any, Final, Literal, TypeAlias

URL_VARIABLE: Final = "SYMBIOSIS_MEMORY_URL"
"""The environment variable with the server's address."""

TOKEN_VARIABLE: Final = "SYMBIOSIS_MEMORY_TOKEN"  # noqa: S105  # a name
"""The environment variable with the token, where the server wants one."""

_USUAL_URL: Final = "http://127.0.0.1:8787"
_PAGE: Final = 1000
_BATCH: Final = 1000
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]


class MemoryServerError(Exception):
    """The server refused a request, or did not answer.

    `status` is the HTTP status, None without an answer; `hint` says what to do next.
    """

    def __init__(self, message: str, *, status: int | None = None, hint: str = "") -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.status = status
        self.hint = hint


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn to be stored. Memories are extracted from a user's turns unless told otherwise."""

    text: str
    role: Role = "user"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    auto_extract: bool = True


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another address; the server sends none."""

    def redirect_request(self, *_: Any) -> None:
        return None


class MemoryClient:
    """The routes of a server that an agent's framework needs.

    `url` and `token` default to the environment variables `SYMBIOSIS_MEMORY_URL` and
    `SYMBIOSIS_MEMORY_TOKEN`, then to a server of this machine without a token. Every method raises
    MemoryServerError if the server cannot be reached within `timeout_s` or refuses.
    """

    def __init__(
        self, url: str | None = None, *, token: str | None = None, timeout_s: float = 30.0
    ) -> None:
        self.url = (url or os.environ.get(URL_VARIABLE) or _USUAL_URL).rstrip("/")
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{self.url!r} is not the address of a server: http://HOST:PORT")
        self._token = token or os.environ.get(TOKEN_VARIABLE)
        self._timeout_s = timeout_s
        is_here = parts.hostname in _LOOPBACK
        proxies = urllib.request.ProxyHandler({} if is_here else None)
        self._opener = urllib.request.build_opener(_NoRedirect(), proxies)

    def search(self, query: str, *, limit: int = 10, **options: Any) -> list[dict[str, Any]]:
        """Return the hits of `POST /memory/search`, best first; `options` are its other fields."""
        body = {"query": query, "max_results": limit, **options}
        results: list[dict[str, Any]] = self._ask("POST", "/memory/search", body)["results"]
        return results

    def context(
        self, session_id: str, *, query: str | None = None, max_tokens: int = 2000
    ) -> dict[str, Any]:
        """Return `GET /context`: what an agent should know before it answers."""
        asked = {"session_id": session_id, "query": query, "max_tokens": max_tokens}
        return self._ask("GET", "/context", parameters=asked)

    def remember(self, text: str, *, tags: Sequence[str] = ()) -> dict[str, Any]:
        """Keep a memory, or strengthen the one that says the same; return it."""
        return self._ask("POST", "/memories", {"content": text, "tags": list(tags)})

    def add_turns(self, session_id: str, turns: Sequence[NewTurn]) -> list[int]:
        """Store turns, each request of up to 1,000 wholly or not at all; return their ids."""
        ids: list[int] = []
        for start in range(0, len(turns), _BATCH):
            part = [
                {"session_id": session_id, **asdict(turn)} for turn in turns[start : start + _BATCH]
            ]
            answer = self._ask("POST", "/turns/batch", {"turns": part}, key=uuid.uuid4().hex)
            ids += answer["turn_ids"]
        return ids

    def turns(self, session_id: str, *, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the newest `limit` turns of a session, or all, in the order of the session."""
        if limit is not None and limit <= 0:
            return []
        pages: list[list[dict[str, Any]]] = []
        left = limit
        for page in self._pages(session_id, limit):
            pages.append(page if left is None else page[-left:])
            if left is not None and (left := left - len(page)) <= 0:
                break
        return [turn for page in reversed(pages) for turn in page]

    def _pages(self, session_id: str, limit: int | None) -> Iterator[list[dict[str, Any]]]:
        """The turns in pages, the newest first."""
        asked: dict[str, Any] = {"session_id": session_id, "limit": min(limit or _PAGE, _PAGE)}
        while True:
            answer = self._ask("GET", "/turns", parameters=asked)
            yield answer["turns"]
            if answer["next_cursor"] is None:
                return
            asked["cursor"] = answer["next_cursor"]

    def forget_turn(self, turn_id: int) -> None:
        """Forget a turn and the memories made of it alone; needs a token of scope `admin`."""
        self._ask("DELETE", f"/turns/{turn_id}")

    def forget_session(self, session_id: str) -> None:
        """Forget a whole conversation, as `forget_turn` does; one without turns is not an error."""
        try:
            self._ask("POST", "/memory/forget", {"session_id": session_id})
        except MemoryServerError as error:
            if error.status != 404:
                raise

    def health(self) -> dict[str, Any]:
        """Return `GET /memory/health`, which needs no token."""
        return self._ask("GET", "/memory/health")

    def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        given = {name: value for name, value in (parameters or {}).items() if value is not None}
        request = urllib.request.Request(  # noqa: S310  # the scheme is checked above
            f"{self.url}{path}" + (f"?{urllib.parse.urlencode(given)}" if given else ""),
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Accept": "application/json"},
        )
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        if key:
            request.add_header("Idempotency-Key", key)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            raise _refused(error) from error
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            hint = "start one with `mem serve`, or name its address"
            raise MemoryServerError(
                f"no server answers at {self.url}: {reason}", hint=hint
            ) from error
        return found


def _refused(error: urllib.error.HTTPError) -> MemoryServerError:
    with error:
        try:
            problem = json.load(error)
        except ValueError:
            problem = {}
    detail = problem.get("detail") or error.reason
    return MemoryServerError(str(detail), status=error.code, hint=problem.get("hint", ""))
