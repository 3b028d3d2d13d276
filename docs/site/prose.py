#!/usr/bin/python3
"""Holds the prose of the pages against its limits: prose.py REPOSITORY [--list]

- codespell finds no misspelt word;
- no word of banned_words.txt, in tables and headings neither, nor in comments, docstrings and messages of the sources
  and in comments of the cases;
- the Flesch-Kincaid grade of a guide is 9 at most, of any other page 13;
- no sentence of a guide has more than 35 words;
- mathematics inside a sentence has no backslash before punctuation, which forges take for an escaped mark of Markdown.

--list prints the grade of every page. What counts as prose: paragraphs and items of lists. Code, tables, headings and
equations do not. A piece of code or mathematics inside a sentence is one word of one syllable, as is a number.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

from contents import CONTENTS
from source_words import SOURCES, spoken_in

HERE = pathlib.Path(__file__).resolve().parent
GRADE_OF_GUIDES = 9.0
GRADE_OF_OTHERS = 13.0
LONGEST_SENTENCE = 35  # words
GUIDES = {page for caption, pages in CONTENTS for page, _ in pages if page and caption in ("", "Start", "Guides")}
GUIDES |= {"README.md", "docs/report_a_bug.md", "docs/roadmap.md"}
# Lists of facts a line, and pages that programs write: their words are checked, their sentences are not.
WORDS_ONLY = {"CHANGELOG.md"}
# Commands of TeX that say by letters what these say by punctuation.
BY_WORDS = {"\\,": r"\thinspace", "\\;": r"\thickspace", "\\:": r"\medspace", "\\!": r"\negthinspace",
            "\\{": r"\lbrace", "\\}": r"\rbrace"}

ITEM = re.compile(r"\s*(?:[-*]|\d+\.) +")
# A full stop after these does not end a sentence.
SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|al|vs|Fig|Eq|Sect|Ch|No|[A-Z])\.(?= )")


def paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs and items of a page with the line each begins in."""
    found: list[tuple[int, str]] = []
    held: list[str] = []
    begin = 0
    fence = False

    def close() -> None:
        if held:
            found.append((begin, " ".join(held)))
            held.clear()

    for number, line in enumerate(text.splitlines(), 1):
        mark = line.strip()
        if mark.startswith("```"):
            fence = not fence
            close()
        elif fence:
            continue
        elif not mark or mark.startswith(("#", "|", "<", "![", "---")):
            close()
        elif line.startswith("    ") and not held:
            continue
        else:
            if ITEM.match(line):
                close()
                mark = ITEM.sub("", line, count=1).strip()
            if not held:
                begin = number
            held.append(mark)
    close()
    return found


def lines_of(text: str) -> list[tuple[int, str]]:
    """Lines outside of fences, with those of tables and headings."""
    found, fence = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            fence = not fence
        elif not fence and not line.startswith("    "):
            found.append((number, line))
    return found


