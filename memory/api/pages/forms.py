"""The fields of a form that a page sends."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from fastapi import Request

from contracts import ForbiddenError, InputError
from memory.api.pages.access import is_own_form
from memory.api.pages.rendering import FORM_FIELD

MOST_FIELDS = 100


async def read_form(request: Request, *, keyed: bool = True) -> Mapping[str, str]:
    """Return the fields of a form, of several with one name the last.

    Raises ForbiddenError for a form that no page of this server in this browser made, unless not
    `keyed`; InputError for a body that is no form.
    """
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode(),
            keep_blank_values=True,
            strict_parsing=bool(body),
            max_num_fields=MOST_FIELDS,
        )
    except ValueError as error:
        raise InputError("the body is no form", hint="send the form of the page") from error
    form = dict(pairs)
    if keyed and not is_own_form(request, form.get(FORM_FIELD, "")):
        raise ForbiddenError(
            "the form is not from a page that is open here", hint="load the page again"
        )
    return form
