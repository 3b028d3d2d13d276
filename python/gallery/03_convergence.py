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
names = list(table)
print(names)
assert table.rows > 3

figure, axes = plt.subplots()
for name in names[6:9]:
    axes.semilogy(table[name], "o-", label=name)
axes.set_xlabel("row of the study")
axes.legend()
figure.savefig(sys.argv[1])
