"""Rules for what is over, by words of its own: a job that was lost, a trip that is off."""

from ingest.extractor.rules.rule import ALL, CLAUSE, END, KIN, KINDRED, PLACE, PLAN, US, WORK, Rule
from ingest.extractor.words.events import ANYTHING
from ingest.extractor.words.lexicon import PETS
from ingest.extractor.words.patterns import any_of, not_after
from ingest.extractor.words.trades import NAMED_FOR

_CANCELLED = r"(?:trip|flight|wedding|move|holiday|vacation|visit|journey|cruise|honeymoon|surgery|interview|appointment)"

_LOVERS = ("girlfriend", "boyfriend", "partner", "fiancé", "fiancée", "fiance", "fiancee")
_NAME = r"(?-i:[A-Z])[\w&.'-]*"

ENDING: tuple[Rule, ...] = (
    Rule("lost a pet", rf"(?:have |had to )?(?:just )?(?:lost|put|buried|said goodbye to) (?P<x>(?:my|our) (?:[a-z-]+ ){{0,2}}?)(?P<k>{any_of(PETS)})(?:,? (?P<y>{_NAME}),?)?"
        r"(?:(?<!put )(?= (?:to (?:sleep|cancer|old age)|down))| (?:to sleep|down)\b|(?=$|[,.]| (?:yesterday|today|this|last|in (?:19|20)\d\d|two|three|\d|a|an|after)\b)).*$", "lost {x}{k} {y}", END,
        {"We lost our beloved cat Millie": "User lost their beloved cat Millie", "We had to put our dog Rex to sleep": "User lost their dog Rex"}, ("I lost my dog's toy", "I lost my cat in the park for an hour", "I put my dog in the car"), US, ("'s {k} is named {y}", f"'s {{k}} {{y}} {ANYTHING}")),
    Rule("moved away", "(?:have )?moved (?:away from|out of) (?=<a_place>)<town>", "no longer lives in {town}", PLACE,
        {"I moved away from Berlin": "User no longer lives in Berlin"}, ("I moved away from the idea", "I moved out of the way"), ALL, ("lives in {town}",)),
    Rule("fired from", r"(?:have been|was|got|just got) (?P<x>fired|laid off|let go) (?:from|by) <org>", "was {x} from {org}", WORK,
        {"I got fired from the call centre": "User was fired from the call centre"}, ("I was fired from this",), KINDRED, ("works at {org}", f"works as {ANYTHING} at {{org}}")),
    Rule("was fired", r"(?:have been|was|got|just got) (?P<x>fired|laid off|made redundant|let go)(?! (?:up|of|from a (?:gun|cannon))\b)", "was {x}", WORK,
        {"I was fired": "User was fired", "Got laid off yesterday": "User was laid off"}, ("I got fired up",), KINDRED, ("works somewhere",)),
    Rule("left the job", r"(?:have )?(?P<x>lost|quit|resigned from|left) my job(?! (?:at|with)\b)", "{x} my job", WORK,
        {"I quit my job": "User quit their job"}, ("I quit the game", "I left my job title blank?"), KINDRED, ("works somewhere",)),
    Rule("left", rf"(?:have )?(?:(?:(?:left|quit) my (?:job|position) (?:at|with)|resigned from(?: my (?:job|position) (?:at|with))?|no longer work (?:at|for)|stopped working (?:at|for)|am no longer (?:at|with)) (?P<company>.+?)|(?:left|quit) (?P<joined>.+?))(?:{not_after(NAMED_FOR)} for (?-i:[A-Z]).*)?$",
        "no longer works at {company}{joined}", WORK,
        {"I left Bosch last month": "User no longer works at Bosch", "I quit my job at Siemens": "User no longer works at Siemens"}, ("I left the office", "I left Anna", "I left Paris this morning", "I left Shell at 5", "I left home", "I left Netflix for good"), KINDRED,
        ("works at {company}", "works at {joined}", f"works as {ANYTHING} at {{company}}", f"works as {ANYTHING} at {{joined}}")),
    Rule("retired", "(?:have )?(?:just )?retired(?=$|[,.]| (?:yesterday|today|last|this|on|in (?:19|20)\\d\\d)\\b).*$", "is retired", WORK,
        {"I retired yesterday": "User is retired"}, ("I retired from the game",), KINDRED, ("works somewhere",)),
    Rule("divorced", r"(?:have |got |am (?!separated(?! from)))?(?:just )?(?P<x>divorced|separated)(?: from <given_name>|(?=$|[,.]| (?:in|last|two|three|\d|a|since|and|after|from my)\b)).*$", "is {x}", KIN,
        {"We divorced": "User is divorced", "I'm divorced": "User is divorced"}, ("I separated the eggs", "We are separated"), ALL, ("is married", "'s husband is named someone", "'s wife is named someone", "has a husband", "has a wife", f"'s husband {ANYTHING}", f"'s wife {ANYTHING}")),
    Rule("broke up", rf"(?:have )?(?:broke|broken|split) up(?: with my (?:{any_of(_LOVERS)}))?(?=$|[,.]| (?:in|last|two|three|\d|a|and|after)\b).*$", "is single", KIN,
        {"I broke up with my boyfriend": "User is single"}, ("I broke up the chocolate", "I broke up with sugar"), US,
        ("is in a relationship", "is engaged", *(f"has a {one}" for one in _LOVERS), *(f"'s {one} {ANYTHING}" for one in _LOVERS))),
    Rule("died", r"(?:have )?(?:just )?(?P<x>died|passed away)(?P<y>(?: (?:yesterday|today|this|last|in|on|two|three|\d|a|an) .*)?)$", "died", KIN,
        {"My grandmother passed away last year": "User's grandmother died", "My dog Rex died": "User's dog Rex died"}, ("My phone died", "My dog died of laughter in the film"), "kin", (ANYTHING,)),
    Rule("died by name", r"(?P<x>(?!(?:he|she|it|they|we|who|that|this|everyone)\b)(?-i:[A-Z][a-z])[\w-]+) (?:has )?(?:just |sadly )?(?:died|passed away)(?P<y>(?: (?:yesterday|today|this|last|on|in)(?: (?:\d{4}|[\w]+day|\w+ \d+|\d+ \w+|morning|week|month|year|night|\w+))?)?)$", "", KIN,
        {"Rex died on Sunday": ""}, ("He died", "The phone died", "It just died", "Elvis died in a film"), CLAUSE,
        ("'s dog is named {x}", "'s cat is named {x}", "has a dog named {x}", "has a cat named {x}", "has a pet named {x}", *(f"'s {one} {{x}} {ANYTHING}" for one in ("dog", "cat", "pet")))),
    Rule("cancelled", rf"(?:the|my|our) (?P<k>{_CANCELLED})(?P<x>(?: (?:to|in|with) [\w' ]+?)?) (?:is|has been) (?:cancell?ed|called off|off)(?=$|[,.]).*$", "'s {k}{x} is cancelled", PLAN,
        {"The trip to Rome is cancelled": "User's trip to Rome is cancelled", "Our wedding has been called off": "User's wedding is cancelled"}, ("The show is cancelled", "My subscription was cancelled", "our flight was cancelled so I slept there"), "me clause", ("is flying{x}", "is travelling{x}", "is going{x}", "'s {k}{x} is planned")),
    Rule("another relative", r"(?P<x>(?-i:[A-Z])[\w'-]+) is (?:really |actually )?my (?P<k>[\w-]+), not my (?P<y>[\w-]+)", "'s {k} is named {x}", KIN,
        {"Ida is my cousin, not my sister": "User's cousin is named Ida"}, ("It is my turn, not yours",), CLAUSE, ("'s {y} is named {x}",)),
)  # fmt: skip
