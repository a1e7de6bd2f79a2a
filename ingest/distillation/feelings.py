"""Words of feelings with their place on a scale from 0 to 10, as plain lists."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from ingest.extractor.words.patterns import lines_of

Feeling: TypeAlias = Literal["mood", "energy", "stress"]

FEELINGS: Final[Mapping[tuple[Feeling, int], str]] = {
    ("mood", 1): "devastated, heartbroken, in despair",
    (
        "mood",
        2,
    ): "miserable, depressed, hopeless, awful, terrible, horrible, gutted, distraught, in despair, worried sick, in bits, in pieces, in a terrible mood, in a bad mood, in a foul mood, in a shit mood, in a crap mood, like death, dreadful, shite, rotten",
    (
        "mood",
        3,
    ): "sad, low, lonely, upset, unhappy, down, homesick, like crap, like shit, crap, shit, rubbish, down in the dumps, tearful, teary, weepy, gloomy, fed up",
    (
        "mood",
        4,
    ): "anxious, nervous, worried, frustrated, angry, furious, irritated, annoyed, grumpy, scared, mad, bummed, disappointed, bored, flat, on edge, cranky, moody, jittery, restless, uneasy, panicky, pissed off, fuming, livid, rattled, wound up, tetchy, crabby, wobbly, ratty",
    ("mood", 5): "meh, so-so, so so, blah, numb, ok, okay, fine",
    (
        "mood",
        7,
    ): "good, relieved, content, calm, optimistic, hopeful, much better, better, in a good mood, peaceful, at peace, in good form, like myself again",
    (
        "mood",
        8,
    ): "happy, great, proud, proud of myself, fantastic, wonderful, amazing, excited, cheerful, in a great mood, so much better, in good spirits, in great form, in great spirits, stoked, buzzing, pumped",
    (
        "mood",
        9,
    ): "over the moon, ecstatic, euphoric, giddy, overjoyed, chuffed, chuffed to bits, on cloud nine, thrilled, elated, on top of the world",
    (
        "energy",
        1,
    ): "exhausted, dead tired, dead on my feet, burnt out, burned out, running on empty, a wreck, wrecked, done in, absolutely dead, completely dead",
    (
        "energy",
        2,
    ): "drained, knackered, shattered, wiped, wiped out, worn out, pooped, spent, wrecked, fatigued, beat, fried, frazzled, bushed, zonked, running on fumes",
    ("energy", 3): "tired, sleepy, sluggish, groggy, lethargic, weary, worn",
    ("energy", 8): "energetic, energised, energized, well rested, well-rested, rested, refreshed",
    ("energy", 9): "full of energy",
    ("stress", 7): "stressed, stressed out, tense",
    ("stress", 8): "overwhelmed, swamped",
}
"""The scale of feelings, for what is said in words."""

SCORES: Final = {
    word: (series, score) for (series, score), words in FEELINGS.items() for word in lines_of(words)
}
"""The series and the score of each word."""

WITH_REASON: Final = lines_of("""
    nervous, anxious, stressed, stressed out, proud, relieved, exhausted, drained, knackered, shattered, wiped out, wiped, worn out,
    overwhelmed, sad, upset, tired, devastated, heartbroken, over the moon, depressed, miserable, burnt out, burned out, gutted, homesick, thrilled, worried sick,
""")
"""Feelings that stay the speaker's own with what they are about."""

WEAK: Final = lines_of("""
    good, down, better, great, bored, mad, beat, spent, wiped, low, awful, terrible, horrible, amazing, fantastic, wonderful, crap, shit, rubbish,
    ok, okay, fine, calm, meh, flat, worn, pumped, buzzing, scared, worried, hopeful, optimistic,
""")
"""Words that are a feeling after "I feel", and after "I am" a courtesy, or something else."""

BARE: Final = lines_of("""
    relieved, nervous, anxious, stressed, stressed out, exhausted, knackered, shattered, drained, wiped out, worn out, overwhelmed, miserable, depressed,
    dead tired, gutted, chuffed, chuffed to bits, euphoric, sleepy, over the moon, tired, wrecked, fried, frazzled, worried sick, fuming, livid, pissed off, in a foul mood, in a bad mood, in a good mood, in a shit mood, in a crap mood, anxious, burnt out, burned out, fatigued, groggy, absolutely dead, completely dead, in good spirits, in great spirits, chuffed, elated, thrilled, content, very content, flat, weary, homesick, devastated, heartbroken, giddy,
""")
"""Feelings that need no "I am" where a word of degree or of the day is with them."""

DEGREE: Final = (
    r"(?:mighty|strangely|weirdly|oddly|surprisingly|rather|fairly|beyond|still|a tad|so|v|sooo?|way|more|proper|hella|mad|dead|p|rlly|rly|very|really|pretty|kinda|kind of|a bit|a little|bit|quite|totally|completely|absolutely|super|too|just|actually|honestly|still|utterly|"
    r"extremely|fucking|bloody|proper|properly|truly|genuinely|incredibly|rather|also|already|feeling|all|dead|mentally|physically|emotionally)"
)
"""Words of degree before a feeling, as a pattern."""
