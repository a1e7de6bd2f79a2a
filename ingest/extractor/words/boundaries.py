"""Words at which a phrase ends, and words that stand around one, as plain lists."""

from ingest.extractor.words.patterns import lines_of, spelt_out

CUTS = lines_of("""
    because, but, although, though, when, whenever, while, whereas, which, who, whom, whose, except, unless,
    among others, despite, thanks to, due to, in order to, so that, therefore, hence, if, btw, than, too, as well, either,
    a lot, so much, very much, the most, since i, since my, since we, since it, since they, since he, since she,
    since the, since that, since there, as i, as it, as they, as we, as my, as you, until i, until my, until we,
    until they, until it, until all, after i, after my, after we, after they, after it, after all, before i,
    before my, before we, before they, before it, before all, where i, where my, where we, where they, where it,
    where all, cause i, cause my, cause we, cause they, cause it, cause all, ever since, even if, even though,
    even when, and i, and my, and we, and it, and they, and he, and she, and that, and this, and you, and there,
    and then, and now, and so, and am, and have, and can, and want, and need, and would, and will, and was,
    and is, and are, and with, so, and hes, and shes, and its, and theyre, and im, and ive, and thats, and theres,
    and u,
""")
"""Beginnings of a reason, a condition or another clause."""

ASIDES = lines_of("""
    so, and so, right, you, he, she, they, it, we, i, please, any, too, just, already, then, now, not, always,
    been, thanks, help, what, how, where, especially, particularly, mostly, including, can, could, let, give,
    tell, sorry, like, such as,
""")
"""Beginnings of what follows a comma and is no part of the phrase."""

LATELY = lines_of("""
    now, lately, already, currently, again, these days, nowadays, at the moment, right now, today, though,
    actually, haha, hahaha, lol, tho, as a kid, also, by the way, from time to time, btw, anyway, then, here,
""")
"""Ends of a phrase that say nothing of its thing."""

MONTHS = lines_of("""
    january, february, march, april, may, june, july, august, september, october, november, december,
""")

FOND = lines_of("""
    own, other, older, younger, little, big, twin, oldest, youngest, eldest, middle, new, old, late, first,
    second, only, step, half, adopted, foster, maternal, paternal, great, beloved, sweet, beautiful, lovely,
    dear, rescue, baby, teenage, adult,
""")
"""Adjectives before a relative, which stay with them."""

COUNTS = lines_of("""
    a, an, no, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
    fifteen, sixteen, seventeen, eighteen, nineteen, twenty, twin, several, my, our, another,
""")
"""How many relatives or pets somebody has."""

LOOKS = lines_of("""
    older, younger, little, big, twin, grown, adult, small, young, old, new, step, half, black, white, brown,
    grey, gray, ginger, orange, tabby, golden, german, border, french, english, rescue, pet, tiny, fluffy,
    beautiful, lovely, adorable, wonderful, sweet, mixed, mix, siamese, persian, teenage, wild, indoor, outdoor,
    foster, adopted, bearded, guinea, labrador, husky, shepherd, identical, biological, own,
""")
"""Adjectives before a relative or pet that somebody has."""

AFTER_KIN = lines_of("""
    and, but, who, that, so, at home, at the moment, now, too, together, with my, with him, with her, with whom,
    back home, from my, from a, from our, aged, ages, of my own, which, as well, because, here, in total,
    already, named, called, living, last, this, yesterday, today, on, in 19, in 20, recently, for, since,
""")
"""What may follow a relative or pet that somebody has."""

NO_PLACES = MONTHS | lines_of("""
    my, our, your, python, javascript, java, excel, sql, english, react, google, github, monday, tuesday,
    wednesday, thursday, friday, saturday, sunday, christmas, easter, heaven, hell, mars, narnia, hogwarts,
    god, airbnb, airbnbs, plan, option, step, version, part, phase, chapter, page, covid, i, it, hi,
""")
"""What follows "in" or "to" with a capital letter and is no place."""

AFTER_PLACES = lines_of("""
    with, since, near, now, and, because, on my own, alone, by myself, all my life, my whole life,
    my entire life, most of, originally, myself, together, at the moment, these days, permanently, area,
    as a, as an, full time, full-time, part time, part-time, currently, right now, too, though, so, but, where,
    which, again, here, until i, born,
""")
"""What may follow the place where somebody lives."""

EVERYDAY = lines_of("""
    gym, store, stores, shop, shops, bank, mall, office, supermarket, bed, toilet, bathroom, class, meeting,
    call, starbucks, walmart, costco, ikea, target, groceries, lunch, dinner, breakfast, page, section, chapter,
    step, zoom, part, version,
""")
"""Where people go every day, and what is no place to travel to."""

CLUBS = lines_of("""
    association, club, society, group, party, church, facebook, discord, reddit, instagram, twitter, army, navy,
    league, gym, choir, band, tinder, class, course,
""")
"""What people join or leave and do not work at."""

NO_FIELDS = lines_of("""
    every, hard, at, in, for, with, the, a, an, about, how, abroad, on, from, too, online, together, to, harder,
    longer, better, faster, less, best, most, well, daily, my, him, her, them, me, you, people, kids, us, and,
    all, more, some, here, there, undecided, after, afterwards, before, then, later, now, again, tonight, today,
    tomorrow, alone, right,
""")
"""What follows "study" or "teach" and is no field."""

COLLEGES = lines_of("""
    university, college, school of, academy, institute, high, high school, yale, harvard, stanford, oxford,
    cambridge, princeton, berkeley,
""")
"""Words of the names of schools."""

