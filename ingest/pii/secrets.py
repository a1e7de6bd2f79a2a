"""Keys, tokens and passwords: by their issuers' formats, and by the names before them."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from ingest.pii.values import Finding

_ISSUED = deferred(
    r"""(?<![\w\-])(?:
      sk-(?=[\w\-]*\d)[A-Za-z0-9_\-]{20,}                 # OpenAI, Anthropic and many more
    | gh[oprsu]_[A-Za-z0-9]{20,} | github_pat_\w{22,} | glpat-[\w\-]{20,}
    | A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]{16}(?!\w)
    | xox[abeoprs]-[A-Za-z0-9\-]{10,} | xapp-[A-Za-z0-9\-]{10,}
    | AIza[\w\-]{35} | ya29\.[\w\-]{20,} | GOCSPX-[\w\-]{20,}
    | [prs]k_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9+/]{20,}
    | npm_[A-Za-z0-9]{36} | pypi-[\w\-]{32,} | hf_[A-Za-z0-9]{20,} | dop_v1_[a-f0-9]{64}
    | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32} | SG\.[\w\-]{16,}\.[\w\-]{16,}
    | AGE-SECRET-KEY-1[0-9A-Z]{58} | mem_[\w\-]{43}          # the last one is of `mem token`
    | eyJ[\w\-]{8,}\.eyJ[\w\-]{8,}(?:\.[\w\-]*)?           # JSON web tokens (RFC 7519)
    )""",
    re.VERBOSE,
)
_ISSUED_CUES = (
    *(
        "sk-",
        "ghp_",
        "gho_",
        "ghr_",
        "ghs_",
        "ghu_",
        "github_pat_",
        "glpat-",
        "akia",
        "asia",
        "agpa",
    ),
    *("aida", "aroa", "xox", "xapp-", "aiza", "ya29.", "gocspx-", "k_live_", "k_test_", "whsec_"),
    *("npm_", "pypi-", "hf_", "dop_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "sg.", "eyj"),
    *("age-secret-key-", "mem_"),
)
_BLOCK = deferred(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?!-----END)[\s\S]){0,20000}"
    r"(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
)
_BEARER = deferred(r"\b(?:Bearer|Basic)\s+(?P<value>[A-Za-z0-9._~+/\-]{16,}={0,2})", re.IGNORECASE)
_NAMED_KEY = deferred(
    r"(?:(?:api|access|account|auth|encryption|licen[cs]e|private|secret|signing)[_\- ]?key"
    r"|secret|token)[\"'`]?\s*(?:=>|:=|[=:]|\bis\b)\s*[\"'`]?"
    r"(?P<value>[A-Za-z0-9+/_=.~\-]{12,})(?![\w(\[])",
    re.IGNORECASE,
)
_URL = deferred(
    r"\b[a-zA-Z][a-zA-Z0-9+.\-]{1,20}://[^\s/:@\"'<>]{0,64}:(?P<value>[^\s/@\"'<>]{1,128})@(?=[\w\[])"
)
_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|pass\s+(?:phrase|code)|pwd|(?:wi-?fi|wlan)\s+(?:key|pass)"
    r"|kennwort|passwort|mot\s+de\s+passe|contraseña|senha|wachtwoord)"
)
_PASSWORD_CUES = ("pass", "pwd", "wifi", "wi-fi", "wlan", "kennw", "contras", "senha", "woord")
_PASSWORD = deferred(
    rf"{_NAMES}(?![A-Za-z0-9_])[\"'`]?"
    r"(?:\s+(?:for|to|of|on|at|für|pour|para)\s+[^.,;:=\n]{1,40}?)?"
    r"\s*(?P<sign>=>|:=|[=:]|\b(?:is|was|ist|lautet|est|es)\b)[ \t]*(?:\n {0,2})?"
    r"(?:[\"'`“‘](?P<quoted>[^\"'`”’\n]{4,128})[\"'`”’]"
    r"|(?P<value>[^\s\"'`“”,;<>(){}\[\]$]{4,128}))",
    re.IGNORECASE,
)
_OWN = deferred(
    r"\b(?:my|our|his|her|their|mein|dein|unser|mon|mi)\s+(?:[\w'’\-]{1,20}\s+){0,3}\Z",
    re.IGNORECASE,
)
_OWN_CHARS = 80
"""Characters before a password's name, within which an owner may be named."""

_PASSED_ON = deferred(
    rf"\b{_NAMES}\s+(?!(?:sha|md|bcrypt|base|argon|oauth|utf)-?\d)"
    r"(?P<value>(?=\S{0,60}\d)(?=\S{0,60}[A-Za-z])[^\s,;]{5,64})(?=\s+(?:for|to|on|at|für|pour|para)\b)",
    re.IGNORECASE,
)
"""A password between its name and its place: "password hunter2 for Netflix"."""

