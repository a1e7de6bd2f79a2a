"""Rules for what friends tell each other: hobbies taken up, classes, clubs, what does them good."""

from ingest.extractor.lexicon import OFTEN, PETS, THINGS
from ingest.extractor.rules.rule import (
    EVENT,
    HABIT,
    PLAN,
    POSSESSION,
    PREFERENCE,
    RELATION,
    SKILL,
    STATE,
    STUDY,
    Rule,
)


def _any(words: frozenset[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_NO_ONE = r"(?!(?:this|that|these|those|it|which|what|he|she|they|you|we|there|here|one|both|all|who|your|his|her|their|its|everything|nothing|someone|family|friends|the (?:last|first|other|best|worst|only|one|rest|result|way|reason|goal|idea|key|problem)|my (?:goal|dream|plan|job))\b)"
_LOVE = r"passions?|hobby|hobbies|pastime|escape|outlet|creative outlet|happy place|stress relief|stress[- ]?reliever|stress[- ]?buster|stress fix|therapy|obsession|guilty pleasure|jam|calling|refuge|sanctuary|first love|true love|go-to|comfort (?:food|movie|film|show|book|game)|way to (?:relax|unwind|de-?stress|recharge)"
_GOOD = r"relax|unwind|wind down|de-?stress|recharge|calm down|clear my (?:head|mind)|(?:stay |keep )?(?:calm|sane|grounded|centered|centred|fit|active|in shape|balanced)|relieve stress|manage (?:my )?(?:stress|anxiety)|cope with (?:stress|anxiety|grief)|express (?:myself|my \w+)|fall asleep|sleep better|feel (?:calm|alive|free|at peace|relaxed|peaceful|grounded|connected to nature)"
_CLASS = r"lessons|class|classes|course|courses|bootcamp|night school"
_GROUP = r"choir|band|club|team|league|troupe|orchestra|community|church|society|union|squad|quartet|ensemble|committee|council|association|network|support group|youth group|activist group|writers'? group|running group|hiking group|study group|theatre group|theater group|dance crew"
_CRAFTS = r"jewel(?:le)?ry|pottery|ceramics|candles|soaps?|furniture|quilts|videos|music|beer|wine|cheese|clothes|cards|toys|dolls|beats"
_SPORTS = r"(?:aerial |hot |chair )?yoga|pilates|crossfit|karate|judo|jiu[- ]?jitsu|boxing|kickboxing|tai chi|martial arts|parkour|gymnastics|ballet|weights|strength training|weight training|stand-?up|improv|crosswords|puzzles|pottery|ceramics|origami|calligraphy|embroidery|archery|karaoke"
_ALONE = r"gardening|baking|journaling|meditating|knitting|crocheting|sewing|hiking|climbing|bouldering|cycling|biking|surfing|skating|skateboarding|skiing|snowboarding|rowing|fencing|boxing|birdwatching|bird[- ]watching|jogging|composting|brewing|streaming|vlogging|blogging|woodworking|weightlifting|kickboxing|singing|camping|kayaking|sailing|fishing|stargazing|thrifting"

LOVED: tuple[Rule, ...] = (
    Rule("is a passion", "", rf"{_NO_ONE}(?P<pastime>[\w' &-]{{3,50}}?) (?:is|are|has (?:always |long |really |truly )*been|have (?:always |long )?been|became|has become) (?:definitely |truly |really |still |also |always |totally |such )*(?:(?:my|our) (?:(?:true|real|biggest|greatest|big|great|main|number one|new|newest|lifelong|other|favou?rite|go-to|current|latest|personal|ultimate|ideal|absolute) )*(?:{_LOVE})|(?:an?|one of my) (?:(?:real|big|huge|biggest|greatest|true|lifelong|new|main) )*(?:passions?|hobby|hobbies|obsession|love) of mine|one of my (?:(?:real|big|biggest|greatest|true|main) )*(?:{_LOVE}|passions|hobbies))(?: (?:since|for|after|during|lately|when|ever)\b.+)?", "{s} loves {pastime}", PREFERENCE),
    Rule("is a go-to", "", rf"{_NO_ONE}(?P<pastime>[\w' &-]{{3,50}}?) (?:is|are) (?:definitely |still |always |usually )*my go-to (?P<kind>(?!when|for|after|on|these|lately|if|now)[\w' -]{{3,30}}?)(?: (?:when|for|after|on|these|lately)\b.+)?", "{s}'s go-to {kind} is {pastime}", PREFERENCE),
    Rule("does good", "", rf"{_NO_ONE}(?P<pastime>(?:[\w-]+ing|yoga|music|meditation|art|dance|exercise|nature|tea|pilates|photography|pottery|tai chi|poetry|journaling)(?: [\w' -]{{2,30}})?) (?:(?:really|always|totally|definitely|just|truly) )?(?P<x>helps? me (?:to )?|lets? me |keeps? me |makes? me )(?P<y>{_GOOD})(?: .+)?", "{pastime} {x} {y}", PREFERENCE),
    Rule("one of the loved", "one", r"one of my (?:all-time |all time |absolute |very |most )*favou?rite (?P<x>(?!parts?\b|things? about|memory|memories|moments?|days?\b|pics?\b|photos?\b|trips?\b)[\w' -]{3,30}?) (?:is|are|would be|has (?:always been|to be)) (?P<thing>(?!.*\bthat\b).+)", "{thing} is one of {s}'s favourite {x}", PREFERENCE),
    Rule("one of my loved", "", rf"{_NO_ONE}(?P<thing>[\w' &.-]{{2,50}}?) (?:is|are|has (?:always )?been) (?:definitely |still |easily |honestly )*one of my (?:all-time |all time |absolute |very |most )*favou?rite (?P<x>(?!parts?\b|things? about|memory|memories|moments?|days?\b|pics?\b|photos?\b|trips?\b)[\w' -]{{3,30}})", "{thing} is one of {s}'s favourite {x}", PREFERENCE),
)  # fmt: skip

SINCE_YOUNG: tuple[Rule, ...] = (
    Rule("done since young", "have", r"have been (?P<x>(?!work|try|look|deal|struggl|think|wait|wonder|get|hav|see|ask|feel|want)[a-z]+ing) ?(?P<rest>.{0,40}?) ?(?:ever )?since (?:i|we) (?P<y>was|were) (?P<z>little|young|small|younger|(?:a|in|about|around) [\w' -]{2,30}|\d{1,2}|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|sixteen)(?: .+)?", "{s} {has} been {x} {rest} since {s} {y} {z}", HABIT),
)  # fmt: skip

PASTIMES: tuple[Rule, ...] = (
    Rule("long a fan", "have", r"have (?:always |long )?been (?:an? )?(?:(?:so|such|big|huge|massive|avid|real|total|lifelong|life-long|long-time|longtime|great|die-?hard) )*(?:fan|lover|admirer) of (?P<things>.+?)(?: (?:since|for) .+)?", "{s} {is} a fan of {things}", PREFERENCE),
    Rule("much into", "have", r"have (?:always )?been (?:really|super|so|big|pretty|totally|quite|very|heavily|seriously) (?P<x>into|fond of|crazy about|passionate about|obsessed with|interested in) (?P<thing>.+)", "{s} {has} been {x} {thing}", PREFERENCE),
    Rule("started a hobby", "started begun began have", rf"(?:have )?(?:just |recently )?(?P<x>started|began|begun) (?:(?P<y>(?:making|selling) (?:my own )?(?:[\w-]+ )?(?:{_CRAFTS})|doing (?:{_SPORTS})|collecting [\w ]{{3,30}}|going to (?:the gym|church|therapy|(?:[\w-]+ )?classes|meetings)|attending (?:an? |\w+ )?(?:[\w-]+ )?(?:{_CLASS}|church|meetings|university|college|school)|fostering [\w ]{{3,30}}|{_ALONE}))(?P<tail>(?: .+)?)", "{s} started {y}{tail}", EVENT),
    Rule("started a course", "started begun began joined have", rf"(?:have )?(?P<x>started|joined|began|begun) (?P<y>(?:(?:an?|another|my|some) )?(?!the\b|that\b|this\b|your\b)(?:(?:(?!an? |new |online )[\w'-]+ ){{1,3}}?(?:{_CLASS}|internship|newsletter|petition|fundraiser)|internship|apprenticeship|residency|master's|book club))(?P<tail>(?: .+)?)", "{s} {x} {y}{tail}", EVENT),
    Rule("as a hobby", "picked took got started taken have", r"(?:have )?(?:picked up|taken up|took up|got into|gotten into|started) (?P<thing>.+?) as an? (?:new |fun |side )?(?P<x>hobby|pastime|side hustle)(?: .+)?", "{s} took up {thing} as a {x}", EVENT),
    Rule("took up", "took", r"took up (?P<things>(?!complaining|swearing|worrying|arms|space|room|too|lots?\b|a\b|an\b|the\b|that|this|most|so\b|half|all\b|residence|more|some|your|on\b|his|her\b|their|my\b|where|with|time|much|valuable|\d).+)", "{s} took up {things}", EVENT),
    Rule("is doing for others", "am", r"am (?P<x>volunteering|interning|tutoring|coaching|mentoring) (?P<rest>(?!it\b|you\b|him\b|her\b|them\b).+)", "{s} {is} {x} {rest}", STATE),
    Rule("is teaching", "am", r"am teaching (?P<rest>(?:an? |my own )?(?:[\w'-]+ ){0,3}(?:class|classes|course|lessons|workshop|students|yoga|english|maths?|music|kids|children|piano|art)\b.*)", "{s} {is} teaching {rest}", STATE),
    Rule("takes a course", "am", rf"am (?:still )?(?P<x>taking|doing|attending) (?P<rest>(?!the\b|this\b|that\b|your\b|it\b)(?:[\w'-]+ ){{1,5}}?(?:{_CLASS}))(?P<tail>(?: (?:at|in|on|with|to|every) .+)?)", "{s} {is} {x} {rest}{tail}", STUDY),
    Rule("member", "am was have", rf"(?:am|(?P<y>was|have been)) (?P<x>(?:an? )?(?:(?:active|proud|founding|new|longtime) )?(?:member|part|captain) of (?:(?:an?|my|our) |the (?!whole|same|team\b|community\b|club\b|band\b))(?:(?-i:[\w'+-]+ )){{0,4}}(?:{_GROUP}))(?P<tail>(?: (?:at|in|for|since|with|called) .+)?)", "{s} {is} {x}{tail}", STATE),
    Rule("in a group", "am", r"am (?P<x>in (?:an? (?:[\w'-]+ ){0,3}?(?:band|choir|orchestra|quartet|(?:book|chess|running|cycling|rowing|hiking|drama|debate|swim|tennis|running|gardening|photography|knitting) club|writers'? group|support group|bowling league|dance crew))|on the (?!wrong|right|same|winning|losing|other|whole)(?:[\w'-]+ ){1,3}(?:team|committee|board|council))(?P<tail>(?: (?:at|in|for|since|with|called) .+)?)", "{s} {is} {x}{tail}", STATE),
    Rule("plans a day", "am", r"am (?P<x>planning|arranging|putting together|organi[sz]ing) (?P<future>(?:an?|my|our|another|the) .+)", "{s} {is} {x} {future}", PLAN),
    Rule("looks forward", "am", r"am (?:so |really |super |very |pretty )*(?:excited (?:for|about)|thrilled about|stoked (?:for|about)|pumped (?:for|about)|nervous about|looking forward to|anxious about) (?P<future>(?:my|our) .+)", "{s} {is} looking forward to {future}", PLAN),
    Rule("cannot wait", "cannot", r"cannot wait for (?P<future>(?:my|our) .+)", "{s} {is} looking forward to {future}", PLAN),
    Rule("got a thing", "got bought built inherited have", rf"(?:have )?(?P<x>got|bought|built|inherited) (?P<done>(?:an? (?:brand[- ])?(?:new|vintage|second-hand|used|custom|classic|old) |(?:my|our) first |myself an? |ourselves an? )(?:[\w-]+ ){{0,2}}?(?:{_any(THINGS - {'subscription', 'scholarship', 'visa', 'website', 'switch', 'degree', 'store', 'shop', 'server'})})\b(?! (?:ride|accident|crash|wash|ticket|tour|code|invite|error|case|question|problem|issue|deal|game)).*)", "{s} {x} {done}", POSSESSION, of_user=True),
    Rule("adopted another", "adopted rescued got have", rf"(?:have )?(?P<x>adopted|rescued|got) (?P<done>(?:another|a new|a second|a third) (?:(?!toy|friend)[\w-]+ ){{0,3}}?(?:{_any(PETS)}|pup)\b(?! (?:toy|bed|food)).*)", "{s} {x} {done}", EVENT),
    Rule("had a pet", "had", rf"had (?P<x>an? (?:[\w-]+ ){{0,3}}?(?:{_any(PETS)})) (?:named|called) (?P<rest>.+)", "{s} had {x} named {rest}", RELATION),
    Rule("finished a work", "finished have", r"(?:have )?finished (?P<x>writing|recording|painting|restoring|building|renovating|editing|knitting|sewing|composing) (?P<done>(?:(?:an?|my|our|another) (?!bit|lot|few|part\b)|(?-i:[A-Z\"“])).+)", "{s} finished {x} {done}", EVENT),
    Rule("tries regularly", "try", rf"try to (?P<x>(?!be\b|not\b|keep\b|get\b|remember|stay\b|see\b|find\b|help\b|think\b|forget\b|understand\b|feel\b|improve\b|learn\b)[a-z]+) ?(?P<rest>(?:(?:(?! and ).)*? )?(?:{OFTEN})(?: (?:at|in|with|for) .+)?)", "{s} tries to {x} {rest}", HABIT, of_user=True),
    Rule("learned from", "learned learnt", r"(?:learned|learnt) (?:how )?to (?P<x>[a-z]+)(?P<y>(?: [\w' ]{2,30})?) from my (?P<z>(?:late )?[\w-]+)", "{s} learned to {x}{y} from {s}'s {z}", SKILL, of_user=True),
    Rule("taught me", "taught", r"taught (?P<x>me) (?:how )?to (?P<y>play|cook|bake|knit|sew|fish|paint|draw|ride|swim|ski|surf|drive|garden|dance|sing|crochet|skate|sail|hunt|read music|fix cars|speak)(?P<tail>(?: (?!my\b).+)?)", "{s} taught {x} to {y}{tail}", RELATION),
    Rule("involved", "have am", r"(?:have been|am) (?:really |very |super |heavily |actively )*(?P<x>involved) (?:in|with) (?P<rest>(?:an?|my|our|the|(?:local|animal|wildlife|political|environmental|community|youth|lgbtq\+?|trans|climate|human|mental|student|church|charity)) (?:[\w'+-]+ ){0,3}?(?:group|community|club|church|charity|charities|organi[sz]ation|rescue|activism|politics|theatre|theater|shelter|school|campaign|rights|work|program|ministry|association)\b.*)", "{s} {is} involved with {rest}", STATE),
    Rule("has a gift", "have", r"have (?P<x>an? (?:real |big |great |true |huge )?(?:knack|talent|gift|love|fascination|soft spot|obsession) (?:for|of|with)) (?P<things>(?!messing|making a fool|losing|breaking|getting|forgetting|finding|saying|being).+)", "{s} {has} {x} {things}", PREFERENCE),
    Rule("volunteered there", "volunteered have", r"(?:have )?volunteered (?P<x>at|for|with) (?P<done>(?:the|a local|our local|my local) (?:[\w'+-]+ ){0,3}(?:shelter|hospital|food bank|soup kitchen|library|school|church|center|centre|zoo|museum|hospice|clinic|sanctuary|animal rescue|red cross|garden)\b.*)", "{s} volunteered {x} {done}", EVENT),
)  # fmt: skip
