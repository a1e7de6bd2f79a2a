"""Whether a text holds any date, time or duration: a cheap yes or no, without resolving it."""

import re

_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar|rero)?|février|märz|mars|marzo|apr(?:il)?|avril|abril"
    r"|mai|mayo|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|août|agosto"
    r"|sep(?:t(?:ember|embre|iembre)?)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?"
    r"|de[cz](?:ember|iembre)?|décembre|enero|march|may)"
)
_COUNT = (
    r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|couple\s+of"
    r"|several|many|ein(?:e[nmr]?)?|zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq|dos|tres|cuatro)"
)
_UNIT = (
    r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|weekends?|months?|years?|decades?"
    r"|stunden?|minuten?|tage?n?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?"
    r"|horas?|días?|dias|semanas?|mes(?:es)?|años?)"
)
_HINT = re.compile(
    rf"""
      (?<![\d.\-/])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d)
    | (?<![\d.\-/])\d{{1,2}}(?:/\d{{1,2}}/|\.\d{{1,2}}\.(?=\d{{4}}))\d{{2,4}}(?![\d.])
    | \bq[1-4]\s+(?:of\s+)?20\d\d\b
    | \b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?{_MONTH}\b
    | \b{_MONTH}\.?\s+(?:the\s+)?\d{{1,4}}(?:st|nd|rd|th)?\b
    | \b(?:in|im|since|last|next|this|until|by|en|dès|letzten|nächsten|seit|desde)\s+{_MONTH}\b
    | \b(?:in|since|from|until|till|by|around|back\s+in|during|before|after|of|seit|bis|en|depuis
         |desde|hasta|de)\s+(?:the\s+)?(?:early\s+|late\s+|mid[-\s])?(?:19|20)\d\d(?:s|\b)
    | \b(?:yesterday|today|tomorrow|tonight|tmrw|last\s+night|vorgestern|gestern|heute|übermorgen
         |aujourd['’]hui|demain|avant[-\ ]hier|hoy|ayer|mañana|anoche|anteayer)\b
    | \b(?:last|next|this|past|coming|previous|every|letzte[nrs]?|nächste[nrs]?|diese[nrs]?|cette
         |esta|este)\s+
      (?:morning|afternoon|evening|night|week(?:end)?|month|year|decade|spring|summer|autumn|fall
         |winter|woche(?:nende)?|monat|jahr|sommer|semaine|semana|mes|año)\b
    | \b(?:week|month|year|weekend)\s+(?:before\s+last|after\s+next)\b | \bthe\s+weekend\b
    | \b(?:semaine|mois|année|an|semana|mes|año)\s+(?:prochaine?|derni[eè]re?|passée?|pasad[oa]
         |pr[óo]xim[oa]|que\s+viene)\b
    | \bhier\s+(?:soir|matin|j['’]|(?:je|on|nous|il|elle)\b)
    | \b(?:on|by|due|until|before|after|since|le|el|am)\s+\d{{1,2}}/\d{{1,2}}(?![\d/])
    | \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b
    | \b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi
         |vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)s?\b
    | \b{_COUNT}\s+(?:more\s+|whole\s+|full\s+)?{_UNIT}\b
    | (?<![\d.:])(?:[01]?\d|2[0-3])(?::[0-5]\d){{1,2}}(?![\d:])
    | \b\d{{1,2}}(?::\d\d)?\s?(?:[ap]\.?m\b|o['’]?\s?clock|uhr\b|h\d\d\b)
    | \b(?:noon|midnight|o['’]clock)\b
    | \d\s?[年月日時时點点]|[昨今明]天|[昨今明]日
    """,
    re.IGNORECASE | re.VERBOSE,
)


def has_date(text: str) -> bool:
    """Whether a date, a clock time, a day's name or a duration ("for three years") stands in it."""
    return _HINT.search(text) is not None
