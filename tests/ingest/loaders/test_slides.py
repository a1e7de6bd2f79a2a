"""Presentations, as python-pptx writes them."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from ingest import LoadedText, SkippedFile, load_bytes


def saved(fill: Callable[[Any], object]) -> bytes:
    deck = pptx.Presentation()
    fill(deck)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def two_slides(deck: Any) -> None:
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Results"
    body = first.placeholders[1].text_frame
    body.text = "Sales rose"
    for words, level in (("in Asia", 1), ("# everywhere", 0)):
        paragraph = body.add_paragraph()
        paragraph.text, paragraph.level = words, level
    first.notes_slide.notes_text_frame.text = "Mention the new office."
    second = deck.slides.add_slide(deck.slide_layouts[6])
    box = second.shapes.add_textbox(0, 0, Inches(1), Inches(1))
    box.text_frame.text = "free text"
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "in a group"


def loaded(data: bytes) -> LoadedText:
    found = load_bytes(data, "d.pptx")
    assert isinstance(found, LoadedText), found
    return found


def test_slides_with_notes():
    found = loaded(saved(two_slides))
    assert found.text == (
        "# Results\n\n- Sales rose\n  - in Asia\n- \\# everywhere\n\nNotes: Mention the new office."
        "\n\n# Slide 2\n\nfree text\n\nin a group"
    )
    assert [(place.label, found.text[place.start_char :][:9]) for place in found.places] == [
        ("slide 1", "# Results"),
        ("slide 2", "# Slide 2"),
    ]


def test_tables_and_charts():
    def fill(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = "Numbers"
        table = slide.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1)).table
        for index, words in enumerate(("City", "People", "Rome", "2.8 million")):
            table.cell(index // 2, index % 2).text = words
        data = CategoryChartData()
        data.categories = ["2023", "2024"]
        data.add_series("Income", (1.5, 2))
        chart = slide.shapes.add_chart(
            XL_CHART_TYPE.BAR_CLUSTERED, 0, 0, Inches(4), Inches(4), data
        ).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = "Money"

    assert loaded(saved(fill)).text == (
        "# Numbers\n\n| City | People |\n| --- | --- |\n| Rome | 2.8 million |\n\nMoney\n\n"
        "|  | Income |\n| --- | --- |\n| 2023 | 1.5 |\n| 2024 | 2 |"
    )


def changed(part: str, data: bytes | None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(two_slides))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = data if name == part else old.read(name)
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("data", [None, b"<p:sld"])
def test_damaged_slide_costs_only_itself(data):
    text = loaded(changed("ppt/slides/slide1.xml", data)).text
    assert text.startswith("[The rest of slide 1 cannot be read.]\n\n# Slide 2")


@pytest.mark.parametrize(
    "data, reason",
    [
        (changed("ppt/presentation.xml", b"<p:sld"), "broken"),
        (changed("ppt/presentation.xml", None), "broken"),
        (b"nonsense", "broken"),
        (saved(lambda deck: None), "empty"),
    ],
)
def test_what_cannot_be_read_says_why(data, reason):
    found = load_bytes(data, "d.pptx")
    assert isinstance(found, SkippedFile)
    assert found.reason == reason
