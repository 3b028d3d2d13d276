"""Collisions, impacts of a point mass, rigid contacts."""

from __future__ import annotations

import copy
import math
import numbers
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from . import _executors, _laws, _run, _stoss
from ._errors import InputError, NumericalError, refused
from ._executors import Progress
from ._parameters import PROBLEMS, Parameters, _key
from ._results import Collision, Result, Table

_MOTION = [key["key"] for key in _key("beam_impact_map", "motion")["keys"]]


def _no_number(value: Any, given: Any) -> str:
    """What there is in `value`, an array as `given`, that is neither a real number nor a text; "" if
    there is nothing."""
    if given.dtype.kind not in "iufUO":
        return str(given.dtype.name)
    each: Any
    if isinstance(value, (list, tuple)):  # numpy makes numbers, or texts, of bool among others
        for each in np.asarray(value, dtype=object).flat:
            if isinstance(each, (bool, np.bool_)):
                return type(each).__name__
    if given.dtype.kind == "O":
        for each in given.flat:
            if isinstance(each, bool) or not isinstance(each, (numbers.Real, str)):
                return type(each).__name__
    return ""


def _numbers(key: str, value: Any, unit: str = "") -> Any:
    """An array of floats in SI; texts may have a unit. Errors: InputError for other texts, for what
    is neither a text nor a real number, as bool and dates, and for masked entries."""
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise refused(key, "", "must not have masked entries; use compressed() or filled()")
    given = np.asarray(value)
    if np.iscomplexobj(given):
        raise refused(key, "", "must be real, not complex")
    other = _no_number(value, given)
    if other:
        raise refused(key, "", f"must be numbers or texts with a unit, not {other}")
    if not (given.dtype.kind in "UO" and any(isinstance(each, str) for each in given.flat)):
        return np.asarray(given, dtype=float)
    keys = [key] if given.ndim == 0 else [f"{key}[{i}]" for i in range(given.size)]
    texts = [str(each) for each in given.flat]
    return np.reshape(_stoss.quantities(keys, texts, unit), given.shape)


def _number(key: str, value: Any, unit: str) -> float:
    """One number in SI. Errors: InputError as of `_numbers`, and for several numbers."""
    given = _numbers(key, value, unit)
    if given.size != 1:
        raise refused(key, "", f"must be one number, not of shape {given.shape}")
    return float(given.item())


def _places(xi: Any) -> Any:
    """The places xi = x/l as an array. Errors: InputError as of `_numbers`; of a length it says
    what to write."""
    try:
        return _numbers("xi", xi)
    except InputError as error:
        lengths = [each for each in error.diagnostics if "unit" in each.rule]
        if not lengths:
            raise
        rule = (
            "must be xi = x/l, a number from 0 to 1 without unit; divide x by the length of the "
            "beam, as 0.15/0.508"
        )
        raise refused(lengths[0].key, lengths[0].value, rule) from None


def _mode_values(key: str, value: Any) -> Any:
    """A number for each of some modes. Errors: InputError as of `_numbers`, and for what is no
    list."""
    given = _numbers(key, value)
    if given.ndim != 1:
        shape = given.shape
        raise refused(key, "", f"must be a list with a number for each mode, not of shape {shape}")
    return given


def _samples(history: Any) -> int:
    """Instants of the motion that a collision keeps. Errors: InputError for what is neither a bool
    nor a number of 0 or more."""
    if isinstance(history, (bool, np.bool_)):
        return 2000 if history else 0
    if not isinstance(history, numbers.Integral) or history < 0:
        raise refused("history", str(history), "must be True, False or a whole number >= 0")
    return int(history)


def _listed(key: str, items: Sequence[str]) -> list[str]:
    """The items of an argument. Errors: InputError for a text alone, which is a sequence of
    letters."""
    if isinstance(items, str):
        raise refused(key, items, f"must be a list; write [{items!r}]")
    return list(items)


def _model_of(case: dict[str, Any]) -> _stoss.BeamModel:
    contact, force = _laws.split(case.get("contact"))
    return _stoss.BeamModel({**case, "contact": contact}, force)


