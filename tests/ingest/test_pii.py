"""Personal data: what is found, what only looks like it, and what becomes of a masked text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.pii import find_pii, privacy_tags, redacted, without_secrets

FOUND = {
    "write to alex.doe+news@example.co.uk, thanks": "email alex.doe+news@example.co.uk",
    "(björn@exämple.de)": "email björn@exämple.de",
    "call +49 30 901820": "phone +49 30 901820",
    "+16502530000": "phone +16502530000",
    "+1 (555) 010-9999 is mine": "phone +1 (555) 010-9999",
    "dial 0049 30 901820": "phone 0049 30 901820",
    "my number is 555-123-4567.": "phone 555-123-4567",
    "(415) 555-2671": "phone (415) 555-2671",
    "650-253-0000": "phone 650-253-0000",
    "text me on 07911 123456": "phone 07911 123456",
    "Handy: 0171 1234567": "phone 0171 1234567",
    "mon portable: 06 12 34 56 78": "phone 06 12 34 56 78",
    "call 555-0134": "phone 555-0134",
    "My card is 4111 1111 1111 1111 exp 12/28": "card 4111 1111 1111 1111",
    "4111111111111111": "card 4111111111111111",
    "5500-0000-0000-0004": "card 5500-0000-0000-0004",
    "amex 3782 822463 10005": "card 3782 822463 10005",
    "DE89 3704 0044 0532 0130 00 please": "iban DE89 3704 0044 0532 0130 00",
    "GB29NWBK60161331926819": "iban GB29NWBK60161331926819",
    "nl91abna0417164300": "iban nl91abna0417164300",
    "use sk-proj-abc123def456ghi789jkl": "key sk-proj-abc123def456ghi789jkl",
    "mem_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE for you": (
        "key mem_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"
    ),
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a": "key ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPLE": "key AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdefABCDEF": "key xoxb-123456789012-abcdefABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3": (
        "key eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3"
    ),
    "Authorization: Bearer abcdef1234567890abcdef": "key abcdef1234567890abcdef",
    'api_key = "a8f5f167f44f4964e6c998dee827110c"': "key a8f5f167f44f4964e6c998dee827110c",
    "client_secret: 9xK2-lQz81mP0aWd": "key 9xK2-lQz81mP0aWd",
    "the API key is Zk31xPq09vRt77Lm": "key Zk31xPq09vRt77Lm",
    "my password is hunter2": "password hunter2",
    "my wifi password is swordfish": "password swordfish",
    "the password for the router is Blue-7-Whale!": "password Blue-7-Whale!",
    "password: swordfish": "password swordfish",
    "the password:\nswordfish-2": "password swordfish-2",
    "PGPASSWORD=swordfish": "password swordfish",
    "GITHUB_TOKEN=9xK2lQz81mP0aWd": "key 9xK2lQz81mP0aWd",
    'db password = "Tr0ub4dor&3"': "password Tr0ub4dor&3",
    "Mein Passwort ist Geheim123": "password Geheim123",
    "postgres://bob:s3cr3t@db.example.com/x": "password s3cr3t",
    "my pin is 4921": "password 4921",
    "the alarm code is 7788": "password 7788",
    "password hunter2 for Netflix": "password hunter2",
    "my locker code is 4821": "password 4821",
    "the locker combination is 12-34-5": "password 12-34-5",
    "safe code 90125!": "password 90125",
    "I was born on 1988-03-02": "birth_date 1988-03-02",
    "my birthday is 3 May": "birth_date 3 May",
    "date of birth: 02.03.1988": "birth_date 02.03.1988",
    "my ssn is 123-45-6789": "national_id 123-45-6789",
    "passport number: C01X00T47": "national_id C01X00T47",
    "I live at 221B Baker Street, London NW1 6XE": "address 221B Baker Street, London NW1 6XE",
    "123 Main St, Springfield, IL 62704": "address 123 Main St, Springfield, IL 62704",
    "my address is 5 Best Way": "address 5 Best Way",
    "I live at 12 main street": "address 12 main street",
    "Ich wohne in der Hauptstraße 5, 10115 Berlin": "address Hauptstraße 5, 10115 Berlin",
    "Hauptstr. 12a": "address Hauptstr. 12a",
    "meine Adresse: Rosenweg 3": "address Rosenweg 3",
    "12 rue de la Paix, 75002 Paris": "address 12 rue de la Paix, 75002 Paris",
    "Calle de Alcalá 45": "address Calle de Alcalá 45",
    "Prinsengracht 263": "address Prinsengracht 263",
    "P.O. Box 1234": "address P.O. Box 1234",
}

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"

CLEAN = (
    "git@github.com:owner/repo.git and @scope/pkg and npm i left-pad@1.3.0",
    "https://user@host/path",
    "version 1.2.3.4 at 192.168.10.12:8080 on 2026-11-20 22:30:11",
    "ISBN 978-3-16-148410-0",
    "commit 532bac6e1f2a3b4c5d6e7f8091a2b3c4d5e6f708",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "timestamp 1732141811123456",
    "order 4111111111111111 has shipped",
    "order number 0171 1234567",
    "4111 1111 1111 1112",
    "+15000000 users",
    "10 000 000 people called in 2019-2020",
    "call me in 2026 or 2027",
    "call function 1234567",
    "error code 0x80070005",
    "phone: 12:30:11 2026",
    "DE89 3704 0044 0532 0130 01",
    "the password is required, the password is wrong, my password was reset",
    "password: str = None",
    'password = os.environ["X"]',
    "self.password = password",
    "password=getpass()",
    "if password:\n    return check",
    "PASSWORD=${DB_PASSWORD}",
    "key_password = key_password",
    "I forgot my password again",
    "tokenizer: bert-base-uncased-2019",
    "secret_name: my-secret-name-v2-prod24",
    "hash each password sha256 for safety",
    "my locker is on floor 2",
    "I was born to run on 1 May",
    "a baby was born in room 3",
    "max_tokens: 128000 token_count=12345678901234",
    "TimeStampToken = rfc3161.TimeStampToken",
    "postgres://user:password@localhost/db",
    "pin: 13",
    "The passport office was closed in 2019 and 2020",
    "I have 2 Google Drive accounts and 3 Best Way stickers",
    "10000 Users logged in, 50000 Zeilen",
    "we sent 12 parcels over the street",
    "3 May 2026 at 10:30 I phoned Tom",
    "sk-learn-like-names-are-no-keys",
)


def said(text: str) -> list[str]:
    return [f"{one.kind} {text[one.start : one.end]}" for one in find_pii(text)]


@pytest.mark.parametrize("text", FOUND)
def test_personal_data_is_found(text: str) -> None:
    assert said(text) == [FOUND[text]]


@pytest.mark.parametrize("text", FOUND)
def test_what_is_found_is_masked(text: str) -> None:
    kind, _, value = FOUND[text].partition(" ")
    assert redacted(text) == text.replace(value, f"[{kind}]")


@pytest.mark.parametrize("text", CLEAN)
def test_ordinary_text_has_none(text: str) -> None:
    assert said(text) == []
    assert privacy_tags(text) == ()
    assert redacted(text) == text


def test_a_key_of_many_lines_is_one_finding() -> None:
    assert redacted(f"here:\n{PEM}\nkeep it") == "here:\n[key]\nkeep it"


def test_a_key_whose_end_is_missing_is_masked_as_far_as_it_goes() -> None:
    assert redacted(PEM[:50]) == "[key]"


@pytest.mark.parametrize(
    "text, tags",
    [
        ("I like tea", ()),
        ("mail me at a@example.org", ("pii",)),
        ("pay to DE89370400440532013000", ("pii",)),
        ("my password is hunter2", ("pii", "secret")),
        ("a@example.org, my pin is 4921", ("pii", "secret")),
    ],
)
def test_secrets_are_tagged_twice(text: str, tags: tuple[str, ...]) -> None:
    assert privacy_tags(text) == tags


def test_only_secrets_are_kept_from_models() -> None:
    text = "I am a@example.org and my password is hunter2"
    assert without_secrets(text) == "I am a@example.org and my password is [password]"


def test_several_findings_come_in_their_order() -> None:
    assert said("call +16502530000 or write a@example.org, pin is 4921") == [
        "phone +16502530000",
        "email a@example.org",
        "password 4921",
    ]


_PART = st.one_of(
    st.sampled_from(
        [*FOUND, "+", "(", "@", "password is", "api_key=", "-----BEGIN PRIVATE KEY-----"]
    ),
    st.text(max_size=12),
    st.from_regex(r"[\d +().\-]{1,24}", fullmatch=True),
)


@given(st.lists(_PART, max_size=6).map(" ".join))
def test_any_text_gives_places_that_do_not_overlap(text: str) -> None:
    found = find_pii(text)
    ends = [0, *(one.end for one in found)]
    assert all(end <= one.start < one.end for end, one in zip(ends, found, strict=False))
    assert ends[-1] <= len(text)


@pytest.mark.parametrize(
    "part",
    ["1 ", "a.", "-", "4 ", "Main ", "password ", "(1", "x@", "token_", "Aa-", "+1 ", "a@b.org "],
)
def test_long_text_of_one_kind_takes_no_long_time(part: str) -> None:
    """Texts that a pattern could retry at each place; a quadratic one would take minutes."""
    assert find_pii(part * 50_000) is not None
