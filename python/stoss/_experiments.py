"""Measurements: traces of an encoder, comparison of computed with measured restitution."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from . import _executors, _stoss
from ._errors import path_of, refused
from ._results import Result, Table
from ._run import load

Path = Union[str, "os.PathLike[str]"]


def _read(output: Path | None, work: Callable[[str], list[str]]) -> Result:
    """What `work` writes to `output`, or to a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        directory = os.path.join(folder, "results") if output is None else path_of("output", output)
        warnings = work(directory)
        result = load(directory)
    if output is None:
        result.directory = None
    result.summary.setdefault("warnings", warnings)
    return result


def _word(value: Any) -> str:
    """A value as a case writes it."""
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def encoder(trace: Path, *, output: Path | None = None, threads: int = 0, **options: Any) -> Result:
    """Measures the impact in an encoder trace (CSV), or in a folder of them with manifest.csv, as
    ``stoss encoder``.

    options: keys of encoder.yaml, as ``pulses_per_revolution=1000``. output: a directory that is
    kept, with figures and report. Source: docs/experiments.md.
    Errors: InputError, OSError.
    """
    given = [f"{key}={_word(value)}" for key, value in options.items()]
    path = path_of("trace", trace)
    count = _executors.threads_of(threads)
    return _read(output, lambda folder: _stoss.encoder(path, folder, given, count))


def compare(
    runs: Path | Result | Sequence[Path | Result],
    experiment: Path,
    *,
    output: Path | None = None,
    skip_bad: bool = False,
) -> Result:
    """Compares computed with measured restitution, as ``stoss compare``.

    runs: run directories or results of `run`, or one of them. experiment: table of measurements (CSV).
    Tables: comparison.csv, curves.csv. Errors: InputError, also for no run and for a table in place
    of one; OSError.
    """
    path = path_of("experiment", experiment)
    given = [runs] if isinstance(runs, (str, os.PathLike, Result, Table)) else list(runs)
    if not given:
        raise refused("runs", "", "name at least one run")
    if any(isinstance(each, Table) for each in given):
        rule = "a table is not a run; give the result of stoss.run or a run directory"
        raise refused("runs", "", rule)
    with tempfile.TemporaryDirectory() as folder:
        directories = []
        for i, each in enumerate(given):
            if isinstance(each, Result):
                directory = each.directory or os.path.join(folder, f"run_{i + 1}")
                if each.directory is None:
                    each.report(directory)
                    each.directory = None
                directories.append(directory)
            else:
                directories.append(path_of("runs", each))
        return _read(output, lambda to: _stoss.compare(directories, path, to, skip_bad))
