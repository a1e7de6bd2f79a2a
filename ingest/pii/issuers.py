"""Keys and tokens by the prefixes that their issuers document, each with the issuer's name."""

from typing import Final

from contracts.lazy_regex import deferred

ISSUED: Final = (
    ("anthropic-key", r"sk-ant-[\w\-]{16,}", "sk-ant-"),
    ("openrouter-key", r"sk-or-[\w\-]{16,}", "sk-or-"),
    ("api-key", r"sk-[A-Za-z0-9_\-]{16,}", "sk-"),
    ("github-token", r"(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{20,})", "gh"),
    ("gitlab-token", r"gl(?:pat|ptt|rt|dt|soat|cbt|ft|imt|agent|oas)-[\w\-]{16,}", "gl"),
    ("aws-key", r"A(?:KIA|SIA|GPA|IDA|ROA|NPA|NVA|BIA|CCA)[A-Z0-9]{16}(?!\w)", "a"),
    ("slack-token", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9\-]{10,}", "xa xo"),
    ("google-key", r"(?:AIza[\w\-]{30,}|(?:ya29\.|GOCSPX-)[\w\-]{20,})", "aiza ya29. gocspx-"),
    ("stripe-key", r"[prs]k_(?:live|test)_[A-Za-z0-9]{16,}", "k_live_ k_test_"),
    ("stripe-key", r"whsec_[A-Za-z0-9+/=]{20,}", "whsec_"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}", "npm_"),
    ("pypi-token", r"pypi-[\w\-]{32,}", "pypi-"),
    ("huggingface-token", r"(?:hf|api_org)_[A-Za-z0-9]{20,}", "hf_ api_org_"),
    ("groq-key", r"gsk_[A-Za-z0-9]{20,}", "gsk_"),
    ("xai-key", r"xai-[A-Za-z0-9]{20,}", "xai-"),
    ("perplexity-key", r"pplx-[A-Za-z0-9]{20,}", "pplx-"),
    ("replicate-token", r"r8_[A-Za-z0-9]{30,}", "r8_"),
    ("tavily-key", r"tvly-[\w\-]{16,}", "tvly-"),
    ("digitalocean-token", r"do[opr]_v1_[a-f0-9]{64}", "_v1_"),
    ("docker-token", r"dckr_(?:pat|oat)_[\w\-]{20,}", "dckr_"),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", "shp"),
    ("sendgrid-key", r"SG\.[\w\-]{16,}\.[\w\-]{16,}", "sg."),
    ("mailgun-key", r"key-[0-9a-f]{32}", "key-"),
    ("twilio-key", r"SK[0-9a-f]{32}(?!\w)", "sk"),
    ("square-token", r"(?:sq0[a-z]{3}-[\w\-]{22,}|EAAA[\w\-]{60})", "sq0 eaaa"),
    ("telegram-token", r"\d{8,10}:[A-Za-z0-9_\-]{35}(?!\w)", ":"),
    ("discord-token", r"[MNO][A-Za-z\d_\-]{23,27}\.[A-Za-z\d_\-]{6}\.[A-Za-z\d_\-]{27,}", "."),
    ("vault-token", r"hv[sbr]\.[\w\-]{20,}", "hv"),
    ("terraform-token", r"[A-Za-z0-9]{14}\.atlasv1\.[\w\-]{40,}", ".atlasv1."),
    ("grafana-token", r"gl(?:sa|c)_[A-Za-z0-9_+/=]{20,}", "gl"),
    ("databricks-token", r"dapi[0-9a-f]{32}", "dapi"),
    ("atlassian-token", r"AT[AC]TT3[\w\-=]{20,}", "tt3"),
    ("newrelic-key", r"NRAK-[A-Z0-9]{20,}", "nrak-"),
    ("postman-key", r"PMAK-[\w\-]{20,}", "pmak-"),
    ("pulumi-token", r"pul-[a-f0-9]{40}", "pul-"),
    ("linear-key", r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}", "lin_"),
    ("notion-token", r"(?:ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,})", "ntn_ secret_"),
    ("figma-token", r"figd_[\w\-]{20,}", "figd_"),
    ("sentry-token", r"sntry[su]_[\w+/=\-]{20,}", "sntry"),
    ("supabase-key", r"sb(?:p|_secret|_publishable)_[\w\-]{20,}", "sb"),
    ("airtable-token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "pat"),
    ("alibaba-key", r"LTAI[A-Za-z0-9]{12,}", "ltai"),
    ("age-key", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}", "age-secret-key-"),
    ("onepassword-token", r"ops_eyJ[\w\-+/=]{40,}", "ops_ey"),
    ("mem-token", r"mem_[\w\-]{43}", "mem_"),
    ("jwt", r"eyJ[\w\-]{8,}\.eyJ[\w\-]{8,}(?:\.[\w\-]*)?", "eyj"),
    ("jwt", r"eyJ[\w\-]{8,}\.[\w\-]*(?:\.[\w\-]+){3}", "eyj"),
)  # fmt: skip
"""The kind, the form, and texts of which one occurs, in lower case, where the kind does."""

_BEGIN: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
"""The place where a key may begin: not within a word, but after an escaped line break."""

PATTERNS: Final = tuple(
    (kind, deferred(rf"{_BEGIN}{form}"), tuple(cues.split())) for kind, form, cues in ISSUED
)
