"""Makes the source tree of the site from the pages of the repository: stage.py FOLDER STOSS DOXYGEN_XML

The pages stay as forges show them. This script copies them into FOLDER and changes what a site needs otherwise:
links to files outside of docs lead to a page with that file, numbered equations are targets, and citations of
equations are links to them.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys

import reference
from contents import CONTENTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAB = ROOT / "build/lab/stoss-lab.html"
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
# What TeX-AMS_SVG loads: input of TeX, output as paths.
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG.js", "jax/element", "jax/input/TeX",
                 "jax/output/SVG/jax.js", "jax/output/SVG/config.js", "jax/output/SVG/autoload",
                 "jax/output/SVG/fonts/TeX", "extensions/TeX", "extensions/MathEvents.js",
                 "extensions/tex2jax.js", "extensions/AssistiveMML.js", "extensions/toMathML.js"]
LEXERS = {".yaml": "yaml", ".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".txt": "text", ".csv": "text"}

# Code outside of links, or a link: its text may have code in it.
CODE_OR_LINK = re.compile(r"`[^`]*`|(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
EQUATION = re.compile(r"\\tag\{(\d+)\.(\d+)\}")
CITATION = re.compile(r"(?<![\w\])\-+*/^.=\[$])\((\d{1,2}\.\d{1,2})\)(?![\]\w(])")


class Stage:
    """The source tree while it is made."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.pages = {page: target for _, pages in CONTENTS for page, target in pages}
        self.equations: set[str] = set()
        self.shown: set[str] = set()

    def write(self, target: str, text: str) -> None:
        """Leaves a file that has not changed, so that Sphinx need not read it again."""
        path = self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    def copy(self, source: pathlib.Path, target: str) -> None:
        path = self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, path)

    def link(self, page: str, text: str, target: str) -> str:
        """A link of the page of the repository `page`, as the site needs it."""
        path, _, anchor = target.partition("#")
        number = re.fullmatch(r"\[\((\d+)\.(\d+)\)\]", text)
        if number and path.endswith(".md"):
            return f"{text}(eq-{number[1]}-{number[2]})"
        if "://" in target or not path:
            return f"{text}({target})"
        source = os.path.normpath(os.path.join(os.path.dirname(page), path))
        here = os.path.dirname(self.target_of(page))
        if text.startswith("!"):
            return f"{text}({os.path.relpath(source.removeprefix('docs/'), here or '.')})"
        to = os.path.relpath(self.target_of(source), here or ".")
        return f"{text}({to}{'#' + anchor if anchor else ''})"

    def target_of(self, source: str) -> str:
        """The place of a file of the repository in the site."""
        if source in self.pages:
            return self.pages[source]
        if source + "/README.md" in self.pages:
            return self.pages[source + "/README.md"]
        if source.startswith("docs/") and source.endswith(".md"):
            return source.removeprefix("docs/")
        if not (ROOT / source).exists():
            raise SystemExit(f"stage.py: a page links to {source}, which does not exist")
        self.shown.add(source)
        return f"files/{source.replace('.', '_')}.md"

    def prose(self, page: str, line: str) -> str:
        """One line of a page outside of fences. Code between back quotes stays."""
        line = CODE_OR_LINK.sub(lambda found: self.link(page, found[1], found[2]) if found[1] else found[0], line)
        if not page.startswith("docs/theory/"):
            return line
        pieces = re.split(r"(`[^`]*`|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\))", line)
        for i in range(0, len(pieces), 2):
            pieces[i] = CITATION.sub(self.cite, pieces[i])
        return "".join(pieces)

    def cite(self, found: re.Match[str]) -> str:
        number = found[1]
        return f"[({number})](eq-{number.replace('.', '-')})" if number in self.equations else found[0]

    def convert(self, page: str, text: str) -> str:
        lines: list[str] = []
        fence = ""
        held: list[str] = []
        for line in text.splitlines():
            mark = line.lstrip()
            if fence == "math":
                if mark.startswith("```"):
                    lines += self.equation(held)
                    fence, held = "", []
                else:
                    held.append(line)
            elif fence:
                fence = "" if mark.startswith("```") else fence
                lines.append(line)
            elif mark.startswith("```"):
                fence = mark[3:].strip() or "text"
                if fence != "math":
                    lines.append(line)
            else:
                lines.append(self.prose(page, line) if not line.startswith("    ") else line)
        return "\n".join(lines) + "\n"

    @staticmethod
    def equation(lines: list[str]) -> list[str]:
        text = [line for line in lines if line.strip()]
        tags = EQUATION.findall("\n".join(text))
        targets = [f"(eq-{section}-{number})=" for section, number in tags]
        return [*targets, "```{math}", ":nowrap:", "", r"\[", *text, r"\]", "```"]

    def show_file(self, source: str) -> None:
        """A page with a file of the repository, or with the list of a folder."""
        path = ROOT / source
        target = self.target_of(source)
        if path.is_dir():
            entries = sorted(entry for entry in path.iterdir() if not entry.name.startswith((".", "_")))
            lines = [f"- {'`' + entry.name + '`' if entry.is_dir() else self.link_to(target, entry)}" for entry in entries]
            self.write(target, f"---\norphan: true\n---\n\n# {source}\n\n" + "\n".join(lines) + "\n")
            return
        text = path.read_text().rstrip("\n")
        lexer = LEXERS.get(path.suffix, "text")
        self.write(target, f"---\norphan: true\n---\n\n# {source}\n\n``````{{code-block}} {lexer}\n{text}\n``````\n")

    def link_to(self, page: str, path: pathlib.Path) -> str:
        source = str(path.relative_to(ROOT))
        return f"[`{path.name}`]({os.path.relpath(self.target_of(source), os.path.dirname(page))})"

    def run(self, stoss: str, doxygen: str) -> None:
        for source in ROOT.glob("docs/theory/*.md"):
            self.equations |= {f"{section}.{number}" for section, number in EQUATION.findall(source.read_text())}
        made = set(self.pages.values())
        for source, target in self.pages.items():
            if source:
                self.write(target, self.convert(source, (ROOT / source).read_text()))
        for source in sorted(ROOT.glob("docs/**/*.md")):
            name = str(source.relative_to(ROOT))
            if name not in self.pages:
                self.write(self.target_of(name), self.convert(name, source.read_text()))
                made.add(self.target_of(name))
        for kind in ("png", "gif", "svg"):
            for source in ROOT.glob(f"docs/**/*.{kind}"):
                self.copy(source, str(source.relative_to(ROOT / "docs")))
        shown: set[str] = set()
        while self.shown - shown:
            for source in sorted(self.shown - shown):
                self.show_file(source)
                shown.add(source)
        made |= {self.target_of(source) for source in shown}
        for target, text in reference.pages(stoss, doxygen).items():
            self.write(target, text)
            made.add(target)
        lab = self.folder / "laboratory.md"
        self.write("laboratory.md", with_laboratory(lab.read_text()))
        records = sorted(path.stem for path in (ROOT / "docs/decisions").glob("0*.md"))
        index = self.folder / "decisions/index.md"
        self.write("decisions/index.md", index.read_text() + tree(records))
        self.write("index.md", (self.folder / "index.md").read_text() + trees())
        self.remove_old(made)

    def remove_old(self, made: set[str]) -> None:
        for path in self.folder.rglob("*.md"):
            if str(path.relative_to(self.folder)) not in made:
                path.unlink()


