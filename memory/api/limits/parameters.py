"""The check of what a request says outside its body: path, query and the headers that are used."""

from starlette.requests import Request

from memory.values.text_checks import NAME_LIMIT, checked_text

USED_HEADERS = ("idempotency-key",)
"""The headers whose text is stored; others are compared, never kept."""


async def check_parameters(request: Request) -> None:
    """Check every parameter as texts of a body are checked. Raises InputError."""
    headers = {name: request.headers[name] for name in USED_HEADERS if name in request.headers}
    given = (*request.path_params.items(), *request.query_params.multi_items(), *headers.items())
    for name, value in given:
        checked_text(name, "a parameter's name", most=NAME_LIMIT)
        checked_text(str(value), name, most=NAME_LIMIT)
