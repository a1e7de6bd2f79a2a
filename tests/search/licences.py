"""A licence written for the tests, in as many copies as there are holders, and one answer."""

TERMS = """\
Anyone who receives a copy of this work may use it, change it, and hand it on to others, for money
or without, as long as the notice above and these terms travel with every copy, whole or in part.
A changed copy has to say plainly that it was changed, and by whom. The work is handed over as it
is. The people who made it promise nothing about how well it does what somebody hopes it will do,
and cannot be held to account for whatever harm comes from using it or from being unable to use it.
Neither the name of the maker nor the names of those who helped may be used to praise a changed copy
unless they have agreed to it in writing beforehand.
"""

HOLDERS = ("Jane Doe", "The Heron Authors", "Acme Tools Ltd", "Universität Nord", "K. Ito")

ANSWER = """\
The licence of this program lets you hand on changed copies, if you say that they were changed and
keep the notice. Ask the maintainer, Ada Quill, whenever you are in doubt about what that means.
"""

QUESTION = "may anyone who receives a copy of this work hand it on to others for money"


def licence(number: int) -> str:
    """A copy with its own year and holder, wrapped in its own way."""
    holder = HOLDERS[number % len(HOLDERS)]
    terms = " ".join(TERMS.split()) + "\n" if number % 2 else TERMS
    return f"Licence of the work\n\nCopyright (c) {2010 + number} {holder}\n\n{terms}"
