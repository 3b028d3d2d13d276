"""9. Spheres fall in a box until they rest on each other.

Usage: 09_granular_box.py FIGURE
"""

import pathlib
import sys

import matplotlib.pyplot as plt

import stoss

case = pathlib.Path(__file__).parents[2] / "cases/tutorial/stack_of_ten.yaml"
result = stoss.run(case, progress=lambda what, done, total: print(f"{what}: {done} of {total}"))
print(result)
assert result.passed

name, table = next((n, t) for n, t in result.tables.items() if t.rows > 1)
columns = [column for column, values in table.items() if values.dtype.kind == "f"]
figure, axes = plt.subplots()
table.plot(columns[0], columns[1], ax=axes)
axes.set_title(name)
figure.savefig(sys.argv[1])