def _copied(value: Any) -> Any:
    """A part of a case as the core reads it, in lists and dicts of its own: it stays when the
    caller changes `value`. A `FunctionLaw` keeps its function. Errors: RecursionError for what
    holds itself."""
    if isinstance(value, _laws.FunctionLaw):
        return copy.copy(value)
    if isinstance(value, Parameters):
        return _copied(value.to_dict())
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copied(each) for each in value]
    if hasattr(value, "tolist") and not isinstance(value, type):
        plain = value.tolist()
        return plain if type(plain) is type(value) else _copied(plain)  # a longdouble stays one
    return value


def _map_part(case: dict[str, Any], xi: Any) -> dict[str, Any]:
    """One part of a map, in a process of an executor."""
    columns, status = _model_of(case).map(xi, 1, None)
    return {**columns, "status": status}


class CollisionMap(Table):
    """Collisions along a beam; columns named as in map.csv, and `status`."""


class BeamCollision:
    """A beam and its striker, ready to collide at any place; the modes are computed once.

    beam, striker: `Beam`; `Cylinder`, `Sphere` or `StrikingBeam`.
    motion: keys of `Motion` as keyword arguments, as ``angular_velocity=-6`` [rad/s].
    contact, mesh, integration: `Hertz` or another law, be it a `FunctionLaw`, or `Contact`; `Mesh`;
    `Splitting` or `Newmark`.
    The arguments are copied. Later changes of them have no effect.

    Errors: InputError with everything that is wrong; NumericalError if the modes cannot be
    computed.
    """

    def __init__(
        self,
        beam: Any,
        striker: Any,
        *,
        contact: Any = None,
        mesh: Any = None,
        integration: Any = None,
        **motion: Any,
    ) -> None:
        unknown = [key for key in motion if key not in _MOTION]
        if unknown:
            raise TypeError(f"BeamCollision: {unknown[0]!r} is not one of {', '.join(_MOTION)}")
        given = {
            "beam": beam,
            "striker": striker,
            "motion": motion or None,
            "contact": contact,
            "mesh": mesh,
            "integration": integration,
        }
        if isinstance(contact, _laws.FunctionLaw):
            given["contact"] = {"law": contact}
        self._case = {key: _copied(value) for key, value in given.items() if value is not None}
        self._model = _model_of(self._case)

    def __reduce__(self) -> Any:
        state = {k: v for k, v in self.__dict__.items() if k not in ("_case", "_model")}
        return _restored, (type(self), self._case), state or None

    def __repr__(self) -> str:
        case = self.resolved()
        striker, law = case["striker"]["shape"], case["contact"]["law"]
        length = case["beam"]["length"]
        return f"<{type(self).__name__}: beam of {length}, striker {striker}, law {law}>"

    def to_dict(self) -> dict[str, Any]:
        """The mapping of a case, without `problem` and places. It is a copy; arrays are lists."""
        return {key: _copied(value) for key, value in self._case.items()}

    def resolved(self) -> dict[str, Any]:
        """The same with all defaults written out."""
        resolved = dict(self._model.resolved())
        law = _mapping(self._case.get("contact")).get("law")
        if isinstance(law, _laws.FunctionLaw):
            resolved["contact"]["law"] = copy.copy(law)
        return resolved

    def map(
        self,
        xi: Any,
        *,
        threads: int = 0,
        progress: Progress | None = None,
        executor: Executor | None = None,
        parts: int = 8,
    ) -> CollisionMap:
        """The collisions at the places xi = x/l in [0, 1], a number or an array of any shape. The
        columns have that shape.

        threads: 0: all cores; the numbers do not depend on it. progress, executor, parts: as of
        `run`.

        Errors: InputError for a place outside [0, 1] or a masked one; NumericalError; what the law
        raises if it is a `FunctionLaw`.
        """
        given = _places(xi)
        places, count = given.ravel(), _executors.threads_of(threads)
        shares = _executors.parts_of(parts)
        with _executors.listening(progress) as listen:
            if executor is None or not places.size:
                columns, status = self._model.map(places, count, listen)
                found = {**columns, "status": status}
            else:
                modes, elements = self._model.resolution(places, count)
                mesh = dict(self.resolved()["mesh"], modes=modes, elements=elements)
                fixed = dict(self._case, mesh=mesh)
                work = [(fixed, part) for part in np.array_split(places, shares) if part.size]
                done = _executors.compute(executor, _map_part, work, listen)
                found = {name: np.concatenate([each[name] for each in done]) for name in done[0]}
        return CollisionMap({name: each.reshape(given.shape) for name, each in found.items()})

    def truncation(self, xi: Any, *, threads: int = 0) -> Any:
        """By how much further modes would change cor_kinematic at the places xi: an array of
        estimates in their shape, as the column cor_truncation of map.csv; NaN where the bodies do
        not part. Takes two or three collisions a place. threads, errors: as of `map`. Source:
        docs/theory/number_of_modes.md.
        """
        given = _places(xi)
        found = self._model.truncation(given.ravel(), _executors.threads_of(threads))
        return found.reshape(given.shape)

    def collide(
        self,
        xi: float,
        *,
        history: bool | int = False,
        gradient: Sequence[str] = (),
        gradient_of: Sequence[str] | None = None,
        gradient_kinks: bool = True,
    ) -> Collision:
        """The collision at the place xi = x/l in [0, 1], a number without unit.

        history: True keeps up to about 2000 instants of the motion, a number n up to about n, at
        least 2; 0 keeps none.

        gradient: keys by which the results are differentiated, as ``contact.damping``;
        ``location``: the place of contact. The derivatives are exact, in the table `gradient` of
        the collision: a row a key, columns as in gradient.csv. The place stays at xi while
        ``beam.length`` changes. gradient_of: some of the results, as ``["cor_kinematic"]``; None:
        all. gradient_kinks: also how far the next kink is. Source: docs/gradients.md.

        Errors: as of `map`; InputError for a key without derivatives, a scheme or dashpots without
        them.
        """
        samples = _samples(history)
        wanted = {
            "gradient": _listed("gradient", gradient) or None,
            "gradient_of": (
                None if gradient_of is None else _listed("gradient_of", gradient_of)
            ),
            "gradient_kinks": gradient_kinks,
        }
        place = _places(xi)
        if place.size != 1:
            rule = f"must be one number, not of shape {place.shape}; `map` takes several places"
            raise refused("xi", "", rule)
        return Collision(self._model.collide(float(place.item()), samples, wanted))

    def modes(self, count: int = 10) -> Result:
        """The lowest modes of the beam: problem ``modal_analysis``. Errors: as of `run`."""
        mesh = {k: v for k, v in _mapping(self._case.get("mesh")).items() if k != "modes"}
        return _run.run(
            {
                "problem": "modal_analysis",
                "beam": self._case["beam"],
                "mesh": {**mesh, "modes": count},
            }
        )

    def converge(self, xi: Any) -> Result:
        """Convergence study of the restitution at these places: ``stoss converge``. Errors: as of
        `run`."""
        places = _places(xi).ravel().tolist()
        return _run.converge(
            {"problem": "beam_impact_map", **self._case, "locations": {"at": places}}
        )


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if value is not None else {}


