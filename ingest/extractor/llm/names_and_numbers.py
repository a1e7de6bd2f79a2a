"""The names, numbers and dates of a claim, each of which must have been said.

Other words may be paraphrase, also in another language; "Köln" may be told as "Cologne".
"""

import re
import unicodedata
from datetime import date, datetime
from typing import Final

from contracts.lazy_regex import deferred
from ingest.extractor.llm.languages import ENGLISH, Language
from ingest.temporal import resolve
from ingest.temporal.words import MONTHS, WEEKDAYS

_WORD: Final = deferred(r"[^\W_]+(?:['’-][^\W_]+)*")
_UNSPACED: Final = deferred("[\u3040-\u30ff\u3400-\u9fff]")
_SHORT_YEAR: Final = deferred(
    r"\b(?:in|em|en|im|anno|nel|since|desde|seit)\s'?([2-9]\d)\b", re.IGNORECASE
)
"""The year of "born in 74"."""

_KIN: Final = (
    "(?:step)?(?:son|daughter|brother|sister)|nephew|niece|cousin|uncle|aunt|husband|wife|children|cat|dog|neffe"
    "|bruder|schwester|tochter|sohn|hund|onkel|tante|dochter|fille|hija|figlia|filha"
)
_INTRODUCED: Final = (
    rf"(?:named|called|heißt|namens|name is|{_KIN}|in|bei|aus|nach|von)(?: is| ist| a)?"
)
_PERSON: Final = deferred(rf"\b(?i:named|called|heißt|namens|{_KIN}) ([A-ZÀ-Ý]\w+)")
"""A name that has to be said letter by letter: Emilia is not Amelie."""

_CALLED: Final = deferred("(?:叫|名前は|名は|named |called )([\u3040-\u30ff\u4e00-\u9fff]{1,6})")
_ONCE: Final = deferred(r"\bonce\b", re.IGNORECASE)
"""Eleven in Spanish, but more often a word of English."""

_ISO: Final = deferred(r"\b(\d{4})-(\d\d)(?:-(\d\d))?\b")
_COUNTS: Final[dict[int, str]] = {
    2: "two zwei deux dos due dois duas twee zweite zweites zweiten deuxième segundo segunda secondo seconda tweede",
    3: "three drei trois tres tre três drie third dritte dritten troisième tercero tercera terzo terza terceiro terceira derde",
    4: "four vier quatre cuatro quattro quatro fourth vierte vierten quatrième cuarto quarto quarta vierde",
    5: "five fünf cinq cinco cinque vijf",
    6: "six sechs seis sei zes sixth sechste sechsten sixième sexto sesto zesde",
    7: "seven sieben sept siete sette sete zeven",
    8: "eight acht huit ocho otto oito",
    9: "nine neun neuf nueve nove negen",
    10: "ten zehn dix diez dieci dez tien",
    11: "eleven elf onze once undici",
    12: "twelve zwölf douze doce dodici doze twaalf dozen",
    13: "thirteen dreizehn treize trece tredici treze dertien",
    14: "fourteen vierzehn quatorze catorce quattordici catorze veertien",
    15: "fifteen fünfzehn quinze quince quindici vijftien",
    16: "sixteen sechzehn seize dieciséis sedici dezesseis dezasseis zestien",
    17: "seventeen siebzehn dix-sept diecisiete diciassette dezessete dezassete zeventien",
    18: "eighteen achtzehn dix-huit dieciocho diciotto dezoito achttien",
    19: "nineteen neunzehn dix-neuf diecinueve diciannove dezenove dezanove negentien",
    20: "twenty zwanzig vingt veinte venti vinte twintig",
    30: "thirty dreißig trente treinta trenta trinta dertig",
    40: "forty vierzig quarante cuarenta quaranta quarenta veertig",
    50: "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig",
    60: "sixty sechzig soixante sesenta sessanta sessenta zestig",
    70: "seventy siebzig soixante-dix setenta settanta zeventig",
    80: "eighty achtzig quatre-vingts ochenta ottanta oitenta tachtig",
    90: "ninety neunzig quatre-vingt-dix noventa novanta negentig",
}
_VALUES: Final = {
    word: value for value, words in _COUNTS.items() for word in words.casefold().split()
}
_TENS: Final = (
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
)
"""In Italian the unit follows in one word."""

