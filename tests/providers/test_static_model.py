"""The built-in model: what ships, the two ways of embedding, and texts nobody expects."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from contracts.errors import UnavailableError
from providers.base import Kind
from providers.static_model import StaticProvider
from providers.static_model.provider import DATA, FEW_CHARS, FEW_TEXTS
from providers.static_model.table import DIMENSIONS, REVISION, SCALES, TABLE, VOCABULARY, TokenTable
from providers.static_model.vocabulary import LOOKED_UP, Vocabulary, format_vocabulary
from tools.static_model.evaluate import document_chunks, ndcg
from tools.static_model.quantise import pack, quantise, revision_of

PROSE = [
    "How do I reset the password of the staging server?",
    "Mitochondria are the powerhouse of the cell.",
    "getUserById raises NotFoundError when the row is missing",
    "Café crème à l'œuvre",
    "東京 and Київ",
    "",
]
UNKNOWN_ONLY = [
    "\u0e44\u0e17\u0e22",
    "\U0001f600 \U0001f680",
    "a" * 101,
    "___",
    "\x00\x01",
    "\ud800",
]


@pytest.fixture(scope="module")
def provider() -> StaticProvider:
    return StaticProvider()


def few(provider: StaticProvider, text: str, kind: Kind = "query") -> NDArray[np.float64]:
    """The vector as plain Python computes it."""
    (row,) = provider.embed([text], kind=kind)
    assert isinstance(row, list)
    return np.array(row)


def many(provider: StaticProvider, texts: list[str]) -> NDArray[np.float32]:
    """The vectors as numpy computes them, whatever the number of texts."""
    rows = provider.embed([*texts, *["padding"] * (FEW_TEXTS + 1)], kind="document")
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float32
    return rows[: len(texts)]


def by_hand(text_entries: list[str]) -> NDArray[np.float64]:
    """A vector from the files' bytes alone, one weight at a time."""
    vocabulary = (DATA / VOCABULARY).read_text(encoding="utf-8").split()
    packed, scales = (DATA / TABLE).read_bytes(), np.fromfile(DATA / SCALES, "<f2")
    total = [0.0] * 256
    for entry in text_entries:
        token = vocabulary.index(entry)
        for place in range(128):
            byte = packed[token * 128 + place]
            total[place] += (byte % 16 - 7.5) * float(scales[token])
            total[place + 128] += (byte // 16 - 7.5) * float(scales[token])
    norm = math.sqrt(sum(value * value for value in total))
    return np.array([value / norm for value in total])


def cosine(provider: StaticProvider, left: str, right: str) -> float:
    return float(few(provider, left) @ few(provider, right))


# What ships


def test_files_are_small_and_fit_together() -> None:
    vocabulary = (DATA / VOCABULARY).read_text(encoding="utf-8").split()
    assert len(set(vocabulary)) == len(vocabulary)
    assert (DATA / TABLE).stat().st_size == 128 * len(vocabulary)
    assert (DATA / SCALES).stat().st_size == 2 * len(vocabulary)
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 4_000_000


def test_recorded_revision_is_that_of_the_files(provider: StaticProvider) -> None:
    assert provider.card.revision == revision_of(DATA)
    assert len(provider.card.revision) == 12


def test_model_card_names_the_revision_that_ships() -> None:
    card = (DATA / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert (DATA / REVISION).read_text(encoding="utf-8").strip() in card


def test_only_the_unknown_entry_has_no_scale() -> None:
    scales = np.fromfile(DATA / SCALES, "<f2")
    vocabulary = (DATA / VOCABULARY).read_text(encoding="utf-8").split()
    assert [vocabulary[index] for index in np.flatnonzero(scales == 0)] == ["[UNK]"]
    assert np.isfinite(scales).all()
    assert (scales >= 0).all()


def test_card(provider: StaticProvider) -> None:
    card = provider.card
    assert (card.provider, card.model, card.dimensions) == ("static", "symbiosis-static-256", 256)
    assert card.normalised
    assert card.latin_only
    assert not card.costly
    assert (card.fusion_weight, card.turn_weight) == (0.35, 0.35)
    assert card.max_tokens is None
    assert (provider.model_name, provider.dimensions) == (card.model, 256)


# Numbers


@pytest.mark.parametrize(
    "text, entries",
    [
        ("memory", ["memory"]),
        ("Memory, memory!", ["memory", ",", "memory", "!"]),
        ("indexRebuild", ["index", "rebuild"]),
        ("rebuilding ยย", ["rebuilding", "[UNK]"]),
    ],
)
def test_vector_is_the_normalised_sum_of_the_rows(
    provider: StaticProvider, text: str, entries: list[str]
) -> None:
    expected = by_hand(entries)
    np.testing.assert_allclose(few(provider, text), expected, atol=1e-6)
    np.testing.assert_allclose(many(provider, [text])[0], expected, atol=1e-6)


def test_meaning_is_nearer_than_words(provider: StaticProvider) -> None:
    near = cosine(provider, "a doctor treats sick people", "physicians care for patients")
    far = cosine(provider, "a doctor treats sick people", "a compiler treats source files")
    assert near > far + 0.2


def test_kind_changes_nothing(provider: StaticProvider) -> None:
    for text in PROSE:
        np.testing.assert_array_equal(few(provider, text, "query"), few(provider, text, "document"))


@pytest.mark.parametrize("text", PROSE + UNKNOWN_ONLY)
def test_both_ways_agree(provider: StaticProvider, text: str) -> None:
    np.testing.assert_allclose(few(provider, text), many(provider, [text])[0], atol=1e-6)


@settings(deadline=None)
@given(texts=st.lists(st.text(alphabet=st.characters(), max_size=60), max_size=8))
def test_any_text_has_norm_one_or_zero_in_any_company(
    provider: StaticProvider, texts: list[str]
) -> None:
    rows = many(provider, texts)
    alone = np.array([few(provider, text) for text in texts]).reshape(len(texts), DIMENSIONS)
    norms = np.linalg.norm(rows, axis=1)
    assert np.isfinite(rows).all()
    assert (np.isclose(norms, 1, atol=1e-5) | (norms == 0)).all()
    np.testing.assert_allclose(rows, alone, atol=1e-6)
    np.testing.assert_array_equal(rows, many(provider, texts[::-1])[::-1])


# Texts nobody expects


@pytest.mark.parametrize("text", ["", " \n\t", *UNKNOWN_ONLY])
def test_text_without_a_known_word_gives_zeros(provider: StaticProvider, text: str) -> None:
    assert not few(provider, text).any()
    assert not many(provider, [text]).any()


@pytest.mark.parametrize(
    "text",
    ["memory search " * 7143, "x" * 100_000, "é" * 100_000, "a-" * 50_000, "東" * 100_000],
    ids=["words", "one-word", "one-accented-word", "punctuation", "ideographs"],
)
def test_long_texts(provider: StaticProvider, text: str) -> None:
    assert len(text) >= 100_000
    (row,) = np.asarray(provider.embed([text], kind="document"))
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5) or not row.any()


def test_repeating_a_text_does_not_move_it(provider: StaticProvider) -> None:
    sentence = "The pump of the second boiler was replaced in March. "
    once, often = few(provider, sentence), many(provider, [sentence * 2000])[0]
    np.testing.assert_allclose(often, once, atol=1e-5)


def test_few_long_texts_are_left_to_numpy(provider: StaticProvider) -> None:
    sentence = "word " * (FEW_CHARS // 5)
    assert isinstance(provider.embed([sentence], kind="document"), list)
    assert isinstance(provider.embed([sentence + "word"], kind="document"), np.ndarray)


# Its vocabulary


def test_looking_into_the_vocabulary_finds_what_reading_it_does() -> None:
    content = (DATA / VOCABULARY).read_bytes()
    entries = content.decode().replace("\n\n", "\n").split("\n")
    ids = {entry: index for index, entry in enumerate(entries)}
    asked = [*entries[::199], entries[0], entries[-1], "##s", "zzzq", "ing", "", "a\nb", "\ud800"]
    for first in range(0, len(asked), LOOKED_UP):
        vocabulary = Vocabulary(content)
        some = asked[first : first + LOOKED_UP]
        looked_up = [vocabulary.get(entry) for entry in some]
        assert looked_up == [ids.get(entry) for entry in some]
        assert [vocabulary.get(entry) for entry in some] == looked_up, "from the dictionary"
    assert (len(vocabulary), list(vocabulary)) == (len(entries), entries)


# The program that makes it


def test_reader_understands_what_the_maker_packs(tmp_path: Path) -> None:
    table = np.random.default_rng(5).normal(size=(40, DIMENSIONS)).astype(np.float32)
    table[7] = 0
    nibbles, scales = quantise(table)
    (tmp_path / TABLE).write_bytes(pack(nibbles))
    (tmp_path / SCALES).write_bytes(scales.astype("<f2").tobytes())
    entries = [*(f"word{index}" for index in range(38)), "é", "中"]
    (tmp_path / VOCABULARY).write_bytes(format_vocabulary(entries))
    (tmp_path / REVISION).write_text("0" * 12)
    read = TokenTable(tmp_path)
    assert [read.vocabulary.get(entry) for entry in entries] == list(range(len(entries)))
    loaded = read.load()
    np.testing.assert_allclose(
        loaded, (nibbles - 7.5) * scales[:, None].astype(np.float32), rtol=1e-6
    )
    np.testing.assert_allclose(read.weighted_sum({3: 2, 7: 5}), 2 * loaded[3], atol=1e-5)
    assert not loaded[7].any()
    assert np.square(loaded - table).mean() < 0.02


def test_clipping_is_never_worse_than_the_largest_value_as_scale() -> None:
    table = np.random.default_rng(6).standard_t(df=3, size=(50, DIMENSIONS)).astype(np.float32)
    nibbles, scales = quantise(table)
    chosen = np.square((nibbles - 7.5) * scales[:, None].astype(np.float32) - table).sum(axis=1)
    widest = (np.abs(table).max(axis=1) / 7.5).astype(np.float16).astype(np.float32)[:, None]
    plain = np.clip(np.rint(table / widest + 7.5), 0, 15)
    assert (chosen <= np.square((plain - 7.5) * widest - table).sum(axis=1) * 1.0001).all()
    assert chosen.sum() < 0.9 * np.square((plain - 7.5) * widest - table).sum()


@pytest.mark.parametrize(
    "ranked, relevant, expected",
    [
        (["a", "b"], {"a": 1}, 1.0),
        (["b", "a"], {"a": 1}, 1 / math.log2(3)),
        (["b", "a"], {"a": 2, "b": 1}, (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))),
        ([*"bcdefghijk", "a"], {"a": 1}, 0.0),
    ],
    ids=["first", "second", "graded", "eleventh"],
)
def test_ndcg(ranked: list[str], relevant: dict[str, int], expected: float) -> None:
    assert ndcg(ranked, relevant) == pytest.approx(expected)


def test_evaluated_chunks_lose_nothing_and_are_bounded() -> None:
    text = "One sentence of some words. " * 90 + "\n\n" + "x" * 2500 + "\n\nEnd."
    chunks = document_chunks("Title", text)
    assert all(chunk.startswith("Title\n\n") for chunk in chunks)
    bodies = [chunk.removeprefix("Title\n\n") for chunk in chunks]
    assert max(map(len, bodies)) <= 1000
    assert "".join("".join(bodies).split()) == "".join(text.split())


# Costs and damage


def test_a_query_has_the_same_numbers_with_and_without_numpy() -> None:
    """To the last bit: the server and a single command give the same answer."""
    queries = ["how to restore a backup", "the the the end", "zzq \u4e2d x_y", "word " * 400, ""]
    script = (
        "import sys\n"
        "from providers.static_model import StaticProvider\n"
        "model = StaticProvider()\n"
        f"for query in {queries!r}:\n"
        "    print(model.embed([query], kind='query')[0])\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    model = StaticProvider()
    here = [model.embed([query], kind="query")[0] for query in queries]
    assert done.stdout == "".join(f"{row}\n" for row in here)


def test_one_query_imports_no_numpy() -> None:
    script = (
        "import sys\n"
        "from providers.static_model import StaticProvider\n"
        "rows = StaticProvider().embed(['how to restore a backup'], kind='query')\n"
        "assert abs(sum(value * value for value in rows[0]) - 1) < 1e-9\n"
        "print(sorted({'numpy', 'torch', 'tokenizers', 'asyncio'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[]"


def copy_model(folder: Path, *, leave_out: str = "") -> Path:
    for name in (TABLE, SCALES, VOCABULARY, REVISION):
        if name != leave_out:
            (folder / name).write_bytes((DATA / name).read_bytes())
    return folder


def test_model_in_another_folder(tmp_path: Path, provider: StaticProvider) -> None:
    other = StaticProvider(copy_model(tmp_path))
    assert other.card == provider.card
    assert other.embed(["boiler"], kind="query") == provider.embed(["boiler"], kind="query")


@pytest.mark.parametrize("missing", [TABLE, SCALES, VOCABULARY, REVISION])
def test_missing_file_is_unavailable(tmp_path: Path, missing: str) -> None:
    damaged = StaticProvider(copy_model(tmp_path, leave_out=missing))
    with pytest.raises(UnavailableError, match=missing):
        damaged.embed(["boiler"], kind="query")


@pytest.mark.parametrize("name", [TABLE, SCALES, VOCABULARY])
def test_truncated_file_is_unavailable(tmp_path: Path, name: str) -> None:
    path = copy_model(tmp_path) / name
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(UnavailableError, match="do not fit together"):
        TokenTable(tmp_path)


def test_vocabulary_of_other_bytes_is_unavailable(tmp_path: Path) -> None:
    (copy_model(tmp_path) / VOCABULARY).write_bytes(b"\xff\xfe")
    with pytest.raises(UnavailableError, match="cannot be read"):
        TokenTable(tmp_path)
