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

band = result.tables["uncertainty.csv"]
assert (band["cor_quantile_05"] <= band["cor_quantile_95"]).all()
figure, (above, below) = plt.subplots(2, 1, sharex=True, layout="constrained")
above.fill_between(band["xi"], band["cor_quantile_05"], band["cor_quantile_95"], alpha=0.4)
band.plot("xi", "cor_mean", ax=above)
above.set_xlabel("")
above.set_ylabel("mean and band of e")
for name in band:
    if name.startswith("total_"):
        below.plot(band["xi"], band[name], label=name.removeprefix("total_"))
below.set_xlabel("place x/l")
below.set_ylabel("total Sobol index")
below.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize="small")
figure.savefig(sys.argv[1])
