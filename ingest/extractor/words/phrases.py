"""Words and phrases that the rules must know to leave alone, as plain lists."""

from ingest.extractor.words.patterns import lines_of, spelt_out

VAGUE_ABROAD = lines_of("""
    es, das, so, que, qui, esto, eso, esta, este, ese, tu, tus, ti, lo, la idea, come, questo,
    questa, quello, suo, sua, het, dit, dat, jou, je, jouw, die, deze, isso, isto, essa, esse,
    você, seu, sua, muito, molto, mucho, idee, idea, vraag, quando, cuando, van, puedo, posso,
    nada, niente, todo, tutto, wel, niet, risposta, proposta, respuesta, resposta, antwoord,
    propuesta, sugerencia, suggerimento, plan, piano, stile, estilo, tono, testo, texto, tekst,
    nacht, team, huis, weekend, stress, moment, quale, cual, qual, wat, hoe,
""")
"""Words that mean nothing without what was said before, or are no thing to like."""

MOCKING = lines_of("""
    super, bravo, fantastico, ottimo, perfetto, genial, perfecto, ótimo, geweldig, fijn,
    haha, lol, sí claro, sí, claro que, jaja, jajaja, sì certo, certo come no, come no, scherzo,
    tuurlijk, ja hoor, grapje, até parece, aham, kkk, kkkk, rsrs, xd, millonario, millonaria,
    milionário, milionária, milionario, ironia, ironía, hoy, oggi, vandaag, hoje,
""")
"""Marks of sarcasm and laughter, and of what holds today only."""

JESTS_ABROAD = lines_of("""
    lunedì, maandag, maandagen, lunes, segunda, segundas, lavoro, werk, trabajo, trabalho,
    stupidità, estupidez, domheid, domme, riunioni, vergaderingen, vergaderen, meetings, reuniones,
    reuniões, scuse, smoesjes, excusas, bugie, leugens, mentiras, traffico, files, tráfico,
    atascos, trânsito, tasse, belasting, belastingen, impuestos, impostos, gente, mensen, idioten,
    idiotas, drama, sport, ochtenden, mattine, mañanas, sveglia,
""")
"""What people say in jest that they love or are allergic to."""

NO_LIKING = lines_of("""
    mine, yours, ours, theirs, nr, number, option, ya, u, y'all, yall, love, hate, it, 'em, em, me, us, he, she, they, him, one, ones, both, all, any, some, no, not, none, more,
    less, much, too, very, so, as, how, when, if, where, why, who, everybody, everyone, everything,
    nothing, neither, none, certain, just, someone, anything, anyone, other, another, such, each, every, either, also, two,
    three, out, off, up, down, of, for, with, about, on, in, at, again, or, and, is, are, never,
    only, to be, to hear, to know, to see, to ask, to say, to think, to believe, to get, to help,
    to understand, to thank, to point, to discuss, to add, to use, to create, to keep, to have,
    to avoid, to start, to change, to improve, to implement, to order, to meet, to join, to come,
    people, men, women, girls, boys, guys, many, most of, few, several, half of, to find, to request, to schedule, to return, to cancel, to check, to confirm, to apply,
    to share, to let, to mention, to complain, to call, to bother, to admit, to inform, to report, to tell, to talk, to show, to go for,
    to go with, to go ahead, to go back, seeing, hearing, knowing, having, getting, feeling,
    finding, thinking, looking, watching how, watching my,
""")
"""Beginnings of what is no stable thing to like."""

LIKABLE = lines_of("""
    beach, sea, ocean, mountain, mountains, outdoors, rain, snow, cold, heat, city, countryside,
    piano, guitar, violin, theater, theatre, woods, forest, sun, summer, winter, autumn, fall,
    desert, opera, gym, zoo, cinema, internet, warmth, wilderness, sunshine, 80s, 90s, 70s, 60s, night sky, dentist,
    smell of, taste of, sound of, great outdoors, arts, phone, radio, weekend, weekends, world, morning, beauty of, feeling of,
""")
"""What everybody knows with its article: the sea."""

