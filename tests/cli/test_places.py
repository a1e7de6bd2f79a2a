"""`mem show` of a text that was extracted: it tells whose lines it prints."""

from pathlib import Path

from tests.cli.shell import Mem

PAGE = "<html>\n<body>\n<p>A heron\nwaits.</p>\n<p>Another one flies.</p>\n</body>\n</html>\n"


def test_show_tells_whose_lines_it_prints(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "birds.html").write_text(PAGE)
    mem("sync", "docs")
    found = mem("search", "heron", "--json").json["results"][0]
    assert found["citation"] == "docs/birds.html:1-3, source lines 3-5"
    answer = mem("show", found["citation"])
    assert answer.out.splitlines() == ["1  A heron waits.", "2", "3  Another one flies."]
    assert answer.err == (
        "the lines are those of the extracted text; in the file: source lines 3-5\n"
    )
    part = mem("show", "docs/birds.html,", "source", "lines", "5-9")
    assert part.out == "3  Another one flies.\n"
    whole = mem("show", "docs/birds.html", "--json").json
    assert (whole["extracted"], whole["place"]) == (True, None)
    assert "not of the file" in mem("show", "docs/birds.html").err
    assert mem("show", "docs/setup.md").err == ""
