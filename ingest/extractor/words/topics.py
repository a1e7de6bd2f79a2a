"""The words in which people ask for what fills a slot, as a plain table."""

TOPICS = {
    "home": "home: where User lives, residence, city",
    "address": "address: where User lives, home",
    "job/employer": "job: where User works, employer, company",
    "job/role": "job: User's work, profession, occupation, what User does for a living",
    "school": "school: where User studies, education",
    "name": "name: what User is called",
    "last name": "name: last name, surname, family name",
    "birthday": "birthday: when User was born, date of birth",
    "year of birth": "birthday: when User was born, age, how old User is",
    "age": "age: how old User is",
    "nationality": "nationality: which country User is from, citizenship",
    "mother tongue": "language: which language User speaks",
    "diet": "diet: what User eats, food",
    "allergy": "allergy: what User is allergic to, health",
    "relationship": "relationship: User's marital status, married or single, partner",
    "children": "family: how many children User has, kids",
}
"""Words by slot, without its subject."""


def topic_of(slot: str) -> str:
    """Return the topic of a slot such as `user/home`, empty for one that needs none.

    A fact about somebody else, `user/sister/home`, names them in place of the user.
    """
    parts = slot.split("/")
    for start in range(1, len(parts)):
        topic = TOPICS.get("/".join(parts[start:])) or TOPICS.get(parts[start])
        if topic:
            subject = " ".join(parts[:start])
            return topic if subject == "user" else topic.replace("User", subject)
    return ""
