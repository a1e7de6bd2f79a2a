"""The pages in a real browser: typing, keys, no script, hostile content, accessibility.

With SCREENSHOTS=FOLDER each page leaves a picture there; `make screenshots` renews that of the
README.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from memory.api.pages.filters import MOST_SHOWN
from memory.config.loading import load_config
from memory.conversations.memories.values import UNCONFIRMED
from memory.index.spaces.upgrade_state import BETTER
from memory.storage import Space, Storage
from memory.storage.process_locks import UPGRADE_LOCK, work_lock
from memory.storage.vectors import stored_vectors
from memory.workspace import Workspace
from tests.ingest.pdfs import pdf
from tests.memory.api.conftest import LiveServer, starting
from tests.memory.api.pages.conftest import CHAT
from tests.repository import ROOT
from tests.waiting import wait_until

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python")

AXE = Path(axe.__file__).with_name("axe.min.js")
CHROMIUM = shutil.which("chromium")
SCREENSHOTS = os.environ.get("SCREENSHOTS")
HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    "<b hx-get='/x' data-hx-get='/y' hx-trigger='load' data-hx-trigger='load'>b</b>"
)
PAGES = {
    "search": "/?q=pump",
    "hostile": "/?q=xylograph",
    "weak": "/?q=which pump erupts on Friday",
    "file": "/page/read?at=docs/setup.md:1-3&q=pump",
    "pdf": "/page/read?at=docs/two.pdf, page 2&q=valve",
    "code": "/page/read?at=docs/code.py&q=litres",
    "conversation": "/page/read?at=turn 1",
    "memories": "/page/memories",
    "memory": "/page/read?at=memory 1",
    "timeline": "/page/timeline",
    "episode": "/page/read?at=episode 1",
    "fact": "/page/read?at=fact user/editor",
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
_QUICK = {"resultTypes": ["violations"], "preload": False}
_RULES = {"light": _QUICK, "dark": {**_QUICK, "runOnly": ["color-contrast"]}}
"""What axe examines in each scheme: only colours differ. It need not list what is right."""

_WIDTHS = {"phone": 320, "wide": 1600}
_USUAL = {"width": 1100, "height": 800}

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

SAID = (
    *("I live in Oslo. My dog is named Rex.", f"xylograph {HOSTILE}"),
    *("I have moved. I live in Bergen now.", "Lena wants the slides."),
)

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
    (home / "docs" / "<img src=x onerror=alert(2)>.txt").write_bytes(b"\x00\x01 binary")
    (home / "docs" / "two.pdf").write_bytes(pdf([["The first page"], ["A valve of brass"]]))
    with starting(home) as start:
        server = start(config={"embeddings": {"upgrade": "off"}})
        with server.client() as client:
            client.post("/memory/sync").raise_for_status()
            for day, text in enumerate(SAID, start=1):
                turn = {"session_id": "s", "role": "user", "text": text}
                turn["ts"] = f"2026-03-0{day}T08:00:00Z"
                client.post("/turns", json=turn).raise_for_status()
            for name in ("Lena", HOSTILE):
                client.post("/memory/person", json={"name": name, "relationship": "colleague"})
            for topic in ("send the slides", "water the plants", HOSTILE):
                client.post("/memory/open-loop", json={"topic": topic}).raise_for_status()
            for value in ("4", "7"):
                client.post("/memory/signal", json={"signal_type": "mood", "value": value})
            for key, value in (("editor", "vim"), ("motto", HOSTILE)):
                fact = {"category": "user", "key": key, "value": value}
                client.post("/memory/fact", json=fact).raise_for_status()
            wait_until(lambda: len(client.get("/episodes").json()["episodes"]) == len(SAID))
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
    """A page that notes complaints of the console, its requests, and those to other hosts."""
    opened = browser.new_page(base_url=server.url, viewport=_USUAL)
    opened.wrong, opened.asked = [], []

    def note(request: Any) -> None:
        opened.asked.append(request.url.removeprefix(server.url))
        if not request.url.startswith(server.url):
            opened.wrong.append(request.url)

    opened.on("console", lambda line: opened.wrong.append(line.text) if line.type == "error" else 0)
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))
    opened.on("request", note)
    yield opened
    wrong = [line for line in opened.wrong if "status of 404" not in line]  # that of "problem"
    opened.close()
    assert wrong == []


def picture(page: Any, name: str) -> None:
    """Keep a picture of the page, where a folder is named for them."""
    if SCREENSHOTS:
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


def test_every_page_is_accessible_and_fits_its_window(page: Any) -> None:
    page.add_init_script(path=AXE)
    found = []
    for name, path in PAGES.items():
        page.goto(path)
        for scheme, rules in _RULES.items():
            page.emulate_media(color_scheme=scheme)
            told = page.evaluate("(rules) => axe.run(rules)", rules)["violations"]
            found += [(name, scheme, one["id"], one["nodes"][0]["html"]) for one in told]
            picture(page, f"{name}-{scheme}")
        page.emulate_media(color_scheme="light")
        for window, width in _WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 700})
            needed = page.evaluate("document.documentElement.scrollWidth")
            found += [(name, window, "needs", needed)] if needed > width else []
            if window == "phone":
                picture(page, f"{name}-{window}")
        page.set_viewport_size(_USUAL)
    assert found == []


def test_typing_finds_and_keys_open(page: Any) -> None:
    page.goto("/")
    page.keyboard.type("where do I live")
    page.locator(".hits > li").first.wait_for()
    page.wait_for_url("**/?q=where+do+I+live")
    page.wait_for_function("() => document.getElementById('said').textContent.includes('result')")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "open"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/read**")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


def test_a_chip_narrows_the_answer(page: Any) -> None:
    page.goto("/?q=pump")
    page.click("a[aria-label='Only time the last 7 days']")
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


def test_a_memory_of_an_agent_is_confirmed(page: Any, server: LiveServer) -> None:
    with server.client() as client:
        made = client.post(
            "/memories", json={"content": "User plays the oboe", "tags": [UNCONFIRMED]}
        ).json()
        page.goto("/page/memories")
        page.click("button[aria-label='Confirm: User plays the oboe']")
        page.locator("h1").wait_for()
        assert UNCONFIRMED not in client.get(f"/memories/{made['id']}").json()["tags"]
    page.goto("/page/memories")
    assert page.locator("a:text('User plays the oboe')").count() == 1
    assert page.locator("button[aria-label='Confirm: User plays the oboe']").count() == 0


def test_a_loop_is_closed_with_what_closed_it(page: Any, server: LiveServer) -> None:
    topic = "return the borrowed ladder"
    with server.client() as client:
        client.post("/memory/open-loop", json={"topic": topic}).raise_for_status()
    page.goto("/page/loops")
    page.fill(f"input[aria-label='What closed {topic}']", "it stands in their shed")
    page.click(f"button[aria-label='Done: {topic}']")
    closed = page.locator("section", has=page.locator("h2:text('Closed')"))
    assert topic in closed.inner_text()
    assert "it stands in their shed" in closed.inner_text()
    assert page.locator(f"button[aria-label='Done: {topic}']").count() == 0


def test_chats_are_imported_from_a_file(page: Any) -> None:
    page.goto("/page/begin")
    chat = json.dumps(CHAT).replace("I live in Oslo.", "I play the marimba.").encode()
    file = {"name": "conversations.json", "mimeType": "application/json", "buffer": chat}
    page.set_input_files("input[name=file]", file)
    page.fill("input[name=me]", "Ada")
    page.click("button:text('Import')")
    page.locator("h1:text('1 turns are new')").wait_for()
    page.goto("/?q=marimba")
    assert "marimba" in page.inner_text(".hits > li:first-child .snippet")


def test_the_bars_of_a_hit_are_its_numbers(page: Any, server: LiveServer) -> None:
    """By words, by meaning, by an exact name and by age, as programs get them."""
    bars = set()
    for query in ("pump", "where do I live", "pump_rate", "Lena slides"):
        asked = {"query": query, "max_results": MOST_SHOWN, "explain": True}
        with server.client() as client:
            hits = client.post("/memory/search", json=asked).json()["results"]
        page.goto(f"/?q={quote(query)}")
        assert page.locator(".hits > li h2").all_inner_texts() == [one["citation"] for one in hits]
        for hit, shown in zip(hits, page.locator(".hits > li").all(), strict=True):
            shown.locator(".why summary").click()
            assert meters(shown.locator(".about")) == [("score", f"{hit['score']:.2f}")]
            drawn = dict(meters(shown.locator(".why")))
            assert drawn == shares_of(hit["explanation"])
            bars |= {*drawn}
    assert bars == {"words", "meaning", "identifier", "age"}


def meters(place: Any) -> list[tuple[str, str]]:
    """The name and the value of each bar of a place, as the browser draws it."""
    assert place.locator("meter").first.is_visible()
    read = "all => all.map(one => [one.ariaLabel, one.value, one.min, one.max])"
    found = place.locator("meter").evaluate_all(read)
    assert all((low, high) == (0, 1) for _, _, low, high in found)
    return [(name, f"{value:.2f}") for name, value, _, _ in found]


def shares_of(figures: dict[str, Any]) -> dict[str, str]:
    """The bars that belong to the explanation of a hit."""
    shares = {
        "words": figures["keyword_part"] * figures["keyword_weight"],
        "meaning": figures["vector_part"] * figures["vector_weight"],
    }
    if figures["identifier"]:
        shares["identifier"] = 1.0 if figures["lifted"] else 0.5
    if figures["decay"] < 0.995:
        shares["age"] = figures["decay"]
    return {name: f"{share:.2f}" for name, share in shares.items()}


def test_the_bar_of_a_running_upgrade_moves(
    browser: Any, new_folder: Callable[[str], Path]
) -> None:
    """Another process embeds while the page is open."""
    home = new_folder("upgraded")
    (home / "docs").mkdir()
    (home / "docs" / "pumps.md").write_text(FILES["pumps.md"], "utf-8")
    with starting(home) as start:
        server = start()
        with server.client() as client:
            client.post("/memory/sync").raise_for_status()
        with (
            Workspace(load_config(home / "config.json")) as other,
            work_lock(UPGRADE_LOCK, other.storage.database, other.path),
        ):
            waiting = embedding(other.storage)
            total = len(waiting)
            put(other.storage, waiting, 2)
            page = browser.new_page(base_url=server.url)
            page.goto("/page/health")
            bar = page.locator("th:text('Better model') + td progress")
            assert bar.evaluate("one => [one.value, one.max]") == [2, total]
            assert bar.is_visible()
            put(other.storage, waiting, 3)
            page.wait_for_function(
                "() => document.querySelector('#health tr progress').value === 5"
            )
            told = page.locator("th:text('Better model') + td").inner_text()
            assert told.startswith("minilm, filling: ")
            assert f"5 of {total} passages" in told
            with server.client() as client:
                status = client.get("/memory/status").json()["upgrade"]
            assert (status["chunks_done"], status["chunks_total"]) == (5, total)
            page.close()


def embedding(storage: Storage) -> dict[int, Space]:
    """Begin the space of the better model; return it by the chunks that it lacks."""
    active = storage.active_space()
    assert active is not None
    better = active._replace(provider=BETTER, dimensions=8, embedder="better", state="filling")
    with storage.database.transaction() as tx:
        made = storage.create_space(tx, better)
    return dict.fromkeys(storage.chunks_without_vector(made, after=0, limit=100), made)


def put(storage: Storage, waiting: dict[int, Space], number: int) -> None:
    """Embed so many of the chunks that wait."""
    (vector,) = stored_vectors([[1.0] * 8])
    assert vector is not None
    with storage.database.transaction() as tx:
        for _ in range(number):
            key, space = waiting.popitem()
            storage.put_vectors(tx, space, {key: vector})


def test_signing_in_and_out_by_the_keyboard(
    browser: Any, new_folder: Callable[[str], Path]
) -> None:
    """From a page that was asked for, past a wrong token, back to it, and out again."""
    home = new_folder("closed")
    (home / "docs").mkdir()
    with starting(home) as start:
        server = start(
            config={"embeddings": {"upgrade": "off"}, "server": {"tokens": ["of-the-owner"]}}
        )
        context = browser.new_context(base_url=server.url)
        page = context.new_page()
        page.goto("/page/memories?status=all")
        picture(page, "sign-in")
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        page.locator("[role=alert]:text('The token is not known.')").wait_for()
        page.keyboard.type("of-the-owner")
        page.keyboard.press("Enter")
        page.wait_for_url("**/page/memories?status=all")
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert page.evaluate("document.cookie") == ""
        page.locator("button:text('Sign out')").focus()
        page.keyboard.press("Enter")
        page.locator("h1:text('Sign in')").wait_for()
        assert context.cookies() == []
        page.goto("/page/health")
        assert page.locator("h1").inner_text() == "Sign in"
        context.close()


def test_hostile_text_is_inert(page: Any) -> None:
    """Scripts in names, titles, turns and attributes do nothing, and ask for nothing."""
    odd = "docs/<img src=x onerror=alert(1)>.md"
    paths = [
        *("/?q=xylograph", "/page/read?at=docs/hostile.md", "/page/read?at=turn 2"),
        *(f"/page/read?at={odd}", "/page/person?name=" + quote(HOSTILE), "/page/people"),
        *("/page/memories", "/page/timeline", "/page/context?q=xylograph", "/page/loops"),
        *("/page/health", "/?q=" + quote(HOSTILE)),
    ]
    page.on("dialog", lambda dialog: page.wrong.append(dialog.message))
    for path in paths:
        page.goto(path)  # until all has loaded, what fails to load included
        assert not page.title().startswith("owned"), path
        assert page.locator("main script, main b[hx-get], main img").count() == 0, path
        assert "onerror" in page.inner_html("main"), path
    alive = {"/x", "/y"} | {f"{path.rpartition('/')[0]}/x" for path in page.asked}
    assert alive.isdisjoint(page.asked)


@pytest.mark.skipif(SCREENSHOTS is None, reason="SCREENSHOTS names no folder for pictures")
def test_the_picture_of_the_readme(browser: Any, new_folder: Callable[[str], Path]) -> None:
    """A question that a file and a conversation answer, with the reasons of the first hit."""
    home = new_folder("picture")
    (home / "docs").mkdir()
    for name in ("running.md", "backup.md", "setup.md"):
        shutil.copy(ROOT / "docs" / name, home / "docs" / name)
    with starting(home) as start:
        server = start(config={"embeddings": {"upgrade": "off"}})
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
