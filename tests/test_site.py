"""The site of the documents: every page is in it, no link is broken, nothing is from elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.repository import ROOT
from tools.site_pages import for_the_site

pytestmark = pytest.mark.slow

ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LOADING = ("src", "srcset", "href", "action", "data", "poster", "content", "xlink:href")


@pytest.fixture(scope="module")
def site(new_folder: Callable[[str], Path]) -> Path:
    """The built site; any warning ends the build."""
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    folder = new_folder("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return folder


class Loaded(HTMLParser):
    """The addresses that a browser loads of a page by itself: links in the text are not."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            found = (value for name, value in attrs if name in LOADING and value)
            self.addresses += filter(ELSEWHERE.match, found)


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    loaded = {page.name: Loaded(page.read_text(encoding="utf-8")).addresses for page in pages}
    assert {name: found for name, found in loaded.items() if found} == {}
    assert Loaded('<script src="https://example.org/x.js"></script>').addresses


def test_no_style_or_picture_loads_anything_from_another_host(site: Path) -> None:
    addresses = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//|(?:xlink:)?href=[\"']https?:")
    files = [*site.rglob("*.css"), *site.rglob("*.svg")]
    assert files
    assert [file.name for file in files if addresses.search(file.read_text("utf-8"))] == []


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_a_browser_asks_no_other_host(site: Path) -> None:
    """Not for its search either, which is a script."""
    playwright = pytest.importorskip("playwright.sync_api")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    own = f"http://127.0.0.1:{server.server_port}/"
    asked: list[str] = []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(own)
        ready = page.locator(".md-search-result__meta", has_text="Type to start searching")
        ready.wait_for(state="attached")  # words typed before the scripts listen are lost
        page.get_by_placeholder("Search").fill("reciprocal rank fusion")
        page.get_by_placeholder("Search").press("End")  # the scripts read the words at a key
        page.locator(".md-search-result__item").first.wait_for()
        browser.close()
    server.shutdown()
    server.server_close()
    assert len(asked) > 5
    assert [url for url in asked if not url.startswith((own, "data:", "blob:"))] == []


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a log."""

    def log_message(self, *_: object) -> None:
        pass


def test_every_page_is_in_the_site(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    missing = {page for page in pages if not (site / address(page)).is_file()}
    assert missing == set()
    first = (site / "index.html").read_text(encoding="utf-8")
    assert {page for page in pages if address(page).as_posix() not in first} == set()


def address(page: Path) -> Path:
    return page.with_name("index.html" if page.name == "README.md" else f"{page.stem}.html")


def test_no_markdown_is_left_in_a_page(site: Path) -> None:
    """Lists and tables need a blank line before them in the site, though not everywhere."""
    assert list(leftovers(site)) == []


def leftovers(site: Path) -> Iterator[tuple[str, str]]:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        text = text[text.find("<article") : text.find("</article>")]
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)
        for found in re.findall(
            r"^(?:<p>)?(?:\||- |\d+\. |```|#+ ).*|\]\(.*|\*\*.*", text, re.MULTILINE
        ):
            yield page.name, found


@pytest.mark.parametrize(
    "folder, written, shown",
    [
        ("", "[a](docs/files.md#rules)", "[a](files.md#rules)"),
        ("", "![a](docs/images/peers.svg)", "![a](images/peers.svg)"),
        ("", "[reasons](docs/decisions)", "[reasons](decisions/README.md)"),
        ("", "[LICENSE](LICENSE)", "LICENSE"),
        (
            "docs",
            "[the card](../providers/onnx/data/CARD.md)",
            "the card (`providers/onnx/data/CARD.md`)",
        ),
        ("docs", "[start](../README.md)", "[start](index.md)"),
        ("docs/providers", "[costs](../costs.md#where)", "[costs](../costs.md#where)"),
        ("docs", "[a site](https://example.org/x)", "[a site](https://example.org/x)"),
        ("docs", "[below](#rules)", "[below](#rules)"),
    ],
)
def test_links_are_those_of_the_site(folder: str, written: str, shown: str) -> None:
    assert for_the_site(written, folder) == shown
