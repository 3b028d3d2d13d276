"""The examples of the pages and of the docstrings do what they say."""

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
    for name in ("_run", "_models", "_results", "_parameters", "_laws"):
        module = importlib.import_module(f"stoss.{name}")
        for each in doctest.DocTestFinder().find(module):
            runner = doctest.DocTestRunner()
            runner.run(each)
            failed += runner.failures
            tried += runner.tries
    of_pages = 0
    for page in ("README.md", "docs/python.md", "docs/start/roboticist.md"):
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, None, 0)
        with tempfile.TemporaryDirectory() as folder:
            # A folder like that of the repository, so that nothing is left in its runs.
            for entry in ROOT.iterdir():
                if entry.name != "runs":
                    pathlib.Path(folder, entry.name).symlink_to(entry)
            os.chdir(folder)
            options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            runner = doctest.DocTestRunner(optionflags=options)
            runner.run(test)
            os.chdir(ROOT)
        failed += runner.failures
        of_pages += runner.tries
    print(f"{tried} examples of docstrings, {of_pages} of pages")
    return int(failed > 0 or tried == 0 or of_pages == 0)


if __name__ == "__main__":
    sys.exit(main())
