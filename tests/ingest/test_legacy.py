"""Texts in encodings older than UTF-8: told by their letters, or refused."""

import random
from unicodedata import normalize

import pytest

from ingest import LoadedText, load_bytes
from ingest.loaders.encodings.legacy import decode_legacy

TEXTS = {
    "ru": (
        ("cp1251", "koi8-r", "iso8859-5", "mac-cyrillic", "cp866"),
        "Весной в саду расцветают яблони, и пчёлы собирают мёд до самого вечера. Старик чинит"
        " забор, а внуки носят воду из колодца. Когда солнце садится, вся семья пьёт чай на "
        "веранде и слушает, как поют соловьи. Завтра они поедут на рынок, чтобы продать "
        "корзины и купить новую лопату.",
    ),
    "uk": (
        ("cp1251", "koi8-u"),
        "Навесні в саду розквітають яблуні, і бджоли збирають мед до самого вечора. Дідусь "
        "лагодить паркан, а онуки носять воду з криниці. Коли сонце сідає, вся родина п'є чай"
        " на ґанку й слухає, як співають солов'ї. Завтра вони поїдуть на ринок, щоб продати "
        "кошики та купити нову лопату.",
    ),
    "bg": (
        ("cp1251", "iso8859-5"),
        "През пролетта в градината цъфтят ябълките и пчелите събират мед до късно вечерта. "
        "Дядото поправя оградата, а внуците носят вода от кладенеца. Когато слънцето залязва,"
        " цялото семейство пие чай на верандата и слуша славеите. Утре ще отидат на пазара, "
        "за да продадат кошници и да купят нова лопата.",
    ),
    "el": (
        ("cp1253", "iso8859-7"),
        "Την άνοιξη ανθίζουν οι μηλιές στον κήπο και οι μέλισσες μαζεύουν μέλι ως το βράδυ. Ο"
        " παππούς επισκευάζει τον φράχτη και τα εγγόνια φέρνουν νερό από το πηγάδι. Όταν δύει"
        " ο ήλιος, όλη η οικογένεια πίνει τσάι στη βεράντα και ακούει τα αηδόνια. Αύριο θα "
        "πάνε στην αγορά για να πουλήσουν καλάθια.",
    ),
    "he": (
        ("cp1255", "iso8859-8"),
        "באביב פורחים עצי התפוח בגן והדבורים אוספות דבש עד הערב. הסבא מתקן את הגדר והנכדים "
        "מביאים מים מן הבאר. כאשר השמש שוקעת כל המשפחה שותה תה במרפסת ומקשיבה לציפורים. מחר "
        "הם ייסעו לשוק כדי למכור סלים ולקנות את חפירה חדשה.",
    ),
    "ar": (
        ("cp1256", "iso8859-6"),
        "في الربيع تزهر أشجار التفاح في الحديقة وتجمع النحل العسل حتى المساء. يصلح الجد "
        "السياج ويحمل الأحفاد الماء من البئر. عندما تغرب الشمس تشرب العائلة كلها الشاي في "
        "الشرفة وتستمع إلى الطيور. غدا سيذهبون إلى السوق لبيع السلال وشراء مجرفة جديدة.",
    ),
    "tr": (
        ("cp1254",),
        "İlkbaharda bahçedeki elma ağaçları çiçek açar ve arılar akşama kadar bal toplar. "
        "Dede çiti onarır, torunlar kuyudan su taşır. Güneş batınca bütün aile verandada çay "
        "içer ve bülbülleri dinler. Yarın sepetleri satmak ve yeni bir kürek almak için "
        "pazara gidecekler.",
    ),
    "pl": (
        ("cp1250", "iso8859-2"),
        "Wiosną w sadzie kwitną jabłonie, a pszczoły zbierają miód aż do wieczora. Dziadek "
        "naprawia płot, a wnuki noszą wodę ze studni. Kiedy słońce zachodzi, cała rodzina "
        "pije herbatę na werandzie i słucha słowików. Jutro pojadą na targ, żeby sprzedać "
        "koszyki i kupić nową łopatę. Źdźbło trawy leży obok ścieżki.",
    ),
    "cs": (
        ("cp1250", "iso8859-2"),
        "Na jaře v zahradě kvetou jabloně a včely sbírají med až do večera. Dědeček opravuje "
        "plot a vnoučata nosí vodu ze studny. Když slunce zapadá, celá rodina pije čaj na "
        "verandě a poslouchá slavíky. Zítra pojedou na trh, aby prodali košíky a koupili "
        "novou lopatu. Příliš žluťoučký kůň úpěl ďábelské ódy.",
    ),
    "hu": (
        ("cp1250", "iso8859-2"),
        "Tavasszal a kertben virágoznak az almafák, és a méhek estig gyűjtik a mézet. A "
        "nagyapa megjavítja a kerítést, az unokák vizet hordanak a kútról. Amikor lemegy a "
        "nap, az egész család teát iszik a verandán, és hallgatja a fülemüléket. Holnap a "
        "piacra mennek, hogy eladják a kosarakat. Őszi erdő, hűvös szél.",
    ),
    "ro": (
        ("cp1250", "iso8859-2"),
        "Primăvara în grădină înfloresc merii şi albinele adună miere până seara. Bunicul "
        "repară gardul, iar nepoţii aduc apă de la fântână. Când apune soarele, toată familia"
        " bea ceai pe verandă şi ascultă privighetorile. Mâine vor merge la piaţă ca să vândă"
        " coşuri şi să cumpere o lopată nouă.",
    ),
    "th": (
        ("cp874",),
        "ในฤดูใบไม้ผลิต้นแอปเปิลในสวนออกดอกและผึ้งเก็บน้ำหวานจนถึงเย็น คุณตาซ่อ"
        "มรั้วและหลานๆ ตักน้ำจากบ่อ เมื่อพระอาทิตย์ตกดินทั้งครอบครัวดื่มชาที่ระ"
        "เบียงและฟังเสียงนก พรุ่งนี้พวกเขาจะไปตลาดเพื่อขายตะกร้าและซื้อพลั่วใหม"
        "่",
    ),
    "vi": (
        ("cp1258",),
        "Mùa xuân, cây táo trong vườn nở hoa và ong lấy mật đến tận chiều tối. Ông nội sửa "
        "hàng rào, các cháu gánh nước từ giếng. Khi mặt trời lặn, cả nhà uống trà ngoài hiên.",
    ),
    "lt": (
        ("cp1257", "iso8859-13"),
        "Pavasarį sode žydi obelys, o bitės renka medų iki pat vakaro. Senelis taiso tvorą, o"
        " anūkai neša vandenį iš šulinio. Kai saulė leidžiasi, visa šeima geria arbatą "
        "verandoje ir klausosi lakštingalų. Rytoj jie važiuos į turgų parduoti krepšių ir "
        "nusipirkti naujo kastuvo.",
    ),
    "lv": (
        ("cp1257",),
        "Pavasarī dārzā zied ābeles, un bites vāc medu līdz pašam vakaram. Vectēvs labo žogu,"
        " bet mazbērni nes ūdeni no akas. Kad saule riet, visa ģimene dzer tēju uz verandas "
        "un klausās lakstīgalās. Rīt viņi brauks uz tirgu pārdot grozus un nopirkt jaunu "
        "lāpstu.",
    ),
    "zh": (
        ("gbk",),
        "春天，果园里的苹果树开花了，蜜蜂一直采蜜到傍晚。爷爷修理篱笆，孙子们从井里打水。"
        "太阳下山的时候，全家人在走廊上喝茶，听夜莺唱歌。明天他们要去市场卖篮子，再买一把"
        "新铁锹。",
    ),
    "zh-t": (
        ("big5",),
        "春天，果園裡的蘋果樹開花了，蜜蜂一直採蜜到傍晚。爺爺修理籬笆，孫子們從井裡打水。"
        "太陽下山的時候，全家人在走廊上喝茶，聽夜鶯唱歌。明天他們要去市場賣籃子，再買一把"
        "新鐵鍬。",
    ),
    "ja": (
        ("cp932", "euc_jp"),
        "春になると庭のりんごの木に花が咲き、みつばちは夕方まで蜜を集めます。おじいさんは"
        "垣根を直し、孫たちは井戸から水を運びます。日が沈むと、家族みんなで縁側でお茶を飲"
        "みながら鳥の声を聞きます。あしたは市場へ行って、かごを売り、新しいシャベルを買い"
        "ます。",
    ),
    "ko": (
        ("cp949",),
        "봄이 되면 과수원의 사과나무에 꽃이 피고 벌들은 저녁까지 꿀을 모은다. "
        "할아버지는 울타리를 고치고 손자들은 우물에서 물을 길어 온다. 해가 지면"
        " 온 가족이 마루에서 차를 마시며 새소리를 듣는다. 내일은 시장에 가서 "
        "바구니를 팔고 새 삽을 살 것이다.",
    ),
    "de": (
        ("cp1252",),
        "Im Frühling blühen im Garten die Apfelbäume, und die Bienen sammeln Honig bis zum "
        "Abend. Der Großvater flickt den Zaun, während die Enkel Wasser vom Brunnen holen. "
        "Wenn die Sonne untergeht, trinkt die ganze Familie Tee auf der Veranda und hört den "
        "Vögeln zu. Schöne Grüße, übrigens.",
    ),
    "fr": (
        ("cp1252",),
        "Au printemps, les pommiers fleurissent dans le jardin et les abeilles récoltent le "
        "miel jusqu’au soir. Le grand-père répare la clôture et les petits-enfants vont "
        "chercher de l’eau au puits. Quand le soleil se couche, toute la famille boit du thé "
        "sous la véranda. Ça été là, « bien sûr » – où êtes-vous ?",
    ),
    "es": (
        ("cp1252",),
        "En primavera los manzanos florecen en el jardín y las abejas recogen miel hasta la "
        "noche. El abuelo arregla la valla y los niños traen agua del pozo. ¿Mañana irán al "
        "mercado? ¡Sí! Venderán cestas y comprarán una pala nueva. El año pasado llovió más.",
    ),
    "sv": (
        ("cp1252",),
        "På våren blommar äppelträden i trädgården och bina samlar honung ända till kvällen. "
        "Farfar lagar staketet och barnbarnen hämtar vatten från brunnen. När solen går ner "
        "dricker hela familjen te på verandan och lyssnar på näktergalarna. I morgon åker de "
        "till torget.",
    ),
    "pt": (
        ("cp1252",),
        "Na primavera as macieiras florescem no jardim e as abelhas recolhem mel até à noite."
        " O avô conserta a cerca e os netos trazem água do poço. Quando o sol se põe, toda a "
        "família bebe chá na varanda. Amanhã irão à feira vender cestos e comprar uma pá "
        "nova. Não há razão para preocupação.",
    ),
    "is": (
        ("cp1252",),
        "Á vorin blómstra eplatrén í garðinum og býflugurnar safna hunangi fram á kvöld. Afi "
        "lagar girðinguna og barnabörnin sækja vatn í brunninn. Þegar sólin sest drekkur öll "
        "fjölskyldan te á veröndinni og hlustar á fuglana. Á morgun fara þau á markaðinn.",
    ),
}
"""The same few sentences in each language, and the encodings that it was written in."""

