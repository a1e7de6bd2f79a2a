"""Rules for diet, allergies and conditions."""

from ingest.extractor.rules.rule import ALL, HEALTH, KINDRED, Rule
from ingest.extractor.words.events import ANIMALS
from ingest.extractor.words.lexicon import DIETS, HEALTH_STATES
from ingest.extractor.words.patterns import any_of

HEALTHY: tuple[Rule, ...] = (
    Rule("allergic", r"am (?P<x>allergic|intolerant|hypersensitive) to <avoided>", "is {x} to {avoided}", HEALTH,
        {"I'm allergic to peanuts": "User is allergic to peanuts", "Allergic to cats and dust": "User is allergic to cats and dust", "My daughter is allergic to eggs": "User's daughter is allergic to eggs"}, ("I'm allergic to Mondays", "I'm allergic to people who whine", "Are you allergic to cats?", "I'm not allergic to cats"), ALL),
    Rule("has an allergy", r"have (?P<x>an? (?:severe |bad |mild |serious )?(?:allergy|intolerance)) to <avoided>", "has {x} to {avoided}", HEALTH,
        {"I have a severe allergy to nuts": "User has a severe allergy to nuts"}, ("I have an allergy to work",), KINDRED),
    Rule("diet", rf"am (?P<x>{any_of(DIETS)})(?=$|[,.;(]| \(| (?:and|but|so|for|since|now|because|with|again)\b).*$", "is {x}", HEALTH,
        {"I'm vegan": "User is vegan", "I am a vegetarian.": "User is a vegetarian", "My wife is vegan": "User's wife is vegan"}, ("I'm vegan curious", "My soup is vegan", "I'm not vegan"), ALL),
    Rule("no diet", rf"am not (?P<x>{any_of(DIETS)})(?=$|[,.;(]| (?:and|but|so|any ?more|now)\b).*$", "is not {x}", HEALTH,
        {"I'm not vegan": "User is not vegan", "no I'm not a vegetarian, I told you": "User is not a vegetarian"}, ("I'm not vegan curious", "I'm not vegan enough"), ALL, ("is {x}",)),
    Rule("eats", rf"(?:eat|am eating|have started eating|started eating|went back to eating|started to eat) (?P<x>{any_of(ANIMALS)})$", "eats {x}", HEALTH,
        {"I eat meat again": "User eats meat", "I started eating fish again": "User eats fish"}, ("I eat meat once a year", "I eat meatballs", "I don't eat meat"), ALL,
        (*(f"is {one}" for one in sorted(DIETS) if one.rpartition(" ")[2] in ("vegan", "vegetarian")), "does not eat {x}", "no longer eats {x}")),
    Rule("keeps a diet", r"(?:keep|eat|follow|am on) (?P<x>kosher|halal|strictly kosher|(?:an? )(?:vegan|vegetarian|keto|low[- ]carb|gluten-free|paleo|"
        r"halal|kosher|plant-based|mediterranean|diabetic) diet)", "keeps {x}", HEALTH,
        {"I keep kosher": "User keeps kosher", "I'm on a gluten-free diet": "User keeps a gluten-free diet"}, ("I keep a diary", "I eat everything"), ALL),
    Rule("does not eat", r"(?:do not|never|cannot(?= eat)) (?:\w+ )?(?P<x>eat|drink|smoke)(?: <avoided>|(?=$|[,.]| (?:and|but|at all)\b)).*$", "does not {x} {avoided}", HEALTH,
        {"I don't eat meat": "User does not eat meat", "I never drink alcohol": "User does not drink alcohol", "I don't smoke": "User does not smoke", "my son doesn't eat fish or eggs": "User's son does not eat fish or eggs"}, ("Don't eat late at night", "I don't eat much", "I don't drink that", "I never eat at home", "I can't eat anything today"), ALL),
    Rule("condition", r"(?!.*\bin (?:my|our|the) family\b)(?:have had(?=.* since )|have|suffer from|have suffered from|live with|am living with|(?:was|have been) diagnosed with) <illness>", "has {illness}", HEALTH,
        {"I have asthma": "User has asthma", "I was diagnosed with ADHD last year": "User has ADHD", "My mother has type 2 diabetes": "User's mother has type 2 diabetes"}, ("I have a headache", "I have anxiety about the exam?", "I have a cold", "I live with Anna"), ALL),
    Rule("has not", "(?:do not|am told I do not) (?:actually |really )?have <illness>", "does not have {illness}", HEALTH,
        {"I don't have asthma": "User does not have asthma"}, ("I don't have time", "I don't have a headache"), KINDRED, ("has {illness}",)),
    Rule("state of health", rf"am (?P<x>{any_of(HEALTH_STATES)}|\d+ (?:weeks|months) pregnant|pregnant with twins|expecting (?:twins|an? (?:baby|boy|girl|child)|our (?:first|second|third)(?: child| baby)?))(?=$|[,.;(]| \(| (?:and|but|so|for|since|now|because|in|this|soon|with(?= (?:my|our)))\b).*$", "is {x}", HEALTH,
        {"I'm diabetic": "User is diabetic", "I am 12 weeks pregnant": "User is 12 weeks pregnant", "My dog is deaf": "User's dog is deaf", "My wife is expecting twins": "User's wife is expecting twins", "We're expecting twins in two months": "User is expecting twins"}, ("I'm expecting a parcel", "I'm blind to his charm", "I'm pregnant with ideas", "I'm not pregnant"), ALL),
    Rule("not allergic", r"am not (?P<x>allergic|intolerant) to <avoided>", "is not {x} to {avoided}", HEALTH,
        {"I'm not allergic to cats": "User is not allergic to cats"}, ("I'm not allergic to work",), KINDRED, ("is {x} to {avoided}",)),
    Rule("my allergy", r"(?:.* )?my (?!(?:food|bad|severe|mild|terrible|seasonal|skin|weird|awful|new|main|only|worst|spring|summer|own|old|stupid)\b)(?P<avoided>[a-z]+) allergy(?! (?:shots?|test|pills?|med\w*|season|doctor))\b.*$", "has an allergy to {avoided}", HEALTH,
        {"I skip dessert because of my walnut allergy": "User has an allergy to walnut"}, ("my bad allergy is back", "my allergy is back", "If my egg allergy returns"), "me we clause"),
)  # fmt: skip
