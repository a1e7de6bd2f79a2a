"""The lines of a file that its converted text is from, compared with the file."""

import base64
import json
import random
import re

import pytest

from ingest import chunk, layout_of, load_bytes, place_between, reloaded, span_of_place
from ingest.chunking.values import ChunkSettings
from ingest.loaders.base import LoadedText
from ingest.loaders.web.page_lines import with_lines
from tests.ingest.loaders.workbooks import prices, saved

PAGE = b"""<!DOCTYPE html>
<html>
<head><title>Pumps <b</title>
<script>
if (a < b) { x("<p>") }
</script></head>
<body>
<!-- <p>
hidden -->
<main>
<h1
 class="x">All pumps</h1>
<p>The first paragraph
goes on <b>here</b>
and here.</p>
<p title="a <b c">Second.</p>
<pre>
one

two
</pre>
<table><tr><th>Name</th><th>Size</th></tr>
<tr>
 <td>small</td>
 <td>2 cm</td></tr>
</table>
<ul><li>item one
<li>item<br>two</ul>
</main>
"""
MAIL = (
    b"From: a@b.c\r\nSubject: Pump\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/mixed; boundary=X\r\n\r\n--X\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"Hello =\r\nthere,\r\nthe p=C3=BCmp leaks.\r\n--X\r\nContent-Type: text/html\r\n\r\n"
    b"<html><body>\r\n<p>First</p>\r\n<p>Last\r\nwords</p></body></html>\r\n--X\r\n"
    b"Content-Disposition: attachment; filename=a.txt\r\n\r\nattached\r\n--X--\r\n"
)


def text_of(data: bytes, name: str) -> LoadedText:
    loaded = load_bytes(data, name)
    assert isinstance(loaded, LoadedText)
    again = reloaded(loaded.text, name, layout_of(loaded, name))
    assert (again.lines, again.places) == (loaded.lines, loaded.places)
    return loaded


def place(loaded: LoadedText, words: str) -> str | None:
    start = loaded.text.index(words)
    return place_between(loaded, start, start + len(words))


@pytest.mark.parametrize(
    "words, expected",
    [
        ("All pumps", "source line 12"),
        ("The first paragraph goes on here and here.", "source lines 13-15"),
        ("Second.", "source line 16"),
        ("one\n\ntwo", "source lines 18-20"),
        ("| Name | Size |", "source line 22"),
        ("small", "source lines 23-25"),
        ("item one", "source line 27"),
        ("item\n  two", "source line 28"),
    ],
)
def test_a_web_page(words: str, expected: str) -> None:
    assert place(text_of(PAGE, "a.html"), words) == expected
    assert place(text_of(PAGE.replace(b"\n", b"\r\n"), "a.html"), words) == expected


def test_lines_change_nothing_else_of_a_page() -> None:
    one_line = PAGE.replace(b"\n", b"<!-- -->\n", 1)
    assert text_of(one_line, "a.html").text == text_of(PAGE, "a.html").text
    assert "mem-line" not in text_of(PAGE, "a.html").text
    minified = b"<html><body>" + b"<p>A long sentence of words that goes on.</p>" * 60
    assert text_of(minified, "a.html").lines == ()


@pytest.mark.parametrize(
    "words, expected",
    [
        ("Subject", None),
        ("# Pump", "source lines 1-4"),
        ("Hello there,", "source line 10"),
        ("the p\u00fcmp leaks.", "source line 12"),
        ("First", "source line 17"),
        ("Last words", "source lines 18-19"),
        ("attached", "attachment a.txt"),
    ],
)
def test_a_mail(words: str, expected: str | None) -> None:
    loaded = text_of(MAIL, "a.eml")
    if expected is None:
        assert words not in loaded.text
    else:
        assert place(loaded, words) == expected


