"""The picture of a terminal session shows what the commands print."""

import pytest

from tools.terminal_picture import PICTURE, picture, session, words_of

pytestmark = pytest.mark.slow


def test_the_picture_is_up_to_date() -> None:
    drawn = words_of(picture(session()))
    assert "A payment that times out is sent again after" in drawn
    assert words_of(PICTURE.read_text(encoding="utf-8")) == drawn, (
        "draw it again: python -m tools.terminal_picture"
    )


def test_the_picture_loads_nothing() -> None:
    svg = PICTURE.read_text(encoding="utf-8")
    assert "@font-face" not in svg
    assert "url(http" not in svg
    assert "href" not in svg
