"""Work that the workers of an executor share, and its progress."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from typing import Any, TypeVar, Union

from ._errors import refused

Listener = Callable[[str, int, int], object]
Progress = Union[Listener, bool]
Done = TypeVar("Done")


def _whole(key: str, number: Any) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{key} must be a whole number, not {number!r}") from None


def threads_of(number: Any) -> int:
    """A number of threads. Errors: TypeError if it is no whole number; InputError if it is below 0
    or above 4096, the most that the command takes."""
    count = _whole("threads", number)
    if not 0 <= count <= 4096:
        raise refused("threads", str(count), "must be from 1 to 4096, or 0: all cores")
    return count


def parts_of(number: Any) -> int:
    """A number of parts of the work. Errors: TypeError if it is no whole number; InputError if it
    is below 1."""
    count = _whole("parts", number)
    if count < 1:
        raise refused("parts", str(count), "must be 1 or more")
    return count


class _Bar:
    """Progress on standard error: by tqdm if it is there, else one line that is written again."""

    def __init__(self) -> None:
        try:
            from tqdm import tqdm
        except ImportError:
            tqdm = None
        self._tqdm = tqdm
        self._bar: Any = None
        self._shown = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._tqdm is None:
            line = f"{what} {done} of {total}"
            covering = line.ljust(len(self._shown))
            print(f"\r{covering}", end="", file=sys.stderr, flush=True)
            self._shown = line
            return
        if self._bar is None or self._bar.total != total:
            self.close()
            self._bar = self._tqdm(total=total)
        self._bar.set_description_str(what, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._shown:
            print(file=sys.stderr)
            self._shown = ""


class listening:
    """The listener of a call, as ``with listening(progress) as listen``; True is a bar."""

    def __init__(self, progress: Progress | None) -> None:
        self._bar = _Bar() if progress is True else None
        self._listen: Listener | None = self._bar
        if self._bar is None and not isinstance(progress, bool):
            self._listen = progress

    def __enter__(self) -> Listener | None:
        return self._listen

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def compute(
    executor: Executor,
    work: Callable[..., Done],
    arguments: Sequence[tuple[Any, ...]],
    listen: Listener | None,
) -> list[Done]:
    """``work(*each)`` of all `arguments`, by the executor. What is lost because a worker died is
    computed here. An exception ends all of it."""
    jobs = []
    try:
        for each in arguments:
            try:
                jobs.append(executor.submit(work, *each))
            except BrokenExecutor:
                break
        done: list[Done] = []
        for i, each in enumerate(arguments):
            try:
                found = jobs[i].result() if i < len(jobs) else work(*each)
            except BrokenExecutor:
                found = work(*each)
            done.append(found)
            if listen is not None:
                listen("parts", len(done), len(arguments))
        return done
    finally:
        for job in jobs:
            job.cancel()
