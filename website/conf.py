"""Configuration of Sphinx for the site."""

from website.layout import PROJECT
from website.version import documented, short

project = "nodepools"
release = documented()
html_title = f"nodepools {short()}"
author = "nodepools"
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
html_theme = "furo"
html_static_path = ["style"]
html_css_files = ["narrow.css"]
html_search_scorer = str(PROJECT / "website/style/scorer.js")
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "monokai"
nitpicky = True
smartquotes = False  # messages and values are shown as they are: people search for them
