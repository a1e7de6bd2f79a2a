"""Words that are looked for in every language alike."""

import re
from typing import Final

from contracts.lazy_regex import deferred
from ingest.temporal.words import MONTHS, WEEKDAYS

JOKE: Final = deferred(
    r"(?:\bha(?:ha)+|\b(?:lmao|rofl|jk|mdr)|\bkkk+|/s|\U0001f602|哈哈+)\W*$", re.I
)
REMINDER: Final = deferred(
    r"(?:don't|do not|never|n'oublie\w*|no|non|não|nicht|niet) "
    r"(?:forget|pas|olvid\w+|dimenti\w+|esque\w+|vergessen|vergeten)\b|别忘|忘れないで",
    re.IGNORECASE,
)
DATED: Final = deferred(
    rf"\b(?:is|are|be|will) (?:\w+ly )?\w+ing\b|\b\d{{4}}-\d\d|\d+月|\b(?:{'|'.join(MONTHS)})\b"
    rf"|\b(?:{'|'.join(WEEKDAYS)})\b",
    re.IGNORECASE,
)
SUM: Final = deferred(
    r"\b(?:how (?:many|much)|wie ?viele?|combien|quant[ioea]|cuánt[oa]s?|quant[oa]s|hoeveel|how old)\b[^.!?]*"
    r"\b(?:left|total|altogether|have now|remain\w*|do i have|does \w+ have|is (?:he|she)|habe ich|bleiben|übrig"
    r"|reste\w*|ai-je|a-t-(?:il|elle)|ho|restano|rimangono|quedan|tengo|tenho|sobram|restam|heb ik|over)\b"
    r"|还剩|還剩|一共|残り",
    re.IGNORECASE,
)
"""The question of a sum: whose numbers are nobody's."""

TAKEN_BACK: Final = deferred(
    r"\b(?:kidding|joking|not really|nur spaß|scherz|quatsch|von wegen|schön wär|je (?:plaisante|rigole|déconne)"
    r"|je blague|(?:es|en|de) broma|mentira|scherz(?:o|avo)|brincadeira|zoando|grapje|geintje|grap)\b"
    r"|开玩笑|開玩笑|骗你|冗談|うそ|嘘|なんて(?:ね|な)",
    re.IGNORECASE,
)
PARTS: Final = deferred(
    r"私が.*(?:あなた|君)が|我是.*你是|你是.*我是|\bi(?:'m| am|'ll be) an? .*\byou(?:'re| are|'ll be) (?:an?|the|my)\b"
    r"|\bich bin .*\bdu bist\b|\bje suis .*\btu es\b|\bsono .*\btu sei\b|\bik ben .*\bjij bent\b"
    r"|\bsoy .*\beres\b|\bsou .*\bvocê é\b",
    re.IGNORECASE,
)
"""Parts in a game: "I'm the dragon and you're a knight"."""

ALSO: Final = deferred(
    r"(?<!\w)(?:also|too|second|another|auch|zweite\w*|aussi|también|anche|também|ook|otro|nearly"
    r"|almost|for once)(?!\w)|也|もう一",
    re.IGNORECASE,
)
EXCEPT: Final = deferred(
    r"(?<!\w)(?:except|but me|außer|sauf|excepto|menos|tranne|exceto|behalve|salvo)(?!\w)|除了|以外",
    re.IGNORECASE,
)
SARCASM: Final = deferred(
    r"^\W*(?:oh|ooh|o|ah|ai|ha|haha|ja klar|na super|super|toll|ma certo|certo|sí,? sí|génial|fantastic"
    r"|great|wonderful|lovely|yeah|sure|呵呵|はいはい|heerlijk|fijn|que delícia|qué maravilla|nice)"
    r"(?:\b|[,，、 ])",
    re.IGNORECASE,
)
"""How sarcasm begins; `FEELING` is what it says."""

FEELING: Final = deferred(
    r"\b(?:lov\w+|like\w*|enjoy\w*|ador\w+|happy|glad|lucky|recommend\w*|dreams? of|looking forward"
    r"|lieb\w+|aim\w+|gost\w+|am[ao]|gust\w+)\b|爱|喜欢|幸福|愛|好き",
    re.IGNORECASE,
)
SUBORDINATE: Final = deferred(
    r"(?<=\w)\W+(?:since|when|while|before|after|until|till|seit|als|depuis que?|quand|cuando|desde"
    r"|da quando|quando|sinds|toen)\W.*",
    re.IGNORECASE | re.DOTALL,
)
PAST_EVENT: Final = deferred(
    r"\W*(?:'s (?:(?!(?:is|has)\b)[\w-]+ ){1,3}?)?(?:\w+ed|was|ran|flew|went|got|gave|had|bought|won|took"
    r"|left|met|broke|fell|wrote|made|became)\b"
)
"""A claim in English of something that was done."""

