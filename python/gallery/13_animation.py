"""13. A collision as an animation.

The beam swings about its pin, meets a fixed cylinder, and rings. Displacements are forty times too
large. Usage: 13_animation.py FIGURE; writes FIGURE with the ending .gif.
"""

import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter

import stoss

PLACE, MODES, MAGNIFIED = 0.68, 25, 40.0

beam = stoss.Beam(
    length="508 mm",
    section=stoss.Circle(radius="6.35 mm"),
    material="aluminium",
    supports=[stoss.Pin(xi=0.0375)],
)
mesh = stoss.Mesh(modes=MODES)
impact = stoss.BeamCollision(
    beam, stoss.Cylinder(radius="6.35 mm", material="aluminium"), angular_velocity=-6, mesh=mesh
)
history = impact.collide(PLACE, history=200).history

# Shapes have a largest displacement of 1; what they are at the free end scales them to unit mass.
modes = stoss.run(
    {
        "problem": "modal_analysis",
        "beam": beam,
        "mesh": mesh,
        "points": [{"name": "tip", "xi": 1.0}],
    }
)
shapes, tip = modes.tables["shapes.csv"], modes.tables["basis.csv"]["tip"]
phi = np.column_stack([shapes[f"mode_{j + 1}"] for j in range(MODES)])
phi *= tip / phi[-1]
displacement = history.body_modes @ phi.T  # instants x places
at_contact = np.array([np.interp(PLACE, shapes["xi"], w) for w in displacement])
assert np.allclose(at_contact, history.body_displacement, atol=2e-3 * abs(displacement).max())

figure, (above, below) = plt.subplots(2, 1, figsize=(6, 4), height_ratios=[2, 1])
(line,) = above.plot([], [], linewidth=3)
above.plot([PLACE], [-0.012], "^", markersize=12, color="0.4")
above.set_xlim(0, 1)
above.set_ylim(MAGNIFIED * displacement.min(), MAGNIFIED * displacement.max())
above.set_xlabel("place x/l")
above.set_ylabel(f"displacement [m], {MAGNIFIED:g} times")
below.plot(1e3 * history.time, history.force, color="0.8")
(dot,) = below.plot([], [], "o")
below.set_xlabel("time [ms]")
below.set_ylabel("force [N]")
figure.tight_layout()


def draw(i: int) -> tuple[object, ...]:
    line.set_data(shapes["xi"], MAGNIFIED * displacement[i])
    dot.set_data([1e3 * history.time[i]], [history.force[i]])
    return line, dot


animation = FuncAnimation(figure, draw, frames=range(0, history.rows, 2), interval=60)
animation.save(pathlib.Path(sys.argv[1]).with_suffix(".gif"), PillowWriter(fps=15), dpi=80)
print(f"{history.rows} instants in {1e3 * history.time[-1]:.2f} ms")
