"""Contact laws that are written in Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ._parameters import Parameters


class FunctionLaw:
    """A contact law whose force is a function of Python.

    force: called as ``force(overlap, rate)`` with an overlap [m] >= 0 and its rate [m/s], > 0 while
    the bodies close; returns the force [N] that pushes them apart. It must depend on its arguments
    alone, be smooth in both, and be 0 for ``force(0, 0)``. What ``force(x, 0)`` stores on its way
    to x comes back; the rest is lost. So a force without rate is elastic. The part with the rate
    must act against it; else the contact gives energy, and `restitution` warns of a cor above 1.
    The force must be computed in double precision, for its slopes are differences. A table of
    measured forces should be a `Tabulated` law.

    It can be used in place of a law of Stoss in `BeamCollision`, `restitution` and `modal_impact`, not
    in cases. A collision calls it some thousand times; the lock of the interpreter is held in each
    call, so the work is done on one thread. An executor takes it if `force` can be pickled.

    Errors: TypeError if `force` cannot be called; what `force` raises, and TypeError if it returns
    no number, arrives where the collision was asked for.

    >>> import stoss
    >>> law = stoss.FunctionLaw(lambda x, v: 1e6 * x**1.5 * (1 + 0.5 * v))
    >>> builtin = stoss.HuntCrossley(stiffness=1e6, damping_factor=0.5)
    >>> e = [float(stoss.restitution(each, "10 g", 1.0).cor) for each in (law, builtin)]
    >>> abs(e[0] - e[1]) < 1e-9
    True
    """

    def __init__(self, force: Callable[[float, float], float]) -> None:
        if not callable(force):
            raise TypeError(f"the force of a law must be a function, not {type(force).__name__}")
        self.force = force

    def __repr__(self) -> str:
        return f"FunctionLaw({self.force!r})"

    def to_dict(self) -> dict[str, Any]:
        """Errors: always TypeError, for no case can hold a function."""
        raise TypeError(
            "a law written in Python is no part of a case; BeamCollision, restitution and "
            "modal_impact take it"
        )


class _Found(Exception):
    """Ends a computation whose force was found wrong; holds what was found."""


def reason_of_failure(
    force: Callable[[float, float], float], compute: Callable[[Callable[[float, float], float]], Any]
) -> str:
    """Why an impact on this force could not be computed: its first value that no impact can have.
    ``compute`` computes the impact on a force once more."""

    def watched(overlap: float, rate: float) -> float:
        value = force(overlap, rate)
        if not math.isfinite(value):
            raise _Found(f"force({overlap:.6g}, {rate:.6g}) is {value}")
        if rate == 0 and overlap > 0 and value < 0:
            raise _Found(
                f"force({overlap:.6g}, 0) is {value:.6g}: it pulls bodies at rest together"
            )
        return value

    try:
        compute(watched)
    except _Found as found:
        return str(found)
    return "the force does not end the contact"


def split(contact: Any) -> tuple[Any, Callable[[float, float], float] | None]:
    """A contact as the mapping of a case, and the force of its law if that is of Python."""
    if isinstance(contact, FunctionLaw):
        return {}, contact.force
    tree = contact.to_dict() if isinstance(contact, Parameters) else contact
    if isinstance(tree, dict) and isinstance(tree.get("law"), FunctionLaw):
        return {key: each for key, each in tree.items() if key != "law"}, tree["law"].force
    return tree, None
