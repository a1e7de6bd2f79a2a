"""The words of requests, as plain tables."""

from ingest.extractor.words.patterns import lines_of

POLITE = lines_of("""
    please, pls, plz, kindly, hey, hi, hello, oh, ok, okay, actually, also, and, but, so, then, now, just, no, wait, sorry, well, yes, thanks,
    could you, can you, would you, will you, you can, you may, you could,
    you should, you must, you have to, you need to, i want you to, i need you to, i would like you to, i'd like you to,
    i would prefer you to, i'd prefer you to, i asked you to, i am asking you to, i'm asking you to, i beg you to,
    go ahead and, feel free to, completely, totally, strictly, simply, again, by the way, btw, one more thing, in fact,
    por favor, alsjeblieft, per favore,
""")
"""Words before a request that belong to it."""

NOT = lines_of("""
    don't, dont, do not, please don't, never, not, you don't need to, you do not need to, you don't have to, you do not have to,
    you needn't, you shouldn't, you should not, you must not, you mustn't, you cannot, you can't, i don't want you to, i do not want you to,
    i'd rather you didn't, i would rather you didn't, i'd rather you did not, i'd prefer you didn't, i would prefer you didn't,
    i'd prefer that you didn't, i'd rather you not, i'd prefer you not, no need to, there's no need to, there is no need to,
    let's not, better not, i'd appreciate it if you didn't, i would appreciate it if you didn't,
""")
"""Beginnings of what the memory is not to do."""

REMEMBER = lines_of("remember, memorise, memorize")
KEEP = REMEMBER | lines_of(
    "store, save, record, log, keep, retain, note, write down, note down, commit to memory"
)
"""Verbs for the work of a memory."""

FORGET = lines_of("forget, delete, erase, remove, wipe, scrub, purge")
"""Verbs for the end of a memory."""

PLACES = lines_of("""
    memory, your memory, the memory, long-term memory, your long-term memory, memories, your memories, your records, your notes, your database,
    your mind, your head, your profile of me, your storage, file, record, your data, your history, this app's memory,
""")
"""Names of the memory."""

SAYING = lines_of(
    "said, told you, have said, have told you, 've said, 've told you, mentioned, have mentioned, wrote, shared, say, tell you, told, typed"
)
"""Verbs for the telling of the speaker."""

KNOWING = lines_of(
    "know, remember, have, stored, saved, learned, learnt, noted, have stored, have saved, have noted, recorded, kept, keep, store"
)
"""Verbs for the knowledge of the memory."""

ALL = lines_of(
    "what, whatever, everything, anything, all, all that, everything that, anything that, all of what, the things, the stuff, all the things, the thing"
)

RECORDS = lines_of(
    "the memory, the memories, your memory, your memories, all memories, all the memories, any memory, any memories, the note, the notes, your notes, the fact, the facts"
)
"""Names of single memories."""

THINGS = {
    "address": lines_of("address, home address, street address, postal address, mailing address, exact address"),
    "phone": lines_of("phone, phone number, telephone number, mobile number, cell number, cell phone number, mobile phone number, telephone"),
    "mobile": lines_of("mobile, mobile number, cell number, phone number, mobile phone number, cell phone number"),
    "e-mail": lines_of("e-mail, email, e-mail address, email address, mail address"),
    "name": lines_of("name, real name, full name, first name"),
    "last name": lines_of("last name, surname, family name, full name"),
    "nickname": lines_of("nickname"),
    "age": lines_of("age"),
    "birthday": lines_of("birthday, birth date, birthdate, date of birth"),
    "year of birth": lines_of("year of birth, birth year, age, date of birth"),
    "home": lines_of("home, home town, hometown, city, place of residence, location, whereabouts"),
    "job/employer": lines_of("job, work, employer, workplace, company"),
    "job/role": lines_of("job, work, profession, occupation, job title"),
    "school": lines_of("school, university, college, studies"),
    "nationality": lines_of("nationality, citizenship"),
    "mother tongue": lines_of("mother tongue, native language"),
    "diet": lines_of("diet, eating habits"),
    "relationship": lines_of("relationship, marriage, marital status, relationship status, love life, divorce, engagement"),
    "children": lines_of("children, kids, family"),
    "religion": lines_of("religion, faith"),
    "weight": lines_of("weight"),
    "height": lines_of("height"),
    "pronouns": lines_of("pronouns"),
    "gender": lines_of("gender"),
}  # fmt: skip
"""Names of what a slot holds, by the slot without its subject."""

KINDS = {
    "health": lines_of("health, medical history, illnesses, illness, medical condition, medical conditions, conditions, diagnosis, diagnoses"),
    "work": lines_of("work, job, career"),
    "relation": lines_of("family, relatives"),
}  # fmt: skip
"""Names of the kinds of memories, by their tags."""

ITS = lines_of(
    "this, that, these, those, any of this, any of that, all this, all that, all of this, all of that, this information, that information, this info, that info, this conversation, this chat, this message, this part, that part, this fact, this detail, anything i say, anything i say here, anything i tell you"
)
SAID = lines_of(
    "what i just said, what i said, what i just told you, what i told you, what i have told you, that last part, what i just mentioned"
)
"""Names of what was said in this turn, and of what was said in the one before."""

MOMENTS = lines_of(
    "for a second, for a moment, for a minute, for now, for once, for today, for a bit, for a while, for the sake of, for the example, for this, for the moment, for the purpose, for the exercise, for argument's sake, for one, just now, when you, while you"
)
"""A while for which something is set aside, which forgets nothing."""

EMPTY = lines_of(
    "a, an, the, my, our, his, her, their, in, of, on, at, to, for, with, and, or, this, that, being, having, is, am, about, from, old, new, whole, any, all, me, us, i, we, myself, ourselves, everything, anything"
)
"""Words of a topic that name nothing."""

TASKS = lines_of("""
    explain, tell, answer, give, help, write, imagine, pretend, act, talk, treat, let's, show, make, try, assume, suppose, describe, speak, use, list,
    recommend, suggest, teach, read, look, think, consider, focus, go, plan, cook, find, compare, say, start, continue, do, keep, be,
""")
"""Verbs of a task for which something is put aside."""

ABROAD = lines_of("""
    onthoud dit niet, onthoud dat niet, dit niet onthouden, niet onthouden, sla dit niet op, sla dat niet op, bewaar dit niet, bewaar dat niet,
    non ricordare questo, non ricordarlo, non memorizzare questo, non memorizzarlo, non salvare questo, non salvarlo, non registrarlo,
    não guarde isso, não guarde isto, não guardes isso, não guardes isto, não salve isso, não lembre disso, não memorize isso, não registre isso,
    no guardes esto, no guardes eso, no lo guardes, no recuerdes esto, no recuerdes eso, no lo recuerdes, no memorices esto, no lo memorices, no registres esto,
""")
"""Requests in Dutch, Italian, Portuguese and Spanish that nothing is made of a turn."""
