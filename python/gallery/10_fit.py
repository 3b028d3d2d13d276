"""10. Stiffness of a contact from measured restitution.

The measured table is that of cases/validation; the fit also gives the uncertainty of what it finds.
Usage: 10_fit.py FIGURE
"""

import pathlib
import sys

import matplotlib.pyplot as plt

import stoss

case = pathlib.Path(__file__).parents[2] / "cases/validation/virtual_experiment_fit.yaml"
result = stoss.fit(case)
print(result)
assert result.passed

name, table = next((n, t) for n, t in result.tables.items() if t.rows > 3)
columns = [column for column, values in table.items() if values.dtype.kind == "f"]
figure, axes = plt.subplots()
table.plot(columns[0], columns[1], ax=axes)
axes.set_title(name)
figure.savefig(sys.argv[1])
