"""8. Modes that come from elsewhere: a free-free rod, struck at one end by a ball.

Modes of longitudinal vibration in closed form: phi_j = sqrt(2/m), omega_j = j pi c/l.
Usage: 08_imported_modes.py FIGURE
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import stoss

mass, length, speed_of_sound = 0.5, 0.3, 5000.0
figure, axes = plt.subplots()
for count in (1, 5, 40):
    omega = np.arange(count + 1) * np.pi * speed_of_sound / length
    phi = np.sqrt(np.where(np.arange(count + 1) == 0, 1.0, 2.0) / mass)
    rod = stoss.ModalBody(omega**2, phi, rigid=1)
    ball = stoss.ModalBody.mass(0.05, velocity=1.0)
    hit = stoss.modal_impact(rod, ball, stoss.Hertz(stiffness=1e10), history=True)
    print(f"{count} vibrating modes: e = {hit.cor_kinematic:.4f}")
    assert abs(hit.cor_kinematic - hit.cor_kinetic) < 1e-6
    axes.plot(1e6 * hit.history.time, hit.history.force, label=f"{count} modes")
axes.set_xlabel("time [us]")
axes.set_ylabel("force [N]")
axes.legend()
figure.savefig(sys.argv[1])
