"""Rules for occupation, employer and studies."""

from ingest.extractor.rules.rule import ALL, KINDRED, STUDY, WORK, Rule
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.trades import BUSINESSES, INDUSTRIES, WORKED_AT, WORKPLACES

_DEGREE = r"(?:ph\.?d\.?|doctorate|master'?s?|bachelor'?s?|msc|bsc|mba|ba|bs|ma|degree|apprenticeship|postdoc|residency)(?: degree)?"

_BUSINESS = (
    rf"(?P<x>(?!an? company that\b)(?:an?|my own|our own|two|my|our) (?:[\w'-]+ ){{0,2}}(?:{any_of(BUSINESSES)}))"
    r"(?=$|[,.]| (?:in|on|called|named|and|with|for|that|where|downtown|near|selling)\b).*$"
)

_LASTING = r"(?! (?:at|for|by)(?: (?!(?:since|as|starting|from|for|where|on|until|and|but)\b)[\w'&.-]+){1,5}? (?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week(?:end)?)|on \w+day)(?:$|,))"
_TASK = rf"(?:(?:an?|the|my|our) (?:[\w'-]+ ){{0,2}}(?-i:{any_of(WORKED_AT)})(?=$|[,.]| (?:by|in|on|with|of|about|for|to)\b)|christmas$|easter$)"
"""A time that passes, and what somebody works at: "at a cafe today", "at a report"."""

