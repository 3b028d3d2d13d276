"""10. Internal damping of a beam from measured restitution.

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

parameters = result.tables["parameters.csv"]
damping, error = parameters.value[0], parameters.standard_error[0]
print(f"internal damping: {damping:.4g} Pa s, standard error {error:.2g} Pa s")

measured, curve = result.tables["experiment.csv"], result.tables["curve.csv"]
figure, axes = plt.subplots()
axes.fill_between(curve.xi, curve.cor_low_95, curve.cor_high_95, alpha=0.3, label="95 % of the fit")
axes.plot(curve.xi, curve.cor_kinematic, label="fitted")
axes.errorbar(
    measured.xi, measured.cor, 2 * measured.cor_standard_error, fmt="k.", capsize=2, label="measured"
)
axes.set_xlabel("place x/l")
axes.set_ylabel("coefficient of restitution")
axes.legend()
figure.savefig(sys.argv[1])