_PIN = deferred(
    r"\b(?:(?:pin|cvv2?|cvc2?|passcode)(?:\s+(?:code|number))?"
    r"|(?:door|gate|alarm|entry|access|security|safe|garage|locker|lock|unlock|sim)"
    r"\s+(?:code|pin|combination|combo))(?:\s+(?:for|to|of)\s+[^.,;:=\n]{1,40}?)?"
    r"\s*(?:\bis\b|\bwas\b|[:=])\s*(?P<value>\d{3,8}|\d{1,2}(?:-\d{1,2}){2,3})(?![\w:\-]|\.\d)"
    r"|\b(?:locker|lock|safe|gate|door|garage|alarm)\s+(?:code|combination|combo)\s+(?P<bare>\d{3,8})(?![\w:\-]|\.\d)",
    re.IGNORECASE,
)
_SAID_OF_PASSWORDS = """
    a always also an any at being blank bool bytes by case-sensitive correct empty expire expired
    false float for found from going here hidden in incorrect int invalid kept known lost missing
    needed never nil no none not nothing now null object on only optional pass passwd password pwd
    redacted required reset safe secret secure sent set shown something still stored str string
    strong text that the there this to todo too true undefined unknown unset valid very weak what
    with wrong you
"""
_NO_VALUES = frozenset(_SAID_OF_PASSWORDS.split())

_NO_VALUE = deferred(
    r"your\S*|my\S*password\S*|[a-z]+ed|[a-z]+ing|x{3,}|\*{3,}|\.{3,}|…|-{3,}|_{3,}|%\S+",
    re.IGNORECASE,
)
_CODE = deferred(
    r"[a-z]+(?:_[a-z]+)+|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
)


def keys(text: str) -> Iterator[Finding]:
    """Keys and tokens as services issue them, private key blocks, and values named as such."""
    lowered = text.lower()
    for pattern, cues in ((_BLOCK, ("-----begin",)), (_ISSUED, _ISSUED_CUES)):
        for found in _found(pattern, text, lowered, cues):
            yield Finding(found.start(), found.end(), "key")
    for found in _found(_BEARER, text, lowered, ("bearer", "basic")):
        if _is_random(found["value"]):
            yield Finding(found.start("value"), found.end("value"), "key")
    for found in _found(_NAMED_KEY, text, lowered, ("key", "token", "secret")):
        value = found["value"].rstrip(".")
        if _CODE.fullmatch(value):
            continue
        if _is_random(value):
            yield Finding(found.start("value"), found.start("value") + len(value), "key")


def passwords(text: str) -> Iterator[Finding]:
    """The value after "password:" or "my password is", PINs, and passwords within addresses."""
    lowered = text.lower()
    for found in _found(_URL, text, lowered, ("://",)):
        if not _is_no_value(found["value"]) and found["value"][0] not in "$<{%":
            yield Finding(found.start("value"), found.end("value"), "password")
    for found in _found(_PIN, text, lowered, ("pin", "cvv", "cvc", "code", "comb")):
        group = "value" if found["value"] else "bare"
        yield Finding(found.start(group), found.end(group), "password")
    for found in _found(_PASSED_ON, text, lowered, _PASSWORD_CUES):
        yield Finding(found.start("value"), found.end("value"), "password")
    for found in _found(_PASSWORD, text, lowered, _PASSWORD_CUES):
        group = "quoted" if found["quoted"] else "value"
        value = found[group].rstrip(".?")
        if _may_be_password(found, value, text):
            yield Finding(found.start(group), found.start(group) + len(value), "password")


def is_placeholder(value: str) -> bool:
    """Return whether a value stands for another one: `<token>`, `$TOKEN`, `my-password`, `***`."""
    return value.startswith(("$", "<", "{", "%", "*")) or "${" in value or _is_no_value(value)


def is_code_name(value: str) -> bool:
    """Return whether a value is a name in code: `next_token`, `self.password`, `DB_PASSWORD`."""
    return _CODE.fullmatch(value) is not None


def _found(
    pattern: re.Pattern[str], text: str, lowered: str, cues: tuple[str, ...]
) -> Iterator[re.Match[str]]:
    """The matches, searched only near one of the cues: most turns have none of them."""
    return pattern.finditer(text) if any(cue in lowered for cue in cues) else iter(())


def _may_be_password(found: re.Match[str], value: str, text: str) -> bool:
    """Return whether `value` may be a password: plain words only if quoted, or after an owner."""
    if len(value) < 4 or _is_no_value(value) or _CODE.fullmatch(value):
        return False
    if value.startswith(("$", "<", "{", "%", "*")):
        return False
    after = text[found.end() : found.end() + 1]
    if found["quoted"]:
        before = text[max(0, found.start() - _OWN_CHARS) : found.start()]
        return " " not in value or _OWN.search(before) is not None
    if after and after in "([{":
        return False
    if re.search(r"\d|[^\w\s.\-]", value):
        return True
    if found["sign"] == "was" or (found["sign"] == "=" and " =" in found[0]):
        return False
    ends = not text[found.end() :].lstrip(" ") or text[found.end() : found.end() + 1] in ".,;\n"
    return ends or value != found["value"] or found["sign"] == ":"


def _is_no_value(value: str) -> bool:
    bare = value.rstrip(".!?:").lower()
    return bare in _NO_VALUES or _NO_VALUE.fullmatch(bare or value) is not None


def _is_random(value: str) -> bool:
    """Return whether a value looks random: letters and digits mixed, without words.

    Entropy alone calls `my-service-name-v2` random; joined words are a name.
    """
    digits = sum(map(str.isdecimal, value))
    letters = sum(map(str.isalpha, value))
    if digits < 2 or letters < 2:
        return False
    parts = [part for part in re.split(r"[-_./=]", value) if part]
    words = sum(
        len(part) for part in parts if re.fullmatch(r"[a-z]{3,}|[A-Z]{3,}|[A-Z][a-z]{2,}", part)
    )
    if words * 2 >= len(value):
        return False
    counts = Counter(value).values()
    bits = -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
    return bits >= 2.8
