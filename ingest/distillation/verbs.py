"""Verbs: the base of a past form or a gerund, and the few classes of verbs that the rules know."""

import re
from typing import Final

from ingest.extractor.wording import from_gerund
from ingest.extractor.words.patterns import any_of, lines_of

_IRREGULAR: Final = {
    past: base
    for base, *pasts in map(
        str.split,
        """
        be was were been|become became|begin began begun|bite bit|blow blew blown|break broke broken|bring brought|build built|buy bought|
        catch caught|choose chose chosen|come came|cut cut|deal dealt|dig dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|
        eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten|freeze froze frozen|
        get got gotten|give gave given|go went gone|grow grew grown|hang hung|have had|hear heard|hide hid hidden|hit hit|hold held|
        keep kept|know knew known|lay laid|lead led|leave left|lend lent|let let|lie lay|lose lost|make made|mean meant|meet met|pay paid|
        put put|quit quit|read read|ride rode ridden|ring rang rung|rise rose|run ran|say said|see saw seen|sell sold|send sent|set set|
        sew sewn|shake shook|show shown|shut shut|sing sang sung|sink sank|sit sat|sleep slept|speak spoke spoken|spend spent|split split|
        stand stood|steal stole stolen|stick stuck|strike struck|swap swapped|sweep swept|swim swam|take took taken|teach taught|
        tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke|wear wore worn|win won|write wrote written|
        redo redid redone|repay repaid|rebuild rebuilt|resend resent|rewrite rewrote rewritten|undo undone|withdraw withdrew|knit knit|mow mown
        """.replace("\n", " ").split("|"),
    )
    for past in pasts
}
PAST: Final = rf"(?:[a-z]{{2,}}ed|{any_of(_IRREGULAR)})"
"""A pattern of past forms; `base_of` refuses those that only look like one."""

_BASES: Final = frozenset(_IRREGULAR.values())
_NO_PAST: Final = lines_of(
    "need, feed, indeed, hundred, speed, seed, weed, bleed, breed, greed, shed, bed, red, wed, exceed, proceed, succeed, agreed, tired, excited, "
    "worried, bored, scared, stressed, exhausted, hundred, sacred, naked, med, embed, used, supposed"
)
_ADDS_E: Final = re.compile(
    r"(?:[^aeiou]l|[cuvz]|[^s]s|[nrdu]g|(?<![aeio])at|(?<![aeiou])(?:in|id|ar|or|ib|ak|iz|ul|ur)|plet|quir)$"
)
_ONE_SYLLABLE: Final = re.compile(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")

TELLING: Final = lines_of(
    "call, phone, ring, email, e-mail, mail, text, message, reply, respond, answer, tell, ask, contact, remind, inform, notify, update, talk, speak, "
    "ping, dm, chase, thank, apologise, apologize, invite, let"
)
"""Verbs of words to a person."""

SURE: Final = lines_of("""
    book, cancel, defrost, descale, enrol, enroll, hoover, invoice, mow, proofread, reapply, rebook, register, reimburse, renew, repay, reschedule, resend, resubmit, rsvp, submit, unsubscribe, vacuum,
""")
"""Verbs that are an errand whatever their object is."""

ERRANDS: Final = SURE | lines_of("""
    send, forward, post, ship, return, bring, give, lend, pay, transfer, wire, refund, reserve, schedule, order, buy, drop, fetch, collect, file, hand, deliver, confirm, sign, print, upload, settle, swap, replace, apply, pick, hire,
    introduce, finish, complete, repair, fix, clean, wash, water, iron, paint, bake, frame, pack, unpack, sew, knit, write, draft, translate, review, prepare, update, organise, organize, arrange, install, grade, mark, audit, decide, choose,
    vote, vaccinate, feed, teach, wrap, charge, service, prep, empty, measure, sell, plant, assemble, scan, record, tidy, clarify, edit, deploy, merge, compile, present, check, sort, cook, do, make, fill, hang, set, grab, top, back,
    return, trim, prune, rake, sweep, mop, scrub, bleed, unblock, change, download, photocopy, laminate, label, post, mail, claim, request, design, type, redo, rewrite, revise, correct, outline, load, unload, fold, dust, polish, sand, varnish, tape, build, glue, patch, restring, extend, declare, activate, declutter, donate, recycle, bin, rent, hire, prune, weed, marinate, defend, practise, rehearse,
""")
"""Verbs of what changes hands, and of what offices, shops, workshops, desks and homes do."""

NO_TASKS: Final = lines_of("""
    be, become, have, seem, look, appear, feel, sound, know, think, believe, guess, suppose, wonder, consider, remember, forget, understand, realise, realize, mean, want, wish, hope, like,
    love, hate, enjoy, prefer, need, miss, care, worry, mind, trust, admit, agree, say, mention, note, confess, see, hear, notice, watch, listen, play, go, come, leave,
    arrive, head, hurry, run, walk, drive, ride, fly, travel, stay, wait, live, sleep, wake, rest, relax, nap, eat, drink, sit, stand, lie, breathe, shower, dress, calm, chill,
    work, start, stop, begin, continue, keep, quit, try, manage, struggle, fight, focus, concentrate, deal, cope, survive, die, kill, fall, grow, win, lose, beat, hit,
    catch, act, face, spend, earn, avoid, use, enter, click, press, type, imagine, pretend, assume, marry, hide, bear, stick,
    pass, happen, allow, hope, pray, cry, laugh, smile, party, celebrate, stress, bother, throw, chat, get, make, take, put, set, throw,
""")
"""Verbs of states, of the body, of ways and of passing the time: what comes after is not a task."""


def base_of(word: str) -> str | None:
    """Return the base of a past form or a past participle: sent, send; None for other words."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("ed") or len(word) < 5 or word in _NO_PAST or not word.isalpha():
        return None
    stem = word[:-2]
    if stem[-1] == "i":
        return f"{stem[:-1]}y"
    if stem[-1] == stem[-2] and stem[-1] not in "se":
        is_long = len(re.findall(r"[aeiouy]+", stem)) > 1
        return stem if stem[-1] in "lfz" and not is_long else stem[:-1]
    if _ADDS_E.search(stem) or _ONE_SYLLABLE.match(stem):
        return f"{stem}e"
    return stem


def base_of_gerund(word: str) -> str | None:
    """Return the base of a gerund: filling, fill; None for other words."""
    word = word.lower()
    if not re.fullmatch(r"[a-z]{2,}ing", word) or word in (
        "thing",
        "bring",
        "ring",
        "sing",
        "something",
        "nothing",
        "anything",
        "everything",
        "morning",
        "evening",
        "during",
        "being",
        "going",
        "king",
        "string",
    ):
        return None
    if word[:-3] in _BASES:
        return word[:-3]
    past = base_of(f"{word[:-3]}ed")
    return from_gerund(word) if past is None else past
