"""12. A map on several processes, through any executor of concurrent.futures.

Usage: 12_processes.py FIGURE
"""

import sys
from concurrent.futures import ProcessPoolExecutor

import matplotlib.pyplot as plt
import numpy as np

import stoss


def main() -> None:
    impact = stoss.BeamCollision(
        stoss.Beam(length=0.5, section=stoss.Tube(outer_radius=0.01, inner_radius=0.008),
                   material="aluminium"),
        stoss.Sphere(radius=0.01, material="steel"),
        approach_speed=2.0,
        mesh=stoss.Mesh(modes=30),
    )
    places = np.linspace(0.5, 1, 200)
    with ProcessPoolExecutor(2) as pool:
        shared = impact.map(places, executor=pool, parts=4)
    alone = impact.map(places)
    same = all(shared[name].tobytes() == alone[name].tobytes() for name in alone)
    print(f"the bytes of one process: {same}")
    assert same
    shared.plot("xi", "cor_kinematic")
    plt.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
