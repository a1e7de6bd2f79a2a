"""Errors of a remote service, worded alike for every vendor: fact, host, next step.

A provider translates the errors of its vendor's library into these, and raises them outside its
handler: the library's own messages and chained errors may hold the key.
"""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from contracts import ConfigError, UnavailableError
from providers.base import RefusedTexts
from providers.remote.retry import TransientError

_LONGEST_QUOTE: Final = 200
_SHORTEST_SECRET: Final = 4  # shorter ones would blot out ordinary words, and are not secret
_HIDDEN: Final = "***"


@dataclass(frozen=True, slots=True)
class Service:
    """A service, and its place in the configuration.

    name      its common name: `OpenAI`
    section   of the configuration: `memory.embeddings.openai`
    host      its address, see `host_of`
    variable  environment variable for the secret
    secret    what no message may show
    """

    name: str
    section: str
    host: str
    variable: str
    secret: str | None = field(default=None, repr=False)

    def no_key(self) -> UnavailableError:
        """No key, either in the variable or in the configuration."""
        name = self.variable
        return UnavailableError(
            f"{self.name} at {self.host} needs an API key, and none is set",
            hint=f"export {name}=... and let {self.section}.api_key be ${{{name}}}",
        )

    def usable_key(self) -> str:
        """The key in a form that a header can carry. Raises UnavailableError if there is none.

        A library's message about an invalid key would quote it, escaped.
        """
        key = (self.secret or "").strip()
        if not key:
            raise self.no_key()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise self.unusable_key()
        return key

    def unusable_key(self) -> UnavailableError:
        """No header can carry the key."""
        return UnavailableError(
            f"the API key for {self.host} holds characters that no key has",
            hint=f"set it again: {self.section}.api_key",
        )

    def wrong_key(self) -> UnavailableError:
        """401. The server's own words are left out: some quote the key."""
        if self.secret is None:
            return self.no_key()
        return UnavailableError(
            f"{self.host} does not accept the API key",
            hint=f"set another one: {self.section}.api_key",
        )

    def forbidden(self, reason: str) -> UnavailableError:
        """403: the key is known, and not allowed to do this."""
        return UnavailableError(
            f"{self.host} does not allow this with the API key: {self.quoted(reason)}",
            hint=f"allow it in the account at {self.name}, or set another {self.section}.api_key",
        )

    def unknown_model(self, model: str) -> UnavailableError:
        """404, or the vendor's equivalent."""
        return UnavailableError(
            f"{self.host} has no embedding model {model!r}",
            hint=f"set {self.section}.model to one that it has",
        )

    def nothing_at(self, path: str) -> UnavailableError:
        """404 of the page, not of the model."""
        return UnavailableError(
            f"{self.host} has nothing at {path}",
            hint=f"fix {self.section}.base_url, which usually ends in /v1",
        )

    def used_up(self, reason: str) -> UnavailableError:
        """The account's quota or credit is used up; unlike a rate limit, waiting a little does not
        help.
        """
        return UnavailableError(
            f"the quota at {self.host} is used up: {self.quoted(reason)}",
            hint=f"add credit at {self.name} or wait for its next period, then sync again",
        )

    def rejected(self, reason: str) -> UnavailableError:
        """A request that is wrong whatever its texts are."""
        return UnavailableError(
            f"{self.host} rejects the request: {self.quoted(reason)}",
            hint=f"fix the section {self.section}, its model and dimensions first",
        )

    def refused(self, reason: str) -> UnavailableError:
        """These texts will never pass together; a part of them may."""
        return RefusedTexts(
            f"{self.host} refuses the text: {self.quoted(reason)}",
            hint="make memory.chunking.chunk_size_chars smaller if it is too long",
        )

    def garbage(self, what: str) -> UnavailableError:
        """An answer without the requested embeddings."""
        return UnavailableError(
            f"{self.host} answered with {self.quoted(what)}",
            hint=f"make sure that {self.section} names an embedding model of that server",
        )

    def busy(self, status: int, reason: str, *, after_s: float | None = None) -> TransientError:
        """A rate limit (429) or an overload (5xx), and the pause it asks for."""
        pause = "" if after_s is None else f", and asks to wait {after_s:g} seconds"
        said = f"{status} {self.quoted(reason)}".strip()
        error = UnavailableError(
            f"{self.host} is too busy or broken ({said}){pause}",
            hint=f"try again later; a lower {self.section}.concurrency sends fewer calls at once",
        )
        return TransientError(error, after_s=after_s)

    def unreachable(self, reason: str) -> TransientError:
        """No connection, or a broken one."""
        error = UnavailableError(
            f"the connection to {self.host} failed: {self.quoted(reason)}",
            hint="check the network and that the server is running, then try again",
        )
        return TransientError(error)

    def silent(self, timeout_s: float) -> TransientError:
        """No answer in time."""
        error = UnavailableError(
            f"{self.host} did not answer within {timeout_s:.3g} seconds",
            hint=f"try again later, or set {self.section}.timeout_seconds higher",
        )
        return TransientError(error)

    def failed(
        self, status: int | None, reason: str, *, after_s: float | None = None
    ) -> UnavailableError | TransientError:
        """The error for an HTTP status, unless the vendor's message says more."""
        if status == 401:
            return self.wrong_key()
        if status == 402:
            return self.used_up(reason)
        if status == 403:
            return self.forbidden(reason)
        if status in (400, 413, 422):
            return self.refused(reason)
        if status is not None and (status in (408, 409, 425, 429) or status >= 500):
            return self.busy(status, reason, after_s=after_s)
        return self.garbage(reason if status is None else f"{status} {reason}")

    def quoted(self, text: str) -> str:
        """A foreign message: one line, of limited length, without control characters and secret."""
        line = "".join(mark if mark.isprintable() else " " for mark in " ".join(text.split()))
        secret = (self.secret or "").strip()
        if len(secret) >= _SHORTEST_SECRET:
            line = line.replace(secret, _HIDDEN)
        return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1]}…"


def root_cause(error: BaseException) -> str:
    """The innermost error, from the operating system or the HTTP client."""
    while (below := error.__cause__ or error.__context__) is not None:
        error = below
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def host_of(url: str) -> str:
    """The `host` or `host:port` of an address, without the name and password it may hold."""
    return urlsplit(url).netloc.rpartition("@")[2] or url


def checked_url(url: str, *, key: str) -> str:
    """The address. Raises ConfigError for an invalid one; `key` is its setting.

    A name and password in it are refused: libraries write addresses into logs.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # an invalid port, an unfinished IPv6 address
        usable = False
    if not usable or any(mark.isspace() or not mark.isprintable() for mark in url):
        raise ConfigError(
            f"{key} is not a server address", hint="write it as http://localhost:11434/v1"
        )
    if "@" in parts.netloc:
        raise ConfigError(
            f"{key} holds a user name or password", hint="leave them out, and use api_key"
        )
    return url
