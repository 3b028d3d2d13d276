"""What Sphinx does not do: finish.py SITE

Copies MathJax and the laboratory into the site, makes citations of equations in docstrings links, and checks that every
link of every page leads to a file and an anchor of the site, that nothing is loaded from a network, and the size.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

from stage import LAB, copy_mathjax

LARGEST = 30e6  # bytes of the site
CITED = re.compile(r"(?:docs/)?theory/(\w+)\.md((?:(?:,| |to|and|-)*\(?\d+\.\d+\)?)*)")


class Page(HTMLParser):
    """Anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif name == "src" or (tag == "link" and name == "href"):
                self.loaded.append(value)


def mend_theme(site: pathlib.Path) -> None:
    """Debian's furo 2022.12 imports one script in another that is no module: puts the two together. Its style lacks the
    dark colours for readers whose system asks for them: adds them."""
    style = site / "_static/styles/furo.css"
    text = style.read_text()
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', text)
    if "prefers-color-scheme" not in text and dark:
        rules = '@media (prefers-color-scheme: dark) {\n  body:not([data-theme="light"]) {%s}\n}\n' % dark[1]
        style.write_text(text + "@media not print {\n" + rules + "}\n")
    folder = site / "_static/scripts"
    furo, part = folder / "furo.js", folder / "gumshoe-patched.js"
    text = furo.read_text()
    line = 'import Gumshoe from "./gumshoe-patched.js";'
    if line in text:
        furo.write_text(part.read_text() + text.replace(line, ""))


def cite_equations(site: pathlib.Path) -> None:
    """In the pages of the interfaces `theory/collision.md 6.9` is a link to the page and its equations."""
    pages = {}
    for path in site.glob("theory/*.html"):
        for section, number in re.findall(r'id="eq-(\d+)-(\d+)"', path.read_text()):
            pages[f"{section}.{number}"] = path.name

    def bare(found: re.Match[str]) -> str:
        number = found[1]
        if number not in pages:
            return found[0]
        return f'(<a href="../theory/{pages[number]}#eq-{number.replace(".", "-")}">{number}</a>)'

    def page(found: re.Match[str]) -> str:
        name = found[1]
        return f'<a href="../{name}.html">{name}</a>' if (site / f"{name}.html").exists() else found[0]

    for path in site.glob("reference/*.html"):
        def link(found: re.Match[str]) -> str:
            page, numbers = found[1], found[2]
            if not (site / "theory" / f"{page}.html").exists():
                return found[0]
            numbers = re.sub(r"(\d+)\.(\d+)", rf'<a href="../theory/{page}.html#eq-\1-\2">\g<0></a>', numbers)
            return f'<a href="../theory/{page}.html">theory/{page}</a>{numbers}'
        text = path.read_text()
        linked = CITED.sub(link, text)
        linked = re.sub(r"\bdocs/(\w+)\.md\b", page, linked)
        if path.name.startswith("cpp_"):
            linked = re.sub(r"(?<=\s)\((\d{1,2}\.\d{1,2})\)", bare, linked)
        if linked != text:
            path.write_text(linked)


def faults_of(site: pathlib.Path) -> list[str]:
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html")) if "mathjax" not in path.parts}
    faults = []
    for path, page in pages.items():
        name = path.relative_to(site)
        if name.name in ("stoss-lab.html", "genindex.html", "search.html"):
            continue
        for target in page.links + page.loaded:
            if re.match(r"(https?|mailto|data):", target) and target in page.links or target.startswith("data:"):
                continue
            if "://" in target:
                faults.append(f"{name}: loads {target}")
                continue
            file, _, anchor = unquote(target).partition("#")
            to = pathlib.Path(os.path.normpath(path.parent / file.split("?")[0])) if file else path
            if not to.exists():
                faults.append(f"{name}: no file {target}")
            elif anchor and to in pages and anchor not in pages[to].anchors:
                faults.append(f"{name}: no anchor {target}")
    return sorted(set(faults))


def main() -> None:
    site = pathlib.Path(sys.argv[1])
    copy_mathjax(site / "_static" / "mathjax")
    if LAB.exists():
        shutil.copyfile(LAB, site / "stoss-lab.html")
    mend_theme(site)
    cite_equations(site)
    faults = faults_of(site)
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if size > LARGEST:
        faults.append(f"the site has {size / 1e6:.1f} MB")
    if faults:
        sys.exit("\n".join(faults))
    pages = sum(1 for _ in site.rglob("*.html"))
    print(f"site: {pages} pages, {size / 1e6:.1f} MB, every link and anchor resolves: {site / 'index.html'}")


if __name__ == "__main__":
    main()
