#!/usr/bin/python3
"""Holds the chapters of the theory against their form: chapters.py REPOSITORY

A chapter is a page of docs/theory whose title has a number. Before its first section it says what it gives ("This page")
and what it is for ("Read it to"). It has a figure, its last section is Limits, and docs/theory.md lists it under its number.
"""

from __future__ import annotations

import pathlib
import re
import sys

TITLE = re.compile(r"# (\d+)\. (.+)")


def faults_of(text: str) -> list[str]:
    """What is wrong with the form of a chapter."""
    opening, *sections = re.split(r"^## ", text, flags=re.M)
    opening = " ".join(opening.split())
    faults = []
    if "This page" not in opening:
        faults.append("does not begin with what it gives (This page ...)")
    if "Read it to " not in opening:
        faults.append("does not begin with what it is for (Read it to ...)")
    if not sections or sections[-1].splitlines()[0] != "Limits":
        faults.append("does not end with the section Limits")
    elif len(sections[-1].split()) < 10:
        faults.append("has limits of less than ten words")
    if not re.search(r"^!\[[^\]]+\]\([^)]+\)$", text, flags=re.M):
        faults.append("has no figure")
    return faults


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    contents = (root / "docs/theory.md").read_text()
    faults, count = [], 0
    for path in sorted((root / "docs/theory").glob("*.md")):
        text = path.read_text()
        title = TITLE.match(text)
        if not title:
            continue
        count += 1
        faults += [f"docs/theory/{path.name}: {fault}" for fault in faults_of(text)]
        if not re.search(rf"^\| {title[1]} \| \[[^\]]+\]\(theory/{path.name}\) \|", contents, flags=re.M):
            faults.append(f"docs/theory.md: no line of chapter {title[1]}, theory/{path.name}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"chapters: {count} begin with their purpose, have a figure and end with their limits")


if __name__ == "__main__":
    main()
