"""Possessions and people that a sentence takes for granted: "can my rescue collie eat grapes?".

Lasting things alone are believed: pets, children, homes and firms at a place, vehicles,
instruments and devices by their maker, allergies. What is over, supposed or a figure of speech is
none, and where another rule has spoken of the thing already, nothing is added.
"""

import re
from collections.abc import Iterator
from functools import cache

from ingest.extractor.rules.rule import HEALTH, POSSESSION, RELATION, WORK, Kind
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told

_PETS = (
    "dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|pony|horse|tortoise|gecko|ferret|budgie|"
    "hedgehog|chinchilla|cockatiel|labrador|poodle|beagle|corgi|dachshund|husky|retriever|"
    "terrier|bulldog|collie|spaniel|pug|cockapoo|labradoodle|goldendoodle|schnauzer|chihuahua|"
    "greyhound|whippet|dalmatian|rottweiler|iguana|parakeet|macaw"
)
_MAKES = (
    r"tesla|bmw|audi|toyota|honda|volvo|subaru|mazda|yamaha|steinway|gibson|stratocaster|"
    r"telecaster|fender|nikon|fuji|fujifilm|leica|pixel|kindle|thinkpad|macbook|chromebook|"
    r"playstation|ps5|xbox|roomba|vespa|ducati|brompton|thermomix|garmin|fitbit|prius|corolla|"
    r"civic|land rover|peugeot|citroën|fiat|skoda|škoda|renault"
)
_HOMES = (
    "flat|apartment|house|cottage|cabin|allotment|farm|studio|bungalow|condo|"
    "houseboat|bakery|shop|salon|bookshop|workshop|restaurant|vineyard"
)
_NO_OTHERS = (
    r"(?!\w+'s\b|(?:late|old|first|last|dream|next|future|new|imaginary|hypothetical|favou?rite|"
    r"previous|former|childhood|ex|own|dead|own|fictional|stuffed|toy|virtual|robot|spirit|inner|"
    r"hot|lazy|neighbou?rs?|friends?|bosss?|sisters?|brothers?|mums?|moms?|dads?|wife|husband|aunts?|"
    r"uncles?|cousins?|parents|partners?|girlfriends?|boyfriends?|roommates?|flatmates?|and|or|in|"
    r"to|for|with|is|was|the|that|on|at|of|book|story|character|game|this|client|clients|"
    r"customers?|landlords?|landladys?) )"
)
_NO_COMPOUND = (
    r"(?![ -](?:paintings?|portraits?|drawings?|sculptures?|statues?|tattoos?|stickers?|mugs?|"
    r"shirts?|t-shirts?|shelter|business|riding|racing|races?|racks?|farm|hair|bites?|poop|fence|"
    r"door|flap|grooming|insurance|food|beds?|walker|walking|sitter|sitting|groomer|house|collar|leash|tank|park|"
    r"toys?|"
    r"treats?|pee|breed|memes?|pictures?|photos?|person|lady|lover|costume|show|cafe|videos?|"
    r"years?|clicker|called|named|whisperer|trainer|training|owner|app|character|died|passed|"
    r"game|name|poem|story|drawing|bot|days?|would|i used|back then|growing up)\b|'s? (?:name|"
    r"death|"
    r"funeral|ashes)|[’']?s? (?:died|dead))"
)
_UNSURE = re.compile(
    r"\b(?:if|imagine|suppose|dream\w*|wish|pretend\w*|character|story|novel|poem|lyrics|died|dies|dead|"
    r"passed away|put (?:down|to sleep)|buried|lost|losing|quit|leave|left|former|selling|sold|"
    r"used to|as a (?:kid|child)|"
    r"when i was|growing up|would|could have|rent(?:al|ed)|refund|returned?|imaginary|game|sims|"
    r"minecraft|quote|joke)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n\x00]+[.!?]*")
_OWNED = re.compile(r"\b(?:my|our|mine|ours|the t(?:wins|riplets))\b", re.IGNORECASE)
_LONGEST = 400
_PITY = re.compile(
    r"\b(?:poor|sweet|silly|dear|beloved|own|crazy|stupid|adorable|cute|darling|lovely) "
)
_COUNTS = r"two|three|four|five|six"
_CHILDREN = r"boys|girls|kids|children|sons|daughters|twins"


