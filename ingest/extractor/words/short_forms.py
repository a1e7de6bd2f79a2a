"""Short forms with what they stand for."""

from ingest.extractor.words.patterns import tables_of

_TABLES = tables_of("""
    short: i'm=I am, im=I am, i m=I am, i've=I have, ive=I have, i'll=I will, i'd=I would, we're=we are,
        they're=they are, you're=you are, we've=we have, they've=they have, you've=you have, we'll=we will,
        they'll=they will, you'll=you will, she'll=she will, he'll=he will, it'll=it will, we'd=we would,
        they'd=they would, you'd=you would, she'd=she would, he'd=he would, she's=she is, he's=he is,
        it's=it is, that's=that is, there's=there is, here's=here is, name's=name is, birthday's=birthday is,
        what's=what is, who's=who is, can't=cannot, cant=cannot, can not=cannot, won't=will not, wont=will not,
        don't=do not, dont=do not, doesn't=does not, doesnt=does not, didn't=did not, didnt=did not,
        isn't=is not, isnt=is not, aren't=are not, arent=are not, wasn't=was not, wasnt=was not,
        weren't=were not, werent=were not, hasn't=has not, hasnt=has not, haven't=have not, havent=have not,
        hadn't=had not, hadnt=had not, ain't=am not, aint=am not, gonna=going to, luv=love, h8=hate,
        favorite=favourite, favorites=favourite, favourites=favourite, fav=favourite, favs=favourite,
        fave=favourite, faves=favourite, u=you, bday=birthday, b-day=birthday
    numbers: one=1, two=2, three=3, four=4, five=5, six=6, seven=7, eight=8, nine=9, ten=10, eleven=11,
        twelve=12, thirteen=13, twenty=20, thirty=30, forty=40, fifty=50, sixty=60, seventy=70, eighty=80,
        ninety=90
""")

SHORT_FORMS = _TABLES["short"]
NUMBERS = _TABLES["numbers"]
