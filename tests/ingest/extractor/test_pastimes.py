"""What friends tell each other of their pastimes is read, and what only sounds like it is not."""

from datetime import UTC, datetime

import pytest

from ingest import Utterance, extract

NOW = datetime(2026, 5, 6, 13, tzinfo=UTC)

SAID = """
Aww thanks! Pottery has been my passion since high school. => User loves pottery
Gardening is my favourite pastime. => User loves gardening
Kite surfing is one of my biggest passions. => User loves kite surfing
Cooking became my therapy. => User loves cooking
Bread baking is a hobby of mine. => User loves bread baking
The beach is my happy place. => User loves the beach
Wow! Chess has always been my escape. => User loves chess
Trail running is my stress reliever. => User loves trail running
Old westerns are my guilty pleasure. => User loves old westerns
Lentil soup is my go-to dinner. => User's go-to dinner is lentil soup
Swimming keeps me sane. => Swimming keeps User sane
Playing the harp helps me unwind after work. => Playing the harp helps User unwind
Meditation helps me stay calm. => Meditation helps User stay calm
Yoga makes me feel alive. => Yoga makes User feel alive
One of my favourite bands is Portishead. => Portishead is one of User's favourite bands
Cabaret is one of my favourite musicals. => Cabaret is one of User's favourite musicals
I've always been a fan of silent films. => User is a fan of silent films
I've been super into bouldering since last year. => User has been into bouldering since 2025
I've been fencing since I was seven. => User has been fencing since User was seven
I've been drawing comics since I was little. => User has been drawing comics since User was little
We just started making candles. => User started making candles
My husband started birdwatching. => User's husband started birdwatching
I recently started going to the gym. => User started going to the gym
I began collecting sea glass. => User started collecting sea glass
I started Portuguese lessons last week. => User started Portuguese lessons in the week of 2026-04-27
My sister joined a book club. => User's sister joined a book club
I took up the accordion as a hobby. => User took up the accordion as a hobby
I took up embroidery. => User took up embroidery
My wife is volunteering at a hospice. => User's wife is volunteering at a hospice
I'm coaching a girls' hockey team. => User is coaching a girls' hockey team
I'm teaching a night class in Leeds. => User is teaching a night class in Leeds
I'm taking a first-aid course. => User is taking a first-aid course
I'm taking swimming lessons with my son. => User is taking swimming lessons with User's son
My brother is in a jazz band. => User's brother is in a jazz band
I'm on the parish council. => User is on the parish council
I'm part of a local running group. => User is part of a local running group
We're planning a barbecue for next Saturday. => User is planning a barbecue on 2026-05-16
I'm organizing a charity run next month. => User is organizing a charity run in 2026-06
I finally bought a vintage camera. => User bought a vintage camera
I built myself a telescope. => User built themselves a telescope
We rescued another greyhound. => User rescued another greyhound
I had a hamster named Biscuit. => User had a hamster named Biscuit
I finished knitting my first sweater. => User finished knitting User's first sweater
I try to swim twice a week. => User tries to swim twice a week
I learned to drive from my uncle. => User learned to drive from User's uncle
My grandpa taught me to play chess. => User's grandpa taught User to play chess
I'm heavily involved in the local animal rescue. => User is involved with the local animal rescue
I have a soft spot for old dogs. => User has a soft spot for old dogs
I volunteered at a local food bank. => User volunteered at a local food bank
"""
SILENT = """
Is photography your passion?
Painting is your passion, isn't it?
If dance were my passion I'd be on stage
This is my passion
That is my happy place
It's one of my favorite hobbies
You are my happy place
Helping you is my passion
Her painting is my favorite
Writing is a passion of hers
I wish gardening was my hobby
Maybe knitting is my new hobby
That song helps me relax
This really helps me unwind
Talking to you helps me clear my head
Does running help you relax?
Your support keeps me sane
It helps me stay calm
They keep me grounded
Would yoga help me relax?
I've always been fine with that
I've been so busy since college
I've been really into it lately
I've been working since I was up at six
I've been trying to call since I was there
I've been waiting since I was in line
I've been feeling sick since I was at the party
I started doing better
I started making progress
I started making dinner
I started going to bed early
I started crying
I started a new course of antibiotics
I started a course
I started writing this email
I took up too much space
I took up your time
I picked up the kids
I picked up milk
I am taking a break
I am taking this class off
I'm taking the course of action you suggested
I'm doing a class diagram
Should I join a book club?
I might start a pottery class
I'm thinking about taking dance lessons
She's taking guitar lessons
I'm part of the problem
I'm part of the team
I'm part of this
I'm in a meeting
I'm in a club right now and it's loud
I'm in the band's way
I'm on the wrong team
I was part of the discussion
I'm planning a surprise
I'm planning it for next week
I'm excited for you
I'm excited about the weekend
I'm so excited for your trip next month
I can't wait for the weekend
I can't wait for your party on Friday
I can't wait for it
I got a camera error
I got a computer question
I got a great deal on a phone
I bought a house in the game? no idea
Did I tell you I bought a guitar?
I almost got a tattoo
I wish we had a puppy. His name would be Rex.
We should adopt another dog
I got another dog toy
They adopted another puppy
I had a dog bite named after him
I finished reading your message
I finished writing the report
I finished reading it
I try to be nice every day
I try not to eat meat
I try to keep up every day
I try to remember that every morning
I learned to code from this video
My boss taught me a lesson
My mom taught me to be kind
It taught me to cook
I'm involved in this
I've been involved in an accident
I have a love-hate relationship with it
I have a talent for messing things up lol
I volunteered at it
I'm volunteering to help you
He volunteered at the shelter
One of my favorite parts is the ending
One of my favorite memories is our trip
Which of my favorite books is on sale?
My go-to when you are sad is ice cream?
That's my go-to snack
Is ramen your go-to snack?
Coffee is the best
Dancing is so fun
Dancing is hard
Cooking for others is rewarding
Congrats on the new job!
Happy you got a new puppy! What's her name?
Her name is cute.
I love your dog. His name is great.
I called him yesterday
I called her Tuesday
"""


