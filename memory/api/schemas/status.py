"""The health of the server."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class Health(BaseModel):
    """`status` is `ok` when the database answers, `slow` when it takes over two seconds; the counts
    need a token where there are any.
    """

    status: Literal["ok", "slow"]
    files: Annotated[dict[str, int] | None, Field(description="Files and texts by state.")] = None
    chunks: Annotated[int | None, Field(description="Searchable chunks.")] = None
    records: Annotated[
        dict[str, int] | None, Field(description="Facts, people ... by their table.")
    ] = None
    fact_categories: Annotated[dict[str, int] | None, Field(description="Facts by category.")] = (
        None
    )