def _restored(kind: type[BeamCollision], case: dict[str, Any]) -> BeamCollision:
    collision = kind.__new__(kind)
    collision._case = case
    collision._model = _model_of(case)
    return collision


def _point_mass(
    contact: Any, mass: Any, speed: Any, gravity: Any, load: Any, array: str
) -> dict[str, Any]:
    """An impact as the mapping of a case. array: the argument that may be an array. Errors:
    InputError if another one is."""
    keys = {"mass": mass, "speed": speed, "gravity": gravity, "load": load}
    for key, value in keys.items():
        if np.ndim(value) > 0:
            raise refused(key, "", f"must be one number; only `{array}` may be an array")
    return {"contact": contact, **keys}


def restitution(
    contact: Any,
    mass: float | str,
    speed: Any,
    *,
    gravity: float | str | None = None,
    load: float | str | None = None,
    threads: int = 0,
) -> Table:
    """Impacts of a point mass on a contact, one for each approach speed.

    contact: a law such as ``Hertz(stiffness=1e6)``, or a `FunctionLaw`. mass [kg],
    gravity [m/s^2], load [N]: numbers or texts with units. speed [m/s]: one of these or an array
    of them, of any shape.
    Returns arrays of that shape: cor, duration_s, peak_force_N, peak_overlap_m, end_overlap_m,
    energy_lost_J, status. Source: docs/theory/loaded_impact.md.
    Errors: InputError with everything that is wrong; what a `FunctionLaw` raises; NumericalError
    for a single impact that cannot be computed. In an array such an impact has the status "failed"
    and NaN. RuntimeWarning: a `FunctionLaw` gives energy, so that cor exceeds 1.

    >>> import stoss
    >>> law = stoss.HuntCrossley(stiffness=1e6, damping_factor=0.5)
    >>> round(float(restitution(law, "10 g", 1.0).cor), 4)
    0.7484
    """
    speeds = _numbers("speed", speed, "m/s")
    law, force = _laws.split(contact)
    impact = _point_mass(law, mass, 1.0, gravity, load, array="speed")

    def compute(function: Callable[[float, float], float] | None) -> Table:
        return Table(_stoss.restitution(impact, speeds, _executors.threads_of(threads), function))

    found = compute(force)
    if speeds.ndim == 0 and found.status == "failed":
        reason = (
            "its numbers are beyond the range of doubles, it takes too many steps, roundoff hides "
            "the speed under this load, or the law carries less than this load"
            if force is None
            else _laws.reason_of_failure(force, compute)
        )
        raise NumericalError(f"the impact cannot be computed: {reason}")
    largest = np.max(found.cor, initial=0.0, where=~np.isnan(found.cor))
    if force is not None and largest > 1 + 1e-8:
        warnings.warn(
            f"the force of this law gives energy: cor is {largest:.6g}; the part of a force that "
            "depends on the rate must act against it",
            RuntimeWarning,
            stacklevel=2,
        )
    return found


