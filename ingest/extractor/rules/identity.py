"""Rules for name, age, birthday, home, origin, languages and contact."""

from ingest.extractor.rules.rule import ALL, CLAUSE, CONTACT, KINDRED, LANGUAGE, NAME, PLACE, Rule
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import ON_TOWNS
from ingest.extractor.words.trades import DWELLINGS

_LIVE = r"(?:live|reside|am (?:living|residing|based|located)|have (?:lived|been living)(?=.* (?:for|since) )|have been(?=.* (?:for .*years|since (?:19|20)\d\d)))"

IDENTITY: tuple[Rule, ...] = (
    Rule("name", "my (?:(?:full|first|real|given) )?name is <name>", "'s name is {name}", NAME,
        {"Hi, my name is Ana Ruiz": "User's name is Ana Ruiz", "my name is tom": "User's name is Tom"}, ("my name is Samoan", "my name is not important", "My name is on the list")),
    Rule("nickname", "(?:(?:please |you can |just )*call me|(?:my |all my )?(?:friends|people|everyone|everybody) "
        "(?:just |all |usually |mostly )?calls? me|go by) <nickname>", "goes by {nickname}", NAME,
        {"Call me Pete.": "User goes by Pete", "everyone calls me Sam": "User goes by Sam", "I go by MJ": "User goes by MJ"}, ("Call me tomorrow", "call me crazy", "People call me lazy", "call me when you land", "Call me da", "I go by train", "I go by the book"), "me clause"),
    Rule("speaking", "(?:this is|it is) <bare_name> (?:here|speaking|this side)$|<given_name> this side$", "'s name is {bare_name}{given_name}", NAME,
        {"This is Ravi speaking": "User's name is Ravi", "Prakash this side": "User's name is Prakash"}, ("This is great speaking", "It is there", "stay on this side"), CLAUSE),
    Rule("age", r"am (?:an? (?!\d+ today))?(?P<age>1[01]\d|1[3-9]|[2-9]\d|(?:8|9|1[0-2])(?=(?: today)?$))(?:[ -]years?[- ]old| years of age| ?[mf]\b)?(?: today(?! so))?(?=$|[,(]| (?:and|but|"
        r"so|from|now|here|with)\b).*$", "is {age} years old", NAME,
        {"I'm 34": "User is 34 years old", "34F here": "User is 34 years old", "im 25, male": "User is 25 years old", "I'm 46 today": "User is 46 years old"}, ("The sides are 6 m, 8 m and 10 m", "I'm 5 minutes away", "I'm 100% sure", "I'm 20 pages in", "I'm 20 minutes late today", "I'm 90 today words over", "I'm a 10 today", "I'm 20 today so sore")),
    Rule("age in years", r"am (?:an? (?=\d\d))?(?P<age>1?\d{1,2})[ -]years?[ -](?:old|of age)\b.*$", "is {age} years old", NAME,
        {"I am a 41-year-old nurse": "User is 41 years old", "My dog is 3 years old": "User's dog is 3 years old"}, ("I'm 3 years sober", "explain it, I am a 5 year old", "My car is 12 years old"), KINDRED),
    Rule("age of kin", r"am (?P<age>\d{1,2}(?:, \d{1,2})*,? and \d{1,2}(?=$| years old$)|\d{1,2}|10\d)(?: years old$)?(?: today)?(?=$|[,(]| (?:and|but|so|now)\b(?! \d)).*$", "is {age} years old", NAME,
        {"My son is 5": "User's son is 5 years old", "My daughter is 12 today": "User's daughter is 12 years old", "My kids are 3 and 6": "User's kids are 3 and 6 years old"}, ("My kids are 3 and 6 feet apart", "My son is 5th", "My brother is 6 feet tall"), "kin"),
    Rule("turned", r"(?:have )?(?:turned|hit(?= [2-9]0)) (?P<age>1[01]\d|[1-9]\d?)(?! (?:of|off|on)\b)", "is {age} years old", NAME,
        {"I just turned 40": "User is 40 years old", "My daughter just turned three": "User's daughter is 3 years old"}, ("I turned 20 pages", "It turned 5 o'clock"), KINDRED),
    Rule("birthday", "my birthday is (?:on |in )?<birthday>", "'s birthday is {birthday}", NAME,
        {"My birthday is 3 May": "User's birthday is May 3", "My sister's birthday is June 9th": "User's sister's birthday is June 9"}, ("My birthday is coming up", "My birthday is my favourite day", "My birthday is 5 days away"), KINDRED),
    Rule("anniversary", "my (?P<x>(?:wedding )?anniversary) is (?:on )?<birthday>", "'s {x} is {birthday}", NAME,
        {"Our anniversary is 14 June": "User's anniversary is June 14"}, ("Our anniversary is coming up",)),
    Rule("born on", "was born (?:on )?<birth_date>", "was born {birth_date}", NAME,
        {"I was born on 1988-03-02": "User was born on 1988-03-02", "I was born in 1990": "User was born in 1990"}, ("I was born to run", "I was born in the wrong century"), KINDRED),
    Rule("born in", r"was born (?P<x>(?:and raised )?in|(?:and raised )?near) <town>", "was born {x} {town}", PLACE,
        {"I was born in Rome": "User was born in Rome"}, ("I was born in a barn", "I was born in March"), KINDRED),
    Rule("home", rf"{_LIVE} (?P<x>(?:back |out |over |up )?(?:in|near|outside|just outside)|on(?= (?:[\w'.-]+ ){{0,3}}?(?:{any_of(ON_TOWNS)})\b)|(?:on|in|with) (?:an?|my|our) (?:[\w'-]+ ){{1,4}}?in) <place>", "lives {x} {place}", PLACE,
        {"I live in Berlin.": "User lives in Berlin", "i live in new york": "User lives in New York", "We live in Leeds, UK": "User lives in Leeds, UK", "Based in Oslo": "User lives in Oslo", "My sister Ida lives in Rome": "User's sister Ida lives in Rome", "I've lived in Tokyo for ten years": "User lives in Tokyo"}, ("I live in fear", "I live in Python", "The cost of living in Toronto is high", "I live in a shoebox", "I'm living in Rome for the summer", "I used to live in Rome", "I've lived in Rome and Paris"), ALL),
    Rule("kind of home", rf"{_LIVE} (?P<x>(?:on|in) (?:an?|the) (?:[\w-]+ ){{0,2}}(?:{any_of(DWELLINGS)}))(?=$|[,.]| (?:with|and|near|but|so|now|where)\b).*$", "lives {x}", PLACE,
        {"I live on a small dairy farm": "User lives on a small dairy farm"}, ("I live in the moment", "I'm living in the farm scene", "I'd live on a farm"), ALL),
    Rule("lived in", "lived in <town>", "used to live in {town}", PLACE,
        {"I lived in Ghent for two years": "User used to live in Ghent"}, ("I lived in fear", "When I lived in Ghent", "I lived in the nineties"), ALL),
    Rule("moved back then", r"(?:have )?moved (?:back |over )?to (?=<a_place>)<new_home> (?:when I was|as a|for (?:college|university)|"
        r"(?:back )?in (?:19\d\d|200\d|201\d)|(?:[1-9]\d|many|[3-9]|some|few) years ago|years ago).*$", "lives in {new_home}", PLACE,
        {"We moved to Graz when I was five": "User lives in Graz"}, ("I moved to the sofa when I was tired",), ALL, certain=False),
    Rule("moved from", "(?:have )?(?:just )?(?:moved|relocated) from (?=<route>)<town> (?:back |over )?to <new_home>", "lives in {new_home}", PLACE,
        {"I moved from Boise to Oslo two weeks ago": "User lives in Oslo"}, ("I moved from tea to coffee", "I moved from A to B for the weekend", "We moved from Slack to Teams"), ALL,
        ("lives in {town}",)),
    Rule("moved", "(?:(?:have )?(?:just )?moved|have relocated|relocated) (?:back |over |out |down |up )?to (?=<a_place>)<new_home>", "lives in {new_home}", PLACE,
        {"I moved to Madrid last month": "User lives in Madrid", "Just moved to Oslo!": "User lives in Oslo", "My brother moved to Rome": "User's brother lives in Rome"}, ("I moved to the new folder", "I moved to Berlin for the weekend", "I moved to Plan B", "I moved to accept", "I moved to Svelte", "We just moved to Helm 3"), ALL),
    Rule("from", "(?:am|come|hail) from <place>", "is from {place}", PLACE,
        {"I'm from Brazil": "User is from Brazil", "I'm from Los Angeles, born and raised": "User is from Los Angeles"}, ("I'm from the billing department", "I come from work", "I'm from the future"), ALL),
    Rule("grew up", "(?:grew up|was raised) (?P<x>(?:on a [a-z]+ )?(?:in|near)) <town>", "grew up {x} {town}", PLACE,
        {"I grew up in Graz": "User grew up in Graz"}, ("I grew up in poverty", "I grew up in the 90s"), ALL),
    Rule("nation", "am <nation>", "is {nation}", NAME,
        {"I'm Brazilian": "User is Brazilian", "I'm half Irish, half Greek": "User is half Irish, half Greek"}, ("I'm German Shepherd mom", "I'm polish my shoes"), KINDRED),
    Rule("speaks", "(?:speak|can speak|am (?:fluent|bilingual) in)(?: \\w+ languages:?)? <langs>", "speaks {langs}", LANGUAGE,
        {"I speak German and Thai": "User speaks German and Thai", "I speak a bit of french": "User speaks a bit of French"}, ("I speak from experience", "I'm fluent in sarcasm", "I speak to my mother daily"), KINDRED),
    Rule("does not speak", "do not speak <langs>", "does not speak {langs}", LANGUAGE,
        {"I don't speak French": "User does not speak French"}, ("I don't speak to him", "We don't speak anymore"), KINDRED),
    Rule("mother tongue", r"my (?:native language|mother tongue|first language|native tongue) is <langs>",
        "'s native language is {langs}", LANGUAGE,
        {"My native language is Urdu": "User's native language is Urdu"}, ("My first language is code",), KINDRED),
    Rule("e-mail", r"my (?:\w+ )?e-?mail(?: address)? is (?P<contact>[\w.+-]+@[\w-]+\.[\w.-]*\w)", "'s e-mail is {contact}", CONTACT,
        {"My email is ana@example.org": "User's e-mail is ana@example.org"}, ("My email is full", "my email is down")),
    Rule("reached at", r"(?:(?:you|they|people) can )?(?:reach|e-?mail|contact|write to|write) me (?:at|on|under|via) (?P<contact>[\w.+-]+@[\w-]+\.[\w.-]*\w).*$", "'s e-mail is {contact}", CONTACT,
        {"You can reach me at ana@example.org": "User's e-mail is ana@example.org"}, ("Email me at noon", "write me at once"), CLAUSE),
    Rule("phone", r"my (?:\w+ )?(?:phone|mobile|cell)?(?: number)? is (?P<contact>\+?\d[\d ()/.-]{5,18}\d)(?=$|[,.;]| (?:but|and|if|so)\b).*$", "'s phone number is {contact}", CONTACT,
        {"My phone number is +49 30 901820": "User's phone number is +49 30 901820"}, ("My phone is 3 years old", "My phone number is private")),
    Rule("bare name", "am <bare_name>", "'s name is {bare_name}", NAME,
        {"Hi, I'm Sam": "User's name is Sam", "im alex": "User's name is Alex", "I'm Karen Huang.": "User's name is Karen Huang"}, ("I'm Done", "I'm Irish", "I'm tired", "I'm Team Edward", "I'm in Berlin", "I'm Over It", "Which one? I am Scout", "Nice! I'm Computer Science")),
)  # fmt: skip
