"""The pages in a browser: `python -m benchmarks.page --chunks 100000 --work DIR`.

First paint, from a key to its results, weight, and the growth of the server's memory. It needs the
library playwright and a `chromium` of the system.
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
from typing import Any, Final

from benchmarks.harness.bench import Bench
from benchmarks.harness.report import line
from benchmarks.harness.serving import Server, running_server
from benchmarks.harness.values import QUICK, Figure, Goal, percentile, typical

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

_PAINT_SCRIPT: Final = """() => new Promise((found) => {
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) found(paint.startTime);
  }).observe({ type: "paint", buffered: true });
})"""
_WEIGHT_SCRIPT: Final = """() => [...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource")].reduce((sum, one) => sum + one.transferSize, 0)"""
_WATCH_SCRIPT: Final = """() => {
  window.shown = [];
  let typed = 0;
  document.getElementById("q").addEventListener("input", () => { typed = performance.now(); });
  new MutationObserver(() => {
    if (typed) requestAnimationFrame(() => {
      if (typed) { window.shown.push(performance.now() - typed); typed = 0; }
    });
  }).observe(document.getElementById("results"), { childList: true });
}"""
_COUNT_SCRIPT: Final = "(number) => window.shown.length > number"


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
    """A page of a browser that knows nothing yet."""
    address = f"http://{server.host}:{server.port}"
    return browser.new_context(base_url=address).new_page()


def _paint(browser: Any, server: Server, *, chunks: int) -> Figure:
    times = []
    for _ in range(_PAINTS + 1):
        opened = _opened(browser, server)
        opened.goto("/")
        times.append(float(opened.evaluate(_PAINT_SCRIPT)))
        opened.context.close()
    raw = tuple(times[1:])
    beside = f"p95 {percentile(raw, 0.95):.0f}; nothing cached; load {os.getloadavg()[0]:.1f}"
    what = f"first contentful paint, {chunks:,} chunks"
    return Figure("page", what, typical(raw), "ms", PAINT_GOAL, beside, raw)


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
    times: list[float] = []
    busy_s = server.processor_s()
    for question in questions:
        opened = _opened(browser, server)
        opened.goto("/")
        opened.evaluate(_WATCH_SCRIPT)
        opened.focus("#q")
        for number, key in enumerate(question[:_MOST_KEYS]):
            opened.keyboard.type(key)
            opened.wait_for_function(_COUNT_SCRIPT, arg=number, polling=5)
        times += opened.evaluate("window.shown")
        opened.context.close()
    raw = tuple(times)
    busy_ms = (server.processor_s() - busy_s) * 1000 / len(raw)
    beside = (
        f"p50 {typical(raw):.0f} of {len(raw)} keys; the server computes {busy_ms:.0f} ms; "
        f"load {os.getloadavg()[0]:.1f}"
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
