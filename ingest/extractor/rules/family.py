"""Rules for kin, partner and pets, and for the state of marriage."""

from ingest.extractor.rules.rule import KIN, KINDRED, ME, US, Rule

FAMILY: tuple[Rule, ...] = (
    Rule("named", "am (?:called |named )?<given_name>", "is named {given_name}", KIN,
        {"My husband is Tom": "User's husband is named Tom", "My sister's name is Ida.": "User's sister is named Ida",
            "our dog is called Rex": "User's dog is named Rex", "My sons are Tom and Max": "User's sons are named Tom and Max"},
        ("My husband is Irish", "My son is Happy", "My wife is tired", "My cat is in Berlin"), "kin"),
    Rule("has one by name", "(?:have|own|got|adopted|have adopted) (?:an?|one|our|my|another) (?:[a-z-]+ ){0,2}?<relative_named>", "'s {relative_named}", KIN,
        {"I have a dog named Rex": "User's dog is named Rex", "We have a son, Max": "User's son is named Max",
            "We adopted a black cat called Mia last week": "User's cat is named Mia"},
        ("I have a friend named Kim", "I have a dog named after him", "I have a book called Rex"), US),
    Rule("has kin", "(?:only )?(?:have|own) <household>", "has {household}", KIN,
        {"We have two kids": "User has two kids", "I have a sister and three cats.": "User has a sister and three cats",
            "I have a 5-year-old son": "User has a 5-year-old son", "I have a six-year-old dog": "User has a six-year-old dog", "I have no siblings": "User has no siblings",
            "I only have one sister": "User has one sister"},
        ("I have a question", "I have two brothers in mind for the story", "I have a cat allergy", "I have a dog bed", "I have kids' meals"), US),
    Rule("got a pet", "(?:have )?(?:just )?(?:got|adopted|rescued) <pet>", "has {pet}", KIN,
        {"We adopted a puppy": "User has a puppy", "I got a cat!!": "User has a cat"}, ("I got a dog toy", "I got a cat for my friend", "I adopted a new style"), US),
    Rule("married to", r"(?:am|got|have been|just got) (?P<x>married|engaged) to <given_name>", "is {x} to {given_name}", KIN,
        {"I'm married to Tom.": "User is married to Tom"}, ("I'm married to Chaos And Noise",), KINDRED),
    Rule("parent", r"am (?P<x>an? (?:(?:single|stay-at-home|working|proud|new|happy|busy) )*(?:mom|mum|mother|dad|father|parent|grandma|grandpa|grandmother|grandfather)(?: and (?:a )?(?:husband|wife|grandma|grandpa))?(?: (?:of|to) (?:one|two|three|four|five|six|seven|\d|twins|triplets)(?: (?:boys|girls|kids|children|sons|daughters|cats|dogs))?\b)?)(?! of)", "is {x}", KIN,
        {"I'm a single dad": "User is a single dad", "I am a proud dad and husband": "User is a proud dad and husband",
            "I'm a mom of three": "User is a mom of three"}, ("I'm a dad joke fan", "I'm a mother of dragons"), KINDRED),
    Rule("marital", r"(?:am|got|have been|just got) (?:happily |recently |newly )?(?P<x>married|single|divorced|engaged|widowed)"
        r"(?! (?:to (?:my (?:job|work|bed|couch|music|game|phone)|the|this|that|his|it|food|pizza)|in (?:a|this|the)|player|file|use|most|on|at))",
        "is {x}", KIN,
        {"I'm married": "User is married", "We got engaged!": "User is engaged", "I'm single.": "User is single",
            "I have been married for ten years": "User is married"},
        ("I'm married to my job", "I'm engaged in a debate", "I'm single player only"), "me we kin"),
    Rule("in a relationship", r"(?:am|have been) in a (?:serious |long-distance |happy |committed )?relationship(?: with <given_name>|(?=$|[,.]| (?:for|since|and|now|with)\b)).*$",
        "is in a relationship", KIN,
        {"I'm in a relationship": "User is in a relationship"}, ("I'm in a relationship with my couch?",), ME),
    Rule("relative by name", "(?P<x>(?-i:(?!I\\b)[A-Z])[\\w'-]+) (?:is|was) (?:my|our) <relative>", "'s {relative} is named {x}", KIN,
        {"Theo is my husband": "User's husband is named Theo", "Max is our dog.": "User's dog is named Max"}, ("Today is my daughter's party", "This is my dog", "She is my sister", "Paris is my dog's city"), "clause"),
)  # fmt: skip
