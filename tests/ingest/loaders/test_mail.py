"""E-mail: what people see of a message, and what is attached to it."""

import io
import mailbox
from email.message import EmailMessage

import docx
import pytest

from ingest import LoadedText, SkippedFile, load_bytes


def letter(text: str = "Hello Bob,\n\nsee you.\n", **headers: str) -> EmailMessage:
    message = EmailMessage()
    shown = {
        "From": "Ada <ada@example.org>",
        "To": "bob@example.org",
        "Subject": "Grüße aus 東京",
        "Date": "Fri, 01 Mar 2024 10:30:00 +0100",
        **headers,
    }
    for name, value in shown.items():
        message[name] = value
    message.set_content(text)
    return message


def loaded(data: bytes, name: str = "m.eml") -> LoadedText:
    found = load_bytes(data, name)
    assert isinstance(found, LoadedText), found
    return found


HEAD = (
    "# Grüße aus 東京\n\nFrom: Ada <ada@example.org>\nTo: bob@example.org\n"
    "Date: Fri, 01 Mar 2024 10:30:00 +0100 (2024-03-01)"
)


def test_headers_and_text():
    text = "Hello Bob,\n\n> quoted\n# no heading\n"
    assert loaded(letter(text).as_bytes()).text == (
        f"{HEAD}\n\nHello Bob,\n\n> quoted\n\\# no heading"
    )


def test_plain_text_is_preferred_to_html():
    message = letter("plain words\n")
    message.add_alternative("<p>html words</p>", subtype="html")
    assert loaded(message.as_bytes()).text == f"{HEAD}\n\nplain words"


def test_html_alone_is_read():
    message = letter()
    message.set_content("<html><body><h1>News</h1><p>it <b>works</b></p></body>", subtype="html")
    message.add_related(b"GIF89a", maintype="image", subtype="gif", cid="<logo>")
    text = loaded(message.as_bytes()).text
    assert text == f"{HEAD}\n\n## News\n\nit works\n\nAttachment: image/gif"


def test_empty_plain_text_gives_way_to_html():
    message = letter(" \n")
    message.add_alternative("<p>html words</p>", subtype="html")
    assert loaded(message.as_bytes()).text == f"{HEAD}\n\nhtml words"