VAGUE_THINGS = lines_of("""
    idea, fact, way, ways, sound, thought, look, looks, vibe, vibes, feeling, concept, approach,
    suggestion, suggestions, version, option, options, itself, example, project, projects,
    solution, ending, feature, layout, wording, tone, photo, photos of, pic, pics, picture,
    summary, explanation, plan, plans, advice, question, answer, result, emphasis, passion, energy,
    enthusiasm, attitude, perspective, creativity, different, kind, kinds, sort, sorts, thing,
    things, stuff, lot, lots, bit, part, same, new one, new ones, everyday, occasionally, better,
    best, most, opportunity, opportunities, challenge, challenges, his, her, hers, their, its,
    number, someone, somebody, people's, each other, one another, compliment, compliments, support,
    progress, memories, message, moment, moments, story, journey, detail, details, choice, choices,
    chance, is, are, was, were, has, make, makes, made, keep, keeps, been, will, can, going to,
    get, gets, does, did, him, themselves, yourself, himself, herself, one, ones, anything, everything, nothing, whatever,
    anyone, everyone,
""")
"""Words of what is liked of a thing at hand, and of sentences that ran on."""

LOOSE_ENDS = lines_of("""
    then, too, once, while, doing, playing, watching, trying, having, just, only, sometimes, often,
    always, after, more, before, since, around, together, about, of, with, in, at, on, from, for,
    to, between, by, near, under, over, like, the, a, an, my, very, so, really, who, whom, what,
    as much, straight, plain, anymore, unless, all, especially, particularly, mainly, specially, including,
    except, myself, a, others, else, ones,
""")
"""Words at which no phrase ends."""

JESTS = lines_of("""
    stupid, monday, mondays, work, people, drama, bullshit, exercise, stupidity, nonsense, failure,
    adulting, fun, morning, mornings, losing, feelings, meetings, responsibility, responsibilities,
    small talk, commitment, homework, money, idiots, cardio, everything, nothing, effort, it, that,
    this, them, something, anything, certain, many, love, happiness, kids, children, math, much,
    enough, at, in, on, with, out, late, alone, before, breakfast, lunch, dinner, there, here,
    well, right, like, as, for, more, less, too, what, and, or, another,
""")
"""What somebody is allergic to in jest, or does not eat only now."""

FANTASIES = lines_of("""
    cyborg, captain of the ship, commander of the ship,
    elf, elven, orc, dwarf, dwarven, wizard, sorcerer, sorceress, paladin, vampire, werewolf,
    dragon, dragons, kingdom, quest, tavern, goblin, mage, necromancer, starship, spaceship,
    warlock, hobbit, castle, potion, throne, wand, realm, galactic, alien, mars, moon base,
    time travel, time traveller, time traveler, superpower, superpowers, immortal, centuries,
    zombie, zombies, pirate, your majesty, m'lord, peasant, knight, princess, witch, detective,
    spy, assassin, mermaid, demon, angel, ghost, robot, android, superhero, villain, emperor,
    empress,
""")
"""Beings and things of tales."""

WORKED_ON = lines_of("""
    sample, samples, essay prompt, review, persona, grammar, caption, example, examples, template, prompt, lyrics, poem, song, quote, sentence,
    sentences, phrase, text, texts, paragraph, passage, excerpt, letter, email, e-mail, message,
    mail, essay, article, draft, story, script, dialog, dialogue, transcript, chat, log, logs, bio,
    resume, cv, statement, post, tweet, comment, advert, profile, tagline, slogan, monologue,
    speech, testimonial, input, output, says, said, wrote, writes, reads, sings, translation, mean,
    means, meaning, following, this, below, abstract, tldr, tl;dr, satz, frase, zin, testo, texto,
    texte, tekst, courriel, lettre, carta, lettera, brief,
""")
"""Texts that somebody wants to have worked on, or quotes, with what follows a colon."""

