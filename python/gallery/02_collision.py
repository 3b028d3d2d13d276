"""2. One collision, with its history.

A steel ball falls on the middle of a beam with two pins. The beam comes back several times: one
collision consists of sub-impacts. Usage: 02_collision.py FIGURE
"""

import sys

import matplotlib.pyplot as plt

import stoss

impact = stoss.BeamCollision(
    stoss.Beam(
        length=0.4,
        section=stoss.Rectangle(width=0.03, height=0.006),
        material="steel",
        supports=[stoss.Pin(xi=0), stoss.Pin(xi=1)],
    ),
    stoss.Sphere(radius=0.02, material="steel"),
    approach_speed=1.0,
    mesh=stoss.Mesh(modes=40),
)
collision = impact.collide(0.5, history=2000)
print(f"{collision.status}: e = {collision.cor_kinematic:.5f}")
for start, end, force in zip(
    collision.sub_impacts.start, collision.sub_impacts.end, collision.sub_impacts.peak_force
):
    print(f"  {1e6 * start:8.3f} us to {1e6 * end:8.3f} us, {force:8.2f} N")
assert collision.status == "separated"
assert abs(collision.energy_residual) < 1e-6

history = collision.history
figure, (above, below) = plt.subplots(2, 1, sharex=True)
above.plot(1e6 * history.time, history.force)
above.set_ylabel("force [N]")
below.stackplot(
    1e6 * history.time, history.energy_rigid, history.energy_vibration, history.energy_contact,
    labels=["rigid", "vibration", "contact"],
)
below.set_xlabel("time [us]")
below.set_ylabel("energy, as a fraction")
below.legend()
figure.savefig(sys.argv[1])
