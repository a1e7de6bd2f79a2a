"""The plainest sentences of other languages: names, homes, work, likes and dislikes, ages.

The object stays in its own language: "Ich liebe Bergsteigen" is "User loves Bergsteigen".
"""

import re

from ingest.extractor.rules.foreign import FOREIGN
from ingest.extractor.rules.rule import Rule
from ingest.extractor.rules.table import compiled
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told

_TRIGGER = re.compile(
    r"\b(?:ich|mein|meine|je|j'\w+|moi|mon|ma|me|mi|soy|tengo|vivo|trabajo|odio|mio|mia|sono|ho|"
    r"lavoro|abito|"
    r"meu|minha|eu|moro|trabalho|sou|tenho|ik|mijn|я|меня|мне|мой|моя|jag|jeg|mam|jestem|nazywam|"
    r"vivo|gosto|heet|spreche|ziehe|fahre|estoy|sto|estou|heb|woon|у меня|habe|mag|amo|adoro|"
    r"chiamo|sono|suis|vengo|soy)\b|アレルギー|飼って|働いて|[我私僕俺저나제내在娘犬猫]|好き|嫌い|住んで",
    re.IGNORECASE,
)
_LONGEST = 120
_NO = re.compile(
    r"[\x00?？]|\b(?:wenn|falls|würde|hätte|wäre|si|se|als ob|peut-être|vielleicht|quizás|talvez|"
    r"forse|если|бы|может)\b|吗|嗎|如果|か$|もし",
    re.I,
)
_EDGES = " .,;!?。！、，"
_TAIL = re.compile(
    r"\s+(?:und|et|y|e|en|и|aber|mais|pero|ma|mas|maar|но|weil|parce que|porque|perché|omdat|"
    r"seit|depuis|desde|da|sinds|h[aá](?:ce)?|al|dal|pour le moment|"
    r"sehr|gern|gerne|beaucoup|mucho|molto|muito|очень)\b.*$|[,，、].*$",
    re.IGNORECASE,
)


def in_other_languages(said: str, told: Told) -> list[Candidate]:
    """Give what a clause in another language says, by the few forms that are plain."""
    if len(said) > _LONGEST or not _TRIGGER.search(said) or _NO.search(said):
        return []
    found: list[Candidate] = []
    for part in _JOINT.split(said):
        found += _of_part(part.strip(_EDGES), told, subject=_GERMANIC.get(_language(found), ""))
    return found


def _of_part(part: str, told: Told, *, subject: str) -> list[Candidate]:
    for text in (part, f"{subject} {part}") if subject else (part,):
        for rule in FOREIGN:
            match = compiled(rule.pattern).match(text)
            if match:
                return _made(rule, match, told)
    return []


def _language(found: list[Candidate]) -> str:
    return found[-1].rule.split(" ")[0] if found else ""


_GERMANIC = {"German": "ich", "Dutch": "ik", "French": "je", "Spanish": "soy", "Italian": "sono"}
"""Languages whose later clauses leave out the pronoun that their rules begin with."""

_JOINT = re.compile(
    r"\s*[,，、;。]\s*|\s+(?:und|et|y|e|en|и|aber|mais|pero|ma|mas|maar|но)\s+(?=(?:ich|je|j'|ik|я|"
    r"me|mi|meine?|mon|ma|"
    r"wohne|lebe|liebe|mag|hasse|arbeite|komme|bin|heiße|vivo|trabajo|tengo|odio|soy|no me|me|"
    r"lavoro|abito|sono|ho|adoro|"
    r"amo|non mi|moro|trabalho|sou|tenho|gosto|woon|werk|ben|hou|haat|kom|живу|работаю|люблю|мне|"
    r"suis|travaille|vis)\b)",
    re.IGNORECASE,
)


def _made(rule: Rule, match: re.Match[str], told: Told) -> list[Candidate]:
    words = match.groupdict()
    value = _TAIL.sub("", words["o"]).strip(_EDGES)
    if not value or len(value.split()) > 6:
        return []
    if rule.name.endswith("name") and (
        len(value.split()) > 3 or (value[0].isascii() and not value[0].isupper())
    ):
        return []
    content = rule.content.format(s=told.subject, o=value)
    return [
        Candidate(content, importance=rule.kind.importance, tags=rule.kind.tags, rule=rule.name)
    ]
