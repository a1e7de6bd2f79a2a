"""Decoding of bytes to text, and refusals."""

import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest import LoadedText, SkippedFile, load_bytes


@pytest.mark.parametrize(
    "data, text, encoding",
    [
        pytest.param(b"plain\n", "plain\n", "utf-8", id="ascii"),
        pytest.param("Grüße 漢字 👩‍👩‍👧".encode(), "Grüße 漢字 👩‍👩‍👧", "utf-8", id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + "é".encode(), "é", "utf-8", id="utf-8-bom"),
        pytest.param("é\n漢".encode("utf-16"), "é\n漢", "utf-16-le", id="utf-16-bom-le"),
        pytest.param(
            codecs.BOM_UTF16_BE + "é\n漢".encode("utf-16-be"),
            "é\n漢",
            "utf-16-be",
            id="utf-16-bom-be",
        ),
        pytest.param("é漢".encode("utf-32"), "é漢", "utf-32-le", id="utf-32-bom-le"),
        pytest.param(
            codecs.BOM_UTF32_BE + "é漢".encode("utf-32-be"), "é漢", "utf-32-be", id="utf-32-bom-be"
        ),
        pytest.param(
            "no mark at all\n".encode("utf-16-le"), "no mark at all\n", "utf-16-le", id="le"
        ),
        pytest.param(
            "no mark at all\n".encode("utf-16-be"), "no mark at all\n", "utf-16-be", id="be"
        ),
        pytest.param("Ça été là".encode("cp1252"), "Ça été là", "cp1252", id="cp1252"),
        pytest.param(
            b"a drawn line\n" + b"\xc4" * 9, "a drawn line\n" + "Ä" * 9, "cp1252", id="drawn"
        ),
        pytest.param("“quoted” – €".encode("cp1252"), "“quoted” – €", "cp1252", id="cp1252-only"),
        pytest.param(b"only \x81 latin-1 has", "only \x81 latin-1 has", "latin-1", id="latin-1"),
        pytest.param(
            b"\x1b[31mred\x1b[0m\x0c\n", "\x1b[31mred\x1b[0m\x0c\n", "utf-8", id="escapes"
        ),
        pytest.param(b"a\r\nb\rc\n", "a\r\nb\rc\n", "utf-8", id="line-ends-stay"),
        pytest.param(
            "漢字かな".encode() * 5 + b"\xff" + "漢字".encode(),
            "漢字かな" * 5 + "\ufffd" + "漢字",
            "utf-8",
            id="one-damaged-byte",
        ),
        pytest.param(
            "cut 漢字漢字漢字漢字漢字漢".encode()[:-1],
            "cut 漢字漢字漢字漢字漢字\ufffd",
            "utf-8",
            id="torn-end",
        ),
    ],
)
def test_bytes_become_text(data, text, encoding):
    assert load_bytes(data, "a.txt") == LoadedText(text, "text", encoding)


@pytest.mark.parametrize(
    "data, reason",
    [
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b" \n\t\r\n", "empty", id="white-space"),
        pytest.param(codecs.BOM_UTF8, "empty", id="mark-only"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary", id="zeros"),
        pytest.param(b"text \0 and a zero", "binary", id="one-zero"),
        pytest.param(b"even text \0 and a zero", "binary", id="one-zero-in-even-bytes"),
        pytest.param(b"far " * 20_000 + b"\0", "binary", id="one-zero-far-down"),
        pytest.param(b"far " * 20_000 + b"\0\n", "binary", id="one-zero-far-down-in-even-bytes"),
        pytest.param(bytes(range(1, 256)) * 4, "binary", id="controls"),
        pytest.param("abc\0def".encode("utf-16-le"), "binary", id="utf-16-with-zero"),
        pytest.param("ab".encode("utf-16-le") + b"\x01\xd8", "binary", id="utf-16-lone-surrogate"),
        pytest.param(codecs.BOM_UTF16_LE + b"\x00\xd8" * 9, "undecodable", id="marked-nonsense"),
        pytest.param(codecs.BOM_UTF16_LE + b"a\0\0\0", "undecodable", id="marked-zeros"),
        pytest.param("Привет, мир, как дела?".encode("koi8-r"), "undecodable", id="too-short"),
        pytest.param(("漢字" * 9 + "int x = 1;\n" * 9).encode("euc-jp"), "undecodable", id="kanji"),
        pytest.param(bytes(range(0xC0, 0x100)) * 3, "undecodable", id="no-language"),
        pytest.param(("漢字仮名交" * 9).encode("shift-jis"), "undecodable", id="shift-jis"),
    ],
)
def test_other_bytes_are_refused_with_a_reason(data, reason):
    refused = load_bytes(data, "a.txt")
    assert isinstance(refused, SkippedFile)
    assert (refused.path, refused.reason) == ("a.txt", reason)
    assert refused.detail


@given(
    st.text(min_size=1).filter(
        lambda text: text.strip() and "\0" not in text and text.isprintable()
    )
)
@example("\ufeffmark")
def test_every_utf8_text_comes_back(text):
    assert load_bytes(text.encode(), "a.txt").text == text.removeprefix("\ufeff")


@given(
    st.binary(max_size=200),
    st.sampled_from(
        [b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE]
    ),
)
def test_no_bytes_make_it_fail_and_no_surrogate_comes_out(data, mark):
    loaded = load_bytes(mark + data, "a.txt")
    if isinstance(loaded, LoadedText):
        assert loaded.text.encode("utf-8")


def test_an_announced_utf16_text_may_have_a_torn_end():
    data = codecs.BOM_UTF16_LE + ("word " * 10).encode("utf-16-le") + b"x"
    assert load_bytes(data, "a.txt").text == "word " * 10 + "\ufffd"
