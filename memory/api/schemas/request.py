"""The base of request bodies, and the problem that a refused one is answered with.

Responses are the dataclasses of `memory.values.results`, `reports` and `status_reports` themselves
where these have a value, so that a field is declared once. Every model here and there appears in
/openapi.json with its meaning.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from contracts import did_you_mean
from memory.values.text_checks import check_texts, query_text

Metadata = dict[str, Any]

UNKNOWN_FIELD = "unknown_field"
"""The type of the validation error for a misspelt field; its context has the `name`."""


class Request(BaseModel):
    """A body in which every field must be known, and of its own JSON type.

    A misspelt field must not be ignored, and `"2"` or `true` is not a number. Every text in it, at
    any depth, passes `check_texts`; only a `query` may have a NUL.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _no_unknown_field(cls, body: Any) -> Any:
        if is_object(body) and isinstance(body.get("query"), str):
            body = {**body, "query": query_text(body["query"], "the body.query")}
        check_texts(body, "the body")  # first: an error holds no name that cannot be written
        unknown = [name for name in body if name not in cls.model_fields] if is_object(body) else []
        if unknown:
            raise PydanticCustomError(
                UNKNOWN_FIELD,
                "there is no such field; {hint}",
                {"name": unknown[0], "hint": did_you_mean(unknown[0], cls.model_fields)},
            )
        return body


def is_object(body: object) -> bool:
    """Return whether a body is a JSON object."""
    return isinstance(body, dict)


class FieldProblem(BaseModel):
    """An invalid field of the request."""

    field: str
    message: str


class ProblemDetails(BaseModel):
    """An error (RFC 9457). `type` ends with the class of the error, `hint` is the next step."""

    type: str
    title: str
    status: int
    detail: str
    hint: str
    errors: list[FieldProblem] | None = None
