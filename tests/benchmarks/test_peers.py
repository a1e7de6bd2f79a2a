"""The comparison with peers: every adapter's contract, what is counted, and what is shown.

Of the engines only this program and sqlite-vec run here, which the environment has anyway.
"""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import ROOT
from benchmarks.harness.values import QUICK
from benchmarks.peers.__main__ import ENGINES, arguments
from benchmarks.peers.__main__ import main as peers_main
from benchmarks.peers.adapters.contract import Engine
from benchmarks.peers.chart import WIDTH, axis_for, picture
from benchmarks.peers.environments import PACKAGES
from benchmarks.peers.material import Material
from benchmarks.peers.measuring import RUNNER, folder_bytes, modes_of
from benchmarks.peers.ours import sync_cost
from benchmarks.peers.outcome import PeerOutcome
from benchmarks.peers.report import better_peers, markdown, outcomes_of, table
from benchmarks.peers.runner import AT, WARM_UP
from providers import ProviderSettings, create

CHUNKS = [
    f"Note {number} is about the {animal} and its {thing}."
    for number, (animal, thing) in enumerate(
        (animal, thing)
        for animal in ("otter", "falcon", "badger", "lizard", "walrus", "magpie")
        for thing in ("winter coat", "long journey", "first meal", "old rival")
    )
]
QUESTIONS = [text.rpartition("about the ")[2] for text in CHUNKS]


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """The chunks above with vectors of the built-in model, written as a run writes them."""
    folder = tmp_path_factory.mktemp("material")
    model = create("static", ProviderSettings())
    vectors = np.asarray(model.embed(CHUNKS, kind="document"), dtype=np.float32)
    np.save(folder / "vectors.npy", vectors)
    (folder / "chunks.json").write_text(json.dumps(CHUNKS), encoding="utf-8")
    asked = [
        {
            "text": text,
            "vector": vector,
            "least_cosine": float(np.sort(vectors @ np.asarray(vector, np.float32))[-AT]),
        }
        for text, vector in zip(
            QUESTIONS,
            np.asarray(model.embed(QUESTIONS, kind="query"), dtype=np.float32).tolist(),
            strict=True,
        )
    ]
    (folder / "questions.json").write_text(json.dumps(asked), encoding="utf-8")
    uids = [f"{number:016x}" for number in range(len(CHUNKS))]
    return Material(folder, len(CHUNKS), uids, vectors, asked[:WARM_UP], asked[WARM_UP:])


