"""Rules for plans and events of one clause with an explicit date or place."""

from ingest.extractor.rules.rule import ALL, EVENT, KINDRED, PLAN, US, Rule
from ingest.extractor.words import events
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.trades import BUSINESSES

_APPOINTED = f"(?:{any_of(events.APPOINTMENTS)})"
_GOING = r"(?:going to (?:fly|travel|move|drive|sail)|planning to (?:fly|travel|move|drive)|flying|travell?ing|moving|relocating|emigrating)"
_MOVES = r"(?:(?=(?:(?:going|planning) to )?mov(?:e|ing) (?:back |out |home )?to <a_place>)|(?!(?:(?:going|planning) to )?mov(?:e|ing)\b))"
_RACE = r"(?:the|a|my first) (?:[\w'-]+ ){0,3}?(?:half|half-marathon|marathon|triathlon|ironman)"
_LIFE = rf"(?:{any_of(events.LIFE_AHEAD)}|graduat(?:e|ing) from (?:college|university|high school|[A-Z]\w+)|run(?:ning)? {_RACE}|tak(?:e|ing) (?:my|the) (?:[\w-]+ ){{0,2}}(?:test|exam|exams|finals|bar)|hav(?:e|ing) my (?:[\w-]+ ){{0,2}}(?:removed|replaced|out|wedding))"
_LIVED = (
    rf"(?:{any_of(events.LIFE_BEHIND)}|graduated from (?:\w+ ){{0,4}}?\w+|(?:ran|finished|completed|won) {_RACE}|"
    rf"adopted (?:a|our) (?:\w+ )?(?:{any_of(events.ADOPTED)})(?: from [A-Z]\w+)?|bought (?:an?|our|my|my first|our first) (?:{any_of(events.HOMES)})|"
    rf"(?:opened|founded|sold|closed|launched) (?:my|our|a) (?:own )?(?:[\w-]+ )?(?:{any_of(BUSINESSES)})|broke my (?:\w+ )?(?:{any_of(events.BROKEN)})|"
    r"had (?:(?:[\w-]+ ){0,2}surgery|my (?:[\w-]+ ){1,3}(?:out|removed|replaced))|became an? (?:\w+ )?citizen|"
    r"published my (?:[\w-]+ )?(?:book|novel)|(?:climbed|hiked|walked) (?-i:[A-Z])[\w ]+?)"
)

DATED: tuple[Rule, ...] = (
    Rule("travels then", rf"am (?!(?:moving|relocating)\b.*\bfor (?:the|a)\b){_MOVES}(?P<x>{_GOING}|going|heading|driving|off|returning|sailing|cycling) (?P<y>(?:back |out |home )?to) (?=(?:the|my|our)\b|(?-i:[A-Z]))<ahead>", "is {x} {y} {ahead}", PLAN,
        {"I am flying to Rome on 2026-12-24": "User is flying to Rome on 2026-12-24", "We're moving to Oslo in May": "User is moving to Oslo in 2026-05", "On 2026-12-24 I am flying to Rome": "User is flying to Rome on 2026-12-24", "On Friday I'm driving to Lyon": "User is driving to Lyon on 2026-05-08"}, ("I'm going to the gym tomorrow", "I'm going to bed", "I'm going to call him on Friday", "I'm going to Walmart on Friday", "I'm moving to Linux this weekend"), ALL),
    Rule("travels to", rf"am (?!(?:moving|relocating)\b.*\bfor (?:the|a)\b){_MOVES}(?P<x>{_GOING}|visiting|going to visit)(?P<y>(?: back)? to|) <trip>", "is {x}{y} {trip}", PLAN,
        {"I'm flying to Rome": "User is flying to Rome", "I'm visiting my sister in Lyon on Friday": "User is visiting their sister in Lyon on 2026-05-08"}, ("I'm moving to the next chapter", "I'm visiting a friend", "I'm thinking of moving closer to him", "I'm moving to option B"), US),
    Rule("life ahead", rf"(?:am (?P<x>(?:going to |planning to )?{_LIFE})) <coming>", "is {x} {coming}", PLAN,
        {"I'm getting married on 2026-06-20": "User is getting married on 2026-06-20", "I'm having surgery on June 3": "User is having surgery on 2026-06-03"}, ("I'm getting married", "I'm retiring someday", "I'm having a baby shower theme in May idea"), ALL),
    Rule("starts then", r"(?!(?:start|begin) (?:in|on|next|this|tomorrow)\b)(?P<verb>start|begin|retire|graduate)(?P<x>(?: (?:chemo|school|university|college|my (?:[\w-]+ ){0,2}(?:job|course|studies|"
        r"treatment|internship|training)|a new job|therapy|work(?: at [\w ]+)?))?) <coming>", "{verb}{x} {coming}", PLAN,
        {"I start chemo on April 7th": "User starts chemo on 2027-04-07", "I retire in 2031": "User retires in 2031"}, ("I start to think", "I start again tomorrow, maybe", "I start training for a new one tomorrow", "I start in June"), KINDRED),
    Rule("plans", rf"plan to (?P<x>{_LIFE}) <coming>", "plans to {x} {coming}", PLAN,
        {"I plan to retire in 2031": "User plans to retire in 2031"}, ("I plan to see", "I plan to retire someday"), ALL),
    Rule("appointed", rf"my (?P<k>(?:\w+ )?{_APPOINTED}(?: (?:to|in|with|at) (?:(?:the|my) )?[\w' ]{{2,40}}?)?) (?P<x>is|expires|starts|begins|ends|leaves|departs|arrives)"
        r"(?P<y>(?: (?:booked|scheduled|set|planned|due))?) <coming>", "'s {k} {x}{y} {coming}", PLAN,
        {"My flight is booked for August 20": "User's flight is booked on 2026-08-20", "my wedding is on June 20th": "User's wedding is on 2026-06-20", "My passport expires in March 2027": "User's passport expires in 2027-03"}, ("My flight is delayed", "My interview is going badly", "My exam is hard"), US),
    Rule("has an appointment", rf"have (?P<x>(?:an?|my|our|the) (?:[\w-]+ )?{_APPOINTED}(?: (?:to|in|with|at) [\w' ]{{2,40}}?)?) <coming>", "has {x} {coming}", PLAN,
        {"I have a job interview at Bosch on 18 May": "User has a job interview at Bosch on 2026-05-18"}, ("I have an exam", "I have a move in mind"), US),
    Rule("lived", rf"(?:have )?(?P<x>{_LIVED}) <ago>", "{x} {ago}", EVENT,
        {"I got married on 2 May 2020": "User got married on 2020-05-02", "I ran the Boston marathon in 2019": "User ran the Boston marathon in 2019", "My sister graduated in 2024": "User's sister graduated in 2024", "We bought a house last year": "User bought a house in 2025"}, ("I got married", "I finished my homework yesterday", "I bought a blender last week", "I won the argument yesterday"), ALL),
    Rule("visited", r"(?:have )?(?P<x>visited|went (?:back )?to|travell?ed (?:back )?to|flew (?:back )?to|was in) <visited>", "{x} {visited}", EVENT,
        {"I went to Japan in 2019": "User went to Japan in 2019", "We visited Crete in 2025": "User visited Crete in 2025"}, ("I went to Walmart in May", "I went to the store last week", "I went to Rome yesterday", "I was in trouble last year"), US),
)  # fmt: skip
