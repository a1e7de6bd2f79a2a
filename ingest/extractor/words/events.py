"""Events and appointments of a life, and things at hand, as plain lists."""

from ingest.extractor.words.patterns import lines_of

APPOINTMENTS = lines_of("""
    flight, wedding, surgery, operation, exam, exams, bar exam, bar exams, final exam, final exams, finals,
    driving test, interview, job interview, due date, trip, graduation, baby, first day, last day, visa,
    passport, lease, marathon, concert, vacation, holiday, move, thesis defence, thesis defense, retirement,
""")
"""What somebody has on a day."""

LIFE_AHEAD = lines_of("""
    get married, getting married, get divorced, getting divorced, get engaged, getting engaged, retire, retiring,
    graduate, graduating, have a baby, having a baby, have twins, having twins, have surgery, having surgery,
    have an operation, having an operation, move house, moving house, move out, moving out, start a new job,
    starting a new job, start my new job, starting my new job, start my job, starting my job, start university,
    starting university, start college, starting college, start school, starting school, start my phd,
    starting my phd, start my master's, starting my master's, start my studies, starting my studies, start chemo,
    starting chemo, start my apprenticeship, starting my apprenticeship, adopt a dog, adopting a dog, adopt a cat,
    adopting a cat, adopt a child, adopting a child, adopt a baby, adopting a baby,
""")
"""What is to come in a life, after "going to" and after "am"."""

LIFE_BEHIND = lines_of("""
    got married, was married, got engaged, was engaged, got divorced, was divorced, got promoted, was promoted,
    got naturalised, was naturalised, got naturalized, was naturalized, retired, graduated, gave birth,
    gave birth to my son, gave birth to my daughter, gave birth to our son, gave birth to our daughter,
    gave birth to a boy, gave birth to a girl, had a baby, had a baby girl, had a baby boy, had a heart attack,
    had a stroke, had a miscarriage, had a transplant, had a c-section, had a son, had a daughter, had twins,
    had an operation, became a father, became a mother, became a mom, became a dad, became a grandmother,
    became a grandfather, became a grandma, became a grandpa, became a parent, became a vegan,
    became a vegetarian, passed my driving test, passed my driving exam, passed my bar exam, passed my finals,
    finished my phd, finished my degree, finished my studies, finished my master's, finished my masters,
    finished my apprenticeship, finished my residency, finished my thesis, lost my mother, lost my father,
    lost my mom, lost my mum, lost my dad, lost my brother, lost my sister, lost my husband, lost my wife,
    lost my grandmother, lost my grandfather, lost my grandma, lost my grandpa,
""")
"""What happened in a life."""

HOMES = lines_of("house, flat, apartment, home, condo, farm")
ADOPTED = lines_of("dog, cat, child, baby, puppy, kitten, son, daughter, boy, girl")
BROKEN = lines_of("leg, arm, wrist, ankle, hip, collarbone, foot, nose, hand, back")

NO_FAVOURITES = lines_of("""
    at the moment, part, thing, things, one, bit, memory, memories, way, piece, pieces, aspect, aspects, moment,
    moments, spot, ones, so far, line, lines, scene, scenes, option, options, version, versions,
""")
"""What is a favourite of the thing at hand."""

PURPOSES = lines_of("""
    save, avoid, ensure, keep, make, get, reduce, increase, improve, help, be, have, do, use, prevent, allow,
    create, build, focus, stay, maintain, manage, see, show, give, take, work, start, finish, meet, learn, let,
    maximise, maximize, minimise, minimize, achieve, cut, protect, support, boost, understand, my, your, our, the,
    this, it, a,
""")
"""Words after "to" that begin a purpose."""

DEEDS = lines_of("""
    eat, drink, smoke, vape, own, drive, date, see, teach, coach, run, practise, practice, wear, collect, gamble,
""")
"""What people stop doing for good."""

ANIMALS = lines_of(
    "meat, red meat, beef, pork, chicken, lamb, bacon, steak, fish, seafood, meat and fish, fish and meat"
)
"""What vegetarians do not eat."""

ANYTHING = "whatsoever"
"""Stands for any words in a sentence that is over: "User's wife whatsoever"."""

WHOLE_DEEDS = lines_of("smoke, vape, teach, coach, gamble")
"""Those of which everything is over: who quit teaching teaches no maths."""

GIVEN_UP = lines_of("""
    meat, red meat, all meat, alcohol, sugar, coffee, caffeine, dairy, gluten, fish, seafood, pork, beef, milk,
    soda, bread, carbs, chocolate, cheese, eggs, wine, beer, smoking, cigarettes, tobacco, nicotine, weed,
    social media, drinking,
""")
"""What people give up."""

PARTNERS = lines_of("wife, husband, fiancé, fiancée, fiance, fiancee, girlfriend, boyfriend")
GONE = lines_of("""
    died, dies, dead, dying, passed, death, funeral, late, ex, left, leave, leaving, lost, was, were, had, former,
    first, next, future, divorce, divorced, divorcing, separated, broke, break, breaking, split, cheated, buried,
    killed, murdered, used, ago, would, will, never, not, no, imaginary, fake, game, sims, story, movie, book, song,
    character, dream, dreamt, want, wanted, wish, become, became, find, meet, met, asked, if, when, should, could,
    maybe, said, says, write, review, imagine, pretend, suppose, be, like, call, called, poem, as, lol, haha,
""")
"""Partners; and words by which one may be no more, not yet, or somebody else's."""

ABSTRACT = lines_of("""
    it, this, that, the, any, error, errors, bug, bugs, why, how, what, point, reason, issue, problem, need,
    them, him, her, you,
""")
"""Words of what no longer happens to something at hand."""
