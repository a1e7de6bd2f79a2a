"""The texts that get stems, and the words that have one."""

import pytest

from search.analysis.inflection import STEM_MARK, is_inflected, query_stems, stems

SENTENCES = {
    "cs": "Tato volba se používá, pokud je soubor větší než zadaná hodnota nebo když chybí.",
    "da": "Programmet læser filen og skriver den til disken, hvis det er muligt.",
    "de": "Die Datei wird nur gelesen, wenn sie nicht leer ist und der Nutzer sie öffnen kann.",
    "es": "El archivo se guarda en la carpeta y los cambios se pierden por completo.",
    "fi": "Tiedosto tallennetaan, kun se on avattu ja muutokset ovat valmiita.",
    "fr": "Le fichier est enregistré dans le dossier et les modifications sont perdues.",
    "hr": "Ova opcija se koristi za datoteke koje su veće od zadane vrijednosti ili nije.",
    "hu": "A fájl nem nyitható meg, és az adatok elvesznek, hogy ha van egy hiba.",
    "id": "Berkas ini disimpan dengan nama yang sama dan tidak dapat dibuka.",
    "it": "Il file che si trova nella cartella non viene aperto e le modifiche sono perse.",
    "nl": "Het bestand wordt niet geopend en de wijzigingen worden op de schijf bewaard.",
    "pl": "Plik nie jest otwierany, a zmiany są zapisywane na dysku przez program.",
    "pt": "O arquivo não foi aberto e as mudanças são salvas em uma pasta do usuário.",
    "ro": "Fișierul nu este deschis și modificările sunt salvate pe disc de către program.",
    "sv": "Filen öppnas inte och det är inte möjligt att spara den till disken.",
    "tr": "Dosya açılmadı ve bu değişiklik bir klasöre daha sonra kaydedilir.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_shows_its_language(language: str) -> None:
    assert is_inflected(SENTENCES[language])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Straßenbahnhaltestelle", id="a word alone"),
        pytest.param("The file is read and the user can open it.", id="English"),
        pytest.param("Los Angeles and la Brea, by the Rio de la Plata in the south", id="names"),
        pytest.param("The motto is liberté, with der Name der Rose and it is of the", id="quoted"),
        pytest.param("for el in items: del el.des", id="code"),
        pytest.param("def con(se, des): return {k: v for k in a if the of and}", id="more code"),
        pytest.param("da db, na = 1 " + "value = other + 1 " * 40, id="too few for so many words"),
        pytest.param("Это не тот файл, который нужен", id="Russian"),
        pytest.param("数据库连接", id="Chinese"),
    ],
)
def test_english_code_and_other_scripts_have_no_stems(text: str) -> None:
    assert not is_inflected(text)


def test_english_words_outvote() -> None:
    german = "der das und nicht "
    assert is_inflected(german)
    assert not is_inflected(german + "the of and that")


def test_a_long_text_is_told_by_its_beginning() -> None:
    assert not is_inflected("plain words " * 50 + SENTENCES["nl"] * 20)
    assert is_inflected(SENTENCES["nl"] + " woord" * 20)


@pytest.mark.parametrize(
    "text,beginnings",
    [
        ("Häuser Haus Türen", "Häuse Türen"),
        ("WICHTIG Wichtig", "WICHT Wicht"),
        ("getUserById user_name abc123 x86_64 McDonald", ""),
        ("программирование 中国人民共和国 ελληνικά", ""),
        ("nghiêng ẩnngười", "nghiê ẩnngư"),
    ],
)
def test_stems(text: str, beginnings: str) -> None:
    assert list(stems(text)) == [f"{stem}{STEM_MARK}" for stem in beginnings.split()]


@pytest.mark.parametrize(
    "word,beginnings",
    [
        ("München", "Münch Muenc"),
        ("Muenchen", "Muenc Munch"),
        ("Größen", "Gröss Groes"),
        ("Groessen", "Groes Gross"),
        ("Ålborg", "Ålbor Aalbo"),
        ("Aalborg", "Aalbo Albor"),
        ("sequence", "seque"),
        ("blue", ""),
        ("blues", "blues"),
    ],
)
def test_umlauts_are_found_by_either_spelling(word: str, beginnings: str) -> None:
    assert query_stems(word) == [f"{stem}{STEM_MARK}" for stem in beginnings.split()]
