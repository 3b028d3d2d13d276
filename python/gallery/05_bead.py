"""5. A bead under load.

The slower a damped bead meets a wall under load, the less it rebounds, until it sticks.
Usage: 05_bead.py FIGURE
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import stoss

law = stoss.KuwabaraKono(stiffness=1e8, damping_factor=5e-6)
speeds = np.geomspace(1e-3, 3, 200)
figure, axes = plt.subplots()
for load in (0.0, 0.1, 1.0):
    found = stoss.restitution(law, "10 g", speeds, load=load)
    stuck = int((found.status == "sticks").sum())
    print(f"load {load} N: {stuck} of {speeds.size} speeds stick")
    assert np.all(np.diff(found.cor[found.status == "rebounds"]) != 0)
    axes.semilogx(speeds, found.cor, label=f"{load} N")
axes.set_xlabel("approach speed [m/s]")
axes.set_ylabel("e")
axes.legend()
figure.savefig(sys.argv[1])
