#!/usr/bin/python3
"""The list of references: bibliography.py REPOSITORY [--write]

Holds docs/theory/references.md against docs/references.bib, and every work that a page cites as `Name (year)` or
`Name and Name year` against the list. --write writes the page.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap
from urllib.parse import quote

HEAD = """# References

Sources of the [theory pages](../theory.md) and of the other pages, by first author. `docs/references.bib` holds them for
BibTeX. `docs/site/bibliography.py` writes this page from it. Works without a link "doi"
have no DOI, or theirs could not be checked.

"""
NAME = r"[A-Z][A-Za-z]*[a-z](?:-[A-Z][a-z]+)?"
CITED = re.compile(
    rf"\b({NAME})((?:, {NAME})*,? (?:and|&) {NAME}|(?: et al\.?))? \(?((?:18|19|20)\d\d)\b[a-z]?\)?")
# Words before a year that are no author: months and products.
NO_AUTHORS = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
              "November", "December", "Debian", "LAMMPS", "Since", "In", "From", "Of", "Phys", "Mech", "Furo", "Accepted", "With"}
# Codes and reports whose title and publisher are beside the name.
STANDARDS = {"Bulletin", "Handbook", "Edition"}


def entries(text: str) -> list[dict[str, str]]:
    found = []
    for kind, key, body in re.findall(r"^@(\w+)\{(\w+),\n(.*?)^\}", text, re.M | re.S):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.M))
        found.append({"kind": kind, "key": key, **fields})
    return found


def authors(entry: dict[str, str]) -> list[str]:
    return entry["author"].split(" and ") if not entry["author"].startswith("{") else []


def line(entry: dict[str, str]) -> str:
    """An entry as a reader sees it."""
    names = ", ".join(authors(entry)).replace(", others", ", et al.")
    title = entry["title"]
    edition = f", {entry['edition']} edition" if "edition" in entry else ""
    text = f"{names} ({entry['year']}). {title}{edition}." if names else f"{title} ({entry['year']})."
    pages = entry.get("pages", "").replace("--", "-")
    if "journal" in entry:
        volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
        text += f" {entry['journal']}{' ' + volume if volume else ''}{', ' + pages if pages else ''}."
    if "booktitle" in entry:
        parts = [f"In: {entry['booktitle']}", entry.get("publisher", ""), pages]
        text += " " + ", ".join(part for part in parts if part) + "."
    elif "publisher" in entry:
        text += f" {entry['publisher']}."
    if "eprint" in entry:
        text += f" arXiv [{entry['eprint']}](https://arxiv.org/abs/{entry['eprint']})."
    if "doi" in entry:
        text += f" [doi](https://doi.org/{quote(entry['doi'], safe='/:;.')})."
    if "note" in entry:
        text += f" {entry['note'].rstrip('.')}."
    return text


def page(found: list[dict[str, str]]) -> str:
    return HEAD + "".join(
        textwrap.fill("- " + line(entry), 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
        for entry in found)


def cited(root: pathlib.Path) -> set[tuple[str, str, str]]:
    """Page, first author and year of each citation."""
    works = set()
    pages = [*root.glob("docs/**/*.md"), root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"]
    for path in sorted(pages):
        if path.name == "references.md":
            continue
        text = " ".join(re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S).split())
        for found in CITED.finditer(text):
            if found[1] not in NO_AUTHORS | STANDARDS:
                works.add((str(path.relative_to(root)), found[1], found[3]))
    return works


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    found = entries((root / "docs/references.bib").read_text())
    target = root / "docs/theory/references.md"
    if "--write" in sys.argv:
        target.write_text(page(found))
    faults = [] if target.read_text() == page(found) else [
        "docs/theory/references.md differs from docs/references.bib: docs/site/bibliography.py . --write"]
    known = {(name.partition(",")[0], entry.get(year)) for entry in found for name in authors(entry)[:1]
             for year in ("year", "eprintyear")}
    for where, name, year in sorted(cited(root)):
        if (name, year) not in known and (name.partition("-")[0], year) not in known:
            faults.append(f"{where}: {name} {year} is not in docs/references.bib")
    if faults:
        sys.exit("\n".join(faults))
    print(f"references: {len(found)} works, {len({c[1:] for c in cited(root)})} of them cited by name and year")


if __name__ == "__main__":
    main()
