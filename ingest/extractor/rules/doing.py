"""Rules for what somebody likes, has, does, did, wants and gave up."""

from ingest.extractor.lexicon import (
    MANY_PEOPLE,
    MANY_PETS,
    OFTEN,
    PEOPLE,
    PETS,
    RECURRING,
    THINGS,
)
from ingest.extractor.rules.rule import (
    EVENT,
    GOAL,
    HABIT,
    HEALTH,
    IDENTITY,
    PLACE,
    PLAN,
    POSSESSION,
    PREFERENCE,
    RELATION,
    SKILL,
    STATE,
    STUDY,
    WORK,
    Rule,
)


def _any(words: frozenset[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_COUNT = r"(?:no|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2}|several|some|many|a few|a couple of|a pair of|twin|lots of|other)"
_NAMED = r"(?: (?:named|called) (?P<rest>.+)|,? (?-i:[A-Z])\w+(?: and (?-i:[A-Z])\w+)?|,? .+)?"
_ADJ = r"(?:[\w'-]+ ){0,5}?"
_HAD = "have|own|have got|got"

LIKING: tuple[Rule, ...] = (
    Rule("is not", "am", r"am not (?P<x>married|religious|vegan|vegetarian|single|american|a native speaker(?: of .+)?|a (?:smoker|drinker|parent)|on (?:facebook|social media|instagram|twitter)|british|english|a citizen)", "{s} {is} not {x}", STATE),
    Rule("feels when", "hate love like dislike", r"(?P<verb>hate|love|like|dislike) (?:it )?when (?P<x>(?:people|others|someone|strangers|cyclists|drivers|my \w+|it (?:rains|snows|is (?:\w+)))\b(?!.*\byou).{0,60})", "{s} {v} when {x}", PREFERENCE),
    Rule("listens", "listen", r"listen to (?:a lot of |mostly |mainly |tons of |lots of )(?P<things>.+)", "{s} listens to {things}", PREFERENCE),
    Rule("avoids", "avoid", r"avoid (?P<things>(?!using\b|adding|any\b|the\b|a\b|an\b|making|doing|being).+)", "{s} avoids {things}", PREFERENCE),
    Rule("finds", "find", r"find (?P<thing>.+?) (?P<x>(?:really |very |so |deeply |quite |incredibly )*(?:irritating|relaxing|boring|overwhelming|annoying|soothing|stressful|fascinating|therapeutic|exhausting|calming|terrifying|disgusting|depressing|tedious|comforting|meditative|grounding|intimidating))(?: .+)?", "{s} finds {thing} {x}", PREFERENCE),
    Rule("digs", "dig", r"dig (?P<things>.+)", "{s} likes {things}", PREFERENCE),
    Rule("does without", "cannot could can", r"(?:cannot|can) (?P<x>live without|get enough of|do without|function without|start (?:my|the) day without) (?P<thing>.+)", "{s} cannot {x} {thing}", PREFERENCE),
    Rule("big on", "am", r"am (?P<x>(?:not |really )?(?:big|huge|sold|hot|bullish)) on (?P<things>.+)", "{s} {is} {x} on {things}", PREFERENCE),
    Rule("more of a", "am", r"am (?:(?:more of )?an? (?P<x>[\w-]+ (?:person|drinker|eater|lover|reader|gamer|skeptic))|more of an? (?P<y>(?:[\w-]+ ){1,3}(?:guy|gal|girl|person|fan)))(?: (?:than|not|rather) .+)?", "{s} {is} a {x}{y}", PREFERENCE),
    Rule("never liked", "never have", r"(?:have )?never (?:really )?(?:liked|enjoyed|loved|cared for|been into|been a fan of|been fond of) (?P<things>.+)", "{s} {does} not like {things}", PREFERENCE),
    Rule("owns no", "do", r"do not (?P<x>own|have|speak) (?P<thing>(?:an?|any) (?:\w+ )?(?:tv|television|car|bike|smartphone|dishwasher|oven|microwave|washing machine|dryer|freezer|garden|degree|licen[cs]e|driver's licen[cs]e|credit card|passport|balcony|yard|dog|cat|pets?|kids?|children|siblings?|brothers|sisters|english|french|spanish|german|italian|japanese|chinese))", "{s} {does} not {x} {thing}", STATE),
    Rule("prefers to", "prefer", r"(?:would )?prefer (?P<thing>(?!whichever|whatever|what|it\b|the one).+?) (?P<x>to|over|rather than|instead of|more than) (?P<rest>.+)", "{s} prefers {thing} over {rest}", PREFERENCE),
    Rule("would rather", "would", r"would (?P<x>rather|take|choose|pick) (?P<thing>.+?) (?P<y>than|over) (?P<rest>.+?)(?:,? any (?:day|time).*)?", "{s} would {x} {thing} {y} {rest}", PREFERENCE),
    Rule("likes more", "like love enjoy", r"(?P<verb>like|love|enjoy) (?P<thing>.+?) (?P<x>more|better) than (?P<rest>.+)", "{s} {v} {thing} {x} than {rest}", PREFERENCE),
    Rule("likes", "like love enjoy adore prefer dislike hate detest despise loathe appreciate", r"(?P<verb>like|love|enjoy|adore|prefer|dislike|hate|detest|despise|loathe) (?P<things>.+)", "{s} {v} {things}", PREFERENCE),
    Rule("dislikes", "do", r"do not (?P<x>like|enjoy|love|care for|do (?=mornings|well|drugs|spicy|caffeine|dairy|gluten)|want (?=kids|children|a family|to have (?:kids|children))|work (?=on|weekends|nights|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|eat|drink|smoke|do well with|tolerate|use|watch|believe in|trust|drive|celebrate|wear) (?P<things>.+)", "{s} {does} not {x} {things}", PREFERENCE),
    Rule("does not", "do", r"do not (?P<x>smoke|drink|drive|drink alcohol|swim|eat meat|have (?:kids|children|siblings|pets|a car|any (?:kids|children|siblings|pets)))", "{s} {does} not {x}", STATE),
    Rule("cannot stand", "cannot", r"cannot (?P<x>stand|bear|tolerate|abide|eat|drink|digest|handle(?= (?:spicy|heat|cold|caffeine|alcohol|loud|crowds|gluten|dairy))|do(?= (?:spicy|heights|dairy|gluten|mornings|crowds|caffeine|roller|seafood|needles|horror))|have) (?P<things>(?:(?!wait|help|figure|decide).)+)", "{s} cannot {x} {things}", PREFERENCE),
    Rule("cannot", "cannot can", r"(?P<x>cannot|can) (?P<y>swim|drive|cook|ride a bike|speak (?:[\w ]+)|whistle|juggle|play (?:the )?[\w ]+|ski|sing|dance|read music|ride a horse|knit|sew|surf)", "{s} {x} {y}", SKILL),
    Rule("never does", "never", r"never (?P<verb>eat|drink|smoke|drive|watch|wear|use|cook|read|learn|fly|take|answer)\b ?(?P<things>.+)?", "{s} never {v} {things}", STATE),
    Rule("never", "never have", r"(?:have )?never (?P<x>been to|visited|seen|tried|left|learned to|learnt to|flown|ridden|married|had (?:kids|children|a pet)) ?(?P<things>.+)?", "{s} {has} never {x} {things}", STATE),
    Rule("craze", "have", r"have (?:always )?(?:loved|liked|hated|enjoyed|adored) (?P<things>.+)", "{s} loves {things}", PREFERENCE),
)  # fmt: skip

_NO_HABIT = (
    r"(?:am|is|are|was|were|be|been|do|did|does|have|has|had|can|cannot|could|will|would|should|shall|may|might|must|need|"
    r"want|think|feel|know|hear|say|said|mean|hope|wish|guess|get|got|seem|look|love|like|hate|prefer|enjoy|ever|never|no|"
    r"not|went|took|made|saw|met|ran|came|gave|found|told|thought|felt|left|lost|won|sold|bought|spent|grew|drove|flew|"
    r"wrote|sang|swam|ate|drank|slept|kept|built|broke|began|brought|caught|taught|became|heard|held|paid|rode|"
    r"forget|remember|start|stop|try|used|ask|tell|promise|swear|bet|wonder|miss|owe|always|usually|just|all|both|only)\b"
)

HAVING: tuple[Rule, ...] = (
    Rule("has named", "have own got", rf"(?:{_HAD}) (?P<x>{_COUNT} {_ADJ}(?:{_any(PEOPLE | PETS | MANY_PEOPLE | MANY_PETS)})s?) (?:named|called|whose names? (?:is|are)) (?P<rest>.+)", "{s} {has} {x} named {rest}", RELATION),
    Rule("has, by name", "have own got", rf"(?:{_HAD}) (?P<x>{_COUNT} {_ADJ}(?:{_any(PEOPLE | PETS | MANY_PEOPLE | MANY_PETS)})s?)(?:,|:| -)? (?P<y>(?-i:[A-Z])[\w'-]+(?:, (?-i:[A-Z])[\w'-]+)*(?:,? and (?-i:[A-Z])[\w'-]+)?)", "{s} {has} {x} named {y}", RELATION),
    Rule("has relatives", "have got", rf"(?:have|have got|got) (?P<x>{_COUNT} (?!imaginary |boy who){_ADJ}(?:{_any(PEOPLE | MANY_PEOPLE)})(?: and {_COUNT} {_ADJ}(?:{_any(PEOPLE | MANY_PEOPLE | PETS | MANY_PETS)}))?)(?: (?:and|who|that|from|in|aged?|with|at|under|,)\b.*|,.*)?", "{s} {has} {x}", RELATION),
    Rule("has child and pet", "have", rf"have (?P<x>(?:{_any(MANY_PEOPLE)}))", "{s} {has} {x}", RELATION),
    Rule("has pets", "have own got", rf"(?:{_HAD}) (?P<x>{_COUNT} {_ADJ}(?:{_any(PETS | MANY_PETS)})s?(?: and {_COUNT} {_ADJ}(?:{_any(PETS | MANY_PETS | MANY_PEOPLE)}))?)(?: (?:and|who|that|from|at|,)\b.*|,.*)?", "{s} {has} {x}", POSSESSION),
    Rule("has things", "have own got drive ride", rf"(?P<verb>have|own|drive|ride) (?P<thing>{_COUNT} (?!problem|issue|question|\w+ in (?:overthinking|procrast|sarcasm|napp|meme|life|bullshit|being)){_ADJ}(?:{_any(THINGS)})\b.*)", "{s} {v} {thing}", POSSESSION),
    Rule("owns", "own collect", r"(?P<verb>own|collect) (?P<things>(?!up\b|that\b|it\b|this\b|(?:an? |\w+ )(?:time machine|moons?|yachts?|planets?|islands?|unicorns?|private jets?)|the (?:code|data|place\b|world|night|streets?|moment|stage|room|issue|problem)|my (?:mistakes|shit)).+)", "{s} {v} {things}", POSSESSION),
    Rule("has long had", "have", r"have had (?P<illness>.+?) (?P<x>since|for) (?P<rest>.+)", "{s} {has} had {illness} {x} {rest}", HEALTH),
    Rule("had illness", "had", r"had (?P<x>(?:(?:breast|lung|skin|colon|prostate|ovarian|thyroid|kidney) )?cancer|(?:an? )?(?:mild |bad |major |minor )?(?:stroke|heart attack|melanoma|brain tumou?r)|leukaemia|leukemia|polio|meningitis|tuberculosis|malaria|sepsis)(?P<tail>(?: .+)?)", "{s} had {x}{tail}", HEALTH),
    Rule("has illness", "have suffer", r"(?:have|suffer from|live with|struggle with|deal with|have got) (?P<illness>.+)", "{s} {has} {illness}", HEALTH),
    Rule("has appointment", "have got", r"(?:have|have got) (?P<x>(?:an?|my|the|our|two|some) [\w' -]{0,40}?(?:appointment|exam|exams|interview|flight|wedding|surgery|operation|deadline|recital|concert|marathon|race|trip|party|conference|presentation|reservation|date|test|competition|tournament|gig|show|game|match|reunion|graduation|vacation|holiday|checkup|check-up|ceremony|performance|exhibition|retreat|camping trip|road trip|hearing|scan|dentist|visit))\b ?(?P<plan>.+)", "{s} {has} {x} {plan}", PLAN),
    Rule("has experience", "have", r"have (?P<x>(?:over |more than |about |around |almost )?(?:\d+\+?|\w+) years(?: of|') (?:\w+ ){0,3}experience)(?P<tail>(?: (?:in|as|with|at) .+)?)", "{s} {has} {x}{tail}", WORK),
    Rule("has degree", "have hold got earned", r"(?P<verb>have|hold) (?!.* in (?:overthinking|procrast\w*|sarcasm|napp\w*|memes?|bullshit|life|stress\w*|eating|sleeping|laziness|being|worrying|complaining)\b)(?P<x>(?:an?|two|my) (?:[\w']+ )?(?:degree|ba|bs|b\.a\.|phd|ph\.d\.?|master'?s?|bachelor'?s?|mba|diploma|doctorate|certification|license|licence|bsc|msc|scholarship|black belt)(?: degree)?)(?P<tail>(?: (?:in|from|at|of|to) .+)?)", "{s} {v} {x}{tail}", STUDY),
    Rule("has own", "have", r"have (?:my|our) own (?P<rest>(?!way|opinion|reasons|problems|issues|style|ideas|version|copy|implementation).+)", "{s} {has} their own {rest}", POSSESSION),
    Rule("has trait", "have", r"have (?P<x>(?:an? )?(?:[\w-]+ )?(?:sweet tooth|soft spot for .+|thing for .+|green thumb|fear of .+|phobia of .+|passion for .+|weakness for .+|obsession with .+|(?:brown|blue|green|red|black|blond|blonde|curly|long|short|grey|gray|hazel|dark) (?:hair|eyes)))", "{s} {has} {x}", STATE),
)  # fmt: skip

LIVING: tuple[Rule, ...] = (
    Rule("lives", "live reside stay", r"(?P<verb>live|reside) (?:(?:out|over|up|down|back|just|right|somewhere) )?(?P<x>in|near|outside|by(?= the (?:sea|beach|ocean|river|lake|park|water|coast|canal))|at|around|on(?= (?:an?|the|my) (?!edge|fence|street|money)| (?-i:[A-Z]))|close to|next to|above|below|under|across|off|opposite|behind) (?P<place>.+)", "{s} {v} {x} {place}", PLACE),
    Rule("lives far from", "live", r"live (?P<x>(?:about |around |roughly )?(?:an?|\d+|half an|two|three|a few|ten|twenty) (?:\w+ )?(?:hours?|minutes?|mins?|miles?|km|blocks?)(?: \w+)?) (?P<y>from|outside|north of|south of|east of|west of|away from) (?P<rest>.+)", "{s} {lives} {x} {y} {rest}", PLACE),
    Rule("rents", "rent", r"rent (?P<rest>(?:an?|the|our|my) .+)", "{s} rents {rest}", PLACE),
    Rule("lives abroad", "live", r"live (?P<x>alone|abroad|on my own|by myself|overseas|together)(?:,? (?:with|in|and|at) .+)?", "{s} {lives} {x}", PLACE),
    Rule("lives with", "live", r"live (?P<x>with|next door to|across from|close to|far from) (?P<rest>(?!it\b|this\b|that\b|the (?:fact|consequences|guilt|pain|decision)|myself).+)", "{s} {lives} {x} {rest}", RELATION),
    Rule("has lived", "have", r"have (?:lived|been living) (?:here )?(?:in|near|at) (?P<place>.+?) (?P<x>for|since|all) (?P<rest>.+)", "{s} {has} lived in {place} {x} {rest}", PLACE),
    Rule("moved home", "moved relocated emigrated immigrated have", r"(?:have )?(?P<x>(?:moved|relocated|emigrated|immigrated)(?: back)?)(?: over| out| away| house| here)? (?P<y>to|from) (?P<where>(?!\w+ing\b|this\b|that\b|bed|another|next|full|the next|phase|step|version|python|using\b|mac\b|linux|windows).+)", "{s} {x} {y} {where}", PLACE),
    Rule("moved into", "moved have", r"(?:have )?moved (?P<x>into|in with|out of) (?P<rest>.+)", "{s} moved {x} {rest}", PLACE),
    Rule("grew up", "grew spent", r"grew up (?P<x>in|on|near|with|speaking|outside|around) (?P<rest>.+)", "{s} grew up {x} {rest}", PLACE),
    Rule("comes from", "come hail", r"(?:come|hail) from (?P<place>(?:an? |the )?(?:(?:small|big|large|tiny|little|family|long line) )*(?:town|village|city|farm|island|family|country|line|(?-i:[A-Z])).*)", "{s} {is} from {place}", PLACE),
    Rule("works as", "work freelance", r"(?:work|freelance|moonlight) (?P<x>(?:part[- ]time|full[- ]time|remotely|freelance) )?as (?P<job>.+)", "{s} {works} {x}as {job}", WORK),
    Rule("works at", "work", r"work (?P<x>(?:part[- ]time|full[- ]time|remotely) )?(?P<y>at|for|with|in|on|out of) (?P<org>(?!my \w+ (?:project|code|script)|a (?:project|script|function|file)|the (?:code|project|script)|progress|this\b|tandem|parallel).+)", "{s} {works} {x}{y} {org}", WORK),
    Rule("works from", "work", r"work (?P<x>(?:remotely|from home|freelance|part[- ]time|full[- ]time) )?(?P<y>from|out of|for|at|in|as) (?P<org>(?-i:[A-Z]).+)", "{s} {works} {x}{y} {org}", WORK),
    Rule("works remotely", "work", r"work (?P<x>remotely|from home|freelance|part[- ]time|full[- ]time|nights|shifts|weekends)(?P<tail> (?:for|at|in|as|from|on|with|\w+ days|most|every|half) .+)", "{s} {works} {x}{tail}", WORK),
    Rule("freelances", "freelance intern moonlight work", r"(?P<verb>freelance|intern|moonlight)(?P<tail>(?: (?:at|for|in|as) .+)?)", "{s} {v}{tail}", WORK),
    Rule("does at", "do", r"do (?P<x>it|it support|customer (?:support|service)|accounting|bookkeeping|consulting|graphic design|web design|construction|data entry|landscaping|research|payroll|marketing|freelance [\w ]+?|qa|tech support|hair|nails|improv|stand-up)(?P<tail> (?:for|at|in|on) .+)", "{s} {does} {x}{tail}", WORK),
    Rule("does for a living", "do make build sell write teach fix drive paint cook design repair clean", r"(?P<verb>do|make|build|sell|write|teach|fix|drive|paint|cook|design|repair|clean) (?P<thing>.+) (?:for a living|as a (?:side )?(?:job|hobby|side hustle)|professionally|on the side|for work)", "{s} {v} {thing} for a living", WORK),
    Rule("weighs", "weigh", r"weigh (?:about |around )?(?P<x>\d+(?:\.\d+)? ?(?:kg|kilos?|lbs?|pounds|stone))", "{s} weighs {x}", HEALTH),
    Rule("work times", "work", r"work (?P<x>from home|remotely|night shifts?|nights|night shift|part[- ]time|full[- ]time|shifts|weekends|\w+ (?:nights|days|shifts|hours|evenings|mornings) (?:a|per|each) (?:week|month|fortnight)|from \d.*|the night shift|two jobs|freelance|\d+ hours (?:a|per) week|(?:mon|tues|wednes|thurs|fri)days?.*)(?: (?:and|because|so) .+)?(?P<tail> (?:at|in|for|as|on) .+)?", "{s} {works} {x}{tail}", WORK),
    Rule("has worked always", "have", r"have (?:worked|been working) (?P<x>as|at|for|in) (?P<org>.+?),? (?:all my life|my (?:whole|entire) (?:life|career))", "{s} {has} worked {x} {org} all their life", WORK),
    Rule("has worked", "have", r"have (?:worked|been working|been) (?P<x>as|at|for|in) (?P<job>(?:an?|the) .+?) (?P<y>for|since) (?P<rest>.+)", "{s} {has} worked {x} {job} {y} {rest}", WORK),
    Rule("has worked at", "have", r"have (?:worked|been working|been) (?P<x>at|for|in|with) (?P<org>.+?) (?P<y>for|since) (?P<rest>.+)", "{s} {has} worked {x} {org} {y} {rest}", WORK),
    Rule("runs business", "run own manage lead teach coach", r"(?P<verb>run|own|manage|lead|coach|operate) (?P<x>(?:an?|the|my own|our own|two) (?!marathon|half|script|test|command|query|server|program|race|5k|10k|function|errand|mile|code|python|process|job)(?:[\w'-]+ ){0,4}(?:business|company|shop|store|restaurant|bakery|caf[eé]|farm|team|agency|studio|startup|blog|channel|podcast|school|gym|salon|bar|hotel|clinic|department|practice|club|charity|nonprofit|newsletter|firm|choir|band|workshop|daycare|nursery|preschool|truck|stand|kitchen|lab|household|hostel|campsite|vineyard|orchard|kennel|kindergarten|group|troop|b&b|bookshop|bookstore|gallery|market stall|stall))\b(?P<tail>(?: (?:in|of|at|for|on|by|that|called|with|near|from|outside|around) .+)?)", "{s} {v} {x}{tail}", WORK),
    Rule("does there", "write do design build develop test manage handle make sell cook bake edit translate analyze analyse maintain drive fly clean pack stock deliver", r"(?P<verb>[a-z]+) (?P<thing>(?!it\b|this\b|that\b)[^,]{2,40}?) (?P<x>at|for) (?P<org>(?:an?|the|our) (?:[\w-]+ ){0,4}(?:company|firm|startup|start-up|agency|hospital|school|bank|studio|factory|plant|university|office|museum|shop|store|restaurant|clinic|bakery|warehouse|lab|charity|nonprofit|newspaper|magazine|hotel|airline|brewery|library|council|ministry|hospice|practice)\b.*)", "{s} {v} {thing} {x} {org}", WORK),
    Rule("rents in", "rent", r"rent (?P<x>in|near|outside) (?P<place>.+)", "{s} rents {x} {place}", PLACE),
    Rule("teaches", "teach coach", r"(?P<verb>teach|coach) (?P<rest>(?!it\b|me\b|this\b|that\b|them\b|him\b|her\b|him\b).+)", "{s} {v} {rest}", WORK),
    Rule("studies", "study major attend", r"(?P<verb>study|major in|attend) (?P<rest>(?!this\b|that\b|it\b|the |my\b|for |to |hard|a lot|at night|every|and\b|with\b).+)", "{s} {v} {rest}", STUDY),
    Rule("goes to school", "go", r"go to (?P<x>(?:[\w.'-]+ ){0,4}(?:university|college|school|uni|academy|church|synagogue|mosque|temple))\b(?P<tail>(?: (?:in|at|of|near) .+)?)", "{s} {goes} to {x}{tail}", STUDY),
    Rule("studied", "studied graduated majored", r"(?P<x>studied|graduated|majored)(?P<tail> (?:in|from|at|with|(?!hard|all\b|late|for\b|a lot|it\b|this\b|that\b|the\b|my\b|your\b)\w+)\b.*)", "{s} {x}{tail}", STUDY),
    Rule("speaks", "speak", r"speak (?P<langs>.+)", "{s} {speaks} {langs}", IDENTITY),
    Rule("plays", "play", r"play (?P<things>(?!a (?:role|part\b|big|key|game of|video)|around|with\b|it\b|this\b|that\b|the (?:role|part\b|victim|video|song|file|game)|devil|dumb|along|catch|host|nice|fair|safe).+)", "{s} {plays} {things}", STATE),
    Rule("wears", "wear", r"wear (?P<x>(?:\w+ )?(?:glasses|hearing aids?|contacts|contact lenses|braces|an insulin pump|dentures|a hijab|a kippah|a turban|a prosthesis|size .+))", "{s} wears {x}", HEALTH),
    Rule("drives", "drive ride wear", r"(?P<verb>drive|ride|wear) (?P<x>(?:an?|my) (?!hard bargain|point).+)", "{s} {v} {x}", POSSESSION),
    Rule("takes medicine", "take", r"take (?P<x>(?:[\w-]+ )?(?:insulin|metformin|antidepressants|medication|medicine|statins|blood thinners|beta blockers|vitamins?(?: \w+)?|ibuprofen|lithium|prozac|zoloft|adderall|ritalin|birth control|pills|\w+(?:pril|olol|statin|azole|pine|xetine)))\b(?P<tail>(?: (?:for|every|daily|against|to|in|at|once|twice) ?.*)?)", "{s} {takes} {x}{tail}", HEALTH),
    Rule("takes for", "take", r"take (?P<x>(?:\d+ ?mg (?:of )?)?[a-z]{5,}) for (?P<y>(?:my )?(?:thyroid|heart|blood pressure|depression|anxiety|adhd|asthma|migraines?|epilepsy|diabetes|cholesterol|allergies|arthritis|bipolar|acid reflux|reflux|pain|back pain|insomnia|sleep|eczema|acne|rosacea|gout|hypertension|seizures))(?: .+)?", "{s} takes {x} for {y}", HEALTH),
    Rule("use", "use", r"use (?P<thing>(?:(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z\d])[\w.+#-]*){0,3}|an? (?:inhaler|epipen|insulin pump|screen reader|prosthesis|mac|pc|macbook|iphone|android|wheelchair|hearing aid|cpap|cane|kindle|standing desk|walker|cochlear implant)\b)(?: (?:at work|for (?:work|school|everything|most|coding|notes|my)\b.*|every day|daily|as (?:my|an?|the)\b.*|on my .*))?)", "{s} {uses} {thing}", STATE),
    Rule("habit", "run swim jog meditate wake get go walk cycle bike train practice practise cook bake read drink eat volunteer attend visit call work exercise journal pray play teach take do watch paint write dance sing ride hike study sleep meet do box play garden donate surf ski climb babysit skate knit fast commute see host travel help skip lift stretch row fish help shop make spend", rf"(?P<verb>[a-z]+) (?P<rest>(?:.*? )?(?:{RECURRING})\b.*)", "{s} {v} {rest}", HABIT),
    Rule("does regularly", "", rf"(?!{_NO_HABIT})(?P<verb>(?!own\b|[a-z]+ed\b)[a-z]+) (?P<rest>(?:(?:(?! and ).)*? )?(?:{OFTEN})(?: (?:at|in|with|for|to) .+)?)", "{s} {v} {rest}", HABIT),
    Rule("commutes", "cycle bike walk drive commute run take", r"(?P<verb>cycle|bike|walk|drive|commute|take (?:the|a) (?:bus|train|tram|ferry|subway|metro)) (?P<x>(?:to|from) (?:work|school|the office|campus|uni|university)|by (?:train|bus|bike|car|ferry|tram|subway))(?P<tail>.*)", "{s} {v} {x}{tail}", HABIT),
    Rule("does it", "smoke knit crochet juggle meditate journal vape dj garden bake sing surf ski paint", r"(?P<verb>smoke|knit|crochet|juggle|meditate|journal|vape|dj|surf|ski|paint|garden)(?: (?:and|as a hobby|for fun|on the side|to relax).*)?", "{s} {v}", HABIT),
    Rule("makes art", "write sing dance act perform compose draw", r"(?P<verb>write|sing|dance|act|perform|compose|draw) (?P<x>(?:poetry|poems|fiction|fanfiction|short stories|songs|music|novels|comics|children's books|plays|in (?:an?|the|my) (?:[\w-]+ )?(?:choir|band|chorus|troupe|company|theatre group|theater group|orchestra|musical|group)|salsa|tango|ballet|hip hop|portraits|opera|for (?:a|the) (?:[\w-]+ )?(?:magazine|newspaper|blog|tv show)))(?P<tail>.*)", "{s} {v} {x}{tail}", HABIT),
    Rule("codes", "code program develop", r"(?P<verb>code|program|develop|write code) (?:mostly |mainly |primarily )?in (?P<x>(?-i:[A-Z])[\w+#.]*(?:,? (?:and )?(?-i:[A-Z])[\w+#.]*)*|python|rust|go|java|c|kotlin|javascript|typescript|ruby|php)", "{s} {v} in {x}", SKILL),
    Rule("trade", "design translate edit illustrate photograph train groom produce supervise oversee paint sew bake make repair", r"(?P<verb>design|translate|edit|illustrate|photograph|train|groom|produce|supervise|oversee|repair) (?P<things>(?!a\b|an\b|the\b|my\b|this\b|that\b|it\b|these\b|those\b|your\b|some\b|one\b|for\b|and\b|to ).+)", "{s} {v} {things}", WORK),
    Rule("heads", "manage lead head supervise oversee direct", r"(?P<verb>manage|lead|head|supervise|oversee|direct) (?P<x>(?:an?|the) (?:[\w-]+ ){0,3}(?:team|group|department|crew|unit|division|office|lab))(?P<tail>.*)", "{s} {v} {x}{tail}", WORK),
    Rule("worked", "worked have", r"worked (?P<x>as|at|for|in) (?P<rest>(?:(?!this\b|that\b|it\b|the (?:code|script)|me\b|you\b|fine|well).)+ (?:for (?:\w+ )+years|until .+|from \d{4}.*|in \d{4}|before .+))", "{s} worked {x} {rest}", WORK),
    Rule("gets ill", "get", r"get (?P<x>(?:(?:bad|really bad|terrible|severe|frequent) )?(?:migraines|panic attacks|seasick|carsick|car sick|motion sick(?:ness)?|heartburn|cold sores|hay fever|vertigo|cluster headaches|nosebleeds|anxiety attacks|airsick))(?P<tail>.*)", "{s} gets {x}{tail}", HEALTH),
    Rule("volunteers", "volunteer babysit tutor mentor foster blog knit sew paint sculpt surf ski bake garden compete", r"(?P<verb>volunteer|tutor|mentor|foster|babysit) (?P<rest>(?:at|for|with|in|as|kids|children|students|dogs|cats)\b.*)", "{s} {v} {rest}", HABIT),
)  # fmt: skip

_DID = (
    "went (?!to (?:bed|sleep|work|class|lunch|dinner|the (?:bathroom|toilet|store|supermarket|grocery|mall|gym|shops?|bank|post office|pharmacy|office|next|docs|settings|page|website|terminal|office))|home|wrong|back to (?:bed|sleep)|for an? (?:\\w+ )?(?:walk|run|drive|swim|jog|ride|stroll|bike ride|coffee|drink|meal|bite)|shopping|out\\b|through (?:the|your\b)|with the|ahead|over\b|on to|off\b|down|from\b)|"
    "visited|attended|met (?!with (?:an? )?error|an? (?:guy|girl|man|woman|dog|person|stranger)\\b)|joined|signed up for|signed up to|ran (?!into\b|the (?!(?:[\\w-]+ ){0,2}(?:marathon|half|race|10k))|out\b|your\b|this\b|a (?:script|test|query|command)|it\b|some\b)|won|bought|purchased|adopted|travell?ed|flew|"
    "graduated|passed my|passed the (?:bar|exam|test)|published|launched|hosted|organi[sz]ed|volunteered|hiked|camped|lost (?!my (?:keys|phone|wallet|umbrella|glasses|bag|card|voice|mind|temper|way|train)|track|the (?:file|connection|game)|it\b)|"
    "painted|performed|celebrated|donated|planted|completed (?=my|a|the \\w+ (?:marathon|course|degree|race))|finished (?=my|reading|a|the (?:book|novel|marathon|race|course|puzzle|painting))|"
    "started (?!reading|watching|feeling|thinking|getting|to get|the (?:server|script|container)|seeing|with\b)|began|opened (?=a|my|our)|sold (?=my|our|the)|broke (?=my|his|her)|injured|had (?=(?:an? |my |our |the |another )?(?:\\w+ ){0,3}(?:surgery|baby|interview|appointment|party|wedding|picnic|reunion|operation|miscarriage|accident|race|show|exhibition|gig|concert|performance|barbecue|bbq|stroke|heart attack|date|recital|audition|celebration|vacation|holiday|dinner with|lunch with|trip|adventure|checkup|check-up))|"
    "got (?!home|up\b|an? (?:great |good |nice |cool |cute |parking |speeding )*(?:ticket|cold|snack|drink|haircut|coffee|pizza|pic|photo|picture|lot|chance|glimpse|hold|kick)|the\b|this\b|an? (?:error|message|email|question|notification|warning|weird|bit|problem|call|ticket|text)|stuck|it\b|back|confused|lost|some\b|to |into (?:a|an\b) (?:argument|fight)|your\b|out of|tired\b|sick of|bored|rid|over\b)|"
    "took (?=(?:my|our|the|a|an|some|part|up)\\b(?! (?:look|while|shower|nap|break|screenshot|long|bit|lot)))|went on|saw (?=(?-i:[A-Z])|a (?:show|concert|play|musical|movie)|the (?:doctor|dentist|northern)|my)|explored|climbed|swam|sailed|drove to|biked|cycled|competed|participated|presented (?=my|at)|spoke at|"
    "retired|became|turned|married|proposed|divorced|separated|moved|quit (?=my|the|a)|left my|left for|resigned|enrolled|applied (?=for|to)|auditioned|recorded|released|wrote (?=a (?:book|poem|song|novel|letter)|my)|read (?=(?-i:[A-Z\"'])|a book)|watched (?=(?-i:[A-Z\"'])(?!TV|T\\.V|YouTube|Netflix))|baked|cooked (?=dinner|for|a)|made (?=a (?:cake|quilt|table|vase|bowl|pot|sculpture|dress)|pottery|dinner|my|some (?:pottery|cookies|jewelry))|created (?=a (?:sculpture|painting|mural)|my)|built (?=a (?:house|shed|treehouse|table|desk|snowman|bookshelf|canoe|boat|birdhouse)|my)|"
    "signed (?=a contract|the lease|our|my)|interviewed (?=at|for|with)|checked out (?=the|a)|tried (?=(?:out )?(?:a |the )?(?:new )?(?:restaurant|pottery|yoga|surfing|recipe|skydiving|class|kayaking|rock|scuba|snowboarding|sushi))|fell|crashed|donated|caught up with|hung out with|reconnected|spent (?=the|a|time|last|my|our|three|two|four|five|\\d)|picked up|dropped out|converted|defended|handed in (?=my)|paid off (?=my)|earned|received (?=a|an|my|the)|reached (?=my|the)|rescued|fostered|gave (?=birth|a (?:talk|speech|presentation|lecture)|my)|lost my|buried|arrived in|landed (?=a|in|my)|returned from|came back from|came out|started|renovated|stayed (?=at|in|with)|roasted|surfed|skied"
)
_NOT_DONE = (
    "need(?:ed)?|wanted|liked|loved|hated|asked|used|called|texted|emailed|messaged|checked|noticed|looked|seemed|realised|realized|"
    "remembered|happened|talked|chatted|mentioned|updated|installed|added|changed|removed|deleted|fixed|downloaded|uploaded|pushed|"
    "merged|deployed|configured|walked|cleaned|missed|stopped|watched|figured|ended|turned|noted|posted|shared|commented|clicked|printed|"
    "typed|saved|tested|debugged|upgraded|restarted|rebooted|tweaked|wondered|enjoyed|laughed|cried|relaxed|napped|showered|rested|"
    "skipped|waited|dreamed|cancelled|canceled|returned|charged|complained|contacted|replied|answered|decided|promised|hoped|"
    "planned|intended|expected|agreed|thanked|helped|stayed|ordered|grabbed|dropped|parked|named|placed|received|submitted|paid|"
    "left the|left it|made (?:sure|it|up|the|a (?:mistake|change|request|call|decision|note|list|reservation|booking|payment|purchase))|"
    "gave (?:up|it|the|me|him|her)|held|married|scared|tired|bored|excited|worried|pleased|surprised|confused|interested|supposed|based|"
    "related|involved|stressed|exhausted|annoyed|amazed|thrilled|shocked|touched|moved by|determined|blessed|embarrassed|"
    "stuck|ruined|messed|screwed|failed|lied|yelled|shouted|stared|smiled|listened|followed|opened the|worked|tried|picked|"
    "searched|googled|scrolled|browsed|reported|requested|renewed|reinstalled|ran|got"
)
_NEVER = "tickets|it|this|that|them|these|those|your|you|the (?:code|script|command|error|function|file|app|server|docs|documentation|tutorial|steps|link|package|instructions|update|data)"

DID: tuple[Rule, ...] = (
    Rule("did, dated", "", rf"(?:have )?(?P<x>(?:{_DID}))\b ?(?!(?:{_NEVER})\b)(?P<past>.+)", "{s} {x} {past}", EVENT),
    Rule("got into", "got have", r"(?:have )?(?:got|gotten) (?P<x>(?:back )?into) (?P<things>(?!an?\b|the\b|trouble|it\b|that|this|bed|debt|my\b|your\b|our\b|things|details).+)", "{s} got {x} {things}", EVENT),
    Rule("long into", "have", r"have (?:always )?been (?P<x>into|fond of|crazy about|passionate about|obsessed with|interested in) (?P<thing>.+)", "{s} has been {x} {thing}", PREFERENCE),
    Rule("was an only child", "was", r"was (?P<x>an only child|the (?:oldest|eldest|youngest|middle) (?:child|of .+))", "{s} {was} {x}", RELATION),
    Rule("got tickets", "got bought have", r"(?:have )?(?P<x>got|bought) (?P<ahead>(?:(?:two|three|four|my|our|some|front-row) )?tickets (?:to|for) .+)", "{s} {x} {ahead}", PLAN),
    Rule("met them", "met", r"met my (?P<x>(?:now[- ]|future |ex-)?(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|best friend))(?P<tail>.*)", "{s} met {s}'s {x}{tail}", RELATION),
    Rule("has dated", "have", r"have been (?P<x>dating|seeing) (?P<rest>(?!this\b|that\b|it\b|a lot|some\b|the\b|red\b|things\b|your\b).+)", "{s} has been {x} {rest}", RELATION),
    Rule("changed course", "changed switched have", r"(?:have )?(?:changed|switched) my (?P<x>major|minor|career|diet|phone number|last name) (?:from .+? )?to (?P<rest>.+)", "{s}'s {x} is {rest}", STUDY),
    Rule("past liking", "loved liked hated enjoyed", r"(?P<x>loved|liked|hated|enjoyed) (?P<thing>(?-i:[A-Z]).+)", "{s} {x} {thing}", PREFERENCE),
    Rule("event of note", "went took attended visited finished completed joined have", r"(?:have )?(?P<x>(?:went to|attended|visited|took part in|participated in|took|joined|started) (?:an?|the|my first|another) (?:[\w+'-]+ ){0,4}?(?:workshop|conference|concert|festival|retreat|wedding|parade|convention|exhibition|support group|meetup|book club|reunion|funeral|pride|protest|course|seminar|bootcamp|marathon|competition|tournament|cruise|road trip|choir|band|team|gym)|(?:finished|completed|published|released) (?:my|our) (?:first |second |third |latest |new )?(?:[\w-]+ )?(?:book|novel|screenplay|album|painting|thesis|degree|song|script|poem|game))(?P<tail>.*)", "{s} {x}{tail}", EVENT),
    Rule("always drawn", "have", r"have (?:always )?(?:had|been) (?P<x>drawn to|fascinated by|interested in|passionate about|an? (?:love|passion|fear|fascination|obsession) (?:for|of|with)) (?P<things>.+)", "{s} has always been {x} {things}", PREFERENCE),
    Rule("always wanted", "have", r"have always (?:wanted|dreamed of|dreamt of) (?P<rest>(?:to (?!know|ask|say|try (?:this|that\b|it\b))|\w+ing ).+)", "{s} has always wanted {rest}", GOAL),
    Rule("died", "passed died have", r"(?:have )?(?P<x>passed away|passed|died)(?P<tail>.*)", "{s} {x}{tail}", RELATION),
    Rule("changed name", "changed have", r"(?:have )?changed my (?P<x>(?:first |last |legal )?name|pronouns) (?:from \w+ )?to (?P<name>.+)", "{s}'s {x} is {name}", IDENTITY),
    Rule("spent years", "spent have", r"(?:have )?spent (?P<x>(?:my|the|a|two|three|four|five|six|seven|eight|ten|\d+) (?:[\w-]+ )?(?:childhood|youth|years?|months|summers?|decade|career))(?P<tail> (?:in|at|on|as|teaching|working|living|traveling|travelling|abroad|with)\b.*)", "{s} spent {x}{tail}", EVENT),
    Rule("life event", "got adopted bought lost had became became graduated retired gave broke won finished completed started joined passed published converted enrolled sold signed had have separated married proposed quit launched opened founded started landed earned defended ran rescued called took cancelled became received beat climbed proposed", (
        r"(?:have )?(?P<x>called off (?:the|our|my) (?:wedding|engagement)|got the (?:job|grant|role|part|promotion|scholarship|contract|apartment|flat|house|keys|visa|position|internship|lead|all-clear)|got (?:married|engaged|divorced|promoted|fired|laid off|hired|accepted|pregnant|sober|a (?:new |second )?(?:job|dog|cat|puppy|kitten|promotion|raise|scholarship|tattoo|car|bike|house|apartment|degree)|my (?:license|licence|degree|diploma|citizenship|visa|green card|phd|driver's license)|into (?:[A-Z]\w+|college|university|med school|grad school|law school)|an? (?:new )?(?:internship|apartment|offer from)|back together|custody|covid)|"
        r"adopted (?:an?|two|three|our|my)|bought (?:an? (?:new |used |second-hand |vintage |bigger |small |old |electric )*(?:house|car|flat|apartment|boat|bike|guitar|piano|farm|home|condo|cottage|van|laptop|camera|horse|telescope|motorcycle)|our first|my first)|lost (?:my (?:job|dad|mom|mum|mother|father|husband|wife|brother|sister|grandmother|grandfather|grandma|grandpa|son|daughter|dog|cat|best friend|home|house)|\d+ (?:pounds|kg|kilos|lbs))|had (?:a (?:baby|miscarriage|stroke|heart attack|son|daughter)|twins|my (?:appendix|tonsils|wisdom teeth|gallbladder) (?:out|removed)|(?:\w+ )?surgery|an? (?:\w+ )?(?:operation|transplant|c-section))|"
        r"became (?:an? |the )?|graduated|retired|gave birth|broke (?:my (?:\w+ )?(?:leg|arm|wrist|ankle|foot|hand|nose|collarbone|hip|finger|toe|back)|up with)|won (?:an?|the|first|second|third|my|gold|silver|bronze)|(?:started|founded|opened|launched) (?:my|our) own|(?:finished|completed) (?:my|a) (?:[\w'-]+ )?(?:degree|phd|thesis|dissertation|masters?|master's|marathon|book|novel|training|residency|apprenticeship|course|certification|first)|"
        r"(?:started|began|launched|opened|founded|co-founded) (?:an?|my|our|my own|our own) (?:[\w-]+ ){0,3}?(?:job|business|company|podcast|blog|restaurant|shop|store|school|degree|phd|bakery|family|charity|channel|career|nonprofit|garden|band|startup|position|role|studio|support group|youth group|book club|diet|agency|gym|caf[eé])|"
        r"started (?:playing|learning|taking|painting|running|practi[sc]ing|volunteering|therapy|college|university|school|dating|working (?:at|as|for|out)|teaching|studying|swimming|dancing|doing yoga|seeing a therapist|seeing (?-i:[A-Z]))|joined (?:an?|the|my)|passed (?:my|the) (?:[\w']+ )?(?:exam|exams|test|bar|driving test)|published (?:a|my|an)|converted to|enrolled (?:in|at)|sold my (?:house|car|company|business|flat|apartment|first \w+)|signed up for|separated from|married (?=my|(?-i:[A-Z])|an?)|proposed to|landed (?:a|an|my) (?:\w+ )?(?:job|role|internship|gig|part)|earned (?:a|my|an)|defended my|ran (?:a|my first) (?:half[- ])?(?:marathon|ultra\w*|10k|5k)|rescued a)\b ?(?P<done>.+)?"
    ), "{s} {x} {done}", EVENT),
    Rule("has done since", "have", r"have been (?P<x>(?!work|try|look|deal|struggl|debug|think|wait|stuck|wonder|using\b|stuck|search|read(?:ing)? (?:about|up\b)|get|hav|see|ask|feel)[a-z]+ing) (?P<rest>.*?\b(?:(?:for|since) (?:over |about |almost |more than |nearly )?(?:(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+|many|several|the last|the past|a few|some|\w+) )?(?:\w+ )?(?:years?|decades?|months|childhood|i was \w+.*|(?:19|20)\d\d|last year|high school|college|birth|\d+)|all my life))", "{s} {has} been {x} {rest}", HABIT),
    Rule("together", "have", r"have been together (?P<x>for|since) (?P<rest>.+)", "{s} {has} been {together} {x} {rest}", RELATION),
    Rule("married for", "have am", r"(?:have been|am) married (?P<x>for |since )?(?P<rest>(?:\d+|\w+) years.*|(?:19|20)\d\d)", "{s} {has} been married {x}{rest}", RELATION),
    Rule("has been", "have", r"have been (?P<x>married|vegan|vegetarian|single|together|divorced|retired|sober|a (?:\w+ )?\w+|an \w+|in a relationship|with (?:my \w+|(?-i:[A-Z])\w+)|unemployed|clean|friends with .+?|diabetic)(?: to (?P<rest>.+?))? (?P<y>(?:for|since) (?:over |about |almost |more than |nearly )?(?!hours|minutes|days|a while|an hour|a (?:day|long)).+)", "{s} {has} been {x} {rest} {y}", STATE),
    Rule("has been to", "have", r"have been to (?P<place>.+)", "{s} {has} been to {place}", EVENT),
    Rule("has known", "have", r"have (?P<x>known|had) (?P<rest>my .+ (?:for|since) .+|(?-i:[A-Z])\w+ (?:for|since) .+)", "{s} {has} {x} {rest}", RELATION),
    Rule("has done", "have", r"have (?P<x>visited|lived in|run|climbed|written|published|completed|won|travell?ed to|worked at|worked as|moved|adopted|bought|started|joined|quit|finished|been accepted|been promoted|been diagnosed with|been hired|lost my|signed up for|enrolled|booked|applied|broken my|become|begun|opened|launched|taken up) (?P<rest>(?!it\b|this\b|that\b|your\b|the (?:code|docs|function|file|script)|to |a (?:function|script|test|query|program|class)|with |an? \w*(?:function|script|file)).+)", "{s} {has} {x} {rest}", EVENT),
    Rule("did something, dated", "", rf"(?:have )?(?P<x>(?!(?:{_NOT_DONE})\b)(?:[a-z]{{2,}}ed(?<!eed)|built|came to (?:visit|see|stay)|sang|flew|swam|drove|rode|taught|grew|won|lost|sold|gave|left|made|drew|sewed|chose|caught|dug|held)(?: (?:up|out|in|on|off|away|back|over|together|to|for|at|into|with))?) ?(?!(?:{_NEVER}|one|ones)\b)(?P<happened>(?:an?|my|our|the|some|his|her|their|two|three|four|five|ten|\d+|all|at|in|to|for|with|by|from|on|off|through|[a-z]+ (?:with|for|at) (?:my|our|the|an?)|(?-i:[A-Z])).+)", "{s} {x} {happened}", EVENT),
    Rule("took part", "participated took volunteered competed performed celebrated hosted organized organised travelled traveled went visited have", r"(?:have )?(?P<x>participated in|took part in|volunteered (?:at|with|for)|competed (?:in|at)|performed (?:in|at)|celebrated|hosted|organi[sz]ed|travell?ed to|visited(?= (?-i:[A-Z])\w+)|went on(?= (?:an?|my|our) (?:[\w-]+ ){0,3}(?:trip|cruise|retreat|vacation|road trip|roadtrip|tour|safari|pilgrimage|holiday|expedition|honeymoon) \w)) (?P<done>(?:an?|my|our|two|three|the (?:\w+ )?(?:marathon|parade|festival|race|tournament|competition|championships?)|(?-i:[A-Z])).+)", "{s} {x} {done}", EVENT),
    Rule("took them", "took have", r"(?:have )?took (?P<x>(?:my|our|the) (?:[\w-]+ )?(?:kids|children|grandkids|grandchildren|family|fam|boys|girls|twins|mom|mum|dad|mother|father|parents|sister|brother|wife|husband|son|daughter|nephews?|nieces?|dogs?|puppy|pups)) (?P<done>(?:to|on) .+)", "{s} took {x} {done}", EVENT),
    Rule("made a work", "wrote painted recorded composed published carved sculpted knitted sewed built restored have", r"(?:have )?(?P<x>wrote|written|painted|recorded|composed|published|carved|sculpted|knitted|sewed|built|restored) (?P<done>(?:an?|my|our|two|three) (?:[\w'-]+ ){0,3}(?:novel|book|memoir|poem|song|album|ep|screenplay|musical|children's book|mural|portrait|landscape|painting|sculpture|quilt|sweater|scarf|dress|shed|deck|treehouse|cabin|canoe|boat|greenhouse|bookshelf|table|car|motorcycle|piano)s?\b.*)", "{s} {x} {done}", EVENT),
    Rule("has been doing", "have", r"have been (?P<x>volunteering (?:at|with|for)|taking(?= .*\b(?:class|classes|lessons|course|courses)\b)|dating|training for|preparing for|studying(?! (?:real|really|so|it|this|that|hard|a lot|for (?:an?|the|my))\b)|learning(?= (?:to (?:play|speak|cook|drive|swim|sew|knit|paint|code|ski|surf)|the (?:piano|guitar|violin|cello|drums|ukulele)|(?-i:[A-Z])))|teaching|coaching|fostering|renovating|restoring|saving up for|seeing (?=a (?:therapist|counsell?or))) (?P<rest>(?!it\b|this\b|that\b|them\b|a lot|myself|themselves).+)", "{s} {has} been {x} {rest}", HABIT),
    Rule("has gone without", "have", r"have not (?P<x>eaten|had|smoked|drunk|touched|worked|driven|flown|danced|played) (?P<thing>.+?) (?P<done>since .+|for (?:[\w-]+ ){0,3}(?:years|months|weeks|decades))", "{s} {has} not {x} {thing} {done}", STATE),
    Rule("has long been", "have", r"have been (?P<role>an? .+?) (?P<x>(?:for|since) .+)", "{s} {has} been {role} {x}", WORK),
)  # fmt: skip

USUAL: tuple[Rule, ...] = (
    Rule("usually", "", r"(?P<x>usually|always|mostly|often|normally|typically|mainly|generally|only|primarily|rarely|seldom) (?P<verb>wake|get up|go|take|drink|eat|code|wear|order|carry|listen|shop|sleep|cook|walk|run|bike|cycle|work|read|write|play|watch|have|skip|travel|drive|buy|program|listen|train|swim|exercise|start|speak|sit|stay|pay|keep|paint|do|use|commute|ride|answer|bring|book|fly|bake|make)\b ?(?P<rest>(?!it\b|this\b|that\b|with (?:the|this\b)|a look).+)", "{s} {x} {v} {rest}", HABIT),
)  # fmt: skip

WANTING: tuple[Rule, ...] = (
    Rule("dreams", "dream", r"dream (?:of|about) (?P<ahead>\w+ing .+)", "{s} dreams of {ahead}", GOAL),
    Rule("plans", "plan intend hope aim", r"(?P<verb>plan|intend|hope|aim) (?P<x>to|on) (?P<ahead>(?:move|study|become|buy|learn(?! how)|visit|travel|go to|retire|quit|leave|open|marry|get married|adopt|apply|run (?:a|for|the)|write a (?:book|novel|memoir)|climb|hike|sail|attend|join|volunteer|sell my|renovate|train|compete|graduate|publish|cycle|drive|fly|moving|studying|buying|learning|visiting|travell?ing|retiring|quitting|opening|adopting|applying|take|finish|do a|have (?:kids|children|a)|see|become|start a|pursue|spend|host|celebrate|build a (?:house|cabin|boat))\b.*)", "{s} {v} {x} {ahead}", PLAN),
    Rule("plans for", "plan intend hope aim", r"(?P<verb>plan|intend|hope|aim) (?P<x>to|on) (?P<future>.+)", "{s} {v} {x} {future}", PLAN),
    Rule("wants to", "want", r"want to (?P<ahead>(?:become|be an? (?!million|billion|part\b|bit|good|better|kid|child|man)|move to|learn(?! how| more| about| to (?:use|code|write))|travel (?:to|around|the)|visit(?! (?:this|that\b|the (?:page|site)))|live in|retire|lose (?:weight|\d+)|run (?:a|the) (?:\w+ )?(?:marathon|half)|write a (?:book|novel|memoir)|buy a (?:house|home|flat|car|boat|farm|new)|open (?:a|my) (?:\w+ )?(?:restaurant|shop|caf[eé]|bakery|store|business|studio)|start (?:a|my own|my) (?:\w+ )?(?:studio|shop|restaurant|charity|farm|band|business|company|family|podcast|blog|career)|have (?:kids|children|a baby|a dog|a family)|get (?:married|a dog|a cat|a puppy|fit|in shape|pregnant|sober|my (?:degree|license|licence|phd))|adopt|study|go to (?:(?-i:[A-Z])|med|law|grad|college|university)|quit (?:smoking|my|drinking)|stop (?:smoking|drinking|eating)|change (?:careers|jobs)|climb|work (?:as|in|with (?:kids|animals|children|people))|pursue|see the (?:northern|world)|help (?:people|others|kids|children|animals)|give back)\b.*)", "{s} {wants} to {ahead}", GOAL),
    Rule("will", "will", r"will (?P<x>(?:be |probably )?(?!forget|let|try|check|get back|send|see|need|ask|do|call you|add|use|keep|look|take a look|give|tell|post|update|then)[a-z]+) (?P<future>.+)", "{s} will {x} {future}", PLAN),
    Rule("scheduled", "start begin fly leave move get graduate retire finish travel turn defend return arrive host meet have run depart fly go", r"(?P<verb>start|begin|fly|leave|move|graduate|retire|finish|travel|turn|defend|return|arrive|host|depart|go to|run (?=an?|the|my))\b ?(?P<plan>.+)", "{s} {v} {plan}", PLAN),
    Rule("makes", "sell brew grow restore breed knit make sculpt", r"(?P<verb>make and sell|sell|brew|grow|restore|breed|knit|sculpt|hand-make) (?P<things>(?!it\b|this\b|that\b|my\b|the\b|a\b|an\b|up\b|your\b|old and|out\b|tired\b|and\b|into\b).+)", "{s} {v} {things}", HABIT),
    Rule("booked", "booked have", r"(?:have )?booked (?P<ahead>(?:an?|the|our|my|two|tickets|flights)\b.+)", "{s} booked {ahead}", PLAN),
    Rule("decided", "decided have", r"(?:have )?decided to (?P<ahead>(?:quit|move|become|study|adopt|leave|retire|pursue|apply|go back|start (?:a|my)|change|sell|buy|get (?:married|divorced|a)|take (?:a|up)|join|learn|stop|stay|open|have|marry|give up|return|enroll|transfer)\b.*)", "{s} decided to {ahead}", PLAN),
)  # fmt: skip

ENDING: tuple[Rule, ...] = (
    Rule("no longer is", "am", r"am (?:no longer|not(?=.* any ?(?:more|longer))) (?P<x>(?:an? )?(?:single|married|vegan|vegetarian|engaged|pregnant|a student|unemployed|(?:allergic|intolerant) to .+?|a (?:smoker|vegan|vegetarian|freelancer|member of .+)))(?P<y> any ?more| any longer)?", "{s} {is} {x}", STATE, "archive"),
    Rule("no longer a", "am", r"am (?:no longer (?P<role>.+)|not (?P<job>an? .+?) any ?(?:more|longer))", "{s} {is} {role}{job}", WORK, "archive"),
    Rule("no longer doing", "am", r"am (?:no longer (?:dating|seeing|with)|not (?:dating|seeing|with)(?=.* any ?(?:more|longer))) (?P<over>.+?)(?: any ?more| any longer)?", "{s} {is} dating {over}", RELATION, "archive"),
    Rule("no longer working", "am", r"am (?:no longer|not(?=.* any ?(?:more|longer))) (?P<gerund>working|living|studying) (?P<y>at|for|in|as|with) (?P<over>.+?)(?: any ?more| any longer)?", "{s} {gerund_v} {y} {over}", WORK, "archive"),
    Rule("no longer into", "am", r"am (?:no longer|not(?=.* any ?(?:more|longer))) (?P<x>into|interested in|a fan of|fond of) (?P<over>.+?)(?: any ?more| any longer)?", "{s} likes {over}", PREFERENCE, "archive"),
    Rule("no longer", "no", r"no longer (?!get|see|find|hear|need|understand|know|care\b|remember|feel|think|recogni|able)(?P<verb>\w+)(?: (?P<over>.+))?", "{s} {v} {over}", STATE, "archive"),
    Rule("not any more", "do cannot", r"do not (?!get|see|find|hear|need|understand|know|care\b|remember|feel|think|recogni|want to be)(?P<verb>\w+)(?: (?P<over>.+?))? (?:any ?more|any longer)(?:, .*)?", "{s} {v} {over}", STATE, "archive"),
    Rule("used to be", "used", r"used to be (?P<x>(?:an? |the |in |from |into |married|vegan|vegetarian).*)", "{s} {is} {x}", STATE, "archive"),
    Rule("used to", "used", r"used to (?P<verb>\w+)(?: (?P<over>.+))?", "{s} {v} {over}", STATE, "archive"),
    Rule("quit job", "quit left lost resigned have was got", r"(?:have )?(?:quit|left|lost|resigned from) my (?:\w+ )?(?:job|position|role|work)(?: (?:at|with) (?P<employer>.+))?.*", "{s} works {employer}", WORK, "archive"),
    Rule("gave notice", "handed gave quit left resigned retired have", r"(?:have )?(?:handed in my (?:notice|resignation)|gave (?:my )?notice|(?:quit|left|resigned|retired)(?: from)?(?= the\b))(?: at| to| from)? (?P<employer>the (?:[\w'-]+ ){0,3}(?:firm|company|agency|bank|hospital|school|museum|office|factory|plant|restaurant|shop|store|studio|startup|library|hotel|bakery|clinic|post office|army|navy|police))\b.*", "{s} works {employer}", WORK, "archive"),
    Rule("stopped", "stopped quit have gave stop", r"(?:have )?(?:stopped|quit|gave up|given up) (?P<gerund>\w+ing)(?: (?P<over>.+))?", "{s} {gerund_v} {over}", STATE, "archive"),
    Rule("gave up food", "gave have quit cut", r"(?:have )?(?:gave up|given up|quit|cut out|stopped eating) (?P<thing>meat|dairy|sugar|gluten|carbs|chocolate|bread|sweets|fish|pork|red meat|fast food|junk food|wheat|eggs|cheese)\b.*", "{s} eats {thing}", PREFERENCE, "archive"),
    Rule("gave up drink", "gave have quit cut", r"(?:have )?(?:gave up|given up|quit|cut out) (?P<thing>alcohol|coffee|soda|caffeine|beer|wine|tea|cola|energy drinks)\b.*", "{s} drinks {thing}", PREFERENCE, "archive"),
    Rule("gave up tobacco", "gave have quit", r"(?:have )?(?:gave up|given up|quit) (?:cigarettes|tobacco|nicotine|vaping|smoking)\b.*", "{s} smokes", STATE, "archive"),
    Rule("gave up", "gave have", r"(?:have )?(?:gave up|given up|cut out) (?P<things>.+)", "{s} likes {things}", PREFERENCE, "archive"),
    Rule("left", "left have", r"(?:have )?left (?P<over>(?-i:[A-Z]).+)", "{s} works at {over}", WORK, "archive"),
    Rule("sold", "sold have", rf"(?:have )?(?:sold|got rid of|gave away|traded in) my (?P<over>(?:(?!first|last)[\w-]+ ){{0,2}}?(?:{_any(THINGS)}))(?: (?P<x>.+))?", "{s} has a {over}", POSSESSION, "archive"),
    Rule("broke up", "broke have split", r"(?:have )?(?:broke|broken|split) up(?: with (?P<over>.+))?", "{s} is in a relationship", RELATION, "archive"),
    Rule("divorced", "have", r"(?:have )?(?:got|gotten) divorced.*", "{s} is married", RELATION, "archive"),
    Rule("cancelled", "cancelled canceled unsubscribed have", r"(?:have )?(?:cancel+ed|unsubscribed from) (?:my )?(?P<over>(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?-i:[A-Z])\w+(?:[ +](?-i:[A-Z])\w+)?)(?: subscription| membership)?(?:, .+)?", "{s} has {over}", POSSESSION, "archive"),
    Rule("switched", "switched changed moved migrated have", r"(?:have )?(?:switched|changed|migrated|converted)(?: over)? from (?P<thing>.+?) to (?P<over>.+)", "{s} uses {thing}", STATE, "archive"),
    Rule("went off", "went", r"went off (?P<things>.+)", "{s} likes {things}", PREFERENCE, "archive"),
)  # fmt: skip

CHANGING: tuple[Rule, ...] = (
    Rule("switched to", "switched changed migrated have", r"(?:have )?(?:switched|migrated|converted|changed (?=from))(?: over)? ?(?:from (?P<x>.+?) )?to (?P<things>(?!dark|light|the |this\b|that\b|a (?:new|different) (?:file|tab|branch|model)|using ).+)", "{s} uses {things}", STATE),
)  # fmt: skip
