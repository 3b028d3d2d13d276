"""Cases of all problems."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, Union

from . import _executors, _stoss
from ._errors import path_of, refused
from ._executors import Progress
from ._parameters import Parameters
from ._results import Result

Case = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def _entries(value: Any) -> dict[str, Any] | None:
    """The keys that `value`, a change, sets in a mapping of the case, by name. None: it takes the
    place of what is there, as a number does, or an object that chooses a kind with its keys."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, Parameters) or value._tag:
        return None
    entries: dict[str, Any] = {}
    for key in value._keys:
        each = getattr(value, key)
        if isinstance(each, Parameters) and key in each._tag:
            if value._keys.keys() - {key} <= each._keys.keys():  # as the law of a Contact
                return None
            entries.update(each.to_dict())
        elif each is not None:
            entries[key] = each
    return entries


def _leaves(changes: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in changes.items():
        entries = _entries(value)
        if entries is not None:
            found += _leaves(entries, f"{prefix}{key}.")
        else:
            found.append((prefix + key, value))
    return found


def _part(file: str, case: Any, number: int, count: int) -> bytes:
    """One part of a run, in a process of an executor."""
    return _stoss.make_run("dict", case, [], False, file).part(number, count, 1)


def _check_problem(found: str, wanted: str) -> None:
    if found != wanted:
        raise refused("problem", found, f"must be {wanted}; stoss.run takes cases of all problems")


def _solve(
    case: Case,
    changes: Mapping[str, Any],
    converge: bool,
    output: str | os.PathLike[str] | None,
    threads: int,
    progress: Progress | None,
    force: bool,
    executor: Executor | None = None,
    parts: int = 8,
    problem: str = "",
) -> Result:
    """problem: that of the case; "": any."""
    kind, given = "dict", case
    if isinstance(case, str) and "\n" in case:
        kind = "text"
    elif isinstance(case, (str, os.PathLike)):
        file = path_of("case", case)
        kind, given = "file", os.path.abspath(file) if executor else file
    elif not isinstance(case, dict) and not hasattr(case, "to_dict"):
        found = type(case).__name__
        raise TypeError(f"case: must be a path, YAML text or a dict, not {found}")
    if output is not None and not isinstance(output, (str, bytes, os.PathLike)):
        raise TypeError(
            'output: must be a path; write **{"output.samples": 100} for the key `output` of a case'
        )
    shares, count = _executors.parts_of(parts), _executors.threads_of(threads)
    directory = None if output is None else path_of("output", output)
    run = _stoss.make_run(kind, given, _leaves(changes), converge)
    if problem:
        _check_problem(run.document()[1]["problem"], problem)
    if directory is not None and not force:
        run.check(directory)
    with _executors.listening(progress) as listen:
        if executor is not None:
            run.check_shared()
            file, tree = run.document()
            work = [(file, tree, number, shares) for number in range(1, shares + 1)]
            for part in _executors.compute(executor, _part, work, listen):
                run.take(part)
        run.solve(count, listen)
    result = Result(run.summary(), run.decided(), run.tables(), run)
    if directory is not None:
        result.report(directory, force)
    return result


def run(
    case: Case,
    *,
    output: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    force: bool = False,
    executor: Executor | None = None,
    parts: int = 8,
    **changes: Any,
) -> Result:
    """Solves a case of any problem in memory.

    case: path of a case file; YAML text (a str with a line break); or a dict, whose values may be
        objects such as ``stoss.Beam``. Files that a dict or text names are looked for from the
        current directory.
    changes: keys that are set before, as ``mesh={"modes": 10}`` or ``**{"mesh.modes": 10}``. A
        changed case is not held against its ``expect:``. A dict, or an object such as
        ``stoss.Mesh(modes=10)``, sets the keys it was given; the others stay. An object that
        chooses a kind, as ``stoss.Circle`` or ``stoss.Hertz``, takes the place of the whole
        mapping; so does a ``stoss.Contact`` or ``stoss.Integration`` with such an object.
    output: a directory that the run is also written to, as the command does; else nothing is
        written. force: it may replace results of another case.
    threads: at most 4096; 0: all cores. The numbers do not depend on it.
    progress: called as ``progress(what, done, total)``, some twenty times a second; True: a bar on
        standard error, by tqdm if it is installed.
    executor: any of concurrent.futures, dask or mpi4py. Its workers compute the case in so many
        `parts`, each on one thread; the bytes are those of one process, and what is lost with a
        worker is computed here. For maps, sweeps, uncertainty studies, fits and virtual
        experiments. Workers read the files that the case names.

    Errors: InputError with everything that is wrong; TypeError for a `case` or `output` of another
    type; NumericalError; OSError for files; KeyboardInterrupt and what `progress` raises, after the
    computation has ended.

    >>> result = run({"problem": "restitution", "mass": "1 g", "speed": 1,
    ...               "contact": {"law": "hertz", "stiffness": 1e6}})
    >>> round(result.cor, 9)
    1.0
    """
    return _solve(
        case, changes, False, output, threads, progress, force, executor, parts
    )


def fit(
    case: Case,
    *,
    output: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    force: bool = False,
    executor: Executor | None = None,
    parts: int = 8,
    **changes: Any,
) -> Result:
    """Finds keys of a case from measured restitution: a case with problem ``beam_fit``. Arguments
    and errors as of `run`; InputError for another problem."""
    return _solve(
        case, changes, False, output, threads, progress, force, executor, parts, "beam_fit"
    )


def converge(
    case: Case,
    *,
    output: str | os.PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    force: bool = False,
    **changes: Any,
) -> Result:
    """Convergence study of a case of a struck beam, as ``stoss converge``.
    Arguments and errors as of `run`."""
    return _solve(case, changes, True, output, threads, progress, force)


def load(directory: str | os.PathLike[str]) -> Result:
    """What a run wrote to its directory. Errors: OSError, InputError if a file cannot be read."""
    path = path_of("directory", directory)
    summary, case, tables = _stoss.load(path)
    return Result(summary, case or {}, tables, directory=path)
