"""14. A contact law written in Python.

A ball with a soft cover: the force grows exponentially, and the cover loses energy. The law is a
function; the core is the same. Both times include the modes of the beam, once for 60 collisions.
Usage: 14_own_law.py FIGURE
"""

import math
import sys
import time

import matplotlib.pyplot as plt
import numpy as np

import stoss


def cover(overlap: float, rate: float) -> float:
    """Force [N]: 200 N times exp(overlap/0.5 mm) - 1, and 30 % more for each m/s of approach."""
    return 200.0 * math.expm1(overlap / 0.5e-3) * (1.0 + 0.3 * rate)


def impact(contact: object) -> stoss.BeamCollision:
    return stoss.BeamCollision(
        stoss.Beam(length=0.5, section=stoss.Circle(radius=0.01), material="aluminium"),
        stoss.Sphere(radius=0.02, material="steel"),
        approach_speed=2.0,
        contact=contact,
        mesh=stoss.Mesh(modes=20),
    )


places = np.linspace(0.5, 1, 60)
begin = time.perf_counter()
soft = impact(stoss.FunctionLaw(cover)).map(places)
middle = time.perf_counter()
hard = impact(None).map(places, threads=1)
end = time.perf_counter()
print(f"a collision takes {1e3 * (middle - begin) / places.size:.1f} ms by the function, "
      f"{1e3 * (end - middle) / places.size:.2f} ms by Hertz's law")
assert (soft.status == "separated").all()
assert soft.energy_contact_loss.min() > 0

axes = soft.plot("xi", "cor_kinematic")
hard.plot("xi", "cor_kinematic", ax=axes)
axes.legend(["soft cover", "steel"])
axes.set_xlabel("place x/l")
plt.savefig(sys.argv[1])
