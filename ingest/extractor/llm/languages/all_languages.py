"""Words that are looked for in every language alike."""

import re
from typing import Final

from ingest.temporal.words import MONTHS, WEEKDAYS

JOKE: Final = re.compile(
    r"(?:\bha(?:ha)+|\b(?:lmao|rofl|jk|mdr)|\bkkk+|/s|\U0001f602|哈哈+)\W*$", re.I
)
REMINDER: Final = re.compile(
    r"(?:don't|do not|never|n'oublie\w*|no|non|não|nicht|niet) "
    r"(?:forget|pas|olvid\w+|dimenti\w+|esque\w+|vergessen|vergeten)\b|别忘|忘れないで",
    re.IGNORECASE,
)
WITHOUT: Final = re.compile(r"\W*(?:without|ohne|sans|sin|senza|sem|zonder)\b", re.IGNORECASE)
NAMED: Final = re.compile(
    r"\b(?:named|called|heißt|s'appelle|se llama|si chiama|se chama|heet|name)\b", re.IGNORECASE
)
DATED: Final = re.compile(
    rf"\b(?:is|are|be|will) (?:\w+ly )?\w+ing\b|\b\d{{4}}-\d\d|\d+月|\b(?:{'|'.join(MONTHS)})\b"
    rf"|\b(?:{'|'.join(WEEKDAYS)})\b",
    re.IGNORECASE,
)
SUM: Final = re.compile(
    r"\b(?:how (?:many|much)|wie ?viele?|combien|quant[ioea]|cuánt[oa]s?|quant[oa]s|hoeveel|how old)\b[^.!?]*"
    r"\b(?:left|total|altogether|have now|remain\w*|do i have|does \w+ have|is (?:he|she)|habe ich|bleiben|übrig"
    r"|reste\w*|ai-je|a-t-(?:il|elle)|ho|restano|rimangono|quedan|tengo|tenho|sobram|restam|heb ik|over)\b"
    r"|还剩|還剩|一共|残り",
    re.IGNORECASE,
)
"""The question of a sum: whose numbers are nobody's."""

KINSHIP: Final = tuple(
    re.compile(rf"(?<![a-zà-ÿ])(?:{words})(?![a-zà-ÿ])", re.IGNORECASE)
    for words in (
        r"mother|mom|mum|mutter|mama|mère|maman|madre|mamá|mamma|mãe|moeder|妈妈?|媽媽?|母親?|母亲",
        r"father|dad|vater|papa|père|padre|papá|papà|pai|vader|爸爸?|父親?|父亲",
        r"sisters?|schwester|sœur|soeur|hermana|sorella|irmã|zus|姐姐?|妹妹?|姉|妹",
        r"brothers?|bruder|frère|hermano|fratello|irmão|broer|哥哥?|弟弟?|兄|弟",
        r"sons?|sohn|fils|hijo|figlio|filho|zoon|儿子|兒子|息子",
        r"daughters?|tochter|fille|hija|figlia|filha|dochter|女儿|女兒|娘",
        r"wife|frau|femme|esposa|mujer|moglie|vrouw|老婆|妻子?|妻|嫁",
        r"husband|mann|mari|marido|marito|老公|丈夫|夫|主人|旦那",
        r"cousins?|cousine|primo|prima|cugin[oa]|neef|表\w|いとこ",
        r"friends?|freund\w*|ami|amie|amig[oa]|amic[oa]|vriend\w*|朋友|友達|友人",
    )
)
"""Kinds of relatives and friends, each in every language."""

TAKEN_BACK: Final = re.compile(
    r"\b(?:kidding|joking|not really|nur spaß|scherz|quatsch|von wegen|schön wär|je (?:plaisante|rigole|déconne)"
    r"|je blague|(?:es|en|de) broma|mentira|scherz(?:o|avo)|brincadeira|zoando|grapje|geintje|grap)\b"
    r"|开玩笑|開玩笑|骗你|冗談|うそ|嘘|なんて(?:ね|な)",
    re.IGNORECASE,
)
PARTS: Final = re.compile(
    r"私が.*(?:あなた|君)が|我是.*你是|你是.*我是|\bi(?:'m| am|'ll be) an? .*\byou(?:'re| are|'ll be) (?:an?|the|my)\b"
    r"|\bich bin .*\bdu bist\b|\bje suis .*\btu es\b|\bsono .*\btu sei\b|\bik ben .*\bjij bent\b"
    r"|\bsoy .*\beres\b|\bsou .*\bvocê é\b",
    re.IGNORECASE,
)
"""Parts in a game: "I'm the dragon and you're a knight"."""

THE: Final = r"\w+\W+(?:the|die|les?|los|las|i|gli|os|as|de)"
