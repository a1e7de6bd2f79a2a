"""Additions to the OpenAPI document that FastAPI cannot know: our errors and the token."""

from typing import Any

from memory.api.problems import MEDIA_TYPE, STATUS_OF
from memory.api.schemas.request import ProblemDetails

_REFERENCE = "#/components/schemas/{model}"
_OTHER_STATUSES = {
    400: "The request cannot be read",
    401: "A token is needed",
    413: "The request is too large",
    415: "The body is not JSON",
    429: "Too many wrong tokens",
}
_FASTAPI_ERRORS = ("HTTPValidationError", "ValidationError")
_METHODS = frozenset({"get", "post", "patch", "delete", "put"})


def describe_errors(document: dict[str, Any]) -> dict[str, Any]:
    """Add a problem for every error status of a route, and return the document."""
    schemas = document["components"]["schemas"]
    for name in _FASTAPI_ERRORS:
        schemas.pop(name, None)
    details = ProblemDetails.model_json_schema(ref_template=_REFERENCE)
    schemas |= details.pop("$defs")
    schemas[ProblemDetails.__name__] = details
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}, {}]
    for path in document["paths"].values():
        for method in _METHODS & path.keys():
            path[method]["responses"] |= _problems()
    return document


def _problems() -> dict[str, Any]:
    titles = dict(_OTHER_STATUSES)
    for status, title in STATUS_OF.values():
        titles[status] = f"{titles[status]}; or: {title}" if status in titles else title
    reference = {"$ref": _REFERENCE.format(model=ProblemDetails.__name__)}
    content = {MEDIA_TYPE: {"schema": reference}}
    return {
        str(status): {"description": title, "content": content}
        for status, title in sorted(titles.items())
    }
