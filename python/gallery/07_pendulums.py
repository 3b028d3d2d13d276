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

name, table = next((n, t) for n, t in result.tables.items() if t.rows > 10)
figure, axes = plt.subplots()
columns = [column for column, values in table.items() if values.dtype.kind == "f"]
table.plot(columns[0], columns[1:3], ax=axes)
axes.set_title(name)
figure.savefig(sys.argv[1])