def told(name: str, mode: str, *, task: str, folder: Path, material: Path) -> dict[str, Any]:
    report = folder.parent / "report.json"
    command = [sys.executable, str(RUNNER), name, mode, str(folder), task, str(material)]
    done = subprocess.run([*command, str(report)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["vector", "hybrid"])
@pytest.mark.parametrize("name", ["symbiosis", "sqlite_vec"])
def test_an_engine_builds_and_answers(
    name: str, mode: str, tmp_path: Path, material: Material
) -> None:
    folder = tmp_path / "engine"
    folder.mkdir()
    built = told(name, mode, task="build", folder=folder, material=material.folder)
    assert built["seconds"] > 0
    assert folder_bytes(folder) > sum(map(len, CHUNKS))
    many = told(name, mode, task="many", folder=folder, material=material.many)
    assert len(many["milliseconds"]) == len(many["found"]) == len(CHUNKS) - WARM_UP
    assert [found[0] for found in many["found"]] == list(range(WARM_UP, len(CHUNKS)))
    assert all(len(set(found)) == AT for found in many["found"])
    if mode == "vector":
        assert material.recall(many["found"]) == 1
    once = told(name, mode, task="once", folder=folder, material=material.one(3))
    assert once["found"] == [many["found"][3]]


def test_recall_counts_what_is_as_near_as_the_tenth(material: Material) -> None:
    exact = [
        np.argsort(-(material.vectors @ np.asarray(question["vector"], np.float32)))[:AT].tolist()
        for question in material.questions
    ]
    assert material.recall(exact) == 1
    far = [
        int(np.argmin(material.vectors @ np.asarray(question["vector"], np.float32)))
        for question in material.questions
    ]
    worse = [[*found[:-1], last] for found, last in zip(exact, far, strict=True)]
    assert material.recall(worse) == pytest.approx(0.9)
    twice = [[*found[:-1], found[0]] for found in exact]
    assert material.recall(twice) == pytest.approx(0.9)


@pytest.mark.parametrize("name", ENGINES)
def test_every_adapter_says_how_it_is_set_without_its_engine(name: str) -> None:
    modes = modes_of(name)
    assert "vector" in modes
    assert all(mode.startswith(("vector", "hybrid")) for mode in modes)
    assert all(len(settings) > 20 for settings in modes.values())


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_is_pinned(name: str) -> None:
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", pin) for pin in PACKAGES[name].pinned)
    assert (ROOT / "benchmarks" / "peers" / "adapters" / f"{name}.py").exists()


def test_an_engine_is_hybrid_by_the_name_of_its_mode(tmp_path: Path) -> None:
    class Nothing(Engine):
        MODES = {"hybrid, odd": "not at all"}  # noqa: RUF012  # as short as a test wants it

        def build(self, chunks: Any, vectors: Any) -> None: ...

        def open(self) -> None: ...

        def query(self, text: str, vector: Any, k: int) -> list[int]:
            return []

    assert Nothing(tmp_path, "hybrid, odd").is_hybrid
    assert not Nothing(tmp_path, "vector, odd").is_hybrid


OURS = PeerOutcome(
    engine="Ours",
    mode="vector",
    settings="as usual",
    ours=True,
    chunks=5000,
    chunks_a_s=2500.4,
    cold_ms=120.0,
    p50_ms=4.0,
    p99_ms=9.0,
    recall=0.998,
    disk_bytes=200_000_000,
    build_bytes=150_000_000,
    query_bytes=None,
    raw={"warm_ms": [4.0]},
)
PEER = replace(
    OURS,
    engine="peer 1.0",
    settings="its defaults",
    ours=False,
    cold_ms=1200.0,
    p50_ms=0.5,
    recall=0.8,
    disk_bytes=200_000_001,
    query_bytes=1_000_000,
)
INDEXED = replace(PEER, mode="vector, indexed", chunks_a_s=None, p50_ms=40.0)
WORDS = replace(PEER, mode="hybrid", recall=None)
LARGE = replace(OURS, chunks=1_000_000, cold_ms=400.0)
MACHINE = {
    "cpu": "A CPU",
    "cores": 2,
    "memory_bytes": 2**33,
    "python": "3.11.1",
    "sqlite": "3.46",
    "load_average": [0.25, 1, 1],
}
DOCUMENT = {
    "date": "2026-03-04T10:00:00",
    "commit": "abc",
    "machine": MACHINE,
    "quick": False,
    "outcomes": [one.as_json() for one in (OURS, PEER, INDEXED, WORDS, LARGE)],
}


def test_the_table_has_the_best_of_each_column_in_bold() -> None:
    head, align, ours, peer, indexed = table([OURS, PEER, INDEXED]).splitlines()
    assert {line.count("|") for line in (head, align, ours, peer, indexed)} == {10}
    assert ours == (
        "| Ours | **2,500** | **120** | 4 | **9** | **0.998** | **200** | **150** | — |"
    )
    assert peer.startswith("| peer 1.0 | **2,500** | 1,200 | **0.5** | **9** | 0.800 |")
    assert indexed.startswith("| peer 1.0, indexed | — | 1,200 | 40 |")


def test_one_row_alone_is_not_the_best_of_anything() -> None:
    assert "**" not in table([OURS])


def test_where_a_peer_is_better_it_is_said() -> None:
    assert list(better_peers([OURS, PEER, INDEXED])) == [
        "- Better than ours in warm p50, ms (4): peer 1.0 0.5.",
    ]
    better = replace(PEER, recall=1.0, chunks_a_s=9000.0)
    assert list(better_peers([OURS, better])) == [
        "- Better than ours in indexing, chunks/s (2,500): peer 1.0 9,000.",
        "- Better than ours in warm p50, ms (4): peer 1.0 0.5.",
        "- Better than ours in recall@10 (0.998): peer 1.0 1.000.",
    ]


def test_a_peer_that_is_shown_with_the_same_figure_is_not_better() -> None:
    assert list(better_peers([OURS, replace(OURS, ours=False, p50_ms=3.999)])) == []


def test_a_run_is_shown_by_kind_and_size() -> None:
    shown = markdown(json.loads(json.dumps(DOCUMENT)))
    assert shown.splitlines()[0].startswith("Measured on 2026-03-04 at commit abc: A CPU")
    headings = re.findall(r"^\*\*(.+?)\*\*", shown, flags=re.MULTILINE)
    assert headings == ["By the vector alone", "By words and vector", "Ours at 1,000,000 chunks:"]
    assert "- peer 1.0 (vector and hybrid): its defaults." in shown
    assert "- Ours (vector): as usual." in shown
    assert "quick" not in shown
    assert "mean little" in markdown({**DOCUMENT, "quick": True})


def test_outcomes_survive_being_written() -> None:
    written = json.loads(json.dumps(DOCUMENT))
    assert outcomes_of(written) == [OURS, PEER, INDEXED, WORDS, LARGE]


def test_an_earlier_run_is_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    peers_main(["--from", str(earlier)])
    assert capsys.readouterr().out == f"{markdown(DOCUMENT)}\n"


def test_an_engine_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments(["--only", "sqlite"])
    assert "qdrant" in capsys.readouterr().err


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a quick run of ours alone, and the JSON it wrote."""
    work = tmp_path_factory.mktemp("bench")
    target = work / "quick.json"
    command = [sys.executable, "-m", "benchmarks.peers", "--quick", "--chunks", str(SMALL)]
    done = subprocess.run(
        [*command, "--only", "mem", "--only", "symbiosis", "--work", work, "--json", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return work, json.loads(target.read_text(encoding="utf-8"))


SMALL = 1000
"""Chunks: so few that the whole comparison takes seconds."""


@pytest.mark.slow
def test_ours_is_measured_as_a_program_and_as_a_library(
    quick_run: tuple[Path, dict[str, Any]],
) -> None:
    outcomes = outcomes_of(quick_run[1])
    program, library = "Symbiosis Memory", "Symbiosis, as a library"
    expected = [(name, mode) for name in (program, library) for mode in ("vector", "hybrid")]
    assert [(one.engine, one.mode) for one in outcomes] == expected
    for one in outcomes:
        assert one.ours
        assert 0.9 * SMALL < one.chunks < 1.1 * SMALL
        assert one.disk_bytes > one.chunks * 256
        assert None not in (one.chunks_a_s, one.build_bytes)
        assert min(one.cold_ms, one.p50_ms) > 0
        assert one.p99_ms >= one.p50_ms
        assert len(one.raw["warm_ms"]) == QUICK.questions
        assert (one.recall is None) == one.is_hybrid
        assert one.recall is None or one.recall >= 0.99


@pytest.mark.slow
def test_a_kept_database_is_used_again_and_its_sync_recalled(
    quick_run: tuple[Path, dict[str, Any]],
) -> None:
    work, document = quick_run
    bench = Bench(work, (SMALL,), QUICK)
    database = bench.database_path(SMALL)
    before = database.stat().st_mtime_ns
    cost = sync_cost(bench, chunks=SMALL)
    assert cost is not None
    assert cost.chunks / cost.seconds == outcomes_of(document)[0].chunks_a_s
    Path(f"{database}.sync.json").unlink()
    assert sync_cost(bench, chunks=SMALL) is None, "nobody knows what it took"
    assert database.stat().st_mtime_ns == before


SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_drawn_within_its_frame() -> None:
    drawn = ElementTree.fromstring(picture([OURS, PEER, INDEXED, WORDS, LARGE]))
    left, top, width, height = map(float, drawn.attrib["viewBox"].split())
    assert left < 0 > top
    assert (width, height) == (float(drawn.attrib["width"]), float(drawn.attrib["height"]))
    for circle in drawn.iter(f"{SVG}circle"):
        assert 0 < float(circle.attrib["cx"]) < WIDTH
        assert 0 < float(circle.attrib["cy"]) < height
    for text in drawn.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= WIDTH
        assert 0 < float(text.attrib["y"]) <= height


def test_the_picture_names_every_engine_with_its_figures() -> None:
    drawn = ElementTree.fromstring(picture([OURS, PEER, INDEXED, WORDS, LARGE]))
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts.count("peer 1.0") == 2 * 6 - 1, "a hybrid search has no recall"
    assert texts.count("peer 1.0, indexed") == 6 - 1, "its rate is not known"
    assert texts.count("Ours") == 6 - 1, "nor is the memory of ours"
    assert {"0.5", "40", "0.998", "2,500"} <= set(texts)
    assert "400" not in texts, "another size is not compared"
    title = drawn.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Local search engines beside Symbiosis Memory, 5,000 chunks"


def test_the_picture_is_readable_on_a_dark_page() -> None:
    style = ElementTree.fromstring(picture([OURS, PEER])).findtext(f"{SVG}style") or ""
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    for name in (".page", ".faint", ".ours", ".grid", ".range", ".dot", ".words"):
        assert f"{name} {{" in light
        assert f"{name} {{" in dark


def test_less_lies_left_of_more_and_a_range_ends_at_its_end() -> None:
    drawn = ElementTree.fromstring(picture([OURS, PEER]))
    ours, peer = [float(circle.attrib["cx"]) for circle in list(drawn.iter(f"{SVG}circle"))[2:4]]
    assert peer < ours
    lines = [line.attrib for line in drawn.iter(f"{SVG}line") if "range" in line.attrib["class"]]
    assert all(float(line["x1"]) < float(line["x2"]) for line in lines)
    assert float(lines[0]["x1"]) == pytest.approx(ours, abs=0.1)


@pytest.mark.parametrize(
    "values, is_linear, marks",
    [
        ([0.5, 40.0], False, [0.1, 1, 10, 100]),
        ([10.0], False, [10, 100]),
        ([3.0], False, [1, 10]),
        ([0.87, 1.0], True, [0.8, 0.85, 0.9, 0.95, 1.0]),
        ([0.43], True, [0.4, 0.55, 0.7, 0.85, 1.0]),
    ],
    ids=["three decades", "one power", "within a decade", "good recall", "poor recall"],
)
def test_an_axis_has_room_for_its_values(
    values: list[float], is_linear: bool, marks: list[float]
) -> None:
    axis = axis_for(values, left=100, pixels=200, is_linear=is_linear)
    assert axis.marks() == pytest.approx(marks)
    assert axis.place(marks[0]) == pytest.approx(100)
    assert axis.place(marks[-1]) == pytest.approx(300)
    assert all(100 <= axis.place(value) <= 300 for value in values)
