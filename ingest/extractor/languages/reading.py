"""Clauses of other languages than English, read by the table of their language."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from ingest.extractor.languages.dutch import DUTCH
from ingest.extractor.languages.italian import ITALIAN
from ingest.extractor.languages.language import Language, rules_of
from ingest.extractor.languages.portuguese import PORTUGUESE
from ingest.extractor.languages.spanish import SPANISH
from ingest.extractor.rules.rule import Rule, compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told, sentence
from ingest.extractor.words.abroad import IN_ENGLISH
from ingest.extractor.words.lexicon import NO_NAMES

LANGUAGES: tuple[Language, ...] = (DUTCH, ITALIAN, PORTUGUESE, SPANISH)
_RULES = {language.name: rules_of(language) for language in LANGUAGES}
FOREIGN: tuple[Rule, ...] = tuple(rule for rules in _RULES.values() for rule in rules)

_SENTENCE = re.compile(r"[^.!?。！？\n\x00…]+(?P<end>[.!?。！？…]*)")
_LONGEST = 300
_EDGES = " ,;:!?.。！，、~～（）()\"'"
_MOST_WORDS = 4
_POINTING = re.compile(
    r"\b(?:es|das|dies\w*|dich|dir|dein\w*|ihn|ihr\w*|sie|davon|damit|so|was|wie|wenn|ça|cela|ce|cette|toi|te|ton|ta|tes|lui|elle|que|"
    r"qui|quoi|esto|eso|esta|este|ese|tu|tus|ti|lo|la idea|come|questo|questa|quello|suo|sua|het|dit|dat|jou|je|jouw|die|deze|"
    r"isso|isto|essa|esse|você|seu|sua|muito|molto|mucho|beaucoup|sehr|idee|idea|idée|vraag|frage|question|quand\w*|quando|cuando|celui|celle|van|puedo|posso|moi|mir|mich|nada|niente|rien|nichts|alles|tout|todo|tutto|wel|niet|nicht|pas|meinung|ansicht|neue|beste|erste|letzte|einzige|risposta|proposta|respuesta|resposta|réponse|antwort|antwoord|vorschlag|proposition|propuesta|sugerencia|suggerimento|plan|piano|"
    r"stile|estilo|style|tono|ton|testo|texto|texte|text|angst|frieden|sorge|armut|stress|nacht|tag|team|hause|haus|wochenende|büro|ruhe|moment)\b|[这那你他她它我]|[に]$|[はをが]|回答|建议|主意|方案|どこ|ここ|そこ|何|[これそれあの]{2}|の(?:は|が)|こと",
    re.IGNORECASE,
)
_MOCKED = re.compile(
    r"^\W*(?:na )?(?:toll|super|klasse|großartig|wunderbar|prima|génial|bravo|fantastico|ottimo|perfetto|genial|perfecto|estupendo|ótimo|"
    r"maravilha|geweldig|fijn|太好了|真棒)\b|\b(?:heute|aujourd'hui|oggi|vandaag|hoy|hoje|今天)\b|今天|今日|\b(?:ja klar|na klar|klar doch|haha\w*|lol|scherz|spaß|witz|ironi\w*|bien sûr|mais oui|sí,? claro|claro que|jaja\w*|s[iì],? certo|"
    r"come no|scherzo|tuurlijk|ja hoor|grapje|até parece|aham|kkk+|rsrs|mdr|ptdr|xd|millionär|millonari[oa]|milionári[oa]|millionnaire)\b|"
    "[\U0001f602\U0001f923\U0001f644\U0001f61c]|哈哈|笑|翻译|润色|修改|改写|直して|翻訳|添削|冗談|开玩笑|当然啦",
    re.IGNORECASE,
)
"""Marks of sarcasm, laughter, and of texts to work on."""

_IN_JEST = re.compile(
    r"(?:lundis?|lunedì|maandag\w*|montag\w*|lunes|segundas?|travail|lavoro|werk|arbeit|trabajo|trabalho|bêtise|stupidi\w*|estupid\w*|domheid|"
    r"domme|dumm\w*|connerie\w*|réunions?|riunion\w*|vergader\w*|meetings?|besprechung\w*|reuni\w*|scuse|ausred\w*|smoes\w*|excus\w*|bugie|"
    r"lüge\w*|leugen\w*|mensonge\w*|mentir\w*|embouteillage\w*|traffico|files?|stau\w*|tráfico|atascos?|trânsito|impôts|tasse|belasting\w*|"
    r"steuer\w*|impuestos|impostos|gente|gens|mensen|menschen|leute|idiot\w*|drama\w*|sport|matins?|mattin\w*|ochtend\w*|mañanas|sveglia)\b|"
    r"星期一|周一|加班|上班|工作|月曜日|残業|仕事",
    re.IGNORECASE,
)
"""What people say in jest that they love or are allergic to."""

_DENIED = re.compile(
    r"\b(?:nicht|keine?[nmrs]?|nie|ne|pas|plus|jamais|non|niet|geen|nooit|no|nunca|jamás|não|mai|più|weder|neither)\b|\bn'|"
    r"[不没沒]|ない|ません|なかった",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"^(?:(?:die|der|das|den|le|la|les|el|los|las|il|lo|gli|i|o|a|os|as|de|het|du|de la|des) |l')(?=\w)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:[^\W\d_a-z][\w'’-]*|[\u3040-\u30ff\u3400-\u9fff]+)(?: (?:de|da|do|del|la|le|van|von|der|den|am|an|sur|di|den) [^\W\d_a-z][\w'’-]*| [^\W\d_a-z][\w'’-]*){0,2}"
)


def in_other_languages(text: str, told: Told) -> Iterator[Candidate]:
    """Yield what a text says in other languages, by the few forms that are plain."""
    for language in LANGUAGES:
        if _compiled(language.trigger).search(text):
            yield from _of_language(language, text, told)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _of_language(language: Language, text: str, told: Told) -> Iterator[Candidate]:
    for match in _SENTENCE.finditer(text):
        said = match[0]
        if (
            len(said) > _LONGEST
            or _MOCKED.search(said)
            or not _compiled(language.trigger).search(said)
        ):
            continue
        parts = list(_parts(language, said))
        if "?" in match["end"] or "？" in match["end"]:
            parts = parts[:-1]
        found = False
        for start, part in parts:
            if _compiled(language.doubt).search(part):
                found = False
                continue
            forms = (
                (part, *(f"{subject} {part}" for subject in language.lent)) if found else (part,)
            )
            made = next((one for form in forms for one in _read(language, form, told)), None)
            if made is not None:
                found = True
                place = match.start() + start
                yield made._replace(start=place, end=place + len(part))


def _parts(language: Language, said: str) -> Iterator[tuple[int, str]]:
    at = 0
    for joint in (*_compiled(language.joint).finditer(said), None):
        stop = joint.start() if joint else len(said)
        part = said[at:stop].strip(_EDGES)
        if part:
            yield said.index(part, at), part
        at = joint.end() if joint else stop


def _read(language: Language, part: str, told: Told) -> Iterator[Candidate]:
    for rule in _RULES[language.name]:
        if not rule.content.startswith("does not") and _DENIED.search(part):
            continue
        match = compiled(rule.pattern).fullmatch(part)
        values = _values(language, match.groupdict()) if match else None
        if values is not None:
            content = sentence(
                told.subject, " ".join(rule.content.format_map(values).split()), told
            )
            yield Candidate(
                content, importance=rule.kind.importance, tags=rule.kind.tags, rule=rule.name
            )
            return


def _values(language: Language, groups: Mapping[str, str | None]) -> dict[str, str] | None:
    """Return the values of a rule's groups; None if one of them is something else."""
    values = {}
    for name, text in groups.items():
        value = _value(language, name, text or "")
        if text is not None and not value and name != "spare":
            return None
        values[name] = value
    if values.get("count", "a") not in ("", "a") and not values["kin"].endswith("s"):
        values["kin"] += "s"
    return values


def _value(language: Language, name: str, text: str) -> str:
    if name in ("kin", "count"):
        words = language.words
        return {**words.kin, **words.many, **words.numbers}.get(text.lower(), "")
    if name in ("state", "diet", "deed"):
        return IN_ENGLISH.get(text.lower(), "")
    if name in ("age", "role", "langs"):
        return text
    name = name.rstrip("2")
    text = _compiled(language.tail).sub("", text).strip(_EDGES)
    if name in ("name", "place"):
        match = _NAMED.fullmatch(text)
        is_word = any(word.casefold() in NO_NAMES for word in text.split())
        return (
            text if match and not is_word and len(text) <= 40 and not _POINTING.search(text) else ""
        )
    if (
        not text
        or len(text.split()) > _MOST_WORDS
        or _POINTING.search(text)
        or (len(text) > 12 and not text.isascii() and " " not in text)
    ):
        return ""
    if name == "thing" and _IN_JEST.match(_ARTICLE.sub("", text)):
        return ""
    if name == "firm" and not _NAMED.match(text):
        return ""
    return _ARTICLE.sub("", text) if name == "thing" else text