_TEN_VALUES: Final = frozenset(range(20, 100, 10))

_UNITS_FIRST: Final = deferred(r"(ein|een|\w{3,})(?:und|en|ën)(\w+)")
"""Thirty-four in German and Dutch."""

_ONES: Final = frozenset("one un uno um".split())
_HAN: Final = {
    **{mark: value for value, mark in enumerate("零一二三四五六七八九十")},
    **{"〇": 0, "两": 2, "兩": 2},
}
_HAN_NUMBER: Final = deferred(f"[{''.join(_HAN)}百]+")


def unproven(
    claim: str, said: str, said_at: datetime, *, foreign: bool, nouns_in_capitals: bool = False
) -> str | None:
    """The first name, number or date of a claim that was not said, None if all were.

    `foreign`: the claim is told in another language than what was said. There, and where all nouns
    are in capitals, only those that a word introduces ("in", "named") are surely names.
    """
    dates = [
        day
        for moment in resolve(said, said_at)
        for day in (moment.begin, moment.until or moment.begin)
    ]
    words = plain_words(said)
    return (
        _unsaid_date(claim, said, said_at, dates)
        or _unsaid_time(_ISO.sub("", claim), words, said, dates)
        or _unsaid_name(
            _ISO.sub("", claim),
            said,
            words,
            foreign=foreign,
            every=not (foreign or nouns_in_capitals),
        )
    )


def _unsaid_date(claim: str, said: str, said_at: datetime, dates: list[date]) -> str | None:
    """A date of another year, month or day, or another number."""
    values = numbers(said) | {1900 + int(short) for short in _SHORT_YEAR.findall(said)}
    values |= {said_at.year} | {part for day in dates for part in (day.year, day.month, day.day)}
    months = _months(said, dates)
    for stated in _ISO.finditer(claim):
        year, month, number = (int(part or 0) for part in stated.groups())
        is_near = abs(year - said_at.year) <= 1 or year in values
        is_month = month in months | values | {said_at.month}
        if not is_near or not is_month or (number and number not in values):
            return stated[0]
    unsaid = numbers(_ONCE.sub("", _ISO.sub("", claim))) - values
    return str(min(unsaid)) if unsaid else None


def _months(said: str, dates: list[date]) -> set[int]:
    named = {MONTHS[word] for word in plain_words(said) if word in MONTHS}
    return named | {day.month for day in dates} | set(map(int, re.findall(r"(\d+)月", said)))


def _unsaid_time(claim: str, words: set[str], said: str, dates: list[date]) -> str | None:
    """Another month or day of the week than those that were said."""
    months = _months(said, dates)
    weekdays = {WEEKDAYS[day] for word in words if (day := word.removesuffix("s")) in WEEKDAYS}
    weekdays |= {day.weekday() for day in dates} if weekdays else set()
    for word in map(_plain, _WORD.findall(claim)):
        if months and MONTHS.get(word, 0) not in {0} | months:
            return word
        if weekdays and WEEKDAYS.get(word.removesuffix("s"), -1) not in {-1} | weekdays:
            return word
    return None


def _unsaid_name(
    claim: str, said: str, words: set[str], *, foreign: bool, every: bool
) -> str | None:
    is_unspaced = bool(_UNSPACED.search(said))
    for called in _CALLED.finditer(claim):
        for name in re.split("和|、|と", called[1]):
            if name not in said:
                return name
    if not is_unspaced:
        for person in _PERSON.finditer(claim):
            if _plain(person[1]) not in words:
                return person[1]
    for name in names(claim):
        is_said = _plain(name) in words or any(
            alike(_plain(name), word, foreign=foreign) for word in words
        )
        if is_said or (foreign and is_unspaced):  # in another script: 青岛 is Qingdao
            continue
        if every or re.search(rf"\b(?:{_INTRODUCED}) {re.escape(name)}", claim, re.IGNORECASE):
            return name
    return None


