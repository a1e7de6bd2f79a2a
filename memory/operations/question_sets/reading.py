"""Read a file of questions: one a line, then a tab and the place of the answer, or several."""

from collections.abc import Iterator
from pathlib import Path

from contracts import InputError
from contracts.named_tuple import NamedTuple

MOST_QUESTIONS = 10_000
MOST_BYTES = 16 * 1024 * 1024
_SHAPE = "write a question, a tab and a path or citation: how are logs rotated?\tdocs/logging.md"


class Question(NamedTuple):
    """A question, its line in the file (from 1), and the paths or citations that answer it."""

    line: int
    text: str
    places: tuple[str, ...]


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file; blank lines and those that begin with `#` are left out.

    Raises InputError for a file that cannot be read, a line without a place, and no question.
    """
    questions = list(_questions(path))
    if not questions:
        raise InputError(f"{path} has no question", hint=_SHAPE)
    if len(questions) > MOST_QUESTIONS:
        raise InputError(
            f"{path} has {len(questions):,} questions", hint=f"give at most {MOST_QUESTIONS:,}"
        )
    return questions


def _questions(path: Path) -> Iterator[Question]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        question, *places = (part.strip() for part in line.split("\t"))
        named = tuple(dict.fromkeys(filter(None, places)))
        if not question or not named:
            raise InputError(f"{path}, line {number}, has no question and place", hint=_SHAPE)
        yield Question(number, question, named)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(
                f"{path} has more than {MOST_BYTES // 1024**2} MB", hint="split it into parts"
            )
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", hint="name a file of questions"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8", hint="save it as UTF-8") from error
