"""The search page: its filters as chips, and what it says of an answer."""

import html
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from memory.workspace import Workspace

TO_ADD = re.compile(r'aria-label="Filters to add">(.*?)</ul>', re.DOTALL)
CHIP = re.compile(r'<a href="([^"]+)"[^>]*><b>([^<]+)</b> ([^<]+)</a>')


@pytest.fixture
def talked(pages: TestClient) -> TestClient:
    """Files, turns of two speakers and a text with a tag, all about a pump."""
    for speaker, text in (("Ana", "The pump leaks."), ("Ben", "I mend the pump on Friday.")):
        turn = {"session_id": "s", "role": "user", "speaker": speaker, "text": text}
        pages.post("/turns", json=turn).raise_for_status()
    text = {"text": "A pump of the red kind.", "tags": ["red"]}
    pages.post("/memory/ingest/text", json=text).raise_for_status()
    return pages


def chips_of(pages: TestClient, path: str) -> dict[str, str]:
    found = TO_ADD.search(pages.get(path).text)
    assert found is not None
    return {
        f"{name}: {label}": address.replace("&amp;", "&")
        for address, name, label in CHIP.findall(found[1])
    }


def citations(pages: TestClient, path: str) -> list[str]:
    return re.findall(r'<a class="open"[^>]*>([^<]+)</a>', pages.get(path).text)


def test_a_chip_narrows_and_another_widens_again(talked: TestClient) -> None:
    chips = chips_of(talked, "/?q=pump")
    labels = {label.partition(":")[0] for label in chips}
    assert {"kind", "folder", "tag", "speaker", "time"} <= labels
    whole = citations(talked, "/?q=pump")
    for label, least in (("speaker: Ana", 1), ("tag: red", 1), ("folder: deep", 1)):
        narrowed = citations(talked, chips[label])
        assert least <= len(narrowed) < len(whole), label
        page = talked.get(chips[label]).text
        (back,) = re.findall(r'<a class="set" href="([^"]+)"', page)
        assert citations(talked, back.replace("&amp;", "&")) == whole


def test_a_speaker_is_heard_alone(talked: TestClient) -> None:
    page = talked.get("/?q=pump&speaker=Ben").text
    assert "I mend the" in page
    assert "leaks" not in page


def test_a_collection_holds_its_files_alone(talked: TestClient, workspace: Workspace) -> None:
    (root,) = map(str, workspace.config.files.watch_directories)
    found = citations(talked, f"/?q=pump&collection={root}")
    assert len(found) == 2
    assert all("docs/" in citation for citation in found)
    assert citations(talked, "/?q=pump&collection=/nowhere") == []
    assert "No match" in talked.get("/?q=pump&collection=/nowhere").text


def test_a_hit_tells_its_confidence_and_age(talked: TestClient) -> None:
    page = talked.get("/?q=pump").text
    assert 'aria-label="score"' in page
    assert re.search(r'class="score">\d\.\d\d (?:strong|fair|weak)<', page)
    assert "just now" in page


def test_an_empty_a_weak_and_a_stale_answer_say_so(
    talked: TestClient, workspace: Workspace
) -> None:
    assert "No match" in talked.get("/?q=xylem zygote quasar").text
    weak = talked.get("/?q=which Friday do volcanoes erupt").text
    assert '<p class="warning">Nothing here seems to answer this: ' in weak
    assert re.search(r"\d nearest results? in", weak)
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE files SET state = 'pending'", {})
    assert "The index is behind: 3 files wait" in talked.get("/?q=pump").text


def test_a_snippet_begins_at_a_line_before_the_words_found(pages: TestClient, home: Path) -> None:
    """A question typed against a long text: its words are in the snippet, and all are marked."""
    filler = "Filler text of no matter. " * 2
    lines = [filler] * 12 + ["  The xylograph hums <b>.", "A xylograph again."] + [filler] * 12
    (home / "docs" / "long.md").write_text("\n".join(lines), "utf-8")
    pages.post("/memory/sync").raise_for_status()
    (snippet,) = re.findall(
        r'<pre class="snippet">(.*?)</pre>', pages.get("/?q=xylograph").text, re.S
    )
    assert "The <mark>xylograph</mark> hums &lt;b&gt;." in snippet
    assert "A <mark>xylograph</mark> again." in snippet
    assert snippet.startswith("Filler text of no matter.")
    assert len(html.unescape(re.sub("</?mark>", "", snippet))) <= 600
