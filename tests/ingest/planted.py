"""Secrets as people and tools leave them in conversations; none of them was ever valid.

They are put together here, so that no scanner of repositories takes them for real ones.
"""

from typing import Final, NamedTuple

_RANDOM: Final = "aB3dE5gH7jK9mN1pQ3sT5vW7xZ9bD1fG3hJ5"
_PEM: Final = "\n".join([_RANDOM * 2, _RANDOM[::-1] * 2, "Zm9vYmFyYmF6"])


class Planted(NamedTuple):
    """A text with a secret, and the parts of it that must not be stored anywhere."""

    id: str
    text: str
    secrets: tuple[str, ...]
    kind: str


def _one(name: str, text: str, secret: str, kind: str) -> Planted:
    return Planted(name, text.replace("@", secret), (secret,), kind)


def _pem(kind: str) -> str:
    return f"-----BEGIN {kind}-----\n{_PEM}\n-----END {kind}-----"


_ISSUED: Final = {
    "anthropic-key": "sk-ant-" + "api03-" + _RANDOM,
    "api-key": "sk-" + "proj-" + _RANDOM,
    "github-token": "gh" + "p_" + _RANDOM,
    "gitlab-token": "gl" + "pat-" + _RANDOM[:20],
    "aws-key": "AK" + "IA" + "IOSFODNN7QRSTUVW",
    "slack-token": "xox" + "b-123456789012-" + _RANDOM[:24],
    "google-key": "AI" + "za" + _RANDOM[:35],
    "stripe-key": "sk_" + "live_" + _RANDOM[:24],
    "npm-token": "np" + "m_" + _RANDOM[:36],
    "pypi-token": "py" + "pi-" + _RANDOM,
    "huggingface-token": "h" + "f_" + _RANDOM[:34],
    "sendgrid-key": "S" + "G." + _RANDOM[:22] + "." + _RANDOM,
    "telegram-token": "123456789:" + _RANDOM[:35],
    "vault-token": "hv" + "s." + _RANDOM[:24],
    "docker-token": "dck" + "r_pat_" + _RANDOM[:27],
    "databricks-token": "da" + "pi" + "0123456789abcdef" * 2,
    "digitalocean-token": "do" + "p_v1_" + "0123456789abcdef" * 4,
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0." + _RANDOM,
    "groq-key": "gs" + "k_" + _RANDOM,
    "linear-key": "lin" + "_api_" + _RANDOM,
}

PLANTED: Final = (
    *(_one(kind, "please use @ for it", secret, kind) for kind, secret in _ISSUED.items()),
    *(
        Planted(name, f"here it is:\n{_pem(name)}\nthanks", tuple(_PEM.split("\n")), "private-key")
        for name in ("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY")
    ),
    Planted(
        "key in JSON",
        '{"private_key": "' + _pem("PRIVATE KEY").replace("\n", "\\n") + '"}',
        tuple(_PEM.split("\n")),
        "private-key",
    ),
    Planted(
        "key in a diff",
        "\n".join(f"+{line}" for line in _pem("RSA PRIVATE KEY").split("\n")),
        tuple(_PEM.split("\n")),
        "private-key",
    ),
    _one("bearer", "Authorization: Bearer @", "0f9e8d7c6b5a49382716", "authorization"),
    _one(
        "basic", "curl -H 'authorization: Basic @'", "dXNlcjpodW50ZXIyaHVudGVyMg==", "authorization"
    ),
    Planted(
        "address",
        "psql postgres://app:s3cr3tpw@db.example:5432/app",
        ("s3cr3tpw",),
        "password",
    ),
    Planted("at sign", "redis://:p4ss@w0rd@cache.example/0", ("p4ss", "w0rd@"), "password"),
    _one("env", "export DB_PASSWORD=@ && make", "hunter2hunter", "password"),
    _one("plain word", "password=@", "swordfish", "password"),
    _one("yaml", "db:\n  password: @\n", "correcthorse", "password"),
    _one("json", '{"user": "ann", "password": "@"}', "battery staple", "password"),
    _one("escaped json", '{\\"password\\": \\"@\\"}', "tr0ub4dor", "password"),
    _one("python", 'client = Client(api_key="@")', "zzyyxxwwvv", "token"),
    _one("token", "token: @", "a1b2c3d4e5f6", "token"),
    _one("secret", "CLIENT_SECRET=@", "q9w8e7r6t5y4", "token"),
    _one("aws secret", "aws_secret_access_key = @", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY123", "token"),
    _one("npmrc", "//registry.example/:_authToken=@", "0a1b2c3d4e5f60718293", "token"),
    _one("query", "https://api.example/v1?access_token=@&page=2", "9f8e7d6c5b4a", "token"),
    _one("flag", "tool login --token @ --verbose", "k3yk3yk3y", "password"),
    _one("curl user", "curl -u admin:@ https://example.org", "letmein123", "password"),
    _one("any name", "SESSION=@", "aB3dE5gH7jK9mN1pQ3sT5vW7", "token"),
    _one("said", "my password is @, do not tell", "Fluffy#2024", "password"),
)
"""Every way of writing one, with the kind that stands in its place."""

HARMLESS: Final = (
    "The retry logic uses exponential backoff; retries=5, timeout: 30.",
    "commit = 3f786850e387550fdab836ed7e6dc881de23001b",
    "max_tokens: 4096, tokens: 12345678, token_type: bearer",
    "def login(password: str, token: str | None = None) -> None:",
    "token = get_token() or os.environ['TOKEN']",
    "password=args.password, self.password = password",
    "api_key = config.api_key",
    "path = src/components/AuthTokenProvider2Final.tsx",
    "integrity sha512 of the tokenizer bert-base-uncased",
    "export TOKEN=$GITHUB_TOKEN; password: <your password>",
    "see https://example.org:8080/path?email=me@example.org",
    "the id is 7f9c2ba4-e88f-4ef0-9f2c-000102030405",
    "we keep the secret in the vault and the password in the keychain",
)
