"""The examples of docs/python.md and of the docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main() -> int:
    failed = tried = 0
    for name in ("stoss._run", "stoss._models", "stoss._results", "stoss._parameters"):
        module = importlib.import_module(name)
        for each in doctest.DocTestFinder().find(module):
            runner = doctest.DocTestRunner()
            runner.run(each)
            failed += runner.failures
            tried += runner.tries
    page = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        names: dict[str, object] = {"folder": folder}
        text = "\n".join(blocks)
        test = doctest.DocTestParser().get_doctest(text, names, "docs/python.md", None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test)
    print(f"{tried} examples of docstrings, {runner.tries} of docs/python.md")
    return int(failed + runner.failures > 0 or tried == 0 or runner.tries == 0)


if __name__ == "__main__":
    sys.exit(main())
