"""What Stoss raises."""

from __future__ import annotations

import os
from typing import NamedTuple, Union


class Diagnostic(NamedTuple):
    """One thing wrong with an input. ``line`` and ``column`` start at 1; 0: not from a file."""

    file: str
    line: int
    column: int
    key: str
    value: str
    rule: str
    suggestion: str


class InputError(ValueError):
    """An input that cannot be used; ``diagnostics`` holds everything that was found wrong."""

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        self.diagnostics: list[Diagnostic] = list(diagnostics or [])
        super().__init__(message, self.diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])


def refused(key: str, value: str, rule: str) -> InputError:
    """The error of one argument."""
    words = f"{key}: {value}: {rule}" if value else f"{key}: {rule}"
    return InputError(words, [Diagnostic("", 0, 0, key, value, rule, "")])


def path_of(key: str, path: Union[str, "os.PathLike[str]"]) -> str:
    """The path of a file as a text. Errors: InputError if no file can have that name."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise refused(key, ascii(text), "must not have a null character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refused(key, ascii(text), "must be text; it has half of a surrogate pair") from None
    return text


class NumericalError(ArithmeticError):
    """A computation that could not be done on valid input; the message says what and why."""
