"""11. What uncertain parameters make of e: band and Sobol indices.

Usage: 11_uncertainty.py FIGURE
"""

import pathlib
import sys

import matplotlib.pyplot as plt

import stoss

case = pathlib.Path(__file__).parents[2] / "cases/tutorial/uncertain_beam.yaml"
result = stoss.run(case)
print(result)
assert result.passed

figure, axes = plt.subplots()
for name, table in result.tables.items():
    print(name, list(table))
table = result.table
columns = [c for c, values in table.items() if values.dtype.kind == "f" and c.startswith("cor")]
table.plot("xi", columns[:4], ax=axes)
figure.savefig(sys.argv[1])
