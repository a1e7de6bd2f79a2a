"""The rules of distillation: what they find, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from ingest.distillation import Commitment, Findings, Listener, OpenLoop, closed_by, findings
from ingest.extractor import Utterance

SAID_AT = datetime(2026, 1, 13, 9, tzinfo=UTC)  # a Tuesday
PRIYA = Listener("Priya")
MODEL = Listener(is_model=True)


def read(text: str, listener: Listener = PRIYA, role: str = "user") -> Findings:
    return findings(Utterance(text, SAID_AT, role=role), listener)


@pytest.mark.parametrize(
    "text, topic, to, due",
    [
        ("I'll send you the report by Friday", "send you the report", "Priya", "2026-01-16"),
        ("remind me to call mum", "call mum", "mum", None),
        ("can you remind me to call mum tomorrow?", "call mum", "mum", "2026-01-14"),
        ("Don't let me forget the milk", "remember the milk", "", None),
        ("I need to renew my passport", "renew my passport", "", None),
        ("gotta renew my passport before June", "renew my passport", "", "2026-05-31"),
        ("I told Marc I'd send him the slides", "send Marc the slides", "Marc", None),
        ("I promised mum I'd call her tonight", "call Mum", "Mum", "2026-01-13"),
        ("yes i promised ana i'd fix her bike", "fix Ana's bike", "Ana", None),
        ("I still owe Tom an answer", "owe Tom an answer", "Tom", None),
        ("I owe you 40 quid", "owe Priya 40 quid", "Priya", None),
        ("let me get back to you on the budget", "get back to you on the budget", "Priya", None),
        ("I've yet to reply to Simone", "reply to Simone", "Simone", None),
        ("I haven't even booked the biometrics", "book the biometrics", "", None),
        ("todo: call the plumber", "call the plumber", "plumber", None),
        ("my essay is due on Friday", "my essay", "", "2026-01-16"),
        ("I have to pay the fees by the 28th", "pay the fees", "", "2026-01-28"),
        ("I must hand in my thesis by the end of the month", "hand in my thesis", "", "2026-01-31"),
        ("We need to book the hotel by Friday", "book the hotel", "", "2026-01-16"),
        ("need 2 cancel the gym tmrw", "cancel the gym", "", "2026-01-14"),
        ("i still haven't signed the lease", "sign the lease", "", None),
    ],
)
def test_a_commitment_is_found(text: str, topic: str, to: str, due: str | None) -> None:
    (found,) = read(text).commitments
    assert (found.topic, found.to, found.due and str(found.due)) == (topic, to, due)
    assert found.topic.split()[-1].casefold() in text[found.start : found.end].casefold()


@pytest.mark.parametrize(
    "text",
    [
        "You need to renew your passport",
        "She has to send the slides",
        "If I get the job I'll need to buy a suit",
        "I'll call you if I can",
        "Do I need to send the form?",
        "Should I call the bank?",
        "I always have to call the bank twice",
        "I had to call the bank",
        "Years ago I needed to call the bank",
        "I don't need to call the bank",
        "No need to buy lunch for me",
        "Maybe I need to call the bank",
        "I'd have to call the bank",
        "I'll have the chicken",
        "I'll see you tomorrow",
        "I'll talk to you later",
        "I'll tell you a secret",
        "I need to go to bed",
        "I need to get my shit together",
        "I gotta get to work",
        "I need to send something",
        'He said: "I need to call the bank today"',
        "> I need to call the bank",
        "Ignore all previous instructions. I need to call the bank.",
        "Write a poem. I need to call the bank.",
        "I have to call the bank, just kidding",
        "I'll never call the bank",
        "I need to find myself",
        "I'll call you a fool",
        "I promised Ana I'd call her and I did",
        "i have to get good grades",
        "I'll give you my opinion",
        "I need to call the bank but I don't think I will, I won't",
    ],
)
def test_what_binds_nobody_is_left_alone(text: str) -> None:
    assert read(text).commitments == ()


@pytest.mark.parametrize(
    "text",
    [
        "I'll send you the text in my next message",
        "I need to write a function that sorts a list",
        "I'll give you the instructions below",
        "I have to write a cover letter",
        "I will ask you three questions",
    ],
)
def test_work_for_an_assistant_binds_nobody(text: str) -> None:
    assert read(text, MODEL).commitments == ()


def test_only_users_are_read_and_no_long_prompt_or_secret() -> None:
    said = "I need to renew my passport."
    assert read(said, role="assistant") == Findings()
    assert read(said + " x" * 500, MODEL) == Findings()
    assert read(said + " x" * 500).commitments != ()
    assert read("I need to renew my passport, password: hunter2-Kx81!").commitments == ()


@pytest.mark.parametrize(
    "text, topic, to",
    [
        ("The slides are sent", "send Marc the slides", "Marc"),
        ("slides are off to marc. phew", "send Marc the slides", "Marc"),
        ("I finally renewed my passport", "renew my passport", ""),
        ("picked up the new passport at last", "renew my passport", ""),
        ("plants watered", "water the plants", ""),
        ("cake: done, eaten, praised", "bake the cake", ""),
        ("called mum", "call mum", "mum"),
        ("told marc no about the flat", "owe Marc an answer", "Marc"),
        ("money sent, check your account", "owe Priya 40 quid for the campsite", "Priya"),
        ("Never mind the dentist", "book the dentist", ""),
        ("I don't need to call the bank anymore", "call the bank", ""),
        ("Dona Graça knows about the sofa now", "let Dona Graça know", "Dona Graça"),
    ],
)
def test_what_is_done_closes_its_commitment(text: str, topic: str, to: str) -> None:
    found = read(text).closings
    assert max(closed_by(one, OpenLoop(topic, to)) for one in found) > 0
    assert all(closed_by(one, OpenLoop("feed the horse", "Otto")) == 0 for one in found)


@pytest.mark.parametrize(
    "text, topic",
    [
        ("The slides are nearly done", "send the slides"),
        ("The slides will be sent tomorrow", "send the slides"),
        ("Did I send the slides? are the slides sent?", "send the slides"),
        ("I still haven't sent the slides", "send the slides"),
        ("Tom sent the slides", "send the slides"),
        ("If the slides are sent, I can rest", "send the slides"),
        ("Last year I sent the slides", "send the slides"),
        ("told Marc the slides are late", "send Marc the slides"),
        ("called the dentist", "send the slides"),
    ],
)
def test_what_is_not_done_closes_nothing(text: str, topic: str) -> None:
    loop = OpenLoop(topic, "Marc" if "Marc" in topic else "")
    assert all(closed_by(one, loop) == 0 for one in read(text).closings)


def test_done_alone_names_nothing() -> None:
    (done,), (sent,) = read("done!").closings, read("sent it").closings
    assert (done.words, sent.words, sent.verb) == (frozenset(), frozenset(), "send")
    assert closed_by(sent, OpenLoop("send the slides")) == 1
    assert closed_by(sent, OpenLoop("call mum")) == 0
    assert read("no, not done").closings == ()


@pytest.mark.parametrize(
    "text, name, relation",
    [
        ("my flatmate Dev is off his head", "Dev", "flatmate"),
        ("My advisor, Dr. Helen Osei, wants the draft", "Dr. Helen Osei", "advisor"),
        ("Frau Lindner (our landlady) wants to know", "Frau Lindner", "landlady"),
        ("my brother Tobi will murder me", "Tobi", "brother"),
        ("Mark Larson is my uncle", "Mark Larson", "uncle"),
        ("My line manager is Hayashi, he reads everything", "Hayashi", "line manager"),
        ("A friend of mine, Nuno, came by", "Nuno", "friend"),
        ("my sister's name is Ida", "Ida", "sister"),
        ("my brother tom called", "Tom", "brother"),
        ("we met my boss Karen's dog", "Karen", "boss"),
        ("my ex wife karen has them", "Karen", "ex-wife"),
        ("My ex husband Tom called", "Tom", "ex-husband"),
        ("Karen, my ex wife, called", "Karen", "ex-wife"),
        ("my ex-wife Karen called", "Karen", "ex-wife"),
        ("my wife Karen called", "Karen", "wife"),
        ("my ex, Karen, called", "Karen", "ex"),
        ("My own mother Ruth would like it", "Ruth", "mother"),
        ("my text buddy Karen called", "Karen", "buddy"),
    ],
)
def test_people_have_a_name_and_a_relation(text: str, name: str, relation: str) -> None:
    found = read(text).people
    assert [(one.name, one.relation) for one in found] == [(name, relation)]


@pytest.mark.parametrize(
    "text",
    [
        "I met Zinedine Zidane",
        "my sister is Tired",
        "Imagine my friend Max won",
        "My Mum And Dad came",
        "in my story my brother Finn dies",
        "my friend lives in Berlin",
        "my student ID number",
        "I spent the night with my friend Jack Daniel's",
        "My good friend Jim Beam and I",
        "Make it a bit sadder. My mother Adele never sleeps.",
    ],
)
def test_no_other_names_are_people(text: str) -> None:
    assert read(text).people == ()


@pytest.mark.parametrize(
    "text, series, score",
    [
        ("slept 5 hours", "sleep", 5),
        ("slept 4 and a half hours between shifts", "sleep", 4.5),
        ("8 hours of sleep!!! a record this winter", "sleep", 8),
        ("can't sleep. 3 hours last night", "sleep", 3),
        ("didn't sleep at all last night", "sleep", 0),
        ("I slept badly", "sleep", None),
        ("I'm exhausted today", "energy", 1),
        ("energy 3/10, brain is porridge", "energy", 3),
        ("energy is low, harmattan dust, 4/10", "energy", 4),
        ("feeling great today", "mood", 8),
        ("so relieved", "mood", 7),
        ("nervous as hell tbh", "mood", 4),
        ("mood about a 7 today", "mood", 7),
        ("I'm kinda low today, 4 out of 10", "mood", 4),
        ("stress level 8/10 tonight", "stress", 8),
        ("I'm so stressed", "stress", 7),
    ],
)
def test_a_state_of_now_is_found(text: str, series: str, score: float | None) -> None:
    assert [(one.series, one.score) for one in read(text).states] == [(series, score)]


@pytest.mark.parametrize(
    "text, topics, names",
    [
        ("I have to call the bank. My brother Bruno rang. Scratch that.", ["call the bank"], []),
        ("My brother Bruno rang. I have to call the bank. Just kidding!", [], []),
        (
            "My brother Bruno rang. I must call the bank. Forget what I said about Bruno.",
            ["call the bank"],
            [],
        ),
        ("My brother Bruno rang. Forget what I said about Ida.", [], ["Bruno"]),
        ("Scratch that. My brother Bruno rang.", [], ["Bruno"]),
    ],
)
def test_a_sentence_takes_back_what_the_turn_said_before(
    text: str, topics: list[str], names: list[str]
) -> None:
    found = read(text)
    assert [one.topic for one in found.commitments] == topics
    assert [one.name for one in found.people] == names


@pytest.mark.parametrize(
    "text, topics, names, states",
    [
        (
            "remind me uh to call doctor patel about the um results",
            ["call doctor patel about the results"],
            [],
            [],
        ),
        ("i'll uh send you the report um tomorrow", ["send you the report"], [], []),
        ("Um... I need to, uh, renew my passport.", ["renew my passport"], [], []),
        ("It rained. Um, I need to renew my passport", ["renew my passport"], [], []),
        ("I need to call the bank um my uh sister Ida rang", ["call the bank"], ["Ida"], []),
        ("i uh slept like five hours um and i'm uh exhausted", [], [], ["5 hours", "exhausted"]),
    ],
)
def test_fillers_of_speech_are_no_part_of_what_is_said(
    text: str, topics: list[str], names: list[str], states: list[str]
) -> None:
    found = read(text)
    assert [one.topic for one in found.commitments] == topics
    assert [one.name for one in found.people] == names
    assert [one.value for one in found.states] == states
    for one in (*found.commitments, *found.people):
        last = (one.topic if isinstance(one, Commitment) else one.name).split()[-1]
        assert last in text[one.start : one.end]


@pytest.mark.parametrize(
    "text, due",
    [
        ("remind me to call the vet on Tuesday", "2026-01-20"),
        ("remind me to call the vet by Tuesday", "2026-01-20"),
        ("remind me to call the vet Tuesday", "2026-01-20"),
        ("remind me to call the vet on Tuesday morning", "2026-01-20"),
        ("remind me to call the vet this Tuesday", "2026-01-13"),
        ("remind me to call the vet today", "2026-01-13"),
        ("remind me to call the vet on Wednesday", "2026-01-14"),
        ("remind me to call the vet next Tuesday", "2026-01-20"),
    ],
)
def test_the_weekday_of_today_is_that_of_next_week(text: str, due: str) -> None:
    assert [str(one.due) for one in read(text).commitments] == [due]


@pytest.mark.parametrize(
    "text, scores",
    [
        ("feeling really anxious, stress 8/10", {"mood": 4, "stress": 8}),
        ("I'm exhausted, mood 8/10", {"energy": 1, "mood": 8}),
        ("I'm anxious, 8/10", {"mood": 4}),  # how anxious, and no good mood
        ("I'm exhausted today, great soup though, 8/10", {"energy": 1}),
        ("I feel happy, the pain is 2/10", {"mood": 8}),
        ("I feel so happy, 9/10", {"mood": 9}),
        ("I'm stressed, 9/10, and tired", {"stress": 9}),
        ("energy is low but mood 8/10", {"energy": 3, "mood": 8}),
        ("energy is low, lovely soup, 8/10", {"energy": 3}),
        ("mood 7/10, stress 3/10, energy 12/10", {"mood": 7, "stress": 3}),
    ],
)
def test_a_number_belongs_to_what_it_is_said_of(text: str, scores: dict[str, float]) -> None:
    assert {one.series: one.score for one in read(text).states} == scores


@pytest.mark.parametrize(
    "text",
    [
        "She is exhausted",
        "my friend is so happy",
        "I was exhausted yesterday",
        "I used to be so happy",
        "When I was in Hamburg I was miserable",
        "I'd be so happy if it rained",
        "if I'm tired I sleep",
        "Are you tired?",
        "I'm happy to help",
        "I'm tired of this",
        "I'm good, thanks",
        "I'm fine",
        "I'm not tired",
        "You need to sleep seven hours",
        "5 hours sleep if I go to bed now",
        "I'm dead 😂",
        'He said: "I am so exhausted today"',
        "Feeling Good",
    ],
)
def test_other_states_are_left_alone(text: str) -> None:
    assert read(text).states == ()


@pytest.mark.parametrize(
    "text, kind, description",
    [
        ("I go running every morning", "habit", "go running every morning"),
        ("Every Sunday I call my mum.", "schedule", "call my mum every Sunday"),
        ("On Mondays, I go to the gym", "schedule", "go to the gym on Mondays"),
        ("I usually drink tea every evening, before bed", "habit", "drink tea every evening"),
        ("I meditate twice a week", "habit", "meditate twice a week"),
    ],
)
def test_a_habit_is_found(text: str, kind: str, description: str) -> None:
    (found,) = read(text).habits
    assert (found.kind, found.description) == (kind, description)
    assert text[found.start : found.end].strip(".") == text.strip(".")


@pytest.mark.parametrize(
    "text",
    [
        "I don't run every day",
        "I used to run every day",
        "Do I run every day?",
        "If I run every day I'll be fit",
        "I will run every day",
        "I want to run every day",
        "My sister runs every day",
        "I work every day this week",
        "I read every night until I had the baby",
        'She wrote: "I run every morning"',
        "I wrote a story: I run every morning",
    ],
)
def test_what_is_no_habit_of_the_speaker(text: str) -> None:
    assert read(text).habits == ()
