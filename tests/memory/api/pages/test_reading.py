"""Pages of what a citation names: neighbouring hits, links, pictures of PDFs, conversations."""

import re
import struct
import zlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingest import LoadLimits, SkippedFile
from ingest.workers import WorkerPool
from ingest.workers.page_images import page_image
from tests.ingest.pdfs import pdf

pytest.importorskip("pypdfium2")

PUMPS = "".join(
    f"## Part {number}\n\n"
    + f"The pump number {number} turns. "
    + "Filler text here. " * 60
    + "\n\n"
    for number in range(6)
)


def open_hits(pages: TestClient, query: str) -> list[str]:
    text = pages.get(query).text
    return [each.replace("&amp;", "&") for each in re.findall(r'class="open" href="([^"]+)"', text)]


def test_neighbouring_hits_are_lit_and_stepped_through(pages: TestClient, home: Path) -> None:
    (home / "docs" / "pumps.md").write_text(PUMPS, "utf-8")
    pages.post("/memory/sync").raise_for_status()
    hits = [one for one in open_hits(pages, "/?q=pump number turns") if "pumps.md" in one]
    seen, at = [], hits[0]
    while before := re.search(r'rel="prev" href="([^"]+)"', pages.get(at).text):
        at = before[1].replace("&amp;", "&")
    while at:
        page = pages.get(at).text
        cited = re.findall(r'value="(\d+)" class="cited"', page)[0]
        assert "The <mark>pump</mark> <mark>number</mark>" in page
        assert 'class="near">' in page
        seen.append(int(cited))
        following = re.search(r'rel="next" href="([^"]+)"', page)
        at = following[1].replace("&amp;", "&") if following else ""
    assert seen == sorted(seen)
    assert len(seen) >= 4


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def darkest(png: bytes) -> int:
    """The darkest value of the pixels of a grey picture."""
    width, height = size_of(png)
    at = png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[at - 4 : at])
    rows = zlib.decompress(png[at + 4 : at + 4 + length])
    assert len(rows) == height * (width + 1)
    lines = (rows[place + 1 : place + 1 + width] for place in range(0, len(rows), width + 1))
    return min(map(min, lines))


def test_a_page_of_a_pdf_is_a_picture(pages: TestClient, home: Path) -> None:
    (home / "docs" / "two.pdf").write_bytes(pdf([["The first pump"], ["A xylograph"], []]))
    pages.post("/memory/sync").raise_for_status()
    (hit,) = [one for one in open_hits(pages, "/?q=xylograph") if "two.pdf" in one]
    text = pages.get(hit).text
    (address,) = re.findall(r'<img src="(/page/pdf[^"]+)" alt="Page 2 as', text)
    assert "A <mark>xylograph</mark>" in text
    drawn = pages.get(address.replace("&amp;", "&"))
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
    assert drawn.headers.get_list("cache-control") == ["private, max-age=300"]
    width, height = size_of(drawn.content)
    assert width in (900, 901)
    assert height > width
    assert darkest(drawn.content) < 50
    assert len(drawn.content) < 100_000
    gone = pages.get(address.replace("page=2", "page=9").replace("&amp;", "&"))
    assert (gone.status_code, "no page 9, of 3" in gone.text) == (404, True)
    (note,) = [one for one in open_hits(pages, "/?q=pump_rate") if "code.py" in one]
    assert "/page/pdf" not in pages.get(note).text


def test_a_changed_pdf_is_shown_as_text(pages: TestClient, home: Path) -> None:
    path = home / "docs" / "two.pdf"
    path.write_bytes(pdf([["A xylograph"]]))
    pages.post("/memory/sync").raise_for_status()
    (hit,) = [one for one in open_hits(pages, "/?q=xylograph") if "two.pdf" in one]
    path.unlink()
    text = pages.get(hit).text
    assert "/page/pdf" not in text
    assert "A <mark>xylograph</mark>" in text


@pytest.mark.parametrize(
    "data, word",
    [
        (b"%PDF-1.4 nothing", "PDF"),
        (pdf([["a"]], password="secret"), "password"),
    ],
    ids=["damaged", "encrypted"],
)
def test_what_cannot_be_drawn_costs_its_picture_only(
    tmp_path: Path, data: bytes, word: str
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    limits = LoadLimits()
    with WorkerPool(1, limits) as pool:
        refused = page_image(pool, str(path), number=1, most_bytes=1 << 20, limits=limits)
        assert isinstance(refused, SkippedFile)
        assert word in refused.detail
        path.write_bytes(pdf([["a"]]))
        assert isinstance(
            page_image(pool, str(path), number=1, most_bytes=1 << 20, limits=limits), bytes
        )


def test_a_conversation_tells_what_was_remembered_and_what_superseded_it(
    pages: TestClient,
) -> None:
    said = ("I live in Oslo.", "I have moved. I live in Bergen now.")
    for day, text in enumerate(said, start=1):
        turn = {"session_id": "s", "role": "user", "text": text, "ts": f"2026-03-0{day}T08:00:00Z"}
        pages.post("/turns", json=turn).raise_for_status()
    page = pages.get("/page/read?at=turn 1").text
    first, second = page.split('<p class="about">')[1:3]
    assert "I live in Oslo." in first
    assert re.search(r"Remembered: <a [^>]+>[^<]*Oslo", first)
    assert re.search(r"superseded by <a [^>]+>[^<]*Bergen", first)
    assert re.search(r"Remembered: <a [^>]+>[^<]*Bergen", second)
    assert "superseded" not in second


def test_a_conversation_leads_on_only_where_more_was_said(pages: TestClient) -> None:
    for number in range(1, 6):
        turn = {"session_id": "long", "role": "user", "text": f"Line {number} of a talk."}
        pages.post("/turns", json=turn).raise_for_status()
    first, last = (pages.get(f"/page/read?at=turn {number}").text for number in (1, 5))
    assert 'rel="prev"' not in first
    assert 'rel="next"' in first
    assert 'rel="prev"' in last
    assert 'rel="next"' not in last


def test_a_note_names_its_links_and_who_links_to_it(pages: TestClient, home: Path) -> None:
    notes = {
        "pump": "# Pump\n\nSee [[Valve]] and [[Nowhere at all]].\n",
        "valve": "# Valve\n\nIt closes.\n",
    }
    for name, text in notes.items():
        (home / "docs" / f"{name}.md").write_text(text, "utf-8")
    pages.post("/memory/sync").raise_for_status()
    pump = pages.get("/page/read", params={"at": str(home / "docs" / "pump.md")}).text
    valve = pages.get("/page/read", params={"at": str(home / "docs" / "valve.md")}).text
    assert re.search(r'<h2>Links</h2>\s*<ul><li><a href="[^"]*valve\.md"', pump)
    assert "Nowhere at all (leads nowhere)" in pump
    assert "Linked from" not in pump
    assert re.search(r'<h2>Linked from</h2>\s*<ul><li><a href="[^"]*pump\.md', valve)
    assert "<h2>Links</h2>" not in valve
