"""`nodepools schema`: the JSON schema of a platform file, for editors."""

import json
from pathlib import Path

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.inputs.state_files import write_json
from nodepools.model.platform import Platform


def schema_document() -> dict[str, object]:
    """The JSON schema of a platform in YAML or JSON, with the docstrings of fields as descriptions."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Platform.model_json_schema()}


def platform_schema(output: Path | None) -> Result:
    """Returns the schema, or writes it to `output`."""
    schema = schema_document()
    if output is not None:
        typer.echo(write_json(output, schema), nl=False)
        return Result(lambda: {"output": str(output)}, lambda: typer.echo(f"{output}: written"))
    return Result(lambda: {"output": None}, lambda: typer.echo(json.dumps(schema, indent=2, ensure_ascii=False)))
