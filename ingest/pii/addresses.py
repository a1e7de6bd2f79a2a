"""Postal addresses in common forms of several countries; a street's name alone does not count."""

import re
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from ingest.pii.cues import said_before
from ingest.pii.values import Finding

_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’\-]*\.?"
_NUMBER = r"\d{1,5}(?:\s?[A-Za-z](?![A-Za-z])|[-/]\d{1,4})?"
_CUE = deferred(
    r"\b(?:liv(?:e|es|ed|ing)|address|reside[sd]?|moved|moving|ship|deliver(?:ed|y)?|mail(?:ed)?|send|sent"
    r"|located|office|house|home|apartment|flat|wohn\w*|adresse|anschrift|ziehe|habite|domicile|vivo|vive"
    r"|dirección|direccion|indirizzo|abito|woon|adres|plz|postleitzahl|zip|postcode)\b",
    re.IGNORECASE,
)
_TAIL = deferred(
    r"(?:,?\s*(?:apt|apartment|suite|unit|flat|floor|no|#)\.?\s*#?\w{1,6})?"
    r"(?:,?\s+(?:D-|A-|CH-|F-|E-|I-)?\d{4,5}\s+[A-ZÀ-ÖØ-Þ][\w'’\-]+(?:\s[A-ZÀ-ÖØ-Þ][\w'’\-]+)?)?"
    r"(?:,\s*[A-ZÀ-ÖØ-Þ][\w'’\- ]{1,30}?(?=,|\s+[A-Z]{2}\b|\s+\d{5}|[.;!?\n]|$))?"
    r"(?:,?\s+[A-Z]{2}\s+\d{5}(?:-\d{4})?|,?\s+[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})?",
    re.IGNORECASE,
)
_ENGLISH = deferred(
    rf"""
    (?<![\w.\-/:]){_NUMBER}\s+(?:[NSEW]\.?\s+|North\s|South\s|East\s|West\s)?
    (?:(?:{_NAME}|\d{{1,3}}(?:st|nd|rd|th))\s+){{1,3}}
    (?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Terrace|Crescent|Parkway|Pkwy|Highway
      |Hwy)\b\.?
    """,
    re.VERBOSE,
)
_BOX = deferred(r"(?<!\w)P\.?\s?O\.?\s+Box\s+\d{1,6}\b")
_GERMAN = deferred(
    r"""
      (?<!\w)(?:[A-ZÄÖÜ][a-zäöüß]+[ -])?[A-ZÄÖÜ]?[a-zäöüß\-]+(?:straße|strasse|str\.|gasse|allee
        |chaussee|damm|straat|gracht|laan|kade)\s+\d{1,4}\s?[a-z]?\b
    | (?<!\w)[A-ZÄÖÜ][a-zäöüß]+\s(?:Straße|Strasse|Str\.|Allee|Chaussee)\s+\d{1,4}\s?[a-z]?\b
    """,
    re.VERBOSE,
)
_FRENCH = deferred(
    rf"""
    (?<![\w.])\d{{1,4}}(?:\s?(?:bis|ter))?,?\s+(?:rue|avenue|boulevard|chemin|impasse|allée|quai)
    \s+(?:de\s+(?:la\s+|l['’])?|du\s+|des\s+|d['’])?{_NAME}(?:[\s-]{_NAME})?
    """,
    re.VERBOSE,
)
_SPANISH = deferred(
    rf"""
    (?<!\w)(?:[Cc]alle|[Aa]venida|[Aa]vda\.?|C/|[Pp]aseo|Carrera|Rua)\s+
    (?:de\s+(?:la\s+|los\s+)?|del\s+)?{_NAME}(?:\s(?:de\s)?{_NAME}){{0,2}},?\s+
    (?:n[.º°o]{{1,2}}\s*)?\d{{1,4}}\b
    """,
    re.VERBOSE,
)
_WITH_CUE = deferred(
    rf"""
      (?<![\w.\-/:]){_NUMBER}\s+(?:{_NAME}\s+){{1,3}}
        (?:Drive|Dr|Way|Place|Pl|Close|Court|Ct|Square|Sq|Circle|Cir|Grove|Gardens|Row|Mews|Park
        |Hill|View)\b\.?
    | (?<!\w)[A-ZÄÖÜ][a-zäöüß\-]+(?:weg|platz|ring|ufer|hof|markt|berg|plein)
        \s+\d{{1,4}}\s?[a-z]?\b
    | (?<!\w)(?:Via|Viale|Piazza|Corso)\s+(?:[a-z]{{2,5}}\s)?{_NAME}(?:\s{_NAME})?,?\s+\d{{1,4}}\b
    | (?<![\w.\-/:]){_NUMBER}\s+(?:[a-z]+\s+){{1,2}}(?:street|avenue|road|boulevard|lane
        |drive|st|ave|rd)\b
    | (?<![\w.\-/])(?:D-|A-|CH-)?\d{{4,5}}\s+[A-ZÄÖÜ][a-zäöüß\-]{{2,}}\b(?!\s+(?:Euro|Uhr))
    | \b[A-Z]{{1,2}}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{{2}}\b
    """,
    re.VERBOSE,
)
_STATES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]"
    "|UT|V[AT]|W[AIVY]"
)
_STATE_AND_ZIP = deferred(
    rf"(?<!\w){_NAME}(?:\s{_NAME})?,\s*(?:{_STATES})\s+\d{{5}}(?:-\d{{4}})?\b"
)
_GERMAN_CUES = ("str", "gasse", "allee", "chaussee", "damm", "gracht", "laan", "kade")
_SPANISH_CUES = ("calle", "avenida", "avda", "c/", "paseo", "carrera", "rua")
_CERTAIN = (
    (_ENGLISH, ("",)),
    (_BOX, ("box",)),
    (_GERMAN, _GERMAN_CUES),
    (_FRENCH, ("",)),
    (_SPANISH, _SPANISH_CUES),
    (_STATE_AND_ZIP, (",",)),
)
"""Patterns, each with a word that every match contains, in lower case."""


def addresses(text: str) -> Iterator[Finding]:
    """A street with its number, a town with its postal code; less certain ones after a cue."""
    lowered = text.lower()
    for pattern, cues in _CERTAIN:
        if any(cue in lowered for cue in cues):
            for found in pattern.finditer(text):
                yield _with_tail(text, found)
    if _CUE.search(text):
        for found in _WITH_CUE.finditer(text):
            if said_before(_CUE, text, found.start()):
                yield _with_tail(text, found)


def _with_tail(text: str, found: re.Match[str]) -> Finding:
    """The street with the flat, the town and the postal code after it."""
    tail = _TAIL.match(text, found.end())
    return Finding(found.start(), tail.end() if tail else found.end(), "address")
