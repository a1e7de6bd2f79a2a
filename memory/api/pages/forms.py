"""The fields of a form that a page sends."""

from collections.abc import Mapping
from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl

from fastapi import Request

from contracts import ForbiddenError, InputError
from contracts.named_tuple import NamedTuple
from memory.api.pages.access import is_own_form
from memory.api.pages.rendering import FORM_FIELD

MOST_FIELDS = 100


async def read_form(request: Request, *, keyed: bool = True) -> Mapping[str, str]:
    """Return the fields of a form, of several with one name the last.

    Raises ForbiddenError for a form that no page of this server in this browser made, unless not
    `keyed`; InputError for a body that is not a form.
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
        raise InputError("the body is not a form", hint="send the form of the page") from error
    form = dict(pairs)
    if keyed and not is_own_form(request, form.get(FORM_FIELD, "")):
        raise _not_own()
    return form


class Upload(NamedTuple):
    """A file that a form sends: its name, its bytes, and the other fields of the form."""

    name: str
    data: bytes
    fields: Mapping[str, str]


async def read_upload(request: Request, field: str) -> Upload:
    """Return the file in a field of a form.

    Raises ForbiddenError as `read_form` does, InputError for a form without a file.
    """
    kind = request.headers.get("content-type", "")
    head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
    parsed = BytesParser(policy=HTTP).parsebytes(head + await request.body())
    fields: dict[str, str] = {}
    found: Upload | None = None
    for part in parsed.iter_parts() if parsed.is_multipart() else ():
        name, file = part.get_param("name", header="content-disposition"), part.get_filename()
        data = part.get_payload(decode=True)
        content = data if isinstance(data, bytes) else b""
        if name == field and file:
            found = Upload(file, content, fields)
        elif isinstance(name, str):
            fields[name] = content.decode("utf-8", "replace")
    if not is_own_form(request, fields.get(FORM_FIELD, "")):
        raise _not_own()
    if found is None:
        raise InputError("the form has no file", hint="choose a file first")
    return found


def _not_own() -> ForbiddenError:
    return ForbiddenError(
        "the form is not from a page that is open here", hint="load the page again"
    )
