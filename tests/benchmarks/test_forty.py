"""The forty questions, their material, and what counts as an answer."""

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks.forty.__main__ import (
    QUESTIONS,
    Answered,
    FortyQuestion,
    judge,
    questions,
    table,
    totals,
)
from benchmarks.forty.material import PERSONAL, make_folder
from ingest import LoadedText, load

KEYS = FortyQuestion("vault", "where are the keys", ("vault/House.md", "vault/n*.md"), "hook")
ABSENT = FortyQuestion("nothing", "capital of Mongolia", ("-",), "")


def answer(*hits: tuple[str, str, str], weak: bool = False) -> dict[str, Any]:
    names = ("file_path", "text", "confidence")
    return {"weak": weak, "results": [dict(zip(names, hit, strict=True)) for hit in hits]}


def test_there_are_forty_and_the_personal_ones_have_their_answers() -> None:
    asked = questions()
    assert len({question.text for question in asked}) == len(asked) == 40
    for question in asked:
        places = [place for place in question.places if (PERSONAL / place).is_file()]
        for place in places:
            loaded = load(PERSONAL / place)
            assert isinstance(loaded, LoadedText)
            assert question.words.lower() in loaded.text.lower(), question
    kinds = {question.kind for question in asked}
    assert kinds >= {"code", "pdf", "vault", "mail", "notebook", "chinese", "nothing"}


def test_no_question_about_forms_is_in_two_sets() -> None:
    sets = [QUESTIONS, *(QUESTIONS.with_name(f"forms{rest}.tsv") for rest in ("", "_held_out"))]
    asked = [question for file in sets for question in questions(file)]
    assert len({question.text for question in asked}) == len(asked) == 40 + 132 + 74
    assert all(question.places[0] for question in asked)


@pytest.mark.parametrize(
    "question, found, rank, word",
    [
        (
            KEYS,
            answer(("/a/x.md", "hook", "weak"), ("/a/vault/n1.md", "A Hook", "fair")),
            2,
            "weak",
        ),
        (
            KEYS,
            answer(("/a/vault/House.md", "no", "fair"), ("/hook/n1.md", "hook", "fair")),
            0,
            "fair",
        ),
        (KEYS, answer(), 0, "nothing"),
        (ABSENT, answer(), 1, "nothing"),
        (ABSENT, answer(("/a/x.md", "y", "weak"), ("/a/z.md", "y", "weak")), 1, "weak"),
        (ABSENT, answer(("/a/x.md", "y", "weak"), ("/a/z.md", "y", "fair")), 0, "weak"),
        (ABSENT, answer(("/a/x.md", "y", "fair"), weak=True), 1, "weak"),
    ],
)
def test_the_rank_of_an_answer(
    question: FortyQuestion, found: dict[str, Any], rank: int, word: str
) -> None:
    assert judge(question, found, Path("/a")) == (rank, word)


def test_of_documentation_only_its_pages_are_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "d.tar.gz"
    with tarfile.open(archive, "w:gz") as members:
        for name in (
            "Django-5.1/docs/a.txt",
            "Django-5.1/django/b.py",
            "rich-1/rich/c.py",
            "x/../d",
        ):
            member = tarfile.TarInfo(name)
            member.size = 2
            members.addfile(member, io.BytesIO(b"ab"))
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "i.html").write_text("<p>i</p>")
    make_folder(tmp_path / "folder", [archive], pages)
    made = [path for path in (tmp_path / "folder").rglob("*") if path.is_file()]
    found = {path.relative_to(tmp_path / "folder").as_posix() for path in made}
    assert {"django/docs/a.txt", "rich-1/rich/c.py", "python/i.html", "vault/House.md"} <= found
    assert not any(name.endswith(("/b.py", "/d")) for name in found)


def test_the_table_and_its_totals() -> None:
    found = [Answered(1, "strong", 10.4), Answered(0, "weak", 9.6)] * 20
    rows = list(table(questions(), [found, found]))
    assert rows[0] == ("kind", "question", "rank 1", "rank 2", "first hit", "ms")
    assert [row[2:] for row in rows[2:4]] == [
        ("1", "1", "strong", "10"),
        ("-", "-", "weak", "10"),
    ]
    assert totals([Answered(rank, "", 0) for rank in (1, 2, 3, 4, 0)]) == (
        "1 at rank 1, 3 in three, 4 in ten, of 5"
    )
