"""Runs the scripts of the gallery and writes docs/gallery.md with their figures.

Usage: render_gallery.py [FOLDER]; FOLDER (docs) gets gallery.md and gallery/*.png, *.gif.
"""

from __future__ import annotations

import ast
import os
import pathlib
import subprocess
import sys
import tempfile

LONGEST = 16  # lines of what a script prints
PYTHON = pathlib.Path(__file__).resolve().parent
HEAD = """# Gallery

Scripts of [python/gallery](../python/gallery), each with what it prints and its figure. `./dev gallery` runs them and
writes this page.
"""


def section(script: pathlib.Path, figures: pathlib.Path) -> str:
    """Runs a script; its part of the page."""
    words = ast.get_docstring(ast.parse(script.read_text())) or ""
    title, _, rest = words.partition("\n")
    text = rest.split("Usage:")[0].strip()
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    name = script.stem + ".png"
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [sys.executable, script, os.path.join(folder, name)],
            check=True, text=True, stdout=subprocess.PIPE, env=environment,
        ).stdout
        (made,) = pathlib.Path(folder).iterdir()
        picture = figures / made.name
        picture.write_bytes(made.read_bytes())
    lines = said.strip().splitlines()
    if len(lines) > LONGEST:
        lines[LONGEST - 2 : -1] = ["..."]
    printed = "\n```text\n" + "\n".join(lines) + "\n```\n" if lines else ""
    text = text and f"{text}\n\n"
    heading = title.partition(" ")[2].rstrip(".")
    return f"""
## {heading}

{text}[{script.name}](../python/gallery/{script.name})
{printed}
![{heading}](gallery/{picture.name})
"""


def main() -> None:
    docs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else PYTHON.parent / "docs")
    figures = docs / "gallery"
    figures.mkdir(parents=True, exist_ok=True)
    parts = [section(script, figures) for script in sorted((PYTHON / "gallery").glob("*.py"))]
    (docs / "gallery.md").write_text(HEAD + "".join(parts))


if __name__ == "__main__":
    main()