PERFECT: Final = deferred(
    r"(?<!\w)(?:\w+ed|was|were|had|got|went|did|have|has|been|'ve|i've|ran|flew|bought|broke|lost|won"
    r"|gave|took|made|left|quit|met|became|began|wrote|fell|sold|told|kept|spent|saw|born|raised"
    r"|\w{0,5}ge\w+(?:t|en)|hab\w*|hat|bin|war|j'ai|ai|a|est|suis|\w+ées?|\w+és?|he|ha|hemos|\w+[óí]|fui"
    r"|\w+[aiu]d[oa]s?|ho|abbiamo|sono|è|\w+[aiu]t[oaie]|\w+ei|\w+ou|\w+[ei]u|fiz|heb|heeft|ben|\w+te)(?!\w)"
    r"|了|过|た|生まれ",
    re.IGNORECASE,
)
"""Forms of the past."""

HAS_CLAIM: Final = deferred(
    r"^\W*(?:has|owns|keeps|hat|besitzt|possède|a|tiene|ha|possiede|tem|possui|heeft)"
    r"(?! (?:never |not |\w+ly )?(?:been|\w+ed|gone|done|made|taken|quit|left|lost|had|become|broken|to|no)\b)\b"
    r"|^\W*(?:养|有|には)|飼|いる$",
    re.IGNORECASE,
)
DETERMINER: Final = deferred(
    r"\W*(?:the|an?|that|this|in|at|w|with|of|for|der|die|das|ein\w*|le|la|les|un|une|de|el|los|las|una|il"
    r"|lo|i|gli|o|os|as|um|uma|het|een)\s",
    re.IGNORECASE,
)
HOME_CLAIM: Final = deferred(
    r"\b(?:lives?|lived|resides?|living|wohnt|lebt|habite|vit|vive|abita|mora|woont|leeft)\b|住",
    re.IGNORECASE,
)
HOME_TOLD: Final = deferred(
    r"\b(?:li(?:ve|ves|ved|ving)|home|house|flat|apartment|dorm|settled|rent\w*|based|moved|stay\w*|wohn\w*|leb\w*"
    r"|gezogen|geblieben|haus\w*|zuhause|daheim|habit\w+|j'habit\w+|vi[ts]|viv\w+|vécu|emménag\w+|déménag\w+"
    r"|installé\w*|maison|appart\w*|rentrée?|chez|piso|casa|instal\w+|abit\w+|sto|stiamo|resto|trasferit\w+"
    r"|affitt\w+|mor[aoe]\w*|moramos|mud\w+|vim|quarto|woon\w*|wonen|gewoond|verhuis\w*|huis\w*|kamer|here|hier"
    r"|aqu[ií]|qui|ici|(?:i'm|i am|im|we're|been|bin|suis|estoy|estamos|tô|estou|zit|sitze) (?:now |jetzt |nu )?"
    r"(?:in|en|em|à|a|at)|me vine)\b|住|家|搬|租|定居|生活|还在|暮ら|引っ越|在住|移住|今は",
    re.IGNORECASE,
)
ORIGIN_TOLD: Final = deferred(
    r"\b(?:born|birth|from|grew|raised|native|geboren|aufgewachsen|stamme|gebürtig|née?|viens|grandi|naci\w*|nací"
    r"|criad\w+|crecí|soy de|sono di|nat[oa]|cresciut\w|vengo|nasci\w*|sou d[eoa]|opgegroeid|kom uit|qualified"
    r"|trained|visit\w*|trip|flew|back from|holiday|went)\b|生まれ|出身|育ち|育っ|出生|老家|长大",
    re.IGNORECASE,
)
AGE_TOLD: Final = deferred(
    r"(?:i'm|i am|im|'s|is|turn\w*|are|bin|ist|ans|años|tengo|tiene|anni|ho|ha|anos|tenho|tem|é|ben|is|wird)"
    r"\W+(?:now |jetzt |already )?[\w-]+\W*(?:$|[,.;!]|and\b|und\b|y\b|e\b|et\b|en\b|years|jahre|ans|años|anni|anos"
    r"|jaar|on\b|in\b|an\b|am\b)|\d(?:岁|歳)|十",
    re.IGNORECASE,
)


def _units(*rows: str) -> tuple[re.Pattern[str], ...]:
    return tuple(deferred(row, re.IGNORECASE) for row in rows)


UNITS: Final = (
    _units(
        r"\b(?:mornings?|morgens|matins?|mañanas?|mattin\w+|manhãs?|ochtend\w*)\b|早|朝",
        r"\b(?:evenings?|nights?|abend\w*|nachts?|soirs?|nuit|tardes?|noches?|ser[ae]|nott[ei]|noites?|avond\w*)\b|晚|夜",
    ),
    _units(
        r"\b(?:days?|daily|tag\w*|täglich|jours?|días?|giorn[oi]|dias?|dag\w*)\b|天|日",
        r"\b(?:week\w*|woch\w*|semaines?|semanas?|settiman\w)\b|周|週|星期|礼拜",
        r"\b(?:months?|monat\w*|mois|mes(?:es)?|mês|mesi|maand\w*)\b|月",
        r"\b(?:years?|jahr\w*|ann?s|années?|años?|ann[oi]|anos?|jaar)\b|年",
    ),
    _units(
        r"\b(?:left|link\w*|gauche|izquierd\w|sinistr\w|esquerd\w)\b|左",
        r"\b(?:right|recht\w*|droite?|derech\w|destr\w|direit\w|rechter\w*)\b|右",
    ),
)
"""Words of one kind that exclude each other."""
