"""Phrases with which people take back or correct what they said, as plain lists.

`<a/b>` is one of these, `[a/b]` one of these or none.
"""

from ingest.extractor.words.patterns import spelt_out

UNTRUE = spelt_out("""
    <that was/it was/this was/that's/it's/that is/it is> [just/only/all] <a joke/a bad joke/a silly joke/made up/sarcasm>,
    <that was/it was/this was> [just/only/all] <a lie/a test/a test message>, <that was/it was> not true, <that/it> wasn't true,
    [i was/i'm/im/i am/was] [just/only] <joking/kidding/messing with you/pulling your leg/being sarcastic> [around/before/earlier],
    i was [just] lying [to you], i was lying before, i lied to you, i [just] made that up, jk,
""")
"""What says of all that was said before that it is untrue."""

WRONG = spelt_out("that's a lie, that was wrong")
APOLOGIES = spelt_out("sorry, my bad, my mistake")
"""What may answer the assistant, and with what behind it is about one's own words."""

CONFESSIONS = spelt_out("i lied, i [just] made it up")
FALSE = spelt_out("<that/it> <was/is> <a lie/not true>, <that's/it's> <a lie/not true>")
"""What may be told of another time, and with what before it is about the words just said."""

UNSAID = spelt_out("""
    <forget/ignore/disregard/scratch/strike> <that/that last message/my last message/my previous message>,
    <forget/ignore/disregard/scratch/strike> <what/everything> i [just] <said/told you> [earlier/before],
    i take <that/it> back, i take back what i [just] said, forget [that] i said <that/anything>,
""")
"""What takes back all that was said before."""

MISSTATED = spelt_out("<that's/that is/that was> wrong")
MISSTATING = spelt_out("wait, oops, sorry, my bad, my mistake")
"""What may answer the assistant, and with what before it and a statement behind it corrects oneself."""

DENIED = spelt_out("""
    <i/we/i'm/im/we're/i am/we are/i do/we do/i have/we have> [really/actually]
    <no/not/never/don't/dont/haven't/havent/can't/cant/aren't/arent/ain't/aint/didn't/didnt>,
    <i/we> <really/actually> <am/are/do/have> <no/not/never>,
""")
STATED = spelt_out("<i/we> <am/are/have/live/work/eat>, <i'm/im/i've/ive/we've/weve>, my name is")
"""Beginnings of what denies the statement before, and of one that stands in its place."""

EXCUSES = spelt_out("""
    <i'm/im/i am/i was> [so/really/very/just/a bit/pretty/totally]
    <drunk/tipsy/wasted/hammered/high/stoned/half asleep/delirious/confused/not thinking straight/talking nonsense/rambling>,
""")
"""States in which people say what is not so."""

NAMED_BY = spelt_out("the, my, our, having, being, living in, working at")
THINGS = spelt_out("thing, part, bit, stuff")
"""What stands between "about" and what names the statement, and behind its name."""

BESIDE = spelt_out("""
    no, nope, nah, oh, oops, ah, sorry, apologies, wait, hold on, hang on, actually, well, my mistake, my bad, lol, lmao, ok, okay, please, pls,
    obviously, of course, though, relax, thanks, by the way, btw, never mind, nevermind, wrong chat, typo,
    thx, ty, buddy, dude, man, bro, mate, guys, everyone,
    [that was/that's/that is/it was/it's/it is/this was/this's/this is] <a lie/not true/wrong>,
""")
"""What people say beside it that says nothing itself."""

EMPTY = spelt_out("""
    i, im, am, we, are, were, do, did, have, no, not, dont, didnt, havent, never, really, actually, at, all, lol, haha, in, of, on, to, from, with,
    for, and, or, a, an, the, my, our, any, there, that, this, it, so, just, way, one, be, been, wish, even, ever,
""")
"""What names nothing in a denial: "no, I really do not"."""

CORRECTING = spelt_out("""
    no, nope, sorry, wait, hold on, actually, correction, my mistake, my bad, i mean, i meant, typo, scratch that, jk, just kidding,
""")
CORRECTED = spelt_out("""
    it's, it is, its, i mean, i meant, i meant to say, make that, that's, that should be, it should be, should be,
""")
"""What stands before the right value: "no wait, it's John"."""
