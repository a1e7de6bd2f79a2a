"""The pages in a browser: `python -m benchmarks.page --chunks 100000 --work DIR`.

First paint, from a key to its results, weight, and the growth of the server's memory. Both times
end with a drawn frame, and are split into waiting for the server and the browser's own work. It
needs the library playwright, a `chromium` of the system, and an idle machine: on a busy one
`chrt -r 5 python -m benchmarks.page ...`, by root, puts all of its processes before others.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.harness.bench import Bench
from benchmarks.harness.report import line
from benchmarks.harness.serving import Server, running_server
from benchmarks.harness.values import QUICK, Figure, Goal, percentile

PAINT_GOAL: Final = Goal(150)
KEY_GOAL: Final = Goal(60)
WEIGHT_GOAL: Final = Goal(200)
MEMORY_GOAL: Final = Goal(20)

PAGES: Final = (
    *("/", "/page/memories", "/page/timeline", "/page/people", "/page/loops"),
    *("/page/signals", "/page/context?q={}", "/page/health", "/?q={}"),
)
_PAINTS: Final = 15
_MOST_KEYS: Final = 25
"""The most keys of a question that are typed."""

_WARM_UP: Final = 20
_CLIENTS: Final = 8

_MB: Final = 1_000_000
_KB: Final = 1000
_FLAGS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")

_SETTLED_MS: Final = 1000
"""From opening a tab, whose process takes both cores while it starts, to what is measured in it."""

_PAINT_SCRIPT: Final = """() => new Promise((found) => {
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    const page = performance.getEntriesByType("navigation")[0];
    if (paint) found([paint.startTime, page.responseStart - page.requestStart]);
  }).observe({ type: "paint", buffered: true });
})"""
_WEIGHT_SCRIPT: Final = """() => [...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource")].reduce((sum, one) => sum + one.transferSize, 0)"""
_WATCH_SCRIPT: Final = """() => {
  let typed = 0;
  let tell;
  window.next = () => { window.answer = new Promise((found) => { tell = found; }); };
  document.getElementById("q").addEventListener("keydown", (key) => { typed = key.timeStamp; });
  new MutationObserver(() => {
    if (!typed) return;
    const began = typed;
    typed = 0;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => {
        const end = performance.now();
        const asked = performance.getEntriesByType("resource").at(-1);
        performance.clearResourceTimings();
        tell([end - began, asked.requestStart - began, asked.responseStart - asked.requestStart]);
      };
      drawn.port2.postMessage(0);
    });
  }).observe(document.getElementById("results"), { childList: true });
}"""
"""Times a key from its event to the frame that shows the results: a message sent while the frame is
made arrives after it.
"""


def page(bench: Bench) -> Iterator[Figure]:
    """Every figure of each size."""
    for chunks in bench.sizes:
        questions = iter(bench.collection(chunks).questions)
        with running_server(bench, bench.database(chunks)) as server:
            with server.client() as client:
                client.wait_until_built()
            _warm(server, [list(islice(questions, _WARM_UP)) for _ in range(_CLIENTS)])
            before = server.own_bytes() or 0
            with _browser() as browser:
                yield _grown(browser, server, next(questions), before=before, chunks=chunks)
                yield _paint(browser, server, chunks=chunks)
                yield _weight(browser, server, next(questions), chunks=chunks)
                yield _keys(browser, server, list(islice(questions, 6)), chunks=chunks)


def _warm(server: Server, shares: list[list[str]]) -> None:
    """Ask what the server would be asked without any page, by as many clients as it has threads."""

    def ask(questions: list[str]) -> None:
        with server.client() as client:
            for question in questions:
                client.search(question, explain=True)
            for end in range(1, _MOST_KEYS + 1):  # as it is typed on a page
                if typed := questions[0][:end].strip():
                    client.search(typed, explain=True)
            client.status()

    with ThreadPoolExecutor(_CLIENTS) as pool:
        list(pool.map(ask, shares))


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        path = shutil.which("chromium")
        browser = running.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield browser
        browser.close()


def _opened(browser: Any, server: Server) -> Any:
    """An empty tab of a browser that knows nothing yet, a second after it was opened."""
    address = f"http://{server.host}:{server.port}"
    opened = browser.new_context(base_url=address).new_page()
    opened.wait_for_timeout(_SETTLED_MS)
    return opened


def _paint(browser: Any, server: Server, *, chunks: int) -> Figure:
    first: list[tuple[float, float]] = []
    again: list[tuple[float, float]] = []
    for _ in range(_PAINTS + 1):
        opened = _opened(browser, server)
        for times in (first, again):
            opened.goto("/")
            times.append(opened.evaluate(_PAINT_SCRIPT))
            opened.wait_for_load_state("load")
        opened.context.close()
    raw, waited = zip(*first[1:], strict=True)
    once_more = tuple(paint for paint, _ in again[1:])
    beside = (
        f"p50 of {len(raw)}, p95 {percentile(raw, 0.95):.0f}: until the server answers "
        f"{median(waited):.0f}, in the browser {median(raw) - median(waited):.0f}; nothing "
        "cached, in a tab opened a second before; once more, with cached files, "
        f"{median(once_more):.0f}; {_load()}"
    )
    what = f"first contentful paint, {chunks:,} chunks"
    return Figure("page", what, median(raw), "ms", PAINT_GOAL, beside, raw)


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def _weight(browser: Any, server: Server, question: str, *, chunks: int) -> Figure:
    weights = {}
    for path in PAGES:
        opened = _opened(browser, server)
        opened.goto(path.format(question))
        opened.wait_for_load_state("load")
        weights[path] = float(opened.evaluate(_WEIGHT_SCRIPT)) / _KB
        opened.context.close()
    heaviest = max(weights, key=weights.__getitem__)
    what = f"heaviest page with its files, {chunks:,} chunks"
    return Figure("page", what, weights[heaviest], "kB", WEIGHT_GOAL, heaviest)


def _keys(browser: Any, server: Server, questions: list[str], *, chunks: int) -> Figure:
    times: list[tuple[float, float, float]] = []
    busy_s = server.processor_s()
    for question in questions:
        opened = _opened(browser, server)
        opened.goto("/")
        opened.evaluate(_WATCH_SCRIPT)
        opened.focus("#q")
        opened.wait_for_timeout(_SETTLED_MS)
        for key in question[:_MOST_KEYS]:
            opened.evaluate("window.next()")
            opened.keyboard.type(key)
            times.append(opened.evaluate("window.answer"))
        opened.context.close()
    raw, before, waited = zip(*times, strict=True)
    after = tuple(whole - first - second for whole, first, second in times)
    busy_ms = (server.processor_s() - busy_s) * 1000 / len(raw)
    parts = ", ".join(
        f"{what} {median(part):.0f} (p95 {percentile(part, 0.95):.0f})"
        for what, part in (
            ("until it is sent", before),
            ("until the server answers", waited),
            ("until it is drawn", after),
        )
    )
    beside = (
        f"p50 {median(raw):.0f} of {len(raw)} keys: {parts}; the server computes "
        f"{busy_ms:.0f} ms; {_load()}"
    )
    what = f"from a key to its results, p95, {chunks:,} chunks"
    return Figure("page", what, percentile(raw, 0.95), "ms", KEY_GOAL, beside, raw)


def _grown(browser: Any, server: Server, question: str, *, before: int, chunks: int) -> Figure:
    opened = _opened(browser, server)
    for path in PAGES:
        opened.goto(path.format(question))
    opened.context.close()
    grown = ((server.own_bytes() or 0) - before) / _MB
    beside = f"{before / _MB:.0f} MB before the first page"
    what = f"the server's own memory grows by, {chunks:,} chunks"
    return Figure("page", what, grown, "MB", MEMORY_GOAL, beside)


def main(given: list[str]) -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--work", type=Path, required=True, help="keep texts and databases there")
    options = parser.parse_args(given)
    if shutil.which("chromium") is None:
        sys.exit("there is no chromium here; install it: apt-get install chromium")
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    for figure in page(Bench(work, (options.chunks,), QUICK)):
        print(f"{line(figure)}; {figure.beside}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