WORKING: tuple[Rule, ...] = (
    Rule("state of work", r"(?:am|went|have gone) (?P<x>freelance|freelancing|retired|semi-retired|unemployed|self-employed|self employed|between jobs|on "
        r"(?:maternity|paternity|parental|sick) leave)", "is {x}", WORK,
        {"I'm retired": "User is retired", "My dad is retired now": "User's dad is retired"}, ("I'm retired from this discussion?",), KINDRED),
    Rule("role", "am <role>", "is {role}", WORK,
        {"I'm a nurse": "User is a nurse", "I am a software engineer at Acme.": "User is a software engineer at Acme",
            "My wife is a teacher": "User's wife is a teacher", "I'm a writer and a potter": "User is a potter",
            "I'm a 30-year-old chef from Lyon": "User is a chef"},
        ("I'm a mess", "I'm a terrible cook", "I'm not a doctor", "I'm a tourist", "I'm a better writer than him",
            "I'm an aspiring actor", "I'm a slow drinker", "I'm sort of a planner", "I'm a consultant an data analyst here", "You're the boss and I'm the nanny", "I'm a friend of a nurse", "My colleague is a grant reviewer"), KINDRED),
    Rule("works as", "(?:work|am working|am employed|have been working|have worked(?=.* (?:for|since) )|freelance) as <bare_role>", "works as {bare_role}", WORK,
        {"I work as a cook": "User works as a cook", "im working as a barista": "User works as a barista"}, ("I work as fast as I can", "It works as a charm", "I work as a team"), KINDRED),
    Rule("works at", rf"(?:work|am working{_LASTING}|am employed|have worked(?=.* (?:for|since) ))(?: (?:part[- ]time|full[- ]time|nights|shifts|night shifts|remotely))? (?P<x>at(?! {_TASK})|for|by) <org>", "works {x} {org}", WORK,
        {"I work at Bosch": "User works at Bosch", "I work at a bakery in Kent": "User works at a bakery",
            "My husband works for the city": "User's husband works for the city"},
        ("I work at night", "I work for a living", "I work at my own pace", "I'm working at the weekend", "I'm working at a cafe today", "I'm working at my report",
            "I work for the weekend", "I left the office", "The fix works for me", "I work at a second job", "I work for a company that makes chairs"), KINDRED),
    Rule("works there today", r"am working at (?=[\w&-]+ (?:today|tonight|this)\b)<company> (?:today|tonight|this (?:morning|afternoon|evening|week))$", "works at {company}", WORK,
        {"I'm working at Siemens today": "User works at Siemens"}, ("I'm working at a cafe today", "I'm working at Mom's today", "I'm working at Central Library today", "I'm working at Oslo today"), KINDRED, certain=False),
    Rule("works in", rf"(?:work|am working|have worked(?=.* (?:for|since|my whole) ))(?: (?:part[- ]time|full[- ]time|nights|shifts))? in (?P<x>(?:the )?(?:{any_of(INDUSTRIES)})(?: industry| field| sector)?|an? (?:[\w-]+ ){{0,2}}(?:{any_of(WORKPLACES)})|the (?!same|other|whole)(?:[\w-]+ ){{1,3}}department)(?=$|[,.]| (?:at|in|and|as|for|now|my|since|but|so|near|downtown|with|where|of)\b).*$",
        "works in {x}", WORK,
        {"I work in advertising": "User works in advertising", "I work in a shoe shop": "User works in a shoe shop"}, ("I work in a good mood", "I work in the same department", "I work in sales tax mode", "I work in Excel", "I work in teams"), KINDRED),
    Rule("new employer", r"(?:(?:have )?(?:just )?(?:(?:joined|started at)(?= <at_work>)|(?:got|accepted|landed) a (?:new )?(?:job|position) (?:at|with)|"
        r"(?:got|was|have been) hired (?:at|by)|started working (?:at|for)|started a (?:new )?job at)) (?P<company>.+?)(?: at (?:the age of )?[1-6]\d)?$", "works at {company}", WORK,
        {"I just joined Stripe as a designer": "User works at Stripe", "I got hired at Spotify": "User works at Spotify"}, ("I joined Reddit as a moderator", "I joined LinkedIn to find a role", "I just joined Stripe"), KINDRED),
    Rule("joined", "(?:have )?(?:just )?(?:joined|started at) <joined>", "works at {joined}", WORK,
        {"I just joined Stripe": "User works at Stripe", "I started at Siemens on Monday": "User works at Siemens"}, ("I joined Spotify", "I joined Fiets, family plan", "I joined a gym", "I started at the beginning", "I joined the Chess Club", "I got a second job at Lidl", "I joined Anna"), KINDRED, certain=False),
    Rule("new job", r"(?:have )?(?:just )?started (?:a|my) (?:new )?job at <org>", "works at {org}", WORK,
        {"I started a new job at the harbour authority": "User works at the harbour authority"}, ("I started a job at noon", "I started a second job at Lidl"), KINDRED),
    Rule("teaches", "teach <field>", "teaches {field}", WORK,
        {"I teach chemistry at a secondary school": "User teaches chemistry at a secondary school"}, ("I teach my kids", "I teach him to swim", "I teach at night"), KINDRED),
    Rule("year of study", r"am in (?P<x>my (?:first|second|third|fourth|fifth|final|last|senior|junior|freshman|sophomore|\d\w\w) year (?:of|at) (?:[\w'-]+ ?){1,4}|(?:the )?\d+\w\w grade)(?=$|[,.]| and\b).*$", "is in {x}", STUDY,
        {"I'm in my second year of law school": "User is in their second year of law school"}, ("I'm in my second year of waiting for this, honestly, it is bad",), KINDRED),
    Rule("owns", rf"(?P<verb>own|run|manage|co-own) {_BUSINESS}", "{verb} {x}", WORK,
        {"I own a bakery": "User owns a bakery", "I run a small flower shop in Kent": "User runs a small flower shop"}, ("I own a car", "I own a company that sells candles", "I run a marathon", "I run a company errand"), ALL),
    Rule("majors", "(?:am majoring|major|majored) in <field>", "is majoring in {field}", STUDY,
        {"I'm majoring in biology": "User is majoring in biology"}, ("I'm majoring in the art of naps",), KINDRED),
    Rule("studies", "(?:study|am studying) <field>", "studies {field}", STUDY,
        {"I study law in Graz": "User studies law in Graz", "My son studies physics at MIT": "User's son studies physics at MIT"}, ("I study every night", "I'm studying for my exam", "I study hard", "I studied the report", "I study with friends", "I studied law in Graz"), KINDRED),
    Rule("degree", rf"(?:have|hold) (?P<x>an? {_DEGREE}) (?P<y>in|on) <field>", "has {x} {y} {field}", STUDY,
        {"I have a degree in history": "User has a degree in history"}, ("I have a degree in my pocket somewhere", "I'm getting a degree in history"), KINDRED),
    Rule("degree at", rf"am (?P<x>doing|pursuing|working on) (?P<y>(?:an?|my) {_DEGREE}) at <school>", "is {x} {y} at {school}", STUDY,
        {"I'm doing a PhD at MIT": "User is doing a PhD at MIT"}, ("I'm doing a degree at home",), KINDRED),
    Rule("goes to school", "(?:go to|attend|am enrolled at) <college>", "goes to {college}", STUDY,
        {"I attend the University of Graz": "User goes to the University of Graz"}, ("I go to school by bus", "I go to Paris", "I attend every meeting"), KINDRED),
    Rule("left school", r"(?:have )?(?:dropped out of|quit|left) (?P<x>(?:med|medical|law|grad|graduate|nursing|art|high) school|college|university|uni)\b(?! (?:in|at) \d)",
        "dropped out of {x}", STUDY,
        {"I dropped out of med school": "User dropped out of med school"}, ("I left school early today", "I dropped out of the call"), KINDRED,
        ("studies at {x}", "goes to {x}", "is in {x}")),
)  # fmt: skip
