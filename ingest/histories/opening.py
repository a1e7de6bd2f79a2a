"""Open a chat history of any form, and detect the program that wrote it."""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Final

from contracts.errors import InputError, NotFoundError
from contracts.named_tuple import NamedTuple
from ingest.histories import chatgpt, claude, openai_messages, sem_mem, transcript
from ingest.histories.jsonstream import ByteStream, numbered_lines, values
from ingest.histories.values import SYMBIOSIS, HistoryForm, Item, Omitted
from ingest.loaders.encodings.decoding import decoded_text
from ingest.values import SkippedFile

try:
    from lzma import LZMAError
except ImportError:  # a Python built without it reads no such archive
    LZMAError = zipfile.BadZipFile  # type: ignore[assignment, misc]  # stands in its place

_CONVERSATIONS: Final = re.compile(r"conversations(?:[-_]\d+)?\.json", re.IGNORECASE)
_NAMES: Final[Mapping[HistoryForm | None, re.Pattern[str]]] = {
    None: re.compile(rf"{_CONVERSATIONS.pattern}|threads\.json", re.IGNORECASE),
    "chatgpt": _CONVERSATIONS,
    "claude": _CONVERSATIONS,
    "sem-mem": re.compile(r"threads\.json", re.IGNORECASE),
    "openai-jsonl": re.compile(r".+\.(?:jsonl|ndjson)", re.IGNORECASE),
    "transcript": re.compile(r".+\.(?:md|markdown|txt|text)", re.IGNORECASE),
}
"""The file names of a history in a folder or an archive."""

_CALLED: Final[Mapping[HistoryForm, str]] = {
    "chatgpt": "conversations.json",
    "claude": "conversations.json",
    "sem-mem": "threads.json",
    "openai-jsonl": "*.jsonl",
    "transcript": "*.md or *.txt",
}

_UNREADABLE: Final = (OSError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError, RuntimeError)
"""Errors of damaged archives; RecursionError is a RuntimeError."""

_ENCRYPTED: Final = 1
"""The flag of a member of an archive that wants a password."""

_MOST_TEXT_BYTES: Final = 1 << 26
"""The most bytes of a transcript, which is read at once."""

_DATABASE: Final = b"SQLite format 3\0"

_SAMPLED: Final = 3
"""Values of a file that are examined to detect its form."""


class Part(NamedTuple):
    """A file of a history: its name without the folders, and a way to read its bytes."""

    name: str
    open: Callable[[], AbstractContextManager[ByteStream]]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem


def history_items(path: Path, form: HistoryForm) -> Iterator[Item]:
    """All turns in a file, a zip archive or a folder, in order.

    An unusable entry is an `Omitted` with its place. Raises NotFoundError if nothing is at that
    path, InputError if nothing there may be a history.
    """
    parts = parts_of(path, form)
    if not parts:
        raise InputError(
            f"{path} holds no file of the form {form}",
            hint=f"name the file itself; of a folder or an archive {_CALLED[form]} is read",
        )
    for part in parts:
        try:
            yield from _READERS[form](part)
        except InputError as error:
            yield Omitted("broken", part.name, error.message)
        except _UNREADABLE as error:
            yield Omitted("broken", part.name, f"it cannot be read: {error}")


def parts_of(path: Path, form: HistoryForm | None = None) -> list[Part]:
    """The files at a path that may hold a history; in archives and folders those with its names.

    Raises InputError for an archive that cannot be opened or wants a password.
    """
    if path.is_dir():
        names = sorted(item.name for item in path.iterdir() if item.is_file())
        return [_file(path / name) for name in names if _NAMES[form].fullmatch(name)]
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}", hint="check its spelling")
    if not zipfile.is_zipfile(path):
        return [_file(path)]
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                item
                for item in archive.infolist()
                if _NAMES[form].fullmatch(PurePosixPath(item.filename).name)
            ]
    except _UNREADABLE as error:
        raise InputError(f"{path} cannot be opened: {error}", hint="download it again") from error
    if any(item.flag_bits & _ENCRYPTED for item in members):
        raise InputError(
            f"{path} is encrypted", hint="unpack it with its password, and import the folder"
        )
    return [_member(path, name) for name in sorted(item.filename for item in members)]


