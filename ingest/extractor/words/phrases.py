"""Words and phrases that the rules must know to leave alone, as plain lists."""

from ingest.extractor.words.patterns import lines_of

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
    it, 'em, em, me, us, he, she, they, him, one, ones, both, all, any, some, no, not, none, more,
    less, much, too, very, so, as, how, when, if, where, why, who, everybody, everyone, everything,
    nothing, someone, anything, anyone, other, another, such, each, every, either, also, two,
    three, out, off, up, down, of, for, with, about, on, in, at, again, or, and, is, are, never,
    only, to be, to hear, to know, to see, to ask, to say, to think, to believe, to get, to help,
    to understand, to thank, to point, to discuss, to add, to use, to create, to keep, to have,
    to avoid, to start, to change, to improve, to implement, to order, to meet, to join, to come,
    to find, to request, to schedule, to return, to cancel, to check, to confirm, to apply,
    to share, to let, to mention, to inform, to report, to tell, to talk, to show, to go for,
    to go with, to go ahead, to go back, seeing, hearing, knowing, having, getting, feeling,
    finding, thinking, looking, watching how, watching my,
""")
"""Beginnings of what is no stable thing to like."""

LIKABLE = lines_of("""
    beach, sea, ocean, mountain, mountains, outdoors, rain, snow, cold, heat, city, countryside,
    piano, guitar, violin, theater, theatre, woods, forest, sun, summer, winter, autumn, fall,
    desert, opera, gym, zoo, cinema, movies, internet, 80s, 90s, 70s, 60s, night sky, dentist,
    smell of, taste of, sound of, great outdoors, arts,
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
    someone, somebody, people's, each other, one another, compliment, compliments, support,
    progress, memories, message, moment, moments, story, journey, detail, details, choice, choices,
    chance, is, are, was, were, has, make, makes, made, keep, keeps, been, will, can, going to,
    get, gets, does, did, him, themselves, yourself, himself, herself, one, ones,
""")
"""Words of what is liked of a thing at hand, and of sentences that ran on."""

LOOSE_ENDS = lines_of("""
    then, too, once, while, doing, playing, watching, trying, having, just, only, sometimes, often,
    always, after, more, before, since, around, together, about, of, with, in, at, on, from, for,
    to, between, by, near, under, over, like, the, a, an, my, very, so, really, who, whom, what,
""")
"""Words at which no phrase ends."""

JESTS = lines_of("""
    monday, mondays, work, people, drama, bullshit, exercise, stupidity, nonsense, failure,
    adulting, fun, morning, mornings, losing, feelings, meetings, responsibility, responsibilities,
    small talk, commitment, homework, money, idiots, cardio, everything, nothing, effort, it, that,
    this, them, something, anything, certain, many, love, happiness, kids, children, math, much,
    enough, at, in, on, with, out, late, alone, before, breakfast, lunch, dinner, there, here,
    well, right, like, as, for, more, less, too, what,
""")
"""What somebody is allergic to in jest, or does not eat only now."""

FANTASIES = lines_of("""
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
    grammar, caption, example, examples, template, prompt, lyrics, poem, song, quote, sentence,
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
    various, several, both, two, three,
""")
"""Beginnings of what somebody works at or for that is no employer."""

NO_ROLE_WITH = lines_of("""
    bad, terrible, slow, good, great, decent, fake, wannabe, aspiring, future, natural, born, such,
    huge, big, better, worse, fast, lousy, awful, mediocre, amateur, hobby, horrible, would-be,
    lazy, happy, sad, control, team, sister, silent, worst, best, tour, party, class, dog, cat,
    pet, plant, sole, secret, non, same, nervous,
""")
"""Words that make a role an opinion or a figure of speech."""