NO_EMPLOYERS = lines_of("""
    home, night, nights, day, noon, dawn, heights, height, sea, the moment, it, you, him, her,
    them, us, me, free, hire, now, fun, least, most, all, once, first, last, times, weekends, odd,
    minimum, peanuts, money, long, hours, years, months, weeks, days, my own, my desk, my best,
    my computer, my pace, my job, my place, my house, full, everyone, anyone, school, work,
    the best, the same, the office, the weekend, the time, the day, the night, the next, the other,
    the task, the problem, the project, the code, the issue, the gym, the end, the desk, the house,
    the library, the branch, the site, the second, the front, the back, the top, the age, a while,
    a few, a living, a new, a solution, a project, a way, a fix, a minute, a bit, a different,
    a time, a good, a nice, a better, a huge, a desk, a computer, a second, a job, a pace,
    a deadline, a profit, an hour, pace, speed, scale, capacity, risk, ease, peace, different,
    various, several, both, one, two, three,
""")
"""Beginnings of what somebody works at or for that is no employer."""

NO_ROLE_WITH = lines_of("""
    bad, terrible, slow, good, great, decent, fake, wannabe, aspiring, future, natural, born, such,
    huge, big, better, worse, fast, lousy, awful, mediocre, amateur, hobby, horrible, would-be,
    lazy, happy, sad, control, team, sister, silent, worst, best, tour, party, class, dog, cat,
    pet, plant, sole, secret, non, same, nervous,
""")
"""Words that make a role an opinion or a figure of speech."""

FILLERS = lines_of("""
    well, so, soo, oh, ohh, ok, okay, yeah, yeaah, yea, yes, yep, yup, no, nope, nah, hey, heyy,
    hi, hii, hello, haha, hahaha, lol, hmm, hmmm, um, umm, uh, uhh, ah, ahh, aw, aww, wow, ooh,
    omg, ugh, sure, thanks, thank you, anyway, anyways, actually, honestly, frankly, basically,
    btw, by the way, fyi, also, plus, and, but, then, because, cause, cuz, bc, since, although,
    though, while, whereas, besides, personally, tbh, to be honest, to be fair, in fact,
    just so you know, just fyi, as you know, as you may know, as you can see, firstly, secondly,
    lastly, first of all, you know, you know what, you see, i mean, i must say, i must admit,
    i have to say, i would say, i'd say, i would say that, i'd say that, that is great, that's great, thats great,
    that is awesome, that's awesome, thats awesome, that is cool, that's cool, thats cool, that is nice,
    that's nice, thats nice, i have to admit, i have to confess, i should add, i should mention,
    i should say, i should note, i should add that, i should mention that, i need to mention,
    i need to say, i need to mention that, i wanted to say, i wanted to mention,
    i just wanted to say, i just wanted to mention, i want to say, i want to mention,
    can i introduce myself, let me introduce myself, let me just introduce myself, good morning,
    good evening, good afternoon, good question, great question, nice question, great morning,
    nice to meet you, good to meet you, great to meet you, pleased to meet you, nice to see you,
    good to see you, nice to hear from you, good to hear from you, great to hear from you,
    correction, turns out, it turns out, turns out that, it turns out that, i found out,
    i just found out, i recently found out, i found out recently, i found out that, i learned,
    i just learned, i discovered, i discovered that, fun fact, big news, good news, bad news,
    great news, guess what, sorry, oops, for me, in my case, these days, nowadays, currently,
    right now, at the moment, lately, recently, luckily, fortunately, unfortunately, sadly,
    finally, of course, certainly, indeed, absolutely, exactly, same here, me too, right, true,
    again, still, now, i swear, for context, for reference, as for me, like, i am happy to say,
    i am proud to say, i am sad to say, i am thrilled to announce, i am happy to announce,
""")
"""Words before a statement that say nothing themselves."""

