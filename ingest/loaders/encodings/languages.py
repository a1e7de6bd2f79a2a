"""Letter statistics of languages and their encodings before UTF-8 (data only)."""

from typing import Final

from contracts.named_tuple import NamedTuple


class Script(NamedTuple):
    """A non-Latin script: its words hold no Latin letters.

    At least the share `least` of its letters are among `common`; a wrong encoding maps them to
    rarer letters and fails this test.
    """

    encodings: tuple[str, ...]
    common: frozenset[str]
    least: float


class Alphabet(NamedTuple):
    """All letters besides A to Z of a language in Latin script, in lower case."""

    encodings: tuple[str, ...]
    letters: frozenset[str]

    @property
    def is_western(self) -> bool:
        return self.encodings[0] == "cp1252"


_KANA: Final = frozenset(map(chr, (*range(0x3041, 0x3094), *range(0x30A1, 0x30F5), 0x30FC)))
_HANZI: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把"
    "机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果"
    "加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔"
    "更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展"
    "這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問並應戰頭體見產話內給門兒東"
    "聲員論處義幾認條氣題爾別變總電數報結務場計資許統區隊決馬書則聽卻達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶"
)
_HANGUL: Final = frozenset(
    "이다는의에을가고를은하한지로기사도서있리자나그시일스아인해대정전어수과부장보상제성으원구들면여만라주연공동문유조"
    "세모적우비안무용말데것되었할게내년국오와니신방소중생경계관화회물러적분였았더때고"
)

SCRIPTS: Final = (
    Script(
        ("cp1251", "koi8-u", "koi8-r", "cp866", "cp855", "iso8859-5", "mac-cyrillic"),
        frozenset("оеаинтсрвліј"),
        0.5,
    ),
    Script(("cp1253", "iso8859-7"), frozenset("αοιετσνςηυρπάίόέ"), 0.65),
    Script(("cp1255", "iso8859-8"), frozenset("יוהלאתמרבשנ"), 0.6),
    Script(("cp1256", "iso8859-6"), frozenset("المنيوترهبعدس"), 0.6),
    Script(("cp874",), frozenset("านรกอเงมยลวดตทส่้ี"), 0.6),
    Script(("gb18030", "big5hkscs"), _HANZI, 0.25),
    Script(("cp932", "euc-jp"), _KANA, 0.3),
    Script(("cp949",), _HANGUL, 0.3),
)

_WEST: Final = ("cp1252",)
_CENTRE: Final = ("cp1250", "iso8859-2")
_BALTIC: Final = ("cp1257", "iso8859-13")

ALPHABETS: Final = tuple(
    Alphabet(encodings, frozenset(letters))
    for encodings, letters in (
        (_WEST, "àâæçéèêëîïôœùûüÿ"),  # French
        (_WEST, "äöüßé"),  # German
        (_WEST, "áéíñóúüªº"),  # Spanish
        (_WEST, "áàâãçéêíóôõúüªº"),  # Portuguese
        (_WEST, "àèéìíîòóùú"),  # Italian
        (_WEST, "åäöéà"),  # Swedish, Finnish
        (_WEST, "æøåéèêóòôöüä"),  # Danish, Norwegian
        (_WEST, "áðéíóúýþæö"),  # Icelandic
        (_WEST, "áéèêëíïîóôöúûü"),  # Dutch
        (_WEST, "àçéèíïóòúü·"),  # Catalan
        (_CENTRE, "ąćęłńóśźż"),  # Polish
        (_CENTRE, "áčďéěíňóřšťúůýž"),  # Czech
        (_CENTRE, "áäčďéíĺľňóôŕšťúýž"),  # Slovak
        (_CENTRE, "áéíóöőúüű"),  # Hungarian
        (_CENTRE, "ăâîşţ"),  # Romanian
        (_CENTRE, "čćđšž"),  # Croatian, Slovene
        (_BALTIC, "ąčęėįšųūž"),  # Lithuanian
        (_BALTIC, "āčēģīķļņšūž"),  # Latvian
        (_BALTIC, "äöõüšž"),  # Estonian
        (("cp1254",), "çğıöşüâîû\u0307"),  # Turkish
        (("cp1258",), "ăâđêôơưàáãèéìíòóõùúýỳ\u0300\u0301\u0303\u0309\u0323"),  # Vietnamese
    )
)

SIGNS: Final = frozenset(
    "«»‹›“”„‘’‚–—―…·•№°§©¿¡\xa0\xad\u200c\u200d\u200e\u200f"
    "，。、；：？！（）「」『』《》〈〉【】　・々〜～％．"
)
"""Non-letters that occur in texts of any language."""
