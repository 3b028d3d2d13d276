"""The classes of `_parameters.all_classes`, by their names; their types are in _classes.pyi."""

from ._parameters import all_classes

_all = all_classes()
globals().update(_all)
__all__ = list(_all)