OWN_LABELS = lines_of("""
    context, background, backstory, about me, about myself, about us, info, information, note, notes, nb, n.b, update, updates, intro,
    introduction, news, newsflash, fact, facts, question, questions, problem, issue, reason, ps, p.s, pps, p.p.s, reminder, edit, tl;dr, tldr,
    summary, me, myself, us, situation, thing, things, long story short, story short, disclaimer, tonight, tomorrow, today, plan, plans, todo,
    from now on, important, urgent, heads up, warning, caution, attention, tw, clarification, correction, announcement, recap, bottom line,
    line, follow-up, followup, follow up, requirement, requirements, constraint, constraints, restriction, restrictions, task, request,
    requests, wish, preference, preferences, instruction, instructions, rule, style, tone, format, first, second, third, fourth, fifth, next,
    last, day, week, step, point, part, no, item, date, disclosure, confession, imo, imho, opinion, take, diary, journal, entry, spoiler,
    secret, truth, answer, detail, details, aside, tip, hint, random, topic, twist, use case, decision, change, deal, idea, goal, nutshell, same, this, brief, status, allergy, allergies, diet, health, diagnosis, condition, conditions, symptom, symptoms, medical, history,
    meds, medication, job, work, occupation, profession, role, career, employer, company, position, education, school, studies, degree,
    skills, experience, home, house, flat, location, address, city, town, country, origin, hometown, nationality, religion, age, birthday,
    height, weight, name, nickname, pronouns, gender, family, kids, children, pets, relationship, hobby, hobbies, interests, likes, dislikes,
    language, languages, food, meal, breakfast, lunch, dinner, snack, morning, noon, afternoon, evening, night, sport, sports, music, band,
    psa, rant, vent, title, major, university, illness, disability, intolerance, intolerances, needs, habits, tongue, birthplace, residence,
    place, living, siblings, vegan, pro, con, downside, upside, fwiw, afaik, iirc, icymi, eta, ot, talk, before, after, previously, past,
    goals, dream, dreams, reality, alert, achievement, milestone, outcome, conclusion, verdict, choice, option, proposal, suggestion,
    guidelines, rules, settings, config, default, catch, surprise, weather, sleep, fitness, workout, money, salary, income, rent, commute,
    phone, laptop, timezone, zone, availability, wedding, anniversary, pregnancy, move, moving, weekend, weekends,
    critical, careful, aware, additionally, moreover, however, meanwhile, therefore, thus, hence, otherwise, obviously, clearly, noting,
    mentioning, bonus, extra, life, finances, housing, importantly, stats, simple, mon, tue, wed, thu, fri, sat, sun, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec,
    help, advice, support, discussion, color, colour, type, travel, trip, holiday, vacation, setup, car, budget, schedule, routine, habit, favorites, favourites,
""")
"""What people write before a colon, alone or after other words, where their own words follow: notes and topics."""

ADVERBS = lines_of("""
    really, just, actually, also, still, currently, now, absolutely, totally, honestly, simply,
    truly, definitely, kinda, kind of, sort of, pretty much, especially, particularly, recently,
    finally, even, already, literally, personally, genuinely, quite, so, much,
    very much, very, obviously, certainly, too, both, all, fucking, freaking, super, originally,
    officially, proudly, happily, unfortunately, sadly, luckily, fortunately, strongly, fully,
    completely, newly, severely, extremely, deathly, highly, mildly, slightly, badly, terribly,
    rly, usually,
""")
"""Adverbs between a subject and its verb that change little."""

TAILS = lines_of("""
    lol, lmao, haha, hahaha, hehe, tbh, imo, btw, too, as well, also, though, tho, a lot, so much,
    very much, the most, you know, please, pls, thanks, thank you, xd, rn, right now,
    at the moment, atm, these days, nowadays, now, currently, lately, actually, honestly, really,
    by the way, for sure, indeed, of course, in fact, fyi, to be honest, again, nice to meet you,
    so far, finally, for real, seriously, believe it or not, already, personally, anyway,
    in general, more than anything, unfortunately, sadly, for context,
    for reference, for the record, with all my heart, from time to time, lor, lah, leh, lar,
""")
"""Words behind a statement that say nothing themselves."""

SUBJECTS = lines_of("""
    i, i'm, im, i've, ive, i'd, i'll, my, we, we'll, we're, we've, our, he, she, they, it, it's,
    its, that's, there, there's, you, your, you're, this, these, he's, she's, they're, the, people,
    everyone, everybody, my friends, all my friends, hes, shes, theyre, thats, theres, youre, u,
""")
"""Words with which a clause begins that has its own subject."""

ASKING = lines_of("""
    want anything, want me, want some, want to, wanna, who, what, what's, whats, when, where,
    which, why, how, how's, is, are, am, was, were, do, does, did, don't, can, could, should,
    shall, would, will, has, may i, any, isn't, aren't, right, ok, okay, anything, please, pls,
    recommend, suggest, give, tell, help, show, explain, write, make, find, let's, thoughts,
    got any,
""")
"""Words with which a clause begins that asks for something."""

