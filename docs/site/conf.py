"""Sphinx's settings for the site that `./dev docs` builds. The pages come from stage.py."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "Stoss"
author = "The authors of Stoss"
project_copyright = "the authors of Stoss"
html_title = "Stoss"
html_short_title = "Stoss"
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx_copybutton"]

# Markdown as forges read it: headings have GitHub's anchors, $...$ is mathematics.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_update_mathjax = False  # its settings are those of MathJax 3
smartquotes = False
highlight_language = "none"

# MathJax of Debian, copied by stage.py. Its pictures are paths: no font is loaded.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {
    "showMathMenu": False,
    "messageStyle": "none",
    "SVG": {"linebreaks": {"automatic": False}, "scale": 92},
}

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False}

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["stoss.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#7db7f0", "color-brand-content": "#7db7f0"},
}
nitpicky = False
suppress_warnings: list[str] = []
default_role = "code"


def fields_of(app, what, name, obj, options, lines):
    """In docstrings of the package, `key: meaning` at the beginning of a line is a field of a parameter."""
    changed, inside = [], False
    for line in lines:
        found = re.match(r"([a-z_, ]+): +(\S.*)", line)
        if found and what in ("function", "method", "class"):
            if not inside and changed and changed[-1]:
                changed.append("")
            names, inside = found[1], True
            line = f":param {names}: {found[2]}"
        elif line and not line.startswith(" ") and inside:
            inside = False
            if changed[-1]:
                changed.append("")
        changed.append(line)
    lines[:] = changed


def setup(app):
    app.connect("autodoc-process-docstring", fields_of)
