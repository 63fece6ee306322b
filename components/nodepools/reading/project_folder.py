"""The folder of a Pulumi project."""

from pathlib import Path


def project_folder(start: Path) -> Path | None:
    """The nearest folder with a `Pulumi.yaml`, from `start` upwards, as Pulumi searches it; `None` if there is none."""
    return next((folder for folder in (start, *start.parents) if (folder / "Pulumi.yaml").is_file()), None)
