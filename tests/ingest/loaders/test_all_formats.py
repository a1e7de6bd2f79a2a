"""Properties of every format: damage never raises, nothing is fetched, places are true."""

import io
import random
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest import LoadedText, SkippedFile, chunk, load_bytes
from tests.ingest.loaders import samples
from tests.ingest.loaders.samples import SAMPLES, WORDS

DAMAGES = 40
REASONS = {"binary", "broken", "empty", "encrypted", "over-limit", "undecodable"}
SIGNS = (
    b"<",
    b">",
    b"/",
    b'"',
    b"\0",
    b"&#x0;",
    b"\xff",
    b"0",
    b"-1",
    b"99999999999",
    b"<a>",
    b"\n",
)


def texts(found: LoadedText | SkippedFile) -> str:
    """The text, once it is proved that chunking can go on from here."""
    if isinstance(found, SkippedFile):
        assert found.reason in REASONS
        return ""
    found.text.encode()
    assert "\0" not in found.text
    starts = [place.start_char for place in found.places]
    assert starts == sorted(set(starts))
    assert all(0 <= start < len(found.text) for start in starts)
    assert chunk(found)
    return found.text


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Cut off, flipped, or with something in its place."""
    kind = chance.randrange(3)
    at = chance.randrange(len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    return data[:at] + chance.choice(SIGNS) + data[at + chance.randrange(40) :]


def damaged_member(data: bytes, chance: random.Random) -> bytes:
    """A sound archive with one part that is damaged inside, or gone."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        names = [name for name in old.namelist() if name.endswith(("xml", "rels", "html", "opf"))]
        victim = chance.choice(names)
        for name in old.namelist():
            content = old.read(name)
            if name != victim:
                new.writestr(name, content)
            elif chance.random() < 0.9:
                new.writestr(name, damaged(content, chance))
    return out.getvalue()


@pytest.mark.parametrize("name", SAMPLES)
def test_sound_file_is_read(name):
    text = texts(load_bytes(SAMPLES[name](), name))
    assert WORDS in " ".join(text.split())


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_file_never_raises(name):
    data = SAMPLES[name]()
    chance = random.Random(name)
    for _ in range(DAMAGES):
        texts(load_bytes(damaged(data, chance), name))
        if zipfile.is_zipfile(io.BytesIO(data)):
            texts(load_bytes(damaged_member(data, chance), name))


@pytest.mark.parametrize("name", SAMPLES)
def test_bytes_of_another_format_never_raise(name):
    for other in SAMPLES:
        texts(load_bytes(SAMPLES[other](), name))
    for data in (b"", b"\0", b" \n", b"PK\x05\x06" + bytes(18), b"<" * 5_000, b"[" * 5_000):
        texts(load_bytes(data, name))


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def linked_office(data: bytes, address: str) -> bytes:
    """An office file whose parts ask for a template, a picture and a part from elsewhere."""
    kinds = ("attachedTemplate", "image", "styles", "slide", "header", "chart", "sharedStrings")
    links = "".join(
        f'<Relationship Id="far{number}" Type="http://x/{kind}" Target="{address}/{kind}" '
        f'TargetMode="{mode}"/>'
        for number, (kind, mode) in enumerate((k, m) for k in kinds for m in ("External", ""))
    )
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("l.rels") and name != "_rels/.rels":
                content = content.replace(b"</Rel", links.encode() + b"</Rel", 1)
            new.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    "name, make",
    [
        ("a.html", samples.page),
        ("a.epub", samples.epub),
        ("a.eml", samples.mail),
        ("a.docx", lambda address: linked_office(samples.word(), address)),
        ("a.pptx", lambda address: linked_office(samples.slides(), address)),
        ("a.xlsx", lambda address: linked_office(samples.workbook(), address)),
    ],
)
def test_nothing_is_fetched(name, make: Callable[[str], bytes], server):
    """Style sheets, pictures, frames, document types, entities, templates: none is asked for."""
    address = f"http://127.0.0.1:{server.getsockname()[1]}"
    texts(load_bytes(make(address), name))
    with pytest.raises(BlockingIOError):
        server.accept()


def test_no_other_file_is_read(tmp_path: Path):
    secret = tmp_path / "b.txt"
    secret.write_text("the secret")
    for name, make in (("a.epub", samples.epub), ("a.html", samples.page)):
        assert "secret" not in texts(load_bytes(make(tmp_path.as_uri()), name))
