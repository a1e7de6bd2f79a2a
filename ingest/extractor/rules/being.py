"""Rules for "I am ...": who somebody is, how, from where, and what they are about to do."""

from ingest.extractor.lexicon import BELONGING, DIETS, HEALTH_STATES
from ingest.extractor.rules.rule import (
    EVENT,
    HEALTH,
    IDENTITY,
    PLACE,
    PLAN,
    PREFERENCE,
    RELATION,
    SKILL,
    STATE,
    STUDY,
    WORK,
    Rule,
)


def _any(words: frozenset[str]) -> str:
    return "|".join(sorted((word.replace(".", r"\.") for word in words), key=len, reverse=True))


_PROGRESS = (
    "flying|moving|going|travell?ing|heading|visiting|driving|starting|getting|having|leaving|meeting|hosting|"
    "attending|running|taking|seeing|giving|defending|retiring|graduating|performing|competing|returning|celebrating|"
    "seeing|joining|launching|opening|throwing|adopting|undergoing|interviewing|speaking|presenting|turning|expecting|"
    "camping|hiking|sailing|staying|coming|marrying|playing|beginning|finishing|volunteering|hosting|relocating|"
    "picking up|doing|spending|buying|selling|closing on|cycling|biking|participating|organizing|organising"
)
_LIFE = (
    "move|study|become|buy|learn|visit|travel|go|retire|quit|leave|start|open|marry|get married|propose|adopt|apply|run|write a|"
    "build a|have (?:a baby|kids|children|surgery)|lose|climb|hike|sail|attend|join|launch|volunteer|sell|renovate|train|"
    "compete|graduate|publish|record|work (?:as|at|in|for)|cycle|drive|fly|do (?:a|my) (?:phd|master|degree|course|triathlon|marathon)|spend|celebrate|host|organi[sz]e|give up|stop|"
    "pursue|switch|change|return|teach|plant|save for"
)

_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"

