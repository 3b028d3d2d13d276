"""7. Two pendulums: the published pair, with other restitutions.

Usage: 07_pendulums.py FIGURE
"""

import pathlib
import sys

import matplotlib.pyplot as plt

import stoss

case = pathlib.Path(__file__).parents[2] / "cases/published/pendulum_pair.yaml"
result = stoss.run(case)
print(result)
assert result.passed

history = result.tables["history.csv"]
figure, axes = plt.subplots()
for rod in (1, 2):
    axes.plot(history["time_s"], history[f"angle_{rod}_rad"], label=f"rod {rod}")
axes.set_xlabel("time [s]")
axes.set_ylabel("angle [rad]")
axes.legend()
figure.savefig(sys.argv[1])
