"""What somebody is and belongs to: trades, employers, languages, nations, conditions."""

import re

from ingest.extractor.lexicon import (
    HEALTH,
    LANGUAGES,
    NATIONALITIES,
    NO_ROLES,
    NO_TRADES,
    PARENTHOOD,
    ROLES,
)
from ingest.extractor.wording import (
    BETWEEN,
    POINTING,
    TECHNICAL,
    Told,
    cut,
    dated,
    is_addressed,
    turned,
)

_ROLE_ENDS = re.compile(
    r"\b(?:at|for|in|of|with|from|who|that|on|by|working|specializ\w+|specialis\w+|based|living|"
    r"here|to|and|but|turned|"
    r"during|since|which|so|near|focus\w+|teaching|by day|because|majoring|studying|now|myself|"
    r"currently|trying|looking|over|"
    r"where|when|about|like|than|under|between|without|against|into|if|as|after|before)\b|,",
    re.IGNORECASE,
)
_ROLE_TAIL = re.compile(
    r"\b(?:who|that|and|but|which|so|because|now|currently|trying|looking|here|myself|over|where|"
    r"when|as|with (?:an?|the|some|"
    r"this|no|my)|on (?:an?|the|this|my)|in (?:need|search|charge|this|that|a hurry|the "
    r"(?:market|middle))|by)\b.*$|,.*$",
    re.IGNORECASE,
)
_ROLE_ENDING = re.compile(
    r"(?:[a-z]{3,}(?:ologist|ician|ographer|smith|keeper|maker|worker|owner|seller|player|"
    r"teacher|engineer|"
    r"developer|designer|analyst|therapist|scientist|specialist|technician|enthusiast|lover|"
    r"survivor|"
    r"instructor|practitioner|programmer|manager|major|breeder|veteran|buff|geek|nerd|addict|"
    r"hobbyist))$",
    re.IGNORECASE,
)
_ORG_TAIL = re.compile(
    r"(?:,|\s)+(?:since|because|now|where|which|that|and (?=(?:i|my|we|it)\b)|but|when|while|"
    r"currently|"
    r"as (?=an?\b|the\b)|doing|so|for (?=\w+ (?:years|months|weeks))|"
    r"there$|these|right now|full[- ]time|part[- ]time|remotely)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_ORG = re.compile(
    r"^(?:home|night|the moment|this|that|it|these|those|you|him|her|them|us|me|free|hire|now|"
    r"fun|someone|something|"
    r"least|most|all|once|first|last|times|weekends|odd|the (?:best|same|office|weekend|time|day|"
    r"night|thing|following|next|other|task|"
    r"problem|project|code|issue|assignment)|minimum|peanuts|money|long|hours|\d+|years|months|"
    r"weeks|days|what|how|my (?:own|desk)|"
    r"an? (?:while|long|few|living|new|solution|project|function|way|fix|minute|bit|different)|"
    r"full|your|everyone|anyone|everything)\b",
    re.IGNORECASE,
)


_SHORTEST_TRADE = 6
_TRADES = ("er", "or", "ist", "ian", "eur")


def role(text: str, told: Told) -> list[str]:
    """What somebody is by trade or calling; several when joined by "and a"."""
    found: list[str] = []
    for part in re.split(r"(?:,| and|,? &|,? but also|/)\s+(?:also )?(?=an? )", cut(text)):
        article = re.match(r"(an?|the) ", part)
        noun = part[article.end() :] if article else part
        head = _ROLE_ENDS.split(noun, maxsplit=1)[0].split()
        if not head or len(head) > 5 or not _is_role(head[-1]):
            return found
        said = _ROLE_TAIL.sub("", noun).strip(" ,.")
        if is_addressed(said) or len(said.split()) > 10 or {"fake", "terrible"} & set(head):
            return found
        found.append(
            turned(
                f"{_article(head[0])} {said}"
                if not article or article[1] != "the"
                else f"the {said}",
                told,
            )
        )
    return found


