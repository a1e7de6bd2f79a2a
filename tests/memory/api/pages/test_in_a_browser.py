"""The pages in a real browser: typing, keys, no script, hostile content, accessibility.

With SCREENSHOTS=FOLDER each page leaves a picture there; `make screenshots` renews that of the
README.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.pdfs import pdf
from tests.memory.api.conftest import LiveServer, starting
from tests.repository import ROOT

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

CHROMIUM = shutil.which("chromium")
SCREENSHOTS = os.environ.get("SCREENSHOTS")
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><b hx-get='/x' hx-trigger='load'>b</b>"
PAGES = {
    "search": "/?q=pump",
    "file": "/page/read?at=docs/setup.md:1-3&q=pump",
    "pdf": "/page/read?at=docs/two.pdf, page 2&q=valve",
    "code": "/page/read?at=docs/code.py&q=litres",
    "conversation": "/page/read?at=turn 1",
    "memories": "/page/memories",
    "memory": "/page/read?at=memory 1",
    "timeline": "/page/timeline",
    "people": "/page/people",
    "person": "/page/person?name=Lena",
    "loops": "/page/loops",
    "signals": "/page/signals",
    "context": "/page/context?q=where do I live",
    "health": "/page/health",
    "first": "/page/begin",
    "agent": "/page/begin/agent?name=codex",
    "empty": "/",
    "problem": "/page/read?at=nothing",
}
_RULES = {"light": None, "dark": {"runOnly": ["color-contrast"]}}
"""What is examined in each scheme: only colours differ."""

FILES = {
    "setup.md": "# Setup\n\nThe pump in Zürich needs bricks.\n\n## Later\n\nAsk 田中さん.\n",
    "code.py": "def pump_rate(litres):\n    return litres / 60\n",
    "pumps.md": "".join(
        f"## Pump {number}\n\nThe pump turns. {'Filler text here. ' * 60}\n\n"
        for number in range(5)
    ),
    "hostile.md": f"---\ntitle: {HOSTILE}\n---\n# {HOSTILE}\n\nThe xylograph {HOSTILE}\n",
    "<img src=x onerror=alert(1)>.md": "A xylograph in a file with an odd name.\n",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.fixture(scope="module")
def server(new_folder: Callable[[str], Path]) -> Iterator[LiveServer]:
    home = new_folder("pages")
    (home / "docs").mkdir()
    for name, text in FILES.items():
        (home / "docs" / name).write_text(text, "utf-8")
    (home / "docs" / "two.pdf").write_bytes(pdf([["The first page"], ["A valve of brass"]]))
    with starting(home) as start:
        server = start()
        with server.client() as client:
            client.post("/memory/sync").raise_for_status()
            for text in (
                *("I live in Oslo. My dog is named Rex.", f"xylograph {HOSTILE}"),
                *("I have moved. I live in Bergen now.", "Lena wants the slides."),
            ):
                turn = {"session_id": "s", "role": "user", "text": text}
                client.post("/turns", json=turn).raise_for_status()
            client.post("/memory/person", json={"name": "Lena", "relationship": "colleague"})
            for topic in ("send the slides", "water the plants"):
                client.post("/memory/open-loop", json={"topic": topic}).raise_for_status()
            for value in ("4", "7"):
                client.post("/memory/signal", json={"signal_type": "mood", "value": value})
            fact = {"category": "user", "key": "editor", "value": "vim"}
            client.post("/memory/fact", json=fact).raise_for_status()
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, server: LiveServer) -> Iterator[Any]:
    """A page that notes complaints of the console and requests to other hosts."""
    opened = browser.new_page(base_url=server.url, viewport={"width": 1100, "height": 800})
    opened.wrong = []
    opened.on("console", lambda line: opened.wrong.append(line.text) if line.type == "error" else 0)
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))
    opened.on(
        "request",
        lambda request: (
            0 if request.url.startswith(server.url) else opened.wrong.append(request.url)
        ),
    )
    yield opened
    wrong = [line for line in opened.wrong if "status of 404" not in line]  # that of "problem"
    opened.close()
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    for name, path in PAGES.items():
        page.goto(path)
        found = axe.Axe().run(page, options=_RULES[scheme])
        assert found.violations_count == 0, (name, found.generate_report())
        if SCREENSHOTS:
            page.screenshot(path=f"{SCREENSHOTS}/{name}-{scheme}.png")


@pytest.mark.parametrize("width", [320, 1600])
def test_no_page_is_wider_than_its_window(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    for path in PAGES.values():
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_typing_finds_and_keys_open(page: Any) -> None:
    page.goto("/")
    page.keyboard.type("where do I live")
    page.locator(".hits > li").first.wait_for()
    page.wait_for_url("**/?q=where+do+I+live")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "open"
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/read**")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


def test_a_chip_narrows_the_answer(page: Any) -> None:
    page.goto("/?q=pump")
    page.click("a:text('time: the last 7 days')")
    assert page.locator(".chips a.set").count() >= 1
    page.locator(".chips a.set").first.click()
    page.wait_for_url(re.compile("q=pump"))


def test_n_and_p_step_through_the_hits_of_a_file(page: Any) -> None:
    page.goto("/page/read?at=docs/pumps.md:1&q=pump turns")
    first = page.locator("li.cited").first.get_attribute("value")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"pumps\.md%3A(?!1&)"))
    assert page.locator("li.cited").first.get_attribute("value") != first
    assert page.locator("li.cited").first.is_visible()
    page.keyboard.press("p")
    page.wait_for_url(re.compile(r"pumps\.md%3A1\b"))


def test_a_page_of_a_pdf_is_seen(page: Any) -> None:
    page.goto(PAGES["pdf"])
    picture = page.locator("figure.sheet img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('figure.sheet img').naturalWidth > 800")


def test_plots_are_drawn_by_the_library_and_without_it(
    page: Any, browser: Any, server: LiveServer
) -> None:
    page.goto("/page/signals")
    page.locator("figure.plot canvas").first.wait_for()
    assert page.locator("figure.plot .u-legend").first.is_visible()
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    plain = context.new_page()
    plain.goto("/page/signals")
    assert plain.locator("figure.plot img").first.is_visible()
    context.close()


def test_the_health_page_follows(page: Any, server: LiveServer) -> None:
    page.goto("/page/health")
    assert "1 text" not in page.inner_text("#health table")
    text = {"text": "A text about a newly invented whatsit."}
    with server.client() as client:
        client.post("/memory/ingest/text", json=text).raise_for_status()
    page.wait_for_function("() => document.querySelector('#health').innerText.includes('1 text')")


def test_forms_without_scripts(browser: Any, server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    page.goto("/")
    page.fill("#q", "pump")
    page.click("button:text('Search')")
    assert page.locator(".hits mark").count() > 0
    page.locator("a.open").first.click()
    assert page.locator(".text li, .turns li").count() > 0
    page.goto("/page/loops")
    page.locator("button:text('Done')").first.click()
    assert page.locator("h2:text('Closed (1)')").count() == 1
    page.goto("/page/begin")
    page.locator("button:text('Read it now')").first.click()
    assert page.locator("h1:text('files are new')").count() == 1
    context.close()


def test_a_memory_is_corrected_and_forgotten(page: Any, server: LiveServer) -> None:
    with server.client() as client:
        made = client.post("/memories", json={"content": "User owns a red kite"}).json()
    page.goto(f"/page/read?at=memory {made['id']}")
    page.fill("input[name=content]", "User owns a blue kite")
    page.click("button:text('Correct')")
    page.locator("h1:text('User owns a blue kite')").wait_for()
    page.click("button:text('Forget')")
    page.click("button:text('Forget for good')")
    page.locator("h2:text('Proof')").wait_for()


def test_hostile_text_is_inert(page: Any) -> None:
    paths = [
        "/?q=xylograph",
        "/page/read?at=docs/hostile.md",
        "/page/read?at=turn 2",
        "/page/health",
    ]
    paths.append("/page/read?at=docs/<img src=x onerror=alert(1)>.md")
    for path in paths:
        page.goto(path)
        page.wait_for_timeout(200)
        assert page.title() != "owned"
        assert page.locator("main img, main b[hx-get]").count() == 0
    page.goto("/page/read?at=docs/hostile.md")
    assert "onerror" in page.inner_text("main")


@pytest.mark.skipif(SCREENSHOTS is None, reason="SCREENSHOTS names no folder for pictures")
def test_the_picture_of_the_readme(browser: Any, new_folder: Callable[[str], Path]) -> None:
    """A question that a file and a conversation answer, with the reasons of the first hit."""
    home = new_folder("picture")
    (home / "docs").mkdir()
    for name in ("running.md", "backup.md", "setup.md"):
        shutil.copy(ROOT / "docs" / name, home / "docs" / name)
    with starting(home) as start:
        server = start()
        with server.client() as client:
            client.post("/memory/sync").raise_for_status()
            for text in ("I live in Oslo. My dog is named Rex.", "I have moved to Bergen."):
                turn = {"session_id": "letters", "role": "user", "text": text}
                client.post("/turns", json=turn).raise_for_status()
        context = browser.new_context(base_url=server.url, device_scale_factor=1)
        page = context.new_page()
        page.set_viewport_size({"width": 900, "height": 620})
        page.goto("/")
        page.keyboard.type("where do I live now")
        page.wait_for_url("**/?q=where+do+I+live+now")
        page.locator(".why summary").first.click()
        picture = Path(str(SCREENSHOTS), "search-page.png")
        page.screenshot(path=picture)
        assert 10_000 < picture.stat().st_size < 150_000
        context.close()
