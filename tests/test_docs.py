"""The pages about the code name what is in the code."""

import importlib
import re
import tomllib
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import pytest

from memory import MemoryManager
from memory.operations.jobs.registry import JOBS
from tests.repository import PACKAGES, ROOT, files_of_the_repository

ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
WALKTHROUGH = (ROOT / "docs/walkthrough.md").read_text(encoding="utf-8")
PAGES = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
PAIR = re.compile(r"`([\w/]+\.py): ([\w.]+)`")
SPAN = re.compile(r"`([^`\n]+)`")
CLASS = re.compile(r"[A-Z]+[a-z]\w*(\.\w+)?")
NO_FOLDERS_OF_OURS = {".ci/"}


def modules_named(page: str) -> Iterator[str]:
    return (span for span in SPAN.findall(page) if re.fullmatch(r"[\w/]+\.py", span))


def folders_named() -> set[str]:
    """The folders of the table: whole paths, or `inner/` within the row of its parent."""
    named = set()
    for row in re.findall(r"^\| (`.*)$", ARCHITECTURE, flags=re.MULTILINE):
        outer, told = row.split(" | ", 1)
        whole = SPAN.findall(outer)
        named |= {*whole, *(f"{whole[0]}{span}" for span in SPAN.findall(told))}
    return named


def test_the_architecture_has_every_top_folder_in_tree_order() -> None:
    folders = {f"{name.split('/')[0]}/" for name in files_of_the_repository() if "/" in name}
    rows = re.findall(r"^\| `(\w+/)` ", ARCHITECTURE, flags=re.MULTILINE)
    assert rows == sorted(folders - NO_FOLDERS_OF_OURS)


def test_the_architecture_names_every_package() -> None:
    inner = [path.parent for package in PACKAGES for path in (ROOT / package).rglob("__init__.py")]
    packages = {f"{path.relative_to(ROOT).as_posix()}/" for path in inner}
    assert packages - folders_named() == set()


def test_the_architecture_has_the_layers_that_are_held() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (held,) = (
        contract["layers"]
        for contract in contracts["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["memory"]
    )
    assert "\n".join(("```", *held, "```")) in ARCHITECTURE


@pytest.mark.parametrize("module, name", PAIR.findall(WALKTHROUGH))
def test_the_walkthrough_names_what_is_in_the_module(module: str, name: str) -> None:
    found = importlib.import_module(module.removesuffix(".py").replace("/", "."))
    assert attrgetter(name)(found) is not None
    defined = name.partition(".")[0]
    assert re.search(rf"^(?:class|def) {defined}\b", (ROOT / module).read_text(), re.MULTILINE)


def test_the_walkthrough_names_no_class_without_its_module() -> None:
    assert len(PAIR.findall(WALKTHROUGH)) > 20
    alone = [span for span in SPAN.findall(WALKTHROUGH) if CLASS.fullmatch(span)]
    assert alone == []
    assert list(modules_named(WALKTHROUGH)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_into_the_packages_exist(page: Path) -> None:
    spans = SPAN.findall(page.read_text(encoding="utf-8"))
    inside = re.compile(rf"(?:{'|'.join((*PACKAGES, 'tools', 'benchmarks', 'tests'))})/[\w/.]*")
    named = {found[0] for span in spans if (found := inside.match(span))}
    assert {path for path in named if not (ROOT / path.rstrip(".")).exists()} - RESULTS == set()


RESULTS = {"benchmarks/results/"}
"""Made by a run."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_has_two_versions_of_a_paragraph(page: Path) -> None:
    """The marks that a merge leaves where it could not decide."""
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", text, re.MULTILINE) == []


def test_the_page_about_models_has_measured_figures() -> None:
    measured = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    chosen_by = re.findall(r"(?<!\d)\.\d{3}\b", (ROOT / "docs/models.md").read_text("utf-8"))
    assert len(chosen_by) > 15
    assert [figure for figure in chosen_by if figure not in measured] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_methods_of_the_manager_exist(page: Path) -> None:
    named = re.findall(r"\b(?:MemoryManager|manager)\.([a-z_]+)", page.read_text(encoding="utf-8"))
    own = {"searcher", "workspace", "py"}
    assert [name for name in named if name not in own and not hasattr(MemoryManager, name)] == []


def test_the_page_about_monitoring_has_every_job_in_order() -> None:
    page = (ROOT / "docs/monitoring.md").read_text(encoding="utf-8")
    table = page.split("## Background work")[1].split("## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [job.name for job in JOBS]


def test_every_page_has_its_place_in_the_site() -> None:
    named = set(re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").glob("*.md")}
    assert pages - named == set()
