"""4. From a measured restitution to the parameters of a law, for a DEM code.

Which damping factor gives which restitution, for three laws? Usage: 04_calibration.py FIGURE
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import stoss

wanted = np.linspace(0.1, 0.95, 18)
figure, axes = plt.subplots()
laws = {stoss.HuntCrossley: "s/m", stoss.KuwabaraKono: "s", stoss.Tsuji: "s m$^{1/4}$"}
for law, unit in laws.items():
    found = stoss.calibrate(law(stiffness=1e6), "10 g", 0.5, wanted)
    check = [
        float(stoss.restitution(law(stiffness=1e6, damping_factor=float(d)), "10 g", 0.5).cor)
        for d in found.damping_factor
    ]
    assert np.abs(np.array(check) - wanted).max() < 1e-11
    axes.semilogy(wanted, found.damping_factor, label=f"{law.__name__} ({unit})")
    print(f"{law.__name__}: {found.damping_factor[0]:.5g} for e = {wanted[0]}")
axes.set_xlabel("wanted e")
axes.set_ylabel("damping factor of the law (unit in the legend)")
axes.legend()
figure.savefig(sys.argv[1])
