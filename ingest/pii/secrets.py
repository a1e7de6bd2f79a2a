"""Keys, tokens and passwords: by the forms of their makers, and by the names before them."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from ingest.pii.values import Finding

_ISSUED = re.compile(
    r"""(?<![\w\-])(?:
      sk-(?=[\w\-]*\d)[A-Za-z0-9_\-]{20,}                 # OpenAI, Anthropic and many more
    | gh[oprsu]_[A-Za-z0-9]{20,} | github_pat_\w{22,} | glpat-[\w\-]{20,}
    | A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]{16}(?!\w)
    | xox[abeoprs]-[A-Za-z0-9\-]{10,} | xapp-[A-Za-z0-9\-]{10,}
    | AIza[\w\-]{35} | ya29\.[\w\-]{20,} | GOCSPX-[\w\-]{20,}
    | [prs]k_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9+/]{20,}
    | npm_[A-Za-z0-9]{36} | pypi-[\w\-]{32,} | hf_[A-Za-z0-9]{20,} | dop_v1_[a-f0-9]{64}
    | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32} | SG\.[\w\-]{16,}\.[\w\-]{16,}
    | AGE-SECRET-KEY-1[0-9A-Z]{58}
    | eyJ[\w\-]{8,}\.eyJ[\w\-]{8,}(?:\.[\w\-]*)?           # JSON web tokens (RFC 7519)
    )""",
    re.VERBOSE,
)
_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?!-----END)[\s\S]){0,20000}"
    r"(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
)
_BEARER = re.compile(
    r"\b(?:Bearer|Basic)\s+(?P<value>[A-Za-z0-9._~+/\-]{16,}={0,2})", re.IGNORECASE
)
_NAMED_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>(?:[A-Za-z0-9]{1,20}[_\-.]){0,4}"
    r"(?:api[_\- ]?key|secret(?:[_\- ]?key)?|token"
    r"|(?:access|private|account|auth|encryption|signing|license|licence)[_\- ]?key|apikey"
    r"|client[_\- ]?secret|[A-Za-z]{0,12}(?:Token|Secret|ApiKey)))[\"'`]?\s*"
    r"(?:=>|:=|[=:]|\bis\b)\s*[\"'`]?(?P<value>[A-Za-z0-9+/_=.~\-]{12,})(?![\w(\[])",
    re.IGNORECASE,
)
_URL = re.compile(
    r"\b[a-zA-Z][a-zA-Z0-9+.\-]{1,20}://[^\s/:@\"'<>]{0,64}:(?P<value>[^\s/@\"'<>]{1,128})@(?=[\w\[])"
)
_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|pass\s+(?:phrase|code)|pwd|(?:wi-?fi|wlan)\s+(?:key|pass)"
    r"|kennwort|passwort|mot\s+de\s+passe|contraseña|senha|wachtwoord)"
)
_PASSWORD = re.compile(
    rf"(?P<own>\b(?:my|our|his|her|their|mein|dein|unser|mon|mi)\s+(?:[\w'’\-]{{1,20}}\s+){{0,3}})?"
    rf"(?<![A-Za-z])(?:[A-Za-z0-9]{{1,20}}[_\-.]){{0,3}}{_NAMES}(?![A-Za-z0-9_])[\"'`]?"
    r"(?:\s+(?:for|to|of|on|at|für|pour|para)\s+[^.,;:=\n]{1,40}?)?"
    r"\s*(?P<sign>=>|:=|[=:]|\b(?:is|was|ist|lautet|est|es)\b)\s*"
    r"(?:(?P<quote>[\"'`“‘])(?P<quoted>[^\"'`”’\n]{4,128})[\"'`”’]|(?P<value>[^\s\"'`“”,;<>(){}\[\]$]{4,128}))",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"\b(?:(?:pin|cvv2?|cvc2?|passcode)(?:\s+(?:code|number))?|(?:door|gate|alarm|entry|access|security|safe"
    r"|garage|locker|unlock|sim)\s+(?:code|pin|combination))"
    r"(?:\s+(?:for|to|of)\s+[^.,;:=\n]{1,40}?)?\s*(?:\bis\b|\bwas\b|[:=])\s*(?P<value>\d{3,8})(?![\w.:\-])",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"(?:str|string|none|null|nil|true|false|undefined|required|optional|text|bytes|any|int|todo|empty|unset"
    r"|missing|wrong|reset|sent|lost|found|set|known|shown|kept|incorrect|correct|invalid|valid|weak|strong|safe|secure|expired?|too|not|no|a|an|the|now"
    r"|very|always|never|still|only|also|here|there|stored|hidden|unknown|blank|needed|secret|password|passwd|pass|pwd|bool|float|object"
    r"|case-sensitive|going|being|something|nothing|what|that|this|in|on|at|for|to|by|from|with|you|your\S*"
    r"|my\S*password\S*|\w+ed|\w+ing|changeme\S*\.\.\.|x{3,}|\*{3,}|\.{3,}|…|-{3,}|_{3,}|%\S+|redacted)[.!?:]*",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[a-z]+(?:_[a-z]+)+|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
)
_NAME_OF_ONE = re.compile(
    r"(?:name|id|ids|path|file|url|uri|ref|arn|type|count|limit|length|size)$", re.IGNORECASE
)


def keys(text: str) -> Iterator[Finding]:
    """Keys and tokens as services issue them, private key blocks, and values named as such."""
    for pattern in (_BLOCK, _ISSUED):
        for found in pattern.finditer(text):
            yield Finding(found.start(), found.end(), "key")
    for found in _BEARER.finditer(text):
        if _is_random(found["value"]):
            yield Finding(found.start("value"), found.end("value"), "key")
    for found in _NAMED_KEY.finditer(text):
        value = found["value"].rstrip(".")
        if _CODE.fullmatch(value):
            continue
        if _is_random(value) and not _NAME_OF_ONE.search(found["name"]):
            yield Finding(found.start("value"), found.start("value") + len(value), "key")


def passwords(text: str) -> Iterator[Finding]:
    """What follows "password:" or "my password is", PINs, and passwords within addresses."""
    for found in _URL.finditer(text):
        if not _NO_VALUE.fullmatch(found["value"]) and found["value"][0] not in "$<{%":
            yield Finding(found.start("value"), found.end("value"), "password")
    for found in _PIN.finditer(text):
        yield Finding(found.start("value"), found.end("value"), "password")
    for found in _PASSWORD.finditer(text):
        group = "quoted" if found["quoted"] else "value"
        value = found[group].rstrip(".?")
        if _may_be_password(found, value, text):
            yield Finding(found.start(group), found.start(group) + len(value), "password")


def _may_be_password(found: re.Match[str], value: str, text: str) -> bool:
    """Whether `value` is one: plain words are when they are quoted, or somebody's own."""
    if len(value) < 4 or _NO_VALUE.fullmatch(value) or _CODE.fullmatch(value):
        return False
    if value.startswith(("$", "<", "{", "%", "*")):
        return False
    after = text[found.end() : found.end() + 1]
    if found["quoted"]:
        return " " not in value or found["own"] is not None
    if after and after in "([{":
        return False
    if re.search(r"\d|[^\w\s.\-]", value):
        return True
    if found["sign"] == "was" or (found["sign"] == "=" and " =" in found[0]):
        return False
    ends = not text[found.end() :].lstrip(" ") or text[found.end() : found.end() + 1] in ".,;\n"
    return ends or value != found["value"] or found["sign"] == ":"


def _is_random(value: str) -> bool:
    """Whether a value looks drawn rather than written: letters and digits mixed without words.

    Entropy alone calls `my-service-name-v2` random; what is joined from words is a name.
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
