"""Generate logs, settings and lists of changes with names that the library does not have.

Every name is in one file; the names most easily mistaken for it are in others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from uuid import UUID

from benchmarks.identifiers.documents import Document

_WORDS = (
    *("order", "cache", "user", "index", "token", "queue", "batch", "price", "stock", "label"),
    *("route", "plugin", "theme", "shard", "bucket", "worker", "cursor", "buffer", "channel"),
    *("signal", "widget", "ledger", "parcel", "tenant", "quota", "replica", "snapshot"),
    *("lease", "schema", "payload", "broker", "retry", "window", "digest", "anchor", "beacon"),
    *("carrier", "docket", "emblem", "faucet", "garnet"),
)
_PEOPLE = ("ada", "alan", "barbara", "edsger", "frances", "grace", "john", "niklaus", "radia")
_SENTENCES = {
    ".log": (
        "2026-{month:02}-{day:02} {hour:02}:{minute:02} ERROR worker: {name} after {count} tries",
        "2026-{month:02}-{day:02} {hour:02}:{minute:02} INFO api: took {name} in {count} ms",
        "2026-{month:02}-{day:02} {hour:02}:{minute:02} WARNING queue: gave up on {name} again",
    ),
    ".md": (
        "- The {word} is no longer lost when the {other} is closed early ({name}).",
        "- {name}: the {word} says which {other} it belongs to.",
        "The {word} of the {other} was changed with {name}, and {count} callers with it.",
    ),
    ".ini": (
        "# the {word} needs it for every {other}\n{name} = {count}",
        "# see also the {other}\n{name} = {word}",
    ),
}
_HEADS = {".log": "", ".md": "# Changes of the {word}\n\n", ".ini": "[{word}]\n"}
_NAMES_A_FILE = 6
_LINES_BETWEEN = range(2, 6)


@dataclass(frozen=True, slots=True)
class Made:
    """A name, its kind, and the names most easily mistaken for it."""

    kind: str
    name: str
    look_alikes: tuple[str, ...]


def make_names(random: Random, *, of_a_kind: int) -> list[Made]:
    """`of_a_kind` names of every kind; none occurs twice, in any case, nor does a look-alike."""
    made: list[Made] = []
    taken: set[str] = set()
    for kind, make in KINDS.items():
        while sum(item.kind == kind for item in made) < of_a_kind:
            name, *others = make(random)
            names = {other.lower() for other in (name, *others)}
            if taken.isdisjoint(names):
                taken |= names
                made.append(Made(kind, name, tuple(others)))
    return made


def made_documents(random: Random, names: Sequence[Made]) -> list[Document]:
    """Files that hold every name once, and no two names that could be mistaken for each other."""
    rounds: list[list[str]] = []
    for item in names:
        for number, name in enumerate((item.name, *item.look_alikes)):
            rounds.extend([] for _ in range(number + 1 - len(rounds)))
            rounds[number].append(name)
    documents: list[Document] = []
    for plants in rounds:
        random.shuffle(plants)
        for start in range(0, len(plants), _NAMES_A_FILE):
            suffix = random.choice(tuple(_SENTENCES))
            text = _text(random, suffix, plants[start : start + _NAMES_A_FILE])
            documents.append(Document(f"made/{len(documents):04}{suffix}", text))
    return documents


def _text(random: Random, suffix: str, names: Sequence[str]) -> str:
    head = _HEADS[suffix].format(word=random.choice(_WORDS))
    return head + "\n".join(line for name in names for line in _lines(random, suffix, name)) + "\n"


def _lines(random: Random, suffix: str, name: str) -> Iterator[str]:
    sentences = _SENTENCES[suffix]
    word, other = random.sample(_WORDS, 2)
    for place in range(random.choice(_LINES_BETWEEN)):
        yield random.choice(sentences).format(
            name=name if place == 0 else random.choice(_WORDS),
            word=word,
            other=other,
            count=random.randint(2, 900),
            month=random.randint(1, 12),
            day=random.randint(1, 28),
            hour=random.randint(0, 23),
            minute=random.randint(0, 59),
        )


def _numbered(random: Random) -> list[str]:
    name, number = "_".join(random.sample(_WORDS, 2)), random.randint(1, 9)
    return [f"{name}_{number}", f"{name}_{number}0", f"{name}_{number + 1}", f"{name}_{number}_old"]


def _version(random: Random) -> list[str]:
    major, minor, patch = random.randint(1, 30), random.randint(0, 30), random.randint(1, 30)
    name = f"{major}.{minor}.{patch}"
    return [name, f"{name}0", f"{name}rc1", f"{name}.1", f"{major}.{minor}.{patch + 1}"]


def _candidate(random: Random) -> list[str]:
    name, stage = _version(random)[0], random.choice(("rc", "b", "a"))
    return [f"{name}{stage}1", f"{name}{stage}2", f"{name}{stage}11", name]


def _uuid(random: Random) -> list[str]:
    number = random.getrandbits(128)
    return [str(UUID(int=number ^ change)) for change in (0, 0xF, 0xF << 64, 0xF << 124)]


def _sha(random: Random) -> list[str]:
    number = random.getrandbits(156) | 0xA << 156
    return [f"{number ^ change:040x}" for change in (0, 0xF, 0xFF << 64, 0xF << 144)]


def _short_sha(random: Random) -> list[str]:
    number = random.getrandbits(28) & 0xFF0FFFF | 0x0A90000
    return [f"{number ^ change:07x}" for change in (0, 0xF, 0xF0, 0xF << 8)]


def _error_code(random: Random) -> list[str]:
    letters, number = random.choice(("E", "TS", "WP", "SQLX")), random.randint(1000, 9800)
    return [f"{letters}{number}", f"{letters}{number + 1}", f"{letters}{number}5", f"X{number}"]


def _error_name(random: Random) -> list[str]:
    first, second, other = (word.upper() for word in random.sample(_WORDS, 3))
    name = f"ERR_{first}_{second}"
    return [name, f"ERR_{first}", f"{name}_{other}", f"ERR_{first}_{other}"]


def _hexadecimal(random: Random) -> list[str]:
    number = 0x80000000 | random.getrandbits(19)
    return [f"0x{number ^ change:08X}" for change in (0, 0xF, 0xF0, 0xF << 12)]


def _ticket(random: Random) -> list[str]:
    project, number = random.choice(_WORDS)[:4].upper(), random.randint(100, 9998)
    return [f"{project}-{number}", f"{project}-{number}0", f"{project}-{number + 1}"]


def _reference(random: Random) -> list[str]:
    owner, name, other = random.sample(_WORDS, 3)
    number = random.randint(10, 998)
    repository = f"{owner}-labs/{name}"
    return [
        f"{repository}#{number}",
        f"{repository}#{number}1",
        f"{repository}#{number + 1}",
        f"{owner}-labs/{other}#{number}",
    ]


def _package(random: Random) -> list[str]:
    name, (version, longer, *_, next_one) = "-".join(random.sample(_WORDS, 2)), _version(random)
    return [f"{name}@{version}", f"{name}@{longer}", f"{name}@{next_one}"]


def _e_mail(random: Random) -> list[str]:
    person, host, other = random.choice(_PEOPLE), *random.sample(_WORDS, 2)
    name = f"{person}.{host}"
    return [f"{name}@{other}.example.com", f"{name}@{other}.example.org", f"{name}@example.com"]


def _address(random: Random) -> list[str]:
    numbers = [random.randint(1, 24) for _ in range(4)]
    name = "10." + ".".join(map(str, numbers[1:]))
    return [name, f"{name}0", f"{name}1", f"1{name}"]


def _mac(random: Random) -> list[str]:
    number = random.getrandbits(48)
    numbers = [f"{number ^ change:012x}" for change in (0, 0xF, 0xF << 24)]
    return [":".join(text[at : at + 2] for at in range(0, 12, 2)) for text in numbers]


def _setting(random: Random) -> list[str]:
    first, second, third, other = random.sample(_WORDS, 4)
    name = f"{first}-{second}-{third}"
    return [name, f"{first}-{second}-{other}", f"{name}-{other}", f"{first}-{third}-{second}"]


def _dotted_setting(random: Random) -> list[str]:
    first, second, third, other = random.sample(_WORDS, 4)
    name = f"{first}.{second}.max_{third}"
    return [
        name,
        f"{first}.{second}.min_{third}",
        f"{first}.{other}.max_{third}",
        f"{name}.{other}",
    ]


def _variable(random: Random) -> list[str]:
    first, second, other = (word.upper() for word in random.sample(_WORDS, 3))
    return [f"${first}_{second}", f"${first}_{second}_{other}", f"${other}_{second}"]


def _flag(random: Random) -> list[str]:
    first, second, other = random.sample(_WORDS, 3)
    return [f"--{first}-{second}", f"--no-{first}-{second}", f"--{first}-{second}-{other}"]


def _windows_path(random: Random) -> list[str]:
    first, second, other = (word.capitalize() for word in random.sample(_WORDS, 3))
    folder = f"C:\\Program Files\\{first}".replace(" ", "")
    return [f"{folder}\\{second}.dll", f"{folder}\\{other}.dll", f"{folder}\\{second}\\{other}.dll"]


def _path(random: Random) -> list[str]:
    first, second, third, other = random.sample(_WORDS, 4)
    return [
        f"/srv/{first}/{second}/{third}.conf",
        f"/srv/{first}/{other}/{third}.conf",
        f"/srv/{first}/{second}/{third}.conf.bak",
        f"/srv/{first}/{second}/{other}.conf",
    ]


def _symbol(random: Random) -> list[str]:
    first, second, third, other = (word.capitalize() for word in random.sample(_WORDS, 4))
    space = first.lower()
    return [f"{space}::{second}{third}", f"{space}::{second}{other}", f"{space}::{second}"]


def _selector(random: Random) -> list[str]:
    first, second, other = random.sample(_WORDS, 3)
    return [f".{first}-{second}", f".{first}-{second}-{other}", f".{first}-{other}"]


def _macro(random: Random) -> list[str]:
    first, second, other = random.sample(_WORDS, 3)
    return [f"{first}_{second}!", f"{first}_{other}!", f"{first}_{second}_{other}!"]


KINDS: dict[str, Callable[[Random], list[str]]] = {
    "numbered name": _numbered,
    "version": _version,
    "release candidate": _candidate,
    "UUID": _uuid,
    "SHA": _sha,
    "short SHA": _short_sha,
    "error code": _error_code,
    "error name": _error_name,
    "hexadecimal code": _hexadecimal,
    "ticket": _ticket,
    "issue of a repository": _reference,
    "package and version": _package,
    "e-mail address": _e_mail,
    "IP address": _address,
    "MAC address": _mac,
    "key-of-settings": _setting,
    "key.of.settings": _dotted_setting,
    "shell variable": _variable,
    "flag": _flag,
    "Windows path": _windows_path,
    "path": _path,
    "C++ name": _symbol,
    "CSS class": _selector,
    "Rust macro": _macro,
}
"""The generators of each kind of name and its look-alikes, the name first."""