def calibrate(
    contact: Any,
    mass: float | str,
    speed: float | str,
    cor: Any,
    *,
    gravity: float | str | None = None,
    load: float | str | None = None,
    threads: int = 0,
) -> Table:
    """The damping of a law that gives each wanted coefficient of restitution.

    cor: a number or an array of any shape, in [1e-6, 1]. Other arguments as of `restitution`.
    Returns arrays of that shape: `damping` or `damping_factor` (the key of the law, in its unit)
    and what the impact then shows. Source: docs/calibration.md.
    Errors: InputError with everything that is wrong, or with what can be reached. NumericalError if
    no damping is found although what can be reached does not exclude it.

    >>> import stoss
    >>> law = stoss.HuntCrossley(stiffness=1e6)
    >>> found = calibrate(law, "1 kg", 1.0, [0.5, 0.7])
    >>> bool(abs(found.cor - [0.5, 0.7]).max() < 1e-12)
    True
    """
    impact = _point_mass(contact, mass, speed, gravity, load, array="cor")
    key, unit, damping, rest = _stoss.calibrate(
        impact, _numbers("cor", cor), _executors.threads_of(threads)
    )
    return Table({key: damping, **rest}, units={key: unit})


def bead(**keys: Any) -> Result:
    """Restitution of a damped bead over damping and load: problem ``bead``; keys as
    ``stoss.describe("bead")`` lists them. Errors: as of `run`."""
    return _run.run({"problem": "bead", **keys})


