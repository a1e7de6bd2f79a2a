"""The topics of facts: the words in which people ask for what fills a slot.

"User moved to Oslo" answers "where do I live" without a word of it. What fills one slot is asked
for in few ways, so a memory of a slot is indexed below these words, as below a heading.
"""

from ingest.extractor.words.topics import TOPICS


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