def plain(text: str) -> str:
    """Prose without marks; code and mathematics are the word `it`."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"`[^`]*`", "it", text)
    text = re.sub(r"\$[^$]*\$", "it", text)
    text = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\((?:\d+\.\d+)(?:(?:,| to| and) \d+\.\d+)*\)", "", text)
    text = re.sub(r"https?://\S+", "it", text)
    return re.sub(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}", "", text)


def sentences(text: str) -> list[str]:
    text = SHORT.sub(lambda found: found[0].replace(".", ""), plain(text))
    return [part.strip() for part in re.split(r"(?<=[.!?])[)\"']?\s+(?=[A-Z0-9\"'(]|it\b)", text) if words(part)]


def words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9][A-Za-z0-9'.,/^]*", text)


def syllables(word: str) -> int:
    """Groups of vowels, without a silent e at the end; vowels that are spoken apart count twice."""
    word = re.sub(r"[^a-z]", "", word.lower())
    if len(word) <= 3:
        return 1
    word = re.sub(r"(?:[^laeiouycsxzgh]es|[^td]ed|[^laeiouy]e)$", lambda found: found[0][0], word)
    apart = len(re.findall(r"ia(?!l|n$)|(?<![tscx])io|eo|oe(?=f)|ua(?!l?ly)|uou|[aeiouy]ing$", word))
    return max(1, len(re.findall(r"[aeiouy]+", word)) + apart)


def grade(parts: list[str]) -> float:
    """Flesch and Kincaid (1975): 0.39 words a sentence + 11.8 syllables a word - 15.59."""
    count = sum(len(words(part)) for part in parts)
    spoken = sum(syllables(word) for part in parts for word in words(part))
    return 0.39 * count / len(parts) + 11.8 * spoken / count - 15.59 if parts else 0.0


def banned() -> list[tuple[re.Pattern[str], str]]:
    rules = []
    for line in (HERE / "banned_words.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, better = line.partition(" -> ")
            rules.append((re.compile(rf"\b(?:{pattern.strip()})\b", re.I), better.strip()))
    return rules


def banned_in(name: str, shown: list[tuple[int, str]], rules: list[tuple[re.Pattern[str], str]]) -> list[str]:
    """A fault for each banned word in numbered lines."""
    return [f"{name}:{line}: '{found[0]}': say {better}"
            for line, text in shown for pattern, better in rules for found in pattern.finditer(text)]


def escaped_in(name: str, shown: list[tuple[int, str]]) -> list[str]:
    """A fault for each backslash before punctuation in mathematics of numbered lines."""
    return [f"{name}:{line}: '{found[0]}' in mathematics: write {BY_WORDS[found[0]]}"
            for line, text in shown for inside in re.findall(r"\$[^$`]+\$", text)
            for found in re.finditer(r"\\[,;:!{}]", inside)]


def faults_of(name: str, text: str, rules: list[tuple[re.Pattern[str], str]]) -> list[str]:
    faults = banned_in(name, [(line, plain(shown)) for line, shown in lines_of(text)], rules)
    faults += escaped_in(name, lines_of(text))
    blocks = paragraphs(text)
    parts = [(line, part) for line, block in blocks for part in sentences(block)]
    if name in WORDS_ONLY:
        return faults
    limit = GRADE_OF_GUIDES if name in GUIDES else GRADE_OF_OTHERS
    reached = grade([part for _, part in parts])
    if reached > limit:
        faults.append(f"{name}: Flesch-Kincaid grade {reached:.1f}, above {limit:g}")
    if name in GUIDES:
        for line, part in parts:
            if len(words(part)) > LONGEST_SENTENCE:
                faults.append(f"{name}:{line}: a sentence of {len(words(part))} words: {part[:60]}...")
    return faults


def misspelt(root: pathlib.Path, names: list[str]) -> list[str]:
    run = subprocess.run(
        ["codespell", "--ignore-words", str(HERE / "spelling.txt"), *names],
        cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.stdout.splitlines()


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    names = [page for _, pages in CONTENTS for page, _ in pages if page]
    names += sorted(str(path.relative_to(root)) for path in root.glob("docs/decisions/0*.md"))
    rules = banned()
    faults = misspelt(root, names)
    for name in names:
        text = (root / name).read_text()
        faults += faults_of(name, text, rules)
        if "--list" in sys.argv:
            parts = [part for _, block in paragraphs(text) for part in sentences(block)]
            longest = max((len(words(part)) for part in parts), default=0)
            print(f"{grade(parts):5.1f}  longest {longest:3d}  sentences {len(parts):4d}  {name}")
    sources = [path for folder in SOURCES for path in sorted((root / folder).rglob("*"))]
    read = 0
    for path in sources:
        spoken = spoken_in(path)
        read += bool(spoken)
        faults += banned_in(str(path.relative_to(root)), spoken, rules)
    if faults:
        sys.exit("\n".join(faults))
    print(f"prose: {len(names)} pages within the limits, no banned word in {read} sources and cases")


if __name__ == "__main__":
    main()