@pytest.mark.parametrize("line", SAID.strip().splitlines())
def test_a_pastime_is_read(line: str) -> None:
    text, _, content = line.partition(" => ")
    assert [each.content for each in extract(Utterance(text, NOW))] == [content]


@pytest.mark.parametrize("text", SILENT.strip().splitlines())
def test_nothing_is_made_of_its_like(text: str) -> None:
    assert extract(Utterance(text, NOW)) == []


NAMED = {
    "We got a puppy. Her name is Olive.": "User's puppy's name is Olive",
    "I adopted a pup last week. She's so cute! I named her Pickle.": "User's pup's name is Pickle",
    "My sister is great. Her name is Ann.": "User's sister's name is Ann",
    "I have a dog. My wife loves tea. Her name is Ann.": "User's wife's name is Ann",
    "We rescued a greyhound. He's called Dash.": "User's greyhound's name is Dash",
}


@pytest.mark.parametrize("text", NAMED)
def test_a_name_is_of_the_one_who_was_spoken_of(text: str) -> None:
    assert NAMED[text] in [each.content for each in extract(Utterance(text, NOW))]


@pytest.mark.parametrize(
    "text",
    [
        "I have a dog. Your cat is cute. Her name is Mia.",
        "My sister adopted a cat. His name is Otto.",
        "We have a dog. My friend has a cat. Her name is Mia.",
        "Do you have a dog? His name is Rex.",
        "I have a dog. I called him a vet.",
        "I've got a sister. I called her Monday.",
    ],
)
def test_a_name_is_of_nobody_else(text: str) -> None:
    assert not [each for each in extract(Utterance(text, NOW)) if "name" in each.content]


def test_what_was_years_ago_is_no_name() -> None:
    found = extract(Utterance("Ten years ago I lost my dad.", NOW))
    assert [each.content for each in found] == ["User lost User's dad in 2016"]
