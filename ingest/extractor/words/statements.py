"""Words by which a statement is told from doubt, reports, questions and jokes, as plain lists."""

from ingest.extractor.words.patterns import lines_of, spelt_out

OPENERS = lines_of("""
    well, so, and, but, or, ok, okay, oh, even, hmm, hey, hi, hello, also, then, please, guess,
""")
"""Words before the first that counts."""

DOUBT_OPENINGS = lines_of("""
    if, unless, imagine, suppose, supposing, pretend, assume, assuming, what if, let's say, say, in case,
    for the sake of argument, for argument's sake, for the sake of the argument, as a thought experiment, thought experiment,
    let's assume, let us assume, lets say, lets assume, picture this, hypothetically, whether, had i, were i, should i, in another life, in my dream, in my dreams, i dreamt,
    i dreamed, i had a dream, had a dream, last night i dreamed, theoretically, wenn, falls, als ob,
    stell dir vor, imagina, imagine que,
""")
"""Beginnings of what is not so."""

DOUBTS = lines_of("""
    if, in case, as long as, unless, whether, would, could, might, as much as i, we are based, we're based, were based, we are located, we're located, we are currently based, sort of a, sort of an, kind of a, kind of an, maybe, perhaps, possibly, probably, wish,
    as though, supposedly, allegedly, hypothetical, hypothetically, i guess, i suppose, i doubt, i wonder,
    i assume, i imagine, i hope, i fear, i may, i think, i feel like, kind of like, kinda like, sort of like, not sure, unsure, no idea, should i,
    must be, may be, pretending, hardly, barely, as if, like i am, would've,
""")
"""Words in a clause that make it uncertain."""

PLAYED_OUT = lines_of("""
    stop, end of, end the, end this, end our, exit the, leave the, finish the, drop the, game over, no more, enough, quit, out of character, out of this role, back to reality, back to normal, for real,
    something else, a different topic, new topic, change the subject, be yourself, no longer,
""")
"""Words with which a part ends."""

WRITINGS = lines_of("""
    taglines, lyrics, text, texts, letter, letters, email, emails, e-mail, e-mails, essay, essays, article, paragraph,
    paragraphs, story, script, speech, statement, writing, passage, chapter, poem, testimonial, sentence,
    sentences, transcript, caption, draft, content,
""")
"""Texts that somebody wants to have worked on, in the messages to come."""

REPORTS = lines_of("""
    said, says, saying, say, told, tells, think, thinks, thought, claim, claims, claimed, believe, believes,
    believed, asked, asks, heard, replied, answered, wrote, writes, insist, insists, swear, swears, called me,
    calls me, texted, texts me, texts us, messaged, emailed, e-mailed, tweeted, tweets, posted, commented, announced, announces,
    whispered, shouted, yelled, goes like, quote, according to, sagt, sagte, dit, dice, dijo,
""")
"""Words after which somebody else speaks."""

SELF_REPORTS = lines_of("""
    said, say, told, heard, asked, believe, know, was told, call, called, wrote, texted, messaged, emailed, e-mailed, tweeted,
    posted, announced,
""")
"""What the speaker says of their own words."""

WRITING = lines_of("""
    wrote, writes, texted, texts, messaged, messages, emailed, e-mailed, posted, posts, tweeted, tweets, commented, replied, answered,
    typed,
""")
"""Words after which somebody else's "my" is not the speaker's."""

HELPERS_OF_ANOTHER = lines_of("""
    friend, carer, caregiver, caretaker, assistant, secretary, nurse, nanny, colleague, flatmate, roommate, housemate, aide, teacher, boss,
    manager, neighbour, neighbor, therapist, tutor, coach, mom, mum,
""")
"""Who may write for somebody, besides relatives."""

REMINDED = lines_of("""
    think, thought, think so, believe, forgot, forget, forgotten, know, knew, notice, noticed, wonder, wondered, wondering, care, cared,
    missed, miss, asks, wonders, cares, forgets, thinks, thinks so, remember, need to know, ask, asked, asking, curious, interested, were curious, confused,
""")
"""What a listener may have done with what is said."""

