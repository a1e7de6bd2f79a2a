"""Web pages: what a reader sees is there, in order, and nothing else."""

import pytest

from ingest import LoadedText, SkippedFile, chunk, load_bytes


def page(html: str | bytes, name: str = "page.html") -> str:
    loaded = load_bytes(html.encode() if isinstance(html, str) else html, name)
    assert isinstance(loaded, LoadedText), loaded
    assert loaded.kind == "markdown"
    return loaded.text


def body(html: str) -> str:
    return page(f"<!DOCTYPE html><html><body>{html}</body></html>")


@pytest.mark.parametrize(
    "html, text",
    [
        (
            "<h1>One</h1><p>a\n b</p><h2>Two</h2>c<div>d</div>e",
            "# One\n\na b\n\n## Two\n\nc\n\nd\n\ne",
        ),
        ("<h2><a class=headerlink href=#x>¶</a>A <em>b</em><a href=#y>§</a></h2>", "## A b"),
        ("<p>one<br>two<br/>three</p>", "one\ntwo\nthree"),
        ("<p>un<wbr>broken, co&shy;operate, a&nbsp;b</p>", "unbroken, cooperate, a b"),
        (
            "<ul><li>a<li>b<ul><li>c</ul><li><p>d</p><p>e</p></ul>f",
            "- a\n- b\n  - c\n- d\n\n  e\n\nf",
        ),
        ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"),
        (
            "<dl><dt>term<dd>meaning<dt>other<dd><p>x</p><p>y</p></dl>",
            "term\nmeaning\n\nother\nx\n\ny",
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"),
        ("<pre>  x = 1\n\n  y</pre>", "```\n  x = 1\n\n  y\n```"),
        (
            "<div class='highlight-python'><pre><span>a</span>\n# b</pre></div>",
            "```python\na\n# b\n```",
        ),
        ("<pre><code class='language-js'>a<br>b</code></pre>", "```js\na\nb\n```"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
        (
            "<p>see <a href=/x>the manual</a> <img alt='a cat' src=x.png></p>",
            "see the manual a cat",
        ),
        ("<p># no heading</p><p>---</p>", "\\# no heading\n\n\\---"),
        (
            "<details><summary>More</summary>hidden until opened</details>",
            "More\nhidden until opened",
        ),
        ("<h3><button>Why?</button></h3><div>Because.</div>", "### Why?\n\nBecause."),
        ("<form><label>Name</label><input value=v><button>Send</button> then</form>", "Name then"),
        ("<p>a</p><p hidden>b</p><p style='display: none'>c</p><p>d</p>", "a\n\nd"),
        ("<div hidden role=tabpanel>in a tab</div>", "in a tab"),
        ("a<script>b()</script><style>c{}</style><template>d</template><!-- e -->f", "af"),
        ("<svg><style>x</style><title>A chart</title><text>Sales</text></svg>", "A chart Sales"),
        ("<math><mi>E</mi><mo>=</mo><mi>m</mi></math>", "E=m"),
        (
            "<math><semantics><mi>a</mi><annotation encoding='application/x-tex'>\\frac a b"
            "</annotation></semantics></math>",
            "\\frac a b",
        ),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢かん"),
        ("<p>&#xD800;&#0;x&lt;b&gt;</p>", "\ufffd\ufffdx<b>"),
    ],
)
def test_what_a_reader_sees(html, text):
    assert body(html) == text


def test_small_table_is_a_table():
    html = "<table><tr><th>Part<th>Price<tr><td>Bolt | nut<td>3<tr><td><td></table>"
    assert body(html) == "| Part | Price |\n| --- | --- |\n| Bolt \\| nut | 3 |"


def test_long_table_names_each_value():
    """A row far below the header is found by the names of its columns."""
    rows = "".join(f"<tr><td>bolt {i}<td>{i * 3} cents</tr>" for i in range(60))
    text = body(
        f"<table><caption>Stock</caption><thead><tr><td>Part<td>Price</thead>{rows}</table>"
    )
    assert text.startswith("Stock\n\n| Part | Price |\n| Part: bolt 0 | Price: 0 cents |\n")
    assert text.endswith("| Part: bolt 59 | Price: 177 cents |")


def test_cells_over_several_rows_and_columns():
    html = (
        "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>x<td>1<td>2<tr><td>3<td>4"
        "<tr><td colspan=2>y<td>5</table>"
    )
    assert body(html).splitlines()[2:] == ["| x | 1 | 2 |", "| x | 3 | 4 |", "| y |  | 5 |"]


def test_table_for_layout_is_its_blocks():
    html = "<table><tr><td><h2>A</h2><p>b</p><td><ul><li>c</ul></table>"
    assert body(html) == "## A\n\nb\n\n- c"


def test_line_numbers_are_no_text():
    html = (
        "<table class='highlighttable'><tr><td class='linenos'><pre>1\n2</pre></td>"
        "<td class='code'><pre>a\nb</pre></td></table>"
    )
    assert body(html) == "```\na\nb\n```"


MENU = "<nav>menu</nav><header>banner <p>x</p></header><div role=navigation>side</div>"


def test_menus_around_a_main_part_are_left_out():
    rest = "<footer>imprint</footer><div>beside</div>"
    html = (
        f"{MENU}<main><nav>crumbs</nav><header><h1>T</h1></header><aside>note</aside></main>{rest}"
    )
    assert body(html) == "# T\n\nnote\n\nbeside"
    assert body(f"{MENU}<article>only</article>{rest}") == "only\n\nbeside"


def test_without_a_main_part_nothing_is_left_out():
    assert body(f"{MENU}<p>text</p>") == "menu\n\nbanner\n\nx\n\nside\n\ntext"


def test_page_of_nothing_but_menus_keeps_them():
    assert body("<main><nav>Contents</nav></main>") == "Contents"
    assert body("<div style='display:none'>all of it</div>") == "all of it"


@pytest.mark.parametrize(
    "html, text",
    [
        ("<title>T</title><p>x", "# T\n\nx"),
        ("<title>T</title><h1>H</h1>x", "T\n\n# H\n\nx"),
        ("<title>T \n U</title><h2>H</h2>x", "# T U\n\n## H\n\nx"),
        ("<title>T</title>", "# T"),
    ],
)
def test_title(html, text):
    assert page(html) == text


def test_headings_are_the_path_of_the_chunks():
    loaded = load_bytes(b"<title>Manual</title><h2>Setup</h2><p>Turn the key.</p>", "m.html")
    assert isinstance(loaded, LoadedText)
    assert [(piece.headings, piece.text[piece.body_offset :]) for piece in chunk(loaded)] == [
        (("Manual", "Setup"), "Turn the key.")
    ]


def test_xhtml_with_empty_elements():
    html = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<script src="x"/></head><body><a id="p1"/><p>seen</p><p><![CDATA[a < b]]></p></body>'
    )
    assert page(html, "page.xhtml") == "seen\n\na < b"


@pytest.mark.parametrize(
    "data, encoding",
    [
        ("<p>Grüße".encode(), "utf-8"),
        ("<p>Grüße".encode("utf-8-sig"), "utf-8"),
        ("<p>Grüße".encode("utf-16"), "utf-16-le"),
        ("<p>Grüße".encode("latin-1"), "cp1252"),
        ("<meta charset=koi8-r><p>Привет, Grüße".encode("koi8-r", "replace"), "koi8-r"),
        ('<meta content="text/html; charset=shift_jis"><p>日本語'.encode("cp932"), "cp932"),
        ("<?xml version='1.0' encoding='windows-1251'?><p>Привет".encode("cp1251"), "cp1251"),
        ("<meta charset=iso-2022-jp><p>日本語".encode("iso2022_jp"), "iso2022_jp"),
        ("<meta charset=iso-8859-1><p>it’s Grüße".encode("cp1252"), "cp1252"),
        ("<meta charset=iso-8859-1><p>Grüße".encode(), "utf-8"),
        ("<meta charset=nonsense><p>Grüße".encode(), "utf-8"),
        ("<meta charset=base64><p>Grüße".encode(), "utf-8"),
    ],
)
def test_encoding_is_found(data, encoding):
    loaded = load_bytes(data, "p.html")
    assert isinstance(loaded, LoadedText)
    assert loaded.encoding == encoding
    words = ("Grüße", "Привет", "日本語")
    assert any(word in loaded.text for word in words)


@pytest.mark.parametrize(
    "data, reason",
    [(b"", "empty"), (b"<html><script>x</script>", "empty"), (b"\x7fELF\0\0\1\2\3", "binary")],
)
def test_page_without_text_is_skipped(data, reason):
    loaded = load_bytes(data, "p.html")
    assert isinstance(loaded, SkippedFile)
    assert loaded.reason == reason


@pytest.mark.parametrize(
    "tag", ["div", "b", "blockquote", "ul><li", "table><tr><td", "math><mrow", "a"]
)
def test_deep_nesting_is_read(tag):
    text = page(f"<{tag}>" * 2_000 + "bottom")
    assert text.endswith("bottom")
    assert len(text) < 10_000
