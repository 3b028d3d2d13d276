"""9. Spheres fall in a box until they rest on each other.

Usage: 09_granular_box.py FIGURE
"""

import pathlib
import sys

import matplotlib.pyplot as plt

import stoss

case = pathlib.Path(__file__).parents[2] / "cases/tutorial/box_settle.yaml"
result = stoss.run(case, progress=lambda what, done, total: print(f"{what}: {done} of {total}"))
print(result)
assert result.passed

history, profile = result.tables["history.csv"], result.tables["profile.csv"]
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
left.semilogy(history.time * 1e3, history.energy_translation * 1e6, label="translation")
left.semilogy(history.time * 1e3, history.energy_rotation * 1e6, label="rotation")
left.set_xlabel("time [ms]")
left.set_ylabel("kinetic energy [uJ]")
left.legend()
right.plot(profile.solid_fraction, profile.height * 1e3)
right.set_xlabel("solid fraction")
right.set_ylabel("height [mm]")
figure.tight_layout()
figure.savefig(sys.argv[1])
