"""Secrets of a text replaced by their kind: `[secret:github-token]`.

For texts that are stored without a person having read them, such as transcripts of agents. Recall
comes before precision, unlike in `secrets`, whose findings only tag a turn: a word too many in
brackets costs little, and a key in a database cannot be taken back.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.pii.finding import find_pii
from ingest.pii.issuers import PATTERNS
from ingest.pii.secrets import is_code_name, is_placeholder
from ingest.pii.values import SECRET_KINDS

_PEM: Final = deferred(
    r"-----BEGIN (?P<name>(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:(?!-----END)[\s\S]){0,40000}(?:-----END (?P=name)-----)?"
)
_PUTTY: Final = deferred(r"Private-Lines:[ \t]*\d+(?:\s+[A-Za-z0-9+/=]{16,}){1,200}")
_AUTHORIZATION: Final = deferred(
    r"(?:proxy-)?authorization\\*[\"'`]?\s*[:=]\s*\\*[\"'`]?(?:[A-Za-z]{3,12}\s+)?"
    r"(?P<value>[^\s\"'`,;<>{}$\\]{8,})",
    re.IGNORECASE,
)
_BEARER: Final = deferred(
    r"(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/\-]{12,}={0,2})", re.IGNORECASE
)
_URL: Final = deferred(
    r"(?<=[A-Za-z0-9])://[^\s/:@\"'<>]{0,128}:(?P<value>[^\s/\"'<>]{1,256})@(?=[\w\[])"
)
_CURL_USER: Final = deferred(
    r"curl\b[^\n]{0,300}?\s(?:-u|--user)[ =]\\*[\"']?"
    r"[^\s:\"'\\]{1,64}:(?P<value>[^\s\"'\\]{3,128})"
)
_NAME: Final = (
    r"(?:(?P<password>pass(?:word|wd|phrase|code)|pwd|kennwort|passwort|senha|contraseña)"
    r"|(?P<key>secret|token|credentials?|(?:api|access|account|auth|client|encryption|master"
    r"|private|secret|service|shared|signing|webhook|license)[_\-. ]?key|apikey|auth|\bsig))"
)
_ASSIGNED: Final = deferred(
    rf"(?!(?<=\[)secret:[a-z\-]+\]){_NAME}(?P<plural>s?)(?:[_\-]?(?:value|v?\d{{1,2}}|base64|b64|prod"
    r"|production|dev|test|staging|live|raw|string|hash|header|key))?"
    r"\\*[\"'`]?(?:\])?(?P<sign>[ \t]*(?:=>|:=|==|[=:])[ \t]*(?:\n[ \t]*)?|[ \t]+(?=\\*[\"']))"
    r"(?:[rbuf]{0,2}\\*(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n\\]){4,400})"
    r"|(?P<bare>[^\s\"'`,;<>\\]{4,400}))",
    re.IGNORECASE,
)
_FLAG: Final = deferred(
    r"(?<!\w)--?(?:[a-z]+-)*(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key)"
    r"[ =]\\*[\"']?(?P<value>[^\s\"'\\$<{][^\s\"'\\]{3,200})",
    re.IGNORECASE,
)
_ANY_ASSIGNED: Final = deferred(
    r"(?<=\w)\\*[\"'`]?[ \t]*(?:=>|:=|[=:])[ \t]*\\*[\"'`]?"
    r"(?P<value>[A-Za-z0-9+/_.~\-]{20,400}={0,2})(?![\w(\[])"
)
_HEX: Final = deferred(r"(?:0x)?[0-9a-fA-F\-]+")
_NO_SECRET: Final = deferred(r"sha\d{3}-|md5-|https?:|[./~]|urn:", re.IGNORECASE)
_LEAST_BITS: Final = 3.6
"""Bits of a character from which a value is random, and not joined words."""


class _Span(NamedTuple):
    start: int
    end: int
    kind: str


def masked(text: str) -> str:
    """`text` with every secret replaced by `[secret:KIND]`; masking it again changes nothing."""
    parts, place = [], 0
    for start, end, kind in _joined(sorted(_spans(text), key=_start_of)):
        parts += [text[place:start], f"[secret:{kind}]"]
        place = end
    return "".join((*parts, text[place:]))


def _start_of(span: _Span) -> int:
    """The order of spans; of those with one start the most specific kind is found first."""
    return span.start


def _joined(spans: list[_Span]) -> Iterator[_Span]:
    """The spans without overlaps; of those that overlap, all under the kind of the first."""
    current: _Span | None = None
    for span in spans:
        if current is not None and span.start < current.end:
            current = current._replace(end=max(current.end, span.end))
            continue
        if current is not None:
            yield current
        current = span
    if current is not None:
        yield current


def _spans(text: str) -> Iterator[_Span]:
    lowered = text.lower()
    for pattern, kind, cue in (
        (_PEM, "private-key", "-----begin"),
        (_PUTTY, "private-key", "private-lines:"),
    ):
        if cue in lowered:
            yield from (_Span(*found.span(), kind) for found in pattern.finditer(text))
    for kind, pattern, cues in PATTERNS:
        if any(cue in lowered for cue in cues):
            yield from (_Span(*found.span(), kind) for found in pattern.finditer(text))
    yield from _named(text, lowered)
    for finding in find_pii(text):
        if finding.kind in SECRET_KINDS and not text.startswith("[secret:", finding.start):
            yield _Span(finding.start, finding.end, finding.kind.replace("_", "-"))


def _named(text: str, lowered: str) -> Iterator[_Span]:
    """Values that something beside them calls secret, and random values of any name."""
    for pattern, kind, cue in (
        (_AUTHORIZATION, "authorization", "authorization"),
        (_URL, "password", "://"),
        (_CURL_USER, "password", "curl"),
        (_FLAG, "password", "-"),
    ):
        if cue not in lowered:
            continue
        for found in pattern.finditer(text):
            if not is_placeholder(found["value"]):
                yield _Span(*found.span("value"), kind)
    yield from _assigned(text)


def _assigned(text: str) -> Iterator[_Span]:
    for found in _BEARER.finditer(text):
        if any(map(str.isdecimal, found["value"])) or _bits(found["value"]) > _LEAST_BITS:
            yield _Span(*found.span("value"), "bearer")
    for found in _ASSIGNED.finditer(text):
        group = "quoted" if found["quoted"] else "bare"
        if _is_secret(found, found[group].rstrip(".")):
            start, end = found.span(group)
            yield _Span(start, end, "password" if found["password"] else "token")
    for found in _ANY_ASSIGNED.finditer(text):
        if _is_random(found["value"]):
            yield _Span(*found.span("value"), "token")


def _is_secret(found: re.Match[str], value: str) -> bool:
    """Return whether the value given to something called a password or a token is one."""
    if is_placeholder(value) or value.lower().startswith(("[secret:", "secret:")):
        return False
    if found["bare"] and (
        re.search(r"[(\[{|]", value)
        or is_code_name(value)
        or value.endswith(":")
        or not any(map(str.isalnum, value))
    ):
        return False
    if found["password"]:
        return not (found["quoted"] and " " in value and value.count(" ") > 6)
    has_digit = any(map(str.isdecimal, value))
    if value.isdecimal() or " " in value or len(value) < 8 or found["plural"]:
        return len(value) >= 16 and has_digit and not value.isdecimal() and " " not in value
    return has_digit or (bool(found["quoted"]) and not is_code_name(value))


def _is_random(value: str) -> bool:
    """Return whether a value has the variety of a generated one: no path, hash, or joined words."""
    if _HEX.fullmatch(value) or _NO_SECRET.match(value):
        return False
    digits = sum(map(str.isdecimal, value))
    if digits < 2 or digits * 10 > len(value) * 8 or value.count(".") > 2 or value.count("/") > 4:
        return False
    if not (any(map(str.isupper, value)) and any(map(str.islower, value))):
        return False
    words = sum(map(len, re.findall(r"[a-z]{4,}|[A-Z][a-z]{3,}", value)))
    return words * 2 < len(value) and _bits(value) >= _LEAST_BITS


def _bits(value: str) -> float:
    """The entropy of a character of `value`, in bits."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
