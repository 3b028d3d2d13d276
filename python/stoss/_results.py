"""Results: tables, collisions, runs."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _stoss
from ._errors import path_of


class Table(Mapping[str, Any]):
    """Columns of equal length: ``table["separation_s"]`` or ``table.separation_s``.

    A column of numbers is an array on the memory of the core: nothing is copied. Those of a run
    are read-only, for the run is still written from them. The name of a column ends with its unit
    (SI); ``units`` has them apart. ``table.separation`` works, too.
    """

    def __init__(
        self, columns: Mapping[str, Any], core: Any = None, units: Mapping[str, str] | None = None
    ) -> None:
        """units: of columns whose names do not end with theirs."""
        self._columns = dict(columns)
        self._core = core
        parts = {name: _stoss.split_unit(name) for name in self._columns}
        self._names = {short: name for name, (short, _) in parts.items()} | {
            name: name for name in self._columns
        }
        self.units: dict[str, str] = {name: unit for name, (_, unit) in parts.items()}
        self.units.update(units or {})

    def __getstate__(self) -> Any:
        """A table of a run is pickled as the core has it, and is read-only again."""
        return (self._columns if self._core is None else None), self._core, self.units

    def __setstate__(self, state: Any) -> None:
        columns, core, units = state
        Table.__init__(self, core.columns() if columns is None else columns, core, units)

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[self._names[name]]
        except KeyError:
            raise KeyError(f"{name}: there is no such column; {', '.join(self)}") from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        """Same names in the same order, and equal entries; NaN is equal to NaN."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return list(self) == list(other) and all(
            _are_equal(self[name], other[name]) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    def _shape(self) -> tuple[int, ...]:
        """Of the rows; columns of several numbers a row have more dimensions."""
        return min((np.shape(column) for column in self.values()), key=len, default=(0,))

    def _by_row(self, column: Any) -> Any:
        return np.reshape(column, (self.rows, *np.shape(column)[len(self._shape()) :]))

    def _in_rows(self) -> dict[str, Any]:
        """The columns, one row for each entry of an array of any shape, in C order."""
        return {name: self._by_row(column) for name, column in self.items()}

    @property
    def rows(self) -> int:
        """Number of rows: one for a single number, one for each entry of an array of any shape."""
        return math.prod(self._shape())

    def to_numpy(self) -> Any:
        """A structured array of `rows` entries in C order, with one field a column (a copy;
        columns of several numbers a row are fields with a shape)."""
        columns = self._in_rows()
        kinds = [(name, column.dtype, column.shape[1:]) for name, column in columns.items()]
        rows = np.empty(self.rows, dtype=kinds)
        for name, column in columns.items():
            rows[name] = column
        return rows

    def to_pandas(self) -> Any:
        """The columns with one number a row as a pandas.DataFrame; rows of arrays of several
        dimensions in C order. Errors: ImportError without pandas."""
        import pandas

        return pandas.DataFrame({name: c for name, c in self._in_rows().items() if c.ndim == 1})

    def to_csv(self) -> str:
        """The table as the command writes it. Errors: TypeError if it is of no run."""
        if self._core is None:
            raise TypeError("only a table of a run is written as the command does; use to_pandas")
        return str(self._core.to_csv())

    def plot(self, x: str | None = None, y: str | list[str] | None = None, ax: Any = None) -> Any:
        """Draws columns `y` over column `x` (the first column) with matplotlib; returns the axes.
        Without `y`: `cor_kinematic` if there is one, else the second column. Rows of arrays of
        several dimensions are joined in C order."""
        import matplotlib.pyplot as plt

        columns = self._in_rows()
        names = [name for name, c in columns.items() if c.ndim == 1 and c.dtype.kind in "fiu"]
        x = x or names[0]
        if y is None:
            y = "cor_kinematic" if "cor_kinematic" in self else names[min(1, len(names) - 1)]
        if ax is None:
            _, ax = plt.subplots()
        chosen = [y] if isinstance(y, str) else y
        for name in chosen:
            ax.plot(self._by_row(self[x]), self._by_row(self[name]), label=name)
        ax.set_xlabel(x)
        ax.set_ylabel(chosen[0] if len(chosen) == 1 else "")
        if len(chosen) > 1:
            ax.legend()
        return ax

    def __repr__(self) -> str:
        return f"<Table: {self.rows} rows; {', '.join(self)}>"

    def _repr_html_(self) -> str:
        columns = self._in_rows()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        shown = min(self.rows, 20)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(str(c[i]))}</td>" for c in columns.values())
            + "</tr>"
            for i in range(shown)
        )
        rest = f"<p>{self.rows - shown} more rows</p>" if self.rows > shown else ""
        return f"<table><tr>{head}</tr>{body}</table>{rest}"


