"""Every case gives in memory the tables that the command writes, byte by byte, and shows what it expects.

test_cases.py COMMAND short|long: the cases of cases/tutorial and cases/published. Maps, boxes of
spheres and channels are `long`; cases on request are left out.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile

import stoss

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = re.compile(
    r"^problem: (.*_map|channel_flow|box_settle|compliant_impact|virtual_experiment)$", re.M
)


def cases(long: bool) -> list[pathlib.Path]:
    found = sorted([*ROOT.glob("cases/tutorial/*.yaml"), *ROOT.glob("cases/published/*.yaml")])
    texts = {case: case.read_text() for case in found}
    return [
        case
        for case, text in texts.items()
        if not re.search("^on_request: true$", text, re.M) and bool(LONG.search(text)) == long
    ]


def differences(command: str, case: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Names of the tables that differ between the command and the package."""
    subprocess.run(
        [command, "run", str(case), "-o", str(folder), "--quiet"],
        check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    result = stoss.run(case)
    written = sorted(p.name for p in folder.glob("*.csv"))
    known = result._run.files() if result._run else {}
    bad = [n for n in written if n not in result.tables and n not in known]
    for name, table in result.tables.items():
        if name == "timing.csv":
            continue  # how long each scheme took: never twice the same
        if (folder / name).read_bytes() != table.to_csv().encode():
            bad.append(name)
    loaded = stoss.load(folder)
    ours = {k: v for k, v in result.summary.items() if k != "wall_time_s"}
    theirs = {k: v for k, v in loaded.summary.items() if k != "wall_time_s"}
    if repr(ours) != repr(theirs):
        bad.append("summary.json")
    unmet = [each["quantity"] for each in loaded.summary["expectations"] if not each["passed"]]
    return bad + [f"{quantity} is not as expected" for quantity in unmet]


def main() -> int:
    command, which = sys.argv[1:3]
    chosen = cases(which == "long")
    failed = 0
    for case in chosen:
        with tempfile.TemporaryDirectory() as folder:
            bad = differences(command, case, pathlib.Path(folder) / "run")
        print(f"{case.relative_to(ROOT)}: {'differs: ' + ', '.join(bad) if bad else 'same bytes'}",
              flush=True)
        failed += bool(bad)
    print(f"{len(chosen) - failed} of {len(chosen)} cases give the same bytes")
    return int(failed > 0 or not chosen)


if __name__ == "__main__":
    sys.exit(main())
