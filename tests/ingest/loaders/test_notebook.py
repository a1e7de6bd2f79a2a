"""Notebooks: cells in order, each its own place, with what they printed."""

import json

import pytest

from ingest import LoadedText, SkippedFile, chunk, load_bytes
from ingest.loaders import Place


def cell(kind: str, source: object, **more: object) -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def notebook(*cells: object, **more: object) -> bytes:
    book = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}
    return json.dumps({**book, **more}).encode()


def text(data: bytes) -> str:
    loaded = load_bytes(data, "n.ipynb")
    assert isinstance(loaded, LoadedText), loaded
    return loaded.text


def test_cells_are_text_with_places():
    data = notebook(
        cell("markdown", ["# Fit\n", "\n", "We fit a line."]),
        cell(
            "code",
            "model.fit(x, y)",
            outputs=[
                {
                    "output_type": "stream",
                    "name": "stdout",
                    "text": ["loss ", "\x1b[31m0.25\x1b[0m\n"],
                },
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": "Line(2)", "image/png": "x"},
                },
                {
                    "output_type": "error",
                    "ename": "ValueError",
                    "evalue": "no data",
                    "traceback": [],
                },
            ],
        ),
        cell("raw", "# as it is"),
    )
    loaded = load_bytes(data, "n.ipynb")
    assert isinstance(loaded, LoadedText)
    assert loaded.text == (
        "# Fit\n\nWe fit a line.\n\n```python\nmodel.fit(x, y)\n```\n\n"
        "```\nloss 0.25\nLine(2)\nValueError: no data\n```\n\n\\# as it is"
    )
    starts = [0, loaded.text.index("```python"), loaded.text.index("\\# as")]
    assert loaded.places == tuple(Place(at, f"cell {n}") for n, at in enumerate(starts, start=1))
    assert {piece.headings for piece in chunk(loaded)} == {("Fit",)}


def test_empty_cells_count_but_have_no_place():
    loaded = load_bytes(notebook(cell("code", ""), cell("code", "x"), cell("code", "")), "n.ipynb")
    assert isinstance(loaded, LoadedText)
    assert loaded.places == (Place(0, "cell 2"),)


def test_old_notebooks_are_read():
    """Version 3: sheets of cells, `input` for the source of code, headings as cells."""
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": "print 1", "outputs": [{"text": "1"}], "language": "python"},
    ]
    data = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert text(data) == "## Old\n\n```\nprint 1\n```\n\n```\n1\n```"


def test_long_output_is_cut_and_embedded_images_are_no_text():
    lines = [f"step {number}\n" for number in range(5_000)]
    image = "![plot](data:image/png;base64," + "iVBOR" * 1_000 + ") seen"
    data = notebook(
        cell("code", "run()", outputs=[{"output_type": "stream", "text": lines}]),
        cell("markdown", image),
    )
    assert "step 100\n" in text(data)
    assert len(text(data)) < 4_200
    assert text(data).endswith("![plot]() seen")


def test_open_fence_of_a_cell_ends_with_it():
    data = notebook(cell("markdown", "```\nopen"), cell("markdown", "# Heading\n\ntext"))
    loaded = load_bytes(data, "n.ipynb")
    assert isinstance(loaded, LoadedText)
    assert chunk(loaded)[-1].headings == ("Heading",)


def test_lone_surrogates_and_zeros_do_not_survive():
    assert text(notebook(cell("markdown", "a\ud800b\0c"))) == "a\ufffdbc"


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "empty"),
        (b"{}", "broken"),
        (b"[1]", "broken"),
        (b'{"cells": 1}', "broken"),
        (b'{"cells": [', "broken"),
        (b"[" * 100_000, "broken"),
        (notebook(), "empty"),
        (notebook(1, [], {"cell_type": []}, cell("code", 3, outputs=[1, {"data": 2}])), "empty"),
        (b"\xff\0\xff", "binary"),
    ],
)
def test_what_is_no_notebook_is_skipped(data, reason):
    loaded = load_bytes(data, "n.ipynb")
    assert isinstance(loaded, SkippedFile)
    assert loaded.reason == reason
