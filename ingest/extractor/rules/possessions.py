"""Rules for "my ...": attributes that have a value, favourites, and what people call somebody."""

from ingest.extractor.rules.rule import (
    GOAL,
    IDENTITY,
    PLAN,
    POSSESSION,
    PREFERENCE,
    RELATION,
    STATE,
    WORK,
    Rule,
)

WHOLE: tuple[Rule, ...] = (
    Rule("name", "my name the", r"(?:my |the )?(?:(?:first|full|real|given|actual|legal) )?name is (?:actually |in fact |still |now )?(?P<name>.+)", "{s}'s name is {name}", IDENTITY),
    Rule("other names", "my", r"my (?P<x>last|middle|family|maiden|sur) ?name is (?P<name>.+)", "{s}'s {x} name is {name}", IDENTITY),
    Rule("nickname", "my", r"my nickname is (?P<name>.+)", "{s}'s nickname is {name}", IDENTITY),
    Rule("called", "call you just please everyone everybody people friends most my they all", r"(?:(?:you can|you may|just|please|everyone|everybody|people|my (?:friends|family|mates|colleagues)|friends|most people|they all|they) )*(?:just )?calls? me (?P<name>(?!when|if|back|later|at|tomorrow|crazy|old|out|on|a\b|an\b|the\b|whatever|what|today|tonight|lazy|stupid|names|by).+)", "{s} goes by {name}", IDENTITY),
    Rule("goes by", "i", r"i (?:usually |mostly )?go by (?:the name (?:of )?)?(?P<name>.+)", "{s} goes by {name}", IDENTITY),
    Rule("here", "", r"(?P<first>(?-i:[A-Z])\w+) here", "{s}'s name is {first}", IDENTITY),
    Rule("pronouns", "my i", r"(?:my pronouns are|i use|i go by) (?P<x>\w+/\w+(?:/\w+)?)(?: pronouns)?", "{s}'s pronouns are {x}", IDENTITY),
    Rule("pronouns in words", "i my", r"i use (?P<x>they|she|he|xe|ze|any) pronouns", "{s}'s pronouns are {x}", IDENTITY),
    Rule("birthday", "my", r"my (?:birthday|birth date|date of birth|dob) is (?:on |in )?(?P<birthday>.+)", "{s}'s birthday is {birthday}", IDENTITY),
    Rule("birthday today", "it today", r"(?:it is|today is|tomorrow is|it was) my birthday ?(?P<birthday_now>.*)", "{s}'s birthday is {birthday_now}", IDENTITY),
    Rule("favourite", "my", r"my (?:all-time |all time |absolute |current |new |personal |other )*favou?rites? (?P<kind>[\w' -]{2,40}?) (?:is|are|has always been|would be|have always been)(?: probably| definitely| still| now| currently| the| always)* (?P<thing>.+)", "{s}'s favourite {kind} {number} {thing}", PREFERENCE),
    Rule("favourites", "my", r"my (?:all-time |absolute |personal )?favou?rites? (?:is|are) (?P<things>.+)", "{s} loves {things}", PREFERENCE),
    Rule("is favourite", "", r"(?P<thing>(?!this|that|it|which|what|these|those|yours|one)[\w' &.-]{2,50}) (?:is|are) (?:definitely |still |by far )*my (?:all-time |all time |absolute |current )*favou?rite(?: (?P<kind>[\w' -]{2,40}))?", "{s}'s favourite {kind} is {thing}", PREFERENCE),
    Rule("favoured", "my", r"my go-to (?P<kind>[\w' -]{2,40}?) (?:is|are) (?P<thing>.+)", "{s}'s go-to {kind} is {thing}", PREFERENCE),
    Rule("origin", "my", r"my (?P<x>nationality|ethnicity|heritage|ancestry|citizenship|religion|faith|native language|mother tongue|first language|second language|hometown|home town|home city|time ?zone|star sign|zodiac sign|blood type|shoe size|dress size|ring size|height|weight|eye colou?r|hair colou?r|gender|job title|major|minor|degree|alma mater|middle initial|dietary (?:restriction|preference)s?|sexuality|locale|country|city|home address|address|postal code|zip code|phone number|phone|number|mobile|mobile number|cell|e-?mail|email address|username|handle|github (?:handle|username)|instagram|twitter|website|blog|budget|salary|dream|dream (?:job|car|house|vacation|holiday|destination)|goal|biggest (?:fear|dream|goal|regret|weakness|strength|pet peeve)|life goal|long-term goal|ambition|passion|hobby|hobbies|interests|main hobby|specialty|speciality|guilty pleasure|pet peeve|weakness|comfort (?:food|movie|show)|first (?:car|job|pet|concert|love|language)|lucky number|spirit animal|editor|preferred \w+(?: \w+)?|working hours|work schedule|schedule|commute|notice period|gluten intolerance|allergies|condition|diagnosis|wifi password|anniversary|wedding anniversary|wedding date|due date|current (?:job|role|city|project)|side project|side hustle|main (?:language|instrument)|instrument|license plate|operating system|os|distro|favourite)(?: now| currently)? (?:is|are|=|has always been) (?P<attribute>.+)", "{s}'s {x} {number} {attribute}", IDENTITY),
    Rule("somebody is mine", "", r"(?P<y>(?-i:(?!I\b)[A-Z])[\w'-]+(?: and (?-i:[A-Z])[\w'-]+)?) (?:is|are) my (?P<x>(?:(?:older|younger|big|little|twin|best|oldest|step|half|late|new) )?(?:wife|husband|partner|girlfriend|boyfriend|sister|brother|son|daughter|mother|father|mom|mum|dad|dog|cat|boss|manager|best friend|friend|roommate|flatmate|cousin|niece|nephew|aunt|uncle|fiancée?|kids|children|sons|daughters|cats|dogs|parents|therapist|colleague|coworker))", "{s}'s {x} is named {y}", RELATION),
    Rule("nothing beats", "nothing", r"nothing (?:beats|is better than|like) (?P<thing>.+)", "{s} loves {thing}", PREFERENCE),
    Rule("job", "my", r"my (?:day |current |new |main )?(?P<x>job|profession|occupation|work|career|trade) is (?:in |as |to be |being )*(?P<job>.+)", "{s}'s job is {job}", WORK),
    Rule("employer", "my", r"my (?:current |new )?(?P<x>employer|company|school|university|college|boss|manager|team) is (?P<org>(?:called |named )?(?-i:[A-Z]).+)", "{s}'s {x} is {org}", WORK),
    Rule("thing that is", "my", r"my (?P<x>(?:old |new |first |second )?(?:car|bike|motorcycle|phone|laptop|computer|guitar|camera|boat|house|flat|apartment|main machine|work laptop|piano|violin)) is (?P<y>(?:an? )(?!bit|mess|little|lot|disaster|total).+)", "{s}'s {x} is {y}", POSSESSION),
    Rule("date of something", "my our", r"(?:my|our) (?P<x>(?:[\w'-]+ ){0,2}(?:wedding|exam|exams|interview|flight|appointment|surgery|operation|anniversary|graduation|deadline|recital|concert|marathon|race|trip|party|presentation|due date|vacation|holiday|thesis defen[cs]e|defen[cs]e|defense|visa|lease|contract|first day|last day|performance|show|move|finals|reunion|baby shower|housewarming|test|checkup|check-up|class|job|new job|chemo|treatment|semester|term|internship|holidays|bar exam|birthday party|due|rehearsal|retirement|sabbatical|maternity leave|parental leave|course|program|training|game|match|gig|audition|hearing|thesis|play|moving day|bus|train|cruise|pilgrimage|honeymoon)(?: (?:to|with|for|at|in) [\w' ]{1,30}?)?) (?P<y>leaves|departs|arrives|starts on|ends on|is|starts|ends|is due|expires|takes place|begins|is scheduled|is coming up|is happening|was) (?P<dated>.+)", "{s}'s {x} {y} {dated}", PLAN),
    Rule("goal", "my", r"my (?P<x>(?:new year's |biggest |long-term |life |career |main |ultimate )?(?:goal|dream|plan|resolution|ambition|aim)) (?:is|has always been|was always)(?: always)? (?P<y>to |\w+ing )(?P<rest>.+)", "{s}'s {x} is {y}{rest}", GOAL),
    Rule("illness in the family", "", r"(?P<illness>[\w' ]{3,30}) runs in my family", "{illness} runs in {s}'s family", STATE),
)  # fmt: skip