CASES = [
    pytest.param(text, encoding, id=f"{language}-{encoding}")
    for language, (encodings, text) in TEXTS.items()
    for encoding in encodings
]


def written(text: str, encoding: str) -> bytes:
    """The bytes of a text; in Vietnamese, marks follow their letters."""
    if encoding != "cp1258":
        return text.encode(encoding)
    for tone in "\u0300\u0301\u0303\u0309\u0323":
        for letter in "aăâeêioôơuưyAĂÂEÊIOÔƠUƯY":
            text = text.replace(normalize("NFC", letter + tone), letter + tone)
    return text.encode(encoding)


@pytest.mark.parametrize("text, encoding", CASES)
def test_a_text_is_read_as_it_was_written(text: str, encoding: str) -> None:
    loaded = load_bytes(written(text, encoding), "a.txt")
    assert isinstance(loaded, LoadedText)
    assert loaded.text == text


@pytest.mark.parametrize("text, encoding", CASES)
@pytest.mark.parametrize("size", [30, 60, 120])
def test_a_part_of_a_text_is_read_rightly_or_not_at_all(
    text: str, encoding: str, size: int
) -> None:
    part = text[:size]
    data = written(part, encoding)
    found = decode_legacy(data)
    assert found is None or found[0] == part


@pytest.mark.parametrize("text, encoding", [case for case in CASES if "ru-" in str(case.id)])
def test_comments_in_source_code_count_too(text: str, encoding: str) -> None:
    comments = [f"# {sentence}.\n" for sentence in text.split(". ")]
    code = "def step(value):\n    return value * 2 + offset[index]\n\n"
    program = code * 40 + code.join(comments)
    loaded = load_bytes(written(program, encoding), "a.py")
    assert isinstance(loaded, LoadedText)
    assert loaded.text == program


