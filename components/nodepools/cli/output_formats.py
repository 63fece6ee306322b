"""How commands answer."""

from enum import StrEnum


class Format(StrEnum):
    """How a command answers."""

    TEXT = "text"
    JSON = "json"


class ReviewFormat(StrEnum):
    """How a command answers whose findings go into code review."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


class ReportFormat(StrEnum):
    """How a command answers whose table goes into pull requests."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class PictureFormat(StrEnum):
    """How a command answers that draws."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"
