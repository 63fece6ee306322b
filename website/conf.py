"""Configuration of Sphinx for the site."""

project = "nodepools"
html_title = "nodepools"
author = "nodepools"
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "monokai"
nitpicky = True
