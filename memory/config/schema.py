"""The JSON schema of the configuration file, made by pydantic from the same dataclasses.

This module imports pydantic (60 ms), so only what publishes the schema imports it.
"""

import json
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from memory.config.settings import Config


class _WithoutTitles(GenerateJsonSchema):
    """A JSON schema generator that leaves out titles: they would repeat the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a configuration file; it allows sections of a host
    application.
    """
    schema = TypeAdapter(Config).json_schema(schema_generator=_WithoutTitles)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Symbiosis Memory configuration",
    }


def schema_text() -> str:
    """Return the schema as it is published under `docs/`."""
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"
