#!/usr/bin/python3
"""Types the commands of a page as a reader would, and compares what they print with what the page shows.

transcripts.py [--built] PAGE...

Every ```sh block is run, in the folder of the repository, all of a page in one shell. If a ```text block follows it, the
block is what the commands print. In it, a line `...` means any lines, and `...` inside a line any text. --built leaves
out the line `./dev build`: stoss is in the PATH already. It also runs beside the folder of the repository, and leaves
nothing in runs.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "----- next block -----"
# What a slow machine shows of how far it is: "collisions  41 %  16 of 39  2.7/s  0:09 left".
PROGRESS = re.compile(r"^\w[\w ]* +\d+ %  \d+ of \d+  .*\n", re.M)


def blocks(page: str) -> list[tuple[str, str | None]]:
    """Commands, and what the page says that they print."""
    found: list[tuple[str, str | None]] = []
    fences = list(re.finditer(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S))
    for fence, following in zip(fences, [*fences[1:], None]):
        if fence[1] != "sh":
            continue
        shown = following[2] if following and following[1] == "text" else None
        found.append((fence[2], shown))
    return found


def agrees(printed: str, shown: str) -> bool:
    parts = []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n")
    return re.fullmatch("".join(parts), printed) is not None


def check(name: str, built: bool) -> list[str]:
    commands = blocks((ROOT / name).read_text())
    script = "set -eu\n"
    for command, _ in commands:
        if built:
            command = command.replace("./dev build\n", "").replace('export PATH="$PWD/build/release:$PATH"\n', "")
        script += f"{command}\necho '{MARK}'\n"
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            if entry.name != "runs":
                (pathlib.Path(folder) / entry.name).symlink_to(entry)
        run = subprocess.run(["sh", "-c", script], cwd=folder if built else ROOT, text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = PROGRESS.sub("", run.stdout).split(MARK + "\n")
    faults = []
    if run.returncode:
        faults.append(f"{name}: a command failed:\n{printed[-1]}")
    for (command, shown), output in zip(commands, printed):
        if shown is not None and not agrees(output, shown):
            faults.append(f"{name}: the page shows\n{shown}but\n{command}prints\n{output}")
    return faults


def main() -> None:
    pages = [word for word in sys.argv[1:] if word != "--built"]
    faults = [fault for page in pages for fault in check(page, "--built" in sys.argv)]
    if faults:
        sys.exit("\n".join(faults))
    print(f"transcripts: {len(pages)} pages print what they show")


if __name__ == "__main__":
    main()
