"""Output formats."""

from enum import StrEnum


class Format(StrEnum):
    """Formats of most commands."""

    TEXT = "text"
    JSON = "json"


class ReviewFormat(StrEnum):
    """Formats of a command whose findings are shown in code reviews."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"


class ReportFormat(StrEnum):
    """Formats of a command whose table is posted in pull requests."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class PictureFormat(StrEnum):
    """Formats of a command that draws."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"


class DiffFormat(StrEnum):
    """Formats of the changes of a pull request."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"


class RolloutFormat(StrEnum):
    """Formats of a plan in waves."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    MERMAID = "mermaid"


class RolloutTarget(StrEnum):
    """Engines that carry out a plan."""

    AUTOMATION = "automation"
    OPERATOR = "operator"
    GITHUB = "github"
    AZURE_PIPELINES = "azure-pipelines"


class ConversionTarget(StrEnum):
    """What objects are converted to."""

    AUTO_MODE = "auto-mode"
    NAP = "nap"