def numbers(text: str) -> set[int]:
    """The numbers of a text, in digits and in words, from 2 up; months and weekdays are none."""
    text = re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text)
    found = {int(digits) for digits in re.findall(r"\d{1,9}", text)}
    ten = 0
    plain = re.sub(r"(?<!\w)\w{1,20}-a-", "", text.casefold())
    for word in re.findall(r"(?:dix|quatre|soixante)-\w+|[^\W_]+", plain):
        value = 1 if ten and word in _ONES else _value(word)
        if value or word not in ("y", "e", "et", "and"):
            found |= {ten} - {0} if not 1 <= value < 10 else {ten + value} if ten else set()
            found |= (
                {value}
                if value and not (ten and value < 10) and value not in _TEN_VALUES
                else set()
            )
            ten = value if value in _TEN_VALUES else 0
    found.add(ten)
    for run in _HAN_NUMBER.findall(text):
        found |= _han_values(run)
    return found - {0, 1}


def _value(word: str) -> int:
    """Of "vierunddreißig", "trentacinque", "cinquant" (anni) and "dreimal" too."""
    if word in _VALUES:
        return _VALUES[word]
    units_first = _UNITS_FIRST.fullmatch(word)
    if units_first and (ten := _VALUES.get(units_first[2], 0)) >= 20:
        return ten + _VALUES.get(units_first[1], 1)
    for tens in _TENS:
        rest = word.removeprefix(tens[:-1])
        if rest != word:
            return _VALUES[tens] + _VALUES.get(rest.removeprefix(tens[-1]), 0)
    times = re.fullmatch(r"(\w+?)(?:mal|jährig\w*|keer|fach)", word)
    return _VALUES.get(times[1], 0) if times else 0


def _han_values(run: str) -> set[int]:
    """一百二十 is 120, 二〇一九 one digit after the other."""
    total, digit = 0, 0
    for mark in run:
        if mark in "十百":
            total += (digit or 1) * (10 if mark == "十" else 100)
            digit = 0
        else:
            digit = _HAN[mark]
    digits = int("".join(str(_HAN[mark]) for mark in run if mark not in "十百") or 0)
    return {total + digit, digits}


def names(claim: str) -> list[str]:
    """Words in capitals, but for the first and for months and days of the week."""
    words = _WORD.findall(claim)
    return [
        word
        for place, word in enumerate(words)
        if place and word[0].isupper() and not _is_calendar(word.casefold())
    ]


def plain_words(text: str) -> set[str]:
    """The words of a text and their parts, in lower case without accents."""
    return {
        _plain(part)
        for word in _WORD.findall(text)
        for part in (word, *re.split("['’-]", word))
        if part
    }


def _is_calendar(word: str) -> bool:
    """Whether a word is a month or a day of the week: "Fridays"."""
    return word in MONTHS or word.removesuffix("s") in WEEKDAYS


def _plain(word: str) -> str:
    """In lower case without accents and possession."""
    decomposed = unicodedata.normalize("NFD", word.casefold().replace("’", "'").removesuffix("'s"))
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def alike(one: str, other: str, *, foreign: bool) -> bool:
    """Forms of a word share their beginning; those of two languages, its consonants."""
    if len(one) >= 5 and len(other) >= 4 and one[:4] == other[:4]:
        return True
    if len(one) == len(other) == 4 and one[:3] == other[:3]:
        return True
    if not foreign:
        return False
    first, second = _consonants(one), _consonants(other)
    return len(first) >= 2 and first[:3] == second[:3]


def _consonants(word: str) -> str:
    word = word.translate(_SOUNDS).lstrip("aeiouyh")
    return re.sub(r"[aeiouyhjwg]", "", word[:1]) + re.sub(r"[aeiouyhg]", "", word[1:])


_SOUNDS: Final = str.maketrans({"c": "k", "q": "k", "z": "s", "v": "f", "w": "f", "ß": "s"})


def content_words(text: str, language: Language) -> set[str]:
    """The words that are not grammatical; pairs of signs where no blanks are between words."""
    if not language.is_spaced:
        return {text[at : at + 2] for at in range(len(text) - 1) if _UNSPACED.match(text[at])}
    grammar = [one.find(cell) for one in (ENGLISH, language) for cell in ("known", "has")]
    return {
        _plain(word)
        for word in _WORD.findall(text)
        if not any(words.fullmatch(word) for words in grammar)
    }