def _article(word: str) -> str:
    if re.match(
        r"(?:uni|use|usu|eu|one|ux|uk|u\.?s)", word, re.IGNORECASE
    ) and not word.lower().startswith("unin"):
        return "a"
    return (
        "an"
        if word[0].lower() in "aeiou" or re.match(r"(?:hr|mba|mri|[fhlmnrsx][A-Z])", word)
        else "a"
    )


def _is_role(word: str) -> bool:
    word = word.strip(".!'\"").casefold()
    single = word[:-1] if word.endswith("s") and word[:-1] in ROLES else word
    if single in NO_ROLES:
        return False
    known = single in ROLES or single in PARENTHOOD or _ROLE_ENDING.search(single)
    return bool(known) or (
        len(single) >= _SHORTEST_TRADE and single.endswith(_TRADES) and single not in NO_TRADES
    )


def job(text: str, told: Told) -> list[str]:
    """What somebody works as: any short phrase with an article, or a known role."""
    text = cut(text).partition(", ")[0]
    said = re.sub(
        r"\b(?:who|that|which|where|so|because|since|and (?=(?:i|we|my)\b))\b.*$", "", text
    ).strip(" ,.")
    if not said or len(said.split()) > 10 or is_addressed(said) or POINTING.search(said):
        return []
    if re.match(r"(?:an?|the) ", said) or _is_role(
        _ROLE_ENDS.split(said, maxsplit=1)[0].split()[-1]
        if _ROLE_ENDS.split(said, maxsplit=1)[0].split()
        else ""
    ):
        return [turned(dated(said, told).text, told)]
    return []


def org(text: str, told: Told) -> list[str]:
    """An employer or school."""
    text = _ORG_TAIL.sub("", cut(text)).strip(" ,.")
    if (
        not text
        or _NO_ORG.match(text)
        or TECHNICAL.search(text)
        or len(text.split()) > 9
        or is_addressed(text)
    ):
        return []
    return [turned(dated(text, told).text, told)]


def langs(text: str, told: Told) -> list[str]:
    """Languages; "fluent" and "a bit of" stay with them."""
    text = re.sub(
        r"\s+(?:at home|at work|natively|fluently|very well|well|too|perfectly|badly|with my .+)$",
        "",
        cut(text),
    )
    bare = re.sub(
        r"\b(?:fluent|some|a (?:bit|little) (?:of )?|conversational|basic|broken|both|decent|"
        r"native|intermediate|good|only|bad)\b",
        " ",
        text,
    )
    words = [part.strip().casefold() for part in BETWEEN.split(bare) if part.strip()]
    del told
    if words and all(word in LANGUAGES for word in words):
        return [
            re.sub(
                r"[^\W\d_]+", lambda m: m[0].title() if m[0].casefold() in LANGUAGES else m[0], text
            )
        ]
    return []


def nationality(text: str, told: Told) -> list[str]:
    """German; half Japanese and half Irish; a German citizen."""
    del told
    bare = re.sub(
        r"\b(?:half|part|a|an|the|citizen|citizens|national|by birth|born|and|native|quarter|"
        r"originally|woman|man|guy|girl|person|expat)\b|[-,]",
        " ",
        text,
    )
    words = " ".join(bare.split()).casefold()
    known = words in NATIONALITIES or all(word in NATIONALITIES for word in words.split())
    if not words or not known or len(text.split()) > 6:
        return []
    return [
        re.sub(
            r"[^\W\d_]+", lambda m: m[0].title() if m[0].casefold() in NATIONALITIES else m[0], text
        )
    ]


def illness(text: str, told: Told) -> list[str]:
    """A known condition; several with "and"."""
    del told
    text = re.sub(
        r"^(?:really |very )?(?:bad|severe|mild|chronic|terrible|some|a bit of|had) (?=\w)",
        "",
        cut(text),
    )
    text = re.sub(r"\s+(?:in (?:my|both|one)|since|from)\b.*$", "", text)
    bare = text.casefold()
    if bare in HEALTH or re.match(
        r"(?:an? )?(?:\w+ )?(?:\w+ )?(?:allergy|allergies|intolerance)\b", bare
    ):
        return [text]
    parts = BETWEEN.split(bare)
    return [text] if parts and all(part in HEALTH for part in parts) else []
