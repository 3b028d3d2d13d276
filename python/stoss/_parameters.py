"""Parameters of bodies, contact and motion as classes. Their keys, units, ranges, defaults and
meanings come from the field lists of the core: nothing is spelt twice."""

from __future__ import annotations

import difflib
import inspect
from typing import Any

import numpy as np

from . import _stoss


class Parameters:
    """Keys of a case as keyword arguments. Numbers are SI or texts with a unit ("12.7 mm").

    The values are checked by the core when they are used. ``to_dict()`` is the mapping as it
    is in a case."""

    _tag: dict[str, str] = {}
    _keys: dict[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        for key in values:
            if key not in self._keys:
                raise TypeError(self._no_parameter(key))
        missing = [k for k, each in self._keys.items() if each["required"] and k not in values]
        if missing:
            raise TypeError(f"{type(self).__name__} needs {', '.join(map(repr, missing))}")
        self.__dict__.update({key: values.get(key) for key in self._keys})

    def _no_parameter(self, key: str) -> str:
        near = difflib.get_close_matches(key, self._keys, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"{type(self).__name__} has no parameter {key!r}{hint}"

    def __setattr__(self, key: str, value: Any) -> None:
        if key not in self._keys:
            raise AttributeError(self._no_parameter(key))
        super().__setattr__(key, value)

    def to_dict(self) -> dict[str, Any]:
        """The mapping of a case; keys that are None are left out."""
        tree: dict[str, Any] = dict(self._tag)
        for key in self._keys:
            value = getattr(self, key)
            if value is None:
                continue
            choices = {each["name"] for each in self._keys[key]["choices"]}
            if isinstance(value, Parameters) and value._tag.get(key) in choices:
                tree.update(value.to_dict())  # its keys are beside the key that names it
            else:
                tree[key] = _plain(value)
        return tree

    def __repr__(self) -> str:
        given = (f"{k}={getattr(self, k)!r}" for k in self._keys if getattr(self, k) is not None)
        return f"{type(self).__name__}({', '.join(given)})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _are_equal(self.__dict__, other.__dict__)

    __hash__ = None  # type: ignore[assignment]


def _are_equal(one: Any, other: Any) -> bool:
    """Of two values of a case; arrays are equal to arrays and lists with the same entries."""
    if one is other:
        return True
    if hasattr(one, "__array__") or hasattr(other, "__array__"):
        return bool(np.array_equal(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(one[k], other[k]) for k in one)
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    return bool(one == other)


def _plain(value: Any) -> Any:
    if isinstance(value, Parameters):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _word(key: dict[str, Any]) -> str:
    """Unit, range and default of a key."""
    parts = [f"[{key['unit']}]"] if key["unit"] else []
    low, high, low_open, high_open = key["range"]
    if key["kind"] in ("number", "integer") and low > float("-inf"):
        parts.append(f"{'>' if low_open else '>='} {low:g}")
    if key["kind"] in ("number", "integer") and high < float("inf"):
        parts.append(f"{'<' if high_open else '<='} {high:g}")
    if key["choices"]:
        parts.append("one of " + ", ".join(each["name"] for each in key["choices"]))
    if key["names"]:
        parts.append("or the name of a material")
    if key["required"]:
        parts.append("required")
    elif key["default"] not in (None, []):
        parts.append(f"default {key['default']}")
    return "; ".join(parts)


def _documented(meaning: str, keys: dict[str, Any]) -> str:
    lines = [meaning[:1].upper() + meaning[1:] + ".", ""]
    for name, key in keys.items():
        words = _word(key)
        lines.append(f"{name}: {key['meaning']}" + (f" ({words})" if words else ""))
    return "\n".join(lines)


def _class(name: str, meaning: str, keys: list[dict[str, Any]], **tag: str) -> type[Parameters]:
    known = {key["key"]: key for key in keys if key["key"] not in tag}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    ordered = sorted(known.values(), key=lambda key: not key["required"])
    for key in ordered:
        default = inspect.Parameter.empty if key["required"] else None
        parameters.append(
            inspect.Parameter(
                key["key"], inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Any
            )
        )

    def __init__(self: Parameters, *unnamed: Any, **values: Any) -> None:
        if unnamed:
            first = ordered[0]["key"] if ordered else ""
            hint = f": {name}({first}=...)" if ordered else ""
            raise TypeError(f"{name} takes its parameters by keyword only{hint}")
        Parameters.__init__(self, **values)

    setattr(__init__, "__signature__", inspect.Signature(parameters, return_annotation=None))
    body: dict[str, Any] = dict.fromkeys(known) | {
        "_keys": known,
        "_tag": tag,
        "__init__": __init__,
        "__doc__": _documented(meaning, known),
        "__module__": "stoss",
    }
    return type(name, (Parameters,), body)


def _type(key: dict[str, Any]) -> str:
    """How the value of a key is written in a stub."""
    kinds = {
        "number": "float | str",
        "integer": "int | str" if key["other_word"] else "int",
        "boolean": "bool",
        "text": "str",
        "choice": "str | Parameters",
        "mapping": "str | Parameters | Mapping[str, Any]",
        "sequence": "Sequence[Any]",
    }
    kind = kinds[key["kind"]]
    return kind + " | FunctionLaw" if key["key"] == "law" else kind


def stub() -> str:
    """The text of _classes.pyi."""
    classes = all_classes()
    lines = [
        "# Written from the field lists of the core. Do not edit.",
        "from collections.abc import Mapping, Sequence",
        "from typing import Any",
        "",
        "from ._laws import FunctionLaw",
        "from ._parameters import Parameters",
        "",
        f"__all__ = {list(classes)!r}",
    ]
    for name, each in classes.items():
        lines += ["", f"class {name}(Parameters):"]
        signature = []
        for key in sorted(each._keys.values(), key=lambda key: not key["required"]):
            kind = _type(key)
            lines.append(f"    {key['key']}: {kind} | None")
            signature.append(
                f"{key['key']}: {kind}" if key["required"] else f"{key['key']}: {kind} | None = None"
            )
        star = "*, " if signature else ""
        lines.append(f"    def __init__(self, {star}{', '.join(signature)}) -> None: ...")
    return "\n".join(lines) + "\n"


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


PROBLEMS: dict[str, dict[str, Any]] = _stoss.problem_keys()


def _key(problem: str, path: str) -> dict[str, Any]:
    keys = PROBLEMS[problem]["keys"]
    for name in path.split("."):
        found = next(key for key in keys if key["key"] == name)
        keys = found["keys"] or (found["item"] or {}).get("keys", [])
    return dict(found, keys=keys)


def _choices(problem: str, path: str, tag: str, names: dict[str, str]) -> dict[str, type[Parameters]]:
    """One class for each name that the key `tag` of a mapping may hold, with the keys beside it;
    what deforms in a beam is a part of it, without them."""
    owner = _key(problem, path)["keys"]
    chosen = next(key for key in owner if key["key"] == tag)
    beside = [key for key in owner if key["key"] != tag and tag != "theory"]
    classes = {}
    for choice in chosen["choices"]:
        name = names.get(choice["name"], _pascal(choice["name"]))
        classes[name] = _class(
            name, choice["meaning"], choice["keys"] + beside, **{tag: choice["name"]}
        )
    return classes


def _mappings(problem: str, paths: dict[str, str]) -> dict[str, type[Parameters]]:
    """One class for each mapping of a problem, by its name."""
    keys = {name: _key(problem, path) for name, path in paths.items()}
    return {name: _class(name, key["meaning"], key["keys"]) for name, key in keys.items()}


def _motion_classes() -> dict[str, type[Parameters]]:
    """What a case of `impact_motion` is made of."""
    case = "impact_motion"
    classes = _mappings(
        case,
        {
            "MotionContact": "contacts",
            "BodyPlace": "contacts.first",
            "MotionFriction": "contacts.friction",
            "HarmonicForce": "forces",
            "PoincareSection": "poincare",
            "MotionEnd": "end",
        },
    )
    kinds = {
        "point_mass": "MovingMass",
        "rigid_bar": "MovingBar",
        "sphere": "MovingSphere",
        "beam": "MovingBeam",
    }
    return classes | _choices(case, "bodies", "kind", kinds)


def all_classes() -> dict[str, type[Parameters]]:
    """Every class by its name."""
    case = "beam_impact_map"
    mappings = {
        "Beam": "beam",
        "Section": "beam.section",
        "Material": "beam.material",
        "MaterialFrom": "beam.materials",
        "Support": "beam.supports",
        "SpringSupport": "beam.springs",
        "Dashpot": "beam.dashpots",
        "PointMass": "beam.masses",
        "PointLoad": "motion.loads",
        "ModeMotion": "motion.vibration",
        "Striker": "striker",
        "InnerMass": "striker.inner",
        "Motion": "motion",
        "Contact": "contact",
        "Mesh": "mesh",
        "Integration": "integration",
    }
    classes = _mappings(case, mappings)
    classes |= _choices(case, "beam.section", "shape", {"general": "GeneralSection"})
    classes |= _choices(case, "beam", "theory", {})
    classes |= _choices(case, "beam.supports", "type", {"free": "FreeEnd"})
    classes |= _choices(case, "striker", "shape", {"beam": "StrikingBeam"})
    classes |= _choices(case, "contact", "law", {})
    classes |= _choices(case, "integration", "scheme", {})
    return classes | _motion_classes()
