"""Words of many languages found in files and texts alike, in every backend."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from contracts import NotFoundError, Scope, UnavailableError
from memory.config.settings import EmbeddingsConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.configuration_warnings import configuration_warnings
from memory.index.keyword_entries.renewal import RENEWED_AT_ONCE
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.storage.meta import KEYWORDS, read_meta, write_meta
from memory.values.reports import SyncProgress
from memory.workspace import Workspace
from search import KEYWORD_FORM, SearchOptions
from search.options import Mode
from tests.memory.databases import opened, write


class Case(NamedTuple):
    """A text, queries that must find it and queries that must not, parted by `|`."""

    text: str
    found_by: str
    not_by: str


CASES = {
    "German": Case(
        "Die Häuser an der Straße werden von den Gemeinden nur mit einer Prüfung der "
        "Einstellungen für München verkauft, und das ist nicht neu.",
        "Häusern|haeuser|strasse|STRASSE|Straßen|Einstellung|Prüfungen|pruefung|Muenchen|munchen"
        '|"an der Straße"|"die Häuser an"|Einstell*|Gemeinde -Auto',
        'Auto|"der Straße an"|Häuser -Straße|Verk2*',
    ),
    "French": Case(
        "Les fichiers sont enregistrés dans le dossier, et l'œuvre du garçon est à vous.",
        'fichier|enregistrer|oeuvre|œuvres|garcon|GARÇON|"dans le dossier"|fich*',
        'voiture|"le dossier dans"',
    ),
    "Spanish": Case(
        "El niño no guarda los archivos en la carpeta, que es para los años más difíciles.",
        "nino|archivo|dificil|años|anos|carpetas",
        "perro",
    ),
    "Italian": Case(
        "Il file che si trova nella cartella non è stato aperto perché le città sono lontane.",
        "citta|cartelle|aperta|perche",
        "cane",
    ),
    "Portuguese": Case(
        "As configurações não são salvas em uma pasta do usuário quando os órgãos falham.",
        "configuração|configuracao|usuarios|orgaos",
        "gato",
    ),
    "Dutch": Case(
        "Het bestand wordt niet geopend en de wijzigingen worden op de schijf bewaard.",
        "bestanden|wijziging|schijven",
        "fiets",
    ),
    "Polish": Case(
        "W Łodzi nie ma plików, które są zapisywane na dysku przez programy użytkownika.",
        "lodzi|łodzi|LODZI|zapisywać|użytkownik|uzytkownikow|programem",
        "kot",
    ),
    "Danish": Case(
        "Børnene spiser smørrebrød og læser æbler, og det er ikke til at forstå på Ålborg.",
        "smorrebrod|smoerrebroed|bornene|boernene|aebler|læse|Aalborg|alborg",
        "kat",
    ),
    "Turkish": Case(
        "İstanbul'da ışık ve ısı için bir değişiklik daha çok kişiye gösterilir.",
        "istanbul|ISTANBUL|İSTANBUL|isik|ışık|IŞIK|isi|değişiklikler|degisiklik|gösteriliyor",
        "köpek",
    ),
    "Vietnamese": Case("Tiếng Việt có dấu ở Đà Nẵng", "tieng|VIỆT|viet nam|da nang|đà", "meo"),
    "Romanian": Case(
        "Fișierele nu sunt deschise și modificările sunt salvate pe discul țării din București.",
        "fisier|fișierul|modificare|bucuresti|tarii",
        "câine",
    ),
    "Greek": Case("Ο ΟΔΟΣ και οι υπολογιστές της Αθήνας", "οδός|ὁδός|υπολογιστή|αθηνας", "γάτα"),
    "Russian": Case("Ёлка и программирование йогурта", "елка|ёлка|программировании|йогурт*", "кот"),
    "Ukrainian": Case("Налаштування їжака", "налаштуваннями|їжака", "кіт"),
    "Arabic": Case("كِتَابٌ أحمد في المدرسة كتـــاب", "كتاب|احمد|المدرسه|كَتَاب", "قطة"),
    "Persian": Case("می‌خواهم کتاب ایرانی", "كتاب|کتاب|ايراني|می‌خواهم|خواهم", "گربه"),
    "Hebrew": Case("שָׁלוֹם עולם", "שלום|שָׁלוֹם|עולם", "חתול"),
    "Hindi": Case("हिन्दी में उपयोगकर्ताओं की सूची", "हिन्दी|उपयोगकर्ता|सूची", "बिल्ली"),
    "Thai": Case("ภาษาไทยและน้ำดี", "ภาษา|ไทย|น้ำ|ภาษาไทย|ดี", "แมว"),
    "Korean": Case("한국어를 배우는 데이터베이스", "한국어|한국|배우|데이터|를", "고양이"),
    "Japanese": Case("サーバーの設定をﾃｽﾄする東京", "サーバ|サーバー|設定|テスト|東|東京", "猫"),
    "Chinese": Case(
        "在 getUserById 里查询数据库v2，ＡＢＣ全角",
        'getUserById|getuserbyid|在|里|查询|数据库|数据|v2|ABC|"查询数据库"|"在 getUserById 里"',
        '猫|"数据库查询"',
    ),
    "Emoji": Case("Ship it 🚀 now 👍🏽", '🚀|👍|"🚀 now"|ship -🐢', '🐢|ship -"🚀"|"now 🚀"'),
    "English": Case(
        "The café settings of the naïve user were configured", "cafe|naive|setting|CAFÉ", "settle"
    ),
}


@pytest.fixture(params=["sqlite", "memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path, backend=request.param) as workspace:
        yield workspace


def finds(memory: Workspace, query: str) -> bool:
    return bool(search(memory, query, SearchOptions(mode="keyword")).results)


def found_as_asked(memory: Workspace, query: str) -> bool:
    response = search(memory, query, SearchOptions(mode="keyword"))
    unbound = any("plain words" in warning for warning in response.warnings)
    return bool(response.results) and not unbound


@pytest.mark.parametrize("source", ["file", "text"])
@pytest.mark.parametrize("language", CASES)
def test_words_are_found(memory: Workspace, docs: Path, language: str, source: str) -> None:
    case = CASES[language]
    if source == "file":
        write(docs, {"text.txt": case.text})
        sync_files(memory, [docs])
    else:
        ingest_text(memory, case.text)
    missed = [query for query in case.found_by.split("|") if not found_as_asked(memory, query)]
    wrong = [query for query in case.not_by.split("|") if found_as_asked(memory, query)]
    assert (missed, wrong) == ([], [])


def made_old(memory: Workspace) -> None:
    """As an older program would have left the database."""
    with memory.storage.database.transaction() as tx:
        write_meta(tx, KEYWORDS, KEYWORD_FORM - 1)
        tx.run("UPDATE chunks_fts SET text = 'old', title = '', neighbours = '', identifiers = ''")


def test_definitions_of_an_older_database_are_named_by_a_sync_that_embeds_nothing(
    memory: Workspace, docs: Path
) -> None:
    write(docs, {"a.py": "class A:\n    def send_it(self): pass\n", "b.md": "# A.send_it"})
    sync_files(memory, [docs])
    database, asked = memory.storage.database, "SELECT path, defines FROM chunks, files"
    named = database.read(f"{asked} WHERE files.id = owner_id ORDER BY path")
    assert [defines for _, defines in named] == ['["A", "A.send_it"]', None]
    with database.transaction() as tx:
        tx.run("UPDATE chunks SET defines = NULL")
        write_meta(tx, KEYWORDS, KEYWORD_FORM - 1)
    assert memory.storage.defining(["A.send_it"], Scope(), limit=9) == []
    report = sync_files(memory)
    assert (report.embedded, report.chunks) == (0, 0)
    assert database.read(f"{asked} WHERE files.id = owner_id ORDER BY path") == named
    assert len(memory.storage.defining(["A.send_it"], Scope(), limit=9)) == 1


def test_entries_of_an_older_form_are_renewed_by_a_sync(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.txt": "Die Straße"})
    sync_files(memory, [docs])
    ingest_text(memory, "Der Fluß")
    database = memory.storage.database
    assert read_meta(database, KEYWORDS) == KEYWORD_FORM
    made_old(memory)
    assert not finds(memory, "strasse")
    sync_files(memory, dry_run=True)
    assert not finds(memory, "strasse")
    before = memory.storage.sequence()
    sync_files(memory)
    assert finds(memory, "strasse")
    assert finds(memory, "Fluss")
    assert not finds(memory, "old")
    assert read_meta(database, KEYWORDS) == KEYWORD_FORM
    assert len(memory.storage.changed_since(before) or ()) == 2
    before = memory.storage.sequence()
    sync_files(memory)
    assert memory.storage.sequence() == before


def test_texts_are_renewed_by_a_sync_without_a_folder(memory: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no folder to sync"):
        sync_files(memory)
    ingest_text(memory, "Der Fluß")
    with pytest.raises(NotFoundError, match="no folder to sync"):
        sync_files(memory)
    made_old(memory)
    assert sync_files(memory).warnings == []
    assert finds(memory, "Fluss")
    with pytest.raises(NotFoundError, match="no folder to sync"):
        sync_files(memory)


def test_an_interrupted_renewal_goes_on_where_it_was(memory: Workspace) -> None:
    number = 2 * RENEWED_AT_ONCE + 1
    for place in range(number):
        ingest_text(memory, f"Der Fluß {place}")
    made_old(memory)
    seen: list[SyncProgress] = []

    def at_most_two(progress: SyncProgress) -> None:
        seen.append(progress)
        if progress.step == "renewing" and progress.files_done > RENEWED_AT_ONCE:
            raise UnavailableError("enough", hint="go on")

    with pytest.raises(UnavailableError, match="enough"):
        sync_files(memory, progress=at_most_two)
    sync_files(memory, progress=seen.append)
    assert [
        (one.files_done, one.files_total, one.chunks) for one in seen if one.step == "renewing"
    ] == [
        (0, number, 0),
        (RENEWED_AT_ONCE, number, RENEWED_AT_ONCE),
        (2 * RENEWED_AT_ONCE, number, 2 * RENEWED_AT_ONCE),
        (0, 1, 0),
    ]
    options = SearchOptions(max_results=100, fold="none")
    assert len(search(memory, "Fluss", options).results) == number
    made_old(memory)
    sync_files(memory, progress=seen.append)
    assert seen[-1].files_total == number, "what was done once is done again from the beginning"


def test_entries_of_an_older_form_are_told_of(memory: Workspace, docs: Path) -> None:
    ingest_text(memory, "Der Fluß")
    assert configuration_warnings(memory) == []
    with memory.storage.database.transaction() as tx:
        write_meta(tx, KEYWORDS, KEYWORD_FORM - 1)
    (warning,) = search(memory, "Fluß").warnings
    assert "an older version" in warning
    assert read_status(memory).warnings == [warning]
    sync_files(memory, [docs])
    assert search(memory, "Fluß").warnings == []


@pytest.mark.parametrize("mode", ["hybrid", "vector"])
def test_a_model_that_knows_no_word_of_the_query_is_told_of(tmp_path: Path, mode: Mode) -> None:
    with opened(tmp_path, backend="memory", embeddings=EmbeddingsConfig()) as memory:
        ingest_text(memory, "备份每天晚上运行")
        ingest_text(memory, "a backup runs every night")
        answer = search(memory, "备份", SearchOptions(mode=mode))
        assert (len(answer.results), answer.mode_used) == (1, "keyword")
        assert answer.warnings == [
            "the embedding model knows no word of the query; only words were compared"
        ]
        assert search(memory, "备份", SearchOptions(mode="keyword")).warnings == []