OWN_VERBS = spelt_out("""
    am, was, work, live, have, love, like, hate, prefer, enjoy, study, studied, own, speak, moved,
    got, cannot, can't, do not, don't, dont, no longer, grew up, graduated, married, quit, left,
    dislike, adore, works, lives, has, loves, likes, hates, studies, speaks, is, joined, retired,
    started at, started working, go by, went freelance, <usually/currently/recently/really/now/still/also/never> like,
    <usually/currently/just/recently/really/now/still/also/never> <am/work/live/have/love/hate/moved/got/started/study>,
""")
"""Verbs of a clause that shares the subject of the one before."""

TASK_WORDS = lines_of("""
    word, words, word count, article, articles, essay, story, stories, character, characters,
    chapter, scene, code, function, functions, file, files, prompt, prompts, question, questions,
    answer, answers, task, tasks, part 1, part 2, part 3, section, sections, persona, model, models,
    output, outputs, input, inputs, data, table, tables, column, columns, paragraph, paragraphs,
    reader, readers, audience, blog, website, repo, script, scripts, variable, variables, class,
    classes, error, errors, conversation, example, examples, goal, goals, content, page, pages,
""")
"""What a note for the work at hand is about, and none about a person."""

REPORTED = lines_of("""
    if, when, whenever, unless, while, because, said, says, say, told, tells, wrote, read, learned,
    advice, rule, rules, tip, tips, should i, do i, would, people, they, he, she,
""")
"""What stands before an instruction and makes it a condition, a report or advice."""

HELPERS = lines_of("""
    expert, assistant, specialist, advisor, adviser, mentor, planner, guide, copywriter, proofreader,
    tutor, coach, counselor, counsellor, therapist, nutritionist, dietitian, dietician, psychologist,
    interviewer, recruiter, strategist, marketer, trainer, consultant, analyst, agent, helper, companion,
""")
"""What an assistant is asked to be besides the trades of people."""

SPEAKER_LABELS = lines_of("""
    user, human, customer, client, student, interviewer, interviewee, candidate, assistant, chatgpt,
    ai, bot, q, a, reporter, author, sender, submitter, respondent,
""")
"""What opens a line of a pasted conversation, as a first name does."""

OTHERS = lines_of("""
    boss, colleague, coworker, neighbour, neighbor, patient, guest, caller, landlord, chairman,
    president, mayor, minister, narrator, speaker, recruiter, tenant, friend, mate, pal, buddy, bestie, bff, bro, dude, ex, crush, date,
    guy, man, men, woman, women, lady, boy, girl, stranger, person, people, host, reviewer, commenter, poster, gp, everyone, anyone,
    ma, sis, love, honey, babe, lead, instance, description, study,
    system, page, site, website, web, forum, ticket, sign, result, document, doc, file, book, novel, blog, ad, thread, screenshot, pdf, pov,
""")
"""Somebody or something else, whose words follow the label."""

NO_FAVOURITES = lines_of("""
    on, in, at, of, for, with, about, when, to, how, if, definitely, probably, because, not, one, all, so, hard, also,
""")
"""Beginnings of what is no favourite by name."""

NEEDED = lines_of("""
    who, whom, whose, which, what, where, how, a lot of, here, there, when, whenever, if, unless, except,
""")
"""The beginning of a clause or condition that a liking needs."""

ONE_THING = lines_of("""
    fish and chips, rock and roll, mac and cheese, salt and pepper, arts and crafts, bed and breakfast,
    black and white, dungeons and dragons, law and order, rhythm and blues, pride and prejudice,
    war and peace, rick and morty, cookies and cream, sweet and sour, peace and quiet,
    friends and family, family and friends, drum and bass,
""")
"""What is one thing, although it has an "and"."""

MOMENTS = lines_of("""
    right now, at the moment, lately, currently, these days, today, tonight, this morning, this week,
    this weekend, so far,
""")
"""What makes a liking one of the moment."""

GREETINGS = lines_of("""
    hi, hello, hey, hallo, there, all, everyone, everybody, team, folks, good, morning, evening, afternoon, day,
    greetings, yes, well, thanks, ok, so,
""")
"""Words of a greeting, after which people say their name."""