def word_file() -> bytes:
    document = docx.Document()
    document.add_paragraph("The contract ends in May.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def attached(**files: bytes) -> EmailMessage:
    message = letter()
    for name, data in files.items():
        message.add_attachment(
            data, maintype="application", subtype="octet-stream", filename=name.replace("_", ".")
        )
    return message


def test_attachments_are_read_by_their_loaders():
    found = loaded(
        attached(contract_docx=word_file(), a_csv=b"a,b\n1,2\n", n_md=b"# N\n").as_bytes()
    )
    assert found.text.endswith(
        "see you.\n\n## Attachment contract.docx\n\nThe contract ends in May.\n\n"
        "## Attachment a.csv\n\n```\na,b\n1,2\n```\n\n## Attachment n.md\n\n# N"
    )
    assert [place.label for place in found.places] == [
        "attachment contract.docx",
        "attachment a.csv",
        "attachment n.md",
    ]
    assert found.text[found.places[1].start_char :].startswith("## Attachment a.csv")


def test_attachments_that_give_no_text_are_named():
    found = loaded(attached(photo_jpg=b"\xff\xd8", bad_docx=b"PK", n_txt=b"fine").as_bytes())
    assert "\n\nAttachment: photo.jpg\n\n" in found.text
    assert "\n\nAttachment: bad.docx (not read, not a readable zip archive)\n\n" in found.text
    assert found.text.endswith("## Attachment n.txt\n\nfine")


def test_places_inside_an_attachment_are_kept():
    inner = attached(n_txt=b"deep").as_bytes()
    found = loaded(attached(inner_eml=inner).as_bytes())
    assert [place.label for place in found.places] == [
        "attachment inner.eml",
        "attachment inner.eml, attachment n.txt",
    ]
    assert found.text[found.places[1].start_char :] == "## Attachment n.txt\n\ndeep"


def test_forwarded_messages_are_read_to_a_depth():
    message = letter("innermost\n", Subject="level 0")
    for level in range(1, 6):
        outer = letter(f"text {level}\n", Subject=f"level {level}")
        outer.add_attachment(message)
        message = outer
    text = loaded(message.as_bytes()).text
    assert "## level 4" in text
    assert "text 2" in text
    assert "text 1" not in text
    assert text.endswith("Attachment: level 1 (not read, too deep inside of other attachments)")


def test_mailbox_has_a_place_for_each_message(tmp_path):
    box = mailbox.mbox(tmp_path / "box.mbox")
    box.add(letter("one\n\nFrom here on it is escaped\n", Subject="First"))
    box.add(attached(n_txt=b"in the file"))
    box.close()
    found = loaded((tmp_path / "box.mbox").read_bytes(), "box.mbox")
    assert "\n\nFrom here on it is escaped\n\n# Grüße" in found.text
    assert [place.label for place in found.places] == [
        "message 1",
        "message 2",
        "message 2, attachment n.txt",
    ]
    assert found.text[found.places[1].start_char :].startswith("# Grüße aus 東京")


def test_broken_message_costs_only_itself(tmp_path):
    raw = letter("fine\n").as_bytes()
    line = b"From ada@example.org Fri Mar  1 10:30:00 2024\n"
    found = loaded(line + b"no headers at all\n\n" + line + raw, "box.mbox")
    assert found.text.startswith("[The rest of message 1 cannot be read.]\n\n# Grüße")


@pytest.mark.parametrize(
    "subject, shown",
    [
        (b"=?utf-8?q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?utf-8?b?R3LDvMOfZQ==?= =?iso-8859-1?q?_aus_K=F6ln?=", "Grüße aus Köln"),
        ("Grüße".encode(), "Grüße"),
        ("Grüße".encode("latin-1"), "Grüße"),
        (b"=?nonsense?q?plain?=", "plain"),
        (b"=?utf-8?b?a?=", "=?utf-8?b?a?="),
        (b"folded\n\tover lines", "folded over lines"),
        (b"", "(no subject)"),
    ],
)
def test_subjects_are_decoded(subject, shown):
    data = b"From: a@example.org\nSubject: " + subject + b"\n\ntext\n"
    assert loaded(data).text.startswith(f"# {shown}\n\nFrom: a@example.org\n\ntext")


@pytest.mark.parametrize(
    "head, body",
    [
        ("Content-Type: text/plain; charset=koi8-r", "Привет".encode("koi8-r")),
        ("Content-Type: text/plain; charset=unknown", "Привет".encode()),
        ("Content-Transfer-Encoding: base64\nContent-Type: text/plain", b"0J/RgNC40LLQtdGC"),
        ("Content-Type: text/plain; charset=iso-2022-jp", "日本語".encode("iso2022_jp")),
    ],
)
def test_texts_are_decoded(head, body):
    text = loaded(b"Subject: S\n" + head.encode() + b"\n\n" + body + b"\n").text
    assert text in {"# S\n\nПривет", "# S\n\n日本語"}


@pytest.mark.parametrize("data", [b"", b"just words\n", b"\0\1\2\3" * 100])
def test_what_is_no_mail_is_skipped(data):
    found = load_bytes(data, "m.eml")
    assert isinstance(found, SkippedFile)
    assert found.reason == "broken"


def test_saved_web_page():
    message = EmailMessage()
    message["Subject"] = "A page"
    message.set_content(
        "<title>A page</title><main><h1>Title</h1><p>Text</p></main>", subtype="html"
    )
    assert loaded(message.as_bytes(), "page.mht").text == "# A page\n\n## Title\n\nText"