LIVED_YEARS = lines_of("""
    a, an, one, two, three, four, five, six, seven, eight, nine, ten, twenty, thirty, forty, fifty, several, few, many, recent, some, past,
    last, later, early, earlier, these, those, my, our, the, all, both, most, teenage, college, school, good, long, hundred,
""")
"""What stands between "in" and years of the calendar; "in dog years" is a joke."""

DOINGS = lines_of("""
    is, was, has, had, does, did, can, cannot, can't, will, do, don't, just, also, still, now, never, only, always, really, recently, got,
    left, quit, went, came, grew, became, took, found, made, taught, ran, won, lost, sold, bought, built, wrote, spoke, had to,
""")
"""Words with which somebody's deeds go on after the name of who they are to the speaker."""

QUESTION_OPENINGS = lines_of("""
    who, what, what's, whats, when, where, which, why, how, is, are, am, was, were, do, does, did, can, could,
    should, shall, would, will, has, have i, have you, may i, isn't, aren't, don't you, didn't, can't,
""")
"""Words with which a question begins."""

ASKED_TO_NOTE = spelt_out("""
    <can/could/will/would> you [please/just/also] <remember/note/keep in mind/save/store/make a note/note down> [for me/please],
""")
"""A question that asks to have a statement remembered."""

GRAND_ROLES = lines_of("""
    millionaire, billionaire, queen, king, president, pope, superman, batman, mind reader, superhero, god,
    santa, martian, rockstar, goddess, princess, made of money,
""")
"""What people say in jest that they are."""

JOKE_MARKS = lines_of("""
    jk, j/k, just kidding, only kidding, said no one, said nobody, just joking, only joking, i'm kidding, im kidding, i'm joking,
    im joking, not really, kidding, lol no, sarcasm, not!, psych!, as a joke, yeah right, as if!,
    nur spaß, war nur ein witz, je plaisante, es broma, es una broma,
""")
"""Marks of a joke."""

EDITS = lines_of("""
    translate, translation, proofread, proof-read, proofreading, correct, edit, rewrite, rephrase, reword,
    paraphrase, polish, summarise, summarize, summary, shorten, spellcheck, spell-check, grammar, improve this,
    improve the, better wording, sound better, more formal, more professional, more concise,
""")
"""What somebody wants to have done with their own words before it."""

TASKS = lines_of("""
    translate, translating, translation, proofread, proof-read, proofreading, correct, fix, edit, rewrite,
    rephrase, reword, retell, paraphrase, improve, polish, rate, evaluate, assess, summarise, summarize, summary, shorten, spellcheck,
    spell-check, review, critique, check, analyse, analyze, analysis, explain, reply, respond, convert, parse,
    format, classify, label, continue, complete, transcribe, transcript, transcription, grade, expand,
    simplify, debug, übersetze, übersetzen, übersetzung, korrigiere, korrigieren, verbessere, verbessern,
    traduis, traduisez, traduire, traduction, traduce, traducir, traducción, traduza, traduzir, traduci,
    tradurre, traduzione, tradução, corrige, corriger, corrigez, corrigir, corrija, corregir, correggi,
    correggere, reformule, reformuler, reformular, riscrivi, riscrivere, vertaal, vertalen, verbeter,
    verbeteren, herschrijf, réécris, réécrivez, riformula, reescribe, reescribir, reescreva, umschreiben,
    mejora, mejorar, melhora, melhore, umformulieren, herformuleer,
""")
"""What somebody wants to have done with a text."""

PARTS = lines_of("""
    behave as, behave like,
    lets pretend, lets play, lets roleplay, lets role play, dnd game, d&d game, dnd campaign, d&d campaign, simulate a,
    roleplay, role-play, roleplaying, role-playing, role playing game, act as, acting as, pretend to be,
    pretend that, pretend you, pretend i, pretend we, let's pretend, let us pretend, immerse yourself,
    interview practice, interview practise, mock interview, let's act, let's improvise, your character is,
    your role is, dungeonmaster, dungeon master, gamemaster, game master, let's play, text adventure,
    choose your own adventure, be my dungeon, be my game, you be the, you be a, you be my, you play the,
    you play a, you play my, play the role of, play the part of, my alter ego, stay in character,
    as if you are, as if you were, as though you are, as though you were, in this role,
    your persona, fanfic, fan fic, fanfiction, fan fiction,
""")
"""Words with which a part begins that lasts for the whole conversation."""

