"""Relations of people, and words that are no names."""

from typing import Final

from ingest.extractor.words.lexicon import KIN
from ingest.extractor.words.patterns import lines_of

RELATIONS: Final = KIN | lines_of("""
    friend, best friend, mate, best mate, flatmate, roommate, housemate, room mate, flat mate, colleague, coworker,
    co-worker, workmate, boss, manager, supervisor, advisor, adviser, professor, teacher, tutor, mentor, coach,
    trainer, neighbour, neighbor, landlord, landlady, therapist, counsellor, counselor, doctor, dentist, gp, vet,
    lawyer, solicitor, accountant, business partner, co-founder, cofounder, labmate, classmate, teammate, ex, ex-husband,
    ex-wife, ex-boyfriend, ex-girlfriend, girlfriend, boyfriend, stepmum, godmother, godfather, assistant, intern,
    babysitter, nanny, hairdresser, physio, buddy, pal, bestie, team lead, line manager, client, physiotherapist,
    study partner, running partner, gym buddy, pen pal, penpal, bandmate, apprentice, pupil, student, cleaner,
    employee, editor, publisher, roomie, stepdad, stepmom, stepsister, stepbrother, sis, bro, nan, aunty, niece, nephew, prof, gran, thesis advisor, phd advisor, dance teacher, piano teacher, yoga teacher, childminder, midwife, builder, plumber, electrician, agent, cofounder, deputy, trainee, lodger, tenant, sponsor, pastor, rabbi, priest, imam, captain, head of department, team leader,
    psychiatrist, psychologist, driving instructor, instructor, fiancé, fiancée, soulmate,
""") - lines_of("baby, newborn, toddler, twin, child, kid")
"""Relations of one person to another."""

NEVER_NAMES: Final = lines_of("""
    i, i'm, i've, i'll, i'd, the, a, an, and, but, or, is, was, has, had, will, would, can, could, said, says, who, that, he,
    she, they, it, we, you, your, his, her, my, our, their, in, on, at, to, for, with, from, of, about, by, as, if, when, then,
    also, just, so, not, no, yes, ok, okay, lol, haha, omg, god, jesus, christ, facebook, instagram, whatsapp, discord, twitter,
    google, english, american, french, german, spanish, italian, chinese, japanese, korean, indian, please, thanks, hi, hello,
    how, what, why, where, which, do, does, did, are, am, were, gave, told, got, went, loves, likes, wants, makes, works,
    id, cv, dm, pc, dvd, lives, really, always, never, now, today, tomorrow, yesterday, monday, tuesday, wednesday, thursday, friday, saturday,
    sunday, january, february, march, april, june, july, august, september, october, november, december, christmas, easter,
    mom, mum, dad, mother, father, sister, brother, ai, chatgpt, siri, alexa, uk, us, usa, tv, dm, pm, am, phd, dr, mr, mrs, ms, last, next, this, sorry, oh, well, yeah, its, anyway, anyways, luckily, however, basically, plus, besides, apparently, currently, sometimes, whenever, though,
    because, since, while, after, before, even, only, hey, yep, yup, nope, lmao, dude, bro, man, unfortunately, fortunately, tonight, good, great, nice, cool, sure, true, right, wow, doctor,
""")
"""Words that begin with a capital after a relation and name nobody."""

TITLES: Final = (
    "(?:Dr|Prof|Professor|Mr|Mrs|Ms|Miss|Frau|Herr|Madame|Monsieur|Señor|Señora|Auntie|Aunt|Uncle)"
)
"""Titles before a name."""
