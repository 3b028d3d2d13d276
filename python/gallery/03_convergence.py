"""3. How well is e known?

`converge` computes the collision with more modes and finer tolerances and says what changes.
Usage: 03_convergence.py FIGURE
"""

import sys

import matplotlib.pyplot as plt

import stoss

beam = stoss.Beam(
    length="508 mm",
    section=stoss.Circle(radius="6.35 mm"),
    material="aluminium",
    supports=[stoss.Pin(xi=0.0375)],
)
impact = stoss.BeamCollision(
    beam,
    stoss.Cylinder(radius="6.35 mm", material="aluminium"),
    angular_velocity=-6,
    mesh=stoss.Mesh(modes=20),
)
study = impact.converge([0.4, 0.68, 0.9])
table = study.tables["convergence.csv"]
print(table.to_csv())

figure, axes = plt.subplots()
for name in ("modes", "elements", "tolerance"):
    rows = table["refined"] == name
    values, change = table[name][rows], table["cor_change_max"][rows]
    known = change > 0  # the finest calculation is the one that the others are compared with
    fineness = values[known] / values[0] if name != "tolerance" else values[0] / values[known]
    axes.loglog(fineness, change[known], "o-", label=name)
    assert change[known][-1] < change[known][0]
axes.set_xlabel("refinement")
axes.set_ylabel("largest change of e")
axes.legend()
figure.savefig(sys.argv[1])
