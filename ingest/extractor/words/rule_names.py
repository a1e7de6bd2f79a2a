"""Rules that are treated alike, by their names, as plain lists."""

from ingest.extractor.words.patterns import lines_of

OF_PARTS = lines_of("""
    age, role, nation, from, diet, marital, state of health, state of work, parent, allergic, home, works as, works at,
    age in years, married to, condition, studies, keeps a diet,
""")
"""Rules that read a part of what somebody is: "I am 34, vegan and from Oslo"."""

GO_ON = OF_PARTS | {"bare name", "named"}
"""Rules after which a further part may follow."""

USED_TO = lines_of("""
    home, works at, works as, works in, role, studies, diet, marital, state of work, goes to school, keeps a diet,
""")
"""Rules of what is over when it "used to" be."""
