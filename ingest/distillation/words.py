"""The words that the rules of distillation know, as plain lists.

A word that is missing costs a record that is not made; a wrong one makes a false record.
"""

from typing import Final

from ingest.extractor.words.lexicon import KIN
from ingest.extractor.words.patterns import lines_of

ERRANDS: Final = lines_of("""
    call, call back, phone, ring, email, e-mail, mail, message, text, write to, write back, reply, respond,
    answer, send, send back, send off, forward, post, ship, return, bring, bring back, give back, pay, pay back,
    transfer, wire, reimburse, refund, book, rebook, reserve, schedule, reschedule, cancel, order, buy, pick up,
    drop, drop off, fetch, collect, renew, extend, apply for, register, sign, sign up, submit, hand in, turn in, file,
    finish, complete, repair, fix, clean, wash, water, print, confirm, remind, review, prepare, arrange, organise,
    organize, deliver, upload, refill, replace, vote, return, mow, paint, pack, grade, mark, hang, install,
    make an appointment, make a reservation, make the appointment, make the reservation, set up, fill out, fill in,
    find out, talk to, speak to, speak with, talk with, get back to, tell, let, ask, check with, sort out, bake,
    take back, take out, put in, rsvp, report, update, translate, proofread, edit, practise, practice, study for,
    revise, decide, do, invoice, contact, follow up, feed, walk, vacuum, iron, charge, back up, top up, hand over,
    pick, drop round, take, get, return, write, draft, phone up, ring up, look up, meet, visit, see, read, move,
    chase, lend, show, introduce, cook, clarify, choose, teach, frame, go through, give, type up, write up, hand over, hang, swap, attend, water,
    drop around, take over, pass on, put together, collect, measure, defrost, descale, service, order, look after, babysit, host, run, present,
""")
"""Verbs of tasks that a person can finish."""

SENT: Final = lines_of("""
    call, call back, phone, ring, email, e-mail, mail, message, text, write to, write back, reply, send,
    send back, forward, post, ship, return, bring, bring back, give back, pay, pay back, transfer, wire, drop,
    drop off, drop round, book, order, buy, pick up, fetch, collect, fix, repair, let, get back to, remind,
    reserve, ask, tell, check with, talk to, speak to, deliver, cancel, sign up, submit, hand in, turn in, renew,
    finish, arrange, organise, organize, schedule, confirm, lend, bake, contact, follow up, phone up, ring up, update,
    introduce, teach, give, pass on, hand over,
""")
"""Verbs that promise something after "I'll", where others only say what comes next."""

VAGUE_VERBS: Final = lines_of("""
    do, get, take, tell, let, ask, see, meet, read, move, write, draft, help, show, pick, check with, visit, set up,
    walk, cook, practise, practice, prepare, edit, review, update, find out, translate, proofread, install,
    replace, print, report, complete, finish, charge, feed, drop, mark, look up, study for, decide, upload, pack,
    give, choose, teach, frame, go through, type up, attend, run, present, host, hang, measure, collect, answer, respond, text, return, clean, wash, order, fix, file, submit, register, change, post, confirm,
    extend, sign, review, paint, vote, revise, schedule, hang, deliver, collect,
""")
"""Verbs that bind only with something of the speaker's own, a person, or a day."""

NO_ERRANDS: Final = lines_of("""
    be, go, get, have, sleep, eat, leave, think, know, say, admit, try, start, stop, feel, see, want, like, look, wait, stay, live, come, keep, work, learn,
    understand, use, create, build, implement, find, make, wake, drink, rest, run, hurry, head, drive, remember, believe, become, pass, lose, win, deal,
    watch, play, listen, hear, love, hate, wear, change, add, remove, generate, insert, explain, improve, focus, stick, catch, hit, beat, kill, die, grow,
    avoid, save, spend, earn, adjust, consider, figure, hold, turn, put, set, cut, break, fight, quit, give, show, follow, relax, calm, sit, stand, walk,
    point, note, mention, agree, confess, wonder, share, provide, act, face, accept, reach, enter, type, click, select, enable, run, test, debug, handle, begin,
    continue, log, clock, speak, concentrate, survive, cope, move, fly, travel, marry, study, train, graduate, miss, join, host, apologise, apologize, need,
""")
"""Verbs of what people need without a task: those that are no errand unless they stand in a list above."""

NO_TASKS: Final = lines_of("""
    function, functions, code, script, query, table, column, api, regex, class, classes, method, variable, array, string, json, html, css, sql,
    database, loop, error, errors, endpoint, request, requests, component, module, server, prompt, prompts, output, input, instruction,
    instructions, command, commands, example, examples, question, questions, information, info, data, dataset, message, messages, text, texts,
    paragraph, paragraphs, sentence, sentences, segment, segments, character, characters, story, stories, scenario, role, word, words, topic,
    topics, items, article, articles, summary, transcript, context, details, content, following, below, above, game, level, points, response,
    responses, answers, numbers, value, values, parameter, parameters, rows, row, cell, cells, url, urls, thread, threads, step, steps, title,
    titles, keyword, keywords, product, model, models, python, javascript, excel, formula,
""")
"""Words of a task for the assistant itself, or of a program."""

NO_TOPICS: Final = lines_of("""
    mind, attention, life, sense, hell, god, jesus, lord, world, love, heart, soul, sleep, shit, ass, fuck, sex, dick, advantage, care, chance, risk,
    credit, break, nap, shower, bath, seat, moment, second, minute, while, breath, hint, clue, smile, secret, chance, try, hug, kiss, joke, truth, lie, it, this, that, them, something, anything,
    everything, stuff, things, more, less, better, ready, up, out, over, off, on, back, away, rid, used, some, any, one, so, well, good, bad, work, there,
    here, home, to sleep, together, him, her, you, u, me, us, what, how, why, which, who, whatever, all, both, enough, for, with, at, of, myself, yourself, about, it's,
""")
"""Words with which no task begins that stands alone."""

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
    mom, mum, dad, mother, father, sister, brother, ai, chatgpt, siri, alexa, uk, us, usa, tv, dm, pm, am, phd, dr, mr, mrs, ms,
""")
"""Words that begin with a capital after a relation and name nobody."""

TITLES: Final = (
    "(?:Dr|Prof|Professor|Mr|Mrs|Ms|Miss|Frau|Herr|Madame|Monsieur|Señor|Señora|Auntie|Aunt|Uncle)"
)
"""Titles before a name."""