PRAISE = lines_of("""
    best, greatest, worst, lifesaver, life saver, life-saver, genius, star, superstar, legend, angel, hero, gem, treasure, godsend, saint, goat, man,
    boss, machine, bot, robot, chatbot, computer, program, model, language model, tool, ai, assistant, one, reason, help, listener, friend, pal, buddy,
    champ, champion, savior, saviour, joy, delight, wonder, rock, blessing, mess, liar, joke, fool, idiot, disappointment,
""")
"""What an assistant is called, and no part that it is given: "you are a lifesaver"."""

REAL_GAMES = lines_of("""
    chess, checkers, cards, poker, bridge, trivia, hangman, tic tac toe, tic-tac-toe, 20 questions, twenty questions, sudoku, scrabble, wordle, bingo,
    football, soccer, tennis, basketball, golf, music, outside, it by ear, it safe,
""")
"""What is played without a part."""

PLAYS = PARTS | lines_of("""
    ooc, imagine you, imagine i, imagine we, imagine that you,
    imagine that i, imagine that we, the riddle, this riddle, double my age, twice my age, half my age,
    as a customer, as another ai, let's say, let us say, dungeons and dragons, dungeons & dragons,
    from the perspective of, from the point of view of, as if i were, as though i were, let's practice,
    let's practise, improv, skit, a scene, npc, d&d, dnd, my oc, oc, backstory, protagonist, narrator,
    scenario, captain's log, character sheet, character name, character bio, my persona, in character,
    in-character, first person, first-person, once upon a time, say after me, repeat after me,
    greetings mortal, greetings mortals, greetings earthling, greetings earthlings, spiel die rolle,
    spiele die rolle,
""")
"""Words with which a part in a game begins."""

STORIES = lines_of("game, story, novel, book, movie, dream, campaign, scene, scenario, simulation")
FICTIONS = lines_of("story, tale, character, person, world, scenario, profile, dialogue")
"""What somebody tells a part or a world of: "in my novel", "a fictional person"."""

PERSONAL = lines_of("""
    i, i'm, im, i've, ive, my, we, our, me, he, she, they, it, his, her, its, remember, note, died, passed,
    canceled, cancelled, this, side, english, based, allergic, moved, love, hate, live, vegan, vegetarian,
    married, retired, got, just, born, working, flying, moving, not,
""")
"""Words of which every statement has one in which the rules find something."""

BESIDES = lines_of("""
    also, too, second, another, side, part time, part-time, weekend, weekends, temporary, temporarily, for now,
    sometimes, occasionally, used, between, both,
""")
"""Words of a value that is true beside others, or for a while."""

UNSAID = {
    "": lines_of("""
        moved to, moved back to, just moved to, just moved back to, got married, got engaged, got divorced,
        got fired, got laid off, just got married, just got engaged, just got divorced, just got fired,
        just got laid off, grew up in, graduated, just graduated, joined, just joined, quit, just quit, stopped,
        just stopped, don't eat, don't like, don't drink, do not eat, do not like, do not drink, work at,
        work as, work for, live in, speak,
    """),
    "am": lines_of("""
        based in, living in, working as, working at, working for, allergic to, married to, married with, single,
        vegan, vegetarian, diabetic, moving to, flying to, retired, originally from,
    """),
    "was": lines_of("born in, born on, born and raised in"),
}
"""Beginnings of a sentence whose "I" goes without saying, and of one whose "am" or "was" does too."""

GOT = lines_of("""
    to, married, divorced, engaged, promoted, laid, fired, hired, into, back, used, stuck, lost, rid, over,
""")
"""What follows "have got" where that is no "have"."""
