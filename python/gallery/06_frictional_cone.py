"""6. One rigid contact with friction: the impulse of maximum dissipation and all of Coulomb's.

The direction of the slip turns once around; some directions have several solutions.
Usage: 06_frictional_cone.py FIGURE
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import stoss

A = np.array([[1.0, -0.95, 0.0], [-0.95, 1.0, 0.1], [0.0, 0.1, 0.6]])
angle = np.linspace(0, 2 * np.pi, 721)
b = np.stack([np.full_like(angle, 0.2), 2 * np.cos(angle), 2 * np.sin(angle)], axis=-1)
best = stoss.maximum_dissipation(A, b, 1.5)
every = stoss.coulomb_solutions(A, b, 1.5)
print(f"solutions per contact: {every['count'].min()} to {every['count'].max()}")
assert every["count"].min() >= 1 and every["count"].max() >= 3
assert np.all(np.hypot(best[:, 1], best[:, 2]) <= 1.5 * best[:, 0] * (1 + 1e-12))

figure, axes = plt.subplots()
axes.plot(np.degrees(angle), best[:, 0], label="maximum dissipation")
normal = every["impulse"][:, :, 0]
axes.plot(np.degrees(angle), normal[:, 0], "k.", markersize=2, label="Coulomb, all solutions")
axes.plot(np.degrees(angle), normal[:, 1:], "k.", markersize=2)
axes.set_xlabel("direction of the slip [deg]")
axes.set_ylabel("normal impulse [N s]")
axes.legend()
figure.savefig(sys.argv[1])