def test_a_late_damaged_byte_does_not_hide_a_text() -> None:
    text = TEXTS["ja"][1]
    data = written(text, "euc_jp") * 3
    loaded = load_bytes(data + b"\xff" + data, "a.txt")
    assert isinstance(loaded, LoadedText)
    assert loaded.text.count(text[:100]) == 6


def test_bytes_of_no_language_are_refused() -> None:
    chance = random.Random(11)
    for size in (40, 200, 2000):
        for first in (0x20, 0x80, 0xC0):
            data = bytes(chance.randrange(first, 0x100) for _ in range(size))
            assert decode_legacy(data) is None


def test_japanese_mail_of_old_is_read() -> None:
    text = TEXTS["ja"][1]
    loaded = load_bytes(text.encode("iso2022_jp"), "a.txt")
    assert loaded == LoadedText(text, "text", "iso2022_jp_ext")
    escaped = load_bytes(b"an escape \x1b$B and no text \xc3\xa9", "a.txt")
    assert isinstance(escaped, LoadedText)
    assert escaped.encoding == "utf-8"


def test_long_lines_take_linear_time() -> None:
    """A quadratic search through a line of two megabytes would not end."""
    data = b"x" * 2_000_000 + "é".encode("cp1252") + b"x" * 2_000_000
    loaded = load_bytes(data, "a.txt")
    assert isinstance(loaded, LoadedText)
    assert loaded.encoding == "cp1252"