HOW_SPOKEN = lines_of("""
    at home, at work, natively, fluently, well, perfectly, badly, with my, because, as my, as a, every,
""")
"""What follows a language that somebody speaks."""

HOW_WELL = lines_of("""
    fluent, fluently, some, a bit, a bit of, a little, a little of, conversational, basic, broken, both, decent,
    native, intermediate, good, only,
""")
"""What stands with a language that somebody speaks."""

OF_NATION = lines_of("""
    half, part, a, an, the, citizen, national, by birth, born, and, native, quarter, originally, woman, man, guy,
    girl, expat,
""")
"""What stands with a nation that somebody is of."""

TRADE_ENDINGS = lines_of("""
    ologist, ographer, smith, keeper, maker, worker, teacher, engineer, developer, designer, analyst, therapist,
    scientist, specialist, technician, instructor, programmer, manager, producer, seller, driver, attendant,
    representative, rep, agent, officer, assistant, owner, guard, operator, consultant, practitioner, executive,
    associate, professional, fellow, major, personnel, supervisor, coordinator, inspector, explorer, historian,
    partner,
""")
"""Ends of the names of trades."""

AFTER_ROLES = lines_of("""
    at, for, in, of, with, from, on, by, based, living, working, here, to, turned, during, since, near,
    majoring, studying, myself, trying, looking, over, about, like, under, between, without, against, into,
    after, before, through, specialising, specializing, specialised, specialized, specialise, specialize,
    focusing, focused, focussed,
""")
"""Words at which the name of a trade ends."""

AFTER_EMPLOYERS = lines_of("""
    since, now, back, to join, to work, to start, to become, to pursue, focusing, focused, specialising,
    specializing, where, that, and i, and my, and we, and it, and live, and have, and am, when, while, currently,
    doing, as, there, these, right now, full time, full-time, part time, part-time, remotely, last, this, next,
    downtown, starting, on call, for good, early this year, early this month, early last, early in, earlier this year,
    earlier this month, late last year, late in, after university, after uni, after college, after graduation, after graduating, at christmas, at easter,
""")
"""Words at which the name of an employer ends."""

POINTING = lines_of("""
    this, that, these, those, it, its, them, him, her, his, their, here, there, above, below, something, someone, you, your, stuff,
    thing, things, everything, which, what,
""")
"""Words that mean nothing without what was said before."""

POINTING_ALONE = spelt_out("""
    this, that, these, those, it, its, he, she, him, his, her, hers, here, there, you, your, yours, theirs, i, we, us, our, something,
    stuff, <new/old/other/same/good/better/big/small/last/first/different> one, ones, etc,
""")
"""The same in a sentence about a user or relative, which may say "their"."""

DANGLING = lines_of("""
    a, an, the, my, their, his, her, of, in, on, at, to, from, for, with, by, about, into, over, than, and, or, but, because, so, that,
    which, who, whose, when, while, if, as, very, really, not, is, are, was, has, does, every, each, no,
""")
"""Words with which no whole sentence ends."""

UNREAL = lines_of("""
    if, maybe, perhaps, imagine, suppose, wish, pretend, would, character, story, novel, movie, film,
""")
"""What makes doubtful or invented who is named in passing."""

NO_NOUNS = lines_of("""
    in, on, at, of, to, from, for, with, by, about, into, and, or, but, is, are, was, has, a, an, the, than, over, until, since,
""")
"""What stands behind no article."""

OF_LIKING = lines_of("""
    really, absolutely, still, now, currently, always, just, totally, truly, generally, usually, especially, strongly, mostly, very much,
""")
OF_KIN = lines_of("""
    also, just, really, still, now, currently, actually, recently, always, finally, both, all, already, usually, too,
""")
"""Adverbs before what somebody likes, and after a relative."""

NO_TOWNS = lines_of("""
    home, town, fear, hope, peace, poverty, harmony, luxury, debt, exile, hell, sin, isolation, denial, pain, suburbia, housing,
""")
NO_FIRMS = lines_of("""
    night, nights, home, day, noon, dawn, weekends, free, fun, sea, height, heights, times, all,
""")
PARTS_OF_FIRMS = lines_of("office, branch, department, site, weekend, weekends")
"""What somebody lives in or works at that is no place or employer by name."""

OF_ILLNESS = lines_of("""
    bad, severe, mild, chronic, terrible, some, a bit of, exercise-induced, exercise induced, early-onset, early onset, seasonal,
""")
DISORDERS = lines_of("allergy, allergies, intolerance, disorder, syndrome")
"""What stands before an illness, and nouns that make one of other words."""

GOING_ON = lines_of("""
    and, but, so, because, with, for, after, at, since, when, where, from, year, years, recently, now, in, on, by, about, as, to,
""")
"""How a sentence goes on that was complete."""

AFTER_NAMES = lines_of("""
    -, –, from, and, but, nice, pleased, what, how, who, as, now, I, i, not, with, your, spelled,
""")
BEFORE_DATES = lines_of("""
    to, on, in, at, this, during, around, back in, back on, about, by, until, till, since, before, after, from, for,
""")
AFTER_ILLNESSES = spelt_out("""
    in <my/both/one>, since, from, for, when, at, last, this, as, a, two, three, years, earlier, recently,
""")
SCHOOLS = lines_of("university, college, school, academy, institute")
"""What stands around names, dates and illnesses, and kinds of schools."""

VISITS = spelt_out("for <the/a/this/my/vacation/holiday/holidays/now/only/just/one>")
STAYS = spelt_out("for <work/business/school/college>")
FOR_A_WHILE = lines_of("temporarily, until, till, this week, tonight, today, next week, next month")
"""What makes a place one to visit, or to stay in for a while."""
