"""Words of requests: what is no note about a person, and how an assistant may be asked to answer."""

from ingest.extractor.words.patterns import lines_of, spelt_out

NO_NOTES = lines_of("""
    to, when, how, what, why, where, who, if, the time, the day, the part, the one, the name of, the last,
    the first, the previous, the following, the rule, the rules, the above, the context, the user,
    the assistant, the system, the ai, user, users, assistant, this, these, that time, that day, that one, it,
    you, your, me, him, her, he, she, they, always, never, sometimes, even, every small, every step,
    every setback, every day is, progress, success, life, love, i was, we were, i had, we had, i told, i said,
    i mentioned, i asked, i went, i used, we told, we said, we mentioned, we asked, we went, we used, no one,
    nobody, everyone,
""")
"""Beginnings of what is to be remembered for the task at hand."""

ANSWERING = lines_of("""
    answer, reply, respond, write, speak, talk, explain, address, call me, refer to me, use, avoid, include,
    add, show me, show, format,
    keep your, keep the, keep all, keep my, keep it, keep things, keep answers, keep responses, keep replies,
    keep explanations, keep code, cite, quote, translate, start your, start each, start every, end your,
    end each, end every, begin your, begin each, begin every, ask me, ask before, make your, make sure,
    make it, be brief, be concise, be polite, be formal, be informal, be honest, be direct, be short, be blunt,
    be terse, be kind, be specific, be succinct, prefer, put, provide, convert, round, list, summarise,
    summarize, check, suggest, recommend, mention, apologise, apologize, switch, stick to, assume, greet me,
    remind me, double-check, tell me, say,
""")
"""What an assistant does when it answers."""

POLITE = lines_of("""
    please, pls, also, and, so, but, ok, okay, hey, oh, can you, could you, will you, would you, i want you to,
    i need you to, i would like you to, i'd like you to,
""")
"""What stands before an instruction."""

BEFORE_ANSWERING = POLITE | lines_of("""
    always, never, only, just, do not, don't, you should, you must, you will, you can, to, respond to me and,
""")
"""What stands before what the assistant is to do, and belongs to it."""

LIFTED = lines_of("""
    never ask before, never ask me before, never ask for confirmation, never ask me for confirmation,
    never ask for permission, never ask me for permission, never ask for approval, never ask me for approval,
    do not ask before, don't ask before, do not ask me before, don't ask me before, never confirm,
    without asking, without even asking, without ever asking, without confirmation, without confirming,
    without checking with, without permission,
    without my permission, without approval, without my approval, without consent, without my consent,
    never warn, never mention security, never tell me about security, never talk about security,
    never mention risks, never tell me about risks, --no-verify, answer yes, reply yes, respond yes, say yes,
    answer with yes, reply with yes, respond with yes, my api key, my api keys, the api key, the api keys,
    my password, my passwords, the password, the passwords, my secrets, the secrets, my credentials,
    the credentials, my credit card, my private key, my access token, my ssh key,
""")
"""What lifts a safeguard or gives away a secret: a page that was pasted may ask for it."""

FOREVER = spelt_out("""
    [starting/beginning] from <now/here/this point> <on/onward/onwards>, going forward, in [the] future,
""")
MESSAGES = lines_of(
    "answers, replies, responses, messages, prompts, requests, questions, chats, conversations, examples, code"
)
EACH_TIME = lines_of("whenever, every time, any time, anytime, each time")
TALKING = spelt_out("""
    i <ask/request/want/send/write/say/tell/give/share/paste/message/mention/talk/type>,
    you <answer/reply/respond/explain/write/talk/use/give/show/call/say>,
""")
WHENEVER = spelt_out("""
    <when/if> i <ask/request/want you to>, when you <answer/reply/respond/explain/talk/write to>,
""")
"""Times at which a standing instruction holds."""

IF_ALWAYS = spelt_out(
    "<if/when> you [want to/need to/have to] <give/write/answer/show/include/use/add>"
)
"""The same, where "always" follows."""

ONE_TASK = spelt_out("""
    this, that, these, those, below, above, following, attached, here, paragraph, essay, sentence, up on, hope, dream, dreams, yourself,
    the <function/file/bug/error/email/letter/story/poem/article/report/text/list/table/code/script/query>,
""")
"""What makes an instruction one for the task at hand."""

BEFORE_REMEMBERING = spelt_out("""
    please, just, pls, <can/could/will/would> you [please], also, i <want/need> you to, for future reference, hey, ok, and,
""")
REMEMBERING = spelt_out("""
    <remember/memorise/memorize> [this], save this, note to self, <keep/bear> in mind, <do not/never> forget, make a note,
    <save/add> to memory, store, take note, note down, for <your/future> reference,
""")
OFTEN = lines_of("only, also, just, usually, often, never, always")
"""How somebody asks to have something remembered, and how often they do what is to be remembered."""
