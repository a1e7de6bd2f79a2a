"""Rules for health, work and plans in the words that are used less often."""

from ingest.extractor.rules.rule import (
    HABIT,
    HEALTH,
    PLACE,
    PLAN,
    POSSESSION,
    STATE,
    STUDY,
    WORK,
    Rule,
)

_TRADE_GROUP = (
    r"(?:game|club|campaign|league|class|meetup|circle|podcast|blog|newsletter|society|account|"
    r"support group|book club|food bank|community garden|summer camp|scout troop|youth group)"
)
_DAY = (
    r"(?:on|in|at|by|this|next|tomorrow|from|until|till|starting|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)"
)

LIFE: tuple[Rule, ...] = (
    Rule("has abstained", "have", r"have not (?P<x>smoked|drunk|drunk alcohol|had (?:a drink|a cigarette|alcohol|sugar|caffeine)|vaped|gambled|touched (?:alcohol|a drink|a cigarette)) (?P<done>(?:since|for|in) .*\b(?:\d{1,4}|days|weeks|months|years?|january|february|march|april|may|june|july|august|september|october|november|december|christmas)\b.*)", "{s} {has} not {x} {done}", HEALTH),
    Rule("on it for illness", "am have", r"(?:am|have been) on (?P<x>[a-z]{5,}|an? [a-z]{5,}) for (?:my )?(?P<illness>.+)", "{s} {is} on {x} for {illness}", HEALTH),
    Rule("on it", "am have", r"(?:am|have been) on (?:it|them|this) for (?:my )?(?P<illness>.+)", "{s} {has} {illness}", HEALTH),
    Rule("carries", "carry use need wear", r"(?P<verb>carry|use|need|wear) (?P<x>(?:an?|two) (?:insulin pump|epi-?pen|inhaler|pacemaker|hearing aid|oxygen tank|cane|wheelchair|walking stick|colostomy bag|stoma bag|glucose monitor|cgm|catheter|cpap(?: machine)?|nebuli[sz]er|insulin pen)s?)(?: (?:for|since|because|and|at|every|when|wherever|everywhere|with me)\b.*)?", "{s} {v} {x}", HEALTH),
    Rule("operated", "had have", r"(?:have )?had (?P<x>(?:my|both|two of my|one of my) (?:[\w-]+ ){0,2}(?:appendix|tonsils|gallbladder|knees?|hips?|wisdom teeth|tooth|teeth|spleen|vertebrae|cataracts?|shoulder|thyroid|kidney|womb) (?:out|removed|replaced|fused|done|taken out|operated on))(?P<tail>(?: .+)?)", "{s} had {x}{tail}", HEALTH),
    Rule("on leave", "am", r"am (?P<x>on (?:paid |unpaid )?(?:parental|maternity|paternity|family|sabbatical|medical|study|bereavement) leave|on (?:a )?sabbatical|signed off(?: sick)?)(?: (?P<y>until|till|from) (?P<ahead>.+))?", "{s} {is} {x} {y} {ahead}", WORK),
    Rule("commutes from", "commute", r"commute (?:in |into work |to work )?(?P<x>from|in from) (?P<town>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)(?P<y> (?:to|into) (?-i:[A-Z])[\w'-]+)?(?: .+)?", "{s} commutes from {town}{y}", WORK),
    Rule("shares business", "co-own co-run co-manage co-founded", r"(?P<verb>co-own|co-run|co-manage) (?P<rest>(?:an?|the|two) .+)", "{s} {v} {rest}", WORK),
    Rule("runs group", "run host lead organise organize moderate", rf"(?P<verb>run|host|lead|organi[sz]e|moderate) (?P<rest>(?:an?|our|my|the local|the) (?!\w+ in\b)(?:[\w&'-]+ ){{0,4}}{_TRADE_GROUP}\b.*)", "{s} {v} {rest}", HABIT),
    Rule("schools them", "homeschool home-school", r"(?P<verb>homeschool|home-school) (?P<rest>(?:my|our|both|the) (?:[\w-]+ ){0,2}(?:kids|children|boys|girls|sons?|daughters?|twins)\b.*)", "{s} {v} {rest}", HABIT),
    Rule("earns as", "make earn", r"(?:make|earn) (?:about |around |roughly )?[$€£]?\d[\d.,]*k?(?: \w+){0,3} as (?P<role>an? .+)", "{s} {is} {role}", WORK),
    Rule("has job as", "have got", r"have (?:an? |my )?(?:[\w-]+ )?(?:job|gig|position) (?P<x>as|at|with|in) (?P<rest>(?!hand\b|stake\b).+)", "{s} {has} a job {x} {rest}", WORK),
    Rule("year of subject", "am", r"am (?P<x>doing|taking|in) (?P<y>(?:evening|night|online|part-time|weekend) (?:classes|courses|school))(?P<tail>(?: (?:in|on|for|at) .+)?)", "{s} {is} {x} {y}{tail}", STUDY),
    Rule("taught themselves", "taught have", r"(?:have )?taught (?:myself|themselves) (?P<x>(?:to |how to )?(?!that\b|not\b|this\b|it\b)[\w -]{2,40})", "{s} is self-taught in {x}", STUDY),
    Rule("leaves for", "am", r"am (?P<x>(?:leaving|quitting|stepping down)) (?:(?:my job|work) )?to (?P<ahead>(?:open|start|become|study|travel|raise|found|launch|train as|write|retrain|care for|go freelance)\b(?! (?:the|this|that|it)\b).+)", "{s} {is} {x} to {ahead}", PLAN),
    Rule("there until", "am", r"am in (?P<town>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?) (?P<x>for (?:work|a conference|training|treatment|family reasons) )?(?:until|till) (?P<rest>.+)", "{s} {is} in {town} {x}until {rest}", PLACE),
    Rule("out by", "have must need", r"(?:have to|must|need to) (?P<x>be out|move out|vacate|leave the (?:flat|house|apartment|country)) (?P<plan>by .+)", "{s} {has} to {x} {plan}", PLAN),
    Rule("has on", "have got", rf"have (?P<x>(?:(?:an?|my|our|the|another|two) )?(?:[\w'-]+ ){{0,2}}?(?:chemo|physio|therapy|dialysis|rehearsals?|practice|training|lessons?|class|classes|choir|surgery|exams?|finals|auditions?|try-?outs|orientation|jury duty|night shifts?|parents' evening|court|inspection|viewing|fitting|mri|ct scan|root canal|colonoscopy|mammogram)) (?P<plan>{_DAY}\b.*)", "{s} {has} {x} {plan}", PLAN),
    Rule("will do, dated", "close sit take meet see pass perform compete play visit sail marry renew submit present sign collect pick adopt celebrate appear go drive head pick open launch", r"(?P<verb>close(?= on )|sit(?= (?:my|the|an?) )|take(?= (?:my|the) .*(?:exam|test|bar|finals)\b)|meet(?= (?:my|our new|her|him|with|(?-i:[A-Z])))|see(?= (?:the|my) (?:doctor|dentist|consultant|specialist|surgeon|notary|lawyer|midwife|oncologist|dermatologist|gp|vet))|pass(?= (?:my|the) .*exam)|perform|compete|play(?= (?:at|in) )|visit(?! the (?:docs|page|site|link|website|repo))|sail|marry|renew|submit(?= my)|present(?= (?:my|at))|sign(?= (?:the|our|my))|collect(?= (?:the|our|my))|pick(?= up (?:the|our|my))|celebrate|appear|drive(?= to)|head(?= to)|open(?= (?:my|our|the))|launch(?= (?:my|our|the))) ?(?P<future>(?!.*\b(?:every|each|usually|always|often|sometimes|most)\b).+)", "{s} {v} {future}", PLAN),
    Rule("settled on", "settled went bought picked chose", r"(?:settled on|ended up (?:buying|getting)|treated myself to|splurged on) (?P<x>(?:an?|the) (?:(?:new|used|second-hand|refurbished|vintage|old) )?(?-i:[A-Z])[\w-]*(?: [\w-]*\d[\w-]*)?)", "{s} has {x}", POSSESSION),
    Rule("inherited", "inherited have", r"(?:have )?inherited (?P<thing>(?:an?|my|two|the) (?!problem|mess|bug|codebase|code|project|position|repo|legacy|system|database)(?:[\w'-]+ ){0,4}(?:house|flat|piano|violin|boat|farm|cabin|cottage|car|watch|ring|clock|parrot|dog|cat|collection|land|violin|guitar|accordion|camera|necklace|table|money)\b.*)", "{s} inherited {thing}", POSSESSION),
    Rule("grows unwell", "tore torn ruptured slipped herniated fractured dislocated have", r"(?:have )?(?P<x>tore|torn|ruptured|slipped|herniated|fractured|dislocated) (?P<y>my (?:[\w-]+ )?(?:acl|meniscus|achilles|hamstring|rotator cuff|disc|shoulder|wrist|ankle|hip|elbow|knee|rib|ribs|kneecap|ligaments?))(?P<tail>(?: .+)?)", "{s} {x} {y}{tail}", HEALTH),
    Rule("reacts to", "react break", r"(?P<verb>react(?= badly)|break(?= out))(?P<w> badly| out(?: in (?:hives|a rash))) (?P<x>to|from|when I eat|after eating) (?P<things>(?!this\b|that\b|it\b|your\b|the\b|news\b|being\b|people\b|criticism\b|stress\b).+)", "{s} {v}{w} {x} {things}", HEALTH),
    Rule("gone off to", "am", r"am (?P<x>(?:up|awake)) at (?P<y>\d{1,2}(?:[:.]\d\d)? ?(?:am|a\.m\.)?) (?P<rest>(?:for .+ )?(?:every|most) \w+.*)", "{s} {is} {x} at {y} {rest}", HABIT),
    Rule("without", "live manage get", r"(?:live|manage|get by) (?P<x>with (?:one|a single|only one) (?:kidney|lung|eye|ear|arm|leg|hand))(?: .+)?", "{s} {lives} {x}", HEALTH),
    Rule("swears by", "swear", r"swear by (?P<things>.+)", "{s} swears by {things}", STATE),
)  # fmt: skip