BEING: tuple[Rule, ...] = (
    Rule("age in words", "am", rf"am (?P<x>thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|{_TENS})(?: years old)?", "{s} {is} {x} years old", IDENTITY),
    Rule("age", "am turn", r"am (?P<age>1[01]\d|[1-9]\d?)(?: (?:years? old|years of age))?(?: now)?", "{s} {is} {age} years old", IDENTITY),
    Rule("age turned", "turned have", r"(?:have )?turned (?P<age>1[01]\d|[1-9]\d?)(?: (?P<rest>.+))?", "{s} {is} {age} years old", IDENTITY),
    Rule("age and sex", "am", r"am (?:an? )?(?P<age>\d{2})[ -]?(?P<sex>m|f)", "{s} {is} {age} years old", IDENTITY),
    Rule("aged somebody", "am", r"am an? (?P<age>1[01]\d|[1-9]\d?)[ -]?years?[ -]olds?(?P<x> (?:man|woman|guy|girl|boy|male|female|person|dude|lady)?)?(?: from (?P<town>.+))?", "{s} {is} {age} years old", IDENTITY),
    Rule("aged role", "am", r"am an? (?P<age>1[01]\d|[1-9]\d?)[ -]?years?[ -]old (?P<role>.+)", "{s} {is} {role}", WORK),
    Rule("decade", "am", r"am in my (?P<x>(?:early |mid |mid-|late |late-|early-)?(?:\d0s|twenties|thirties|forties|fifties|sixties|seventies|eighties|teens))", "{s} {is} in their {x}", IDENTITY),
    Rule("height", "am", r"am (?P<x>\d(?:[.,]\d+)? ?(?:m|meters?|metres?|ft|feet|foot|'|cm)(?: ?\d{1,2}(?:\"|in|''| inches)?)?|\d{3} ?cm)(?: tall)?", "{s} {is} {x} tall", IDENTITY),
    Rule("are called", "am", r"am (?:called|named) (?P<x>(?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)*,? and (?-i:[A-Z])\w+)", "{s} {is} named {x}", RELATION),
    Rule("is called", "am", r"am (?:called|named|known as|nicknamed) (?P<name>.+)", "{s}'s name is {name}", IDENTITY),
    Rule("intolerant", "am", r"am (?P<x>(?:lactose|gluten)[- ]intolerant)(?: .+)?", "{s} {is} {x}", HEALTH),
    Rule("allergic", "am", r"am (?P<x>allergic|intolerant|hypersensitive|sensitive(?= to (?:light|noise|sound|gluten|dairy|caffeine|lactose|perfume|smells|sulfites|penicillin))) to (?P<things>(?!mondays|work|people|drama|bullshit|exercise|stupidity|nonsense|failure|adulting|fun|mornings|losing|feelings|meetings|responsibility|small talk|commitment|homework|money|idiots|cardio).+)", "{s} {is} {x} to {things}", HEALTH),
    Rule("diet", "am", rf"am (?P<x>{_any(DIETS)})(?: (?:for|since) (?P<rest>.+)| except .+)?", "{s} {is} {x}", HEALTH),
    Rule("health", "am", rf"am (?P<x>{_any(HEALTH_STATES)}|\d+ (?:weeks|months) pregnant|pregnant with (?:twins|our \w+|my \w+)|\d+ (?:years|months) sober)(?: at \d\d| since \w+)?", "{s} {is} {x}", HEALTH),
    Rule("married", "am", r"am (?P<x>married|engaged) to (?P<rest>(?!(?:my|the\b|this\b|his) (?:job|work|bed|couch|sofa|music|game|phone|pizza|sea|fridge)|pizza|food).+)", "{s} {is} {x} to {rest}", RELATION),
    Rule("marital state", "am", r"am (?P<x>(?:happily |recently |newly )?(?:married|single|divorced|engaged|widowed|separated)|a (?:single|stay[- ]at[- ]home|working) (?:mom|mum|dad|mother|father|parent)|in a (?:long[- ]distance |serious |new |polyamorous )?relationship)(?:(?P<tail> with (?!that\b|this\b|it\b).+)| (?:for|since) (?P<rest>.+))?(?: and .+)?", "{s} {is} {x}{tail}", RELATION),
    Rule("dating", "am", r"am (?P<x>dating|seeing|engaged to|in a relationship with|living with) (?P<rest>(?!my (?:bed|pillow|couch|sofa|fridge|phone|job|work|laptop|blanket|food))(?:my|an?|someone|(?-i:[A-Z])).+|(?-i:[A-Z])\w+)", "{s} {is} {x} {rest}", RELATION),
    Rule("belonging", "am", rf"am (?P<x>(?:an early riser|an optimist|a pessimist|a perfectionist|a homebody|a light sleeper|a heavy sleeper|a people person|a foodie|a bookworm|a film buff|a picky eater|a slow learner|a visual learner|a fast learner|a hugger|a procrastinator|a workaholic|an empath|an overthinker)|(?:an? )?(?:(?:practicing|practising|devout|proud|lapsed|strict|non-practicing|openly|self-proclaimed|total|definite|hopeless|classic|typical) )?(?:{_any(BELONGING)}))", "{s} {is} {x}", IDENTITY),
    Rule("nationality", "am", r"am (?P<nation>.+)", "{s} {is} {nation}", IDENTITY),
    Rule("from", "am", r"am from (?P<place>.+)", "{s} {is} from {place}", PLACE),
    Rule("is living", "am", r"am (?:living|residing|based|located|settled) (?:out )?(?:in|near|at|of|on(?= (?:the|an?) )) (?P<place>.+)", "{s} {lives} in {place}", PLACE),
    Rule("moving", "am", r"am (?P<x>(?:planning on |thinking of )?(?:moving|relocating|emigrating)(?: back| away| out)?) (?P<y>to|from) (?P<ahead>(?:(?-i:[A-Z])|an?\b|the\b|my\b).+)", "{s} {is} {x} {y} {ahead}", PLAN),
    Rule("is working as", "am", r"am (?:working|employed|freelancing|volunteering) as (?P<job>.+)", "{s} {works} as {job}", WORK),
    Rule("is working at", "am", r"am (?:working|employed|interning) (?P<x>at|for|by|with) (?P<org>.+)", "{s} {works} {x} {org}", WORK),
    Rule("work state", "am", r"am (?P<x>(?:self-employed|self employed|freelancing|retired)(?: (?:as|from) .+)?|unemployed|between jobs|on (?:parental|maternity|paternity|sick) leave|on disability|job hunting|freelance|freelancing|a freelancer|semi-retired|homeschooled)", "{s} {is} {x}", WORK),
    Rule("is studying", "am", r"am (?P<x>studying|majoring in|minoring in|doing (?:an? |my )?(?:phd|master'?s?|bachelor'?s?|degree|apprenticeship|internship|residency|postdoc|msc|bsc|mba)(?: degree)?(?: in| at| on)?|enrolled (?:in|at)|pursuing|getting (?:an?|my) (?:degree|phd|masters?|master's|mba)(?: in| at)?|researching|writing my (?:thesis|dissertation)(?: on| about)?) ?(?P<rest>.+)?", "{s} {is} {x} {rest}", STUDY),
    Rule("year of study", "am", r"am (?:in )?(?:my|a) (?P<x>(?:first|second|third|fourth|final|last|1st|2nd|3rd|4th)[ -]year(?: student)?(?: of .+| at .+| in .+)?)", "{s} {is} in their {x}", STUDY, of_user=True),
    Rule("reads", "am", r"am (?:currently )?(?P<x>reading|re-?reading|watching|rewatching|playing|listening to) (?P<thing>(?-i:[A-Z\"']).{2,50})", "{s} {is} {x} {thing}", STATE),
    Rule("learns", "am", r"am (?:trying to learn|learning|teaching (?:myself|themselves)|taking (?=.*(?:class|classes|course|courses|lessons)\b)) (?P<thing>(?!about|from\b|that\b|a lot|a ton|tons|lots|so much|more|to let|to (?:accept|be|trust|live|love|deal|cope|not\b)|new things|it\b|this\b|care\b|a look|notes|advantage|over\b|part\b|time\b|place\b|into\b|on\b|off\b|the\b).+)", "{s} {is} learning {thing}", SKILL),
    Rule("training", "am", r"am (?P<x>training for|training as|preparing for|studying for|saving (?:up )?for|saving (?:up )?to|recovering from|raising|writing (?=an? (?:book|novel|memoir|screenplay|thesis|dissertation|blog|musical|album))|building (?=an? (?:house|boat|cabin|shed|company|startup|treehouse|robot|guitar))|renovating|expecting|fostering|restoring|grieving|undergoing|rehearsing for) (?P<ahead>.+)", "{s} {is} {x} {ahead}", STATE),
    Rule("seeking", "am", r"am (?P<x>looking for|searching for|hunting for|looking to buy|looking to rent|trying to find|looking into (?=adopt|buying|moving)|considering (?=mov|adopt|chang|buy|quit|apply)|thinking (?:of|about) (?=mov|adopt|chang|buying|quitting|applying|starting|getting a|becoming|studying)) ?(?P<ahead>(?:an? )?(?:new |bigger |smaller |better |second |different |part-time |full-time |remote |used |first )*(?:jobs?(?! desc| title| post)|apartment|flat|house|home|place to live|roommate|flatmate|car|dog|puppy|cat|internship|\w+ing\b|work(?= as| in)).*)", "{s} {is} {x} {ahead}", STATE),
    Rule("tries to change", "am", r"am trying to (?P<rest>(?:lose (?:weight|\d+)|quit|stop (?:smoking|drinking|eating)|get (?:pregnant|fit|in shape|sober)|have a baby|conceive|eat (?:less|more|health)|cut (?:down|back)|give up|save (?:up|money)|gain (?:weight|muscle)|become|break into|buy a (?:house|home|flat)|sell my|move to|get into (?=\w+ school|college|grad)|learn(?! how)|run a).*)", "{s} {is} trying to {rest}", STATE),
    Rule("only child", "am", r"am the (?P<x>(?:oldest|eldest|youngest|middle|only)(?: (?:child|sibling|daughter|son|girl|boy))(?: (?:of|in) .+)?|(?:oldest|eldest|youngest)(?: of .+)?)", "{s} {is} the {x}", RELATION),
    Rule("the role", "am", r"am the (?!.*\b(?:this|these\b|that\b|mortal|all\b)\b)(?P<x>(?:(?:head|chief|lead|senior|main|sole|new|assistant|deputy|vice|proud) )*(?:ceo|cto|cfo|coo|founder|co-founder|cofounder|owner|head|director|manager|principal|president|vice president|captain|coach|chair\w*|treasurer|secretary|editor|author|maintainer|mayor|lead\w*|organi[sz]er|host|breadwinner|caretaker|mother|father|mom|dad)\b.*)", "{s} {is} the {x}", WORK),
    Rule("fan", "am", r"am (?:an? )?(?:(?:so|such|big|huge|massive|giant|avid|real|total|lifelong|life-long|long-time|longtime|great|die-?hard) )*(?:fan|lover|devotee|admirer) of (?P<things>.+)", "{s} {is} a fan of {things}", PREFERENCE),
    Rule("kind of fan", "am", r"am (?:an? )?(?:(?:big|huge|massive|giant|avid|real|total|lifelong|life-long|long-time|longtime|great|die-?hard) )+(?P<thing>(?!(?:fan|lover|huge|big|total|massive|real)\b)[\w' -]{2,30}?) (?:fan|lover|nerd|buff|geek|enthusiast|person|guy|reader|gamer)", "{s} {is} a {thing} fan", PREFERENCE),
    Rule("small fan", "am", r"am an? (?P<thing>(?!(?:huge|big|total|real|massive|avid|great|new|lifelong|such|only|single|good|nice|bad|smart|funny|kind|happy|lucky|busy)\b)[\w'-]{2,20}(?: [\w'-]{2,20})?) (?P<x>fan|lover|nerd|buff|geek|enthusiast|aficionado|person|addict|junkie)", "{s} {is} a {thing} {x}", PREFERENCE),
    Rule("into", "am", r"am (?P<x>into|fond of|crazy about|mad about|passionate about|keen on|obsessed with|hooked on|partial to|picky about|particular about|addicted to|a sucker for|interested in) (?P<things>(?!your\b|the (?:job|position|role|offer|product|details|following|property|apartment)|knowing|hearing|seeing|buying|getting|finding|applying|using\b|how|a (?:job|position)).+)", "{s} {is} {x} {things}", PREFERENCE),
    Rule("not into", "am", r"am not (?P<x>(?:an? )?(?:big |huge |real |much of a |particularly )*(?:fan of|fond of|keen on|into|interested in|crazy about)) (?P<things>.+)", "{s} {is} not {x} {things}", PREFERENCE),
    Rule("not a kind", "am", r"am not an? (?P<x>(?:morning|cat|dog|people|coffee|tea|beach|breakfast|night|sports|city|meat|wine|beer|dessert|sweets) (?:person|eater|drinker|lover|fan))", "{s} {is} not a {x}", PREFERENCE),
    Rule("skilled", "am", r"am (?:pretty |very )?(?P<x>good at|bad at|terrible at|great at|decent at|fluent in|proficient in|experienced in|certified in|skilled in|an expert (?:in|on|at)) (?P<rest>.+)", "{s} {is} {x} {rest}", SKILL),
    Rule("fear", "am", r"am (?P<x>afraid of|scared of|terrified of|petrified of|phobic of) (?P<things>(?!being|losing|los|what|how|making|get|mess|break|say|ask|go|fail|miss|do|the (?:answer|result|future|outcome)|my\b|turn|end|him\b|her\b|com).+)", "{s} {is} {x} {things}", STATE),
    Rule("to happen", "am", rf"am (?P<x>(?:planning (?:on|to)|hoping to|scheduled to|booked to|set to|going to be|due to)? ?(?:{_PROGRESS}))\b (?P<future>(?!to the moon|to mars|to (?:the )?(?:gym|store|shops?|bank|mall|office|supermarket|bed|work|school|class|toilet|bathroom)\b|(?:today|tomorrow|monday|tuesday|wednesday|thursday|friday|next \w+) off|shopping|out\b|a (?:nap|break|shower|look)|(?:some )?(?:food|coffee|groceries|lunch|dinner|a haircut)\b).+)", "{s} {is} {x} {future}", PLAN),
    Rule("going to", "am", r"am (?P<x>going to|planning to|hoping to|scheduled to|supposed to|due to|about to|set to|planning on|looking forward to) (?P<future>(?!(?:the |my )?(?:gym|store|shops?|bank|mall|office|supermarket|bed|work|school|class|toilet|bathroom|sleep|call|send|try|check|ask)\b).+)", "{s} {is} {x} {future}", PLAN),
    Rule("life plan", "am", rf"am (?P<x>planning to|planning on|hoping to|going to|saving to|preparing to|determined to|aiming to|looking to|about to) (?P<ahead>(?:(?:{_LIFE})\b|(?:moving|studying|becoming|buying|learning|visiting|travell?ing|retiring|quitting|opening|adopting|applying|running|writing)\b)(?!ing (?:to use|how)| (?:it|this\b|that\b|with (?:that|this\b|the\b)|ahead|through|over\b|back to (?:that|this\b|the\b|work|bed)|on a limit|home|sleep|bed|try|use|check|look|shower)\b).+)", "{s} {is} {x} {ahead}", PLAN),
    Rule("getting married", "am", r"am (?P<x>getting married|getting divorced|getting engaged|having a baby|expecting a baby|expecting|getting a divorce|expecting twins|having twins|retiring|moving out|moving in together|adopting a (?:dog|cat|baby|child|puppy|kitten)|getting a (?:dog|cat|puppy|kitten))(?: (?P<plan>.+))?", "{s} {is} {x} {plan}", PLAN),
    Rule("role", "am", r"am (?P<role>(?:an? ).+)", "{s} {is} {role}", WORK),
    Rule("bare role", "am", r"am (?P<x>(?:ceo|cto|cfo|coo|founder|co-founder|head|director|captain|vp|owner) (?:of|at) (?!this\b|that\b|the (?:line|class)).+)", "{s} {is} {x}", WORK),
    Rule("bare name", "am", r"am (?P<bare>.+)", "{s}'s name is {bare}", IDENTITY, of_user=True),
    Rule("was born", "was", r"was born (?P<x>and raised )?(?P<done>(?:on|in) .+)", "{s} {was} born {x} {done}", IDENTITY),
    Rule("was adopted", "was", r"was (?P<x>adopted|home-?schooled|named after|raised by|baptized|baptised|a (?:vegetarian|vegan))\b(?P<tail>.*)", "{s} {was} {x}{tail}", IDENTITY),
    Rule("was a role", "was", r"was (?P<role>an? .+)", "{s} {was} {role}", WORK),
    Rule("on medicine", "am", r"am on (?P<x>(?:an? )?(?:[\w-]+ )?(?:diet|keto|insulin|metformin|antidepressants|medication|meds|birth control|blood thinners|dialysis|crutches|steroids|antibiotics|oxygen|chemo|the spectrum|testosterone|hrt|ssris|statins|autism spectrum|a visa|disability|student visa|work visa|\w+(?:pril|olol|statin|pine|xetine|traline))(?: for .+)?)", "{s} {is} on {x}", HEALTH),
    Rule("in school", "am", r"am (?P<y>in|at|starting|finishing) (?P<x>(?:(?:my|the|his|her|a) )?(?:(?!the same)[\w-]+ )?(?:grade|kindergarten|high school|college|middle school|\w+ school|the army|the navy|the military|army|navy|air force|primary school|preschool|daycare|university|uni|year (?:of .+)|semester of .+|elementary school|10th|11th|12th))", "{s} {is} {y} {x}", STUDY),
    Rule("in trade", "am", r"am in (?P<x>(?:sales|marketing|it|finance|tech|consulting|construction|real estate|healthcare|education|hr|insurance|advertising|banking|logistics|retail|hospitality|academia|law enforcement|the (?:army|navy|military|air force|film industry|music industry|food industry|fashion industry|restaurant business|police)))(?: (?:and|so|at|for) .+)?", "{s} {works} in {x}", WORK),
    Rule("in country", "am", r"am (?:based |living |located )?in (?P<x>(?:the )?(?:uk|us|usa|u\.s\.|eu|united states|united kingdom|netherlands|philippines|germany|france|spain|italy|portugal|poland|ireland|scotland|wales|england|norway|sweden|denmark|finland|austria|switzerland|belgium|greece|turkey|canada|mexico|brazil|argentina|chile|india|pakistan|china|japan|korea|south korea|singapore|malaysia|indonesia|thailand|vietnam|australia|new zealand|south africa|nigeria|kenya|ghana|egypt|israel|uae|dubai|california|texas|florida|ohio|oregon|washington state|colorado|michigan|illinois|georgia|virginia|massachusetts|minnesota|wisconsin|arizona|utah|nevada|pennsylvania|new jersey|north carolina|tennessee|alaska|hawaii|quebec|ontario|british columbia|alberta))", "{s} {is} in {x}", PLACE),
    Rule("identifies", "identify", r"identify as (?!an? (?:attack|toaster|potato|helicopter|cat\b|dog\b|problem|threat))(?P<x>[\w -]{3,40})", "{s} identifies as {x}", IDENTITY),
    Rule("mbti", "am", r"am an? (?P<x>(?-i:[IE][NS][TF][JP]))(?:-[AT])?", "{s} {is} an {x}", IDENTITY),
    Rule("works on", "am", r"am (?P<x>working on|writing|painting|composing|recording|editing) (?P<rest>(?:an?|my|our) (?:[\w-]+ ){0,3}(?:novel|book|memoir|album|screenplay|thesis|dissertation|mural|musical|documentary|symphony|graphic novel|cookbook|children's book|portrait)\b.*)", "{s} {is} {x} {rest}", STATE),
    Rule("becoming", "am", r"am (?:training|studying|learning|working|in training) to (?:be|become) (?P<role>.+)", "{s} {is} training to be {role}", WORK),
    Rule("goes through", "am", r"am (?P<x>going through|undergoing) (?P<y>(?:an? )?(?:divorce|ivf|menopause|chemo\w*|radiation|breakup|break-up|separation|bankruptcy|transition|therapy|rehab|perimenopause|custody battle))(?P<tail>.*)", "{s} {is} {x} {y}{tail}", STATE),
    Rule("in remission", "am", r"am (?P<x>in remission|cancer[- ]free|going blind|losing my (?:hearing|sight|hair)|\w+ (?:weeks|months|years) (?:sober|clean|pregnant)(?: \w+)?)", "{s} {is} {x}", HEALTH),
    Rule("off to", "am", r"am off to (?P<future>.+)", "{s} {is} going to {future}", PLAN),
    Rule("takes medicine now", "am", r"am taking (?P<x>(?:[\w-]+ )?(?:insulin|metformin|antidepressants|medication|statins|blood thinners|beta blockers|lithium|prozac|zoloft|adderall|ritalin|\w+(?:pril|olol|statin|azole|pine|xetine|traline)))\b(?P<tail>.*)", "{s} {is} taking {x}{tail}", HEALTH),
    Rule("not skilled", "am", r"am not (?P<x>(?:very |that |really |particularly )?good (?:at|with)) (?P<rest>.+)", "{s} {is} not {x} {rest}", SKILL),
    Rule("due", "am", r"am due (?P<plan>.+)", "{s} {is} due {plan}", PLAN),
    Rule("ages", "am", r"am (?P<x>\d{1,2}(?:, \d{1,2})*,? and \d{1,2})(?: years old)?", "{s} {is} {x} years old", IDENTITY),
    Rule("was raised", "was", r"was (?:raised|brought up) (?:in|on|near) (?P<place>.+)", "{s} grew up in {place}", PLACE),
    Rule("diagnosed", "was have got", r"(?:was|have been|got) diagnosed with (?P<done>.+)", "{s} {was} diagnosed with {done}", HEALTH),
    Rule("was changed", "was got have", r"(?:was|got|have been) (?P<x>promoted|laid off|fired|hired|accepted|admitted|elected|nominated|selected|transferred|let go|made redundant|awarded|invited|offered a (?:job|position|promotion|scholarship|place)|hospitali[sz]ed)(?P<tail>(?: (?:to|at|by|into|as|from|for|in|last|on|yesterday|today|this)\b.+)?)", "{s} {was} {x}{tail}", EVENT),
)  # fmt: skip