def guess(path: Path) -> str | None:
    """The form of the history at a path, one of `FORMS`; None if unclear.

    Raises InputError for an archive without a history that can be read: it is nothing else either.
    """
    faults: list[str] = []
    for part in parts_of(path):
        try:
            if _is_database(part):
                return SYMBIOSIS
            is_text = _NAMES["transcript"].fullmatch(part.name)
            found = _guessed_text(part) if is_text else _guessed_json(part)
        except (InputError, *_UNREADABLE) as error:
            faults.append(f": {part.name}: {getattr(error, 'message', error)}")
            continue
        if found is not None:
            return found
    if path.is_file() and zipfile.is_zipfile(path):
        raise InputError(
            f"{path} holds no chat history that can be read{''.join(faults[:1])}",
            hint="export it again; conversations.json or threads.json is read of an archive, "
            "others with --format",
        )
    return None


def _is_database(part: Part) -> bool:
    with part.open() as stream:
        return stream.read(len(_DATABASE)) == _DATABASE


def _guessed_text(part: Part) -> HistoryForm | None:
    """A transcript if two roles speak; names alone may be a list of anything."""
    lines = transcript.speaker_lines(_text(part).splitlines())
    roles = transcript.roles_of(lines).values()
    return "transcript" if {"user", "assistant"} <= set(roles) else None


def _guessed_json(part: Part) -> HistoryForm | None:
    with part.open() as stream:
        is_lines = _NAMES["openai-jsonl"].fullmatch(part.name)
        found = (value for _, value in numbered_lines(stream)) if is_lines else values(stream)
        sample = [value for value in islice(found, _SAMPLED) if isinstance(value, Mapping)]
    for value in sample:
        if "mapping" in value:
            return "chatgpt"
        if "chat_messages" in value:
            return "claude"
        if isinstance(value.get("threads"), Mapping):
            return "sem-mem"
        if isinstance(value.get("messages"), list) or {"role", "content"} <= value.keys():
            return "openai-jsonl"
    return None


def _conversations(
    part: Part, items_of: Callable[[Mapping[str, Any], str], Iterator[Item]]
) -> Iterator[Item]:
    with part.open() as stream:
        for number, value in enumerate(values(stream), 1):
            place = f"{part.name}, conversation {number}"
            if isinstance(value, Mapping):
                yield from items_of(value, place)
            else:
                yield Omitted("broken", place, "it is not an object")


def _chatgpt(part: Part) -> Iterator[Item]:
    return _conversations(part, chatgpt.conversation_items)


def _claude(part: Part) -> Iterator[Item]:
    return _conversations(part, claude.conversation_items)


def _sem_mem(part: Part) -> Iterator[Item]:
    return _conversations(part, lambda store, _: sem_mem.store_items(store))


def _openai(part: Part) -> Iterator[Item]:
    messages = openai_messages.Messages(part.stem)
    with part.open() as stream:
        if part.suffix == ".json":
            for number, value in enumerate(values(stream), 1):
                place = f"{part.name}, entry {number}"
                yield from messages.items(value, place, number=number)
            return
        for number, line in numbered_lines(stream):
            place = f"{part.name}, line {number}"
            if isinstance(line, InputError):
                yield Omitted("broken", place, line.message)
            else:
                yield from messages.items(line, place, number=number)


def _transcript(part: Part) -> Iterator[Item]:
    return transcript.transcript_items(_text(part), part.stem, place=part.name)


def _text(part: Part) -> str:
    """The text of a file in any encoding."""
    with part.open() as stream:
        data = stream.read(_MOST_TEXT_BYTES + 1)
    if len(data) > _MOST_TEXT_BYTES:
        raise InputError(
            f"it has more than {_MOST_TEXT_BYTES:,} bytes", hint="cut it where a conversation ends"
        )
    decoded = decoded_text(data, part.name)
    if isinstance(decoded, SkippedFile):
        raise InputError(f"it is not text: {decoded.detail}", hint="save it as UTF-8")
    return decoded[0]


_READERS: Final[Mapping[HistoryForm, Callable[[Part], Iterator[Item]]]] = {
    "chatgpt": _chatgpt,
    "claude": _claude,
    "openai-jsonl": _openai,
    "transcript": _transcript,
    "sem-mem": _sem_mem,
}


def _file(path: Path) -> Part:
    return Part(path.name, lambda: path.open("rb"))


def _member(path: Path, name: str) -> Part:
    @contextmanager
    def opened() -> Iterator[ByteStream]:
        with zipfile.ZipFile(path) as archive, archive.open(name) as stream:
            yield stream

    return Part(PurePosixPath(name).name, opened)
