"""The words for numbers, units, months and days in English, German, French and Spanish.

Months and days are those of Italian, Portuguese and Dutch too.

Words shared by two of these languages mean the same in both, so one table serves all; the few that
do not ("hier" is yesterday in French and here in German) are not in these tables.
"""

from typing import Literal, TypeVar

Unit = Literal["day", "week", "month", "year"]


_Value = TypeVar("_Value")


def _table(rows: dict[_Value, str]) -> dict[str, _Value]:
    return {word: value for value, words in rows.items() for word in words.split()}


NUMBERS = _table(
    {
        1: "a an one ein eine einem einen einer un une una",
        2: "two zwei deux dos couple",
        3: "three drei trois tres",
        4: "four vier quatre cuatro",
        5: "five fünf cinq cinco",
        6: "six sechs seis",
        7: "seven sieben sept siete",
        8: "eight acht huit ocho",
        9: "nine neun neuf nueve",
        10: "ten zehn dix diez",
        11: "eleven elf onze once",
        12: "twelve zwölf douze doce",
        14: "vierzehn quatorze catorce fortnight",
        15: "fifteen fünfzehn quinze quince",
        20: "twenty zwanzig vingt veinte",
    }
)

UNITS: dict[str, Unit] = _table(
    {
        "day": "day days tag tage tagen jour jours día días dia dias",
        "week": "week weeks woche wochen semaine semaines semana semanas",
        "month": "month months monat monate monaten monats mois mes meses",
        "year": "year years jahr jahre jahren jahres an ans année année annee año años",
    }
)

MONTHS = _table(
    {
        1: "january jan januar jänner janvier enero gennaio janeiro januari",
        2: "february feb februar février fevrier febrero febbraio fevereiro februari",
        3: "march mar märz maerz mars marzo março marco maart",
        4: "april apr avril abril aprile",
        5: "may mai mayo maggio maio mei",
        6: "june jun juni juin junio giugno junho juni",
        7: "july jul juli juillet julio luglio julho juli",
        8: "august aug août aout agosto augustus",
        9: "september sep sept septembre septiembre setiembre settembre setembro",
        10: "october oct oktober okt octobre octubre ottobre outubro",
        11: "november nov novembre noviembre novembro",
        12: "december dec dezember dez décembre decembre diciembre dicembre dezembro december",
    }
)

WEEKDAYS = _table(
    {
        0: "monday mon montag lundi lunes lunedì lunedi maandag",
        1: "tuesday tue tues dienstag mardi martes martedì martedi dinsdag",
        2: "wednesday wed mittwoch mercredi miércoles miercoles mercoledì mercoledi woensdag",
        3: "thursday thu thur thurs donnerstag jeudi jueves giovedì giovedi donderdag",
        4: "friday fri freitag vendredi viernes venerdì venerdi vrijdag",
        5: "saturday sat samstag sonnabend samedi sábado sabado sabato zaterdag",
        6: "sunday sun sonntag dimanche domingo domenica zondag",
    }
)

DAYS = {
    -2: (
        r"(?:the\s+)?day\s+before\s+yesterday|vorgestern|avant[- ]hier|anteayer|antes\s+de\s+ayer"
    ),
    2: (
        r"(?:the\s+)?day\s+after\s+tomorrow|übermorgen|uebermorgen|après[- ]demain"
        r"|pasado\s+mañana"
    ),
    -1: r"yesterday|last\s+night|gestern|anoche|ayer",
    1: r"tomorrow|tmrw|demain|(?<!la )(?<!cada )(?<!esta )mañana",
    0: (
        r"today|tonight|this\s+(?:morning|afternoon|evening)|heute|aujourd['’]hui|ce\s+soir"
        r"|cet\s+après-midi|hoy|esta\s+(?:noche|tarde|mañana)"
    ),
}
"""Days relative to the day of speaking, as patterns; the longer ones come first."""

UNSPACED_DAYS = {
    -2: "前天|一昨日",
    -1: "昨天|昨日",
    0: "今天|今日",
    1: "明天|明日",
    2: "后天|後天|明後日",
}
"""The same in scripts without spaces between words."""

LAST = "last|past|previous|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?|pasad[oa]|último|última"
NEXT = "next|coming|upcoming|nächste[nrs]?|kommende[nrs]?|próxim[oa]|proxim[oa]"
THIS = "this|diese[nrsm]?|cette|este|esta|ce"
AFTER_LAST = "dernière|derniere|dernier|passée|passé|pasad[oa]"
AFTER_NEXT = "prochaine|prochain|próxim[oa]|que\\s+viene"

PAST_CUES = (
    r"was|were|did|had|went|got|came|saw|met|took|made|bought|left|lost|found|gave|told|said|ate"
    r"|sent|lent|kept|paid|sold|built|hid|drove|flew|ran|won|felt|knew|began|became|wrote|read|spent|been|born|ago|since|last"
    r"|(?!need|hundred|indeed)\w{2,}[^\W\de]ed"
    r"|war|waren|hatte|hatten|habe|hat|wurde|ging|kam|fuhr|seit|depuis|était|étais|avait|avais|ai"
    r"|suis|sommes|fue|fui|fuimos|era|estaba|estuve|tuve|hice|desde|compré|llegué"
)
FUTURE_CUES = (
    r"will|won't|['’]ll|going\s+to|gonna|shall|plan|plans|planning|need|needs|have\s+to|has\s+to"
    r"|must|want|wants|hope|hoping|would|upcoming|due|deadline|until|next|see\s+you|appointment"
    r"|let['’]s|remind|remember\s+to|werde|wird|werden|muss|will|möchte|bis|vais|va|allons|dois"
    r"|jusqu|voy|vamos|tengo\s+que|hasta|quiero"
)
