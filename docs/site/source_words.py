"""Comments, docstrings and messages of sources, with the lines they are in."""

from __future__ import annotations

import io
import pathlib
import re
import tokenize

SOURCES = ("lib", "models", "solvers", "postproc", "python", "lab", "examples", "benchmarks", "tests", "cases", "docs/site")

# A comment, or a text between quotation marks; what comes first in the line wins.
SPOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)
SKIPPED = {"node_modules", "dist", "build", "golden", "_build"}


def of_c(text: str, with_texts: bool) -> list[tuple[int, str]]:
    """C++, JavaScript and TypeScript: comments, and texts of more than one word."""
    found = []
    for match in SPOKEN.finditer(text):
        part = match[0]
        if part.startswith("/") or (with_texts and " " in part):
            begin = text.count("\n", 0, match.start()) + 1
            found += [(begin + i, line) for i, line in enumerate(part.splitlines())]
    return found


def of_python(text: str, with_texts: bool) -> list[tuple[int, str]]:
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_text = token.type == tokenize.STRING and (with_texts or token.string.startswith('"""')) and " " in token.string
        if token.type == tokenize.COMMENT or is_text:
            found += [(token.start[0] + i, line) for i, line in enumerate(token.string.splitlines())]
    return found


def of_yaml(text: str) -> list[tuple[int, str]]:
    return [(number, line.partition("#")[2]) for number, line in enumerate(text.splitlines(), 1) if "#" in line]


def spoken_in(path: pathlib.Path) -> list[tuple[int, str]]:
    """The lines of a file that are written for people; empty for other files. Of tests only the comments: their texts
    hold input that is wrong on purpose."""
    if not path.is_file() or SKIPPED & set(path.parts):
        return []
    with_texts = "tests" not in path.parts
    if path.suffix in (".cpp", ".hpp", ".inl", ".js", ".mjs", ".ts"):
        return of_c(path.read_text(), with_texts)
    if path.suffix == ".py":
        return of_python(path.read_text(), with_texts)
    if path.suffix == ".yaml":
        return of_yaml(path.read_text(errors="replace"))  # some bad cases are no UTF-8
    return []