_ADJECTIVES = rf"(?P<x>(?:{_NO_OTHERS}[a-z-]+ ){{0,2}})"
_TABLE: tuple[tuple[str, str, Kind], ...] = (
    (
        rf"\b(?:my|our) {_ADJECTIVES}(?P<noun>{_PETS})\b{_NO_COMPOUND}",
        "{s} has {a} {x}{noun}",
        POSSESSION,
    ),
    (
        r"\b(?:my|our) (?:own )?(?P<x>)(?P<noun>dogs|cats|hens|chickens|bees|goats|horses|"
        r"rabbits|ducks|alpacas|guinea pigs|ponies|kittens|puppies|ferrets|tortoises|"
        r"geese|quails|parrots|budgies)\b(?! (?:and|or|food|breasts?|recipe|wings|"
        r"thighs)\b)",
        "{s} has {noun}",
        POSSESSION,
    ),
    (
        rf"\b(?:mine|ours)(?: is|'s|,) an? (?P<x>(?:[a-z-]+ )?)(?P<noun>(?:{_PETS})"
        r"(?:(?: with [a-z ]{2,20})? (?:called|named) (?-i:[A-Z])\w+)?)\b(?=[,.!?]|"
        r" who\b| that\b| and\b|$)",
        "{s} has {a} {x}{noun}",
        POSSESSION,
    ),
    (r"\bmy (?P<x>)(?P<noun>fianc[eé]e?)\b(?!'s? visa)", "{s} is engaged", RELATION),
    (
        r"\bmy (?P<x>)(?:new )?(?:hours|shifts?|colleagues|co-?workers) at (?P<noun>the "
        r"(?!office|moment|time|end|same|company|plant|store)[a-z]+(?: [a-z]+ (?:shop|"
        r"plant|"
        r"centre|center))?|(?-i:[A-Z])\w+)(?=[.,!?;]| and | is | are |$)",
        "{s} works at {noun}",
        WORK,
    ),
    (
        rf"\b(?P<x>)(?:my|our) (?P<noun>(?:{_COUNTS}) (?:\w+ )?(?:{_CHILDREN}))\b",
        "{s} has {noun}",
        RELATION,
    ),
    (
        r"\b(?P<x>)both (?:my|our) (?P<noun>boys|girls|kids|sons|daughters)\b",
        "{s} has two {noun}",
        RELATION,
    ),
    (
        r"(?<!both )\b(?P<x>)(?:my|our|since the|when the|because the) (?P<noun>twins|"
        r"triplets)\b(?! (?:package|movie|film|game|show|room|pack|deal))",
        "{s} has {noun}",
        RELATION,
    ),
    (
        rf"\b(?:my|our) (?P<x>(?:{_NO_OTHERS}[a-z-]+ )?)(?P<noun>(?:{_MAKES})\b"
        r"(?: (?-i:[A-Z])?[\w-]*\d[\w-]*)?)(?! (?:subscription|account|app|dealer|order|"
        r"refund|code|contract|points|driver))",
        "{s} has {a} {x}{noun}",
        POSSESSION,
    ),
    (
        rf"\b(?:my|our) (?P<x>(?:{_NO_OTHERS}[a-z-]+ )?)(?P<noun>"
        rf"(?:{_HOMES}) "
        r"(?:in|near) (?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)",
        "{s} has {a} {x}{noun}",
        POSSESSION,
    ),
    (
        rf"\b(?:my|our) (?P<x>(?:{_NO_OTHERS}[a-z-]+ )?)(?P<noun>piano|cello|violin|viola|"
        r"guitar|accordion|ukulele|banjo|harp|saxophone|clarinet|startup|food truck|bakery|"
        r"bookshop|etsy shop|podcast|allotment|greenhouse|campervan|caravan|motorbike|"
        r"motorcycle|sailboat|narrowboat|kayak|e-bike|telescope|darkroom|sewing machine|"
        r"pacemaker|insulin pump|cochlear implant|hearing aids?|beehives?)\b(?! (?:\w+er\b|"
        r"lessons?|class|classes|recital|exams?|practice|solo|piece|tutor|strings?|case|books?|"
        r"music|shop|store|idea|plan|pitch|project|app|simulator|order|script|episode|skills|"
        r"insurance|keys?|park|site|song|tabs?|concerto|part))",
        "{s} has {a} {x}{noun}",
        POSSESSION,
    ),
    (
        r"\b(?:my|our) (?P<x>(?:severe |bad |mild )?)(?P<noun>(?:peanut|nut|tree nut|"
        r"shellfish|dairy|milk|egg|wheat|gluten|soy|fish|pollen|latex|penicillin|cat|dog|"
        r"bee|wasp|lactose|sesame|dust|histamine|fructose|nickel) (?:allergy|"
        r"intolerance))\b",
        "{s} has {a} {x}{noun}",
        HEALTH,
    ),
    (
        r"\bmy (?P<x>)(?P<noun>asthma|diabetes|epilepsy|adhd|arthritis|eczema|psoriasis|"
        r"tinnitus|endometriosis|fibromyalgia|ibs|lupus|dyslexia|coeliac disease|celiac "
        r"disease|crohn's|rosacea|scoliosis|heart arrhythmia|pcos)\b(?! (?:app|project|"
        r"article|essay|paper|research|patients?|class|book|charity))",
        "{s} has {noun}",
        HEALTH,
    ),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, Kind], ...]:
    return tuple((re.compile(said, re.IGNORECASE), content, kind) for said, content, kind in _TABLE)


def presupposed(text: str, told: Told, already: str) -> Iterator[Candidate]:
    """Give what is taken to be there; `already` is what other rules have said of the turn."""
    spoken = already.casefold()
    for sentence in _SENTENCE.finditer(text):
        said = sentence.group()
        if len(said) > _LONGEST or not _OWNED.search(said) or _UNSURE.search(said):
            continue
        for pattern, content, kind in _patterns():
            for match in pattern.finditer(said):
                thing = _PITY.sub("", f"{match['x'].lower()}{match['noun']}").strip()
                last = thing.partition(" in ")[0].partition(" near ")[0].split()[-1].casefold()
                if last in spoken:
                    continue
                spoken = f"{spoken} {last}"
                yield Candidate(
                    content.format(
                        s=told.subject,
                        a="an" if thing[0].lower() in "aeiou" else "a",
                        x=_PITY.sub("", match["x"].lower()),
                        noun=match["noun"],
                    ),
                    importance=kind.importance,
                    tags=kind.tags,
                    rule="presupposed",
                    start=sentence.start() + match.start(),
                    end=sentence.start() + match.end(),
                )