def test_a_mail_in_base64_and_a_mailbox() -> None:
    body = "".join(f"line {n} of the text that is encoded\n" for n in range(30)).encode()
    coded = base64.encodebytes(body)
    head = b"Subject: A\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    loaded = text_of(head + coded, "a.eml")
    lines = (head + coded).split(b"\n")
    for number in range(29):
        named = place(loaded, f"line {number} of")
        assert named is not None
        line = int(named.split()[-1])
        at = body.index(b"line %d of" % number)
        assert lines[line - 1] == coded.split(b"\n")[at // 57]
    box = b"From a@b.c Thu Jan  1 00:00:00 2026\nSubject: One\n\nfirst\n\n"
    loaded = text_of(box + box.replace(b"first", b"second"), "a.mbox")
    assert place(loaded, "first") == "message 1, source line 4"
    assert place(loaded, "second") == "message 2, source line 9"


def multipart(*bodies: str, charset: str, eol: str = "\n") -> bytes:
    """A mail in 8bit, with these bodies."""
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    parts = "".join(f"--X\n{head}{body}\n" for body in bodies)
    top = "From: a@b.c\nSubject: Pump\nContent-Type: multipart/mixed; boundary=X\n\n"
    return f"{top}{parts}--X--\n".replace("\n", eol).encode(charset)


def line_of(data: bytes, words: bytes, nth: int = 0) -> int:
    return [n for n, line in enumerate(data.split(b"\n"), start=1) if words in line][nth]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1"])
def test_a_mail_in_8bit(charset: str, eol: str) -> None:
    body = "Hello,\n\nthe p\u00fcmp leaks.\nSee you."
    data = multipart(body, "Second.", charset=charset, eol=eol)
    for words in ("Hello", "leaks", "See you", "Second"):
        line = line_of(data, words.encode())
        assert place(text_of(data, "a.eml"), words) == f"source line {line}"
    page = multipart("<p>one</p>\n<p>M\u00fcller</p>", charset=charset, eol=eol)
    page = page.replace(b"text/plain", b"text/html")
    line = line_of(page, b"ller")
    assert place(text_of(page, "a.mht"), "M\u00fcller") == f"source line {line}"


def test_raw_bytes_in_quoted_printable() -> None:
    data = multipart("one\nthe p\u00fcmp =\nleaks.\nlast", charset="utf-8")
    data = data.replace(b"8bit", b"quoted-printable")
    assert place(text_of(data, "a.eml"), "last") == f"source line {line_of(data, b'last')}"


def test_parts_with_equal_words() -> None:
    """A body is not looked for in the headers, in a part before it or in an attachment."""
    data = multipart("Pump", "same", "same", "same", charset="utf-8")
    attached = b"Content-Disposition: attachment; filename=a.bin\n"
    second = data.index(b"--X\n", data.index(b"same")) + len(b"--X\n")
    data = data[:second] + attached + data[second:]
    loaded = text_of(data, "a.eml")
    lines = [each.first for each in loaded.lines if loaded.text.startswith("same", each.start_char)]
    assert lines == [line_of(data, b"same", 0), line_of(data, b"same", 2)]
    at = loaded.text.rindex("Pump")
    assert place_between(loaded, at, at + 4) == f"source line {line_of(data, b'Pump', 1)}"


def test_a_mailbox_with_an_escaped_line() -> None:
    mail = (
        "From a@b.c Thu Jan  1 00:00:00 2026\nSubject: One\n\nfirst\n>From here\non, p\u00fcmps\n\n"
    )
    box = (mail + mail.replace("first", "second")).encode()
    loaded = text_of(box, "a.mbox")
    assert place(loaded, "first\nFrom here") == "message 1, source lines 4-5"
    assert place(loaded, "second") == "message 2, source line 11"


def notebook(*, indent: int | None) -> bytes:
    source = ["import numpy\n", "\n", "total = 3\n", "print(total)"]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "Some words."]},
        {
            "cell_type": "code",
            "source": source,
            "outputs": [{"output_type": "stream", "text": ["forty-two\n"]}],
        },
        {"cell_type": "raw", "source": "plain\nwords"},
    ]
    return json.dumps({"metadata": {"cells": 1}, "cells": cells}, indent=indent).encode()


def test_a_notebook() -> None:
    data = notebook(indent=1)
    lines = data.decode().split("\n")

    def line(words: str) -> int:
        return next(number for number, one in enumerate(lines, start=1) if words in one)

    loaded = text_of(data, "a.ipynb")
    assert place(loaded, "Some words.") == f"cell 1, source line {line('Some words')}"
    assert place(loaded, "total = 3") == f"cell 2, source line {line('total = 3')}"
    first, last = line("import numpy"), line("print(total)")
    code = "import numpy\n\ntotal = 3\nprint(total)"
    assert place(loaded, code) == f"cell 2, source lines {first}-{last}"
    first, last = line('"outputs"'), line("forty-two") + 3
    assert place(loaded, "forty-two") == f"cell 2, source lines {first}-{last}"
    assert (
        place(
            loaded,
            "words",
        )
        == f"cell 1, source line {line('Some words')}"
    )
    assert text_of(notebook(indent=None), "a.ipynb").text == loaded.text


def test_the_rows_of_a_sheet() -> None:
    loaded = text_of(saved(prices()), "p.xlsx")
    assert place(loaded, "bolt M8") == "sheet Prices, row 2"
    (first, *_) = chunk(loaded)
    assert first.place == "sheet Prices, rows 1-4"
    whole = place_between(loaded, 0, len(loaded.text))
    assert whole == "sheet Prices to sheet Cities"


@pytest.mark.parametrize(
    "data, name", [(PAGE, "a.html"), (MAIL, "a.eml"), (notebook(indent=1), "a.ipynb")]
)
def test_a_place_finds_its_text_again(data: bytes, name: str) -> None:
    loaded = text_of(data, name)
    pieces = chunk(loaded, ChunkSettings(size_chars=60, overlap_chars=0))
    placed = [piece for piece in pieces if "source" in (piece.place or "")]
    assert len(placed) >= len(pieces) - 1
    for piece in placed:
        span = span_of_place(loaded, piece.place or "")
        assert span is not None
        assert span[0] <= piece.start_char
        assert piece.end_char <= span[1] + 1
    assert span_of_place(loaded, "source lines 900-901") is None
    assert span_of_place(loaded, "source lines 9-3") is None


def test_the_tags_of_a_hostile_page_keep_their_text() -> None:
    parts = ["<", "<a ", '"', "'", "<!--", "<script>", "<p>", "\n", "x" * 50, "</", ">", "<pre>"]
    draw = random.Random(3)
    page = "".join(draw.choice(parts) for _ in range(50_000))
    assert re.sub(" mem-line=[0-9]+ ", "", with_lines(page)) == page
    assert with_lines("<p>a</p>\n<b>") == "<p mem-line=1 >a</p>\n<b mem-line=2 >"
