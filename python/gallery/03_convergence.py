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
assert table.rows > 3

figure, axes = plt.subplots()
names = [name for name, column in table.items() if column.dtype.kind == "f"]
axes.plot(table[names[-1]], "o-")
axes.set_xlabel("row of the study")
axes.set_ylabel(names[-1])
figure.savefig(sys.argv[1])