class Collision:
    """One collision. Attributes: `status`, `cor_kinematic`, `separation_s`, ... (``numbers``),
    `sub_impacts` and, if they were asked for, `history` and `gradient` (each a Table),
    `energy_modes`, `warnings` (of the gradient)."""

    def __init__(self, core: Mapping[str, Any]) -> None:
        self.numbers: dict[str, float] = dict(core["numbers"])
        self.status: str = core["status"]
        self.converged: bool = core["converged"]
        self.steps: int = core["steps"]
        self.energy_modes = core["energy_modes"]
        self.sub_impacts = Table(core["sub_impacts"])
        self.history = Table(core["history"], units=core["history_units"])
        self.gradient = Table(core.get("gradient", {}))
        self.warnings: list[str] = list(core.get("warnings", []))
        self._short = {_stoss.split_unit(name)[0]: name for name in self.numbers}

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.numbers[self._short.get(name, name)]
        except KeyError:
            raise AttributeError(f"{name}: {', '.join(self.numbers)}") from None

    def __repr__(self) -> str:
        cor = self.numbers["cor_kinematic"]
        return f"<Collision: {self.status}, e = {cor:.6g}, {self.sub_impacts.rows} sub-impacts>"


def _is_same(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)


def _are_equal(one: Any, other: Any) -> bool:
    """Of two columns: shapes and entries, NaN equal to NaN."""
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind == "f" and other.dtype.kind == "f":
        return bool(np.array_equal(one, other, equal_nan=True))
    if (one.dtype.kind == "U") != (other.dtype.kind == "U"):
        return False
    return bool(np.array_equal(one, other))


class Result(Mapping[str, Any]):
    """A run: ``result["key"]`` or ``result.key`` is a number of the summary, ``result.tables`` its
    tables by file name (``result.table`` is the first one). It can be pickled; `report` of a copy
    can only draw a directory that was written before."""

    def __init__(
        self,
        summary: dict[str, Any],
        case: dict[str, Any],
        tables: Mapping[str, Any],
        run: Any = None,
        directory: str | None = None,
    ) -> None:
        self.summary = summary
        self.case = case
        self.tables = {name: Table(core.columns(), core) for name, core in tables.items()}
        self.directory = directory
        self._run = run

    @property
    def table(self) -> Table:
        """The first table. Errors: LookupError if there is none."""
        if not self.tables:
            raise LookupError("this run has no table")
        return next(iter(self.tables.values()))

    @property
    def warnings(self) -> list[str]:
        """The warnings of the run."""
        return list(self.summary.get("warnings", []))

    @property
    def passed(self) -> bool:
        """True if every expectation of the case holds. Also True if the case was changed or has no
        ``expect:``, as nothing is compared then."""
        return all(each["passed"] for each in self.summary.get("expectations", []))

    def __getitem__(self, key: str) -> Any:
        return self.summary[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        summary = self.__dict__.get("summary", {})
        if name in summary:
            return summary[name]
        for key in summary:
            if _stoss.split_unit(key)[0] == name:
                return summary[key]
        raise AttributeError(f"{name}: there is no such result; {', '.join(summary)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.summary)

    def __len__(self) -> int:
        return len(self.summary)

    def to_pandas(self) -> Any:
        """The first table as a pandas.DataFrame."""
        return self.table.to_pandas()

    def plot(self, *args: Any, **kwargs: Any) -> Any:
        """Draws the first table; see Table.plot."""
        return self.table.plot(*args, **kwargs)

    def report(self, directory: str | os.PathLike[str] | None = None, force: bool = False) -> str:
        """Writes the run directory with figures and report, as the command does, and returns the
        path of report.html. A loaded run is drawn again where it is.

        Errors: InputError if the directory holds other files, or, without `force`, results of
        another case; OSError if it cannot be written; TypeError without a directory, and for
        another directory than that of a run that was loaded or pickled."""
        where = None if directory is None else path_of("directory", directory)
        if self._run is not None and where is not None:
            self._run.write(where, force)
            self.directory = where
        elif self.directory is not None and _is_same(where or self.directory, self.directory):
            _stoss.write_report(self.directory)
        elif where is None:
            raise TypeError("report() needs a directory to write to")
        else:
            raise TypeError(
                "only a result of run() can be written to another directory, in the process that "
                "ran it"
            )
        return os.path.join(self.directory, "report.html")

    def __repr__(self) -> str:
        tables = ", ".join(f"{name} ({t.rows} rows)" for name, t in self.tables.items())
        return f"<Result of {self.summary['problem']}: {tables or 'no tables'}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(key)}</th><td>{html.escape(str(value))}</td></tr>"
            for key, value in self.summary.items()
            if not isinstance(value, (dict, list))
        )
        return f"<h4>{html.escape(str(self.summary['title']))}</h4><table>{rows}</table>"
