"""Rules for stable likes and dislikes, in one short clause of the speaker."""

from ingest.extractor.rules.rule import CLAUSE, LIKE, Rule
from ingest.extractor.words.events import NO_FAVOURITES, PURPOSES
from ingest.extractor.words.patterns import any_of

_FAVOURITE = (
    r"(?:all[- ]time |absolute |personal |most |new |current )*favourite "
    rf"(?P<k>(?!(?:{any_of(NO_FAVOURITES)})\b(?! to\b))[a-z][\w' -]{{1,29}}?)"
)

LIKES: tuple[Rule, ...] = (
    Rule("prefers", rf"(?:prefer (?P<liked>(?:(?!\b(?:to|over|more)\b).)+?) (?:over|rather than|to(?! (?:{any_of(PURPOSES)})\b))|"
        r"(?:like|love|enjoy) (?P<x>(?!(?:them|it|you|him|her|this|that)\b)[\w' -]{2,30}?) (?:more|better) than) (?!(?:they|he|she|it|we|I|you|anything|anyone)\b)<favourite>", "prefers {liked}{x} to {favourite}", LIKE,
        {"I prefer tea to coffee": "User prefers tea to coffee", "I like cats more than dogs": "User prefers cats to dogs"}, ("I prefer short meetings to save time", "I prefer this over that", "I prefer the first option to the second", "I love going to concerts", "I love them more than they know", "I'd prefer tea to coffee")),
    Rule("likes", "(?P<verb>like|love|enjoy|adore|prefer(?! (?!to ).* and )|dislike|hate|detest|despise|loathe) <liked>", "{verb} {liked}", LIKE,
        {"I love sushi": "User loves sushi", "I like hiking and camping": "User likes camping", "Love jazz!": "User loves jazz", "I hate horror films": "User hates horror films", "I love the Beatles": "User loves the Beatles", "I love to read": "User loves to read", "I enjoy historical fiction a lot": "User enjoys historical fiction"}, ("I love that idea", "I love the animation", "I love it", "I like your dress", "I love how it looks", "I love you", "I like a woman who listens", "I like the community system better", "I love doing yoga outside its so peaceful", "I enjoy playing occasionally", "I like to read different things", "I would like tea", "I love seeing them grow", "I like the UI of the Hero Section", "I like the Rocket closer to home", "I hate to complain", "I love wordplay as much as you do", "I like mint, keep that", "I like tea right now", "I love choosing which film we see", "I hate driving with the mud on", "I enjoy doing just about anything", "I love to do a lot of things for them", "I love ya", "I hate hate jazz", "I love living here", "I like school so far", "I love Chris", "I like her sister's dress", "I like number two", "Hate leads to war", "Cows moo, just like humans have accents", "As much as I love opera, it is long", "I like many others")),
    Rule("does not like", r"do not (?:(?!feel|look|sound|seem)\w+ )?(?P<x>like|enjoy|care for) <liked>", "does not {x} {liked}", LIKE,
        {"I don't like opera": "User does not like opera"}, ("I don't like this", "I don't like the bottom of the dress", "I don't like when they argue", "I don't feel like running")),
    Rule("cannot stand", "cannot (?P<x>stand|bear|tolerate) <liked>", "cannot {x} {liked}", LIKE,
        {"I can't stand horror films": "User cannot stand horror films"}, ("I can't stand it", "I can't bear to look")),
    Rule("fan", r"am (?:an? )?(?:(?:such|so|big|huge|massive|avid|real|total|lifelong|great|die-?hard) )*(?:a )?fan of <liked>", "is a fan of {liked}", LIKE,
        {"I'm a huge fan of jazz": "User is a fan of jazz"}, ("I'm a fan of yours", "I'm a fan of that idea")),
    Rule("no fan", r"(?P<verb>am|have)(?P<y> not| never been) (?P<x>(?:an? |much of a )(?:(?:big|huge|real) )*fan of|(?:particularly |very )?(?:into|fond of|keen on)) <liked>", "{verb}{y} {x} {liked}", LIKE,
        {"I'm not a fan of jazz": "User is not a fan of jazz", "I'm not into opera": "User is not into opera", "I've never been into opera": "User has never been into opera"}, ("I'm not a fan of this", "I'm not into it")),
    Rule("kind of fan", r"am an? (?:(?:big|huge|massive|avid|total|lifelong|die-?hard) )+(?P<x>[a-z][\w' -]{2,30} (?:fan|lover|nerd|buff|geek|enthusiast))(?=$|[,.;]| so\b).*$",
        "is a {x}", LIKE,
        {"I am a big soccer fan!": "User is a soccer fan", "I'm a huge opera nerd": "User is an opera nerd"}, ("I'm a big fan", "I'm a big ceiling fan owner")),
    Rule("fond of", r"am (?P<x>into|fond of|crazy about|passionate about|keen on|obsessed with) <liked>", "is {x} {liked}", LIKE,
        {"I'm into pottery": "User is into pottery", "I'm passionate about photography": "User is passionate about photography"}, ("I'm into it", "I'm into the second chapter", "I'm obsessed with your hair")),
    Rule("favourite", rf"my {_FAVOURITE} (?:of all time )?(?P<be>is|(?:(?<=s )|(?<=people ))are) <favourite>", "'s favourite {k} {be} {favourite}", LIKE,
        {"My favourite band is Muse": "User's favourite band is Muse", "my fav color is blue": "User's favourite color is blue"}, ("My favourite part is the end", "My favourite thing is that", "My favourite show is on tonight", "My favourite dish is when he cooks")),
    Rule("hobbies", r"my (?P<k>hobby|hobbies) (?P<be>is|are|include) <favourite>", "'s {k} {be} {favourite}", LIKE,
        {"My hobbies are chess and birdwatching": "User's hobbies are chess and birdwatching"}, ("My hobbies are over",)),
    Rule("has always liked", "have always (?P<x>loved|liked|hated|enjoyed|been (?:into|a fan of|fascinated by|interested in)) <liked>", "has always {x} {liked}", LIKE,
        {"I've always loved trains": "User has always loved trains"}, ("I have loved trains", "I have always loved it")),
    Rule("is a favourite", rf"(?P<favourite>[^\s,][^,]{{0,60}}?) (?P<be>is|are) my {_FAVOURITE}(?:$|[,.!;].*$)", "'s favourite {k} {be} {favourite}", LIKE,
        {"Tiramisu is my favourite dessert": "User's favourite dessert is Tiramisu"}, ("That is my favourite dish", "Muse is one of my favourite bands", "This place is my favourite bar"), CLAUSE),
    Rule("among favourites", rf"(?P<favourite>[^\s,].{{0,60}}?) (?:is|are) (?:absolutely )?one of my {_FAVOURITE}(?:$|[,.!;].*$)", "counts {favourite} among their favourite {k}", LIKE,
        {"Fortnite is one of my favourite games": "User counts Fortnite among their favourite games"}, ("This is one of my favourite songs", "It is one of my favourites"), CLAUSE),
    Rule("one of the favourites", rf"one of my {_FAVOURITE} (?:is|are) <favourite>", "counts {favourite} among their favourite {k}", LIKE,
        {"One of my favourite smells is wet earth": "User counts wet earth among their favourite smells"}, ("One of my favourite things is this", "One of my favourite films is on"), CLAUSE),
)  # fmt: skip