def impact_motion(
    bodies: Sequence[Any],
    contacts: Sequence[Any],
    *,
    end: Any = None,
    poincare: Any = None,
    forces: Sequence[Any] = (),
    gravity: float | str | None = None,
    tolerance: float | None = None,
    samples: int = 1000,
    impacts: int = 10000,
    frames: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Bodies that meet again and again, at any number of contacts: problem ``impact_motion``.

    bodies: `MovingMass`, `MovingBar`, `MovingSphere`, `MovingBeam`, `Surface`. contacts:
    `MotionContact`. forces: `HarmonicForce`. end: a time [s], or `MotionEnd`; or poincare: a
    `PoincareSection`. gravity [m/s^2]. tolerance: relative error of the energy after 10,000
    impacts. samples, impacts, frames: rows of history.csv, largest number of rows of impacts.csv
    and of pictures for ParaView.
    Returns a result whose tables are ``history.csv`` and ``impacts.csv``, or ``sections.csv``.
    Source: docs/theory/impact_motion.md. Errors: as of `run`.

    >>> import stoss
    >>> ball = stoss.MovingMass(name="ball", mass="10 g", displacement="1 m")
    >>> floor = stoss.Surface(name="floor")
    >>> meet = stoss.MotionContact(name="c", first={"body": "ball"}, second={"body": "floor"}, cor=0.5)
    >>> result = impact_motion([ball, floor], [meet], gravity=9.81, end=stoss.MotionEnd(time=2, impacts=1))
    >>> round(float(result.tables["impacts.csv"].approach_speed[0]), 6)  # sqrt(2 g)
    4.429447
    """
    case: dict[str, Any] = {
        "problem": "impact_motion",
        "bodies": list(bodies),
        "contacts": list(contacts),
        "forces": list(forces) or None,
        "gravity": gravity,
        "end": {"time": end} if isinstance(end, (numbers.Real, str)) else end,
        "poincare": poincare,
        "integration": None if tolerance is None else {"tolerance": tolerance},
        "output": {"samples": samples, "impacts": impacts, "frames": frames},
    }
    return _run.run({k: v for k, v in case.items() if v is not None}, progress=progress)


def _contacts(A: Any, b: Any, mu: Any) -> tuple[Any, Any, Any, tuple[int, ...]]:
    matrices, vectors = _numbers("A", A, "1/kg"), _numbers("b", b, "m/s")
    friction = _numbers("mu", mu)
    if matrices.shape[-2:] != (3, 3) or vectors.shape[-1:] != (3,):
        raise ValueError(
            f"A must have shape (..., 3, 3) and b (..., 3), not {matrices.shape}, {vectors.shape}"
        )
    shape = np.broadcast_shapes(matrices.shape[:-2], vectors.shape[:-1], friction.shape)

    def spread(values: Any, own: tuple[int, ...]) -> Any:
        """One for all contacts as it is, else one for each: copied only where it was broadcast."""
        if values.ndim == len(own):
            return np.asarray(values, order="C")
        return np.ascontiguousarray(np.broadcast_to(values, (*shape, *own))).reshape(-1, *own)

    return spread(matrices, (3, 3)), spread(vectors, (3,)), spread(friction, ()), shape


def maximum_dissipation(A: Any, b: Any, mu: Any, *, threads: int = 0) -> Any:
    """The impulse of maximum dissipation [N s] of rigid contacts with friction, (..., 3): normal,
    t, o; NaN where a contact is not solved or its input is wrong.

    A [1/kg]: (..., 3, 3), symmetric positive definite; only the upper triangle is read. b [m/s]:
    (..., 3), minus the relative velocity without the impulse; b[..., 0] > 0: the bodies close.
    mu: (...). Leading shapes are broadcast. Source: docs/theory/rigid_impact.md (11.2) to (11.6).
    Errors: ValueError for other shapes.

    >>> import numpy as np
    >>> [float(x) for x in maximum_dissipation(np.eye(3), [1.0, 0.2, 0.0], 0.5)]
    [1.0, 0.2, 0.0]
    """
    matrices, vectors, friction, shape = _contacts(A, b, mu)
    count = math.prod(shape)
    return _stoss.maximum_dissipation(
        matrices, vectors, friction, count, _executors.threads_of(threads)
    ).reshape(*shape, 3)


def coulomb_solutions(A: Any, b: Any, mu: Any, *, threads: int = 0) -> dict[str, Any]:
    """All solutions of the impact with Coulomb friction; arguments as of `maximum_dissipation`.

    Returns `count` (...), `impulse` (..., 6, 3) [N s], NaN behind the last solution, `branch`
    (..., 6) ("separate", "stick", "slide", "frictionless" or "") and `continuum` (...). The count
    is 0 where the input is wrong: mu < 0 or > 1e50, A not positive definite, numbers not
    finite; and where an impulse or a velocity is beyond the range of doubles.
    Source: docs/theory/rigid_impact.md (11.7). Errors: ValueError for other shapes.

    >>> import numpy as np
    >>> int(coulomb_solutions(np.eye(3), [1.0, 0.2, 0.0], 0.5)["count"])
    1
    """
    matrices, vectors, friction, shape = _contacts(A, b, mu)
    count, impulse, branch, continuum = _stoss.coulomb_solutions(
        matrices, vectors, friction, math.prod(shape), _executors.threads_of(threads)
    )
    return {
        "count": count.reshape(shape),
        "impulse": impulse.reshape(*shape, 6, 3),
        "branch": branch.reshape(*shape, 6),
        "continuum": continuum.reshape(shape),
    }


class ModalBody:
    """A body by its modes at the contact point, mass-normalised, rigid modes first.

    eigenvalues [1/s^2], phi [1/sqrt(kg)], damping [1/s] (0 if left out): one entry a mode; `rigid`:
    how many rigid modes there are. rigid_rates [sqrt(kg) m/s]: their rates at first contact;
    ``velocity`` [m/s] does that for a body with one rigid mode. vibration [sqrt(kg) m],
    vibration_rates [sqrt(kg) m/s], rigid_loads [sqrt(kg) m/s^2]: of the other modes, of the rigid
    ones; 0 if left out. residual_flexibility [m/N] of the modes that are left out.
    Errors: InputError for arrays that are no lists, for `rigid` beyond the number of modes, for
    ``velocity`` with a rigid mode that is 0 at the contact.
    """

    def __init__(
        self,
        eigenvalues: Any,
        phi: Any,
        *,
        damping: Any = None,
        rigid: int = 0,
        velocity: float | str | None = None,
        rigid_rates: Any = None,
        vibration: Any = (),
        vibration_rates: Any = (),
        rigid_loads: Any = (),
        residual_flexibility: float | str = 0.0,
    ) -> None:
        shapes = _mode_values("phi", phi)
        is_count = isinstance(rigid, numbers.Integral) and not isinstance(rigid, bool)
        if not is_count or not 0 <= rigid <= shapes.size:
            rule = f"must be a whole number from 0 to the {shapes.size} modes of phi"
            raise refused("rigid", str(rigid), rule)
        if velocity is not None and (rigid != 1 or rigid_rates is not None):
            raise ValueError("velocity is for a body with one rigid mode; give rigid_rates")
        if velocity is not None:
            if shapes[0] == 0:
                raise refused("phi", "", "the rigid mode must not be 0")
            rigid_rates = [_number("velocity", velocity, "m/s") / shapes[0]]
        self._given = {
            "eigenvalues": _mode_values("eigenvalues", eigenvalues),
            "phi": shapes,
            "damping": (
                np.zeros(shapes.size) if damping is None else _mode_values("damping", damping)
            ),
            "rigid": int(rigid),
            "rigid_rates": (
                np.zeros(rigid) if rigid_rates is None else _mode_values("rigid_rates", rigid_rates)
            ),
            "vibration": _mode_values("vibration", vibration),
            "vibration_rates": _mode_values("vibration_rates", vibration_rates),
            "rigid_loads": _mode_values("rigid_loads", rigid_loads),
            "residual_flexibility": _number("residual_flexibility", residual_flexibility, "m/N"),
        }

    def __repr__(self) -> str:
        modes, rigid = self._given["phi"].size, self._given["rigid"]
        return f"<{type(self).__name__}: {modes} modes, {rigid} of them rigid>"

    @classmethod
    def mass(cls, mass: float | str, velocity: float | str = 0.0) -> ModalBody:
        """A point mass [kg] that moves at `velocity` [m/s]; an infinite one does not move.
        Errors: InputError for a mass that is not positive, a velocity that is not finite."""
        eigenvalues, phi, rigid, rates = _stoss.point_mass(
            _number("mass", mass, "kg"), _number("velocity", velocity, "m/s")
        )
        return cls(eigenvalues, phi, rigid=rigid, rigid_rates=rates)


def modal_impact(
    first: ModalBody,
    second: ModalBody,
    contact: Any,
    *,
    integration: Any = None,
    history: bool | int = False,
) -> Collision:
    """The collision of two bodies by their modes. Both axes point the same way; the bodies close if
    the second is faster than the first. contact: a law with its stiffness, or a `FunctionLaw`.
    Errors: InputError for arrays of unequal length, a stiffness that is not given; what a
    `FunctionLaw` raises.

    >>> import stoss
    >>> bar = ModalBody.mass(1.0)
    >>> ball = ModalBody.mass(1.0, velocity=1.0)
    >>> round(modal_impact(bar, ball, stoss.Hertz(stiffness=1e9)).cor_kinematic, 6)
    1.0
    """
    samples = _samples(history)
    law, force = _laws.split(contact)
    core = _stoss.modal_impact(
        first._given, second._given, law, integration or {}, samples, force
    )
    return Collision(core)


def list_laws() -> dict[str, str]:
    """Every contact law with its meaning.

    >>> list_laws()["hertz"]
    'elastic contact, F = k x^n; n = 3/2 for curved bodies'
    """
    law = next(k for k in _key("restitution", "contact")["keys"] if k["key"] == "law")
    return {each["name"]: each["meaning"] for each in law["choices"]}


def list_problems() -> dict[str, str]:
    """Every problem with its meaning."""
    return {name: each["meaning"] for name, each in PROBLEMS.items()}


def describe(name: str) -> str:
    """The keys of a problem, law or scheme as a table. Errors: InputError for an unknown name."""
    return str(_stoss.describe(name))


