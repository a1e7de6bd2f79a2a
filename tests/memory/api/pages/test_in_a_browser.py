"""The pages in a real browser: typing, keys, no script, hostile content, accessibility."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.memory.api.conftest import LiveServer, Serve

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

CHROMIUM = shutil.which("chromium")
SCREENSHOTS = os.environ.get("SCREENSHOTS")
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><b hx-get='/x' hx-trigger='load'>b</b>"
PAGES = {
    "search": "/?q=pump",
    "file": "/page/read?at=docs/setup.md:1-3&q=pump",
    "conversation": "/page/read?at=turn 1",
    "memory": "/page/memories",
    "timeline": "/page/timeline",
    "people": "/page/people",
    "loops": "/page/loops",
    "signals": "/page/signals",
    "context": "/page/context?q=where do I live",
    "health": "/page/health",
    "empty": "/",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.fixture
def server(serve_live: Serve, home: Path) -> LiveServer:
    (home / "docs" / "hostile.md").write_text(f"# {HOSTILE}\n\nThe xylograph {HOSTILE}\n")
    server = serve_live()
    with server.client() as client:
        client.post("/memory/sync").raise_for_status()
        for text in ("I live in Oslo. My dog is named Rex.", f"xylograph {HOSTILE}"):
            turn = {"session_id": "s", "role": "user", "text": text}
            client.post("/turns", json=turn).raise_for_status()
        client.post("/memory/open-loop", json={"topic": "send the slides"}).raise_for_status()
        for value in ("4", "7"):
            client.post("/memory/signal", json={"signal_type": "mood", "value": value})
    return server


@pytest.fixture
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
    assert opened.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    for name, path in PAGES.items():
        page.goto(path)
        found = axe.Axe().run(page)
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


def test_a_form_without_scripts(browser: Any, server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    page.goto("/")
    page.fill("#q", "pump")
    page.click("button:text('Search')")
    assert page.locator(".hits mark").count() > 0
    page.locator("a.open").first.click()
    assert page.locator(".text li, .turns li").count() > 0
    page.goto("/page/loops")
    page.click("button:text('Done')")
    assert page.locator("h2:text('Closed (1)')").count() == 1


def test_hostile_text_is_inert(page: Any) -> None:
    for path in ("/?q=xylograph", "/page/read?at=docs/hostile.md", "/page/read?at=turn 2"):
        page.goto(path)
        page.wait_for_timeout(300)
        assert page.title() != "owned"
        assert page.locator("main img, main b[hx-get]").count() == 0
        assert "onerror" in page.inner_text("main")
