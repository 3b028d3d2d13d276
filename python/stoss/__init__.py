"""Impact mechanics: two bodies collide, what happens?

Numbers are SI or texts with a unit ("12.7 mm"). `run` solves a case of any problem; `BeamCollision`,
`restitution`, `maximum_dissipation` and others compute with objects and arrays.
"""

from __future__ import annotations

from . import _classes, _stoss
from ._classes import *
from ._errors import Diagnostic, InputError, NumericalError
from ._experiments import compare, encoder
from ._laws import FunctionLaw
from ._models import (
    BeamCollision,
    CollisionMap,
    ModalBody,
    bead,
    calibrate,
    coulomb_solutions,
    describe,
    impact_motion,
    list_laws,
    list_problems,
    maximum_dissipation,
    modal_impact,
    restitution,
)
from ._parameters import Parameters
from ._results import Collision, Result, Table
from ._run import converge, fit, load, run

__version__: str = _stoss.version()

__all__ = [
    "BeamCollision",
    "Collision",
    "CollisionMap",
    "Diagnostic",
    "FunctionLaw",
    "InputError",
    "ModalBody",
    "NumericalError",
    "Parameters",
    "Result",
    "Table",
    "bead",
    "calibrate",
    "compare",
    "converge",
    "coulomb_solutions",
    "describe",
    "encoder",
    "fit",
    "impact_motion",
    "list_laws",
    "list_problems",
    "load",
    "maximum_dissipation",
    "modal_impact",
    "restitution",
    "run",
]
__all__ += _classes.__all__
