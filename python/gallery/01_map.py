"""1. Restitution along a beam, at 400 places.

An aluminium beam turns about a pin near its left end and meets a fixed cylinder. Where it is struck
decides how much energy stays in its vibrations. Usage: 01_map.py FIGURE
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import stoss

beam = stoss.Beam(
    length="508 mm",
    section=stoss.Circle(radius="6.35 mm"),
    material="aluminium",
    supports=[stoss.Pin(xi=0.0375)],
)
impact = stoss.BeamCollision(
    beam, stoss.Cylinder(radius="6.35 mm", material="aluminium"), angular_velocity=-6
)
collisions = impact.map(np.linspace(0.2, 1, 400))

least = np.argmin(collisions.cor_kinematic)
print(f"e at xi = {collisions.xi[240]:.4f}: {collisions.cor_kinematic[240]:.6f}")
print(f"smallest e: {collisions.cor_kinematic[least]:.4f} at xi = {collisions.xi[least]:.4f}")
assert abs(collisions.cor_kinematic[240] - 0.663723) < 1e-6

axes = collisions.plot("xi", ["cor_kinematic", "energy_vibration"])
axes.set_xlabel("place x/l")
plt.savefig(sys.argv[1])