def with_laboratory(text: str) -> str:
    """The page of the laboratory with the laboratory in it, if it has been built."""
    title, _, rest = text.partition("\n")
    if not LAB.exists():
        note = "This site was built without the laboratory. `./dev lab` builds it, then `./dev docs` puts it here."
        return f"{title}\n\n{note}\n{rest}"
    frame = '<iframe src="stoss-lab.html" title="The laboratory" style="width:100%;height:44rem;border:1px solid"></iframe>'
    return f'{title}\n\n<p><a href="stoss-lab.html">Open the laboratory in a window of its own.</a></p>\n\n{frame}\n{rest}'


def trees() -> str:
    """The contents of the site, for the side bar."""
    text = ""
    for caption, pages in CONTENTS:
        if not caption:
            continue
        text += tree([target.removesuffix(".md") for _, target in pages], caption)
    return text


def tree(entries: list[str], caption: str = "") -> str:
    options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
    lines = "\n".join(entries)
    return f"\n```{{toctree}}\n{options}\n\n{lines}\n```\n"


def copy_mathjax(folder: pathlib.Path) -> None:
    for part in MATHJAX_PARTS:
        source, target = MATHJAX / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copyfile(source, target)


if __name__ == "__main__":
    Stage(pathlib.Path(sys.argv[1])).run(sys.argv[2], sys.argv[3])
